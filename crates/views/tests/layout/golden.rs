//! A meeting that was read from files, as it is written.
//!
//! `QUORATE_BLESS=1 cargo test -p quorate-core --test layout golden` writes it anew.

use std::path::Path;

use quorate_views::folder_layouts::read;

use super::shown::meetings;
use super::{imported, log};

#[test]
fn an_imported_meeting_is_written_as_it_was_before() {
    let mut files = meetings();
    let ended = |file: String| file.replace("\"status\": \"active\"", "\"status\": \"ended\"");
    files.entry("meetings/meeting-1.json".to_owned()).and_modify(|file| *file = ended(std::mem::take(file)));
    let all = imported(&read(&files).expect("it is read")).expect("it is imported");
    let now: String = log(&all[0], "meeting").iter().map(|event| event.to_json() + "\n").collect();

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings/zh/imported.jsonl");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
        return;
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = before.lines().zip(now.lines()).find(|(before, now)| before != now);
    assert!(before == now, "{} differs, first here: {differs:#?}", path.display());
}
