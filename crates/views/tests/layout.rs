//! Export and import of meetings as folders of files.

#[path = "../../core/tests/support/mod.rs"]
mod support;

#[path = "layout/golden.rs"]
mod golden;
#[path = "layout/hostile.rs"]
mod hostile;
#[path = "layout/round_trip.rs"]
mod round_trip;
#[path = "layout/shown.rs"]
mod shown;
#[path = "layout/written.rs"]
mod written;

use proptest::prelude::TestCaseError;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::folder_layouts::{Imported, Layout, LayoutError, Uploads, import};

/// Later than everything that is in the files.
const NOW: Timestamp = Timestamp(4_000_000_000_000);

fn imported(layout: &Layout) -> Result<Vec<Imported>, LayoutError> {
    imported_with(layout, &Uploads::default())
}

fn imported_with(layout: &Layout, uploads: &Uploads) -> Result<Vec<Imported>, LayoutError> {
    import(layout, NOW, &Actor::owner(), &|zone| zone.as_str() != "Mars/Olympus", uploads, || {
        (MeetingId::new("meeting"), RunId::new("run"))
    })
}

/// The log of a new meeting of this id.
fn log(imported: &Imported, id: &str) -> Vec<Event> {
    let log = imported.log.log().iter();
    log.map(|event| Event { meeting_id: MeetingId::new(id), ..event.clone() }).collect()
}

fn folded(log: &[Event]) -> Meeting {
    let mut meeting = Meeting::blank(log[0].meeting_id.clone(), log[0].run_id.clone());
    log.iter().for_each(|event| apply(&mut meeting, event));
    meeting
}

fn fails(error: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}
