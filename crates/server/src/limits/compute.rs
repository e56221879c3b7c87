//! Scheduling of computations: small ones run in place, long ones on threads beside the workers that answer
//! requests, a bounded number at a time.
//!
//! A report, a usage, a health or a view of a meeting takes time in proportion to its length, which clients
//! decide. However many are requested, one processor stays free for everything else. A client beyond the
//! limit is told when to retry, and a client that disconnects gives up its place.

use std::time::Duration;

use axum::http::StatusCode;
use quorate_core::Meeting;
use quorate_messages::message;

use crate::limits::queue::{Permit, Queue, QueueFull, QueueLimits, Requester};
use crate::problem::Problem;

/// Less than this is computed on the spot.
const SMALL: usize = 64 << 10;
/// The weight of an event in bytes: most write a few, and change what is read of many.
const EVENT_WEIGHS: usize = 64;
/// Computations that wait for their turn.
const WAITING: u32 = 128;
/// The longest wait for a place, in seconds.
const WAIT_SECONDS: u64 = 20;
/// The retry delay, in seconds.
const AGAIN_SECONDS: u64 = 2;

/// The running computations. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Computing(Queue);

/// The place where a computation runs.
pub(crate) enum ComputePlace {
    /// In place: it is small.
    Here,
    /// Beside the workers, for as long as the permit is held.
    Beside(Permit),
}

/// The weight of a meeting, by properties that are cheap to read: its events and its text, in bytes.
pub(crate) fn weight(meeting: &Meeting) -> usize {
    let events = usize::try_from(meeting.seq).unwrap_or(usize::MAX).saturating_mul(EVENT_WEIGHS);
    meeting.said.iter().map(|said| said.content.len()).fold(events, usize::saturating_add)
}

impl Computing {
    /// Leaves one processor to everything else.
    pub(crate) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self::at_once(u32::try_from(processors.saturating_sub(1)).unwrap_or(u32::MAX).max(1))
    }

    fn at_once(at_once: u32) -> Self {
        Self(Queue::new(QueueLimits {
            at_once,
            waiting: WAITING,
            per_person: WAITING,
            person_at_once: (at_once / 2).max(1),
            wait: Duration::from_secs(WAIT_SECONDS),
        }))
    }

    /// Waits for a place for something of this weight.
    ///
    /// # Errors
    /// When too many wait already, or the turn does not come in time.
    pub(crate) async fn place(&self, requester: &Requester, weight: usize) -> Result<ComputePlace, Problem> {
        match weight < SMALL {
            true => Ok(ComputePlace::Here),
            false => self.beside(requester).await,
        }
    }

    /// Waits for a place for a computation of unknown size.
    ///
    /// # Errors
    /// As [`place`](Self::place).
    pub(crate) async fn beside(&self, requester: &Requester) -> Result<ComputePlace, Problem> {
        self.0.enter(requester).await.map(ComputePlace::Beside).map_err(busy)
    }
}

impl ComputePlace {
    /// Runs the computation. Once started, it counts until it ends, also when the caller is gone.
    ///
    /// # Errors
    /// When it panics.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = match self {
            Self::Here => return Ok(work()),
            Self::Beside(permit) => permit,
        };
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(|stopped| Problem::bug(&stopped))
    }
}

fn busy(full: QueueFull) -> Problem {
    let (status, detail) = match full {
        QueueFull::Others => (StatusCode::SERVICE_UNAVAILABLE, message!("server-compute-busy")),
        QueueFull::Own(own) => (StatusCode::TOO_MANY_REQUESTS, message!("server-compute-own", own)),
    };
    Problem::new(status, "busy", detail).hint(message!("server-wait-retry-after")).retry_after(AGAIN_SECONDS)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn guest(name: &str) -> Requester {
        Requester { person: name.to_owned(), manages: false }
    }

    #[tokio::test]
    async fn long_ones_run_beside_the_workers_a_few_at_a_time() {
        let computing = Computing::at_once(2);
        let (now, most) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let asked = (0..20).map(|number| {
            let (computing, now, most) = (computing.clone(), Arc::clone(&now), Arc::clone(&most));
            tokio::spawn(async move {
                let place = computing.place(&guest(&format!("g{}", number % 5)), SMALL).await?;
                place
                    .run(move || {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(5));
                        now.fetch_sub(1, Ordering::SeqCst);
                    })
                    .await
            })
        });
        // The runtime of this test has one thread: had they run on it, nothing else would.
        for one in asked.collect::<Vec<_>>() {
            one.await.expect("it ends").expect("there is room for so many");
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn who_is_one_too_many_is_told_when_to_come_again() {
        let computing = Computing::at_once(1);
        let _busy = computing.place(&guest("Ada"), SMALL).await.map_err(|_| ()).expect("free");
        let waiting: Vec<_> = (0..WAITING)
            .map(|number| {
                let computing = computing.clone();
                tokio::spawn(async move {
                    computing.place(&guest(&format!("g{}", number % 3)), SMALL).await.is_ok()
                })
            })
            .collect();
        tokio::task::yield_now().await;
        let refused = computing.place(&guest("Ben"), SMALL).await.err().expect("too many wait");
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(serde_json::to_value(&refused).expect("plain")["retry_after"].as_u64() > Some(0));
        assert!(computing.place(&guest("Ben"), 1).await.is_ok(), "what is small needs no place");
        // A client that disconnects gives up its place.
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
        for one in waiting {
            _ = one.await;
        }
        assert_eq!(computing.0.jobs(), 1);
    }
}
