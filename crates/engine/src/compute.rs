//! Scheduling of a meeting's computations: small ones run in place, long ones on separate threads, a bounded
//! number at a time and with a time limit. A program that has one thread for everything does all of them there.
//!
//! How long a computation takes depends on what others send. The number of events of a meeting and the bytes
//! of an answer tell the two kinds apart cheaply. A computation beyond the time limit quarantines its
//! meeting; the thread is abandoned, and the process exits without it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use quorate_messages::{as_said, message};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::EngineError;
use crate::failing_loops::Failure;
use crate::stored_fault::FaultKind;

/// Fewer events, or bytes, than this are computed on the spot.
const SMALL: usize = 32 << 10;
/// The weight of an event in bytes.
const EVENT_WEIGHS: usize = 16;

/// Where long computations run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ComputeOn {
    /// On threads of their own, so that one meeting does not hold up the others.
    #[default]
    Threads,
    /// On the thread that asks for them: for a program whose order of events must follow from its input alone. There
    /// is then no time limit.
    Caller,
}

/// The threads for long computations.
#[derive(Debug, Clone)]
pub(crate) struct Compute {
    permits: Arc<Semaphore>,
    limit: Duration,
    on: ComputeOn,
}

/// The weight of a computation over this many events and bytes.
pub(crate) fn weight(events: u64, bytes: usize) -> usize {
    usize::try_from(events).unwrap_or(usize::MAX).saturating_mul(EVENT_WEIGHS).saturating_add(bytes)
}

impl Compute {
    /// As many computations at a time as there are processors, none longer than the limit.
    pub(crate) fn new(limit: Duration, on: ComputeOn) -> Self {
        let threads = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        Self { permits: Arc::new(Semaphore::new(threads)), limit, on }
    }

    /// Whether a computation of this weight runs in place.
    pub(crate) fn is_small(weight: usize) -> bool {
        weight < SMALL
    }

    /// Does what may take long.
    ///
    /// # Errors
    /// [`Broken`](EngineError::Broken) when it breaks down, or takes longer than it may.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        if self.on == ComputeOn::Caller {
            return in_place(work);
        }
        // Held here and not by the thread: a computation that does not end makes room for others all the same.
        let _permit = self.permits.acquire().await;
        match timeout(self.limit, tokio::task::spawn_blocking(work)).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(stopped)) if stopped.is_panic() => Err(broken(&*stopped.into_panic())),
            Ok(Err(_)) => Err(EngineError::Gone), // the runtime ends
            Err(_) => {
                let detail = message!("engine-too-long", seconds = %self.limit.as_secs());
                Err(EngineError::Broken(FaultKind::TooLong, detail))
            }
        }
    }

    /// Does what nobody waits for, beside everything else and without a time limit.
    ///
    /// # Errors
    /// [`Broken`](EngineError::Broken) when it breaks down.
    pub(crate) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        if self.on == ComputeOn::Caller {
            return in_place(work);
        }
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => Ok(result),
            Err(stopped) if stopped.is_panic() => Err(broken(&*stopped.into_panic())),
            Err(_) => Err(EngineError::Gone), // the runtime ends
        }
    }

    /// Does what may take long by its weight: on the spot when it is small.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) async fn weighed<T: Send + 'static>(
        &self,
        weight: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        match Self::is_small(weight) {
            true => in_place(work),
            false => self.run(work).await,
        }
    }
}

fn in_place<T>(work: impl FnOnce() -> T) -> Result<T, EngineError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| broken(&*payload))
}

fn broken(payload: &(dyn std::any::Any + Send)) -> EngineError {
    match Failure::panic(payload) {
        Failure::Panic(text) => EngineError::Broken(FaultKind::Panicked, as_said(text)),
        Failure::Error(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_takes_too_long_is_given_up_and_holds_nobody_up() {
        let compute = Compute::new(Duration::from_millis(50), ComputeOn::Threads);
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let stuck = compute.run(move || _ = ended.recv()).await;
        assert!(matches!(stuck, Err(EngineError::Broken(FaultKind::TooLong, _))), "{stuck:?}");
        assert_eq!(compute.run(|| 7).await.ok(), Some(7), "others go on");
        drop(end);
        let patient = Compute::new(Duration::from_secs(60), ComputeOn::Threads);
        let panicked = patient.run(|| panic!("deep")).await;
        assert!(
            matches!(panicked, Err(EngineError::Broken(FaultKind::Panicked, text)) if text == as_said("deep"))
        );
        let alone = Compute::new(Duration::ZERO, ComputeOn::Caller);
        let here = std::thread::current().id();
        assert_eq!(alone.run(|| std::thread::current().id()).await.ok(), Some(here));
        assert!(alone.run(|| panic!("deep")).await.is_err());
    }
}
