//! What a meeting yields: texts that the rules write without a model, and the result with every
//! line traceable.

mod artifact;
mod gate;
pub(crate) mod mechanical;
mod minutes;
mod report;
mod words;

pub use report::{BallotRow, CostRow, DissentRow, Report, ShiftRow, VoteRow};
pub(crate) use words::clause_name;
pub use words::{clause_text, failure_text, outcome_text, phase_text};

pub(crate) use artifact::read_artifact;
pub use minutes::MINUTES_MAX_CHARS;
pub(crate) use minutes::{edited, read_minutes};
