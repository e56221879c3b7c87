//! A PDF: A4 pages with the result and all that was said. Typst sets them, by a fixed template that
//! is handed plain data; it has no file system, no network and no clock.

mod blocks;
mod cited_files;
mod entries;
mod fonts;
mod ink;
mod merge;
mod references;
mod world;

use blocks::{Block, Headings, Line, Span, blocks};
use fonts::Chinese;
use quorate_contract::Evidence;
use quorate_core::Meeting;
use quorate_messages::{Language, Message, message, text};
use quorate_views::Report;
use serde::Serialize;

use crate::record::{RecordPart, in_order};
use crate::{Options, report};
pub use fonts::{FontError, Fonts};
use ink::Ink;

/// The reason why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// The meeting contains Chinese characters, and no font has them.
    #[error("{}", self.problem().text(Language::En))]
    NoChineseFont,
    /// The template does not fit the data; that is a fault of Quorate itself.
    #[error("{}", self.problem().text(Language::En))]
    Setting(String),
}

impl PdfError {
    /// What to do about it.
    pub fn hint(&self) -> Message {
        match self {
            Self::NoChineseFont => message!("print-no-chinese-font-hint"),
            Self::Setting(_) => message!("print-not-set-hint"),
        }
    }

    /// What is wrong.
    pub fn problem(&self) -> Message {
        match self {
            Self::NoChineseFont => message!("print-no-chinese-font"),
            Self::Setting(error) => message!("print-not-set", error),
        }
    }
}

/// What the template is given for all parts alike.
#[derive(Serialize)]
struct Paper {
    topic: String,
    /// The short topic in the header of each page.
    short: String,
    maker: &'static str,
    lang: &'static str,
    region: Option<&'static str>,
    fonts: Vec<Family>,
    mono: Vec<Family>,
    /// Whether bold letters have to be synthesized.
    faux: bool,
    facts: Vec<(String, String)>,
}

/// Which part of the document is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum DocumentPart {
    /// The whole document.
    Whole,
    /// The beginning, without headers and footers.
    First,
    /// A next part, with which a file begins.
    FirstOfFile,
    /// A next part of the same file.
    Next,
    /// A page with the header of all pages but the first, and nothing else.
    Header,
    /// Pages with the footers from one number to another, of so many, and nothing else.
    Footers { from: usize, to: usize, pages: usize },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Family {
    All(String),
    Some { name: String, covers: &'static str },
}

/// The PDF of a meeting.
///
/// # Errors
/// When the meeting contains Chinese characters and no font has them.
pub fn pdf(meeting: &Meeting, options: &Options, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
    let result = report(meeting, options);
    let body = crate::body(&result, options);
    let said: String = meeting.said.iter().map(|said| said.text(meeting.language())).collect();
    let names: String = meeting.seats.iter().map(|seat| seat.participant.name.as_str()).collect();
    let done: String = options.record.iter().map(|entry| entries::letters(&entry.content)).collect();
    let texts = meeting.files.iter().filter_map(|record| record.file.text.as_ref());
    let texts: String = texts.map(|text| text.excerpt.as_str()).collect();
    let evidence = meeting.said.iter().flat_map(|said| &said.evidence);
    let titles: String = evidence.filter_map(|one| one.title.as_deref()).collect();
    let chinese =
        fonts.chinese(&[result.title.as_str(), &body, &said, &names, &done, &texts, &titles].concat());
    let (families, mono, faux) = match chinese {
        Chinese::Missing => return Err(PdfError::NoChineseFont),
        Chinese::NotNeeded => {
            (vec![Family::All(fonts::LATIN.to_owned())], vec![Family::All(fonts::MONO.to_owned())], false)
        }
        Chinese::Family { name, has_bold } => {
            // Quotation marks and dashes are as wide as Chinese ones in a Chinese meeting.
            let latin = match result.language {
                quorate_contract::Language::Zh => {
                    Family::Some { name: fonts::LATIN.to_owned(), covers: "latin-in-cjk" }
                }
                quorate_contract::Language::En => Family::All(fonts::LATIN.to_owned()),
            };
            let mono = vec![Family::All(fonts::MONO.to_owned()), Family::All(name.clone())];
            (vec![latin, Family::All(name)], mono, !has_bold)
        }
    };
    let mut ink = Ink::new(|letter| fonts.has(letter));
    let mut parts = body_parts(meeting, &result, &body, options, &mut ink);
    let short = one_line(&result.title);
    let paper = Paper {
        topic: ink.text(&result.title),
        short: ink.text(&short),
        maker: text!(result.language, "print-pdf-quorate"),
        lang: result.language.tag(),
        region: result.language.pick(Some("CN"), None),
        fonts: families,
        mono,
        faux,
        facts: facts(meeting, &result, options, &mut ink),
    };
    if let (Some(note), Some(last)) = (missing_note(&result, &ink), parts.last_mut()) {
        last.push(Block::Rule);
        last.extend(self::blocks::blocks(&note, Headings::Kept, &mut ink));
    }
    world::print(&paper, parts, fonts, meeting)
}

/// The smallest size of a part in bytes of messages; the next part begins with a new round. A part is in
/// memory as a whole, many times its size.
const PART_BYTES: usize = 120_000;
/// A round that is as long as this is divided between two messages.
const PART_BYTES_MAX: usize = 2 * PART_BYTES;

/// The result, and all that was said, in parts of which each begins a page. Each message is read by itself, so that
/// none can swallow the next.
fn body_parts(
    meeting: &Meeting,
    result: &Report,
    body: &str,
    options: &Options,
    ink: &mut Ink<'_>,
) -> Vec<Vec<Block>> {
    // The first line of the report is the topic, which has a place of its own.
    let body = body.trim_start().split_once('\n').map_or("", |(_, rest)| rest);
    let mut made = blocks(body, Headings::From(2), ink);
    let language = result.language;
    let heading = |made: &mut Vec<Block>, level, text: String| {
        let line = vec![blocks::Span::Text { text }];
        made.push(Block::Heading { level, line });
    };
    heading(&mut made, 1, text!(language, "print-pdf-record").to_owned());
    let (mut parts, mut bytes) = (Vec::new(), body.len());
    for part in in_order(meeting, &options.record) {
        let begins_section = matches!(part, RecordPart::Section(_));
        if bytes >= PART_BYTES_MAX || (begins_section && bytes >= PART_BYTES) {
            parts.push(std::mem::take(&mut made));
            bytes = 0;
        }
        match part {
            RecordPart::Section(section) => heading(&mut made, 2, section.title(language)),
            RecordPart::Entry(entry) => bytes += entries::put(&mut made, &entry.content, language, ink),
            RecordPart::Said(said) => {
                bytes += said.content.len();
                let mut content = blocks(&said.text(language), Headings::Kept, ink);
                if !said.evidence.is_empty() {
                    content.push(Block::Paragraph { line: evidence(&said.evidence, language, ink) });
                }
                made.push(Block::Said {
                    label: Some(said.id.to_string()),
                    name: ink.text(said.speaker_name(language)),
                    about: format!("{} · {}", said.id, options.times.tell(said.at)),
                    blocks: content,
                });
            }
        }
    }
    cited_files::append(&mut made, meeting, ink);
    // A link leads to a place of the same part.
    if parts.is_empty() {
        references::link(&mut made, meeting);
    }
    parts.push(made);
    parts
}

/// What was cited of results: lines, or pages of the web with their addresses, which are links.
fn evidence(all: &[Evidence], language: Language, ink: &mut Ink<'_>) -> Line {
    let mut line: Line = Vec::new();
    let head = text!(language, "print-transcript-evidence", cited = "\u{0}");
    let (before, after) = head.split_once('\u{0}').unwrap_or((&head, ""));
    line.push(Span::Text { text: ink.text(before) });
    for (place, one) in all.iter().enumerate() {
        if place > 0 {
            line.push(Span::Text { text: text!(language, "common-list-separator").to_owned() });
        }
        match one.address() {
            Some(address) => {
                if let Some(title) = &one.title {
                    line.push(Span::Text { text: format!("{} ", ink.text(title)) });
                }
                let shown = vec![Span::Text { text: ink.text(address) }];
                line.push(Span::Link { url: address.to_owned(), line: shown });
            }
            None => line.push(Span::Text { text: ink.text(&one.to_string()) }),
        }
        line.push(Span::Text { text: format!(" ({})", one.call) });
    }
    line.push(Span::Text { text: ink.text(after) });
    line
}

/// A title that fits into the header of a page: one line, cut where it is longer.
fn one_line(title: &str) -> String {
    const WIDEST: usize = 96;
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut width = 0;
    let cut = title.char_indices().find(|(_, character)| {
        width += if character.is_ascii() { 1 } else { 2 };
        width > WIDEST
    });
    cut.map_or_else(|| title.clone(), |(at, _)| format!("{}…", title[..at].trim_end()))
}

/// The lines below the topic: time, participants, outcome.
fn facts(meeting: &Meeting, result: &Report, options: &Options, ink: &mut Ink<'_>) -> Vec<(String, String)> {
    let outcome = (text!(result.language, "print-pdf-outcome"), result.headline.clone());
    let rows = crate::facts(meeting, result, options).into_iter().chain([outcome]);
    let filled = rows.filter(|(_, what)| !what.is_empty());
    filled.map(|(name, what)| (name.to_owned(), ink.text(&what))).collect()
}

/// The note about characters that are printed as numbers, if there are any.
fn missing_note(result: &Report, ink: &Ink<'_>) -> Option<String> {
    let count = ink.missing.len();
    (count > 0).then(|| text!(result.language, "print-pdf-characters-such-as-emoji-no", %count))
}
