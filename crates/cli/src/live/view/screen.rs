//! The terminal screen: finished lines, and below them the part that changes: the row that is being written,
//! the status, the input line. Only the lower part is erased and drawn again.
//!
//! The terminal is never queried: the position of the cursor is known from what was drawn.

use std::io::{IsTerminal, Write};

use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthStr;

use super::fill::{rows, wrapped};
use super::width::{cut_to_width, terminal_width};

/// The longest title of the window, in characters.
const TITLE_MAX: usize = 120;

/// The output.
enum OutputKind {
    /// Lines on stderr, nothing is painted over.
    Plain,
    /// Lines on stdout: they are a result.
    Results,
    /// A terminal on stderr.
    Terminal { colours: bool },
    #[cfg(test)]
    Test { bytes: Vec<u8>, width: usize },
}

/// The visible part of the input line, and the column of the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputLine {
    pub(super) text: String,
    pub(super) cursor: usize,
}

/// The change above the lower part.
enum UpperChange<'a> {
    Nothing,
    /// Complete lines.
    Lines(&'a str),
    /// More of the row that is being written.
    Words(&'a str),
}

/// A terminal, or plain lines where there is none.
pub(super) struct Screen {
    out: OutputKind,
    /// The text so far of the unfinished row.
    open: Option<String>,
    status: Option<String>,
    input: Option<InputLine>,
    /// The width of each drawn row of the lower part, and the column of the cursor.
    drawn: Vec<usize>,
    cursor: (usize, usize),
    /// The width of the terminal at that time.
    width: usize,
}

impl Screen {
    /// Stderr: a terminal where it is one that can be painted on.
    pub(super) fn new() -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let out = match std::io::stderr().is_terminal() && !dumb {
            true => {
                let choice = anstream::AutoStream::choice(&std::io::stderr());
                OutputKind::Terminal { colours: choice != anstream::ColorChoice::Never }
            }
            false => OutputKind::Plain,
        };
        Self::on(out)
    }

    /// Stdout, for lines that are a result.
    pub(super) fn results() -> Self {
        Self::on(OutputKind::Results)
    }

    fn on(out: OutputKind) -> Self {
        let (drawn, cursor, width) = (Vec::new(), (0, 0), 0);
        Self { out, open: None, status: None, input: None, drawn, cursor, width }
    }

    /// Whether the output supports drawing.
    pub(super) fn paints(&self) -> bool {
        !matches!(self.out, OutputKind::Plain | OutputKind::Results)
    }

    /// Prints complete lines. A row that is being written ends before them.
    pub(super) fn lines(&mut self, text: &str) {
        match self.out {
            OutputKind::Plain => anstream::eprintln!("{text}"),
            // A closed pipe is no error.
            OutputKind::Results if std::io::stdout().is_terminal() => {
                let rows: Vec<String> =
                    text.split('\n').flat_map(|line| wrapped(line, self.room())).collect();
                _ = writeln!(anstream::stdout(), "{}", rows.join("\n"));
            }
            OutputKind::Results => _ = writeln!(anstream::stdout(), "{text}"),
            _ => self.paint(&UpperChange::Lines(text)),
        }
    }

    /// Writes on, in rows as wide as the terminal.
    pub(super) fn words(&mut self, text: &str) {
        match self.out {
            OutputKind::Plain => anstream::eprint!("{text}"),
            OutputKind::Results => _ = write!(anstream::stdout(), "{text}"),
            _ => self.paint(&UpperChange::Words(text)),
        }
    }

    /// Ends the row that is being written.
    pub(super) fn end_words(&mut self) {
        if self.open.is_some() {
            self.words("\n");
            self.open = None;
            self.paint(&UpperChange::Nothing);
        }
    }

    /// Shows another status, or none.
    pub(super) fn set_status(&mut self, status: Option<String>) {
        if self.paints() && self.status != status {
            self.status = status;
            self.paint(&UpperChange::Nothing);
        }
    }

    /// Shows another input line, or none.
    pub(super) fn set_input(&mut self, input: Option<InputLine>) {
        if self.paints() && self.input != input {
            self.input = input;
            self.paint(&UpperChange::Nothing);
        }
    }

    /// Calls whoever is at the terminal: the bell, and a title of the window, where it is one.
    pub(super) fn call(&mut self, title: &str) {
        if let OutputKind::Terminal { .. } = self.out {
            let title: String = title.chars().filter(|c| !c.is_control()).take(TITLE_MAX).collect();
            // The title that was there before is kept by the terminal.
            self.write(&format!("\x07\x1b[22;2t\x1b]2;{title}\x07"));
        }
    }

    /// The title of the window is what it was before the call.
    pub(super) fn call_no_more(&mut self) {
        if let OutputKind::Terminal { .. } = self.out {
            self.write("\x1b[23;2t");
        }
    }

    /// Draws the lower part again, after the terminal has another size.
    pub(super) fn redraw(&mut self) {
        if self.paints() {
            self.paint(&UpperChange::Nothing);
        }
    }

    /// Draws the lower part where the cursor is: something else has written to the terminal.
    pub(super) fn draw_here(&mut self) {
        (self.drawn, self.cursor) = (Vec::new(), (0, 0));
        self.redraw();
    }

    /// Clears the terminal, and draws the lower part at its top.
    pub(super) fn clear(&mut self) {
        if self.paints() {
            self.write("\x1b[2J\x1b[H");
            self.draw_here();
        }
    }

    /// Takes the lower part away; what is printed next is a line of its own.
    pub(super) fn finish(&mut self) {
        (self.status, self.input) = (None, None);
        if self.open.is_some() {
            self.end_words();
        } else if !self.drawn.is_empty() {
            self.paint(&UpperChange::Nothing);
        }
    }

    /// The usable width of a row. The last column is left free: terminals differ in wrapping after it.
    pub(super) fn room(&self) -> usize {
        self.columns().saturating_sub(1).max(2)
    }

    fn columns(&self) -> usize {
        match &self.out {
            #[cfg(test)]
            OutputKind::Test { width, .. } => *width,
            OutputKind::Results => terminal_size::terminal_size_of(std::io::stdout())
                .map_or(80, |(width, _)| usize::from(width.0)),
            OutputKind::Plain | OutputKind::Terminal { .. } => terminal_width(),
        }
    }

    /// Appends to the open row, if no other output stands below it and it has room. Returns whether that was
    /// possible.
    fn append(&mut self, text: &str) -> bool {
        let (Some(open), None, None) = (&self.open, &self.status, &self.input) else { return false };
        let width = open.width() + text.width();
        let fits = self.width == self.columns() && width < self.width && !text.contains(['\n', '\t']);
        if !fits || self.drawn != [open.width()] || self.cursor != (0, open.width()) {
            return false;
        }
        self.write(text);
        self.open.get_or_insert_default().push_str(text);
        (self.drawn, self.cursor) = (vec![width], (0, width));
        true
    }

    fn paint(&mut self, above: &UpperChange<'_>) {
        if let UpperChange::Words(text) = above
            && self.append(text)
        {
            return;
        }
        // Shown at once, without a cursor that jumps about.
        let mut bytes = String::from("\x1b[?2026h\x1b[?25l");
        let columns = self.columns().max(1);
        let room = columns.saturating_sub(1).max(2);
        // Rows that were wider than the terminal is now have been broken by it.
        let breaks = |width: usize| width.saturating_sub(1) / columns;
        let before: usize = self.drawn.iter().take(self.cursor.0).map(|width| breaks(*width) + 1).sum();
        up(&mut bytes, before + self.cursor.1 / columns);
        bytes.push('\r');
        // The printed part of the open row stays where it is.
        let mut kept = match &self.open {
            Some(open) if columns == self.width && !self.drawn.is_empty() => open.len(),
            Some(_) | None => 0,
        };
        let mut lines = Vec::new();
        match above {
            UpperChange::Nothing => {}
            UpperChange::Lines(text) => {
                lines.extend(self.open.take());
                lines.extend(text.split('\n').flat_map(|line| wrapped(line, room)));
            }
            UpperChange::Words(text) => {
                let open = self.open.get_or_insert_default();
                open.push_str(&text.replace('\t', "    "));
            }
        }
        if let Some(open) = &self.open {
            let mut filled = rows(open, room);
            let last = filled.pop().unwrap_or_default();
            kept = kept.min(filled.first().map_or(last.end, |row| open[row.clone()].trim_end().len()));
            lines.extend(filled.into_iter().map(|row| open[row].trim_end().to_owned()));
            self.open = Some(open[last].to_owned());
        }
        let mut current = self.open.clone();
        let first = match lines.first_mut() {
            Some(first) => Some(first),
            None => current.as_mut(),
        };
        if let Some(first) = first {
            kept = (0..=kept.min(first.len())).rev().find(|at| first.is_char_boundary(*at)).unwrap_or(0);
            right(&mut bytes, first[..kept].width());
            first.drain(..kept);
        }
        bytes.push_str("\x1b[J");
        for line in lines {
            bytes.push_str(&line);
            bytes.push_str("\r\n");
        }
        self.drawn.clear();
        self.cursor = (0, 0);
        let status = self.status.as_ref().map(|status| cut_to_width(status, room));
        let below = [
            current.map(|rest| (rest, self.open.as_deref().unwrap_or_default().width())),
            status.map(|status| (format!("\x1b[2m{status}\x1b[0m"), status.width())),
            self.input.as_ref().map(|input| (input.text.clone(), strip_str(&input.text).to_string().width())),
        ];
        for (text, width) in below.into_iter().flatten() {
            if !self.drawn.is_empty() {
                bytes.push_str("\r\n");
            }
            bytes.push_str(&text);
            self.drawn.push(width);
            self.cursor = (self.drawn.len() - 1, width);
        }
        if let Some(input) = &self.input {
            bytes.push('\r');
            right(&mut bytes, input.cursor);
            self.cursor.1 = input.cursor;
        }
        bytes.push_str("\x1b[?25h\x1b[?2026l");
        self.width = columns;
        self.write(&bytes);
    }

    fn write(&mut self, text: &str) {
        match &mut self.out {
            OutputKind::Plain | OutputKind::Results => {}
            OutputKind::Terminal { colours } => {
                let text = if *colours { text.to_owned() } else { without_colours(text) };
                let mut err = std::io::stderr().lock();
                _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
            }
            #[cfg(test)]
            OutputKind::Test { bytes, .. } => bytes.extend(text.as_bytes()),
        }
    }
}

fn up(bytes: &mut String, rows: usize) {
    if rows > 0 {
        bytes.push_str(&format!("\x1b[{rows}A"));
    }
}

fn right(bytes: &mut String, columns: usize) {
    if columns > 0 {
        bytes.push_str(&format!("\x1b[{columns}C"));
    }
}

/// The text without what sets colours and weights; what moves the cursor stays.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        let (before, sequence) = rest.split_at(at);
        plain.push_str(before);
        let end =
            sequence[2..].find(|c: char| ('@'..='~').contains(&c)).map_or(sequence.len(), |end| end + 3);
        if !sequence[..end].ends_with('m') {
            plain.push_str(&sequence[..end]);
        }
        rest = &sequence[end..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Terminal {
        screen: Screen,
        parser: vt100::Parser,
    }

    impl Terminal {
        fn new(rows: u16, columns: u16) -> Self {
            let out = OutputKind::Test { bytes: Vec::new(), width: usize::from(columns) };
            let size = |number| std::num::NonZero::new(number).expect("a size");
            Self { screen: Screen::on(out), parser: vt100::Parser::new(size(rows), size(columns), 100) }
        }

        /// Everything that can be read, without empty rows at its end.
        fn shown(&mut self) -> Vec<String> {
            if let OutputKind::Test { bytes, .. } = &mut self.screen.out {
                self.parser.process(&std::mem::take(bytes));
            }
            let screen = self.parser.screen();
            let mut rows: Vec<String> =
                screen.rows(0, screen.size().1.get()).map(|row| row.trim_end().to_owned()).collect();
            while rows.last().is_some_and(String::is_empty) {
                rows.pop();
            }
            rows
        }

        fn input(&mut self, text: &str) {
            let cursor = text.width();
            self.screen.set_input(Some(InputLine { text: text.to_owned(), cursor }));
        }
    }

    #[test]
    fn words_come_above_the_input_line_and_what_is_typed_stays() {
        let mut terminal = Terminal::new(8, 20);
        terminal.input("> ");
        terminal.screen.lines("Ada");
        for piece in ["one ", "two thr", "ee four fi", "ve"] {
            terminal.screen.words(piece);
        }
        terminal.input("> 你好");
        assert_eq!(terminal.shown(), ["Ada", "one two three four", "five", "> 你好"]);
        assert_eq!(terminal.parser.screen().cursor_position(), (3, 6));
        terminal.screen.words(" six");
        terminal.screen.set_status(Some("Ada speaks".to_owned()));
        assert_eq!(terminal.shown(), ["Ada", "one two three four", "five six", "Ada speaks", "> 你好"]);
        terminal.screen.end_words();
        terminal.screen.lines("Ben");
        assert_eq!(
            terminal.shown(),
            ["Ada", "one two three four", "five six", "Ben", "Ada speaks", "> 你好"]
        );
        terminal.screen.finish();
        assert_eq!(terminal.shown(), ["Ada", "one two three four", "five six", "Ben"]);
        assert_eq!(terminal.parser.screen().cursor_position(), (4, 0));
    }

    #[test]
    fn a_line_in_the_middle_of_a_row_ends_it_and_nothing_is_printed_twice() {
        let mut terminal = Terminal::new(8, 30);
        terminal.input("> ");
        terminal.screen.words("数据库先");
        terminal.screen.lines("note");
        terminal.screen.words("看数据");
        assert_eq!(terminal.shown(), ["数据库先", "note", "看数据", ">"]);
    }

    #[test]
    fn rows_scroll_away_at_the_bottom_and_the_lower_part_stays() {
        let mut terminal = Terminal::new(4, 12);
        terminal.input("> x");
        for number in 0..9 {
            terminal.screen.words(&format!("word{number} "));
        }
        assert_eq!(terminal.shown(), ["word4 word5", "word6 word7", "word8", "> x"]);
    }

    #[test]
    fn without_an_input_line_the_cursor_waits_behind_the_words() {
        let mut terminal = Terminal::new(6, 30);
        terminal.screen.set_status(Some("thinking 1s".to_owned()));
        terminal.screen.set_status(Some("thinking 2s".to_owned()));
        terminal.screen.lines("Ada");
        terminal.screen.set_status(None);
        terminal.screen.words("one");
        assert_eq!(terminal.shown(), ["Ada", "one"]);
        terminal.screen.end_words();
        terminal.screen.lines("Ben");
        assert_eq!(terminal.shown(), ["Ada", "one", "Ben"]);
    }

    #[test]
    fn lines_are_broken_between_words() {
        let mut terminal = Terminal::new(6, 16);
        terminal.input("> ");
        terminal.screen.lines("▸ one two three four\n数据库选型，先看数据");
        assert_eq!(terminal.shown(), ["▸ one two three", "  four", "数据库选型，先", "看数据", ">"]);
    }

    #[test]
    fn colours_can_be_left_out_without_losing_the_place() {
        assert_eq!(without_colours("\x1b[1mA\x1b[0m\x1b[2A\r\x1b[?25l"), "A\x1b[2A\r\x1b[?25l");
    }
}
