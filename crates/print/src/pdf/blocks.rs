//! Markdown as plain data for the page: what is text stays text, and nothing grows beyond the page.

use std::iter::Peekable;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};
use serde::Serialize;

use super::ink::Ink;
use crate::formulas::{formula_of, restored};
use crate::markdown::{MARK, events, is_inline, marked};

/// Lists and quotes deeper than this are flat.
const DEPTH_MAX: usize = 5;
/// A table with more columns is written as a list, a row at a time.
const COLUMNS_MAX: usize = 10;
/// The approximate number of Latin letters in one line of the page.
const PAGE_LETTERS: usize = 84;
/// A column that needs no more than this is as wide as it needs.
const NARROW: usize = 14;

/// A block of the text.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Block {
    Paragraph {
        line: Line,
    },
    /// A heading of the document; it is in the PDF's outline.
    Heading {
        level: u8,
        line: Line,
    },
    /// A heading within a participant's text.
    Title {
        line: Line,
    },
    Code {
        text: String,
        lang: Option<String>,
    },
    Quote {
        blocks: Vec<Block>,
    },
    List {
        start: Option<u64>,
        items: Vec<Item>,
    },
    Table {
        columns: Vec<Column>,
        head: Vec<Line>,
        rows: Vec<Vec<Line>>,
    },
    Rule,
    /// A message; `about` is its number and its time. References lead to its label.
    Said {
        label: Option<String>,
        name: String,
        about: String,
        blocks: Vec<Block>,
    },
    /// A remark of the record between messages.
    Note {
        label: Option<String>,
        blocks: Vec<Block>,
    },
    /// An attached file, to which citations lead.
    File {
        label: String,
        name: String,
        blocks: Vec<Block>,
    },
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Item {
    /// Whether it is a task, and done.
    task: Option<bool>,
    pub(super) blocks: Vec<Block>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Column {
    /// Whether its cells are aligned to the end of the column, as numbers are.
    end: bool,
    /// Its share of the width that is left; 0: it is as wide as it needs.
    share: usize,
}

pub(super) type Line = Vec<Span>;

/// A part of a line.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Span {
    Text {
        text: String,
    },
    Strong {
        line: Line,
    },
    Emphasis {
        line: Line,
    },
    Strike {
        line: Line,
    },
    Code {
        text: String,
    },
    Link {
        url: String,
        line: Line,
    },
    /// A link within the document.
    Reference {
        target: String,
        line: Line,
    },
    Break,
}

/// The origin of headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Headings {
    /// The document's; the first of these levels is 1.
    From(u8),
    /// A participant's text: headings stay within it.
    Kept,
}

/// The blocks of a text.
pub(super) fn blocks(text: &str, headings: Headings, ink: &mut Ink<'_>) -> Vec<Block> {
    let marked = marked(text);
    let events = events(&marked).map(|(event, _)| event);
    let mut reader = Reader { events: events.peekable(), headings, ink };
    reader.blocks(0)
}

struct Reader<'a, 'i, 'f, I: Iterator<Item = Event<'a>>> {
    events: Peekable<I>,
    headings: Headings,
    ink: &'i mut Ink<'f>,
}

impl<'a, I: Iterator<Item = Event<'a>>> Reader<'a, '_, '_, I> {
    /// All blocks up to the end of what encloses them, which is consumed.
    fn blocks(&mut self, depth: usize) -> Vec<Block> {
        let mut made = Vec::new();
        while let Some(event) = self.events.peek() {
            match event {
                Event::End(_) => {
                    self.events.next();
                    break;
                }
                Event::Start(tag) if !is_inline(tag) => {
                    let Some(Event::Start(tag)) = self.events.next() else { break };
                    self.block(tag, depth, &mut made);
                }
                Event::Rule => {
                    self.events.next();
                    made.push(Block::Rule);
                }
                _ => {
                    let line = self.line(0, false);
                    if !line.is_empty() {
                        made.push(Block::Paragraph { line });
                    }
                }
            }
        }
        made
    }

    fn block(&mut self, tag: Tag<'a>, depth: usize, made: &mut Vec<Block>) {
        match tag {
            Tag::Heading { level, .. } => {
                let line = self.line(0, true);
                made.push(match self.headings {
                    Headings::From(first) => {
                        Block::Heading { level: (level as u8 + 1).saturating_sub(first).clamp(1, 6), line }
                    }
                    Headings::Kept => Block::Title { line },
                });
            }
            Tag::CodeBlock(kind) => {
                let lang = match &kind {
                    CodeBlockKind::Fenced(lang) => lang.split([' ', ',']).next().map(str::to_owned),
                    CodeBlockKind::Indented => None,
                };
                let lang =
                    lang.filter(|lang| !lang.is_empty() && lang.chars().all(|c| c.is_ascii_alphanumeric()));
                let text = self.verbatim();
                made.push(Block::Code { text: self.ink.text(text.trim_end_matches('\n')), lang });
            }
            Tag::BlockQuote(_) => match self.blocks(depth + 1) {
                inner if depth < DEPTH_MAX => made.push(Block::Quote { blocks: inner }),
                inner => made.extend(inner),
            },
            Tag::List(start) => self.list(start, depth, made),
            Tag::Table(sides) => self.table(&sides, made),
            Tag::HtmlBlock => {
                let text = self.verbatim();
                let lines = text.trim_end().lines().map(|line| Span::Text { text: self.ink.text(line) });
                let mut line = Line::new();
                for span in lines {
                    line.extend((!line.is_empty()).then_some(Span::Break));
                    line.push(span);
                }
                made.push(Block::Paragraph { line });
            }
            Tag::Paragraph => {
                let line = self.line(0, true);
                if !line.is_empty() {
                    made.push(Block::Paragraph { line });
                }
            }
            // All other elements contain blocks.
            _ => made.extend(self.blocks(depth + 1)),
        }
    }

    fn list(&mut self, start: Option<u64>, depth: usize, made: &mut Vec<Block>) {
        let mut items = Vec::new();
        while let Some(Event::Start(Tag::Item)) = self.events.next() {
            let task = match self.events.peek() {
                Some(Event::TaskListMarker(done)) => Some(*done),
                _ => None,
            };
            if task.is_some() {
                self.events.next();
            }
            items.push(Item { task, blocks: self.blocks(depth + 1) });
        }
        match depth < DEPTH_MAX {
            true => made.push(Block::List { start, items }),
            false => made.extend(items.into_iter().flat_map(|item| item.blocks)),
        }
    }

    fn table(&mut self, sides: &[Alignment], made: &mut Vec<Block>) {
        let mut rows = Vec::new();
        while let Some(Event::Start(Tag::TableHead | Tag::TableRow)) = self.events.next() {
            let mut row = Vec::new();
            while let Some(Event::Start(Tag::TableCell)) = self.events.next() {
                row.push(self.line(0, true));
            }
            row.resize_with(sides.len(), Vec::new);
            rows.push(row);
        }
        let mut rows = rows.into_iter();
        let Some(head) = rows.next() else { return };
        let rows: Vec<Vec<Line>> = rows.collect();
        match head.len() > COLUMNS_MAX {
            true => made.push(by_rows(&head, rows)),
            false => made.push(Block::Table { columns: columns(sides, &head, &rows), head, rows }),
        }
    }

    /// The parts of a line; `closed`: up to the end of what encloses them, which is consumed.
    fn line(&mut self, depth: usize, closed: bool) -> Line {
        let mut line = Line::new();
        while let Some(event) = self.events.peek() {
            match event {
                Event::End(_) if closed => {
                    self.events.next();
                    break;
                }
                Event::End(_) | Event::Rule => break,
                Event::Start(tag) if !is_inline(tag) => break,
                _ => {}
            }
            let Some(event) = self.events.next() else { break };
            match event {
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    let text = self.ink.text(&restored(&text));
                    if !text.is_empty() {
                        line.push(Span::Text { text });
                    }
                }
                Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                    // A formula is its source, in the look of code.
                    let text = formula_of(&text).map_or(&*text, |formula| formula.source);
                    line.push(Span::Code { text: self.ink.text(text) });
                }
                Event::SoftBreak | Event::HardBreak => line.push(Span::Break),
                Event::Start(tag) => {
                    let inner = self.line(depth + 1, true);
                    match tag {
                        _ if depth > DEPTH_MAX => line.extend(inner),
                        Tag::Strong => line.push(Span::Strong { line: inner }),
                        Tag::Emphasis => line.push(Span::Emphasis { line: inner }),
                        Tag::Strikethrough => line.push(Span::Strike { line: inner }),
                        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                            self.link(&dest_url, inner, &mut line);
                        }
                        _ => line.extend(inner),
                    }
                }
                _ => {}
            }
        }
        line
    }

    /// A link is its words and its address, for paper cannot be clicked.
    fn link(&mut self, url: &str, inner: Line, line: &mut Line) {
        let url = &*restored(url);
        let known = ["https://", "http://"].iter().any(|scheme| url.starts_with(scheme)) && url.len() <= 2000;
        let shown = self.ink.text(url);
        let same = matches!(inner.as_slice(), [Span::Text { text }] if *text == shown);
        let address = Span::Text { text: if same { shown } else { format!(" ({shown})") } };
        if !same {
            line.extend(inner);
        }
        match known {
            true => line.push(Span::Link { url: url.replace(MARK, ""), line: vec![address] }),
            false => line.push(address),
        }
    }

    /// The text of a code block or a block of HTML.
    fn verbatim(&mut self) -> String {
        let mut text = String::new();
        for event in self.events.by_ref() {
            match event {
                Event::Text(part) | Event::Html(part) => text.push_str(&part),
                Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) => break,
                _ => {}
            }
        }
        restored(&text).into_owned()
    }
}

/// A wide table by rows: the cells of each row under each other, each with its heading.
fn by_rows(head: &[Line], rows: Vec<Vec<Line>>) -> Block {
    let cell = |(place, cell): (usize, Line)| {
        let mut line = vec![Span::Text { text: format!("{}: ", plain(&head[place])) }];
        line.extend(cell);
        Item { task: None, blocks: vec![Block::Paragraph { line }] }
    };
    let row = |row: Vec<Line>| {
        let items = row.into_iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(cell).collect();
        Item { task: None, blocks: vec![Block::List { start: None, items }] }
    };
    Block::List { start: Some(1), items: rows.into_iter().map(row).collect() }
}

/// Narrow columns are as wide as they need, as long as they leave room; the others share the rest.
fn columns(sides: &[Alignment], head: &[Line], rows: &[Vec<Line>]) -> Vec<Column> {
    let widest = |place: usize| {
        let cells = rows.iter().map(|row| &row[place]).chain([&head[place]]);
        cells.map(|cell| width(&plain(cell))).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(widest).collect();
    let narrow: usize = widths.iter().filter(|width| **width <= NARROW).map(|width| width + 3).sum();
    let room = narrow <= PAGE_LETTERS * 2 / 3;
    let share = |width: usize| if room && width <= NARROW { 0 } else { width.clamp(6, 60) };
    let column =
        |(side, width): (&Alignment, &usize)| Column { end: *side == Alignment::Right, share: share(*width) };
    sides.iter().zip(&widths).map(column).collect()
}

/// The width in Latin letters; a Chinese character is two wide.
fn width(text: &str) -> usize {
    text.chars().map(|letter| if letter >= '\u{1100}' { 2 } else { 1 }).sum()
}

fn plain(line: &[Span]) -> String {
    let mut text = String::new();
    for span in line {
        match span {
            Span::Text { text: part } | Span::Code { text: part } => text.push_str(part),
            Span::Strong { line }
            | Span::Emphasis { line }
            | Span::Strike { line }
            | Span::Link { line, .. }
            | Span::Reference { line, .. } => {
                text.push_str(&plain(line));
            }
            Span::Break => text.push(' '),
        }
    }
    text
}
