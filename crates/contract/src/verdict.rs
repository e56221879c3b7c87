//! What a ballot came to, clause by clause.

use serde::{Deserialize, Serialize};

/// What a clause looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClauseKind {
    /// Votes that were cast.
    Quorum,
    /// The average score.
    MeanScore,
    /// The share of votes that pass.
    PassRatio,
    /// The lowest score.
    MinScore,
}

/// One clause of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Clause {
    /// What it looks at.
    pub clause: ClauseKind,
    /// What it needed: votes, points, or a share of 1.
    pub needed: f64,
    /// What it got; `None` when there was no vote to look at.
    pub got: Option<f64>,
    /// Whether it holds.
    pub met: bool,
}

/// What a ballot came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Whether every clause holds.
    pub passed: bool,
    /// Each clause that was set; the quorum always.
    pub clauses: Vec<Clause>,
    /// How many voted.
    pub votes: u32,
    /// How many did not.
    pub abstentions: u32,
}
