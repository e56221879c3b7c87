//! The sections of a record: its rounds, and what was said before the first and between the blind round and the next.

use quorate_contract::{Language, RoundKind};
use quorate_core::{Meeting, MeetingMessage};
use quorate_messages::text;
use serde::{Deserialize, Serialize};

/// The section of a message, in the order in which sections follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Section {
    /// Before any round.
    Before,
    /// A round in which nobody saw the answers of the others.
    Blind,
    /// After that round and before the next: the answers can be read by then.
    AfterBlind,
    /// A round in which participants hear each other.
    Round(u32),
}

impl Section {
    pub(crate) fn of(meeting: &Meeting, said: &MeetingMessage) -> Self {
        let Some(round) = meeting.rounds.iter().find(|round| round.number == said.round) else {
            return if said.round == 0 { Self::Before } else { Self::Round(said.round) };
        };
        match round.kind {
            RoundKind::Serial | RoundKind::Parallel => Self::Round(round.number),
            RoundKind::Blind if round.ended_seq.is_some_and(|end| said.seq > end) => Self::AfterBlind,
            RoundKind::Blind if said.turn.is_none() && !has_begun(meeting, round.number, said.seq) => {
                Self::Before
            }
            RoundKind::Blind => Self::Blind,
        }
    }

    pub(crate) fn title(self, language: Language) -> String {
        match self {
            Self::Before => text!(language, "print-section-before").to_owned(),
            Self::Blind => text!(language, "print-page-blind-round").to_owned(),
            Self::AfterBlind => text!(language, "print-section-after-blind").to_owned(),
            Self::Round(round) => text!(language, "print-pdf-round", %round),
        }
    }
}

/// Whether a participant had answered in a round when something was said.
fn has_begun(meeting: &Meeting, round: u32, seq: u64) -> bool {
    let before = meeting.said.iter().take_while(|other| other.seq < seq);
    before.filter_map(|other| other.turn).any(|turn| turn.round == round)
}
