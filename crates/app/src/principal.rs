//! Who asks for something, and what they may do.

use quorate_contract::{Actor, MeetingId};
use quorate_views::Visibility;
use serde::{Deserialize, Serialize};

/// What a principal may do; each scope includes those before it.
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
}

/// What a use case needs of whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Nothing: health, the documentation, signing in.
    Open,
    /// Somebody who has signed in, whatever they may do.
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
    /// The least scope that has it; `None` where any scope, or nobody at all, will do.
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

/// How a principal is known to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrincipalKind {
    /// The person at this machine, who needs no account.
    Owner,
    /// Somebody who signed in with name and password.
    Account,
    /// Somebody who joined one meeting by an invitation or its password.
    Guest,
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
            Self::Token => "token",
            Self::Agent => "agent",
            Self::Webhook => "webhook",
        }
    }
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// How they are known.
    pub kind: PrincipalKind,
    /// The session or the token that they show; empty for the person at this machine.
    pub id: String,
    /// By which a person is known and called in the log of a meeting.
    pub name: String,
    /// What they may do.
    pub scope: Scope,
    /// The one meeting that they may do it at; all meetings when `None`.
    pub meeting: Option<MeetingId>,
}

impl Principal {
    /// The person at this machine, where nobody has to sign in.
    pub fn owner() -> Self {
        Self {
            kind: PrincipalKind::Owner,
            id: String::new(),
            name: "owner".to_owned(),
            scope: Scope::Owner,
            meeting: None,
        }
    }

    /// Somebody with a session: a guest when it is bound to one meeting.
    pub fn of_session(id: &str, name: String, scope: Scope, meeting: Option<MeetingId>) -> Self {
        let kind = if meeting.is_some() { PrincipalKind::Guest } else { PrincipalKind::Account };
        Self { kind, id: id.to_owned(), name, scope, meeting }
    }

    /// A program that shows a token, in the name of whoever made it.
    pub fn of_token(id: &str, name: String, scope: Scope, meeting: Option<MeetingId>) -> Self {
        Self { kind: PrincipalKind::Token, id: id.to_owned(), name, scope, meeting }
    }

    /// Who they are in the log of a meeting.
    pub fn actor(&self) -> Actor {
        Actor::person(self.name.as_str(), self.name.as_str())
    }

    /// How the audit log, idempotency keys and limits know them: `user:owner`.
    pub fn account(&self) -> String {
        format!("user:{}", self.name)
    }

    /// Whether they may see hidden marks, private notes and reasoning.
    pub fn sees_all(&self) -> bool {
        self.scope >= Scope::Manage
    }

    /// What they may see of a meeting.
    pub fn visibility(&self) -> Visibility {
        Visibility::of(self.sees_all())
    }

    /// Whether they may do something at a meeting (`None`: at no meeting in particular).
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
        let guest = Principal::of_session("s", "Ada".to_owned(), Scope::Speak, Some(MeetingId::new("m")));
        assert_eq!(guest.kind, PrincipalKind::Guest);
        assert!(guest.may(Permission::Speak, Some("m")) && guest.may(Permission::SignedIn, None));
        assert!(!guest.may(Permission::Manage, Some("m")));
        assert!(!guest.may(Permission::Read, Some("other")) && !guest.may(Permission::Read, None));
        let account = Principal::of_session("s", "Ben".to_owned(), Scope::Manage, None);
        assert_eq!(account.kind, PrincipalKind::Account);
        assert!(account.may(Permission::Manage, None) && !account.may(Permission::Owner, None));
    }
}
