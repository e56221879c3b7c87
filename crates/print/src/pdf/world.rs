//! The environment of the typesetter: one template, the data, the fonts. Nothing else is available to it.

use quorate_core::Meeting;
use serde::Deserialize;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::ecow::EcoVec;
use typst::foundations::{Bytes, Datetime, Dict, Duration, Smart};
use typst::layout::Point;
use typst::model::{Document, DocumentInfo};
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};

use super::blocks::Block;
use super::fonts::Fonts;
use super::{DocumentPart, Paper, PdfError};

const TEMPLATE: &str = include_str!("paper.typ");

struct TypstWorld<'a> {
    library: LazyHash<Library>,
    template: Source,
    fonts: &'a Fonts,
}

/// Sets the pages and writes them as a PDF; the same meeting and fonts make the same bytes.
///
/// A long document is set part by part. Each part begins a page, and no cache of one stays in memory for the
/// next. Headers and footers are laid over the pages at the end, when their number is known. Such a document
/// has no tags for screen readers: they would take as much memory again.
pub(super) fn print(
    paper: &mut Paper,
    parts: Vec<Vec<Block>>,
    fonts: &Fonts,
    meeting: &Meeting,
) -> Result<Vec<u8>, PdfError> {
    let tagged = parts.len() <= 1;
    let document = match tagged {
        true => {
            paper.blocks = parts.into_iter().next().unwrap_or_default();
            set(paper, fonts)?
        }
        false => in_parts(paper, parts, fonts)?,
    };
    let options = PdfOptions {
        ident: Smart::Custom(meeting.id.as_str().to_owned()),
        creator: Smart::Custom(Some("Quorate".to_owned())),
        timestamp: timestamp(meeting),
        tagged,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(trouble)
}

fn in_parts(paper: &mut Paper, parts: Vec<Vec<Block>>, fonts: &Fonts) -> Result<PagedDocument, PdfError> {
    let mut pages = EcoVec::new();
    let mut info = DocumentInfo::default();
    paper.part = DocumentPart::First;
    for blocks in parts {
        paper.blocks = blocks;
        let document = set(paper, fonts)?;
        if paper.part == DocumentPart::First {
            info = document.info().clone();
        }
        pages.extend(document.pages().iter().cloned());
        paper.part = DocumentPart::Next;
    }
    paper.blocks = Vec::new();
    paper.part = DocumentPart::Margins { pages: pages.len() };
    let margins = set(paper, fonts)?;
    for (page, margin) in pages.make_mut().iter_mut().zip(margins.pages()) {
        page.frame.push_frame(Point::zero(), margin.frame.clone());
    }
    Ok(PagedDocument::new(pages, info))
}

/// The pages of one part.
fn set(paper: &Paper, fonts: &Fonts) -> Result<PagedDocument, PdfError> {
    let data = serde_json::to_value(paper).expect("a paper has only text keys");
    let data = Dict::deserialize(data).expect("plain data is data to the template, too");
    let library = Library::builder().with_inputs(data).build();
    let desk = TypstWorld { library: LazyHash::new(library), template: Source::detached(TEMPLATE), fonts };
    let document = typst::compile::<PagedDocument>(&desk).output.map_err(trouble);
    // What was remembered for the next page would stay for as long as the process runs.
    typst::comemo::evict(0);
    document
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

impl World for TypstWorld<'_> {
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
