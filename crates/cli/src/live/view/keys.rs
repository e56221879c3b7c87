//! The line below the meeting that a person types into.

use crossterm::event::Event;

use super::screen::InputLine;
use super::{BOLD, DIM, View};
use crate::live::input::Input;
use crate::live::keyboard::Keyboard;
use crate::live::line::completions;
use crate::live::prompt::{Prompt, TypedLine};

const MARK: &str = "› ";
const MARK_WIDTH: usize = 2;

/// The input line and its terminal.
pub(super) struct Keys {
    prompt: Prompt,
    keyboard: Keyboard,
}

impl View {
    /// From now on a line is typed below the meeting, where there is a terminal for it.
    pub(crate) fn open_prompt(&mut self) -> bool {
        if self.screen.paints()
            && let Some(keyboard) = Keyboard::take()
        {
            self.keys = Some(Keys { prompt: Prompt::default(), keyboard });
            self.show_prompt();
            self.tick();
        }
        self.keys.is_some()
    }

    /// Takes what the terminal reports.
    pub(in crate::live) fn key(&mut self, event: &Event) -> Option<Input> {
        let keys = self.keys.as_mut()?;
        let typed = keys.prompt.take(event);
        let done = match typed {
            TypedLine::Nothing => return None,
            TypedLine::Changed => None,
            TypedLine::Line(line) => Some(Input::Line(line)),
            TypedLine::Interrupt => Some(Input::Interrupt),
            TypedLine::Closed => Some(Input::Closed),
            TypedLine::Complete => {
                self.complete();
                None
            }
            TypedLine::ClearScreen => {
                self.screen.clear();
                None
            }
            TypedLine::Resized => {
                self.screen.redraw();
                None
            }
        };
        self.show_prompt();
        done
    }

    /// Takes away the line that is being typed, and gives it; `None` where lines are not typed one by one.
    pub(in crate::live) fn take_typed(&mut self) -> Option<String> {
        let keys = self.keys.as_mut()?;
        let typed = keys.prompt.typed();
        keys.prompt.set("");
        self.show_prompt();
        Some(typed)
    }

    /// Keeps in sight what was typed.
    pub(in crate::live) fn echo(&mut self, line: &str) {
        if self.keys.is_some() {
            self.put(&format!("{DIM}{MARK}{line}{DIM:#}"));
        }
    }

    /// Redraws after the process was continued.
    #[cfg(unix)]
    pub(in crate::live) fn continued(&mut self) {
        if let Some(keys) = &self.keys {
            keys.keyboard.again();
            self.screen.draw_here();
        }
    }

    /// Completes a command, or the name behind it; several that fit are listed.
    fn complete(&mut self) {
        let Some(keys) = &self.keys else { return };
        let line = keys.prompt.line().to_owned();
        let found = completions(&line, &self.meeting);
        let common = found.iter().skip(1).fold(found.first().cloned().unwrap_or_default(), |common, next| {
            common.chars().zip(next.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
        });
        if found.len() > 1 && common.len() <= line.len() {
            let list = found.iter().filter_map(|one| one.split_whitespace().next_back());
            let list = list.collect::<Vec<_>>().join("  ");
            self.put(&format!("{DIM}{list}{DIM:#}"));
        } else if let Some(keys) = &mut self.keys
            && !found.is_empty()
        {
            keys.prompt.set(&common);
        }
    }

    fn show_prompt(&mut self) {
        let Some(keys) = &self.keys else { return };
        let (text, cursor) = keys.prompt.in_sight(self.screen.room().saturating_sub(MARK_WIDTH));
        let text = format!("{BOLD}{MARK}{BOLD:#}{text}");
        self.screen.set_input(Some(InputLine { text, cursor: cursor + MARK_WIDTH }));
    }
}
