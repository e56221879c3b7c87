//! Named presets of rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bounds::ROUNDS_MAX;
use super::{
    AnswerForm, ClosingRules, ContextRules, ContextScope, Convergence, DecisionRules, IntakeRules,
    IntakeTiming, LimitRules, RosterRules, Rules, SpeakingOrder, Style, TalkRules, TurnMode, TurnRules,
};
use crate::ids::{ArtifactKind, BadId};

/// A meeting format: a named preset that sets the defaults of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Blind first answers, rounds with cross-replies, ballots until one passes.
    Consensus,
    /// Rounds of discussion in the participants' order, with agenda and minutes.
    Discussion,
    /// Structured turns until the meeting converges, then artifacts through the gate.
    Decision,
    /// A room that polls its agents, or that a host leads, until a person ends it.
    Room,
    /// A team for the topic, ideas that build on each other, hidden marks.
    Brainstorm,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] =
        [Format::Consensus, Format::Discussion, Format::Decision, Format::Room, Format::Brainstorm];

    /// The default rules of the format.
    pub fn rules(self) -> Rules {
        match self {
            Self::Consensus => Rules::default(),
            Self::Discussion => Rules {
                talk: TalkRules { style: Some(Style::Formal), ..TalkRules::default() },
                closing: ClosingRules { artifacts: vec![ArtifactKind::Minutes], ..Default::default() },
                limits: LimitRules { max_rounds: 3, ..LimitRules::default() },
                ..in_turn()
            },
            Self::Decision => Rules {
                intake: IntakeRules { when: IntakeTiming::Start, ..Default::default() },
                turns: TurnRules {
                    answer: AnswerForm::Structured,
                    cross_reply_targets: 2,
                    ..in_turn().turns
                },
                context: ContextRules {
                    view: ContextScope::Layered,
                    private_memory: true,
                    ..ContextRules::default()
                },
                decision: DecisionRules {
                    min_rounds: 2,
                    convergence: Some(Convergence::default()),
                    ..in_turn().decision
                },
                closing: ClosingRules {
                    artifacts: vec![ArtifactKind::Adr, ArtifactKind::Tasks, ArtifactKind::Risks],
                    ..Default::default()
                },
                limits: LimitRules { max_rounds: 5, ..LimitRules::default() },
                ..Rules::default()
            },
            Self::Room => Rules {
                turns: TurnRules {
                    may_skip: true,
                    mention_ends_round: true,
                    timeout_skips: true,
                    show_skips: false,
                    ..in_turn().turns
                },
                context: ContextRules { view: ContextScope::SinceOwnWord, ..in_turn().context },
                limits: LimitRules {
                    max_rounds: ROUNDS_MAX,
                    rounds_alone: 12,
                    rounds_stale: 2,
                    ..LimitRules::default()
                },
                ..in_turn()
            },
            Self::Brainstorm => Rules {
                intake: IntakeRules { when: IntakeTiming::EachRound, ..Default::default() },
                turns: TurnRules { may_skip: true, ideas: true, ..in_turn().turns },
                context: ContextRules { view: ContextScope::Round, ..ContextRules::default() },
                roster: RosterRules {
                    assemble: true,
                    evaluate: true,
                    leave_below: 5,
                    newcomers: true,
                    ..RosterRules::default()
                },
                closing: ClosingRules { best_ideas: 3, ..Default::default() },
                limits: LimitRules { max_rounds: 4, ..LimitRules::default() },
                ..in_turn()
            },
        }
    }

    /// Its name in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Consensus => "consensus",
            Self::Discussion => "discussion",
            Self::Decision => "decision",
            Self::Room => "room",
            Self::Brainstorm => "brainstorm",
        }
    }
}

/// One participant after the other, all messages in context, no ballots.
fn in_turn() -> Rules {
    Rules {
        turns: TurnRules {
            mode: TurnMode::SerialTurn,
            order: SpeakingOrder::Sequential,
            blind_round: false,
            cross_reply_targets: 0,
            ..TurnRules::default()
        },
        context: ContextRules { rolling_summary: false, recent_messages: 0, ..ContextRules::default() },
        decision: DecisionRules { ballots: false, ..DecisionRules::default() },
        ..Rules::default()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        Self::ALL.into_iter().find(|format| format.as_str() == text).ok_or_else(|| BadId {
            text: text.to_owned(),
            kind: "a format",
            example: "consensus",
        })
    }
}
