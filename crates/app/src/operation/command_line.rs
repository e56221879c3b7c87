//! Use cases for the person at this machine, who uses a command on a database that no server holds.

use futures::future::BoxFuture;
use quorate_contract::{Command, MeetingId};
use quorate_messages::message;
use quorate_store::StoredResponse;
use serde_json::Value;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::caller::Caller;
use crate::operation::denial::Denial;
use crate::operation::invocation::Invocation;
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// A call that carries no idempotency key: its outcome is for this process alone.
struct LocalCall<T> {
    action: BoxFuture<'static, Result<(T, Value), ServiceError>>,
    /// Details for the audit log where the action fails.
    detail: Value,
}

/// The outcome of such a call.
struct LocalOutcome<T> {
    result: Result<T, ServiceError>,
    detail: Value,
}

impl<T> LocalOutcome<T> {
    fn failed(error: ServiceError) -> Self {
        Self { result: Err(error), detail: Value::Null }
    }
}

impl<T: Send + 'static> Invocation for LocalCall<T> {
    type Outcome = LocalOutcome<T>;

    async fn execute(self) -> Self::Outcome {
        match self.action.await {
            Ok((done, detail)) => LocalOutcome { result: Ok(done), detail },
            Err(error) => LocalOutcome { result: Err(error), detail: self.detail },
        }
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        LocalOutcome { result: Err(denial.into()), detail: self.detail.clone() }
    }

    fn broken() -> Self::Outcome {
        let hint = message!("app-bug-hint");
        LocalOutcome::failed(ServiceError::new(message!("app-bug"), hint).of(ErrorKind::Internal))
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        outcome.result.as_ref().map_or_else(status_of, |_| 200)
    }

    fn detail(outcome: &Self::Outcome) -> Option<Value> {
        Some(outcome.detail.clone())
    }

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        Err(outcome)
    }

    fn replay(_: StoredResponse) -> Self::Outcome {
        LocalOutcome::failed(Denial::KeyReused.into())
    }
}

/// The audit status of an error, in the numbers that all transports share.
pub(crate) fn status_of(error: &ServiceError) -> u16 {
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
        let action = async move { Ok((action.await?, Value::Null)) };
        self.perform_here_noting(use_case, meeting, Value::Null, action).await
    }

    /// The same, with details for the audit log: `detail` where it fails, otherwise what the action gives.
    pub(crate) async fn perform_here_noting<T: Send + 'static>(
        &self,
        use_case: UseCase,
        meeting: Option<MeetingId>,
        detail: Value,
        action: impl Future<Output = Result<(T, Value), ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.perform_as(Caller::at_this_machine(), use_case, meeting, detail, action).await
    }

    /// The same for what the server does by itself, as its owner has set it.
    pub(crate) async fn perform_scheduled<T: Send + 'static>(
        &self,
        use_case: UseCase,
        detail: Value,
        action: impl Future<Output = Result<(T, Value), ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        self.perform_as(Caller::schedule(), use_case, None, detail, action).await
    }

    async fn perform_as<T: Send + 'static>(
        &self,
        caller: Caller,
        use_case: UseCase,
        meeting: Option<MeetingId>,
        detail: Value,
        action: impl Future<Output = Result<(T, Value), ServiceError>> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let call = LocalCall { action: Box::pin(action), detail };
        self.perform(use_case, caller, meeting, call).await.result
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
