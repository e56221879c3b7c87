//! Checks that a database holds what was written to it.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use quorate_contract::{Event, MeetingId};
use quorate_core::{Meeting, apply};

use super::print;
use crate::args::VerifyArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::speech::Speech;

/// Checks the whole database, and folds every meeting.
pub(crate) fn verify(place: &Place, args: VerifyArgs, speech: Speech) -> Result<ExitCode, CliError> {
    place.finish_what_was_cut_off();
    let begun = Instant::now();
    let mut shown = begun;
    let terminal = std::io::stderr().is_terminal();
    // How each meeting ends when it is folded: its length, and whether it is over.
    let mut folded: BTreeMap<MeetingId, Meeting> = BTreeMap::new();
    let mut over = 0u64;
    let report = quorate_store::verify(
        &place.db,
        |progress| {
            if terminal && shown.elapsed().as_millis() > 500 {
                shown = Instant::now();
                let text = speech.pick("场会议，共", "meetings of");
                eprint!("\r{} {text} {}", progress.meetings, progress.of_meetings);
            }
        },
        |event: &Event| {
            // Only the meeting that is being read is kept: they come one after the other.
            if !folded.contains_key(&event.meeting_id) {
                over += folded.values().filter(|meeting| meeting.is_over()).count() as u64;
                folded.clear();
                let blank = Meeting::blank(event.meeting_id.clone(), event.run_id.clone());
                folded.insert(event.meeting_id.clone(), blank);
            }
            if let Some(meeting) = folded.get_mut(&event.meeting_id) {
                apply(meeting, event);
            }
        },
    )?;
    over += folded.values().filter(|meeting| meeting.is_over()).count() as u64;
    if terminal && shown != begun {
        eprint!("\r\x1b[2K");
    }
    let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    if args.json {
        print(
            &serde_json::json!({
                "ok": report.is_clean(),
                "meetings": report.meetings,
                "ended": over,
                "events": report.events,
                "problems": problems,
                "further_problems": report.further_problems,
            })
            .to_string(),
        );
    } else if report.is_clean() {
        print(&speech.pick(
            format!("完好：{} 场会议（{over} 场已结束），{} 个事件", report.meetings, report.events),
            format!("sound: {} meetings ({over} ended), {} events", report.meetings, report.events),
        ));
    } else {
        for problem in &problems {
            print(problem);
        }
        if report.further_problems > 0 {
            let more = report.further_problems;
            print(&speech.pick(format!("另有 {more} 处问题"), format!("and {more} more")));
        }
    }
    if report.is_clean() {
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
