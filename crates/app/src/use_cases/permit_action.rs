//! A person permits or refuses what a coding agent asks for while it answers.

use quorate_contract::{Command, MeetingId, Refusal};
use quorate_messages::message;
use quorate_runners::PermissionKey;

use super::App;
use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::{Principal, PrincipalKind};

impl App {
    /// Writes the answer to the log, then tells the agent. Programs that take part themselves permit nothing.
    ///
    /// # Errors
    /// When the agent does not wait for it any more, or the caller is no person.
    pub(super) async fn permit_action(
        &self,
        principal: &Principal,
        id: &MeetingId,
        command: Command,
    ) -> Result<u64, ServiceError> {
        let Command::PermitAction { by: _, task, attempt, number, allowed } = command else {
            return Ok(self.meeting(id).await?.execute(command).await?);
        };
        if matches!(principal.kind, PrincipalKind::Agent | PrincipalKind::Webhook) {
            let error = ServiceError::new(message!("app-permit-person"), message!("app-permit-person-hint"));
            return Err(error.of(ErrorKind::Permission));
        }
        let meeting = self.meeting(id).await?;
        let key = PermissionKey { meeting: id.clone(), task, attempt, number };
        // The agent is told what the log holds: whoever has the way to it gives the one answer.
        let Some(answer) = self.0.runners.permissions().take(&key) else {
            return Err(Refusal::TurnIsOver { task }.into());
        };
        let by = principal.person();
        let seq = meeting.execute(Command::PermitAction { by, task, attempt, number, allowed }).await?;
        answer.give(allowed);
        Ok(seq)
    }
}
