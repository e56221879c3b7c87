//! The people at the table, and who hosts.
//!
//! A person needs no seat to be at the table: they speak when they like, are mentioned, and may host. Each has a name there
//! that no other person has; it stands in the event by which they came.

use std::borrow::Cow;

use quorate_contract::{Actor, ParticipantId, PauseReason, Person, RunnerSpec, TurnDelivery};
use quorate_messages::text;

use super::{Meeting, MeetingMessage, RunState, Seat};

impl Meeting {
    /// The people at the table, in the order in which they came.
    pub fn people_present(&self) -> impl Iterator<Item = &Person> + Clone {
        self.people.iter().map(|one| &one.person)
    }

    /// The person with this id, while they are at the table.
    pub fn person(&self, id: &str) -> Option<&Person> {
        self.people_present().find(|person| person.id == id)
    }

    /// The name of a person: the one that they have at the table, or else their display name.
    pub fn person_name<'a>(&'a self, id: &str, name: &'a str) -> &'a str {
        self.person(id).map_or_else(|| self.display_name(id, name), |person| &person.name)
    }

    /// The display name of a person. The person at the machine that Quorate runs on needs no name of their own; with a seat
    /// they have that of their seat.
    pub fn display_name<'a>(&'a self, id: &str, name: &'a str) -> &'a str {
        let is_unnamed = name.trim().is_empty() || (id == Actor::OWNER && name == Actor::OWNER);
        match self.seat_of_person(id).filter(|_| is_unnamed) {
            Some(seat) => &seat.participant.name,
            None if is_unnamed => text!(self.language(), "records-user"),
            None => name,
        }
    }

    /// The seat of a person, while it is at the table.
    pub fn seat_of_person(&self, id: &str) -> Option<&Seat> {
        self.present().find(|seat| is_answered_by(seat, id))
    }

    /// Whether this actor hosts: the participant that leads the meeting, with the person who answers for it; otherwise a
    /// person.
    pub fn is_host(&self, actor: &Actor) -> bool {
        match (self.hosting_seat(), actor) {
            (Some(seat), Actor::Participant { id }) => seat.participant.id == *id,
            (Some(seat), Actor::Person { id, .. }) => is_answered_by(seat, id),
            (None, Actor::Person { id, .. }) => self.host_person.as_ref().is_none_or(|host| host.id == *id),
            (_, Actor::System | Actor::Facilitator) | (None, Actor::Participant { .. }) => false,
        }
    }

    /// Whether this actor decides about calls of tools with effects: the person whose meeting it is, also where a
    /// participant leads it.
    pub fn decides_on_tools(&self, actor: &Actor) -> bool {
        match actor {
            Actor::Person { id, .. } => self.host_person.as_ref().is_none_or(|host| host.id == *id),
            Actor::Participant { .. } | Actor::System | Actor::Facilitator => false,
        }
    }

    /// The name of the host.
    pub fn host_name(&self) -> Option<String> {
        match self.hosting_seat() {
            Some(seat) => Some(seat.participant.name.clone()),
            None => self.host_person.as_ref().map(|host| self.person_name(&host.id, &host.name).to_owned()),
        }
    }

    /// Whether whoever hosts is at the table.
    pub fn is_host_present(&self) -> bool {
        self.hosting_seat().is_some()
            || self.host_person.as_ref().is_some_and(|host| self.person(&host.id).is_some())
    }

    /// The seat that hosts. While the meeting waits for the word of a person who hosts, none does.
    fn hosting_seat(&self) -> Option<&Seat> {
        self.host().filter(|_| !self.awaits_host()).and_then(|id| self.seat(id))
    }

    /// Whether it is paused until the person who hosts says who speaks.
    pub fn awaits_host(&self) -> bool {
        matches!(self.run_state, RunState::Paused { reason: PauseReason::AwaitingHost, .. })
    }

    /// Whether it is paused because all participants skipped their turns, until somebody says something.
    pub fn awaits_words(&self) -> bool {
        matches!(self.run_state, RunState::Paused { reason: PauseReason::NothingNew, .. }) && self.is_silent()
    }

    /// Whether nobody said anything in the last round: all turns were skipped, and nobody spoke besides.
    pub(crate) fn is_silent(&self) -> bool {
        self.round().is_some_and(|round| {
            round.is_skipped() && self.said.last().is_none_or(|said| said.round != round.number)
        })
    }

    /// Whom a message mentions, by name: participants, then people.
    pub fn names_mentioned<'a>(&'a self, said: &'a MeetingMessage) -> impl Iterator<Item = Cow<'a, str>> {
        let seats = said.mentions.iter().map(|id| Cow::Owned(self.name_of(*id)));
        seats.chain(said.mentioned_people.iter().map(|person| Cow::Borrowed(person.name.as_str())))
    }

    /// The participants and the people whom a mention can name: those at the table, and the host, who may look on.
    pub(crate) fn at_table(&self) -> impl Iterator<Item = (AtTable<'_>, &str)> + Clone {
        let away = self.host_person.iter().filter(|host| self.person(&host.id).is_none());
        let away = away.map(|host| (AtTable::Person(host), self.person_name(&host.id, &host.name)));
        let people = self.people_present().map(|person| (AtTable::Person(person), person.name.as_str()));
        let people = people.chain(away);
        let seats = self
            .present()
            .map(|seat| (AtTable::Participant(seat.participant.id), seat.participant.name.as_str()));
        people.chain(seats)
    }
}

/// Whom a name at the table stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtTable<'m> {
    Person(&'m Person),
    Participant(ParticipantId),
}

/// Whether a person answers for a seat.
fn is_answered_by(seat: &Seat, person: &str) -> bool {
    matches!(&seat.participant.runner, RunnerSpec::External { via: TurnDelivery::Person, name } if name == person)
}
