//! The people at a meeting: who is there, who hosts, and what becomes of a guest who has gone.

use std::collections::BTreeSet;

use quorate_contract::{
    Actor, Command, MeetingId, Person, Presence, RunnerSpec, TaskId, Timestamp, TurnDelivery,
};
use quorate_core::{Meeting, MeetingState, PersonAtTable, Seat};
use quorate_runners::Respondent;
use serde::Serialize;

use crate::attendance::presence::LivePresence;
use crate::clock;
use crate::error::ServiceError;
use crate::operation::callers_seat::seat_of;
use crate::operation::principal::{Permission, Principal};
use crate::use_cases::{App, Listing};
use crate::webhooks::is_active;

/// A person or participant at the table of a meeting.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PersonEntry {
    /// The id of a person or a participant: `p2`.
    pub id: String,
    /// The name at the table.
    pub name: String,
    /// Whether the entry is a person or a participant, and what answers for it.
    pub kind: PersonKind,
    /// The presence. A participant that a model answers for is online unless it was set offline.
    pub presence: LivePresence,
    /// When the person was last active; `null` when not since the server started.
    pub last_seen_at: Option<Timestamp>,
    /// When the person joined the table; `null` for participants.
    pub joined_at: Option<Timestamp>,
    /// Whether the entry is the host.
    pub is_host: bool,
    /// The participant of a person with a seat; `null` for a person without one.
    pub seat: Option<String>,
}

/// The kind of an entry in the list of people and participants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PersonKind {
    /// A person with an account, or at this machine.
    Person,
    /// A person without an account.
    Guest,
    /// A participant.
    Participant,
}

impl App {
    /// The people at a meeting, in the order in which they came, then its participants.
    ///
    /// # Errors
    /// When the webhooks cannot be read.
    pub async fn people(&self, meeting: &Meeting) -> Result<Vec<PersonEntry>, ServiceError> {
        let pushed = self.agents_with_webhooks(meeting).await?;
        let people = meeting.people.iter().map(|one| self.person_entry(meeting, one));
        Ok(people.chain(meeting.present().map(|seat| self.seat_entry(meeting, seat, &pushed))).collect())
    }

    /// The agents at a meeting to which a webhook pushes their turns, whatever way their seats name.
    async fn agents_with_webhooks(&self, meeting: &Meeting) -> Result<BTreeSet<String>, ServiceError> {
        let is_agent = |seat: &Seat| {
            Respondent::of(&seat.participant.runner).is_some_and(|one| one.via == TurnDelivery::Agent)
        };
        if !meeting.present().any(is_agent) {
            return Ok(BTreeSet::new());
        }
        let (webhooks, now) = (self.store().webhooks().await?, clock::now());
        let active = webhooks.into_iter().filter(|webhook| is_active(webhook, now));
        Ok(active.filter_map(|webhook| webhook.agent).collect())
    }

    fn person_entry(&self, meeting: &Meeting, one: &PersonAtTable) -> PersonEntry {
        let Person { id, name } = one.person.clone();
        let (presence, last_seen_at) =
            self.presence_of(&Respondent { via: TurnDelivery::Person, name: id.clone() });
        PersonEntry {
            kind: if one.person.is_guest() { PersonKind::Guest } else { PersonKind::Person },
            presence,
            last_seen_at,
            joined_at: Some(one.joined_at),
            is_host: meeting.is_host(&one.person.clone().into()),
            seat: meeting.seat_of_person(&id).map(|seat| seat.participant.id.to_string()),
            id,
            name,
        }
    }

    fn seat_entry(&self, meeting: &Meeting, seat: &Seat, pushed: &BTreeSet<String>) -> PersonEntry {
        let id = seat.participant.id;
        let respondent = Respondent::of(&seat.participant.runner);
        let (seen, last_seen_at) = match &respondent {
            Some(respondent) => self.latest_presence(respondent),
            None => (LivePresence::Online, None),
        };
        // An agent to which turns are pushed is not seen before it answers.
        let is_pushed = respondent.as_ref().is_some_and(|respondent| match respondent.via {
            TurnDelivery::Webhook => true,
            TurnDelivery::Agent => pushed.contains(&respondent.name),
            TurnDelivery::Person => false,
        });
        let presence = match seat.presence {
            Presence::Offline => LivePresence::Offline,
            Presence::Online if seen == LivePresence::Offline && !is_pushed => LivePresence::Offline,
            Presence::Online if is_asked(meeting, seat) => LivePresence::Busy,
            Presence::Online if is_pushed => LivePresence::Online,
            Presence::Online => seen,
        };
        PersonEntry {
            id: id.to_string(),
            name: seat.participant.name.clone(),
            kind: PersonKind::Participant,
            presence,
            last_seen_at,
            joined_at: None,
            is_host: meeting.is_host(&Actor::participant(id)),
            seat: None,
        }
    }

    /// The meetings that are not over, oldest first.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub async fn open_meetings(&self) -> Result<Vec<MeetingId>, ServiceError> {
        let states = MeetingState::ALL.into_iter().filter(|state| *state != MeetingState::Ended).collect();
        let listing = Listing { limit: u32::MAX, offset: 0, states };
        Ok(self.list(&listing).await?.into_iter().rev().map(|row| row.id).collect())
    }

    /// The guests at the table of a meeting, those with a seat who have not joined among them.
    ///
    /// # Errors
    /// When the meeting cannot be read.
    pub async fn guests_at(&self, id: &MeetingId) -> Result<Vec<Person>, ServiceError> {
        let meeting = self.load(id).await?;
        let mut guests: Vec<Person> =
            meeting.people_present().filter(|person| person.is_guest()).cloned().collect();
        for seat in meeting.present() {
            let RunnerSpec::External { via: TurnDelivery::Person, name } = &seat.participant.runner else {
                continue;
            };
            let guest = Person { id: name.clone(), name: seat.participant.name.clone() };
            if guest.is_guest() && !guests.iter().any(|one| one.id == guest.id) {
                guests.push(guest);
            }
        }
        Ok(guests)
    }

    /// Hands the host's part over to a person at the table, and gives the last event that followed. In the place of a host
    /// who is absent, whoever manages the meeting does it.
    ///
    /// # Errors
    /// When the caller does not host, or the person is not at the table.
    pub async fn hand_over(
        &self,
        principal: &Principal,
        id: &MeetingId,
        to: String,
    ) -> Result<u64, ServiceError> {
        let manages = principal.may(Permission::Manage, Some(id.as_str()));
        self.command(principal, id, Command::HandOver { by: principal.actor(), to, manages }).await
    }

    /// Takes a guest who has gone from the table, with the seat that they had. A meeting that cannot be reached asks in
    /// vain until the time of each turn is up.
    pub async fn vacate(&self, gone: &Principal, id: &MeetingId, by: Actor) {
        let Ok(meeting) = self.load(id).await else { return };
        let person = gone.person().id;
        let command = match (meeting.person(&person), seat_of(&meeting, gone)) {
            _ if meeting.is_over() => return,
            (Some(_), _) => Command::Depart { by, person },
            (None, Some(seat)) => Command::Leave { by, participant: seat.participant.name.clone() },
            (None, None) => return,
        };
        if let Err(error) = self.command(gone, id, command).await {
            tracing::warn!(meeting = %id, error = %error.line(), "a guest who has gone is still at the table");
        }
    }
}

/// Whether a participant is being asked.
fn is_asked(meeting: &Meeting, seat: &Seat) -> bool {
    let id = seat.participant.id;
    meeting.calls.keys().any(|task| match task {
        TaskId::Speak(turn) => meeting.turn(*turn).is_some_and(|turn| turn.participant == id),
        TaskId::Vote(_, voter) => *voter == id,
        TaskId::Summarize(_) | TaskId::Facilitate(_) | TaskId::Conclude | TaskId::Intake(_) => false,
        TaskId::Team(_) | TaskId::Evaluate(_) | TaskId::Invite(_) | TaskId::Minutes(_) => false,
        TaskId::Artifact(..) => false,
    })
}
