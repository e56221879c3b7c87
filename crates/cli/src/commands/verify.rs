//! Checks that a database holds what was written to it.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use quorate_app::{DatabaseReport, verify_database};
use reqwest::Method;

use super::print;
use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::remote::Remote;
use crate::speech::Speech;

/// Checks the whole database, and folds every meeting: here, or at the server that was named.
pub(crate) async fn verify(place: &Place, args: VerifyArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let report = match Remote::named(place)? {
        Some(server) => server.ask(Method::POST, "/verify", None).await?,
        None => verify_here(place, speech)?,
    };
    told(&report, args.json, speech)
}

/// Checks the database of this machine, and says on a terminal how far it has come.
fn verify_here(place: &Place, speech: Speech) -> Result<DatabaseReport, CliError> {
    place.finish_what_was_cut_off();
    let begun = Instant::now();
    let mut shown = begun;
    let terminal = std::io::stderr().is_terminal();
    let report = verify_database(&place.db, |progress| {
        if terminal && shown.elapsed().as_millis() > 500 {
            shown = Instant::now();
            let text = speech.pick("场会议，共", "meetings of");
            eprint!("\r{} {text} {}", progress.meetings, progress.of_meetings);
        }
    })?;
    if terminal && shown != begun {
        eprint!("\r\x1b[2K");
    }
    Ok(report)
}

fn told(report: &DatabaseReport, json: bool, speech: Speech) -> Result<ExitCode, CliError> {
    if json {
        print(&serde_json::to_string(report).expect("a report has only text keys"));
    } else if report.ok {
        print(&speech.pick(
            format!(
                "完好：{} 场会议（{} 场已结束），{} 个事件",
                report.meetings, report.ended, report.events
            ),
            format!("sound: {} meetings ({} ended), {} events", report.meetings, report.ended, report.events),
        ));
    } else {
        for problem in &report.problems {
            print(problem);
        }
        if report.further_problems > 0 {
            let more = report.further_problems;
            print(&speech.pick(format!("另有 {more} 处问题"), format!("and {more} more")));
        }
    }
    if report.ok {
        return Ok(ExitCode::SUCCESS);
    }
    let found = report.problems.len() as u64 + report.further_problems;
    Err(CliError::new(
        speech.pick(format!("数据库有 {found} 处损坏"), format!("the database is damaged in {found} places")),
        speech.pick(
            "先复制一份数据库文件，再从备份恢复；没有列出的会议仍然可以导出",
            "copy the file first, then restore a backup; meetings that are not listed can still be exported",
        ),
    ))
}
