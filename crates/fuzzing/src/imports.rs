//! Folders of other programs: the first line of the input names a file, the rest is its content; a line of `----` begins another.

use quorate_contract::{Actor, MeetingId, RunId, Timestamp};
use quorate_core::{Meeting, apply};
use quorate_views::folder_layouts::{Files, Uploads, import, read};

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn imports(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let files = text.split("\n----\n").filter_map(|file| file.split_once('\n'));
    let files: Files = files.map(|(path, content)| (path.to_owned(), content.to_owned())).collect();
    let Ok(layout) = read(&files) else { return };
    let by = Actor::owner();
    let ids = || (MeetingId::new("m"), RunId::new("r"));
    let Ok(all) = import(&layout, Timestamp(1_790_000_000_000), &by, &|_| true, &Uploads::default(), ids)
    else {
        return;
    };
    for one in all {
        let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
        for event in one.log.log() {
            apply(&mut meeting, event);
        }
    }
}
