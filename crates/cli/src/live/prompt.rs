//! The line that a person types into while a meeting runs: editing, history, what is pasted.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tui_input::backend::crossterm::EventHandler;
use tui_input::{Input, InputRequest};
use unicode_width::UnicodeWidthChar;

/// The replacement of a line break in pasted text, so that the input stays one line.
const LINE_BREAK: char = '␤';

/// The longest line; a longer one was not typed by a person.
const LONGEST: usize = 100_000;

/// The effect of a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TypedLine {
    Nothing,
    /// The line looks otherwise now.
    Changed,
    Line(String),
    /// The beginning of a command is to be completed.
    Complete,
    Interrupt,
    Closed,
    ClearScreen,
    /// The terminal has another size.
    Resized,
}

/// The line, and those that were typed before.
#[derive(Debug, Default)]
pub(crate) struct Prompt {
    line: Input,
    history: Vec<String>,
    /// Which line of the history is shown; its length is the line that is new.
    at: usize,
    /// The unfinished line from before the history was opened.
    draft: String,
}

impl Prompt {
    /// Takes what the terminal reports.
    pub(super) fn take(&mut self, event: &Event) -> TypedLine {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, event),
            Event::Paste(text) => {
                for c in one_line(text).take(LONGEST.saturating_sub(self.line.value().len())) {
                    self.line.handle(InputRequest::InsertChar(c));
                }
                TypedLine::Changed
            }
            Event::Resize(..) => TypedLine::Resized,
            Event::Key(_) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) => TypedLine::Nothing,
        }
    }

    fn key(&mut self, key: KeyEvent, event: &Event) -> TypedLine {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter if key.modifiers.contains(KeyModifiers::ALT) => {
                self.line.handle(InputRequest::InsertChar(LINE_BREAK));
            }
            KeyCode::Enter => {
                let line = self.line.value_and_reset().replace(LINE_BREAK, "\n");
                if !line.trim().is_empty() && self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                }
                self.at = self.history.len();
                return TypedLine::Line(line);
            }
            KeyCode::Char('c') if control => return TypedLine::Interrupt,
            KeyCode::Char('l') if control => return TypedLine::ClearScreen,
            KeyCode::Char('d') if control && self.line.value().is_empty() => return TypedLine::Closed,
            KeyCode::Char('d') if control => _ = self.line.handle(InputRequest::DeleteNextChar),
            KeyCode::Char('b') if key.modifiers == KeyModifiers::ALT => {
                self.line.handle(InputRequest::GoToPrevWord);
            }
            KeyCode::Char('f') if key.modifiers == KeyModifiers::ALT => {
                self.line.handle(InputRequest::GoToNextWord);
            }
            KeyCode::Up => self.older(),
            KeyCode::Char('p') if control => self.older(),
            KeyCode::Down => self.newer(),
            KeyCode::Char('n') if control => self.newer(),
            KeyCode::Tab => return TypedLine::Complete,
            KeyCode::Esc => self.set(""),
            KeyCode::Char(_) if !control && self.line.value().len() >= LONGEST => return TypedLine::Nothing,
            _ => _ = self.line.handle_event(event),
        }
        TypedLine::Changed
    }

    fn older(&mut self) {
        if self.at == 0 {
            return;
        }
        if self.at == self.history.len() {
            self.draft = self.line.value().to_owned();
        }
        self.at -= 1;
        self.set(&self.history[self.at].clone());
    }

    fn newer(&mut self) {
        if self.at == self.history.len() {
            return;
        }
        self.at += 1;
        let line = self.history.get(self.at).unwrap_or(&self.draft).clone();
        self.set(&line);
    }

    /// The text of the line.
    pub(super) fn line(&self) -> &str {
        self.line.value()
    }

    /// The text with its line breaks, as it would be sent.
    pub(super) fn typed(&self) -> String {
        self.line.value().replace(LINE_BREAK, "\n")
    }

    /// Puts this on the line, the cursor behind it.
    pub(super) fn set(&mut self, text: &str) {
        self.line = Input::new(one_line(text).collect());
    }

    /// The visible part of the line in this many columns, and the column of the cursor.
    pub(super) fn in_sight(&self, columns: usize) -> (String, usize) {
        let chars: Vec<char> = self.line.value().chars().collect();
        let width = |c: &char| c.width().unwrap_or(0);
        let cursor = self.line.cursor().min(chars.len());
        let (mut start, mut before) = (cursor, 0);
        while start > 0 && before + width(&chars[start - 1]) < columns {
            start -= 1;
            before += width(&chars[start]);
        }
        let mut taken = 0;
        let fits = chars[start..].iter().take_while(|c| {
            taken += width(c);
            taken < columns.max(1)
        });
        (fits.collect(), before)
    }
}

/// On one line, and without what could command the terminal.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_end_matches('\n').to_owned();
    let kept = |c: char| match c {
        '\n' => Some(LINE_BREAK),
        '\t' => Some(' '),
        c if c.is_control() => None,
        c => Some(c),
    };
    text.chars().filter_map(kept).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, code: KeyCode) -> TypedLine {
        prompt.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn types(prompt: &mut Prompt, text: &str) {
        text.chars().for_each(|c| _ = press(prompt, KeyCode::Char(c)));
    }

    #[test]
    fn a_pasted_text_is_one_line_and_keeps_its_breaks() {
        let mut prompt = Prompt::default();
        assert_eq!(prompt.take(&Event::Paste("先看\u{1b}[2J数据\r\n再选\n".to_owned())), TypedLine::Changed);
        assert_eq!(prompt.in_sight(40), ("先看[2J数据␤再选".to_owned(), 16));
        assert_eq!(press(&mut prompt, KeyCode::Enter), TypedLine::Line("先看[2J数据\n再选".to_owned()));
    }

    #[test]
    fn what_was_typed_before_comes_back_and_so_does_the_draft() {
        let mut prompt = Prompt::default();
        for line in ["one", "two", "two"] {
            types(&mut prompt, line);
            press(&mut prompt, KeyCode::Enter);
        }
        types(&mut prompt, "dra");
        press(&mut prompt, KeyCode::Up);
        press(&mut prompt, KeyCode::Up);
        press(&mut prompt, KeyCode::Up);
        assert_eq!(prompt.line(), "one");
        press(&mut prompt, KeyCode::Down);
        press(&mut prompt, KeyCode::Down);
        assert_eq!(prompt.line(), "dra");
    }

    #[test]
    fn a_long_line_shows_what_is_around_the_cursor() {
        let mut prompt = Prompt::default();
        types(&mut prompt, "数据库选型abc");
        assert_eq!(prompt.in_sight(8), ("选型abc".to_owned(), 7));
        press(&mut prompt, KeyCode::Home);
        assert_eq!(prompt.in_sight(8), ("数据库".to_owned(), 0));
        press(&mut prompt, KeyCode::Backspace);
        press(&mut prompt, KeyCode::Delete);
        assert_eq!(prompt.line(), "据库选型abc");
    }
}
