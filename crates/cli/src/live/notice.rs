//! Notices of a meeting that a terminal follows, wherever the meeting runs.

use std::sync::Arc;

use quorate_app::{LiveFragment, Record};

/// A notice of a meeting.
pub(crate) enum MeetingNotice {
    /// A durable event.
    Event(Record),
    /// A durable event of which a server tells no more than that it happened.
    Withheld {
        /// Its number.
        seq: u64,
        /// The line as it was told.
        line: String,
    },
    /// A piece of an answer; never stored.
    Fragment(Arc<LiveFragment>),
    /// Fragments were lost; those of answers in flight follow from their beginning.
    Lagged,
    /// The log cannot be written or read just now, and what helps; the meeting waits.
    Problem(String),
}
