//! What the person at this terminal sees of a meeting in which they hold a seat: neither the blind answers of the others
//! before the round is over, nor votes before the ballot is counted.

use quorate_app::{FragmentKind, LiveFragment, Principal, seat_of, viewer_of};
use quorate_contract::{Event, ParticipantId};
use quorate_core::Meeting;
use quorate_views::{Viewer, Visibility};

use crate::error::CliError;

/// Who looks at the meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TerminalUser {
    /// The person at this machine, who sees everything else.
    Owner,
    /// Somebody at a server, by the name of their seat; what they may see, the server decides.
    Seated(String),
}

/// What is shown of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EventDisplay {
    /// All of it.
    Whole,
    /// A part of it, or that it happened; `line` stands in the place of the stored one, and `words` says that it is a blind
    /// answer without its words.
    Withheld { line: String, words: bool },
}

impl TerminalUser {
    /// Their seat, while it is at the table.
    pub(super) fn seat(&self, m: &Meeting) -> Option<ParticipantId> {
        match self {
            Self::Owner => seat_of(m, &Principal::owner()).map(|seat| seat.participant.id),
            Self::Seated(name) => {
                m.present().find(|seat| seat.participant.name == *name).map(|seat| seat.participant.id)
            }
        }
    }

    /// Whether they hold a seat.
    pub(crate) fn holds_seat(&self, m: &Meeting) -> bool {
        self.seat(m).is_some()
    }

    /// As a viewer of the meeting.
    pub(crate) fn viewer(&self, m: &Meeting) -> Viewer {
        Viewer::of(m, Visibility::Everything, self.seat(m))
    }

    /// Whether something of the meeting is withheld from them at this moment.
    pub(super) fn is_restricted(&self, m: &Meeting) -> bool {
        !self.viewer(m).sees_all()
    }

    /// Whether they may read a piece of an answer to this task while it is written.
    pub(super) fn may_read_along(&self, m: &Meeting, fragment: &LiveFragment) -> bool {
        self.viewer(m).fragment(fragment.task, fragment.kind == FragmentKind::Reasoning)
    }

    /// What they see of an event that the meeting has taken in.
    pub(super) fn shown(&self, m: &Meeting, event: &Event) -> EventDisplay {
        let viewer = self.viewer(m);
        let words = viewer.withholds_words(event);
        viewer.line(event).map_or(EventDisplay::Whole, |line| EventDisplay::Withheld { line, words })
    }

    /// Takes out of a meeting what they may not see.
    pub(super) fn seen(&self, mut m: Meeting) -> Meeting {
        self.viewer(&m).redact(&mut m);
        m
    }
}

/// Refuses what shows or copies the votes of an open ballot while the person at this machine has a seat.
///
/// # Errors
/// While the ballot is open.
pub(crate) fn keep_votes(m: &Meeting) -> Result<(), CliError> {
    match viewer_of(m, &Principal::owner()).awaits_ballot() {
        true => Err(quorate_app::Denial::OpenBallot.into()),
        false => Ok(()),
    }
}

/// The meeting as the person at this machine may see it.
pub(crate) fn seen_by_owner(m: Meeting) -> Meeting {
    TerminalUser::Owner.seen(m)
}
