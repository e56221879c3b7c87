//! The fault that stops a meeting, as it is stored and shown.

use quorate_contract::Timestamp;
use quorate_messages::Message;
use serde::{Deserialize, Serialize};

/// The fault that stopped a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The error text; may be empty. For the person who repairs it: it can quote parts of the meeting that
    /// not everyone may read.
    pub detail: Message,
    /// The number of failures so far.
    pub failures: u32,
    /// The time of the last failure.
    pub since: Timestamp,
}

/// The kind of a fault that stops a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A computation broke down: a fault of Quorate.
    Panicked,
    /// Its next events would have broken what must always hold, and were not stored: a fault of Quorate.
    Invariant,
    /// A computation took longer than it may.
    TooLong,
    /// Its log, or the database, is damaged.
    Damaged,
    /// Another process appends to its log again and again.
    Contended,
    /// The storage refused for a reason that does not pass by itself.
    Storage,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Panicked, Self::Invariant, Self::TooLong, Self::Damaged, Self::Contended, Self::Storage];

    /// Its name in JSON and metrics: `panicked`, `too_long`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Panicked => "panicked",
            Self::Invariant => "invariant",
            Self::TooLong => "too_long",
            Self::Damaged => "damaged",
            Self::Contended => "contended",
            Self::Storage => "storage",
        }
    }

    /// Whether a retry can help at all.
    pub(crate) fn may_pass(self) -> bool {
        match self {
            Self::Panicked | Self::Contended | Self::Storage => true,
            Self::Invariant | Self::TooLong | Self::Damaged => false,
        }
    }

    /// A description in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Panicked => "a computation of this meeting broke down",
            Self::Invariant => "the next step of this meeting would have been wrong, and was not stored",
            Self::TooLong => "a computation of this meeting took too long",
            Self::Damaged => "the stored log of this meeting is damaged",
            Self::Contended => "another process keeps writing to this meeting",
            Self::Storage => "the database refused this meeting",
        }
    }

    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Panicked => {
                "resume the meeting to try it again, or end it; if it stops again, fork it before its last messages, \
                 or export what is there, and please report this bug with the server's log"
            }
            Self::Invariant => {
                "what is stored is intact; send the diagnostic report of the meeting, which holds none of its content, \
                 with a bug report; end the meeting, or fork it before its last messages"
            }
            Self::TooLong => {
                "resume the meeting to try it again, or end it, or fork it before the message that is too much; please \
                 report it with the server's log"
            }
            Self::Damaged => {
                "what is whole can still be exported; restore the database from a backup, then resume the meeting"
            }
            Self::Contended => "close the other program that works on this database, then resume the meeting",
            Self::Storage => "verify the database, restart the server, then resume the meeting",
        }
    }
}
