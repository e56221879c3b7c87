//! The schedule of exports: a bounded number at once, a short queue, one at a time for each person.

use std::time::Duration;

use axum::http::StatusCode;
use quorate_messages::message;

use super::ExportOptions;
use crate::limits::queue::{Permit, Queue, QueueFull, QueueLimits, Requester};
use crate::problem::Problem;

/// The retry delay, in seconds.
const AGAIN_SECONDS: u64 = 15;

/// The running and the waiting exports. Cheap to clone.
#[derive(Clone)]
pub(crate) struct ExportPool {
    options: ExportOptions,
    queue: Queue,
}

impl ExportPool {
    pub(crate) fn new(options: ExportOptions) -> Self {
        let queue = Queue::new(QueueLimits {
            at_once: options.at_once,
            waiting: options.waiting,
            per_person: options.per_person,
            person_at_once: 1,
            wait: Duration::from_secs(options.wait_seconds.max(1).into()),
        });
        Self { options, queue }
    }

    pub(crate) fn options(&self) -> &ExportOptions {
        &self.options
    }

    /// Waits for the turn of an export of this person. Dropping the future gives the place up.
    ///
    /// # Errors
    /// When too many wait already, or the turn does not come in time.
    pub(crate) async fn enter(&self, requester: &Requester) -> Result<Permit, Problem> {
        self.queue.enter(requester).await.map_err(|full| match full {
            QueueFull::Others => self.busy(),
            QueueFull::Own(own) => own_are_many(own),
        })
    }

    fn busy(&self) -> Problem {
        let detail = message!("server-exports-busy");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "exports-busy", detail)
            .hint(message!("server-wait-retry-after"))
            .retry_after(AGAIN_SECONDS)
    }
}

fn own_are_many(own: u32) -> Problem {
    let detail = message!("server-exports-own", own);
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "exports-busy", detail)
        .hint(message!("server-exports-own-hint"))
        .retry_after(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guest(name: &str) -> Requester {
        Requester { person: name.to_owned(), manages: false }
    }

    fn pool() -> ExportPool {
        ExportPool::new(ExportOptions {
            at_once: 2,
            waiting: 2,
            per_person: 3,
            wait_seconds: 1,
            ..ExportOptions::default()
        })
    }

    /// Whether a requester gets a permit at once.
    async fn at_once(pool: &ExportPool, who: &Requester) -> Option<Permit> {
        tokio::time::timeout(Duration::from_millis(20), pool.enter(who)).await.ok()?.ok()
    }

    #[tokio::test]
    async fn one_person_has_one_export_at_a_time_and_few_that_wait() {
        let pool = pool();
        let ada = guest("Ada");
        let first = at_once(&pool, &ada).await.expect("nobody else exports");
        assert!(at_once(&pool, &ada).await.is_none(), "her second one waits for the first");
        assert!(at_once(&pool, &guest("Ben")).await.is_some(), "nobody else waits for her");
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                let (pool, ada) = (pool.clone(), ada.clone());
                tokio::spawn(async move { pool.enter(&ada).await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        let refused = pool.enter(&ada).await.err().expect("three are hers already");
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(first);
        for one in waiting {
            one.await.expect("it ends").expect("its turn comes");
        }
        assert!(pool.queue.people() == 0, "nobody is remembered");
    }

    #[tokio::test]
    async fn so_many_are_made_at_once_and_so_many_wait() {
        let pool = pool();
        let _running = (
            at_once(&pool, &guest("Ada")).await.expect("free"),
            at_once(&pool, &guest("Ben")).await.expect("free"),
        );
        let waiting: Vec<_> = ["Cleo", "Dan"]
            .map(|name| {
                let (pool, who) = (pool.clone(), guest(name));
                tokio::spawn(async move { pool.enter(&who).await.map(drop) })
            })
            .into();
        tokio::task::yield_now().await;
        let busy = pool.enter(&guest("Eve")).await.err().expect("two wait already");
        assert_eq!(busy.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(serde_json::to_value(&busy).expect("plain")["retry_after"].as_u64() > Some(0));
        // A requester that manages meetings still finds room, and is told when its turn does not come.
        let owner = Requester { person: "owner".to_owned(), manages: true };
        let late = pool.enter(&owner).await.err().expect("the two do not end");
        assert_eq!(late.status(), StatusCode::SERVICE_UNAVAILABLE);
        for one in waiting {
            assert!(one.await.expect("it ends").is_err(), "they waited as long");
        }
        assert_eq!(pool.queue.jobs(), 2);
    }

    #[tokio::test]
    async fn whoever_goes_away_gives_their_place_up() {
        let pool = pool();
        let first = at_once(&pool, &guest("Ada")).await.expect("free");
        for _ in 0..20 {
            assert!(at_once(&pool, &guest("Ada")).await.is_none());
        }
        drop(first);
        assert!(at_once(&pool, &guest("Ada")).await.is_some());
    }
}
