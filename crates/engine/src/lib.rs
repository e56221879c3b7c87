//! Runs meetings: one loop each; durable, then true, then public.
//!
//! The loop takes a wish, lets the core decide, appends the facts to the journal, folds them,
//! tells the audience, and starts whatever the meeting now wants and is not yet under way. A
//! restart folds the log and asks the same question: recovery is the normal path.
//!
//! What is absent: no rule of deliberation lives here, no vendor, no database, no screen.

mod audience;
mod engine;
mod error;
mod observe;
mod ports;
mod room;
mod secret;
mod under_way;

pub use audience::{LiveFragment, Notice, Subscription};
pub use engine::{Engine, MeetingHandle};
pub use error::EngineError;
pub use observe::{CallSeen, Observer, observe_journal, observe_runners};
pub use ports::*;
pub use secret::Secret;
