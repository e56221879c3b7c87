//! Keeps what meetings said, on SQLite.
//!
//! [`SqliteStore`] is the durable [`Journal`](quorate_engine::Journal): what it has acknowledged
//! is on the disk. One thread writes, and takes whatever waits into one transaction; readers
//! never wait for it. Beside the log lies a catalogue of meetings, made from the same events in
//! the same transaction, so that a list needs no log to be read. Every event carries a checksum
//! that covers all events before it: what is read back is what was written, or is refused.

mod backup;
mod catalogue;
mod chain;
mod error;
mod find;
mod lock;
mod log;
mod readers;
mod rebuild;
mod schema;
mod store;
mod verify;
mod writer;

pub use catalogue::{MeetingState, MeetingSummary};
pub use error::StoreError;
pub use store::SqliteStore;
pub use verify::{Problem, Progress, VerifyReport, verify};
