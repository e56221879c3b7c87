//! What a participant reads of a meeting over a WebSocket, as over REST.

use quorate_app::{Denial, Invocation, Principal, StoredResponse};
use quorate_contract::MeetingId;
use quorate_messages::message;

use crate::connections::delivered::OnDelivered;
use crate::problem::Problem;
use crate::rest::{ContextQuery, MeetingContext, meeting_context};
use crate::state::ServerState;

/// One request for the context of a meeting, as the application carries it out.
pub(super) struct ContextCall {
    pub(super) server: ServerState,
    pub(super) principal: Principal,
    pub(super) meeting: MeetingId,
    pub(super) query: ContextQuery,
}

impl Invocation for ContextCall {
    /// The context, and what is to be done once it has been written.
    type Outcome = Result<(MeetingContext, Option<OnDelivered>), Problem>;

    async fn execute(self) -> Self::Outcome {
        let Self { server, principal, meeting, query } = self;
        meeting_context(&server, &principal, &meeting, &query).await
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

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        // A read has no idempotency key, so nothing of it is stored.
        Err(outcome)
    }

    fn replay(_: StoredResponse) -> Self::Outcome {
        Self::broken()
    }
}
