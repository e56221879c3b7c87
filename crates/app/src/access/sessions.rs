//! Sessions: begun with a password or an invitation, renewed, listed, ended.

use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::message;
use quorate_store::{Renewal, Session, TokenSubject, fingerprint};

use super::credential::AccessCredential;
use super::error::IdentityError;
use super::refresh_tokens::Browser;
use super::{Identity, SessionClient, secret};
use crate::clock::now;
use crate::operation::principal::{Principal, PrincipalKind, Scope};

/// The largest number of sessions of one account; one more ends the oldest.
const SESSIONS_OF_ONE: usize = 100;
/// The largest number of guests at one meeting.
const GUESTS_OF_ONE: usize = 1_000;

/// A session that was begun or renewed, with its tokens.
pub struct IssuedSession {
    /// The session.
    pub session: Session,
    /// The access token.
    pub access: String,
    /// The refresh token, which can be used once.
    pub refresh: String,
}

impl Identity {
    /// Begins a session: of an account, or of a guest at one meeting.
    pub(super) async fn begin(
        &self,
        name: String,
        meeting: Option<MeetingId>,
        person: Option<String>,
        scope: &str,
        client: &SessionClient,
    ) -> Result<IssuedSession, IdentityError> {
        let at = now();
        if let Some(person) = &person {
            // Who comes again takes the place of the session before.
            let before = self.sessions().into_iter().filter(|one| one.person.as_ref() == Some(person));
            for session in before.filter(|one| one.meeting == meeting) {
                self.end(&session.id).await?;
            }
        }
        let person = match (&meeting, person) {
            (Some(_), None) => Some(secret("", 8)?),
            (_, person) => person,
        };
        self.make_room(&name, meeting.as_ref()).await?;
        let refresh = secret("qr_", 32)?;
        let session = Session {
            id: secret("", 16)?,
            name: name.clone(),
            guest: meeting.is_some(),
            person,
            scope: scope.to_owned(),
            meeting,
            agent: client.agent.clone(),
            address: client.address.to_string(),
            created_ms: at,
            used_ms: at,
            expires_ms: self.session_end(at),
        };
        if !self.store().begin_session(session.clone(), fingerprint(&refresh)).await? {
            return Err(IdentityError::GuestAlreadyHere { name });
        }
        self.know(|known| {
            // Guests are taken out where their places are given up.
            known.sessions.retain(|_, session| session.guest || session.expires_ms > at);
            known.sessions.insert(session.id.clone(), session.clone());
        });
        self.issued(session, refresh, at).await
    }

    /// Keeps the number of sessions within its limit: an account loses its oldest session, a meeting refuses
    /// further guests.
    async fn make_room(&self, name: &str, meeting: Option<&MeetingId>) -> Result<(), IdentityError> {
        let sessions = self.sessions();
        let Some(meeting) = meeting else {
            let own: Vec<&Session> =
                sessions.iter().filter(|session| !session.guest && session.name == name).collect();
            // The newest are first.
            for oldest in own.iter().skip(SESSIONS_OF_ONE - 1) {
                self.end(&oldest.id).await?;
            }
            return Ok(());
        };
        let guests = sessions.iter().filter(|session| session.meeting.as_ref() == Some(meeting)).count();
        if guests < GUESTS_OF_ONE {
            return Ok(());
        }
        let problem = message!("app-too-many-guests", %guests);
        Err(IdentityError::TooMany { problem, hint: message!("app-too-many-guests-hint").into() })
    }

    /// Renews a session; the refresh token is used up by that. A second use ends the session, unless it comes
    /// from another window of the same browser at the same moment.
    ///
    /// # Errors
    /// When the session is over.
    pub async fn renew(
        &self,
        shown: &str,
        browser: Option<&SessionClient>,
    ) -> Result<IssuedSession, IdentityError> {
        let at = now();
        let next = secret("qr_", 32)?;
        let (old, new) = (fingerprint(shown), fingerprint(&next));
        let grace =
            self.0.refresh_tokens.grace(old, browser.map(Browser::of), at, self.0.options.refresh_grace_ms);
        match self.store().renew_session(old, new, at, self.session_end(at), grace).await? {
            Renewal::Renewed(session) => {
                // A session that was ended in the meantime is not restored.
                let renewed = self.know(|known| {
                    known.sessions.get_mut(&session.id).map(|known| known.clone_from(&session)).is_some()
                });
                if renewed { self.issued(session, next, at).await } else { Err(IdentityError::SessionOver) }
            }
            Renewal::Stolen(id) => {
                tracing::warn!(session = %id, "a refresh token was used twice; its session was ended");
                self.know_out(|known| known.sessions.remove(&id));
                Err(IdentityError::SessionOver)
            }
            Renewal::Unknown => Err(IdentityError::SessionOver),
        }
    }

    async fn issued(
        &self,
        session: Session,
        refresh: String,
        now: Timestamp,
    ) -> Result<IssuedSession, IdentityError> {
        let end = now.plus_ms(u64::from(self.0.options.access_seconds) * 1000);
        let access = self.issue(TokenSubject::Session(session.id.clone()), end, None).await?;
        Ok(IssuedSession { session, access, refresh })
    }

    fn session_end(&self, now: Timestamp) -> Timestamp {
        now.plus_ms(u64::from(self.0.options.session_days) * 24 * 60 * 60 * 1000)
    }

    /// The sessions of the caller, newest first: a guest has only the one that they came with, an account all of its name.
    pub fn sessions_of(&self, principal: &Principal) -> Vec<Session> {
        self.sessions().into_iter().filter(|session| is_own(session, principal)).collect()
    }

    /// Signs the caller out: the session ends, and a guest leaves the table. For the person at this machine, the cookie is
    /// all that there is.
    ///
    /// # Errors
    /// When the caller is not signed in by a session.
    pub async fn sign_out(
        &self,
        principal: &Principal,
        credential: &AccessCredential,
    ) -> Result<(), IdentityError> {
        let id = match credential {
            AccessCredential::Alone => return Ok(()),
            AccessCredential::Session(id) => id,
            AccessCredential::Local(_) | AccessCredential::Token(..) => {
                return Err(IdentityError::NotBySession);
            }
        };
        self.end(id).await?;
        if let Some(meeting) = &principal.meeting {
            self.app().vacate(principal, meeting, principal.actor()).await;
        }
        Ok(())
    }

    /// Ends one session of the caller, as the owner any.
    ///
    /// # Errors
    /// When there is none of this id for the caller.
    pub async fn end_session(&self, principal: &Principal, id: &str) -> Result<(), IdentityError> {
        let is_owner = principal.scope == Scope::Owner && principal.meeting.is_none();
        let found = self.sessions().into_iter().find(|session| session.id == id);
        if !found.is_some_and(|session| is_owner || is_own(&session, principal)) {
            return Err(IdentityError::not_found("session", id));
        }
        self.end(id).await
    }

    /// Ends a session at once.
    pub(super) async fn end(&self, session: &str) -> Result<(), IdentityError> {
        self.store().end_session(session).await?;
        self.know_out(|known| known.sessions.remove(session));
        Ok(())
    }

    /// Takes out the sessions of guests that have expired, and returns those of guests who are in by no other one.
    pub(super) fn take_expired_guests(&self, now: Timestamp) -> Vec<Session> {
        self.know(|known| {
            let is_over = |session: &Session| session.guest && session.expires_ms <= now;
            let ids: Vec<String> =
                known.sessions.values().filter(|it| is_over(it)).map(|it| it.id.clone()).collect();
            let mut over: Vec<Session> = ids.iter().filter_map(|id| known.sessions.remove(id)).collect();
            let is_same = |one: &Session, other: &Session| {
                one.person.is_some() && one.person == other.person && one.meeting == other.meeting
            };
            over.retain(|one| !known.sessions.values().any(|other| is_same(one, other)));
            over
        })
    }

    /// All who are in, newest first.
    pub(super) fn sessions(&self) -> Vec<Session> {
        let at = now();
        let mut sessions: Vec<Session> =
            self.known(|known| known.sessions.values().filter(|it| it.expires_ms > at).cloned().collect());
        sessions.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        sessions
    }
}

fn is_own(session: &Session, principal: &Principal) -> bool {
    match &principal.meeting {
        Some(_) => principal.kind == PrincipalKind::Guest && session.id == principal.id,
        None => !session.guest && session.name == principal.name,
    }
}
