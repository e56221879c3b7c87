//! Exports of a meeting: as Markdown, as one HTML page that replays and checks itself, as a PDF.
//!
//! All of them are functions of the log, and hold what others may read. Texts of people and participants stay
//! texts: they become neither markup nor code of the output. Only this crate knows how pages are set.

mod exported_log;
mod formulas;
mod html;
mod markdown;
mod marks;
mod mathml;
mod page_texts;
#[cfg(feature = "pdf")]
mod pdf;
mod record;
mod render;
mod sections;
mod times;
mod transcript;

pub use html::html;
#[cfg(feature = "pdf")]
pub use pdf::{FontError, Fonts, PdfError, pdf};
pub use record::{RecordEntry, record};
#[cfg(feature = "pdf")]
pub use render::render;
pub use render::{RenderJob, RenderRefusal, read_rendered};
pub use times::Times;
pub use transcript::markdown;

use std::collections::BTreeMap;

use quorate_contract::signature::Sealing;
use quorate_core::Meeting;
use quorate_messages::text;
use quorate_views::Report;

/// Options of printing.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Hidden marks, private memory and the thinking of models are in it, too.
    pub with_marks: bool,
    /// How all times are written.
    pub times: Times,
    /// A note for the reader in a sentence or two: that a part of the record is missing.
    pub note: Option<String>,
    /// Whether the log is signed, for the page that checks itself.
    pub sealing: Option<Sealing>,
    /// What happened beside what was said, for formats that do not hold the log.
    pub record: Vec<RecordEntry>,
    /// The images that the page shows, by the ids of their files, each as an address that holds it.
    pub images: BTreeMap<String, String>,
    /// The texts of attached files that the page shows as a whole, by the ids of their files. Of others it shows the
    /// excerpt.
    pub texts: BTreeMap<String, String>,
}

/// The result as Markdown: its topic, the note, and all that follows.
fn body(result: &Report, options: &Options) -> String {
    let text = result.to_markdown();
    match (&options.note, text.split_once('\n')) {
        (Some(note), Some((topic, rest))) => {
            let quoted: String = note.lines().map(|line| format!("> {line}\n")).collect();
            format!("{topic}\n\n{quoted}{rest}")
        }
        _ => text,
    }
}

/// When a meeting was held and who took part, each with its name.
fn facts(meeting: &Meeting, result: &Report, options: &Options) -> [(&'static str, String); 2] {
    let language = result.language;
    let who = |seat: &quorate_core::Seat| match seat.participant.role.name.as_str() {
        "" => seat.participant.name.clone(),
        role => text!(language, "print-pdf-name-role", name = %seat.participant.name, %role),
    };
    let seats: Vec<String> = meeting.seats.iter().map(|seat| who(seat)).collect();
    let began = match &result.forked_from {
        Some(origin) => origin.forked_at,
        None => result.started_at.unwrap_or(meeting.settings.created_at),
    };
    let date = match &meeting.settings.details.display.time_zone {
        Some(zone) => format!("{} ({zone})", options.times.tell(began)),
        None => options.times.tell(began),
    };
    [
        (text!(language, "print-pdf-date"), date),
        (text!(language, "print-pdf-participants"), seats.join(text!(language, "common-list-separator"))),
    ]
}

/// The result as it may be handed on.
fn report(meeting: &Meeting, options: &Options) -> Report {
    let mut report = Report::of(meeting);
    if !options.with_marks {
        report.evaluations.clear();
    }
    report
}
