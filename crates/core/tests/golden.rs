//! Meetings as they were written by earlier versions, one of each format in each language: they
//! open for ever.

use std::path::{Path, PathBuf};

use quorate_core::{Event, Meeting, MeetingId, Report, RunId, apply};

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
    assert_eq!(logs.len(), 10, "{logs:?}");
    for path in logs {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
        for line in text.lines() {
            let event = Event::from_json(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(event.seq, meeting.seq + 1, "{}", path.display());
            apply(&mut meeting, &event);
        }
        assert!(meeting.is_over(), "{}", path.display());
        let told = Report::of(&meeting).to_markdown();
        assert!(told.contains(&meeting.charter.topic), "{}: {told}", path.display());
    }
}
