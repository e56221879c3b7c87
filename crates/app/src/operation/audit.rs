//! The audit log: who did what, when, and from where.
//!
//! The application records each call of an audited use case when it is done, so that no transport can forget
//! to. Refusals of clients that have not signed in are recorded as sums. The audit log does not hold the
//! contents of a meeting; these are in its own log.

mod refusals;

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use quorate_contract::MeetingId;
use quorate_engine::Clock;
use quorate_store::{AuditEntry, Store};
use serde_json::{Value, json};

use self::refusals::Refusals;

/// The address that the audit log shows for calls without a network.
const LOCAL: &str = "local";

/// One entry of the audit log.
#[derive(Debug, Clone)]
pub struct AuditNote {
    /// The principal, `user:ada`; empty for a client that has not signed in.
    pub who: String,
    /// The action of the use case, or `sign_in.refused`.
    pub action: String,
    /// At which meeting, if at one.
    pub meeting: Option<MeetingId>,
    /// From where; `None` at this machine, without a network.
    pub address: Option<IpAddr>,
    /// The result as an HTTP status.
    pub status: u16,
    /// Other details. No keys, no passwords, no contents of a meeting.
    pub detail: Value,
}

/// The audit log of one database, with recent refusals of clients that have not signed in.
#[derive(Clone)]
pub(crate) struct Audit {
    store: Store,
    clock: Arc<dyn Clock>,
    refusals: Refusals,
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").field("refusals", &self.refusals).finish_non_exhaustive()
    }
}

impl Audit {
    pub(crate) fn of(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, refusals: Refusals::default() }
    }

    /// Notes it, and waits for nothing.
    pub(crate) fn note(&self, note: AuditNote) {
        let mut detail = note.detail;
        match &mut detail {
            Value::Object(detail) => _ = detail.insert("status".to_owned(), note.status.into()),
            other => *other = json!({ "status": note.status }),
        }
        let by_stranger = note.who.is_empty() && note.status >= 400;
        let entry = AuditEntry {
            ts_ms: self.clock.now(),
            by: note.who,
            action: note.action,
            meeting: note.meeting,
            detail,
            address: note.address.map_or_else(|| LOCAL.to_owned(), |address| address.to_string()),
        };
        match note.address {
            Some(address) if by_stranger => self.refusals.note(&self.store, entry, address),
            Some(_) | None => self.store.audit(entry),
        }
    }

    /// Records the sums of refusals since the last record.
    pub(crate) fn note_refusals(&self) {
        self.refusals.write(&self.store);
    }
}
