//! Verification of exported logs: whether a file holds what was written, and who signed it.
//!
//! Exports are verified by the file alone: no database is needed. What an export shows of its events in other forms (the
//! report, the texts of a folder) is made from them and is not signed; where it shows the events themselves, they are
//! compared.

mod check;
mod files;
#[cfg(test)]
mod tests;

use quorate_contract::MeetingId;
use quorate_contract::signature::{LogSignature, UnsignedReason};
use quorate_messages::{Message, message};
use serde::Serialize;

pub use files::{closing_line, verify_file};

/// The result of the verification of one log.
#[derive(Debug, Clone, Serialize)]
pub struct LogFileReport {
    /// The file.
    pub file: String,
    /// Whether nothing is wrong, and the key is the one that was asked for.
    pub ok: bool,
    /// The meeting.
    pub meeting_id: Option<MeetingId>,
    /// The events of the file.
    pub events: u64,
    /// The events whose checksum was computed again.
    pub checked: u64,
    /// The events that are there by their checksum alone.
    pub withheld: u64,
    /// The signature; `null` when there is none.
    pub signature: Option<LogSignature>,
    /// The reason why there is none, as the file says it.
    pub unsigned: Option<UnsignedReason>,
    /// Whether the signature is one of the key that it names, and of these events.
    pub signed: bool,
    /// Whose the key is, as far as that is known.
    pub key: TrustedKey,
    /// The problems, at most the first thousand.
    pub problems: Vec<LogProblem>,
    /// The number of further problems.
    pub further_problems: u64,
}

/// Whose key signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrustedKey {
    /// The key that was asked for.
    Named,
    /// A key of this installation, or of the server that was asked.
    Known,
    /// Any: whoever wants to know compares its id.
    Unknown,
}

/// A difference between a file and what was written or signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LogProblem {
    /// The line is not an event that can be read.
    Unreadable {
        /// The number of the event.
        event: u64,
    },
    /// The line is not the one that the checksum is of.
    Changed {
        /// The number of the event.
        event: u64,
    },
    /// Events are missing.
    Missing {
        /// The first.
        from: u64,
        /// The last.
        to: u64,
    },
    /// The event stands after a later one, or twice.
    OutOfPlace {
        /// The number of the event.
        event: u64,
    },
    /// The event comes after the last one that was signed.
    Added {
        /// The number of the event.
        event: u64,
    },
    /// The event is of another meeting.
    OtherMeeting {
        /// The number of the event.
        event: u64,
        /// The meeting that it is of.
        meeting_id: MeetingId,
    },
    /// What the file shows of the event is not what its line says.
    ShownOtherwise {
        /// The number of the event.
        event: u64,
    },
    /// An event has no checksum.
    NoChecksum {
        /// The number of the event.
        event: u64,
    },
    /// The checksums are not those that were signed.
    Checksums,
    /// The signature was not made with the key that it names, or is of something else.
    Signature,
    /// The file ends before its last line.
    CutOff,
    /// The log is not signed with the key that was asked for.
    OtherKey,
}

impl LogProblem {
    /// The problem in a sentence.
    pub fn told(&self) -> Message {
        match self {
            Self::Unreadable { event } => message!("app-log-unreadable", %event),
            Self::Changed { event } => message!("app-log-changed", %event),
            Self::Missing { from, to } if from == to => message!("app-log-missing-one", event = %from),
            Self::Missing { from, to } => message!("app-log-missing", %from, %to),
            Self::OutOfPlace { event } => message!("app-log-out-of-place", %event),
            Self::Added { event } => message!("app-log-added", %event),
            Self::OtherMeeting { event, meeting_id } => {
                message!("app-log-other-meeting", %event, meeting = %meeting_id)
            }
            Self::ShownOtherwise { event } => message!("app-log-shown-otherwise", %event),
            Self::NoChecksum { event } => message!("app-log-no-checksum", %event),
            Self::Checksums => message!("app-log-checksums"),
            Self::Signature => message!("app-log-signature"),
            Self::CutOff => message!("app-log-cut-off"),
            Self::OtherKey => message!("app-log-other-key"),
        }
    }
}
