//! Guests whose sessions expire leave the table, and give up their seats.
//!
//! While the server runs, the sessions in memory tell who is gone. At the start the tables tell: a guest who is at one and
//! has no session was in when the last process ended.

use std::collections::HashSet;

use quorate_contract::{Actor, Person};
use quorate_store::Session;

use super::Identity;
use super::guests::principal_of;
use crate::clock::now;
use crate::operation::principal::{Principal, Scope};

impl Identity {
    /// Takes guests from the table whose sessions have expired by now.
    pub async fn vacate_expired_guests(&self) {
        for session in self.take_expired_guests(now()) {
            let Some(meeting) = session.meeting.clone() else { continue };
            self.app().vacate(&principal_of(session), &meeting, Actor::System).await;
        }
    }

    /// Takes guests from the tables of meetings that are not over who have no session any more.
    pub async fn vacate_gone_guests(&self) {
        let meetings = match self.app().open_meetings().await {
            Ok(meetings) => meetings,
            Err(error) => {
                tracing::warn!(error = error.message(), "guests without a session stay at their tables");
                return;
            }
        };
        for meeting in meetings {
            // A meeting that cannot be read is found by the look that reports it.
            let Ok(guests) = self.app().guests_at(&meeting).await else { continue };
            if guests.is_empty() {
                continue;
            }
            let sessions = self.sessions();
            let here = sessions.iter().filter(|session| session.meeting.as_ref() == Some(&meeting));
            let here: HashSet<String> = here.map(guest_id).collect();
            for guest in guests.into_iter().filter(|guest| !here.contains(&guest.id)) {
                let number = guest.id.trim_start_matches(Person::GUEST_PREFIX).to_owned();
                let at = Some(meeting.clone());
                let gone = Principal::of_session(&number, guest.name, Scope::Speak, at, Some(number.clone()));
                self.app().vacate(&gone, &meeting, Actor::System).await;
            }
        }
    }
}

/// The id of a guest at the table.
fn guest_id(session: &Session) -> String {
    Person::guest_id(session.person.as_deref().unwrap_or(&session.id))
}
