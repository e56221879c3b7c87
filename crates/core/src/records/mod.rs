//! What a meeting yields: texts that the rules write without a model, and the result with every
//! line traceable.

mod artifact;
mod calls;
mod compare;
mod gate;
pub(crate) mod mechanical;
mod minutes;
mod report;
mod shape;
mod words;

pub use artifact::{
    Adr, AdrOption, AdrStatus, ArtifactContent, ArtifactLine, Level, Page, RiskItem, RiskList, TaskItem,
    TaskList, artifact_schema,
};
pub use calls::Calls;
pub use compare::{MinutesChange, MinutesSection, compare_minutes};
pub use report::{
    ArtifactRow, BallotRow, CostRow, DissentRow, FailedSeatRow, FailureRow, IdeaRow, IncompleteRow, MarkRow,
    MarksRow, MinutesRow, MissingRow, MoveRow, PickRow, Report, ReportDisagreement, ReportSide, ShiftRow,
    VoteRow,
};
pub(crate) use words::{ballot_name, clause_name, figures, percent};
pub use words::{clause_text, failure_advice, failure_text, outcome_text, phase_text};

pub(crate) use artifact::read_artifact;
pub use minutes::MINUTES_MAX_CHARS;
pub(crate) use minutes::{edited, read_minutes};
