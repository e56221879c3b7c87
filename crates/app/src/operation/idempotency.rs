//! Idempotency keys: a request that is sent twice with one key is carried out once.
//!
//! A client that does not know whether a request arrived sends it again with the same key, and gets the first
//! answer. Answers are kept for a day, for each principal separately. Refused requests are not kept: they
//! have changed nothing, and may succeed next time.
//!
//! When the process stops during a request, or loses the database, the outcome is unknown. A message is then looked up in
//! the log, so that it is never stored twice; all other requests are left to the client. At a meeting off the record,
//! the answers are kept in memory, as the meeting is.

mod memory;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use quorate_contract::MeetingId;
use quorate_store::{KeyState, StoreError, StoredResponse, Ticket};

pub(crate) use self::memory::Answers;
use self::memory::MemoryKeyState as Remembered;
use crate::error::ServiceError;
use crate::operation::denial::Denial;
use crate::operation::invocation::{InterruptedRequest, Invocation, RequestKey};
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;
use crate::use_cases::App;

/// How often it is tried to write down what became of a request, while the database cannot be reached.
const RETRY_EVERY: Duration = Duration::from_secs(1);
/// How many times. A request of a process that ends meanwhile is given up by the next one.
const RETRIES: u32 = 3600;
/// The largest answer that is kept, in bytes.
const ANSWER_MAX: usize = 4 << 20;

impl App {
    /// Carries out a request with a key once, or returns the earlier answer.
    pub(crate) async fn once<I: Invocation>(
        &self,
        use_case: UseCase,
        principal: &Principal,
        meeting: Option<MeetingId>,
        RequestKey { key, checksum }: RequestKey,
        mut call: I,
    ) -> I::Outcome {
        let who = match &principal.meeting {
            Some(meeting) => format!("{} at {meeting}", principal.account()),
            None => principal.account(),
        };
        if let Some(id) = meeting.clone().filter(|id| self.is_off_record(id)) {
            return self.once_in_memory(id, ((who, key), checksum), call).await;
        }
        let (this, now) = (self.clone(), self.now());
        let ticket = self.store().ticket(&who, &key, now);
        match self.store().begin_request(ticket, &who, &key, checksum, now).await {
            Err(error) => {
                // It may have begun all the same. Nothing was carried out then.
                let store = self.store().clone();
                retried(Box::new(move || {
                    let store = store.clone();
                    async move { store.withdraw_request(ticket, now).await }.boxed()
                }));
                call.denied(ServiceError::from(error).into())
            }
            Ok(KeyState::Done(answer)) => I::replay(answer),
            Ok(KeyState::Mismatch) => call.denied(Denial::KeyReused),
            Ok(KeyState::Running(_)) => call.denied(Denial::StillRunning),
            Ok(KeyState::Again(ticket, since)) => {
                let again = async move {
                    match call.recall(since).await {
                        Ok(InterruptedRequest::Done(outcome)) => {
                            this.keep::<I>(ticket, meeting, outcome).await
                        }
                        Ok(InterruptedRequest::NotDone) => {
                            let outcome = unbroken(call).await;
                            this.keep::<I>(ticket, meeting, outcome).await
                        }
                        Ok(InterruptedRequest::Unknown) => {
                            let told = call.denied(Denial::Interrupted { use_case, meeting });
                            this.give_up(ticket, told).await
                        }
                        Err(outcome) => {
                            _ = this.store().abandon_request(ticket).await;
                            outcome
                        }
                    }
                };
                tokio::spawn(again.boxed()).await.unwrap_or_else(|_| I::broken())
            }
            Ok(KeyState::Fresh(ticket)) => {
                // The request is carried out to the end even when the client disconnects.
                let fresh = async move {
                    let outcome = unbroken(call).await;
                    this.keep::<I>(ticket, meeting, outcome).await
                };
                tokio::spawn(fresh.boxed()).await.unwrap_or_else(|_| I::broken())
            }
        }
    }

    /// The same at a meeting of which nothing is kept; its answer is not kept either, but in memory.
    async fn once_in_memory<I: Invocation>(
        &self,
        meeting: MeetingId,
        (name, checksum): (memory::Name, [u8; 32]),
        call: I,
    ) -> I::Outcome {
        match self.answers().begin(&name, checksum) {
            Remembered::Done(answer) => I::replay(answer),
            Remembered::Mismatch => call.denied(Denial::KeyReused),
            Remembered::Running => call.denied(Denial::StillRunning),
            Remembered::Fresh => {
                let this = self.clone();
                let fresh = async move {
                    match I::answer(unbroken(call).await).await {
                        Ok((mut answer, outcome)) => {
                            answer.meeting.get_or_insert(meeting);
                            this.answers().end(name, is_kept(&answer).then_some(answer));
                            outcome
                        }
                        Err(outcome) => {
                            this.answers().end(name, None);
                            outcome
                        }
                    }
                };
                tokio::spawn(fresh.boxed()).await.unwrap_or_else(|_| I::broken())
            }
        }
    }

    /// Keeps the answer of a request, and gives it.
    async fn keep<I: Invocation>(
        &self,
        ticket: Ticket,
        meeting: Option<MeetingId>,
        outcome: I::Outcome,
    ) -> I::Outcome {
        let is_unknown = I::is_unknown(&outcome);
        let (mut answer, outcome) = match I::answer(outcome).await {
            Ok(both) => both,
            Err(outcome) => return self.give_up(ticket, outcome).await,
        };
        if is_unknown {
            let store = self.store().clone();
            settled(Box::new(move || {
                let store = store.clone();
                async move { store.abandon_request(ticket).await }.boxed()
            }))
            .await;
            return outcome;
        }
        answer.meeting = answer.meeting.or(meeting);
        // A meeting of which nothing is kept may have been created just now.
        let off_record = answer.meeting.as_ref().is_some_and(|id| self.is_off_record(id));
        if off_record || !is_kept(&answer) {
            return self.give_up(ticket, outcome).await;
        }
        let store = self.store().clone();
        settled(Box::new(move || {
            let (store, answer) = (store.clone(), answer.clone());
            async move { store.finish_request(ticket, answer).await.map(|_| ()) }.boxed()
        }))
        .await;
        outcome
    }

    async fn give_up<T>(&self, ticket: Ticket, outcome: T) -> T {
        let store = self.store().clone();
        settled(Box::new(move || {
            let store = store.clone();
            async move { store.forget_request(ticket).await }.boxed()
        }))
        .await;
        outcome
    }
}

/// What writes something down, each time it is called.
type Write = Box<dyn Fn() -> BoxFuture<'static, Result<(), StoreError>> + Send>;

/// Writes down what became of a request. While that fails its key is taken, so it is tried again.
async fn settled(write: Write) {
    if let Err(error) = write().await {
        tracing::error!(%error, "what became of a request could not be written down; trying again");
        retried(write);
    }
}

/// Tries to write something down until it succeeds.
fn retried(write: Write) {
    tokio::spawn(async move {
        for _ in 0..RETRIES {
            tokio::time::sleep(RETRY_EVERY).await;
            if write().await.is_ok() {
                return;
            }
        }
    });
}

/// Carries out the call; a panic becomes an error of ours.
async fn unbroken<I: Invocation>(call: I) -> I::Outcome {
    AssertUnwindSafe(call.execute()).catch_unwind().await.unwrap_or_else(|_| I::broken())
}

fn is_kept(answer: &StoredResponse) -> bool {
    (200..300).contains(&answer.status) && answer.body.len() <= ANSWER_MAX
}
