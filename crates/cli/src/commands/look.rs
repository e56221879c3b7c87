//! Looks at meetings, and begins new ones from them.

use std::process::ExitCode;
use std::sync::Arc;

use jiff::tz::TimeZone;
use quorate_core::{Calls, Event, Health, Meeting, MeetingId, Moment, Report, RunId, apply};
use quorate_engine::{Engine, SystemClock};
use quorate_print::Zone;
use quorate_runners::Pace;
use quorate_store::{MeetingState, SqliteStore, StoreError};
use unicode_width::UnicodeWidthStr;

use super::calls;
use super::print;
use crate::args::{ForkArgs, ListArgs, ShowArgs};
use crate::error::CliError;
use crate::live::marks;
use crate::password;
use crate::place::Place;
use crate::setup::runners;
use crate::speech::Speech;

/// Lists the meetings, newest first.
pub(crate) async fn list(place: &Place, args: ListArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = match place.read() {
        Ok(store) => store,
        // A list of nothing is no error.
        Err(_) if !place.db.exists() => return Ok(none_yet(&args, speech)),
        Err(error) => return Err(error),
    };
    let meetings = match store.meetings(args.limit, 0).await {
        Err(StoreError::NoMeetings) => Vec::new(),
        meetings => meetings?,
    };
    if meetings.is_empty() {
        return Ok(none_yet(&args, speech));
    }
    let zone = Zone::of_machine();
    for meeting in meetings {
        if args.json {
            let mut row = serde_json::to_value(&meeting).expect("a summary has only text keys");
            // A meeting whose log cannot be read is listed all the same.
            if let Ok((folded, events)) = fold(&store, &meeting.id).await {
                row["calls"] = serde_json::to_value(Calls::of(&folded, &events)).unwrap_or_default();
            }
            print(&row.to_string());
            continue;
        }
        let state = match (&meeting.outcome, meeting.state) {
            (Some(outcome), _) => outcome_words(outcome, speech),
            (None, state) => state_words(state, speech).to_owned(),
        };
        let pad = " ".repeat(14usize.saturating_sub(state.width()));
        let simulated = if meeting.simulated { speech.pick("（模拟）", " (simulated)") } else { "" };
        print(&format!(
            "{}  {}  {state}{pad}  {}{simulated}",
            meeting.id,
            zone.tell(meeting.updated_ms),
            meeting.topic.split_whitespace().collect::<Vec<_>>().join(" ")
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn none_yet(args: &ListArgs, speech: Speech) -> ExitCode {
    if !args.json {
        anstream::eprintln!(
            "{}",
            speech.pick(
                "还没有会议。开始一场：quorate run \"主题\"",
                "there are no meetings yet. Begin one: quorate run \"TOPIC\""
            )
        );
    }
    ExitCode::SUCCESS
}

fn state_words(state: MeetingState, speech: Speech) -> &'static str {
    match state {
        MeetingState::Draft => speech.pick("草稿", "draft"),
        MeetingState::Discussion => speech.pick("讨论中", "discussion"),
        MeetingState::Ballot => speech.pick("表决中", "ballot"),
        MeetingState::Closing => speech.pick("撰写结论", "closing"),
        MeetingState::Paused => speech.pick("已暂停", "paused"),
        MeetingState::Ended => speech.pick("已结束", "ended"),
    }
}

fn outcome_words(outcome: &str, speech: Speech) -> String {
    match outcome {
        "accepted" => speech.pick("已通过", "accepted").to_owned(),
        "converged" => speech.pick("已收敛", "converged").to_owned(),
        "completed" => speech.pick("已完成", "completed").to_owned(),
        aborted => speech.pick("未达成一致".to_owned(), aborted.to_owned()),
    }
}

/// A moment in this machine's zone, in Shanghai's when the machine does not know its own.
pub(super) fn local(moment: Moment) -> String {
    Zone::of_machine().tell(moment)
}

/// This machine's zone.
pub(super) fn zone() -> TimeZone {
    TimeZone::try_system().or_else(|_| TimeZone::get("Asia/Shanghai")).unwrap_or(TimeZone::UTC)
}

/// A meeting folded from its log.
pub(super) async fn load(store: &SqliteStore, id: &MeetingId) -> Result<(Meeting, Vec<Event>), CliError> {
    password::ask(store, id).await?;
    fold(store, id).await
}

async fn fold(store: &SqliteStore, id: &MeetingId) -> Result<(Meeting, Vec<Event>), CliError> {
    let lines = store.lines(id, 0).await?;
    let mut meeting = Meeting::blank(id.clone(), RunId::new(""));
    let mut events = Vec::with_capacity(lines.len());
    for (seq, line) in lines {
        let event = Event::from_json(&line).map_err(|error| {
            CliError::new(
                format!("event {seq} of meeting {id} cannot be read: {error}"),
                "it may have been written by a newer quorate; `quorate verify` says more",
            )
        })?;
        apply(&mut meeting, &event);
        events.push(event);
    }
    Ok((meeting, events))
}

/// Shows how a meeting stands, or its result.
pub(crate) async fn show(place: &Place, args: ShowArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let (meeting, events) = load(&store, &id).await?;
    if args.marks {
        match args.json {
            true => {
                print(
                    &serde_json::to_string_pretty(&meeting.evaluations).expect("marks have only text keys"),
                );
            }
            false => print(&marks(&meeting)),
        }
        return Ok(ExitCode::SUCCESS);
    }
    if args.health {
        let health = Health::of(&meeting);
        print(&match args.json {
            true => serde_json::to_string_pretty(&health).expect("a health has only text keys"),
            false => health.to_text(&meeting, speech.0),
        });
        return Ok(ExitCode::SUCCESS);
    }
    let report = Report::of(&meeting);
    print(&if args.json { report.to_json() } else { report.to_markdown() });
    // The report itself is the same wherever it is written.
    if let (false, Some(line)) =
        (args.json, calls::line(&Calls::of(&meeting, &events), Speech(meeting.language())))
    {
        anstream::eprintln!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Begins a new meeting from a point in the past of another.
pub(crate) async fn fork(place: &Place, args: ForkArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.open()?;
    let from = store.find(&args.id).await?;
    password::ask(&store, &from).await?;
    // Nothing is asked of anybody here: the new meeting rests until it is resumed.
    let engine = Engine::new(Arc::new(store.clone()), runners([], [], Pace::Instant)?, Arc::new(SystemClock));
    let id = MeetingId::new(uuid::Uuid::now_v7().to_string());
    engine.fork(&from, args.at, id.clone(), RunId::new(uuid::Uuid::now_v7().to_string())).await?;
    // What could not be opened without a password before cannot be opened by copying it.
    if let Some(hash) = store.password_hash(&from).await? {
        store.set_password_hash(&id, Some(hash)).await?;
    }
    match args.json {
        true => print(&serde_json::json!({ "meeting_id": id, "from": from, "at": args.at }).to_string()),
        false => {
            print(id.as_str());
            let command = place.command(&format!("resume {id}"));
            anstream::eprintln!("{} {command}", speech.pick("继续会议：", "to go on:"));
        }
    }
    Ok(ExitCode::SUCCESS)
}
