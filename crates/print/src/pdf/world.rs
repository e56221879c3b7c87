//! The environment of the typesetter: one template, the data, the fonts. Nothing else is available to it.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use quorate_core::Meeting;
use serde::{Deserialize, Serialize};
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::ecow::EcoVec;
use typst::foundations::{Bytes, Datetime, Dict, Duration, Smart};
use typst::model::Document;
use typst::syntax::{FileId, Source};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, Timestamp};

use super::blocks::Block;
use super::fonts::Fonts;
use super::merge::Merged;
use super::{DocumentPart, Paper, PdfError};

const TEMPLATE: &str = include_str!("paper.typ");

struct TypstWorld<'a> {
    library: LazyHash<Library>,
    template: Source,
    fonts: &'a Fonts,
}

/// The parts that are written as one file: so many are in memory as pages.
const FILE_PARTS: usize = 2;
/// The pages whose footers are set at a time.
const FOOTER_PAGES: usize = 250;
/// The files that are made at a time.
const FILES_AT_ONCE: usize = 2;
/// What a part may nest needs no more, and the first thread of a program has as much.
const STACK_BYTES: usize = 8 << 20;

/// What the template is given.
#[derive(Serialize)]
struct Sheet<'a> {
    #[serde(flatten)]
    paper: &'a Paper,
    part: DocumentPart,
    blocks: &'a [Block],
}

/// Sets the pages and writes them as a PDF; the same meeting and fonts make the same bytes.
///
/// A long document is set part by part, each from the beginning of a page, and written as several files, which become
/// one ([`Merged`]). No cache of one part stays in memory for the next, and no pages of one file. Headers and footers
/// are laid over the pages at the end, when their number is known. Such a document has no tags for screen readers: they
/// would take as much memory again.
pub(super) fn print(
    paper: &Paper,
    mut parts: Vec<Vec<Block>>,
    fonts: &Fonts,
    meeting: &Meeting,
) -> Result<Vec<u8>, PdfError> {
    let press = Press { paper, fonts, meeting };
    if parts.len() > 1 {
        return press.in_files(parts);
    }
    let blocks = parts.pop().unwrap_or_default();
    press.write(&press.set(DocumentPart::Whole, &blocks)?, true)
}

/// What all pages of a document have in common.
#[derive(Clone, Copy)]
struct Press<'a> {
    paper: &'a Paper,
    fonts: &'a Fonts,
    meeting: &'a Meeting,
}

/// A file, and the number of its pages.
type PrintedFile = (Vec<u8>, usize);

impl Press<'_> {
    fn in_files(self, parts: Vec<Vec<Block>>) -> Result<Vec<u8>, PdfError> {
        let files: Vec<PrintedFile> = self.files(parts).into_iter().collect::<Result<_, _>>()?;
        let pages: usize = files.iter().map(|(_, pages)| pages).sum();
        let header = self.write(&self.set(DocumentPart::Header, &[])?, false)?;
        let mut footers = Vec::new();
        for from in (1..=pages).step_by(FOOTER_PAGES) {
            let to = pages.min(from + FOOTER_PAGES - 1);
            footers.push(self.write(&self.set(DocumentPart::Footers { from, to, pages }, &[])?, false)?);
        }
        let merge = || {
            let mut files = files.into_iter().map(|(bytes, _)| bytes);
            let mut merged = Merged::begin(&files.next().unwrap_or_default())?;
            files.try_for_each(|file| merged.append(&file))?;
            merged.finish(&header, footers)
        };
        merge().map_err(|error: lopdf::Error| PdfError::Setting(error.to_string()))
    }

    /// Sets all parts, several files at a time.
    fn files(self, parts: Vec<Vec<Block>>) -> Vec<Result<PrintedFile, PdfError>> {
        let mut parts = parts.into_iter();
        let next =
            move || Some(parts.by_ref().take(FILE_PARTS).collect::<Vec<_>>()).filter(|file| !file.is_empty());
        let todo = Mutex::new(std::iter::from_fn(next).enumerate());
        let done = Mutex::new(BTreeMap::new());
        let work = || {
            loop {
                let next = todo.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((place, parts)) = next else { break };
                let file = self.file(place == 0, parts);
                done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, file);
            }
        };
        std::thread::scope(|scope| {
            let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
            for _ in 1..cores.min(FILES_AT_ONCE) {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                // Without a second thread, this one does it all.
                _ = thread.spawn_scoped(scope, work);
            }
            work();
        });
        done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn file(self, is_first: bool, parts: Vec<Vec<Block>>) -> Result<PrintedFile, PdfError> {
        let mut pages = EcoVec::new();
        let mut info = None;
        for (place, blocks) in parts.into_iter().enumerate() {
            let part = match (is_first, place) {
                (true, 0) => DocumentPart::First,
                (false, 0) => DocumentPart::FirstOfFile,
                _ => DocumentPart::Next,
            };
            let document = self.set(part, &blocks)?;
            info.get_or_insert_with(|| document.info().clone());
            pages.extend(document.pages().iter().cloned());
        }
        let count = pages.len();
        let document = PagedDocument::new(pages, info.unwrap_or_default());
        Ok((self.write(&document, false)?, count))
    }

    /// The pages of one part.
    fn set(self, part: DocumentPart, blocks: &[Block]) -> Result<PagedDocument, PdfError> {
        let data = serde_json::to_value(Sheet { paper: self.paper, part, blocks });
        let data = data.expect("a paper has only text keys");
        let data = Dict::deserialize(data).expect("plain data is data to the template, too");
        let library = Library::builder().with_inputs(data).build();
        let template = Source::detached(TEMPLATE);
        let desk = TypstWorld { library: LazyHash::new(library), template, fonts: self.fonts };
        let document = typst::compile::<PagedDocument>(&desk).output.map_err(trouble);
        // What was remembered for the next page would stay for as long as the process runs.
        typst::comemo::evict(0);
        document
    }

    fn write(self, document: &PagedDocument, tagged: bool) -> Result<Vec<u8>, PdfError> {
        let options = PdfOptions {
            ident: Smart::Custom(self.meeting.id.as_str().to_owned()),
            creator: Smart::Custom(Some("Quorate".to_owned())),
            timestamp: timestamp(self.meeting),
            tagged,
            ..PdfOptions::default()
        };
        typst_pdf::pdf(document, &options).map_err(trouble)
    }
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
