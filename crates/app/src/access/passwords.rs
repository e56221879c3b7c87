//! Hashing and comparison of passwords, a few at a time, behind a short queue.
//!
//! Each takes 19 MiB and a processor for a while, and any client may ask for one. So there are as many
//! workers as processors; when the queue is full, the client is told to retry later.

use std::sync::Arc;

use quorate_store::{hash_password, matches_hash};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Identity;
use super::error::IdentityError;

/// The largest number of requests that wait for each worker.
const WAITING_PER_WORKER: usize = 8;
/// The largest number of workers, whatever the number of processors: each takes 19 MiB.
const WORKERS_MAX: usize = 8;
/// The retry delay after the queue was full, in seconds.
const AGAIN_SECONDS: u64 = 2;

/// What is compared when the account does not exist, so that the response takes as long as for a wrong password. It has the
/// form and the costs of a hash, and is none of any password: making one takes 19 MiB and a processor for a while.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$U5ur2VCQbGDwHHooEypjCA$8ze1KW60J0wirKiHthVX6jvKmhWlE2PWXWIdnQrKRFg";

/// Hashes a few at a time. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Hashing {
    workers: Arc<Semaphore>,
    /// Places for those that are worked on and those that wait.
    places: Arc<Semaphore>,
}

/// A place in the queue, and a worker.
#[derive(Debug)]
pub struct HashingTurn {
    _place: OwnedSemaphorePermit,
    _worker: Option<OwnedSemaphorePermit>,
}

impl Hashing {
    /// One worker per processor.
    pub(super) fn of_machine() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = processors.clamp(1, WORKERS_MAX);
        Self::new(workers, workers * WAITING_PER_WORKER)
    }

    fn new(workers: usize, waiting: usize) -> Self {
        Self {
            workers: Arc::new(Semaphore::new(workers)),
            places: Arc::new(Semaphore::new(workers + waiting)),
        }
    }

    /// Waits for a worker.
    ///
    /// # Errors
    /// When too many wait already.
    async fn turn(&self) -> Result<HashingTurn, IdentityError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| busy())?;
        // It is never closed.
        let worker = Arc::clone(&self.workers).acquire_owned().await.ok();
        Ok(HashingTurn { _place: place, _worker: worker })
    }

    /// Runs the work when a worker is free. The worker is taken until the work is done, also when the caller
    /// is gone.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, IdentityError> {
        let turn = self.turn().await?;
        let worked = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        Ok(worked.await.ok())
    }
}

fn busy() -> IdentityError {
    IdentityError::PasswordsBusy { retry_after: AGAIN_SECONDS }
}

impl Identity {
    /// Waits until a password may be hashed elsewhere; good while what this returns is held.
    ///
    /// # Errors
    /// When too many wait already; so in all that follows.
    pub async fn hashing_turn(&self) -> Result<HashingTurn, IdentityError> {
        self.0.hashing.turn().await
    }

    /// Whether a password matches the hash `kept`. Takes the same time in every case.
    pub(super) async fn is_right(
        &self,
        password: String,
        kept: Option<String>,
    ) -> Result<bool, IdentityError> {
        let compare = move || {
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| NOBODY.to_owned());
            matches_hash(&password, &kept).map(|right| right && known)
        };
        self.0.hashing.run(compare).await?.flatten().ok_or(IdentityError::StoredPassword)
    }

    /// Hashes a password.
    pub(super) async fn hashed(&self, password: String) -> Result<String, IdentityError> {
        match self.0.hashing.run(move || hash_password(&password)).await? {
            Some(hashed) => hashed.map_err(IdentityError::Password),
            None => Err(IdentityError::Stopping),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_is_compared_for_an_unknown_name_costs_what_a_hash_does() {
        let real = hash_password("correct horse").expect("a hash");
        let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(costs(NOBODY), costs(&real));
        assert_eq!(NOBODY.len(), real.len());
        assert_eq!(matches_hash("nobody has this", NOBODY), Some(false), "it can be read");
    }

    #[tokio::test]
    async fn whoever_comes_when_the_queue_is_full_is_told_when_to_come_again() {
        let hashing = Hashing::new(1, 1);
        let (go_on, waits) = mpsc::channel::<()>();
        let (begun, is_begun) = tokio::sync::oneshot::channel();
        let first = tokio::spawn({
            let hashing = hashing.clone();
            async move {
                let work = move || {
                    _ = begun.send(());
                    _ = waits.recv();
                };
                hashing.run(work).await
            }
        });
        is_begun.await.expect("the first is worked on");
        let second = tokio::spawn({
            let hashing = hashing.clone();
            async move { hashing.run(|| ()).await }
        });
        while hashing.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let error = hashing.run(|| ()).await.expect_err("there is no place left");
        assert!(matches!(error, IdentityError::PasswordsBusy { retry_after: AGAIN_SECONDS }), "{error:?}");
        assert_eq!(error.status(), 503);
        // Dropping a request frees its place in the queue, but no busy worker.
        first.abort();
        _ = first.await;
        assert_eq!(hashing.workers.available_permits(), 0);
        go_on.send(()).expect("it waits");
        second.await.expect("no panic").expect("its turn came").expect("done");
        assert!(hashing.run(|| ()).await.is_ok());
    }
}
