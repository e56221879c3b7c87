//! Meetings as they were seen on their way, from the logs in `fixtures/meetings`: whoever folds the same events
//! elsewhere, as the page does, must come to the same views.
//!
//! `QUORATE_BLESS=1 cargo test -p quorate-server --lib view_fixtures` writes them anew.

use std::path::{Path, PathBuf};

use quorate_contract::{Event, EventBody};
use quorate_core::{Meeting, apply};
use quorate_views::{MeetingView, Viewer};
use serde_json::json;

/// The most that all views together may take; all of them are on the disk.
const MOST_BYTES: usize = 5_000_000;
/// Beside the events at which much changes, each of so many is looked at.
const STRIDE: u64 = 10;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Each log with its place: `en/consensus.jsonl`.
fn logs() -> Vec<PathBuf> {
    let root = root().join("meetings");
    let folders = std::fs::read_dir(&root).expect("the meetings are there").flatten();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let place = |file: std::fs::DirEntry| file.path().strip_prefix(&root).expect("below").to_owned();
    let mut logs: Vec<PathBuf> = files.map(place).collect();
    logs.sort();
    logs
}

fn events(log: &Path) -> Vec<Event> {
    let text = std::fs::read_to_string(root().join("meetings").join(log)).expect("it can be read");
    text.lines().map(|line| Event::from_json(line).expect("an event")).collect()
}

/// Whether the meeting is looked at after this event.
fn is_looked_at(event: &Event) -> bool {
    let much_changes = matches!(
        event.body,
        EventBody::MeetingCreated { .. }
            | EventBody::MeetingStarted { .. }
            | EventBody::ParticipantJoined { .. }
            | EventBody::ParticipantLeft { .. }
            | EventBody::RoundStarted { .. }
            | EventBody::RoundEnded { .. }
            | EventBody::BallotOpened { .. }
            | EventBody::BallotClosed { .. }
            | EventBody::BallotInterrupted { .. }
            | EventBody::Pause { .. }
            | EventBody::Resume { .. }
            | EventBody::MinutesWritten { .. }
            | EventBody::ConclusionWritten { .. }
            | EventBody::Finished { .. }
    );
    much_changes || event.seq.is_multiple_of(STRIDE)
}

/// A meeting on its way: a line for each event after which it is looked at.
fn views(log: &Path) -> String {
    let events = events(log);
    let (id, run) = (events[0].meeting_id.clone(), events[0].run_id.clone());
    let mut meeting = Meeting::blank(id, run);
    let mut lines = String::new();
    for event in events {
        apply(&mut meeting, &event);
        if is_looked_at(&event) {
            let view = MeetingView::of(&meeting, Viewer::everything(), usize::MAX);
            lines.push_str(&json!({ "seq": event.seq, "view": view }).to_string());
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn every_meeting_is_seen_as_it_was_seen_before() {
    let bless = std::env::var_os("QUORATE_BLESS").is_some();
    let mut bytes = 0;
    for log in logs() {
        let (now, path) = (views(&log), root().join("views").join(&log));
        bytes += now.len();
        if bless {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(&path, &now).expect("it can be written");
            continue;
        }
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = before.lines().zip(now.lines()).find(|(before, now)| before != now);
        assert!(before == now, "{} differs, first here: {differs:#?}", path.display());
    }
    assert!(bytes < MOST_BYTES, "all views together have {bytes} bytes: look at fewer events");
}
