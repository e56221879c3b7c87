//! Who sees what of a meeting: the one policy, used for streams, the log, views, live answers, exports and webhooks.
//!
//! A [`Viewer`] says what somebody may see now: by its permission, by its seat, and by what is going on at the meeting.
//! `event.rs` says what of each event is hidden, `meeting.rs` the same of the state. Hidden parts of an event are left out
//! of its line; its number and type stay, so that the numbering has no gap.
//!
//! A resume token is not hidden: it names a pause, and permits nothing.

mod event;
mod meeting;
mod moment;
mod people;

use quorate_contract::{BallotId, EventBody, ParticipantId, RunnerSpec, TaskId};
use quorate_core::Meeting;

pub use moment::Moment;
pub(crate) use moment::{open_ballot, stands_in_vote};

/// What stands in the place of an answer that is withheld, for people to read. Programs go by the field `withheld`.
const WITHHELD: &str = "…";

/// What a permission allows to see of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// All of the meeting.
    Everything,
    /// The parts that every viewer may see.
    Public,
    /// The same of the result alone, without who the people are: for those who are not known to the meeting.
    Result,
}

impl Visibility {
    /// The visibility for a viewer that may see everything, or may not.
    pub fn of(sees_all: bool) -> Self {
        if sees_all { Self::Everything } else { Self::Public }
    }

    /// Whether the error text of a fault of the program may be seen.
    pub fn fault_detail(self) -> bool {
        self == Self::Everything
    }
}

/// A viewer of a meeting, and what it may see of it at a moment.
///
/// Who has a seat in a blind round that is open reads no answer of the others in it, and otherwise what every viewer may
/// see: whoever may see everything could find the answers there. While a ballot is open, who has a seat sees what every
/// viewer may see: no votes. Who had one when the ballot opened, and gives it up, waits for its votes all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    permission: Visibility,
    /// Its own seat.
    seat: Option<ParticipantId>,
    /// Whether it reads in order to answer.
    takes_part: bool,
    /// The last ballot in which a seat of its own is a voter, whether it still has that seat or not.
    voter_in: Option<BallotId>,
    moment: Moment,
}

impl Viewer {
    /// Somebody with this permission and this seat, while a meeting stands as it does.
    pub fn of(meeting: &Meeting, permission: Visibility, seat: Option<ParticipantId>) -> Self {
        let moment = Moment::of(meeting);
        Self { permission, seat, takes_part: seat.is_some(), voter_in: None, moment }
    }

    /// Somebody with this permission, with the seats that are and were its own: `is_own` says which runner is.
    pub fn of_runner(
        meeting: &Meeting,
        permission: Visibility,
        is_own: impl Fn(&RunnerSpec) -> bool,
    ) -> Self {
        let seat = meeting.present().find(|seat| is_own(&seat.participant.runner));
        let voter_in = open_ballot(meeting).filter(|ballot| {
            let voters = meeting.seats.iter().filter(|seat| ballot.voters.contains(&seat.participant.id));
            voters.into_iter().any(|seat| is_own(&seat.participant.runner))
        });
        let voter_in = voter_in.map(|ballot| ballot.id);
        Self { voter_in, ..Self::of(meeting, permission, seat.map(|seat| seat.participant.id)) }
    }

    /// Somebody without a seat who may see what every viewer may, at a moment.
    pub fn public(moment: Moment) -> Self {
        Self { permission: Visibility::Public, seat: None, takes_part: false, voter_in: None, moment }
    }

    /// Somebody without a seat who may see everything.
    pub fn everything() -> Self {
        Self { permission: Visibility::Everything, ..Self::public(Moment::default()) }
    }

    /// Whoever gets an export, with the hidden parts or without.
    pub fn of_export(meeting: &Meeting, with_hidden: bool) -> Self {
        Self::of(meeting, Visibility::of(with_hidden), None)
    }

    /// The same, reading what a participant reads in order to answer, with a seat or without.
    #[must_use]
    pub fn as_participant(self) -> Self {
        Self { takes_part: true, ..self }
    }

    /// The same at another moment.
    #[must_use]
    pub fn at(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    /// What an event changes for somebody who goes on reading: it takes a seat, or gives up its own. `is_own` says which
    /// runner is its own.
    #[must_use]
    pub fn after(self, body: &EventBody, is_own: impl Fn(&RunnerSpec) -> bool) -> Self {
        let seat = match body {
            EventBody::ParticipantJoined { participant, .. } if is_own(&participant.runner) => {
                Some(participant.id)
            }
            EventBody::ParticipantLeft { participant, .. } if self.seat == Some(*participant) => None,
            _ => self.seat,
        };
        let voter_in = match body {
            EventBody::BallotOpened { ballot, voters, .. } => {
                self.seat.filter(|seat| voters.contains(seat)).map(|_| *ballot)
            }
            _ => self.voter_in,
        };
        Self { seat, takes_part: seat.is_some(), voter_in, ..self }
    }

    /// Whether answers of a blind round are withheld from it now.
    pub fn is_blind(self) -> bool {
        self.takes_part && self.moment.blind_round.is_some()
    }

    /// Whether votes are withheld from it now because it has a seat, or had one when the ballot opened.
    pub fn awaits_ballot(self) -> bool {
        self.moment.ballot.is_some() && (self.takes_part || self.voter_in == self.moment.ballot)
    }

    /// Whether it sees everything now.
    pub fn sees_all(self) -> bool {
        self.permission == Visibility::Everything && !self.is_blind() && !self.awaits_ballot()
    }

    /// Whether the private notes of participants may be seen.
    pub fn memory(self) -> bool {
        self.sees_all()
    }

    /// Whether the hidden marks may be seen.
    pub fn evaluations(self) -> bool {
        self.sees_all()
    }

    /// Whether the reasoning behind an answer may be seen.
    pub fn reasoning(self) -> bool {
        self.sees_all()
    }

    /// Whether the error text of a fault of the program may be seen.
    pub fn fault_detail(self) -> bool {
        self.sees_all()
    }

    /// Whether it may know who the people are, and read events.
    fn is_known(self) -> bool {
        self.permission != Visibility::Result
    }

    /// Whether a fragment of the answer to this task may be seen while it is generated. To those who may not see
    /// everything, only the text that [`PublicText`](crate::PublicText) lets pass is shown of it.
    pub fn fragment(self, task: TaskId, is_reasoning: bool) -> bool {
        let blind_round = self.moment.blind_round.filter(|_| self.is_blind());
        let is_blind_answer = |turn_round: u32| blind_round == Some(turn_round);
        self.sees_all()
            || !is_reasoning
                && self.is_known()
                && match task {
                    TaskId::Speak(turn) => !is_blind_answer(turn.round),
                    TaskId::Vote(..) | TaskId::Evaluate(_) => false,
                    TaskId::Summarize(_)
                    | TaskId::Facilitate(_)
                    | TaskId::Conclude
                    | TaskId::Intake(_)
                    | TaskId::Team(_)
                    | TaskId::Invite(_)
                    | TaskId::Minutes(_)
                    | TaskId::Artifact(..) => true,
                }
    }

    /// Whether what a participant says in a round is withheld.
    fn withholds(self, round: u32, speaker: ParticipantId) -> bool {
        self.is_blind() && self.moment.blind_round == Some(round) && self.seat != Some(speaker)
    }
}
