//! Who did what, when, and from where: for whoever is responsible for this installation.
//!
//! The application notes each call of an audited use case once it is done, so that no transport can forget to. What
//! strangers are refused is noted in sum. What was said at a meeting is in its log, and not here.

mod refusals;

use std::net::IpAddr;

use quorate_contract::MeetingId;
use quorate_engine::{Clock, SystemClock};
use quorate_store::{AuditEntry, SqliteStore};
use serde_json::{Value, json};

use self::refusals::Refusals;

/// What the audit log says of an address where there is no network.
const LOCAL: &str = "local";

/// Something that somebody did.
#[derive(Debug, Clone)]
pub struct AuditNote {
    /// `user:ada`; empty for somebody who has not signed in.
    pub who: String,
    /// What was done: the action of a use case, or `sign_in.refused`.
    pub action: String,
    /// At which meeting, if at one.
    pub meeting: Option<MeetingId>,
    /// From where; `None` at this machine, without a network.
    pub address: Option<IpAddr>,
    /// How it ended, as HTTP says it.
    pub status: u16,
    /// What else matters. No keys, no passwords, nothing that was said.
    pub detail: Value,
}

/// The audit log of one database, with what was refused to strangers of late.
#[derive(Debug, Clone)]
pub(crate) struct Audit {
    store: SqliteStore,
    refusals: Refusals,
}

impl Audit {
    pub(crate) fn of(store: SqliteStore) -> Self {
        Self { store, refusals: Refusals::default() }
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
            ts_ms: SystemClock.now(),
            who: note.who,
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

    /// Notes what strangers were refused since the last sum.
    pub(crate) fn note_refusals(&self) {
        self.refusals.write(&self.store);
    }
}
