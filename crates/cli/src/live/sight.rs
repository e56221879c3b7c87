//! What the person at this terminal sees of a meeting in which they hold a seat: neither the blind answers of the others
//! before the round is over, nor votes before the ballot is counted.

use quorate_app::{Principal, blind_seat_at, seat_of};
use quorate_contract::{Event, EventBody, ParticipantId};
use quorate_core::Meeting;
use quorate_views::{BlindSeat, Visibility, hidden_ballot};

use crate::error::CliError;

/// Who looks at the meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// The person at this machine, who sees everything else.
    Owner,
    /// Somebody at a server, by the name of their seat; what they may see, the server decides.
    Seated(String),
}

/// What is shown of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// All of it.
    Whole,
    /// That it happened; `line` stands in the place of the stored one.
    Withheld { line: String },
}

impl Viewer {
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

    /// Their seat in the blind round that is open.
    pub(super) fn blind(&self, m: &Meeting) -> Option<BlindSeat> {
        BlindSeat::of(m, self.seat(m)?)
    }

    /// Whether a ballot is open in which they vote.
    fn votes(&self, m: &Meeting) -> bool {
        let open = hidden_ballot(m).and_then(|id| m.ballot(id));
        let seat = self.seat(m);
        open.is_some_and(|ballot| seat.is_some_and(|seat| ballot.voters.contains(&seat)))
    }

    /// Whether something of the meeting is withheld from them at this moment.
    pub(super) fn is_restricted(&self, m: &Meeting) -> bool {
        self.blind(m).is_some() || self.votes(m)
    }

    /// What they see of an event that the meeting has taken in.
    pub(super) fn shown(&self, m: &Meeting, event: &Event) -> Shown {
        let line = match self.blind(m) {
            Some(blind) => blind.line(event),
            None if self.votes(m) && is_vote(&event.body) => Visibility::Public.line(event, hidden_ballot(m)),
            None => None,
        };
        line.map_or(Shown::Whole, |line| Shown::Withheld { line })
    }

    /// Takes out of a meeting what they may not see.
    pub(super) fn seen(&self, mut m: Meeting) -> Meeting {
        match self.blind(&m) {
            Some(blind) => blind.redact(&mut m),
            None if self.votes(&m) => Visibility::Public.redact(&mut m),
            None => {}
        }
        m
    }
}

fn is_vote(body: &EventBody) -> bool {
    matches!(body, EventBody::VoteCast { .. } | EventBody::VoteAbstained { .. })
}

/// Refuses to tell of a meeting in a blind round in which the person at this machine has a seat, as the other ways to
/// read it do.
///
/// # Errors
/// While the round is open.
pub(crate) fn keep_blind(m: &Meeting) -> Result<(), CliError> {
    match blind_seat_at(m, &Principal::owner()) {
        Some(_) => Err(quorate_app::Denial::BlindRound.into()),
        None => Ok(()),
    }
}

/// The meeting as the person at this machine may see it.
pub(crate) fn seen_by_owner(m: Meeting) -> Meeting {
    Viewer::Owner.seen(m)
}
