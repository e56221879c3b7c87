//! Checks that a database, or an export, holds what was written to it.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use quorate_app::{
    DatabaseReport, LocalDatabase, LogFileReport, PublicKeyView, SigningKeyView, TrustedKey, verify_file,
};
use quorate_contract::signature::UnsignedReason;
use quorate_messages::{message, text};
use reqwest::Method;

use super::print;
use crate::args::VerifyArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::place::Place;
use crate::remote::Remote;

/// Verifies an export, or the whole database, and folds every meeting: here, or at the named server.
pub(crate) async fn verify(place: &Place, args: VerifyArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(file) = args.file {
        return verify_export(place, file, args.key, args.json, speech).await;
    }
    let report = match Remote::named(place)? {
        Some(server) => server.ask(Method::POST, "/verify", None).await?,
        None => verify_here(place, speech).await?,
    };
    told(&report, args.json, speech)
}

/// Verifies an export. Its key is compared with the one that was named, or with those of this installation or of the server
/// that was named.
async fn verify_export(
    place: &Place,
    file: PathBuf,
    key: Option<String>,
    json: bool,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    let known: Vec<PublicKeyView> = match Remote::named(place)? {
        Some(server) => {
            let SigningKeyView { key, previous, .. } = server.ask(Method::GET, "/signing-key", None).await?;
            [vec![key], previous].concat()
        }
        // A file is verified where there is no database, too.
        None => match LocalDatabase::read_only(&place.location) {
            Ok(database) => database.public_keys().await.unwrap_or_default(),
            Err(_) => Vec::new(),
        },
    };
    let verifying = tokio::task::spawn_blocking(move || verify_file(&file, key.as_deref(), &known));
    let reports = verifying.await.map_err(|stopped| {
        CliError::new(message!("app-broken-off", %stopped), message!("app-broken-off-hint"))
            .of(ErrorKind::Internal)
    })??;
    for report in &reports {
        match json {
            true => print(&serde_json::to_string(report).expect("a report has only text keys")),
            false => say_export(report, speech),
        }
    }
    match reports.iter().all(|report| report.ok) {
        true => Ok(ExitCode::SUCCESS),
        false => Err(CliError::new(
            text!(speech, "cli-verify-export-differs"),
            text!(speech, "cli-verify-export-differs-hint"),
        )),
    }
}

fn say_export(report: &LogFileReport, speech: Speech) {
    let LogFileReport { file, events, checked, withheld, .. } = report;
    let meeting = report.meeting_id.as_ref().map(ToString::to_string).unwrap_or_default();
    print(&text!(speech, "cli-verify-export", %file, %meeting, events = *events));
    for problem in &report.problems {
        print(&format!("✗ {}", problem.told().text(speech.0)));
    }
    if report.further_problems > 0 {
        print(&text!(speech, "cli-verify-more", more = %report.further_problems));
    }
    let mark = if report.ok { "✓" } else { "–" };
    let fits = match withheld {
        0 => text!(speech, "cli-verify-export-fits", %checked),
        _ => text!(speech, "cli-verify-export-fits-withheld", %checked, %withheld),
    };
    print(&format!("{mark} {fits}"));
    match (&report.signature, report.unsigned) {
        (Some(signature), _) if report.signed => {
            let at = super::inspect::local(signature.signed_at);
            let key = &signature.key_id;
            print(&format!("✓ {}", text!(speech, "cli-verify-export-signed", %at, %key)));
            let whose = match report.key {
                TrustedKey::Named => text!(speech, "cli-verify-export-key-named"),
                TrustedKey::Known => text!(speech, "cli-verify-export-key-known"),
                TrustedKey::Unknown => text!(speech, "cli-verify-export-key-unknown"),
            };
            print(&format!("    {whose}"));
        }
        // The problem is listed.
        (Some(_), _) => {}
        (None, unsigned) => {
            let why = match unsigned {
                Some(UnsignedReason::Damaged) => text!(speech, "cli-verify-unsigned-damaged"),
                Some(UnsignedReason::Withheld) => text!(speech, "cli-verify-unsigned-withheld"),
                Some(UnsignedReason::OffRecord) => text!(speech, "cli-verify-unsigned-off-record"),
                Some(UnsignedReason::NoKey) => text!(speech, "cli-verify-unsigned-no-key"),
                None => text!(speech, "cli-verify-unsigned"),
            };
            print(&format!("– {why}"));
        }
    }
}

/// Checks the database of this machine, and says on a terminal how far it has come.
async fn verify_here(place: &Place, speech: Speech) -> Result<DatabaseReport, CliError> {
    place.finish_what_was_cut_off();
    let begun = Instant::now();
    let mut shown = begun;
    let terminal = std::io::stderr().is_terminal();
    let report = LocalDatabase::verify(&place.location, speech.0, move |progress| {
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
            &text!(speech, "cli-verify-sound-meetings-ended-events", meetings = report.meetings, ended = %report.ended, events = report.events),
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
