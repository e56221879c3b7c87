//! Runs meetings: one loop each; durable, then true, then public.
//!
//! The loop takes a command, lets the core decide, appends the events to the journal, folds them,
//! tells the subscribers, and starts whatever the meeting now wants and is not yet under way. A
//! restart folds the log and asks the same question: recovery is the normal path.
//!
//! A meeting at which nothing is under way leaves memory and comes back when somebody speaks to it
//! (`registry`); nobody who holds a handle or listens notices.
//!
//! A loop that fails is begun again from the log, after a while; one that fails again and again is quarantined, and
//! the others run (`supervisor`).
//!
//! What is absent: no rule of deliberation lives here, no vendor, no database, no screen.

mod compute;
mod engine;
mod error;
mod fault;
mod faults;
mod handle;
mod in_flight;
mod meeting_loop;
mod observe;
mod opening;
mod ports;
mod registry;
mod secret;
mod stats;
mod steady;
mod subscribers;
mod subscription;
mod supervisor;

pub use engine::{Engine, EngineOptions, Fork, Left};
pub use error::EngineError;
pub use fault::{Fault, FaultKind};
pub use handle::MeetingHandle;
pub use observe::{CallSeen, Observer, observe_journal, observe_runners};
pub use ports::*;
pub use secret::Secret;
pub use stats::{APPEND_MS, Stats};
pub use subscribers::{LiveFragment, Notice};
pub use subscription::Subscription;
