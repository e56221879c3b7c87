//! One call of a use case, as a transport decodes and answers it.

use quorate_contract::Timestamp;
use quorate_store::StoredResponse;
use serde_json::Value;

use crate::operation::denial::Denial;

/// The key of a request, and a checksum of what is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// 1 to 255 visible characters of ASCII.
    pub key: String,
    /// The same for the same request, and another for any other.
    pub checksum: [u8; 32],
}

/// The fate of a request during which an earlier process stopped.
#[derive(Debug)]
pub enum InterruptedRequest<T> {
    /// It was carried out with this outcome.
    Done(T),
    /// It was not carried out.
    NotDone,
    /// The outcome is unknown.
    Unknown,
}

/// One call of a use case, as a transport decodes and answers it.
pub trait Invocation: Sized + Send + 'static {
    /// The answer to the caller.
    type Outcome: Send + 'static;

    /// The limits of the transport itself: bytes and connections. Asked once the call is authorized.
    ///
    /// # Errors
    /// When one of them is reached; what is answered then.
    fn limit(&mut self) -> Result<(), Self::Outcome> {
        Ok(())
    }

    /// The idempotency key, when the call carries one. Asked only of use cases that take one.
    ///
    /// # Errors
    /// When it is no key; what is answered then.
    fn key(&mut self) -> impl Future<Output = Result<Option<RequestKey>, Self::Outcome>> + Send {
        std::future::ready(Ok(None))
    }

    /// Carries out the call.
    fn execute(self) -> impl Future<Output = Self::Outcome> + Send;

    /// Looks up the outcome of this call, which an earlier process began at `since` before it stopped.
    ///
    /// # Errors
    /// When the lookup fails; the error is the answer.
    fn recall(
        &mut self,
        since: Timestamp,
    ) -> impl Future<Output = Result<InterruptedRequest<Self::Outcome>, Self::Outcome>> + Send {
        _ = since;
        std::future::ready(Ok(InterruptedRequest::Unknown))
    }

    /// The answer to a denied call.
    fn denied(&self, denial: Denial) -> Self::Outcome;

    /// The answer to a call that a bug of ours has broken off.
    fn broken() -> Self::Outcome;

    /// The result as an HTTP status.
    fn status(outcome: &Self::Outcome) -> u16;

    /// Whether an outcome leaves open if the call was carried out: the database was lost before it had answered.
    fn is_unknown(outcome: &Self::Outcome) -> bool {
        _ = outcome;
        false
    }

    /// Details for the audit log. No keys, no passwords, no contents of a meeting.
    fn detail(outcome: &Self::Outcome) -> Option<Value> {
        _ = outcome;
        None
    }

    /// The stored form of an outcome, for repeating the answer, together with the outcome.
    ///
    /// # Errors
    /// When the outcome cannot be read to its end; the error is the answer.
    fn answer(
        outcome: Self::Outcome,
    ) -> impl Future<Output = Result<(StoredResponse, Self::Outcome), Self::Outcome>> + Send;

    /// An answer that was kept, once more.
    fn replay(answer: StoredResponse) -> Self::Outcome;
}
