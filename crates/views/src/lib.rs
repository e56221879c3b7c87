//! Pure read models of a meeting's log: who sees what, the report, the health of a deliberation, what other rules
//! would have made of it, and the folders of other programs.

pub mod layout;

mod calls;
mod compare;
mod health;
mod phase;
mod public_text;
mod report;
mod visibility;
mod whatif;

pub use calls::Calls;
pub use compare::{MinutesChange, MinutesSection, compare_minutes};
pub use health::{
    BallotAgreement, Dissent, Family, Finding, Flip, Health, HealthStanding, HealthVerdict, Independence,
    Loose, LooseClaim, LowScore, Measure, OpenObjection, Participation, RoundAgreement, RoundValue,
    SeatParticipation, Unanswered,
};
pub use phase::{fork_text, phase_text};
pub use public_text::PublicText;
pub use report::{
    ArtifactRow, BallotRow, CostRow, DissentRow, FailedSeatRow, FailureRow, IdeaRow, IncompleteRow, MarkRow,
    MarksRow, MinutesRow, MissingRow, MoveRow, PickRow, Report, ReportDisagreement, ReportSide, ShiftRow,
    VoteRow,
};
pub use visibility::{Moment, Reader, Visibility};
pub use whatif::{
    Alone, BallotReview, CannotRejudge, Change, Course, Pivot, Saved, Sensitivity, Standing, Threshold,
    WhatIf, WhatIfReport, what_if,
};
