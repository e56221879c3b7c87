//! Who asks, and what they may do.
//!
//! Every request becomes a [`Principal`] before anything else; the [`MATRIX`] says in one table what each
//! route needs. Handlers check nothing themselves: what reaches them is allowed.

mod accounts;
mod admission;
mod audit;
mod client;
mod cookies;
mod guard;
mod guests;
mod held;
mod identity;
mod local;
mod matrix;
mod options;
mod origin;
mod refusals;
mod sessions;
mod signer;
mod tokens;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use quorate_contract::MeetingId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::problem::Problem;
use crate::queue::Requester;
use crate::state::ServerState;

pub(crate) use admission::{admission, cors};
pub(crate) use audit::{Detail, Note, action, note as audit};
pub(crate) use client::Client;
pub use client::Peer;
pub(crate) use guard::{forbidden, guard, may_set_going};
pub use identity::Access;
pub(crate) use identity::Credential;
pub(crate) use local::note_local_sign_in;
pub use local::{LocalToken, TOKEN_VARIABLE};
pub(crate) use matrix::need;
pub use matrix::{MATRIX, Need};
pub use options::{AccessError, AccessOptions, AccessSecrets};

/// The doors themselves.
pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new()
        .merge(sessions::routes())
        .merge(local::routes())
        .merge(accounts::routes())
        .merge(tokens::routes())
        .merge(guests::routes())
        .merge(audit::routes())
}

/// What somebody may do; each may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
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
    /// All of them, from the least to the most.
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

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The name that stands in events as `user:<name>`.
    pub name: String,
    /// What they may do.
    pub scope: Scope,
    /// The one meeting that they may do it at; all meetings when `None`.
    pub meeting: Option<MeetingId>,
}

impl Principal {
    /// The person at this machine, where nobody has to sign in.
    pub fn alone() -> Self {
        Self { name: "owner".to_owned(), scope: Scope::Owner, meeting: None }
    }

    /// How the meeting names them: `user:owner`.
    pub fn actor(&self) -> String {
        format!("user:{}", self.name)
    }

    /// As whom the queues of jobs know them.
    pub(crate) fn requester(&self) -> Requester {
        let meeting = self.meeting.as_ref().map_or("", |meeting| meeting.as_str());
        Requester { person: format!("{meeting}/{}", self.name), manages: self.sees_all() }
    }

    /// Whether they may see hidden marks, private notes and reasoning.
    pub fn sees_all(&self) -> bool {
        self.scope >= Scope::Manage
    }

    /// Whether they may do something at a meeting (`None`: at no meeting in particular).
    pub fn may(&self, need: Need, meeting: Option<&str>) -> bool {
        let here = match (&self.meeting, meeting) {
            (None, _) => true,
            (Some(own), Some(asked)) => own.as_str() == asked,
            (Some(_), None) => matches!(need, Need::Open | Need::SignedIn),
        };
        here && match need {
            Need::Open | Need::SignedIn => true,
            Need::Read => self.scope >= Scope::Read,
            Need::Speak => self.scope >= Scope::Speak,
            Need::Manage => self.scope >= Scope::Manage,
            Need::Owner => self.scope >= Scope::Owner,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Principal {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Principal>()
            .cloned()
            .ok_or_else(|| Problem::not_found("page", parts.uri.path()))
    }
}
