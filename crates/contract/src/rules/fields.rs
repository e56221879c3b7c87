//! Every field of the rules, in one table: what kind of value it takes, within which bounds, and in which unit.
//!
//! Validation, the interface (`GET /api/v1/formats`), the page's editor, the command line and the documentation read it
//! here. The texts of a field stand in the catalogue under its path ([`RuleField::label`]).

use serde::Serialize;
use serde_json::Value;

use super::bounds::{PARTICIPANTS_MAX, ROUNDS_MAX};
use super::variants::variants;
use super::{
    AnswerForm, BudgetAction, ContextScope, FloorMode, Format, IntakeTiming, Rules, SimulatedPace,
    SpeakingLength, SpeakingOrder, SteeringRule, Style, TurnMode,
};
use crate::ids::ArtifactKind;

/// A field of the rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleField {
    /// Its path: `turns.timeout_ms`.
    pub path: &'static str,
    /// The values that it takes.
    pub kind: RuleKind,
    /// Whether the rule can be switched off, with `null`.
    pub optional: bool,
}

/// The values that a field of the rules takes.
#[derive(Debug, Clone, Copy)]
pub enum RuleKind {
    /// Yes or no.
    Switch,
    /// One of these names.
    Choice(Names),
    /// A whole number.
    Number(RuleNumber),
    /// A share, from 0 to 1.
    Share(RuleShare),
    /// Some of these names, in order.
    List(Names),
    /// One of these names for each participant, by its name.
    PerParticipant(Names),
    /// Further fields, which stand after it with its path in front of theirs.
    Group,
}

/// The names that a field takes, as they are written in JSON.
pub type Names = fn() -> &'static [&'static str];

/// A whole number of the rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleNumber {
    /// The least.
    pub min: u64,
    /// The most.
    pub max: u64,
    /// The path of a number that it must not pass either.
    pub at_most: Option<&'static str>,
    /// What it counts.
    pub unit: RuleUnit,
    /// The value to begin with where the rule is off by default.
    pub initial: Option<u64>,
    /// Reads it.
    pub read: fn(&Rules) -> Option<u64>,
}

/// A share among the rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleShare {
    /// The value to begin with where the rule is off by default.
    pub initial: Option<f64>,
    /// Reads it.
    pub read: fn(&Rules) -> Option<f64>,
}

/// What a number of the rules counts, as people are told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::VariantArray)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleUnit {
    /// Points of a score or a mark.
    Points,
    /// Rounds.
    Rounds,
    /// Turns.
    Turns,
    /// Participants.
    Participants,
    /// Seconds; the rule holds milliseconds.
    Seconds,
    /// Minutes; the rule holds milliseconds.
    Minutes,
    /// Characters.
    Characters,
    /// Tokens.
    Tokens,
    /// The currency; the rule holds millionths of it.
    Money,
    /// Questions.
    Questions,
    /// Messages.
    Messages,
    /// Quotes.
    Quotes,
    /// Ideas.
    Ideas,
    /// Claims.
    Claims,
    /// Disagreements.
    Disagreements,
    /// Calls.
    Calls,
}

impl RuleUnit {
    /// How much of the stored value is one of the unit.
    pub fn scale(self) -> u64 {
        match self {
            Self::Seconds => 1000,
            Self::Minutes => 60_000,
            Self::Money => 1_000_000,
            Self::Points
            | Self::Rounds
            | Self::Turns
            | Self::Participants
            | Self::Characters
            | Self::Tokens
            | Self::Questions
            | Self::Messages
            | Self::Quotes
            | Self::Ideas
            | Self::Claims
            | Self::Disagreements
            | Self::Calls => 1,
        }
    }
}

/// The largest budget: no meeting comes near it, and every reader of JSON keeps it.
const BUDGET_MAX: u64 = 1_000_000_000_000;
const DAY_MS: u64 = 24 * 3_600_000;
const SEATS_MAX: u64 = PARTICIPANTS_MAX as u64;
const ROUNDS: u64 = ROUNDS_MAX as u64;

const fn switch(path: &'static str) -> RuleField {
    RuleField { path, kind: RuleKind::Switch, optional: false }
}

const fn choice(path: &'static str, names: Names) -> RuleField {
    RuleField { path, kind: RuleKind::Choice(names), optional: false }
}

const fn number(
    path: &'static str,
    (min, max): (u64, u64),
    unit: RuleUnit,
    read: fn(&Rules) -> Option<u64>,
) -> RuleField {
    let number = RuleNumber { min, max, at_most: None, unit, initial: None, read };
    RuleField { path, kind: RuleKind::Number(number), optional: false }
}

const fn share(path: &'static str, read: fn(&Rules) -> Option<f64>) -> RuleField {
    RuleField { path, kind: RuleKind::Share(RuleShare { initial: None, read }), optional: false }
}

impl RuleField {
    const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// A number that can be off, and begins with this.
    const fn with_initial(self, initial: u64) -> Self {
        let RuleKind::Number(number) = self.kind else { return self };
        let kind = RuleKind::Number(RuleNumber { initial: Some(initial), ..number });
        Self { kind, ..self.optional() }
    }

    /// A share that can be off, and begins with this.
    const fn with_initial_share(self, initial: f64) -> Self {
        let RuleKind::Share(share) = self.kind else { return self };
        let kind = RuleKind::Share(RuleShare { initial: Some(initial), ..share });
        Self { kind, ..self.optional() }
    }

    /// A number that must not pass the one at this path either.
    const fn at_most(self, path: &'static str) -> Self {
        let RuleKind::Number(number) = self.kind else { return self };
        Self { kind: RuleKind::Number(RuleNumber { at_most: Some(path), ..number }), ..self }
    }
}

/// Every field of the rules, group by group, in the order in which people are shown them.
pub const RULE_FIELDS: &[RuleField] = &[
    choice("intake.when", variants::<IntakeTiming>),
    number("intake.max_questions", (0, 10), RuleUnit::Questions, |r| Some(r.intake.max_questions.into())),
    choice("turns.floor", variants::<FloorMode>),
    choice("turns.mode", variants::<TurnMode>),
    number("turns.parallel_from", (1, 1000), RuleUnit::Participants, |r| Some(r.turns.parallel_from.into())),
    choice("turns.order", variants::<SpeakingOrder>),
    choice("turns.answer", variants::<AnswerForm>),
    switch("turns.blind_round"),
    number("turns.cross_reply_targets", (0, 3), RuleUnit::Claims, |r| {
        Some(r.turns.cross_reply_targets.into())
    }),
    switch("turns.may_skip"),
    switch("turns.show_skips"),
    number("turns.extra_turns", (0, 10), RuleUnit::Turns, |r| Some(r.turns.extra_turns.into())),
    switch("turns.mention_ends_round"),
    switch("turns.people_may_speak"),
    switch("turns.ideas"),
    choice("turns.pace", variants::<SimulatedPace>).optional(),
    number("turns.timeout_ms", (1, DAY_MS), RuleUnit::Seconds, |r| Some(r.turns.timeout_ms)),
    switch("turns.timeout_skips"),
    number("turns.max_message_chars", (50, 100_000), RuleUnit::Characters, |r| {
        Some(r.turns.max_message_chars.into())
    }),
    choice("talk.style", variants::<Style>).optional(),
    RuleField {
        path: "talk.lengths",
        kind: RuleKind::PerParticipant(variants::<SpeakingLength>),
        optional: false,
    },
    choice("context.view", variants::<ContextScope>),
    number("context.quotes", (0, 40), RuleUnit::Quotes, |r| Some(r.context.quotes.into())),
    switch("context.private_memory"),
    switch("context.rolling_summary"),
    number("context.summary_max_chars", (100, 10_000), RuleUnit::Characters, |r| {
        Some(r.context.summary_max_chars.into())
    }),
    number("context.recent_messages", (0, 10_000), RuleUnit::Messages, |r| {
        Some(r.context.recent_messages.into())
    }),
    switch("decision.ballots"),
    number("decision.mean_score", (0, 100), RuleUnit::Points, |r| r.decision.mean_score.map(u64::from))
        .with_initial(80),
    share("decision.pass_ratio", |r| r.decision.pass_ratio).with_initial_share(0.75),
    number("decision.min_score", (0, 100), RuleUnit::Points, |r| r.decision.min_score.map(u64::from))
        .with_initial(60),
    share("decision.quorum", |r| Some(r.decision.quorum)),
    number("decision.min_rounds", (0, ROUNDS), RuleUnit::Rounds, |r| Some(r.decision.min_rounds.into()))
        .at_most("limits.max_rounds"),
    choice("decision.on_steering", variants::<SteeringRule>),
    RuleField { path: "decision.convergence", kind: RuleKind::Group, optional: true },
    number("decision.convergence.max_open_questions", (0, 1000), RuleUnit::Questions, |r| {
        r.decision.convergence.map(|it| it.max_open_questions.into())
    }),
    number("decision.convergence.max_disagreements", (0, 1000), RuleUnit::Disagreements, |r| {
        r.decision.convergence.map(|it| it.max_disagreements.into())
    }),
    number("decision.convergence.stable_rounds", (2, 20), RuleUnit::Rounds, |r| {
        r.decision.convergence.map(|it| it.stable_rounds.into())
    }),
    switch("roster.assemble"),
    number("roster.team_size", (1, SEATS_MAX), RuleUnit::Participants, |r| Some(r.roster.team_size.into())),
    switch("roster.approve"),
    switch("roster.evaluate"),
    number("roster.leave_below", (0, 10), RuleUnit::Points, |r| Some(r.roster.leave_below.into())),
    switch("roster.newcomers"),
    number("roster.min_team", (1, SEATS_MAX), RuleUnit::Participants, |r| Some(r.roster.min_team.into())),
    RuleField { path: "closing.artifacts", kind: RuleKind::List(variants::<ArtifactKind>), optional: false },
    number("closing.best_ideas", (0, 20), RuleUnit::Ideas, |r| Some(r.closing.best_ideas.into())),
    number("limits.max_rounds", (1, ROUNDS), RuleUnit::Rounds, |r| Some(r.limits.max_rounds.into())),
    number("limits.tokens", (1, BUDGET_MAX), RuleUnit::Tokens, |r| r.limits.tokens).with_initial(200_000),
    number("limits.cost_micros", (1, BUDGET_MAX), RuleUnit::Money, |r| r.limits.cost_micros)
        .with_initial(500_000),
    number("limits.wall_ms", (1, BUDGET_MAX), RuleUnit::Minutes, |r| r.limits.wall_ms)
        .with_initial(1_800_000),
    choice("limits.when_reached", variants::<BudgetAction>),
    number("limits.answer_tokens", (16, 1_000_000), RuleUnit::Tokens, |r| {
        Some(r.limits.answer_tokens.into())
    }),
    number("limits.rounds_alone", (0, ROUNDS), RuleUnit::Rounds, |r| Some(r.limits.rounds_alone.into())),
    number("limits.rounds_stale", (0, ROUNDS), RuleUnit::Rounds, |r| Some(r.limits.rounds_stale.into())),
    number("limits.provider_wait_ms", (0, DAY_MS), RuleUnit::Minutes, |r| Some(r.limits.provider_wait_ms)),
    number("limits.tool_calls", (0, 1000), RuleUnit::Calls, |r| Some(r.limits.tool_calls.into())),
    number("limits.tool_calls_per_turn", (0, 50), RuleUnit::Calls, |r| {
        Some(r.limits.tool_calls_per_turn.into())
    }),
    number("limits.tool_timeout_ms", (1000, 600_000), RuleUnit::Seconds, |r| Some(r.limits.tool_timeout_ms)),
];

impl RuleField {
    /// The field at a path.
    pub fn at(path: &str) -> Option<&'static Self> {
        RULE_FIELDS.iter().find(|field| field.path == path)
    }

    /// The group that it belongs to: the first part of its path.
    pub fn group(&self) -> &'static str {
        self.path.split_once('.').map_or(self.path, |(group, _)| group)
    }

    /// The names among which one chooses, when there are any.
    pub fn choices(&self) -> &'static [&'static str] {
        match self.kind {
            RuleKind::Choice(names) | RuleKind::List(names) | RuleKind::PerParticipant(names) => names(),
            RuleKind::Switch | RuleKind::Number(_) | RuleKind::Share(_) | RuleKind::Group => &[],
        }
    }

    /// The value that it has in these rules; null where it is off.
    pub fn value(&self, rules: &Rules) -> Value {
        let all = serde_json::to_value(rules).unwrap_or_default();
        self.path.split('.').fold(&all, |at, name| &at[name]).clone()
    }

    /// The number that it is, with its bounds, when it is one.
    pub fn number(&self) -> Option<&RuleNumber> {
        match &self.kind {
            RuleKind::Number(number) => Some(number),
            RuleKind::Switch
            | RuleKind::Choice(_)
            | RuleKind::Share(_)
            | RuleKind::List(_)
            | RuleKind::PerParticipant(_)
            | RuleKind::Group => None,
        }
    }

    /// The value to begin with when the rule is switched on, where it has no other.
    pub fn initial(&self) -> Option<Value> {
        match self.kind {
            RuleKind::Number(number) => number.initial.map(Value::from),
            RuleKind::Share(share) => share.initial.map(Value::from),
            RuleKind::Group => {
                let with = Format::ALL.into_iter().map(|format| self.value(&format.rules()));
                with.into_iter().find(|value| !value.is_null())
            }
            RuleKind::Switch | RuleKind::Choice(_) | RuleKind::List(_) | RuleKind::PerParticipant(_) => None,
        }
    }
}

/// The groups of the rules, in order.
pub fn rule_groups() -> Vec<&'static str> {
    let mut groups: Vec<_> = RULE_FIELDS.iter().map(RuleField::group).collect();
    groups.dedup();
    groups
}
