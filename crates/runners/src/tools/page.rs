//! A result while it is written: whole lines, as many as there is room for.

use quorate_contract::{ToolOutcome, ToolSource};

/// The longest line of a file that a search or a folder shows, in characters.
pub(super) const LINE_MAX_CHARS: usize = 400;
/// What is left of a result for the line that says that it is cut.
const NOTE_CHARS: usize = 120;

/// A result of one of our own tools.
pub(super) struct Page {
    text: String,
    chars: usize,
    room: usize,
    is_full: bool,
    sources: Vec<ToolSource>,
}

impl Page {
    pub(super) fn new(max_chars: u32) -> Self {
        let room = (max_chars as usize).saturating_sub(NOTE_CHARS);
        Self { text: String::new(), chars: 0, room, is_full: false, sources: Vec::new() }
    }

    /// A result under a head that is known when its lines are, and is at most as long as this one.
    pub(super) fn under(max_chars: u32, head: &str) -> Self {
        let mut page = Self::new(max_chars);
        page.room = page.room.saturating_sub(head.chars().count() + 1);
        page
    }

    /// How many characters a line may still have.
    pub(super) fn room(&self) -> usize {
        self.room.saturating_sub(self.chars + 2)
    }

    /// A result of one line.
    pub(super) fn saying(line: &str, truncated: bool) -> ToolOutcome {
        ToolOutcome::Returned { text: line.to_owned(), truncated, sources: Vec::new() }
    }

    /// Appends a line; whether there was room for it.
    pub(super) fn put(&mut self, line: &str) -> bool {
        let length = line.chars().count() + 1;
        if self.is_full || self.chars + length > self.room {
            self.is_full = true;
            return false;
        }
        self.chars += length;
        self.text.push_str(line);
        self.text.push('\n');
        true
    }

    /// Notes that a line of a file is shown.
    pub(super) fn shows(&mut self, path: &str, line: u32) {
        match self.sources.last_mut() {
            Some(last) if last.path == path && last.last + 1 == line => last.last = line,
            _ => self.sources.push(ToolSource::lines(path, line, line)),
        }
    }

    /// The result of a page that was begun [under](Self::under) a head.
    pub(super) fn end_under(mut self, head: &str, truncated: bool) -> ToolOutcome {
        self.text.insert_str(0, &format!("{head}\n"));
        self.end(truncated)
    }

    pub(super) fn end(self, truncated: bool) -> ToolOutcome {
        let text = self.text.trim_end_matches('\n').to_owned();
        ToolOutcome::Returned { text, truncated: truncated || self.is_full, sources: self.sources }
    }
}

/// A line of at most so many characters.
pub(super) fn bounded(line: &str, max_chars: usize) -> String {
    match line.char_indices().nth(max_chars) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}
