//! One message over a WebSocket, as the application carries it out: the same use cases as over REST.

use quorate_app::{Denial, Invocation, Principal, RequestKey, StoredResponse};
use quorate_contract::{Command, MeetingId};
use quorate_messages::message;
use sha2::{Digest, Sha256};

use crate::problem::Problem;
use crate::state::ServerState;

/// A command to a meeting.
pub(super) struct SocketCall {
    pub(super) server: ServerState,
    pub(super) principal: Principal,
    pub(super) meeting: MeetingId,
    pub(super) command: Command,
    pub(super) key: Option<RequestKey>,
}

/// The key of a message, and a checksum of what it asks for.
pub(super) fn request_key(key: String, meeting: &MeetingId, command: &Command) -> RequestKey {
    let mut checksum = Sha256::new();
    checksum.update("websocket\0");
    checksum.update(meeting.as_str());
    checksum.update([0]);
    checksum.update(format!("{command:?}"));
    RequestKey { key, checksum: checksum.finalize().into() }
}

/// A message that is a use case and cannot be carried out as it is written.
pub(super) struct RefusedCall {
    pub(super) problem: Option<Problem>,
}

impl Invocation for RefusedCall {
    type Outcome = Result<u64, Problem>;

    fn limit(&mut self) -> Result<(), Self::Outcome> {
        self.problem.take().map_or(Ok(()), |problem| Err(Err(problem)))
    }

    async fn execute(self) -> Self::Outcome {
        Self::broken()
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        Err(denial.into())
    }

    fn broken() -> Self::Outcome {
        SocketCall::broken()
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        SocketCall::status(outcome)
    }

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        Err(outcome)
    }

    fn replay(answer: StoredResponse) -> Self::Outcome {
        SocketCall::replay(answer)
    }
}

impl Invocation for SocketCall {
    /// The sequence number after it, which is durable.
    type Outcome = Result<u64, Problem>;

    async fn key(&mut self) -> Result<Option<RequestKey>, Self::Outcome> {
        Ok(self.key.take())
    }

    async fn execute(self) -> Self::Outcome {
        let Self { server, principal, meeting, command, .. } = self;
        Ok(server.app().command(&principal, &meeting, command).await?)
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        Err(denial.into())
    }

    fn broken() -> Self::Outcome {
        Err(Problem::our_fault(message!("server-bug")))
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        outcome.as_ref().map_or_else(|problem| problem.status().as_u16(), |_| 200)
    }

    fn is_unknown(outcome: &Self::Outcome) -> bool {
        outcome.as_ref().is_err_and(Problem::is_unknown)
    }

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        let body = outcome.as_ref().map_or_else(|_| Vec::new(), |seq| seq.to_string().into_bytes());
        let answer =
            StoredResponse { status: Self::status(&outcome), headers: Vec::new(), body, meeting: None };
        Ok((answer, outcome))
    }

    fn replay(answer: StoredResponse) -> Self::Outcome {
        let seq = std::str::from_utf8(&answer.body).ok().and_then(|seq| seq.parse().ok());
        seq.ok_or_else(|| Problem::from(Denial::KeyReused))
    }
}
