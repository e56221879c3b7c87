//! The engine, which runs each meeting in a loop of its own.
//!
//! The loop receives a command, lets the core decide, appends the events to the journal, applies them,
//! publishes them to the subscribers, and starts the calls that the meeting now needs and that are not in
//! flight. A restart folds the log and asks the same question: recovery is the normal path.
//!
//! An idle meeting is unloaded from memory and loaded again by the next request (`registry`); holders of
//! handles and subscriptions do not notice.
//!
//! A loop that fails is restarted from the log, with backoff. A loop that fails repeatedly is quarantined,
//! and the others go on (`supervisor`).
//!
//! There is no rule of deliberation, no vendor, no database and no screen in this crate.

mod compute;
mod engine;
mod error;
mod failing_loops;
mod handle;
mod in_flight;
mod loading;
mod loop_input;
mod meeting_clock;
mod meeting_loop;
mod observe;
mod ports;
mod registry;
mod secret;
mod stats;
mod stored_fault;
mod subscribers;
mod subscription;
mod supervisor;

pub use compute::ComputeOn;
pub use engine::{Engine, EngineOptions, Fork, InterruptedMeeting};
pub use error::EngineError;
pub use handle::MeetingHandle;
pub use observe::{CallSeen, Observer, observe_journal, observe_runners};
pub use ports::*;
pub use secret::Secret;
pub use stats::{APPEND_MS, Stats};
pub use stored_fault::{Fault, FaultKind};
pub use subscribers::{LiveFragment, Notice};
pub use subscription::Subscription;
