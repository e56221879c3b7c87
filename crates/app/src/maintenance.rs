//! Removal of expired data: once when the server starts, and every hour.

use std::time::Duration;

use quorate_contract::Timestamp;
use quorate_store::{Store, StoreError};
use tokio::time::{MissedTickBehavior, interval};

use crate::use_cases::App;

/// The interval of the clean-up.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// For how long the answers to requests with a key are kept, in milliseconds.
const ANSWERS_MS: i64 = DAY_MS;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The largest number of audit entries about clients that have not signed in, so that they cannot fill the
/// disk.
const REFUSED_KEPT: u32 = 10_000;

/// The result of a clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CleanupReport {
    /// Contents of files that no upload refers to.
    pub(crate) contents: u64,
    /// Answers to requests with a key of their own.
    pub(crate) answers: u64,
    /// Entries of the audit log.
    pub(crate) audited: u64,
}

impl App {
    /// Removes expired data periodically for as long as it is polled. Audit entries are kept for `audit_days`
    /// days, or without limit.
    pub async fn run_maintenance(&self, audit_days: Option<u32>) {
        run_maintenance(self.store(), audit_days).await;
    }
}

async fn run_maintenance(store: &Store, audit_days: Option<u32>) {
    let mut due = interval(EVERY);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        due.tick().await;
        if !store.is_leader().await {
            continue;
        }
        let CleanupReport { contents, answers, audited } =
            sweep(store, crate::clock::now(), audit_days).await;
        if contents + answers + audited > 0 {
            tracing::info!(contents, answers, audited, "what nobody needs any more was thrown away");
        }
    }
}

/// Throws away what is not needed at this moment. One that does not come off holds no other up.
pub(crate) async fn sweep(store: &Store, now: Timestamp, audit_days: Option<u32>) -> CleanupReport {
    let before = |ms: i64| Timestamp(now.0.saturating_sub(ms));
    let audited = match audit_days {
        Some(days) => store.prune_audit(before(i64::from(days) * DAY_MS)).await,
        None => Ok(0),
    };
    let refused = store.prune_refused_audit(REFUSED_KEPT).await;
    let done = |what: &str, result: Result<u64, StoreError>| {
        result.unwrap_or_else(|error| {
            tracing::warn!(%error, hint = error.hint(), "{what} could not be thrown away");
            0
        })
    };
    CleanupReport {
        contents: done("contents that no file needs", store.sweep_uploads().await),
        answers: done("old answers", store.prune_requests(before(ANSWERS_MS)).await),
        audited: done("old entries of the audit log", audited)
            + done("what strangers were refused long ago", refused),
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::MeetingId;
    use quorate_store::{AuditEntry, AuditFilter};

    use super::*;

    #[tokio::test]
    async fn what_is_too_old_goes_and_the_rest_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("quorate.db")).expect("a database");
        let now = Timestamp(400 * DAY_MS);
        let ago = |ms| Timestamp(now.0 - ms);
        for (key, begun) in [("old", ago(DAY_MS + 1)), ("new", ago(DAY_MS))] {
            let (who, request) = ("user:ada", [1; 32]);
            let ticket = store.ticket(who, key, begun);
            store.begin_request(ticket, who, key, request, begun).await.expect("it begins");
        }
        for days in [366, 365, 1] {
            store.audit(AuditEntry {
                ts_ms: ago(days * DAY_MS),
                by: "user:ada".to_owned(),
                action: "meetings.post".to_owned(),
                meeting: Some(MeetingId::new("m")),
                detail: serde_json::json!({}),
                address: "127.0.0.1".to_owned(),
            });
        }
        let stray = folder.path().join("quorate.db.files").join("ab");
        std::fs::create_dir_all(&stray).expect("a folder");
        std::fs::write(stray.join("c".repeat(62)), "left behind").expect("a file");

        let swept = sweep(&store, now, Some(365)).await;
        assert_eq!(swept, CleanupReport { contents: 1, answers: 1, audited: 1 });
        assert_eq!(sweep(&store, now, None).await, CleanupReport::default());
        let kept = store.audit_page(AuditFilter::default(), None, 10).await.expect("a page");
        assert_eq!(kept.items.len(), 2);
        assert!(std::fs::read_dir(stray).expect("the folder stays").next().is_none());
    }
}
