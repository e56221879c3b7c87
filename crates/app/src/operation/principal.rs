//! Principals: who calls, and what they may do.

use quorate_contract::{Actor, MeetingId, Person};
use quorate_views::Visibility;
use serde::{Deserialize, Serialize};

/// A scope of permissions: `read`, `speak`, `manage`, `owner`. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// See meetings, without hidden marks and private notes.
    Read,
    /// Say something, answer, request a speaker.
    Speak,
    /// Create, steer, change and delete meetings, and see all of them.
    Manage,
    /// Everything: accounts, keys, settings, backups.
    Owner,
}

impl Scope {
    /// All scopes, from the least to the most.
    pub const ALL: [Self; 4] = [Self::Read, Self::Speak, Self::Manage, Self::Owner];

    /// The word for it, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Speak => "speak",
            Self::Manage => "manage",
            Self::Owner => "owner",
        }
    }

    /// The scope that a word means.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word)
    }

    /// The scope that a stored word means; the smallest one for an unknown word.
    pub fn of_stored(word: &str) -> Self {
        Self::of_word(word).unwrap_or(Self::Read)
    }
}

/// The permission that a use case needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// None: health, the documentation, signing in.
    Open,
    /// Any signed-in principal, whatever its scope.
    SignedIn,
    /// [`Scope::Read`], at the meeting that is named when one is.
    Read,
    /// [`Scope::Speak`], likewise.
    Speak,
    /// [`Scope::Manage`], likewise.
    Manage,
    /// [`Scope::Owner`].
    Owner,
}

impl Permission {
    /// The smallest scope that has the permission; `None` where any scope, or no sign-in at all, will do.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Open | Self::SignedIn => None,
            Self::Read => Some(Scope::Read),
            Self::Speak => Some(Scope::Speak),
            Self::Manage => Some(Scope::Manage),
            Self::Owner => Some(Scope::Owner),
        }
    }
}

/// The kind of a principal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrincipalKind {
    /// The person at this machine, who needs no account.
    Owner,
    /// A person who signed in with name and password.
    Account,
    /// A guest who joined one meeting by an invitation or its password.
    Guest,
    /// Somebody who reads a result by a link, without signing in.
    ResultLink,
    /// A program that shows a token.
    Token,
    /// A participant that fetches its turns.
    Agent,
    /// A remote agent that calls back.
    Webhook,
}

impl PrincipalKind {
    /// The word for it, as in the audit log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Account => "account",
            Self::Guest => "guest",
            Self::ResultLink => "result_link",
            Self::Token => "token",
            Self::Agent => "agent",
            Self::Webhook => "webhook",
        }
    }
}

/// A caller with its identity and permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The kind.
    pub kind: PrincipalKind,
    /// The session or the token that they show; empty for the person at this machine.
    pub id: String,
    /// The display name.
    pub name: String,
    /// Of a guest, by which it is known again: nobody else's, whatever the name.
    pub guest: Option<String>,
    /// The scope.
    pub scope: Scope,
    /// The one meeting that they may do it at; all meetings when `None`.
    pub meeting: Option<MeetingId>,
    /// The person in whose name an agent acts: whoever made its token.
    pub on_behalf_of: Option<String>,
}

impl Principal {
    /// The person at this machine, where no sign-in is needed.
    pub fn owner() -> Self {
        Self {
            kind: PrincipalKind::Owner,
            id: String::new(),
            name: Actor::OWNER.to_owned(),
            guest: None,
            scope: Scope::Owner,
            meeting: None,
            on_behalf_of: None,
        }
    }

    /// The principal of a session: a guest when it is bound to one meeting.
    pub fn of_session(
        id: &str,
        name: String,
        scope: Scope,
        meeting: Option<MeetingId>,
        person: Option<String>,
    ) -> Self {
        let kind = if meeting.is_some() { PrincipalKind::Guest } else { PrincipalKind::Account };
        let guest = meeting.is_some().then(|| person.unwrap_or_else(|| id.to_owned()));
        Self { kind, id: id.to_owned(), name, guest, scope, meeting, on_behalf_of: None }
    }

    /// Somebody who reads the result of a meeting by a link. Nobody has such a name, so nothing there is their own.
    pub fn of_result_link(id: &str, meeting: MeetingId) -> Self {
        Self {
            kind: PrincipalKind::ResultLink,
            id: id.to_owned(),
            name: format!("link:{id}"),
            guest: None,
            scope: Scope::Read,
            meeting: Some(meeting),
            on_behalf_of: None,
        }
    }

    /// The principal of a token, under the name of the person who created it.
    pub fn of_token(id: &str, name: String, scope: Scope, meeting: Option<MeetingId>) -> Self {
        let kind = PrincipalKind::Token;
        Self { kind, id: id.to_owned(), name, guest: None, scope, meeting, on_behalf_of: None }
    }

    /// An agent that answers for its seats.
    pub fn of_agent(
        id: &str,
        name: String,
        person: String,
        scope: Scope,
        meeting: Option<MeetingId>,
    ) -> Self {
        let (id, on_behalf_of) = (id.to_owned(), Some(person));
        Self { kind: PrincipalKind::Agent, id, name, guest: None, scope, meeting, on_behalf_of }
    }

    /// A webhook, under the name of the agent that it answers for.
    pub fn of_webhook(id: &str, name: String, person: String, meeting: Option<MeetingId>) -> Self {
        let (id, on_behalf_of) = (id.to_owned(), Some(person));
        Self {
            kind: PrincipalKind::Webhook,
            id,
            name,
            guest: None,
            scope: Scope::Speak,
            meeting,
            on_behalf_of,
        }
    }

    /// Whether it acts as a person: everybody but agents and webhooks, which take part in the agent's name.
    pub fn is_person(&self) -> bool {
        !matches!(self.kind, PrincipalKind::Agent | PrincipalKind::Webhook)
    }

    /// Whether it may do what a person does: a person, or an agent whose token manages, in the name of whoever made the
    /// token.
    pub fn acts_as_person(&self) -> bool {
        self.is_person() || self.scope >= Scope::Manage
    }

    /// The person in the log of a meeting: an account by its name, a guest by an id that the server made.
    pub fn person(&self) -> Person {
        let name = self.on_behalf_of.as_ref().unwrap_or(&self.name);
        let id = self.guest.as_deref().map_or_else(|| name.clone(), Person::guest_id);
        Person { id, name: name.clone() }
    }

    /// The actor of the principal in the log of a meeting.
    pub fn actor(&self) -> Actor {
        self.person().into()
    }

    /// The account in the audit log, idempotency keys and limits: `user:owner`.
    pub fn account(&self) -> String {
        match self.kind {
            PrincipalKind::Agent => format!("agent:{}", self.name),
            PrincipalKind::Webhook => format!("webhook:{}", self.name),
            PrincipalKind::Guest => self.person().id,
            PrincipalKind::ResultLink => self.name.clone(),
            PrincipalKind::Owner | PrincipalKind::Account | PrincipalKind::Token => {
                format!("user:{}", self.name)
            }
        }
    }

    /// Whether the principal may see hidden marks, private notes and reasoning.
    pub fn sees_all(&self) -> bool {
        self.scope >= Scope::Manage && self.is_person()
    }

    /// What the principal may see of a meeting.
    pub fn visibility(&self) -> Visibility {
        match self.kind {
            PrincipalKind::ResultLink => Visibility::Result,
            PrincipalKind::Owner
            | PrincipalKind::Account
            | PrincipalKind::Guest
            | PrincipalKind::Token
            | PrincipalKind::Agent
            | PrincipalKind::Webhook => Visibility::of(self.sees_all()),
        }
    }

    /// Whether the principal has a permission at a meeting (`None`: at no meeting in particular).
    pub fn may(&self, permission: Permission, meeting: Option<&str>) -> bool {
        let here = match (&self.meeting, meeting) {
            (None, _) => true,
            (Some(own), Some(asked)) => own.as_str() == asked,
            (Some(_), None) => matches!(permission, Permission::Open | Permission::SignedIn),
        };
        here && match permission {
            Permission::Open | Permission::SignedIn => true,
            Permission::Read => self.scope >= Scope::Read,
            Permission::Speak => self.scope >= Scope::Speak,
            Permission::Manage => self.scope >= Scope::Manage,
            Permission::Owner => self.scope >= Scope::Owner,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_holds_at_the_meeting_that_it_is_bound_to_and_nowhere_else() {
        let guest =
            Principal::of_session("s", "Ada".to_owned(), Scope::Speak, Some(MeetingId::new("m")), None);
        assert_eq!(guest.kind, PrincipalKind::Guest);
        assert!(guest.may(Permission::Speak, Some("m")) && guest.may(Permission::SignedIn, None));
        assert!(!guest.may(Permission::Manage, Some("m")));
        assert!(!guest.may(Permission::Read, Some("other")) && !guest.may(Permission::Read, None));
        let account = Principal::of_session("s", "Ben".to_owned(), Scope::Manage, None, None);
        assert_eq!(account.kind, PrincipalKind::Account);
        assert!(account.may(Permission::Manage, None) && !account.may(Permission::Owner, None));
    }

    #[test]
    fn a_guest_is_never_the_account_whose_name_it_has() {
        let meeting = || Some(MeetingId::new("m"));
        let guest = |id: &str, person: Option<&str>| {
            Principal::of_session(id, "Ada".to_owned(), Scope::Speak, meeting(), person.map(str::to_owned))
        };
        let account = Principal::of_session("s", "Ada".to_owned(), Scope::Speak, None, None);
        let (one, other) = (guest("s1", None), guest("s2", None));
        assert_eq!(account.person().id, "Ada");
        assert_ne!(one.person(), account.person());
        assert_ne!(one.person(), other.person(), "two guests of one name are two");
        assert_eq!(guest("s3", Some("k")).person(), guest("s4", Some("k")).person(), "who comes again");
        assert_ne!(one.account(), other.account());
    }
}
