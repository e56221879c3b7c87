//! The turn of the person at this terminal: what it asks, in the transcript, the status line and the title of the window.

use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use quorate_messages::text;

use super::{DIM, View};

impl View {
    /// Shows what a turn asks, below a headline that cannot be overlooked.
    pub(in crate::live) fn turn(&mut self, headline: &str, asked: &str) {
        let style = AnsiColor::Green.on_default().bold();
        self.put(&format!("\n{style}▸▸ {headline}{style:#}\n{asked}"));
    }

    /// Shows lines as they are.
    pub(in crate::live) fn put_plain(&mut self, text: &str) {
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }

    /// The turn that is open, with the time that is left; none when it is over.
    pub(in crate::live) fn set_turn(&mut self, turn: Option<(String, Duration)>) {
        let (was, is) = (self.own_turn.is_some(), turn.is_some());
        self.own_turn = turn.map(|(what, left)| (what, Instant::now().checked_add(left)));
        match (was, is) {
            (false, true) => {
                let title = self.own_turn.as_ref().map_or("", |(what, _)| what).to_owned();
                self.screen.call(&format!("{title} · {}", self.meeting.title()));
            }
            (true, false) => self.screen.call_no_more(),
            (true, true) | (false, false) => {}
        }
        self.tick();
    }

    /// The turn in the status line.
    pub(super) fn turn_status(&self) -> Option<String> {
        let (what, until) = self.own_turn.as_ref()?;
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.map(|left| match left.as_secs() {
            seconds @ 0..120 => text!(self.language(), "cli-seat-seconds-left", %seconds),
            seconds => {
                let minutes = seconds.div_ceil(60);
                text!(self.language(), "cli-seat-minutes-left", %minutes)
            }
        });
        Some(match left {
            Some(left) => format!("▸ {what} · {left}"),
            None => format!("▸ {what}"),
        })
    }
}
