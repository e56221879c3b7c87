//! Use cases for the person at this machine, who uses a command on a database that no server holds.

use std::pin::Pin;

use quorate_contract::{Command, MeetingId};
use quorate_store::Answer;

use crate::app::App;
use crate::denial::Denial;
use crate::error::{ErrorKind, ServiceError};
use crate::invocation::Invocation;
use crate::perform::Caller;
use crate::principal::Principal;
use crate::use_case::UseCase;

/// A call that carries no idempotency key: its outcome is for this process alone.
struct LocalCall<T>(Pin<Box<dyn Future<Output = Result<T, ServiceError>> + Send>>);

impl<T: Send + 'static> Invocation for LocalCall<T> {
    type Outcome = Result<T, ServiceError>;

    fn execute(self) -> impl Future<Output = Self::Outcome> + Send {
        self.0
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        Err(denial.into())
    }

    fn broken() -> Self::Outcome {
        let hint = ("please report it with the log", "请附上日志报告");
        Err(ServiceError::new(("this is a fault of Quorate", "这是众议自身的缺陷"), hint)
            .of(ErrorKind::Internal))
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        outcome.as_ref().map_or_else(status_of, |_| 200)
    }

    async fn answer(outcome: Self::Outcome) -> Result<(Answer, Self::Outcome), Self::Outcome> {
        Err(outcome)
    }

    fn replay(_: Answer) -> Self::Outcome {
        Err(Denial::KeyReused.into())
    }
}

/// The audit status of an error, in the numbers that all transports share.
fn status_of(error: &ServiceError) -> u16 {
    match error.kind() {
        ErrorKind::Validation => 422,
        ErrorKind::NotFound => 404,
        ErrorKind::Api => 502,
        ErrorKind::MeetingState | ErrorKind::Agenda => 409,
        ErrorKind::Permission => 403,
        ErrorKind::Storage => 503,
        ErrorKind::Internal => 500,
    }
}

impl App {
    /// Carries out a use case for the person at this machine, with the same permission check, limits and
    /// audit entry as for every other principal.
    ///
    /// # Errors
    /// When it is refused, or fails.
    pub async fn perform_here<T: Send + 'static>(
        &self,
        use_case: UseCase,
        meeting: Option<MeetingId>,
        action: impl Future<Output = Result<T, ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.perform(use_case, Caller::at_this_machine(), meeting, LocalCall(Box::pin(action))).await
    }

    /// Carries out a command on a meeting for the person at this machine. The returned sequence number is
    /// durable.
    ///
    /// # Errors
    /// When it is refused, or the meeting does not exist.
    pub async fn command_here(&self, id: &MeetingId, command: Command) -> Result<u64, ServiceError> {
        let (app, meeting) = (self.clone(), id.clone());
        let Some(use_case) = UseCase::of_command(&command) else {
            return Ok(self.meeting(id).await?.execute(command).await?);
        };
        let action = async move { app.command(&Principal::owner(), &meeting, command).await };
        self.perform_here(use_case, Some(id.clone()), action).await
    }
}
