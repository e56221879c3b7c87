//! Meeting files: TOML as a person writes it, JSON as a request has it.

use quorate_app::CreateMeetingRequest;

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn meeting_files(data: &[u8]) {
    let _ = CreateMeetingRequest::from_json(data);
    let Ok(text) = std::str::from_utf8(data) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("meeting.toml");
    std::fs::write(&path, text).expect("written");
    if let Ok(new) = CreateMeetingRequest::read(&path) {
        new.locate("rules.turns.mode");
        let _ = new.rules();
    }
}
