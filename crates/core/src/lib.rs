//! The pure core of Quorate: a meeting is an append-only log of events; everything else is a
//! function of it.
//!
//! Five functions carry the product. [`decide`] turns a command into events or a refusal; [`apply`]
//! folds a event into the meeting; [`pending`] says what the outside now owes; [`context`] is what
//! somebody reads before answering; [`interpret`] says what an answer, or its absence, means.
//!
//! There is no clock, no dice, no I/O and no `async` here. Time comes in as an argument, and
//! the seed for every random order lies in the first event.

pub mod chain;
pub mod layout;

mod agreement;
mod command;
mod commands;
mod context;
mod event;
mod flow;
mod health;
mod ids;
mod interpret;
mod meeting;
mod mention;
mod names;
mod participant;
mod records;
mod refusal;
mod rules;
mod task;
mod tasks;
mod text;
mod transaction;
mod whatif;
mod withheld;
mod wording;

pub use agreement::{Agreement, AgreementBasis, SeatAgreement, SeatSide};
pub use command::*;
pub use commands::{decide, last_fork_point};
pub use context::context;
pub use event::*;
pub use health::{
    BallotAgreement, Bilingual, Dissent, Family, Finding, Flip, HEALTH_LIST_MAX, Health, HealthStanding,
    HealthVerdict, Independence, Loose, LooseClaim, LowScore, Measure, OpenObjection, Participation,
    PositionSupport, RoundAgreement, RoundValue, SeatParticipation, Support, Unanswered,
};
pub use ids::*;
pub use interpret::interpret;
pub use meeting::*;
pub use names::{NameOf, check_name, passes_for};
pub use participant::*;
pub use records::*;
pub use refusal::{Refusal, RefusalKind};
pub use rules::*;
pub use task::*;
pub use tasks::{is_owed_something, pending};
pub use text::{clean, estimate_tokens, most_tokens};
pub use whatif::{
    Alone, BallotReview, CannotRejudge, Change, Course, DecisionMode, Pivot, Saved, Sensitivity, Standing,
    Threshold, WhatIf, WhatIfReport, what_if,
};
pub use withheld::{is_written_unseen, may_be_withheld, withheld};
pub use wording::Wording;
