//! What takes long, on threads of its own: a few at a time.

use std::sync::{Arc, LazyLock};

use tokio::sync::Semaphore;

use crate::error::{ErrorKind, ServiceError};

/// So many long computations run at a time: more would only slow each other and everybody else down.
static TURNS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(processors())));

/// How much this machine can do at a time.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).max(2)
}

/// Does what takes long on a thread of its own, when its turn comes. Whoever does not wait for it any more before
/// then has it not done.
pub(crate) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    // Nobody closes the semaphore. The thread holds the turn: what was begun counts until it ends.
    let turn = Arc::clone(&TURNS).acquire_owned().await.ok();
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|stopped| {
        let hint = (
            "try again; if it stays, this is a bug in quorate: please report it",
            "请重试；如果仍然如此，这是众议的缺陷，请报告",
        );
        let message = (format!("it was broken off ({stopped})"), format!("操作中断（{stopped}）"));
        Err(ServiceError::new(message, hint).of(ErrorKind::Internal))
    })
}
