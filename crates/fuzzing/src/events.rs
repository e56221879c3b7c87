//! Lines of logs, of this version of the contract and of older ones: read, folded, shown, and written again.

use quorate_contract::{MeetingId, RunId};
use quorate_core::{Meeting, apply, pending};
use quorate_views::Viewer;

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn events(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    for line in text.lines() {
        let Ok(event) = quorate_store::read_line(line) else { continue };
        let written = event.to_json();
        let again = quorate_store::read_line(&written).expect("what is written is read");
        assert_eq!(again.to_json(), written);
        Viewer::public(quorate_views::Moment::of(&meeting)).line(&event);
        apply(&mut meeting, &event);
    }
    pending(&meeting);
}
