//! Exports of a meeting: as Markdown, as one HTML page that replays and checks itself, as a PDF.
//!
//! All of them are functions of the log, and hold what others may read. Texts of people and participants stay
//! texts: they become neither markup nor code of the output. Only this crate knows how pages are set.

mod html;
mod kept;
mod markdown;
mod marks;
mod page_words;
#[cfg(feature = "pdf")]
mod pdf;
mod render;
mod transcript;

pub use html::html;
#[cfg(feature = "pdf")]
pub use pdf::{FontError, Fonts, PdfError, pdf};
#[cfg(feature = "pdf")]
pub use render::render;
pub use render::{RenderJob, RenderRefusal, read_rendered};
pub use transcript::markdown;

use quorate_contract::signature::Sealing;
use quorate_core::Meeting;
use quorate_views::Report;

/// Options of printing.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Hidden marks, private memory and the thinking of models are in it, too.
    pub with_marks: bool,
    /// The time zone of all times.
    pub zone: Zone,
    /// A note for the reader in a sentence or two: that a part of the record is missing.
    pub note: Option<String>,
    /// Whether the log is signed, for the page that checks itself.
    pub sealing: Option<Sealing>,
}

/// A time zone; UTC when none is chosen.
#[derive(Debug, Clone)]
pub struct Zone(jiff::tz::TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }
}

impl Zone {
    /// This machine's time zone, or Shanghai's when it is not known.
    pub fn of_machine() -> Self {
        use jiff::tz::TimeZone;
        Self(TimeZone::try_system().or_else(|_| TimeZone::get("Asia/Shanghai")).unwrap_or(TimeZone::UTC))
    }

    /// The time of a moment as `09:30:05`; a dash when it is out of all range.
    pub fn clock(&self, moment: quorate_contract::Timestamp) -> String {
        match jiff::Timestamp::from_millisecond(moment.0) {
            Ok(time) => time.to_zoned(self.0.clone()).strftime("%H:%M:%S").to_string(),
            Err(_) => "—".to_owned(),
        }
    }

    /// A moment as `2026-11-22 09:30`; a dash when it is out of all range.
    pub fn tell(&self, moment: quorate_contract::Timestamp) -> String {
        match jiff::Timestamp::from_millisecond(moment.0) {
            Ok(time) => time.to_zoned(self.0.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
            Err(_) => "—".to_owned(),
        }
    }
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

/// The result as it may be handed on.
fn report(meeting: &Meeting, options: &Options) -> Report {
    let mut report = Report::of(meeting);
    if !options.with_marks {
        report.evaluations.clear();
    }
    report
}
