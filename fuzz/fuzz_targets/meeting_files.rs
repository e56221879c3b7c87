#![no_main]
//! Meeting files: TOML as a person writes it, JSON as a request has it.

use libfuzzer_sys::fuzz_target;
use quorate_app::CreateMeetingRequest;

fuzz_target!(|data: &[u8]| {
    let _ = CreateMeetingRequest::from_json(data);
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("meeting.toml");
    std::fs::write(&path, text).expect("written");
    if let Ok(new) = CreateMeetingRequest::read(&path) {
        new.locate("rules.turns.mode");
        let _ = new.rules();
    }
});
