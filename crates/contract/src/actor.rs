//! The actor of a command or an event.

use serde::{Deserialize, Serialize};

use crate::ids::ParticipantId;

/// The actor of a command or event: who did, said or wrote something.
///
/// Two people are two actors: the id tells them apart, the name is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    /// The rules of the meeting, without a model or a person.
    System,
    /// The facilitator's model.
    Facilitator,
    /// A participant of the meeting.
    Participant {
        /// The participant's id.
        id: ParticipantId,
    },
    /// A person.
    Person {
        /// The id of the person, the same in all events: the name of the account, or the id of the guest.
        id: String,
        /// The display name that others see, 1-100 characters.
        name: String,
    },
}

/// A person at a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Person {
    /// The id of the person, the same in all events: the name of the account, or the id of the guest.
    pub id: String,
    /// The display name that others see, 1-100 characters.
    pub name: String,
}

impl Person {
    /// What the ids of guests begin with. No account has such a name.
    pub const GUEST_PREFIX: &'static str = "guest:";

    /// Whether the person is a guest, who has no account.
    pub fn is_guest(&self) -> bool {
        self.id.starts_with(Self::GUEST_PREFIX)
    }

    /// The id of a guest. A guest chooses its name; its id is made by the server, so that it is nobody else's.
    pub fn guest_id(number: &str) -> String {
        format!("{}{number}", Self::GUEST_PREFIX)
    }
}

impl From<Person> for Actor {
    fn from(Person { id, name }: Person) -> Self {
        Self::Person { id, name }
    }
}

impl Actor {
    /// The id and the name of the person at the machine that Quorate runs on, who needs no account.
    pub const OWNER: &'static str = "owner";

    /// A person.
    pub fn person(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self::Person { id: id.into(), name: name.into() }
    }

    /// The person at the machine that Quorate runs on, who needs no account.
    pub fn owner() -> Self {
        Self::person(Self::OWNER, Self::OWNER)
    }

    /// A participant of the meeting.
    pub fn participant(id: ParticipantId) -> Self {
        Self::Participant { id }
    }

    /// The person, when it is one.
    pub fn as_person(&self) -> Option<Person> {
        match self {
            Self::Person { id, name } => Some(Person { id: id.clone(), name: name.clone() }),
            Self::System | Self::Facilitator | Self::Participant { .. } => None,
        }
    }

    /// Whether the actor is the person with this id.
    pub fn is_the_person(&self, person: &str) -> bool {
        matches!(self, Self::Person { id, .. } if id == person)
    }

    /// Whether the actor is a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }

    /// Which participant it is, when it is one.
    pub fn as_participant(&self) -> Option<ParticipantId> {
        match self {
            Self::Participant { id } => Some(*id),
            Self::System | Self::Facilitator | Self::Person { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_written_with_its_kind() {
        let written = |actor: Actor| serde_json::to_string(&actor).expect("an actor is plain");
        assert_eq!(written(Actor::System), r#"{"kind":"system"}"#);
        assert_eq!(written(Actor::participant(ParticipantId(2))), r#"{"kind":"participant","id":"p2"}"#);
        assert_eq!(written(Actor::person("ada", "Ada")), r#"{"kind":"person","id":"ada","name":"Ada"}"#);
        for actor in [Actor::System, Actor::Facilitator, Actor::participant(ParticipantId(1)), Actor::owner()]
        {
            let read: Actor = serde_json::from_str(&written(actor.clone())).expect("it was just written");
            assert_eq!(read, actor);
        }
    }

    #[test]
    fn two_people_of_one_name_are_two() {
        assert_ne!(Actor::person("ada", "Ada"), Actor::person("ada-2", "Ada"));
    }
}
