//! Those who call, and what each may do: a table that shares nothing with the one of the application.

use quorate_app::{Principal, Scope};
use quorate_contract::*;

use crate::fault_plan::Act;
use crate::rng::Rng;

/// The name of the agent that has a token.
pub(super) const AGENT: &str = "scout";

/// The name of the account that may speak.
pub(super) const SPEAKER: &str = "mei";

/// Somebody who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Owner,
    /// An account that manages meetings.
    Host,
    /// An account that speaks.
    Speaker,
    /// A guest of the meeting.
    Guest(u8),
    /// An account that reads.
    Reader,
    /// A token of an agent that speaks.
    Agent,
    /// Nobody in particular.
    Stranger,
}

impl Who {
    /// All, with two guests.
    pub(super) const ALL: [Self; 8] = [
        Self::Owner,
        Self::Host,
        Self::Speaker,
        Self::Guest(1),
        Self::Guest(2),
        Self::Reader,
        Self::Agent,
        Self::Stranger,
    ];

    /// Somebody by chance.
    pub(super) fn any(rng: &mut Rng) -> Self {
        rng.weighted(&[
            (10, Self::Owner),
            (20, Self::Host),
            (20, Self::Speaker),
            (12, Self::Guest(1)),
            (6, Self::Guest(2)),
            (6, Self::Reader),
            (10, Self::Agent),
            (2, Self::Stranger),
        ])
    }

    /// The caller behind a person of the log.
    pub(super) fn of(actor: &Actor) -> Option<Self> {
        let id = &actor.as_person()?.id;
        Self::ALL.into_iter().find(|who| who.person() == Some(id))
    }

    /// The id of the person in the log.
    pub(super) fn person(self) -> Option<&'static str> {
        match self {
            Self::Owner => Some(Actor::OWNER),
            Self::Host => Some("ruth"),
            Self::Speaker => Some(SPEAKER),
            Self::Guest(1) => Some("guest:1"),
            Self::Guest(_) => Some("guest:2"),
            Self::Reader => Some("vera"),
            Self::Agent | Self::Stranger => None,
        }
    }

    /// The caller as the application knows it, at a meeting.
    pub(super) fn principal(self, meeting: &MeetingId) -> Option<Principal> {
        let account = |scope| {
            let name = self.person().unwrap_or_default();
            Principal::of_session(&format!("session of {name}"), name.to_owned(), scope, None, None)
        };
        Some(match self {
            Self::Owner => Principal::owner(),
            Self::Host => account(Scope::Manage),
            Self::Speaker => account(Scope::Speak),
            Self::Reader => account(Scope::Read),
            Self::Guest(number) => {
                let (id, person) = (format!("session of guest {number}"), Some(number.to_string()));
                Principal::of_session(&id, "林晚".to_owned(), Scope::Speak, Some(meeting.clone()), person)
            }
            Self::Agent => {
                let by = Actor::OWNER.to_owned();
                Principal::of_agent("token of scout", AGENT.to_owned(), by, Scope::Speak, None)
            }
            Self::Stranger => return None,
        })
    }

    /// Whether it may do this at a meeting that lets everybody in.
    pub(super) fn may(self, act: Act) -> bool {
        let speaks =
            matches!(act, Act::Say | Act::Mention | Act::SayNothing | Act::SaySomebodyElse | Act::AttachFile);
        let takes_part = speaks
            || matches!(
                act,
                Act::RequestSpeaker
                    | Act::Resume
                    | Act::ResumeWithAnswers
                    | Act::ResumeWithAnyToken
                    | Act::Arrive
                    | Act::Depart
                    | Act::HandOver
            );
        match self {
            Self::Owner | Self::Host => true,
            Self::Speaker | Self::Guest(_) => takes_part,
            Self::Agent => speaks,
            Self::Reader | Self::Stranger => false,
        }
    }

    /// Checks that an event of which somebody is the actor is one that they may cause.
    pub(super) fn check(event: &Event) -> Result<(), String> {
        let Some(person) = event.actor.as_person() else { return Ok(()) };
        let kind = event.body.kind();
        let may = match Self::of(&event.actor) {
            Some(Self::Owner | Self::Host) => true,
            Some(Self::Speaker | Self::Guest(_)) => !BY_WHO_MANAGES.contains(&kind),
            Some(Self::Reader | Self::Agent | Self::Stranger) | None => false,
        };
        if may { Ok(()) } else { Err(format!("{} has caused {kind}", person.id)) }
    }
}

/// Events that only those who manage cause by themselves.
const BY_WHO_MANAGES: [&str; 16] = [
    "meeting_created",
    "meeting_forked",
    "meeting_started",
    "rules_changed",
    "topic_changed",
    "details_changed",
    "agenda_changed",
    "announcement_published",
    "access_changed",
    "participant_invited",
    "participant_changed",
    "presence_changed",
    "participant_joined",
    "file_removed",
    "tools_allowed",
    "pause",
];
