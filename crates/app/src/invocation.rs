//! One call of a use case, as a transport reads it and answers it.

use quorate_contract::Timestamp;
use quorate_store::Answer;
use serde_json::Value;

use crate::denial::Denial;

/// The key of a request, and a checksum of what is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// 1 to 255 visible characters of ASCII.
    pub key: String,
    /// The same for the same request, and another for any other.
    pub checksum: [u8; 32],
}

/// What has become of a request over which an earlier process stopped.
#[derive(Debug)]
pub enum Recalled<T> {
    /// It was done: this is its outcome.
    Done(T),
    /// It was not done.
    NotDone,
    /// Nobody can tell.
    Unknown,
}

/// One call of a use case, as a transport reads it and answers it.
pub trait Invocation: Sized + Send + 'static {
    /// What whoever called is answered.
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

    /// Carries it out.
    fn execute(self) -> impl Future<Output = Self::Outcome> + Send;

    /// Looks for what this call came to, when an earlier process had begun it at `since` and stopped.
    ///
    /// # Errors
    /// When it cannot be looked for; what is answered then.
    fn recall(
        &mut self,
        since: Timestamp,
    ) -> impl Future<Output = Result<Recalled<Self::Outcome>, Self::Outcome>> + Send {
        _ = since;
        std::future::ready(Ok(Recalled::Unknown))
    }

    /// What is answered to a call that is not carried out.
    fn denied(&self, denial: Denial) -> Self::Outcome;

    /// What is answered when carrying it out broke off by a fault of ours.
    fn broken() -> Self::Outcome;

    /// How it ended, as HTTP says it.
    fn status(outcome: &Self::Outcome) -> u16;

    /// What else the audit log is to hold of it. No keys, no passwords, nothing that was said.
    fn detail(outcome: &Self::Outcome) -> Option<Value> {
        _ = outcome;
        None
    }

    /// What is kept of an outcome, to be answered again; and the outcome.
    ///
    /// # Errors
    /// When it cannot be read to its end; what is answered then.
    fn answer(
        outcome: Self::Outcome,
    ) -> impl Future<Output = Result<(Answer, Self::Outcome), Self::Outcome>> + Send;

    /// An answer that was kept, once more.
    fn replay(answer: Answer) -> Self::Outcome;
}
