//! What the page setter can see: one template, the data, the fonts. It is asked for nothing else.

use quorate_core::Meeting;
use serde::Deserialize;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Dict, Duration, Smart};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};

use super::fonts::Fonts;
use super::{Paper, PdfError};

const TEMPLATE: &str = include_str!("paper.typ");

struct Desk<'a> {
    library: LazyHash<Library>,
    template: Source,
    fonts: &'a Fonts,
}

/// Sets the pages and writes them as a PDF; the same meeting and fonts make the same bytes.
pub(super) fn print(paper: &Paper, fonts: &Fonts, meeting: &Meeting) -> Result<Vec<u8>, PdfError> {
    let data = serde_json::to_value(paper).expect("a paper has only text keys");
    let data = Dict::deserialize(data).expect("plain data is data to the template, too");
    let library = Library::builder().with_inputs(data).build();
    let desk = Desk { library: LazyHash::new(library), template: Source::detached(TEMPLATE), fonts };
    let document = typst::compile::<PagedDocument>(&desk).output.map_err(trouble);
    let options = PdfOptions {
        ident: Smart::Custom(meeting.id.as_str().to_owned()),
        creator: Smart::Custom(Some("Quorate".to_owned())),
        timestamp: timestamp(meeting),
        ..PdfOptions::default()
    };
    let bytes = document.and_then(|document| typst_pdf::pdf(&document, &options).map_err(trouble));
    // What was remembered for the next page would stay for as long as a server runs.
    typst::comemo::evict(0);
    bytes
}

fn timestamp(meeting: &Meeting) -> Option<Timestamp> {
    let time = jiff::Timestamp::from_millisecond(meeting.updated_at.0).ok()?;
    let time = time.to_zoned(jiff::tz::TimeZone::UTC);
    let part = |value: i8| value.unsigned_abs();
    let time = Datetime::from_ymd_hms(
        time.year().into(),
        part(time.month()),
        part(time.day()),
        part(time.hour()),
        part(time.minute()),
        part(time.second()),
    )?;
    Some(Timestamp::new_utc(time))
}

fn trouble(found: impl IntoIterator<Item = SourceDiagnostic>) -> PdfError {
    let messages: Vec<String> = found.into_iter().map(|one| one.message.to_string()).collect();
    PdfError::Setting(messages.join("; "))
}

impl World for Desk<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }
    fn book(&self) -> &LazyHash<FontBook> {
        self.fonts.store.book()
    }
    fn main(&self) -> FileId {
        self.template.id()
    }
    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.template.id() { Ok(self.template.clone()) } else { Err(FileError::AccessDenied) }
    }
    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }
    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.store.font(index)
    }
    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
