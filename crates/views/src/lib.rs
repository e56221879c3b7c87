//! Pure read models of a meeting's log: who sees what, the report, the health of a deliberation, what other rules
//! would have made of it, and the folders of other programs.

pub mod folder_layouts;

mod calls;
mod compare;
mod diagnostics;
mod guest_markdown;
mod health;
mod meeting;
mod phase;
mod public_text;
mod report;
mod room_events;
mod visibility;
mod whatif;
mod work;

pub use calls::CallTotals;
pub use compare::{MinutesChange, MinutesSection, compare_minutes};
pub use diagnostics::{DiagnosticEvent, DiagnosticFault, DiagnosticReport, DiagnosticVersions};
pub use guest_markdown::quoted;
pub use health::{
    BallotAgreement, CitedClaims, DeliberationHealth, Dissent, Finding, HealthGrade, HealthVerdict,
    Independence, LowScore, Measure, ModelFamily, OpenObjection, Participation, PositionFlip, RoundAgreement,
    RoundValue, SeatParticipation, UnansweredClaims, UnsharedClaim, UnsharedClaims,
};
pub use meeting::{
    BallotView, Budget, BudgetUse, CostBudgetUse, DamageView, FaultView, FloorView, MeetingStep, MeetingView,
    MessageView, ParticipantView, PauseView, RoundLogPosition, latest_artifacts, with_speaker_name,
};
pub use phase::{fork_text, phase_text};
pub use public_text::PublicText;
pub use quorate_core::actor_name;
pub use report::{
    Report, ReportArtifact, ReportBallot, ReportBestIdea, ReportCitation, ReportCost, ReportDisagreement,
    ReportDissent, ReportEvaluation, ReportFailedParticipant, ReportFailure, ReportFile, ReportIdea,
    ReportIncompleteness, ReportMark, ReportMinutes, ReportMissingInformation, ReportPositionChange,
    ReportPositionHistory, ReportSide, ReportSuspicion, ReportVote, SharedAction, SharedArtifact,
    SharedBallot, SharedDisagreement, SharedDissent, SharedMissingInformation, SharedResult, SharedSide,
    SharedVote,
};
pub use room_events::Room;
pub use visibility::{Moment, Viewer, Visibility};
pub use whatif::{
    BallotReview, BallotStanding, CannotRejudge, PivotalParticipant, Sensitivity, SingleChangeEffect,
    ThresholdRange, WhatIf, WhatIfChange, WhatIfCourse, WhatIfReport, WhatIfSavings, what_if,
};
pub use work::{Work, WorkEntry, work};
