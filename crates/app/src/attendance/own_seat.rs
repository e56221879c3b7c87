//! The seat of the caller: a person takes it and is asked in turn, and gives it up, as an agent does.

use quorate_contract::{Command, Language, MeetingId, Newcomer, Refusal, Role, RunnerSpec, clean};
use quorate_messages::{message, text};
use quorate_runners::Respondent;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::callers_seat::{respondent, seat_of};
use crate::operation::principal::{Principal, PrincipalKind};
use crate::use_cases::App;

/// The seat that a person takes.
#[derive(Debug, Clone, Default)]
pub struct OwnSeat {
    /// The name at the table; the person's own when `None`.
    pub name: Option<String>,
    /// The role in a few words; that of a person when empty.
    pub role: String,
}

impl App {
    /// Seats a person at a meeting, and gives the name at the table. Who has a seat keeps it.
    ///
    /// # Errors
    /// When the meeting takes nobody in, or something of the seat is not right.
    pub async fn take_seat(
        &self,
        principal: &Principal,
        id: &MeetingId,
        wanted: OwnSeat,
    ) -> Result<String, ServiceError> {
        let meeting = self.load(id).await?;
        if let Some(seat) = seat_of(&meeting, principal) {
            return Ok(seat.participant.name.clone());
        }
        let Respondent { via, name } = respondent(principal);
        let newcomer = Newcomer {
            name: wanted.name.unwrap_or_else(|| principal.person().name),
            role: role(&wanted.role, meeting.language()),
            runner: RunnerSpec::External { via, name },
            skip_list: Vec::new(),
        };
        let named = newcomer.name.clone();
        let command = Command::Join { by: principal.actor(), newcomer: Box::new(newcomer) };
        match self.command(principal, id, command).await {
            Ok(_) => Ok(named),
            // A second call of the same person was quicker.
            Err(error) if matches!(error.refusal(), Some(Refusal::NameTaken { .. })) => {
                match seat_of(&self.load(id).await?, principal) {
                    Some(seat) => Ok(seat.participant.name.clone()),
                    None => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Seats the caller at a meeting: an agent that is registered, or a person with an account. A guest is seated by its
    /// invitation.
    ///
    /// # Errors
    /// When the caller is none of them, or the meeting takes nobody in.
    pub async fn join_meeting(
        &self,
        principal: &Principal,
        id: &MeetingId,
        wanted: OwnSeat,
    ) -> Result<String, ServiceError> {
        match principal.kind {
            PrincipalKind::Agent => self.seat_agent(principal, id).await,
            PrincipalKind::Owner | PrincipalKind::Account | PrincipalKind::Token => {
                self.take_seat(principal, id, wanted).await
            }
            PrincipalKind::Guest | PrincipalKind::ResultLink | PrincipalKind::Webhook => {
                let (message, hint) =
                    (message!("app-seat-by-invitation"), message!("app-seat-by-invitation-hint"));
                Err(ServiceError::new(message, hint).of(ErrorKind::Permission))
            }
        }
    }

    /// Gives up the seat of the caller, and says which event followed. What was said stays.
    ///
    /// # Errors
    /// When the caller has no seat there, or the meeting is over.
    pub async fn leave_meeting(&self, principal: &Principal, id: &MeetingId) -> Result<u64, ServiceError> {
        let meeting = self.load(id).await?;
        let Some(seat) = seat_of(&meeting, principal) else {
            let (message, hint) = (message!("app-no-seat"), message!("app-no-seat-hint"));
            return Err(ServiceError::new(message, hint).of(ErrorKind::MeetingState));
        };
        let participant = seat.participant.name.clone();
        self.command(principal, id, Command::Leave { by: principal.actor(), participant }).await
    }
}

/// The role of a person, in the language of the meeting.
fn role(given: &str, language: Language) -> Role {
    let given = clean(given);
    let name = match given.trim() {
        "" => text!(language, "app-person-role").to_owned(),
        given => given.to_owned(),
    };
    let description = text!(language, "app-person-role-description").to_owned();
    Role { name, description, system_prompt: String::new() }
}
