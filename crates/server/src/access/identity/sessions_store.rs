//! Sessions: started with a password or an invitation, renewed, ended.

use axum::http::StatusCode;
use quorate_app::{App, Attempt, Renewal, Session, TokenSubject, fingerprint};
use quorate_contract::{MeetingId, Timestamp};
use quorate_messages::message;

use super::{Access, Browser, Issued, secret, sign_in};
use crate::access::client::Client;
use crate::problem::Problem;

/// The largest number of sessions of one account; one more ends the oldest.
const SESSIONS_OF_ONE: usize = 100;
/// The largest number of guests at one meeting.
const GUESTS_OF_ONE: usize = 1_000;

impl Access {
    /// The session of an account, for the right password. An unknown name takes as long as a wrong password,
    /// and is refused in the same words.
    pub(crate) async fn sign_in(
        &self,
        app: &App,
        name: &str,
        password: String,
        client: &Client,
        agent: String,
        known: Option<String>,
    ) -> Result<Issued, Problem> {
        let known = known.filter(|cookie| self.issued_for(cookie) == Some(known_browser(name)));
        let attempt = match &known {
            Some(cookie) => Attempt::KnownBrowser(fingerprint(cookie)),
            None => Attempt::Account(name),
        };
        let counted = app.attempt(client.address, attempt)?;
        let found = app.account_password(&counted, name).await?;
        let kept = found.as_ref().map(|(_, kept)| kept.clone());
        match (self.is_right(password, kept).await?, found) {
            (true, Some((account, kept))) => {
                let issued = self.begin(account.name, None, None, &account.scope, client, agent).await?;
                // Another password, or none, ends all sessions that there are; this one may have come just after.
                if app.account_password(&counted, name).await?.is_some_and(|(_, now)| now == kept) {
                    return Ok(issued);
                }
                self.end(&issued.session.id).await?;
                Err(wrong_password())
            }
            (true | false, _) => Err(wrong_password()),
        }
    }

    /// Issues the cookie of a browser in which an account has signed in: attempts with it are counted apart
    /// from those of other clients behind the same address. It replaces the cookie that the browser `showed`.
    ///
    /// # Errors
    /// When this machine gives no random numbers.
    pub(crate) async fn known_browser(
        &self,
        name: &str,
        seconds: u64,
        showed: Option<&str>,
    ) -> Result<String, Problem> {
        let subject = known_browser(name);
        let showed = showed.filter(|cookie| self.issued_for(cookie).as_ref() == Some(&subject));
        self.issue(subject, quorate_app::now().plus_ms(seconds * 1000), showed).await
    }

    /// Begins a session: of an account, or of a guest at one meeting.
    pub(crate) async fn begin(
        &self,
        name: String,
        meeting: Option<MeetingId>,
        person: Option<String>,
        scope: &str,
        client: &Client,
        agent: String,
    ) -> Result<Issued, Problem> {
        let now = quorate_app::now();
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
            agent,
            address: client.address.to_string(),
            created_ms: now,
            used_ms: now,
            expires_ms: self.session_end(now),
        };
        if !self.0.store.begin_session(session.clone(), fingerprint(&refresh)).await? {
            let detail = message!("server-guest-already-here", %name);
            return Err(Problem::new(StatusCode::CONFLICT, "name-taken", detail.clone())
                .hint(message!("server-choose-another-name"))
                .field("name", detail));
        }
        self.know(|known| {
            // Guests are taken out where their places are given up.
            known.sessions.retain(|_, session| session.guest || session.expires_ms > now);
            known.sessions.insert(session.id.clone(), session.clone());
        });
        self.issued(session, refresh, now).await
    }

    /// Keeps the number of sessions within its limit: an account loses its oldest session, a meeting refuses
    /// further guests.
    async fn make_room(&self, name: &str, meeting: Option<&MeetingId>) -> Result<(), Problem> {
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
        let detail = message!("server-too-many-guests", %guests);
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail)
            .hint(message!("server-too-many-guests-hint"))
            .retry_after(60))
    }

    /// Renews a session; the refresh token is used up by that. A second use ends the session, unless it comes
    /// from another window of the same browser at the same moment.
    pub(crate) async fn renew(&self, shown: &str, browser: Option<Browser>) -> Result<Issued, Problem> {
        let now = quorate_app::now();
        let next = secret("qr_", 32)?;
        let (old, new) = (fingerprint(shown), fingerprint(&next));
        let grace = self.0.refresh_tokens.grace(old, browser, now, self.0.options.refresh_grace_ms);
        let over = || sign_in(message!("server-session-over")).hint(message!("server-sign-in-again"));
        match self.0.store.renew_session(old, new, now, self.session_end(now), grace).await? {
            Renewal::Renewed(session) => {
                // A session that was ended in the meantime is not restored.
                let renewed = self.know(|known| {
                    known.sessions.get_mut(&session.id).map(|known| known.clone_from(&session)).is_some()
                });
                if renewed { self.issued(session, next, now).await } else { Err(over()) }
            }
            Renewal::Stolen(id) => {
                tracing::warn!(session = %id, "a refresh token was used twice; its session was ended");
                self.know_out(|known| known.sessions.remove(&id));
                Err(over())
            }
            Renewal::Unknown => Err(over()),
        }
    }

    async fn issued(&self, session: Session, refresh: String, now: Timestamp) -> Result<Issued, Problem> {
        let end = now.plus_ms(u64::from(self.0.options.access_seconds) * 1000);
        let access = self.issue(TokenSubject::Session(session.id.clone()), end, None).await?;
        Ok(Issued { session, access, refresh })
    }

    fn session_end(&self, now: Timestamp) -> Timestamp {
        now.plus_ms(u64::from(self.0.options.session_days) * 24 * 60 * 60 * 1000)
    }

    /// Ends a session at once; `false` when there is none.
    pub(crate) async fn end(&self, session: &str) -> Result<bool, Problem> {
        let ended = self.0.store.end_session(session).await?;
        self.know_out(|known| known.sessions.remove(session));
        Ok(ended)
    }

    /// Takes out the sessions of guests that have expired, and returns those of guests who are in by no other one.
    pub(crate) fn take_expired_guests(&self, now: Timestamp) -> Vec<Session> {
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
    pub(crate) fn sessions(&self) -> Vec<Session> {
        let now = quorate_app::now();
        let mut sessions: Vec<Session> =
            self.known(|known| known.sessions.values().filter(|it| it.expires_ms > now).cloned().collect());
        sessions.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        sessions
    }
}

fn known_browser(name: &str) -> TokenSubject {
    TokenSubject::KnownBrowser(name.to_lowercase())
}

fn wrong_password() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", message!("server-wrong-sign-in"))
        .hint(message!("server-wrong-sign-in-hint"))
}
