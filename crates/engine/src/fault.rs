//! Why a meeting does not run, as it is stored and shown.

use quorate_contract::Timestamp;
use serde::{Deserialize, Serialize};

/// What kept a meeting from running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What sort of failure it was.
    pub kind: FaultKind,
    /// What it said; may be empty. For whoever mends it: it can hold words that not everybody may read.
    pub detail: String,
    /// How often it had failed by then.
    pub failures: u32,
    /// When it failed last.
    pub since: Timestamp,
}

/// What sort of failure keeps a meeting from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A computation broke down: a fault of Quorate.
    Panicked,
    /// A computation took longer than it may.
    TooLong,
    /// Its log, or the database, is damaged.
    Damaged,
    /// Another process writes to its log again and again.
    Contended,
    /// The storage refused for a reason that does not pass by itself.
    Storage,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Panicked, Self::TooLong, Self::Damaged, Self::Contended, Self::Storage];

    /// Its name in JSON and metrics: `panicked`, `too_long`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Panicked => "panicked",
            Self::TooLong => "too_long",
            Self::Damaged => "damaged",
            Self::Contended => "contended",
            Self::Storage => "storage",
        }
    }

    /// Whether a repetition can help at all.
    pub(crate) fn may_pass(self) -> bool {
        match self {
            Self::Panicked | Self::Contended | Self::Storage => true,
            Self::TooLong | Self::Damaged => false,
        }
    }

    /// What is the case, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Panicked => "a computation of this meeting broke down",
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
