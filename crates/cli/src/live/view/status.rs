//! The status line: who is thinking, who has voted; how a meeting opens, what it has cost.

use quorate_contract::TaskId;
use quorate_core::RunState;
use quorate_messages::text;

use super::{DIM, View};

impl View {
    /// Updates the status line: who is thinking, who has voted.
    pub(crate) fn tick(&mut self) {
        if !self.screen.paints() {
            return;
        }
        let status = match (&self.keys, &self.speaking) {
            (Some(_), _) if self.own_turn.is_some() && !self.is_to_pause() => self.turn_status(),
            (Some(_), _) => Some(self.status().unwrap_or_else(|| self.what_can_be_typed())),
            // Behind words that are being written there is no room for it.
            (None, Some(speaking)) if speaking.is_shown() => None,
            (None, _) => self.status(),
        };
        self.screen.set_status(status);
    }

    /// The hint about the input line.
    fn what_can_be_typed(&self) -> String {
        let text = match (self.meeting.is_over(), self.meeting.is_paused()) {
            (true, _) => "",
            // There is no meeting yet to which one could say something.
            _ if self.meeting.seq == 0 => "",
            (false, true) => text!(self.language(), "cli-status-paused-type-speak-resume-goes"),
            (false, false) if self.attends => text!(self.language(), "cli-status-type-speak-attends"),
            (false, false) => text!(self.language(), "cli-status-type-speak-pause-help-ctrl"),
        };
        text.to_owned()
    }

    /// Whether the meeting pauses after those who are asked.
    fn is_to_pause(&self) -> bool {
        matches!(self.meeting.run_state, RunState::PauseRequested { .. })
    }

    fn status(&self) -> Option<String> {
        let m = &self.meeting;
        if m.is_over() || m.calls.is_empty() {
            return None;
        }
        let waiting: Vec<String> = m.calls.keys().map(|task| self.who(*task)).collect();
        let seconds = self.quiet_since.elapsed().as_secs();
        if self.is_to_pause() {
            let names = waiting.join(text!(self.language(), "common-list-separator"));
            return Some(text!(self.language(), "cli-status-pausing-after-ctrl-c-again", %names, %seconds));
        }
        let what = match m.calls.keys().next()? {
            TaskId::Speak(_) if self.speaking.is_some() => text!(self.language(), "cli-status-speaking"),
            TaskId::Speak(_) => text!(self.language(), "cli-status-thinking"),
            TaskId::Vote(ballot, _) => {
                let cast = m.ballot(*ballot).map_or(0, |ballot| ballot.cast.len());
                return Some(text!(self.language(), "cli-status-voting", %cast, waiting, %seconds));
            }
            TaskId::Summarize(_) => text!(self.language(), "cli-status-summing-up"),
            TaskId::Facilitate(_) => text!(self.language(), "cli-status-looking-what-divides-table"),
            TaskId::Conclude => text!(self.language(), "cli-status-writing-conclusion"),
            TaskId::Intake(_) => text!(self.language(), "cli-status-looking-what-missing"),
            TaskId::Team(_) | TaskId::Invite(_) => text!(self.language(), "cli-status-putting-team-together"),
            TaskId::Evaluate(_) => text!(self.language(), "cli-status-evaluating"),
            TaskId::Minutes(_) => text!(self.language(), "cli-status-writing-minutes"),
            TaskId::Artifact(..) => text!(self.language(), "cli-status-writing-artifact"),
        };
        let thought = match self.thinking_chars {
            0 => String::new(),
            chars => text!(self.language(), "cli-status-characters-thought", chars),
        };
        let separator = text!(self.language(), "common-list-separator");
        Some(format!(
            "{} {what}{thought}  {seconds}{}",
            waiting.join(separator),
            text!(self.language(), "cli-status-s")
        ))
    }

    pub(super) fn opening(&mut self) {
        let m = &self.meeting;
        let seats: Vec<String> = m
            .present()
            .map(|seat| {
                let p = &seat.participant;
                format!(
                    "{} {DIM}{} · {}{DIM:#}",
                    self.name(p.id),
                    p.role.name,
                    p.runner.label_for(self.language())
                )
            })
            .collect();
        let facilitator = match &m.settings.facilitator {
            Some(facilitator) => facilitator.runner.label_for(self.language()),
            None => text!(self.language(), "cli-status-none").to_owned(),
        };
        let text = format!(
            "{DIM}{} {} · {} {} · {} {} · {} {facilitator}{DIM:#}{}{}",
            text!(self.language(), "cli-status-meeting"),
            m.id,
            text!(self.language(), "cli-status-format"),
            m.settings.format.label(self.language()).to_lowercase(),
            text!(self.language(), "cli-status-seed"),
            m.settings.seed,
            text!(self.language(), "cli-status-facilitator"),
            if seats.is_empty() { "" } else { "\n  " },
            seats.join("\n  "),
        );
        self.put(&text);
    }

    /// Shows the cost so far in one line.
    pub(super) fn cost(&mut self) {
        let spent = &self.meeting.spent;
        let about = if spent.usage.estimated { "≈" } else { "" };
        let cost = match spent.known_cost_micros() {
            Some(0) if self.meeting.is_simulated() => {
                text!(self.language(), "cli-status-free-simulated").to_owned()
            }
            Some(micros) => format!("{:.4}", micros as f64 / 1e6),
            None => text!(self.language(), "cli-status-cost-unknown-no-price").to_owned(),
        };
        let (calls, read, written) = (spent.calls, spent.usage.input_tokens, spent.usage.output_tokens);
        let cached = match spent.usage.cached_tokens {
            0 => String::new(),
            cached => text!(self.language(), "cli-status-cached", %cached),
        };
        let retries = match spent.retries {
            0 => String::new(),
            retries => text!(self.language(), "cli-status-sent-again", %retries),
        };
        let text = text!(self.language(), "cli-status-calls-tokens-out", calls, %about, %read, %cached, %written, %cost, %retries);
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }
}
