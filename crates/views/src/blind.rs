//! Blind answers: what somebody who has a seat in a blind round sees of it while it is open.
//!
//! The answers of the others are withheld until the round is over, as the votes of a ballot are until it is counted.
//! Their events keep number and type, and say who answered; in the place of the words stands [`WITHHELD`].

use std::sync::Arc;

use quorate_contract::{Actor, Event, EventBody, ParticipantId, TaskId};
use quorate_core::Meeting;

use crate::visibility::Visibility;

/// What stands in the place of an answer that is withheld.
pub const WITHHELD: &str = "…";

/// A seat in a blind round that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlindSeat {
    /// Whose answers are shown.
    pub seat: ParticipantId,
    /// The round.
    pub round: u32,
}

impl BlindSeat {
    /// For who has this seat; `None` where no blind round is open.
    pub fn of(meeting: &Meeting, seat: ParticipantId) -> Option<Self> {
        meeting.open_blind_round().map(|round| Self { seat, round: round.number })
    }

    /// The line of an event in the place of the one that is stored; `None` when that one may be seen. Whoever may see
    /// everything otherwise sees what all may see.
    pub fn line(self, event: &Event) -> Option<String> {
        let EventBody::AgentMessage { round, participant, .. } = &event.body else {
            return Visibility::Public.line(event, None);
        };
        if *round != self.round || *participant == self.seat {
            return Visibility::Public.line(event, None);
        }
        let mut event = event.clone();
        if let EventBody::AgentMessage {
            message,
            stance,
            mentions,
            mentioned_people,
            cut_from_chars,
            reasoning,
            ended_early,
            ..
        } = &mut event.body
        {
            message.content = WITHHELD.to_owned();
            (*stance, *reasoning, *cut_from_chars, *ended_early) = (None, None, None, None);
            mentions.clear();
            mentioned_people.clear();
        }
        Some(event.to_json())
    }

    /// Whether a piece of the answer to this task may be seen while it is generated.
    pub fn fragment(self, task: TaskId) -> bool {
        !matches!(task, TaskId::Speak(turn) if turn.round == self.round)
    }

    /// Takes out of a meeting what may not be seen.
    pub fn redact(self, meeting: &mut Meeting) {
        Visibility::Public.redact(meeting);
        for said in &mut meeting.said {
            let by_other = matches!(said.speaker, Actor::Participant { id } if id != self.seat);
            if by_other && said.round == self.round {
                let said = Arc::make_mut(said);
                said.content = WITHHELD.to_owned();
                said.mentions.clear();
                said.mentioned_people.clear();
                said.claims.clear();
            }
        }
        // Claims are numbered by their place: after the first that is withheld, none is shown.
        let hidden = meeting.claims.iter().position(|one| one.round == self.round && one.owner != self.seat);
        meeting.claims.truncate(hidden.unwrap_or(meeting.claims.len()));
        for seat in meeting.seats.iter_mut().filter(|seat| seat.participant.id != self.seat) {
            let seat = Arc::make_mut(seat);
            (seat.first, seat.stance) = (None, None);
        }
    }
}
