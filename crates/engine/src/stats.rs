//! Statistics of the engine: counted as events happen, without a lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use serde::Serialize;

/// The upper bounds of the classes of append times, in milliseconds; one more class has no bound.
pub const APPEND_MS: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// Statistics of an engine since its start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Meetings in memory.
    pub live_meetings: u64,
    /// Calls in flight.
    pub calls_under_way: u64,
    /// Calls that were started.
    pub calls: u64,
    /// Subscribers.
    pub listeners: u64,
    /// Commands that wait for their meetings.
    pub letters_waiting: u64,
    /// The most commands that wait for one meeting, of [`MAILBOX`](Self::MAILBOX).
    pub fullest_mailbox: u64,
    /// Appends that were acknowledged, by how long they took: the classes of [`APPEND_MS`], and those
    /// beyond. They are not added up.
    pub appends_by_ms: [u64; APPEND_MS.len() + 1],
    /// The total time of acknowledged appends, in microseconds.
    pub append_micros: u64,
    /// Appends that were acknowledged.
    pub appends: u64,
    /// Failed appends.
    pub appends_failed: u64,
    /// Events that were appended.
    pub events: u64,
    /// Fragments of answers.
    pub fragments: u64,
    /// Meetings that were loaded from their log.
    pub opened: u64,
    /// Of those, the number from a snapshot.
    pub from_snapshots: u64,
    /// Meetings that were unloaded because they were idle.
    pub unloaded: u64,
    /// Restarts of failed loops.
    pub restarts: u64,
    /// Meetings in quarantine.
    pub quarantined: u64,
}

impl Stats {
    /// The capacity of a meeting's mailbox.
    pub const MAILBOX: usize = 64;
}

/// The counters behind [`Stats`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    in_flight: AtomicI64,
    calls: AtomicU64,
    listeners: AtomicI64,
    appends_by_ms: [AtomicU64; APPEND_MS.len() + 1],
    append_micros: AtomicU64,
    appends: AtomicU64,
    appends_failed: AtomicU64,
    events: AtomicU64,
    fragments: AtomicU64,
    opened: AtomicU64,
    from_snapshots: AtomicU64,
    unloaded: AtomicU64,
    restarts: AtomicU64,
}

impl Counters {
    pub(crate) fn append(&self, took: Duration, events: u64, kept: bool) {
        if !kept {
            self.appends_failed.fetch_add(1, Relaxed);
            return;
        }
        let class = APPEND_MS.iter().position(|most| took <= Duration::from_millis(*most));
        self.appends_by_ms[class.unwrap_or(APPEND_MS.len())].fetch_add(1, Relaxed);
        self.append_micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
        self.appends.fetch_add(1, Relaxed);
        self.events.fetch_add(events, Relaxed);
    }

    /// Counts a call as in flight until the result is dropped.
    pub(crate) fn call(self: &Arc<Self>) -> CallCounted {
        self.calls.fetch_add(1, Relaxed);
        self.in_flight.fetch_add(1, Relaxed);
        CallCounted(Arc::clone(self))
    }

    pub(crate) fn listeners(&self, change: i64) {
        self.listeners.fetch_add(change, Relaxed);
    }

    pub(crate) fn fragment(&self) {
        self.fragments.fetch_add(1, Relaxed);
    }

    pub(crate) fn opened(&self, from_snapshot: bool) {
        self.opened.fetch_add(1, Relaxed);
        self.from_snapshots.fetch_add(u64::from(from_snapshot), Relaxed);
    }

    pub(crate) fn unloaded(&self) {
        self.unloaded.fetch_add(1, Relaxed);
    }

    pub(crate) fn restarted(&self) {
        self.restarts.fetch_add(1, Relaxed);
    }

    /// Reads the counters; fields that are not counted here stay 0.
    pub(crate) fn read(&self) -> Stats {
        let now = |gauge: &AtomicI64| u64::try_from(gauge.load(Relaxed)).unwrap_or(0);
        Stats {
            calls_under_way: now(&self.in_flight),
            calls: self.calls.load(Relaxed),
            listeners: now(&self.listeners),
            appends_by_ms: std::array::from_fn(|class| self.appends_by_ms[class].load(Relaxed)),
            append_micros: self.append_micros.load(Relaxed),
            appends: self.appends.load(Relaxed),
            appends_failed: self.appends_failed.load(Relaxed),
            events: self.events.load(Relaxed),
            fragments: self.fragments.load(Relaxed),
            opened: self.opened.load(Relaxed),
            from_snapshots: self.from_snapshots.load(Relaxed),
            unloaded: self.unloaded.load(Relaxed),
            restarts: self.restarts.load(Relaxed),
            ..Stats::default()
        }
    }
}

/// A call that is counted as in flight.
pub(crate) struct CallCounted(Arc<Counters>);

impl Drop for CallCounted {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}
