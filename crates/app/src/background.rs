//! Long computations on threads of their own, a few at a time.

use std::sync::{Arc, LazyLock};

use quorate_messages::message;
use tokio::sync::Semaphore;

use crate::error::{ErrorKind, ServiceError};

/// Limits the number of long computations at a time: more would slow each other and all requests down.
static TURNS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(processors())));

/// The number of processors.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).max(2)
}

/// Runs a long computation on a thread of its own when a slot is free. Dropping the future before that
/// cancels it.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    // The semaphore is never closed. The thread holds the permit until it ends, also when the caller is gone.
    let turn = Arc::clone(&TURNS).acquire_owned().await.ok();
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|stopped| {
        let hint = message!("app-broken-off-hint");
        let message = message!("app-broken-off", %stopped);
        Err(ServiceError::new(message, hint).of(ErrorKind::Internal))
    })
}
