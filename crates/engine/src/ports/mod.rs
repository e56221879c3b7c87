//! The ports of the engine: a journal, runners, a clock.

mod clock;
mod journal;
mod runner;

pub use clock::{Clock, SystemClock};
pub use journal::{Journal, JournalError, MemoryJournal, Record, Recovery, Resumed, Snapshot, StorageFault};
pub use runner::{
    ActionSink, Fragment, FragmentKind, FragmentSink, LoadedImage, OfferedTools, Request, RetrySink, Runner,
    RunnerDirectory, ToolDefinition,
};
