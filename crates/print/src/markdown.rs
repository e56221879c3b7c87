//! Parsing of Markdown for PDF and page: by pulldown-cmark, with a limit on nesting.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::formulas::with_formulas;

/// A mark of our own within a text while its Markdown is read; it is never printed.
pub(crate) const MARK: char = '\u{fdd0}';

/// The parts of a text, each with its place in bytes.
pub(crate) fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    DepthLimit { events: Parser::new_ext(text, options).into_offset_iter(), kept: Vec::new() }
}

/// The largest depth of tags; deeper ones lose their frame and keep their text. Parsing, setting and dropping
/// recurse this deep on the stack, for any text.
const TAGS_MAX: usize = 24;

/// The events of a text without tags that are too deep.
struct DepthLimit<I> {
    events: I,
    /// For each open tag, whether it was kept.
    kept: Vec<bool>,
}

impl<'a, I: Iterator<Item = (Event<'a>, Range<usize>)>> Iterator for DepthLimit<I> {
    type Item = (Event<'a>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (event, place) = self.events.next()?;
            match event {
                Event::Start(tag) => {
                    let kept = match &tag {
                        // What has no look of its own without what encloses it.
                        Tag::Item | Tag::TableHead | Tag::TableRow | Tag::TableCell => {
                            self.kept.last().copied().unwrap_or(true)
                        }
                        Tag::BlockQuote(_) | Tag::List(_) => self.kept.len() < TAGS_MAX,
                        tag if is_inline(tag) => self.kept.len() < 2 * TAGS_MAX,
                        _ => true,
                    };
                    self.kept.push(kept);
                    if kept {
                        return Some((Event::Start(tag), place));
                    }
                }
                Event::End(tag) => {
                    if self.kept.pop().unwrap_or(true) {
                        return Some((Event::End(tag), place));
                    }
                }
                other => return Some((other, place)),
            }
        }
    }
}

/// Inserts a mark between asterisks and Chinese punctuation, and behind brackets before a colon. CommonMark
/// takes `**注意：**必须` for plain asterisks, because a punctuation mark stands before them and a letter after,
/// and a line `[m3]: yes` for the definition of a link, which would be invisible. Formulas come in spans of code
/// (`formulas::formula_of`).
pub(crate) fn marked(text: &str) -> String {
    let text = with_formulas(text);
    let mut marked = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().filter(|letter| *letter != MARK).peekable();
    while let Some(letter) = letters.next() {
        if letter == '*' && wide_punctuation(before) {
            marked.push(MARK);
        }
        marked.push(letter);
        if letter == '*' && letters.peek().is_some_and(|next| wide_punctuation(*next)) {
            marked.push(MARK);
        }
        if letter == ']' && letters.peek() == Some(&':') {
            marked.push(MARK);
        }
        before = letter;
    }
    marked
}

fn wide_punctuation(letter: char) -> bool {
    matches!(letter, '\u{3001}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
        || matches!(letter, '“' | '”' | '‘' | '’' | '—' | '…' | '·')
}

pub(crate) fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}
