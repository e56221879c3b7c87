//! Named presets of rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ContextRules, DecisionRules, Rules, SpeakingOrder, TurnRules};
use crate::ids::BadId;

/// A named preset of [`Rules`]. It says where the knobs stand at first, and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Rounds of talk in the participants' order, to a round limit (requirement 000).
    Discussion,
    /// Blind first answers, rounds with cross-replies, ballots until one passes (requirement 003).
    Consensus,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 2] = [Format::Consensus, Format::Discussion];

    /// Where the knobs stand at first.
    pub fn rules(self) -> Rules {
        match self {
            Self::Consensus => Rules::default(),
            Self::Discussion => Rules {
                turns: TurnRules {
                    mode: super::TurnMode::SerialTurn,
                    order: SpeakingOrder::Sequential,
                    blind_round: false,
                    cross_reply_targets: 0,
                    ..TurnRules::default()
                },
                context: ContextRules {
                    rolling_summary: false,
                    recent_messages: 0,
                    ..ContextRules::default()
                },
                decision: DecisionRules { ballots: false, ..DecisionRules::default() },
                limits: super::Limits { max_rounds: 3, ..super::Limits::default() },
            },
        }
    }

    /// Its name in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Discussion => "discussion",
            Self::Consensus => "consensus",
        }
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
