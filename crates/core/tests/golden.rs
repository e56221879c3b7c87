//! Meetings as they were written by earlier versions: one of each format in each language, and some that
//! together hold every kind of event. They open for ever.

use std::path::{Path, PathBuf};

use quorate_contract::{Event, EventBody, MeetingId, PauseReason, RunId};
use quorate_core::{Meeting, STATE_FORMAT, apply};
use quorate_views::Report;

fn logs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings");
    let folders = std::fs::read_dir(&root).expect("the meetings are there").flatten();
    let mut logs: Vec<PathBuf> = folders
        .flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten())
        .map(|file| file.path())
        .collect();
    logs.sort();
    logs
}

#[test]
fn every_meeting_can_be_read_to_its_end_and_told() {
    let logs = logs();
    assert_eq!(logs.len(), 25, "{logs:?}");
    for path in logs {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        for line in text.lines() {
            let event = Event::from_json(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(event.seq, meeting.seq + 1, "{}", path.display());
            apply(&mut meeting, &event);
        }
        assert!(meeting.is_over(), "{}", path.display());
        let report = Report::of(&meeting);
        let last = meeting.said.last().map_or(0, |said| said.id.0 as usize);
        assert_eq!(report.messages, last, "{}: as the record numbers them", path.display());
        let told = report.to_markdown();
        let topic: Vec<&str> = meeting.settings.topic.split_whitespace().collect();
        assert!(told.contains(&topic.join(" ")), "{}: {told}", path.display());
    }
}

/// The hash of the states of all these meetings, and the format of the state.
const STATES: (&str, &str) = (
    "/24",
    "4230e317fe1e6df9fa27c9ab28f4c7a70d3bff7154fa3dfd6f6f0fedfc4cd8f4e47bd6c2107edc6593787fb7f7fe2b99b4cf",
);

/// A snapshot of a meeting is believed when its format is the present one.
#[test]
fn a_state_that_comes_out_otherwise_has_another_format() {
    let mut states = String::new();
    for path in logs() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        for line in text.lines() {
            apply(&mut meeting, &Event::from_json(line).expect("an event"));
            let (state, hash) = meeting.to_state();
            assert_eq!(Meeting::from_state(&state, &hash).expect("a state"), meeting, "{}", path.display());
        }
        states.push_str(&meeting.state_hash()[..4]);
    }
    let (format, hashes) = STATES;
    assert!(
        STATE_FORMAT.ends_with(format) && states == hashes,
        "where a log in fixtures/meetings was recorded anew, write {states:?} here; else the state of a \
         meeting has other fields, or the same events come to something else: raise the number in \
         STATE_FORMAT too (crates/core/src/state/snapshot.rs), and write it here"
    );
}

/// The event as it was written before version 4 of the contract, when what it leads to was not said.
fn before_version_4(event: &Event) -> Event {
    let mut event = event.clone();
    match &mut event.body {
        EventBody::MeetingStarted { silence_max_ms, .. } | EventBody::RulesChanged { silence_max_ms, .. } => {
            *silence_max_ms = None;
        }
        EventBody::CallStarted { covers, .. }
        | EventBody::MinutesRequested { covers, .. }
        | EventBody::ArtifactWritten { covers, .. } => *covers = None,
        EventBody::CallEnded { window: Some(window), .. } => window.per_mille = None,
        EventBody::Pause { budget, .. } => *budget = None,
        EventBody::Resume { then, .. } => *then = None,
        EventBody::Error { then, .. } => *then = None,
        EventBody::MeetingClosing { asked_again, .. } => *asked_again = None,
        _ => {}
    }
    event
}

#[test]
fn a_log_from_before_version_4_comes_to_the_same() {
    let mut differ = 0;
    for path in logs() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let blank = || Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        let (mut meeting, mut older) = (blank(), blank());
        for line in text.lines() {
            let event = Event::from_json(line).expect("an event");
            let as_older = before_version_4(&event);
            differ += usize::from(as_older != event);
            apply(&mut meeting, &event);
            apply(&mut older, &as_older);
            assert_eq!(older, meeting, "{}: event {}", path.display(), event.seq);
        }
    }
    assert!(differ > 50, "{differ} events say more than before");
}

#[test]
fn every_kind_of_event_happens_at_some_meeting() {
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("it can be read");
    let text: String = logs().iter().map(read).collect();
    let happened: Vec<&str> =
        text.lines().map(|line| Event::from_json(line).expect("an event").body.kind()).collect();
    let missing: Vec<&str> =
        EventBody::KINDS.iter().copied().filter(|kind| !happened.contains(kind)).collect();
    assert!(missing.is_empty(), "no log in fixtures/meetings holds {missing:?}");
}

/// The pause reasons, each with the next one, so that a new one does not compile before it is named here.
fn pause_reasons() -> Vec<PauseReason> {
    let after = |reason: &PauseReason| match reason {
        PauseReason::UserRequest => Some(PauseReason::NobodyAnswered),
        PauseReason::NobodyAnswered => Some(PauseReason::MissingInfo),
        PauseReason::MissingInfo => Some(PauseReason::CheckIn),
        PauseReason::CheckIn => Some(PauseReason::NeedApproval),
        PauseReason::NeedApproval => Some(PauseReason::AwaitingHost),
        PauseReason::AwaitingHost => Some(PauseReason::NothingNew),
        PauseReason::NothingNew => Some(PauseReason::GateFailed),
        PauseReason::GateFailed => Some(PauseReason::BudgetLimit),
        PauseReason::BudgetLimit => Some(PauseReason::ToolApproval),
        PauseReason::ToolApproval => None,
    };
    std::iter::successors(Some(PauseReason::UserRequest), after).collect()
}

#[test]
fn some_meeting_pauses_for_every_reason() {
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("it can be read");
    let text: String = logs().iter().map(read).collect();
    let reason = |line: &str| match Event::from_json(line).expect("an event").body {
        EventBody::Pause { pause_reason, .. } => Some(pause_reason),
        _ => None,
    };
    let happened: Vec<PauseReason> = text.lines().filter_map(reason).collect();
    let missing: Vec<PauseReason> =
        pause_reasons().into_iter().filter(|reason| !happened.contains(reason)).collect();
    assert!(missing.is_empty(), "no log in fixtures/meetings pauses for {missing:?}");
}
