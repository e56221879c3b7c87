//! What a meeting yields: texts that the rules write without a model, and the result with every
//! line traceable.

pub(crate) mod mechanical;
mod report;
mod words;

pub use report::{BallotRow, CostRow, DissentRow, Report, ShiftRow, VoteRow};
pub use words::{clause_text, failure_text, outcome_text, phase_text};
