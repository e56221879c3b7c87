//! Invitations of people without an account to a meeting.

use quorate_contract::{MeetingId, NAME_MAX_CHARS, clean_within};
use quorate_messages::message;
use quorate_store::{Invitation, fingerprint};
use serde_json::{Value, json};

use super::error::IdentityError;
use super::guest_names::GuestNaming;
use super::{Identity, secret};
use crate::clock::now;
use crate::operation::principal::{Principal, Scope};

const HOUR_MS: u64 = 60 * 60 * 1000;
/// The default lifetime of an invitation in hours: a week.
const WEEK: u32 = 168;
/// The longest lifetime of an invitation in hours: a year.
const HOURS_MAX: u32 = 8760;
/// The most uses of an invitation that has a limit.
const USES_MAX: u32 = 1000;

/// A new invitation.
#[derive(Debug)]
pub struct NewInvitationRequest {
    /// The name of the guest; guests choose their own when `None`.
    pub name: Option<String>,
    /// The scope of a guest: to read or to speak.
    pub scope: Scope,
    /// The role of the seat that it offers; no seat when `None`.
    pub seat: Option<String>,
    /// The number of uses; when `None`, 1 for an invitation with a name, otherwise no limit.
    pub uses: Option<u32>,
    /// The lifetime in hours; a week when `None`.
    pub expires_in_hours: Option<u32>,
}

/// A new invitation, and its code, which is shown once.
pub struct CreatedInvitation {
    /// What is stored of it.
    pub invitation: Invitation,
    /// The code at the end of the link.
    pub code: String,
}

impl CreatedInvitation {
    /// What the audit log tells of it.
    pub fn audit_detail(&self) -> Value {
        let Invitation { id, scope, seat, .. } = &self.invitation;
        json!({ "invitation": id, "scope": scope, "seat": seat })
    }
}

impl Identity {
    /// The invitations to a meeting that can still be used, newest first.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn invitations(&self, meeting: &MeetingId) -> Result<Vec<Invitation>, IdentityError> {
        self.app().load_whole(meeting).await?;
        Ok(self.app().invitations(meeting, now()).await?)
    }

    /// Creates an invitation to a meeting.
    ///
    /// # Errors
    /// When a part of it is not right, or there is no such meeting.
    pub async fn create_invitation(
        &self,
        principal: &Principal,
        meeting: &MeetingId,
        request: NewInvitationRequest,
    ) -> Result<CreatedInvitation, IdentityError> {
        self.app().load_whole(meeting).await?;
        let invalid = |field, problem, hint| Err(IdentityError::Invalid { field, problem, hint });
        let (name, person) = match request.name {
            Some(name) => {
                let name = self.free_name(meeting, &name, GuestNaming::Invited, None).await?;
                (Some(name), Some(secret("", 8)?))
            }
            None => (None, None),
        };
        if request.scope > Scope::Speak {
            return invalid("scope", message!("app-beyond-guest"), message!("app-beyond-guest-hint"));
        }
        let seat = request.seat.map(|role| seat_role(&role, request.scope)).transpose()?;
        if !request.uses.is_none_or(|uses| (1..=USES_MAX).contains(&uses)) {
            return invalid("uses", message!("app-invitation-uses"), message!("app-invitation-uses-hint"));
        }
        let hours = request.expires_in_hours.unwrap_or(WEEK);
        if !(1..=HOURS_MAX).contains(&hours) {
            let hint = message!("app-invitation-hours-hint");
            return invalid("expires_in_hours", message!("app-invitation-hours"), hint);
        }
        let at = now();
        let code = secret("", 16)?;
        let invitation = Invitation {
            id: secret("", 8)?,
            meeting: meeting.clone(),
            uses_left: request.uses.or(name.as_ref().map(|_| 1)),
            name,
            person,
            scope: request.scope.as_str().to_owned(),
            seat,
            by: principal.name.clone(),
            created_ms: at,
            expires_ms: at.plus_ms(u64::from(hours) * HOUR_MS),
        };
        self.app().add_invitation(invitation.clone(), fingerprint(&code)).await?;
        Ok(CreatedInvitation { invitation, code })
    }

    /// Revokes an invitation. Guests who have already joined with it stay.
    ///
    /// # Errors
    /// When the meeting has no such invitation.
    pub async fn revoke_invitation(&self, meeting: &MeetingId, id: &str) -> Result<(), IdentityError> {
        match self.app().remove_invitation(meeting, id).await? {
            true => Ok(()),
            false => Err(IdentityError::not_found("invitation", id)),
        }
    }
}

/// The role of a seat that is offered.
fn seat_role(role: &str, scope: Scope) -> Result<String, IdentityError> {
    let invalid = |field, problem, hint| IdentityError::Invalid { field, problem, hint };
    if scope < Scope::Speak {
        let hint = message!("app-seat-needs-speak-hint");
        return Err(invalid("seat", message!("app-seat-needs-speak"), hint));
    }
    clean_within(role, 0, NAME_MAX_CHARS).ok_or_else(|| {
        let problem = message!("app-seat-role-too-long", most = NAME_MAX_CHARS);
        invalid("seat.role", problem, message!("app-seat-role-too-long-hint"))
    })
}
