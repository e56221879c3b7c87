//! Guests: people without an account who take part in one meeting, by invitation or with its password.

use quorate_contract::{MeetingId, Person};
use quorate_messages::message;
use quorate_store::{Invitation, Session, fingerprint};
use serde_json::json;

use super::error::IdentityError;
use super::guest_names::GuestNaming;
use super::sessions::IssuedSession;
use super::{Identity, SessionClient};
use crate::attendance::own_seat::OwnSeat;
use crate::clock::now;
use crate::error::ServiceError;
use crate::operation::audit::AuditNote;
use crate::operation::principal::{Principal, Scope};
use crate::operation::rate_limits::Attempt;

/// The status of a session that was begun.
const CREATED: u16 = 201;

/// An invitation that is used.
#[derive(Debug)]
pub struct InvitationCode {
    /// The code at the end of the link.
    pub code: String,
    /// The name that the guest chooses; not needed when the invitation sets it.
    pub name: Option<String>,
}

/// To what an invitation invites.
#[derive(Debug)]
pub struct InvitationPreview {
    /// The invitation.
    pub invitation: Invitation,
    /// The title of the meeting.
    pub title: String,
    /// Its topic.
    pub topic: String,
    /// Whether it is over, so that there is nothing left to take part in but its record.
    pub is_over: bool,
}

/// The password of a meeting that is used.
pub struct MeetingPassword {
    /// The password.
    pub password: String,
    /// The name that the guest chooses.
    pub name: String,
}

/// The session of a guest.
pub struct GuestSession {
    /// The session, with its tokens.
    pub issued: IssuedSession,
    /// The name at the table, where the invitation offers a seat; the error when there is none for the guest, who has come
    /// all the same.
    pub seat: Option<Result<String, ServiceError>>,
}

impl Identity {
    /// Shows to what an invitation invites, to whoever has its code: with it they could go there and read that, too.
    ///
    /// # Errors
    /// When the invitation is over, or there were too many attempts.
    pub async fn preview_invitation(
        &self,
        code: &str,
        client: &SessionClient,
    ) -> Result<InvitationPreview, IdentityError> {
        let counted = self.app().attempt(client.address, Attempt::InvitationPreview)?;
        let found = self.app().invitation(&counted, fingerprint(code), now()).await?;
        let invitation = found.ok_or(IdentityError::InvitationOver)?;
        let meeting = self.app().load(&invitation.meeting).await?;
        let (title, topic) = (meeting.title().to_owned(), meeting.settings.topic.clone());
        Ok(InvitationPreview { invitation, title, topic, is_over: meeting.is_over() })
    }

    /// Lets a guest in by an invitation, and seats the guest when it offers a seat. Leaves the line `guest.came`.
    ///
    /// # Errors
    /// When the invitation is over, the name is taken, or there were too many attempts.
    pub async fn join(
        &self,
        given: InvitationCode,
        client: &SessionClient,
    ) -> Result<GuestSession, IdentityError> {
        // A code of 16 random bytes cannot be guessed, so all invitations share one limit per address.
        let counted = self.app().attempt(client.address, Attempt::Invitation)?;
        let at = now();
        let found = self.app().invitation(&counted, fingerprint(&given.code), at).await?;
        let found = found.ok_or(IdentityError::InvitationOver)?;
        let wanted = found.name.clone().or(given.name).ok_or_else(|| IdentityError::Invalid {
            field: "name",
            problem: message!("app-guest-name-missing"),
            hint: message!("app-guest-name-hint"),
        })?;
        let known = if found.name.is_some() { GuestNaming::Invited } else { GuestNaming::Nobody };
        let name = self.free_name(&found.meeting, &wanted, known, found.person.as_deref()).await?;
        if !self.app().take_invitation(&found.id, at).await? {
            return Err(IdentityError::InvitationOver);
        }
        let meeting = found.meeting.clone();
        let begun = self.begin(name, Some(meeting), found.person, &found.scope, client).await;
        if begun.is_err() {
            self.app().give_back_invitation(&found.id).await?;
        }
        let issued = begun?;
        let seat = match (found.seat, issued.session.meeting.clone()) {
            (Some(role), Some(meeting)) => {
                let guest = principal_of(issued.session.clone());
                Some(self.app().take_seat(&guest, &meeting, OwnSeat { name: None, role }).await)
            }
            (Some(_) | None, _) => None,
        };
        let guest = GuestSession { issued, seat };
        self.note_guest(&guest, client, "by invitation");
        Ok(guest)
    }

    /// Lets a guest in by the password of a meeting. Leaves the line `guest.came`.
    ///
    /// # Errors
    /// When the password is not right, the name is taken, or there were too many attempts. No meeting, one without a password
    /// and a wrong password are answered alike.
    pub async fn enter(
        &self,
        meeting: &MeetingId,
        given: MeetingPassword,
        client: &SessionClient,
    ) -> Result<GuestSession, IdentityError> {
        let counted = self.app().attempt(client.address, Attempt::Meeting(meeting.as_str()))?;
        let kept = self.app().kept_password(&counted, meeting).await?;
        if !self.is_right(given.password, kept).await? {
            return Err(IdentityError::WrongMeetingPassword);
        }
        let name = self.free_name(meeting, &given.name, GuestNaming::Nobody, None).await?;
        let issued = self.begin(name, Some(meeting.clone()), None, Scope::Speak.as_str(), client).await?;
        let guest = GuestSession { issued, seat: None };
        self.note_guest(&guest, client, "with the password");
        Ok(guest)
    }

    fn note_guest(&self, guest: &GuestSession, client: &SessionClient, how: &str) {
        let session = &guest.issued.session;
        let seat = guest.seat.as_ref().and_then(|seat| seat.as_ref().ok());
        self.app().note(AuditNote {
            who: session.person.as_deref().map(Person::guest_id).unwrap_or_default(),
            action: "guest.came".to_owned(),
            meeting: session.meeting.clone(),
            address: Some(client.address),
            status: CREATED,
            detail: json!({ "how": how, "name": session.name, "session": session.id, "seat": seat }),
        });
    }

    /// The sessions of the guests at a meeting, newest first.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn guests(&self, meeting: &MeetingId) -> Result<Vec<Session>, IdentityError> {
        self.app().load_whole(meeting).await?;
        let is_here = |session: &Session| session.meeting.as_ref() == Some(meeting);
        Ok(self.sessions().into_iter().filter(is_here).collect())
    }

    /// Ends the session of a guest, whose seat is given up.
    ///
    /// # Errors
    /// When the meeting has no such guest.
    pub async fn remove_guest(
        &self,
        principal: &Principal,
        meeting: &MeetingId,
        session: &str,
    ) -> Result<(), IdentityError> {
        let found = self.sessions().into_iter().find(|guest| guest.id == session);
        let Some(guest) = found.filter(|guest| guest.meeting.as_ref() == Some(meeting)) else {
            return Err(IdentityError::not_found("guest", session));
        };
        self.end(session).await?;
        self.app().vacate(&principal_of(guest), meeting, principal.actor()).await;
        Ok(())
    }
}

/// The principal of a session.
pub(super) fn principal_of(session: Session) -> Principal {
    let Session { id, name, scope, meeting, person, .. } = session;
    Principal::of_session(&id, name, Scope::of_stored(&scope), meeting, person)
}
