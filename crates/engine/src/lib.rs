//! Runs meetings: one loop each; durable, then true, then public.
//!
//! The loop takes a wish, lets the core decide, appends the facts to the journal, folds them,
//! tells the audience, and starts whatever the meeting now wants and is not yet under way. A
//! restart folds the log and asks the same question: recovery is the normal path.
//!
//! A meeting at which nothing is under way leaves memory and comes back when somebody speaks to it
//! (`doors`); nobody who holds a handle or listens notices.
//!
//! A loop that fails is begun again from the log, after a while; one that fails again and again is quarantined, and
//! the others run (`supervisor`).
//!
//! What is absent: no rule of deliberation lives here, no vendor, no database, no screen.

mod audience;
mod compute;
mod doors;
mod engine;
mod error;
mod faults;
mod handle;
mod observe;
mod opening;
mod ports;
mod room;
mod secret;
mod stats;
mod steady;
mod subscription;
mod supervisor;
mod under_way;

pub use audience::{LiveFragment, Notice};
pub use engine::{Engine, EngineOptions, Fork, Left};
pub use error::EngineError;
pub use faults::{Fault, FaultKind};
pub use handle::MeetingHandle;
pub use observe::{CallSeen, Observer, observe_journal, observe_runners};
pub use ports::*;
pub use secret::Secret;
pub use stats::{APPEND_MS, Stats};
pub use subscription::Subscription;
