//! A turn that waits for the answer of the person at this terminal.

use std::time::{Duration, Instant};

use quorate_contract::{Timestamp, clean};
use serde::Deserialize;
use serde_json::Value;

/// A turn, as the application and a server tell it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Turn {
    /// Names the question.
    pub(super) ticket: String,
    /// The name of the seat.
    pub(super) participant: String,
    /// Its role.
    #[serde(default)]
    pub(super) role: String,
    /// The kind of answer that is wanted, as `speak` or `vote`.
    pub(super) kind: String,
    /// The claims of others that are to be answered.
    #[serde(default)]
    pub(super) targets: Vec<Target>,
    /// The questions that the round is about.
    #[serde(default)]
    pub(super) focus: Vec<String>,
    /// The draft on the table.
    #[serde(default)]
    pub(super) draft: Option<String>,
    /// The schema of the answer; none for words.
    #[serde(default)]
    pub(super) answer_schema: Option<Value>,
    /// Whether it may be skipped.
    pub(super) can_skip: bool,
    /// What was wrong with the answer before.
    #[serde(default)]
    pub(super) problem: Option<String>,
    /// When it is over without an answer.
    deadline_at: Timestamp,
    /// When it is over, by the clock of this machine.
    #[serde(skip)]
    until: Option<Instant>,
    /// The turn as it came, for programs.
    #[serde(skip)]
    pub(super) whole: Value,
}

/// A claim that is to be answered.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Target {
    pub(super) claim: String,
    pub(super) owner: String,
    pub(super) text: String,
}

impl Turn {
    /// The turn in a value; `now` is the time of whoever offered it. `None` for what is no turn.
    pub(super) fn read(whole: Value, now: Timestamp) -> Option<Self> {
        let mut turn: Self = serde_json::from_value(whole.clone()).ok()?;
        let left = u64::try_from(turn.deadline_at.0.saturating_sub(now.0)).unwrap_or(0);
        // A deadline beyond any that there is would overflow the clock.
        turn.until = Instant::now().checked_add(Duration::from_millis(left));
        turn.whole = whole;
        Some(turn.without_controls())
    }

    /// Without what could command the terminal.
    fn without_controls(mut self) -> Self {
        let texts = [&mut self.participant, &mut self.role].into_iter();
        let texts = texts.chain(self.draft.as_mut()).chain(self.problem.as_mut()).chain(&mut self.focus);
        let targets = self.targets.iter_mut();
        let targets = targets.flat_map(|target| [&mut target.claim, &mut target.owner, &mut target.text]);
        texts.chain(targets).for_each(|text| *text = clean(text));
        self
    }

    /// Whether it is a vote.
    pub(super) fn is_vote(&self) -> bool {
        self.kind == "vote"
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()))
    }
}
