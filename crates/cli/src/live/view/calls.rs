//! Events of calls in flight: retries, repeated attempts, and fallbacks.

use quorate_contract::{Action, ActionPermission, ActionStatus, FailureAction, Phrase, RunnerSpec, TaskId};
use quorate_messages::text;

use super::{BOLD, DIM, View};
use crate::live::lists;

impl View {
    /// Shows a retry: the `request`-th request failed.
    pub(super) fn retried(&mut self, task: TaskId, request: u32, detail: &Phrase, wait_ms: u64) {
        let (who, next) = (self.who(task), request.saturating_add(1));
        let when = match wait_ms {
            0 => text!(self.language(), "cli-calls-asks-again-at-once").to_owned(),
            ms => {
                let seconds = seconds(ms);
                text!(self.language(), "cli-calls-asks-again-s", %seconds)
            }
        };
        let what = &*detail.in_language(self.language());
        let text = text!(self.language(), "cli-calls-fails", %who, what, %when, %next);
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }

    /// Shows what a coding agent has read or run, and what it asks for.
    pub(super) fn acted(&mut self, task: TaskId, action: &Action) {
        let (who, language) = (self.who(task), self.language());
        let what = action.told(language);
        let by = action.by.as_ref().map_or("", |by| by.name.as_str());
        match (action.permission, action.status) {
            (ActionPermission::Asked, ActionStatus::Pending) => {
                let asked = lists::questions_of_agents(&self.meeting);
                let is_it =
                    |(of, _, one): &(TaskId, u32, &Action)| *of == task && one.number == action.number;
                let number = asked.iter().position(is_it).map_or(1, |place| place + 1);
                let text = text!(language, "cli-calls-agent-asks", %who, %what, %number);
                self.put(&format!("{BOLD}{text}{BOLD:#}"));
            }
            (ActionPermission::Allowed, ActionStatus::Pending) => {
                let text = text!(language, "cli-calls-agent-allowed", %by, %who, %what);
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            (ActionPermission::Refused, ActionStatus::Pending) if by.is_empty() => {
                let text = text!(language, "cli-calls-agent-unanswered", %who, %what);
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            (ActionPermission::Refused, ActionStatus::Pending) => {
                let text = text!(language, "cli-calls-agent-refused", %by, %who, %what);
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            (_, status) => {
                let mark = match status {
                    ActionStatus::Completed => "✓",
                    ActionStatus::Failed => "✗",
                    ActionStatus::Pending | ActionStatus::Running => "…",
                };
                self.put(&format!("{DIM}{mark} {who} · {what}{DIM:#}"));
            }
        }
    }

    /// Shows that the fallback model answers.
    pub(super) fn falls_back(&mut self, task: TaskId, fallback: &str) {
        let who = self.who(task);
        let text = match self.model_of(task) {
            Some(own) => {
                text!(self.language(), "cli-calls-does-not-answer-answers-instead", %who, %own, %fallback)
            }
            None => text!(self.language(), "cli-calls-answers-instead", %who, %fallback),
        };
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }

    /// A call is over and its task is tried once more. That another model is asked is said when it is.
    pub(super) fn tried_again(&mut self, task: TaskId, how: FailureAction) {
        let what = match how {
            FailureAction::Again => text!(self.language(), "cli-calls-asked-once-more-nobody-knows"),
            FailureAction::Shorter => {
                text!(self.language(), "cli-calls-asked-once-more-shorter-context")
            }
            // The wait is shown on its own.
            FailureAction::Fallback | FailureAction::Wait => return,
        };
        let text = format!("↻ {}{}{what}", self.who(task), text!(self.language(), "common-colon"));
        self.put(&format!("{DIM}{text}{DIM:#}"));
    }

    /// The first model of a task.
    fn model_of(&self, task: TaskId) -> Option<String> {
        let m = &self.meeting;
        let id = match task {
            TaskId::Speak(turn) => m.turn(turn).map(|turn| turn.participant),
            TaskId::Vote(_, voter) => Some(voter),
            TaskId::Minutes(version) => m.minutes_requests.get(&version).and_then(|request| request.writer),
            _ => None,
        };
        let runner = match id {
            Some(id) => m.seat(id).map(|seat| &seat.participant.runner),
            None => m.settings.facilitator.as_ref().map(|facilitator| &facilitator.runner),
        };
        runner.map(RunnerSpec::label)
    }
}

/// Seconds: whole ones from ten on, tenths below.
fn seconds(ms: u64) -> String {
    match ms {
        0..10_000 => format!("{:.1}", ms.max(100) as f64 / 1000.0).trim_end_matches(".0").to_owned(),
        _ => ms.div_ceil(1000).to_string(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_wait_is_told_as_people_would() {
        let told: Vec<String> = [40, 500, 2000, 20_000, 20_400].map(super::seconds).to_vec();
        assert_eq!(told, ["0.1", "0.5", "2", "20", "21"]);
    }
}
