//! Votes and abstentions.

use serde::{Deserialize, Serialize};

/// One participant's vote on a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vote {
    /// The score, 0-100.
    pub score: u8,
    /// Whether the meeting may end with this draft.
    pub pass: bool,
    /// The reason, at most 300 characters.
    pub reason: String,
    /// The information, experiments or evidence that are still missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// From this score on a vote lets the draft pass, by the scale that voters are given.
pub const SCORE_PASSES_FROM: u8 = 80;

/// Below this score a vote does not let the draft pass. Between the two it is the voter's choice.
pub const SCORE_FAILS_BELOW: u8 = 70;

impl Vote {
    /// Whether score and pass contradict each other: 6 points with a pass, or 94 without. Such a vote counts
    /// as it was cast, and views mark it.
    pub fn contradicts_itself(&self) -> bool {
        match self.pass {
            true => self.score < SCORE_FAILS_BELOW,
            false => self.score >= SCORE_PASSES_FROM,
        }
    }
}

/// The reason why a participant did not vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AbstentionKind {
    /// The participant abstained.
    Chosen,
    /// Its vote could not be read, twice.
    Malformed,
    /// The vote failed.
    Failed,
}
