//! One process: its clock, and its journal on the real store, with all that can happen to an append.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::{Clock, Fault, Journal, JournalError, Record, Resumed, Snapshot};
use quorate_store::{Disk, DiskFault, Store};
use tokio::sync::Notify;

use super::world::World;
use crate::fault_plan::{Append, CrashPoint};
use crate::report::count;

/// A process that asks for the time so often without an append is spinning.
const SPINS: u64 = 50_000;

/// The longest until a loop that broke down is begun again, in milliseconds.
const BEGUN_AGAIN_MS: u64 = 120_000;

/// One process, which can be killed.
pub(super) struct Process {
    pub(super) world: Arc<World>,
    dead: AtomicBool,
    killed: Notify,
    /// Whether a loop has broken down in it; more at a time would put its meeting in quarantine.
    has_broken: AtomicBool,
}

impl Process {
    /// A process that begins now; made inside its runtime.
    pub(super) fn new(world: &Arc<World>) -> Self {
        world.process_begins();
        Self {
            world: Arc::clone(world),
            dead: AtomicBool::new(false),
            killed: Notify::new(),
            has_broken: AtomicBool::new(false),
        }
    }

    /// Whether the loop that appends breaks down now.
    fn breaks(&self, kinds: &BTreeSet<&'static str>) -> bool {
        // Forks and new meetings are not appended by a loop.
        let is_of_loop = !kinds.contains("meeting_created") && !kinds.contains("meeting_forked");
        let world = &self.world;
        // Loops that a failing disk ends count, too, and three of all kinds are too many.
        let may_break = is_of_loop && world.fault_plan.refuse == 0 && !world.is_calm();
        let breaks = may_break && world.rng().per_mille(world.fault_plan.crash / 10);
        let breaks = breaks && !self.has_broken.swap(true, Ordering::Relaxed);
        if breaks {
            world.is_disturbed(BEGUN_AGAIN_MS);
        }
        breaks
    }

    /// Kills it: from now on nothing that it does has an effect.
    pub(super) fn die(&self) {
        self.world.disk.cut_off();
        self.dead.store(true, Ordering::Relaxed);
        self.world.is_dead.store(true, Ordering::Relaxed);
        self.killed.notify_one();
    }

    pub(super) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::Relaxed)
    }

    /// Returns when it is killed.
    pub(super) async fn killed(&self) {
        self.killed.notified().await;
    }
}

impl Clock for Process {
    fn now(&self) -> Timestamp {
        if self.world.asked_the_time.fetch_add(1, Ordering::Relaxed) > SPINS {
            self.world.breach("the engine spins: it asks for the time and nothing happens".to_owned());
            self.die();
        }
        self.world.wall_clock(self.world.now_ms())
    }

    fn steady(&self) -> Option<Duration> {
        Some(Duration::from_millis(self.world.now_ms()))
    }
}

/// The disk under the store: at times full or failing, for a while.
pub(super) struct FaultyDisk {
    pub(super) world: Arc<World>,
    /// The file system on which it is.
    pub(super) vfs: String,
}

impl Disk for FaultyDisk {
    fn vfs(&self) -> Option<&str> {
        Some(&self.vfs)
    }
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.world.disk.content(&path.to_string_lossy())
    }
    fn write_again(&self, path: &Path) -> std::io::Result<()> {
        self.world.disk.write_again(&path.to_string_lossy())
    }
    fn exists(&self, path: &Path) -> bool {
        self.world.disk.exists(&path.to_string_lossy()).unwrap_or(true)
    }
    fn remove(&self, path: &Path) -> std::io::Result<()> {
        self.world.disk.delete(&path.to_string_lossy())
    }
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.world.disk.rename(&from.to_string_lossy(), &to.to_string_lossy())
    }
    fn before_commit(&self) -> Result<(), DiskFault> {
        self.world.disk_before_commit()
    }
    fn after_commit(&self) -> Result<(), DiskFault> {
        self.world.disk_after_commit()
    }
}

/// The store as one process sees it: it dies at some of its appends, before or after the acknowledgement.
#[derive(Clone)]
pub(super) struct ProcessJournal {
    pub(super) process: Arc<Process>,
    pub(super) store: Store,
}

impl ProcessJournal {
    /// Appends, and has everything that is stored checked, whatever the writer was told.
    async fn store_and_check(
        &self,
        meeting: &MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> Result<(), JournalError> {
        let world = &self.process.world;
        world.begins_append(records.iter().map(|record| record.event.body.kind()));
        let end = expected + records.len() as u64;
        let appended = self.store.append(meeting.clone(), expected, records).await;
        world.ends_append();
        if world.disk.is_cut() {
            return appended;
        }
        world.look_at(&self.store, meeting).await;
        if appended.is_ok() {
            world.acknowledge(meeting, end);
        }
        appended
    }
}

impl Journal for ProcessJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let journal = self.clone();
        Box::pin(async move {
            let (process, world) = (&journal.process, &journal.process.world);
            if process.is_dead() {
                return std::future::pending().await;
            }
            world.asked_the_time.store(0, Ordering::Relaxed);
            let kinds: BTreeSet<&'static str> = records.iter().map(|one| one.event.body.kind()).collect();
            let breaks = process.breaks(&kinds);
            if breaks {
                count(&mut world.report().restarts, "a loop breaks down");
            }
            assert!(!breaks, "{}", super::LOOP_BREAKS);
            let Some(point) = world.crash_at_append(&kinds) else {
                return journal.store_and_check(&meeting, expected, records).await;
            };
            let stored = match point {
                CrashPoint::Before => false,
                CrashPoint::Within => {
                    world.disk.cut_off_soon();
                    journal.store_and_check(&meeting, expected, records).await.is_ok()
                }
                CrashPoint::After | CrashPoint::Applied => {
                    journal.store_and_check(&meeting, expected, records).await.is_ok()
                }
            };
            process.die();
            if stored && point == CrashPoint::Applied {
                return Ok(()); // it dies a moment later
            }
            std::future::pending().await
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        self.store.read(meeting, after)
    }

    fn claim(&self, meeting: &MeetingId) -> BoxFuture<'static, Result<(), JournalError>> {
        self.store.claim(meeting)
    }

    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        self.store.keeps_snapshots(meeting)
    }

    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        self.store.resume(meeting)
    }

    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let journal = self.clone();
        Box::pin(async move {
            if journal.process.is_dead() {
                return std::future::pending().await;
            }
            journal.process.world.note(format!("    {meeting}: a snapshot at {}", snapshot.seq));
            journal.store.keep_snapshot(meeting, snapshot).await
        })
    }

    fn keep_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        self.store.keep_fault(meeting, fault)
    }
}

/// Whether an append is to end in the death of the process.
pub(super) fn crash_of(fate: Append) -> Option<CrashPoint> {
    match fate {
        Append::Crash(point) => Some(point),
        Append::Kept | Append::Refused | Append::RefusedButKept => None,
    }
}
