//! A command becomes events, or a refusal: the commands, what follows from them, and the copy of the meeting on
//! which both are worked out.

pub(crate) mod commands;
mod envelope;
pub(crate) mod flow;
mod import;
mod invariants;
pub(crate) mod origin;
pub(crate) mod seats;
pub(crate) mod step;
pub(crate) mod transaction;

pub use commands::{answer_text, decide, last_fork_point};
pub use import::Import;
pub use invariants::{BrokenInvariant, Invariant};
pub use origin::Origin;
pub use step::{StepError, fork, step, step_with_prompts};
pub use transaction::Step;
