//! How a meeting ends.

use serde::{Deserialize, Serialize};

use crate::ids::BallotId;

/// The kind of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BudgetKind {
    /// The number of input and output tokens.
    Tokens,
    /// Money, in millionths.
    Cost,
    /// Wall time, in milliseconds.
    WallTime,
}

/// The reason why a meeting ended without a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum AbortReason {
    /// The last round is over and no ballot has passed.
    RoundLimit,
    /// A budget was reached.
    Budget {
        /// The budget.
        budget: BudgetKind,
    },
    /// A person ended the meeting.
    User {
        /// The reason in the person's words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// No participant was left.
    NobodyLeft,
}

/// The outcome of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MeetingOutcome {
    /// A ballot passed.
    Accepted {
        /// The ballot.
        ballot: BallotId,
    },
    /// All rounds took place; there was no ballot.
    Completed,
    /// The meeting converged.
    Converged {
        /// The convergence test that was met.
        by: ConvergenceTest,
    },
    /// The meeting ended without a decision, with the best available conclusion.
    Aborted(AbortReason),
}

/// The test by which a meeting counts as converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceTest {
    /// The artifacts have been written and passed the gate.
    Artifacts,
    /// Few questions and disagreements are left.
    FewOpenPoints,
    /// No recommendation has changed for a number of rounds.
    StableRecommendation,
}
