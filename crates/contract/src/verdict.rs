//! The result of a ballot, clause by clause.

use serde::{Deserialize, Serialize};

/// The measure of a clause.
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

impl ClauseKind {
    /// All of them, in the order in which a verdict lists them.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;
}

/// One clause of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClauseResult {
    /// The measure.
    pub clause: ClauseKind,
    /// The required value: a number of votes, points, or a share from 0 to 1.
    pub needed: f64,
    /// The actual value; `null` when there was no vote.
    pub got: Option<f64>,
    /// Whether the clause is met.
    pub met: bool,
}

/// The result of a ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Whether all clauses are met.
    pub passed: bool,
    /// The result of each clause that is set, and always of the quorum.
    pub clauses: Vec<ClauseResult>,
    /// The number of votes.
    pub votes: u32,
    /// The number of abstentions.
    pub abstentions: u32,
}
