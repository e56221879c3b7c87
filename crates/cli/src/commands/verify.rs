//! Checks that a database holds what was written to it.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use quorate_app::{DatabaseReport, LocalDatabase};
use quorate_messages::text;
use reqwest::Method;

use super::print;
use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::remote::Remote;
use crate::speech::Speech;

/// Verifies the whole database, and folds every meeting: here, or at the named server.
pub(crate) async fn verify(place: &Place, args: VerifyArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let report = match Remote::named(place)? {
        Some(server) => server.ask(Method::POST, "/verify", None).await?,
        None => verify_here(place, speech).await?,
    };
    told(&report, args.json, speech)
}

/// Checks the database of this machine, and says on a terminal how far it has come.
async fn verify_here(place: &Place, speech: Speech) -> Result<DatabaseReport, CliError> {
    place.finish_what_was_cut_off();
    let begun = Instant::now();
    let mut shown = begun;
    let terminal = std::io::stderr().is_terminal();
    let report = LocalDatabase::verify(&place.db, move |progress| {
        if terminal && shown.elapsed().as_millis() > 500 {
            shown = Instant::now();
            let text = text!(speech, "cli-verify-meetings");
            eprint!("\r{} {text} {}", progress.meetings, progress.of_meetings);
        }
    })
    .await?;
    if terminal && begun.elapsed().as_millis() > 500 {
        eprint!("\r\x1b[2K");
    }
    Ok(report)
}

fn told(report: &DatabaseReport, json: bool, speech: Speech) -> Result<ExitCode, CliError> {
    if json {
        print(&serde_json::to_string(report).expect("a report has only text keys"));
    } else if report.ok {
        print(
            &text!(speech, "cli-verify-sound-meetings-ended-events", meetings = %report.meetings, ended = %report.ended, events = %report.events),
        );
    } else {
        for problem in &report.problems {
            print(problem);
        }
        if report.further_problems > 0 {
            let more = report.further_problems;
            print(&text!(speech, "cli-verify-more", %more));
        }
    }
    if report.ok {
        return Ok(ExitCode::SUCCESS);
    }
    let found = report.problems.len() as u64 + report.further_problems;
    Err(CliError::new(
        text!(speech, "cli-verify-database-damaged-places", %found),
        text!(speech, "cli-verify-copy-file-first-then-restore"),
    ))
}
