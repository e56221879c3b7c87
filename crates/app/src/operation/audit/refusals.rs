//! Refusals of clients that have not signed in, recorded as sums.
//!
//! Such a client can be refused any number of times. The first refusal of an address is recorded as it is;
//! those that follow within some minutes are counted and recorded as one entry. The number of addresses that
//! are counted separately is limited too.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_contract::{MeetingId, Timestamp};
use quorate_store::{AuditEntry, Store};
use serde_json::json;

use crate::operation::network::network_of;

/// The time for which refusals are counted before their sum is recorded.
const WINDOW: Duration = Duration::from_secs(10 * 60);
/// The largest number of addresses and actions that are counted separately within that time.
const TOLD_APART: usize = 64;
/// The label for all other addresses.
const ELSEWHERE: &str = "elsewhere";

/// The refusals since the sums were last recorded. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<HashMap<Key, Sum>>>);

/// The address and the action; no address for refusals that are not counted separately.
type Key = (Option<IpAddr>, String);

#[derive(Debug)]
struct Sum {
    /// The number of refusals after the first.
    attempts: u64,
    first: Timestamp,
    last: Timestamp,
}

impl Refusals {
    /// Notes a refusal, or counts it.
    pub(crate) fn note(&self, store: &Store, entry: AuditEntry, address: IpAddr) {
        let mut sums = self.sums();
        if sums.is_empty() {
            let (this, store) = (self.clone(), store.clone());
            tokio::spawn(async move {
                tokio::time::sleep(WINDOW).await;
                this.write(&store);
            });
        }
        let mut key = (Some(network_of(address)), entry.action.clone());
        if !sums.contains_key(&key) && sums.len() >= TOLD_APART {
            key.0 = None;
        }
        let is_told_apart = key.0.is_some();
        match sums.get_mut(&key) {
            Some(sum) => {
                sum.attempts += 1;
                sum.last = entry.ts_ms;
                if sum.attempts == 1 {
                    sum.first = entry.ts_ms;
                }
            }
            None => {
                let attempts = u64::from(!is_told_apart);
                sums.insert(key, Sum { attempts, first: entry.ts_ms, last: entry.ts_ms });
                if is_told_apart {
                    store.audit(entry);
                }
            }
        }
    }

    /// Records the sums, and resets them.
    pub(crate) fn write(&self, store: &Store) {
        for ((address, action), sum) in self.sums().drain().filter(|(_, sum)| sum.attempts > 0) {
            store.audit(AuditEntry {
                ts_ms: sum.last,
                by: String::new(),
                action,
                meeting: None::<MeetingId>,
                detail: json!({ "attempts": sum.attempts, "first_at": sum.first, "last_at": sum.last }),
                address: address.map_or_else(|| ELSEWHERE.to_owned(), |address| address.to_string()),
            });
        }
    }

    fn sums(&self) -> MutexGuard<'_, HashMap<Key, Sum>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use quorate_store::AuditFilter;

    use super::*;

    #[tokio::test]
    async fn a_thousand_refusals_are_a_few_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        let refusals = Refusals::default();
        let refuse = |at: i64, address: IpAddr| {
            let entry = AuditEntry {
                ts_ms: Timestamp(at),
                by: String::new(),
                action: "sign_in.refused".to_owned(),
                meeting: None,
                detail: json!({ "name": "owner" }),
                address: address.to_string(),
            };
            refusals.note(&store, entry, address);
        };
        for at in 0..1_000 {
            refuse(at, IpAddr::from([203, 0, 113, 7]));
        }
        for address in 0..5_000u32 {
            refuse(2_000 + i64::from(address), IpAddr::from((0x0a00_0000 + address).to_be_bytes()));
        }
        refusals.write(&store);
        refusals.write(&store);
        store.audit_written().await.expect("written");
        let page = store.audit_page(AuditFilter::default(), None, 200).await.expect("a page");
        assert!(page.next.is_none() && page.items.len() <= 2 * TOLD_APART, "{}", page.items.len());
        let of = |address: &str| {
            let entries = page.items.iter().filter(|entry| entry.address == address);
            entries.map(|entry| entry.detail["attempts"].as_u64()).collect::<Vec<_>>()
        };
        assert_eq!(of("203.0.113.7"), [Some(999), None], "the last first");
        assert_eq!(of(ELSEWHERE), [Some(5_000 - (TOLD_APART as u64 - 1))]);
    }
}
