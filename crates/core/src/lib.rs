//! The pure core of Quorate: a meeting is an append-only log of events; everything else is a function of it.
//!
//! Five functions carry the product. [`decide`] turns a command into events or a refusal ([`step`] adds their
//! envelopes); [`apply`] folds an event into the meeting; [`pending`] lists the calls that the meeting now
//! needs; [`context`] is the prompt of a call; [`interpret`] turns an answer, or its absence, into a command.
//!
//! There is no clock, no random number, no I/O and no `async` here. Time is an argument, and the seed for
//! every random order is in the first event. Each folder knows only those before it: state, policy, prompt,
//! accounting, records, then decide and interpret.

mod state;

pub mod policy;

mod prompt;

mod accounting;

pub mod records;

mod decide;

mod interpret;

#[cfg(test)]
mod tests;

pub use decide::{
    BrokenInvariant, Import, Invariant, Origin, Step, StepError, answer_text, decide, fork, last_fork_point,
    step, step_with_prompts,
};
pub use interpret::interpret;
pub use policy::agreement::{
    Agreement, AgreementBasis, HEALTH_LIST_MAX, PositionShare, PositionSupport, SeatAgreement, SeatSide,
};
pub use policy::citations::cited as citations_in;
pub use policy::pending::{is_owed_something, pending};
pub use policy::silence::silence_max_ms;
pub use policy::tally::tally;
pub use prompt::context;
pub use prompt::outcome::{actor_name, outcome_text};
pub use prompt::record_shapes::artifact_schema;
pub use prompt::tokens::{estimate_tokens, most_tokens};
pub use state::*;
