//! What outlives a process: the dice, the time, the transcript, the providers, and what was checked of each log.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_contract::{Event, MeetingId, Timestamp};
use quorate_engine::{EngineError, JournalError};
use quorate_store::{DiskFault, Store};
use tokio::time::Instant;

use super::callers::Who;
use super::disk::SimulatedDisk;
use super::entrances::Entrances;
use super::log_check::LogCheck;
use super::next_try::{LATE_MS, NextTry};
use super::process::crash_of;
use super::running_time::RunningTime;
use super::seats::Tickets;
use super::vendor::Vendors;
use super::visibility::{Canaries, Secrets};
use crate::fault_plan::{CrashPoint, FaultPlan};
use crate::invariants::LogChecker;
use crate::report::{Report, count};
use crate::rng::Rng;

/// The moment at which the time of every simulation begins.
const BEGINNING: Timestamp = Timestamp(1_700_000_000_000);

/// What is known of the log of one meeting.
pub(super) struct Known {
    /// The lines that are stored.
    pub(super) lines: Vec<Arc<str>>,
    /// The rules of logs, with the fold of the core, with which live states are compared.
    pub(super) checker: LogChecker,
    /// The rules of logs, with nothing of the core.
    pub(super) own: LogCheck,
    /// How long it ran at the most.
    running: RunningTime,
    next_try: NextTry,
    /// Who may see what of it, with nothing of the views.
    pub(super) secrets: Secrets,
    /// When each line was seen first, in the time of the simulation.
    times: Vec<u64>,
    /// When something was last written.
    pub(super) written_ms: u64,
    /// What was told to somebody: the number of the last event of which they know that it is stored.
    pub(super) acknowledged: u64,
}

/// Everything beside a process.
pub(super) struct World {
    pub(super) seed: u64,
    pub(super) fault_plan: FaultPlan,
    rng: Mutex<Rng>,
    /// The number of appends after which the faults cease.
    appends: AtomicU64,
    calm: AtomicBool,
    /// The time when the last process ended, or the living one began.
    now_ms: AtomicU64,
    /// When the living process began, by the clock of its runtime.
    born: Mutex<Option<Instant>>,
    /// By how much the clock on the wall is set wrong, in milliseconds.
    set_by_ms: AtomicI64,
    /// How often it was set.
    clock_was_set: AtomicU64,
    /// By how much it was set forward where that may not have been written down, in milliseconds.
    unnoted_ms: AtomicU64,
    /// Until when the disk fails, and how.
    commits: Mutex<Option<(u64, DiskFault, bool)>>,
    appending: Mutex<BTreeSet<&'static str>>,
    /// What the process was appending when it died.
    died_over: Mutex<Vec<&'static str>>,
    pub(super) asked_the_time: AtomicU64,
    pub(super) process: AtomicU64,
    /// Whether the process is dead, so that nothing that it does reaches the disk.
    pub(super) is_dead: AtomicBool,
    ids: AtomicU64,
    pub(super) vendors: Vendors,
    pub(super) disk: Arc<SimulatedDisk>,
    pub(super) entrances: Entrances,
    pub(super) tickets: Tickets,
    pub(super) canaries: Canaries,
    /// When a disk last failed, or will have, in the time of the simulation.
    pub(super) disk_fails_ms: AtomicU64,
    /// Since when its meetings run undisturbed: a process began, or a loop broke down and was begun again.
    undisturbed_ms: AtomicU64,
    known: Mutex<BTreeMap<MeetingId, Known>>,
    /// What people have said, by marks that occur once: whether it was acknowledged.
    said: Mutex<BTreeMap<String, bool>>,
    /// The marks of what was refused.
    never: Mutex<BTreeSet<String>>,
    transcript: Mutex<Vec<String>>,
    breach: Mutex<Option<String>>,
    pub(super) report: Mutex<Report>,
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    pub(super) fn new(seed: u64, fault_plan: FaultPlan, rng: Rng, vendors: Vendors) -> Self {
        Self {
            seed,
            fault_plan: fault_plan.clone(),
            rng: Mutex::new(rng),
            appends: AtomicU64::new(0),
            calm: AtomicBool::new(false),
            now_ms: AtomicU64::new(0),
            born: Mutex::default(),
            set_by_ms: AtomicI64::new(0),
            commits: Mutex::default(),
            clock_was_set: AtomicU64::new(0),
            unnoted_ms: AtomicU64::new(0),
            appending: Mutex::default(),
            died_over: Mutex::default(),
            asked_the_time: AtomicU64::new(0),
            process: AtomicU64::new(0),
            is_dead: AtomicBool::new(false),
            ids: AtomicU64::new(0),
            vendors,
            disk: Arc::new(SimulatedDisk::new(seed, fault_plan.disk)),
            entrances: Entrances::default(),
            tickets: Tickets::default(),
            canaries: Canaries::default(),
            disk_fails_ms: AtomicU64::new(0),
            undisturbed_ms: AtomicU64::new(0),
            known: Mutex::default(),
            said: Mutex::default(),
            never: Mutex::default(),
            transcript: Mutex::default(),
            breach: Mutex::default(),
            report: Mutex::default(),
        }
    }

    pub(super) fn rng(&self) -> MutexGuard<'_, Rng> {
        locked(&self.rng)
    }

    /// Whether the faults have ceased.
    pub(super) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    /// From now on nothing goes wrong any more.
    pub(super) fn calm_down(&self) {
        if !self.calm.swap(true, Ordering::Relaxed) {
            self.note("the faults cease".to_owned());
        }
        *locked(&self.commits) = None;
    }

    /// The time that passes steadily, whether or not anybody asks for it.
    pub(super) fn now_ms(&self) -> u64 {
        let lived = locked(&self.born).map_or(0, |born| born.elapsed().as_millis());
        self.now_ms.load(Ordering::Relaxed).saturating_add(u64::try_from(lived).unwrap_or(u64::MAX))
    }

    /// A process begins: from now on time passes as in its runtime.
    pub(super) fn process_begins(&self) {
        *locked(&self.born) = Some(Instant::now());
    }

    /// It has ended, and its runtime with it.
    pub(super) fn process_ends(&self) {
        let now = self.now_ms();
        *locked(&self.born) = None;
        self.now_ms.store(now, Ordering::Relaxed);
    }

    /// Time passes while no process lives.
    pub(super) fn passes(&self, ms: u64) {
        self.now_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// The time by the clock on the wall.
    pub(super) fn wall_clock(&self, now_ms: u64) -> Timestamp {
        let set_by = self.set_by_ms.load(Ordering::Relaxed);
        Timestamp(BEGINNING.0.saturating_add_unsigned(now_ms).saturating_add(set_by))
    }

    /// Somebody sets the clock.
    pub(super) fn set_clock(&self, by_ms: i64) {
        self.note(format!("the clock is set by {by_ms} ms"));
        count(&mut self.report().deeds, if by_ms < 0 { "clock set back" } else { "clock set forward" });
        self.set_by_ms.fetch_add(by_ms, Ordering::Relaxed);
        self.clock_was_set.fetch_add(1, Ordering::Relaxed);
        // That the clock was set cannot be written down while the disk refuses or fails; then the time counts.
        if self.fault_plan.refuse > 0 || !self.fault_plan.disk.is_sound() {
            self.unnoted_ms.fetch_add(u64::try_from(by_ms).unwrap_or(0), Ordering::Relaxed);
        }
    }

    /// How often the clock on the wall was set.
    pub(super) fn clock_was_set(&self) -> u64 {
        self.clock_was_set.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, line: String) {
        let at = self.now_ms();
        let line = match (line.find(" /"), line.find("meetings.db")) {
            // The folder has another name each time.
            (Some(from), Some(to)) if from < to => format!("{} {}", &line[..from], &line[to..]),
            _ => line,
        };
        locked(&self.transcript).push(format!("{:>5}.{:03}  {line}", at / 1000, at % 1000));
    }

    pub(super) fn take_transcript(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.transcript))
    }

    pub(super) fn report(&self) -> MutexGuard<'_, Report> {
        locked(&self.report)
    }

    /// Something that must always hold does not. The first one counts.
    pub(super) fn breach(&self, what: String) {
        locked(&self.breach).get_or_insert(what);
    }

    pub(super) fn breached(&self) -> Option<String> {
        locked(&self.breach).clone()
    }

    pub(super) fn known(&self) -> MutexGuard<'_, BTreeMap<MeetingId, Known>> {
        locked(&self.known)
    }

    /// Whether somebody has or had a seat at a meeting.
    pub(super) fn had_seat(&self, meeting: &MeetingId, who: Who) -> bool {
        self.known().get(meeting).is_some_and(|known| known.secrets.had_seat(who))
    }

    /// The meetings that are stored.
    pub(super) fn meetings(&self) -> Vec<MeetingId> {
        self.known().keys().cloned().collect()
    }

    // The journal.

    /// Whether, and when, the process dies at this append.
    pub(super) fn crash_at_append(&self, kinds: &BTreeSet<&'static str>) -> Option<CrashPoint> {
        if self.appends.fetch_add(1, Ordering::Relaxed) >= self.fault_plan.steps {
            self.calm_down();
        }
        if self.is_calm() {
            return None;
        }
        let mut point = crash_of(self.fault_plan.append(&mut self.rng()))?;
        if self.rng().below(10_000) < self.fault_plan.disk.within {
            point = CrashPoint::Within;
        }
        let kinds: Vec<_> = kinds.iter().copied().collect();
        self.note(format!("the process dies at an append, {point:?}: {}", kinds.join(", ")));
        self.report().crashed(point, &kinds);
        *locked(&self.died_over) = kinds;
        Some(point)
    }

    pub(super) fn begins_append(&self, kinds: impl Iterator<Item = &'static str>) {
        *locked(&self.appending) = kinds.collect();
    }

    pub(super) fn ends_append(&self) {
        locked(&self.appending).clear();
    }

    /// The next id of a meeting or a run.
    pub(super) fn new_id(&self) -> String {
        format!("m{}", self.ids.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn disk_before_commit(&self) -> Result<(), DiskFault> {
        if self.is_dead.load(Ordering::Relaxed) {
            return Err(DiskFault::Failed);
        }
        if self.is_calm() {
            return Ok(());
        }
        let now = self.now_ms();
        if let Some((until, fault, false)) = *locked(&self.commits)
            && now < until
        {
            return Err(fault);
        }
        let mut rng = self.rng();
        if !rng.per_mille(self.fault_plan.refuse) {
            *locked(&self.commits) = None;
            return Ok(());
        }
        let keeps = rng.per_mille(400);
        let fault = if keeps || rng.per_mille(400) { DiskFault::Failed } else { DiskFault::Full };
        let lasts_ms = rng.pick(&[0, 1, 900, 5_000, 60_000]);
        drop(rng);
        *locked(&self.commits) = Some((now + lasts_ms, fault, keeps));
        self.disk_fails_ms.fetch_max(now + lasts_ms, Ordering::Relaxed);
        let name = match (fault, keeps) {
            (DiskFault::Full, _) => "disk full",
            (DiskFault::Failed, false) => "flush failed, nothing kept",
            (DiskFault::Failed, true) => "flush failed, kept",
        };
        let kinds: Vec<_> = locked(&self.appending).iter().copied().collect();
        self.note(format!("{name}, for {lasts_ms} ms: {}", kinds.join(", ")));
        let mut report = self.report();
        count(&mut report.journal, name);
        report.disk_failed(&kinds, keeps);
        if keeps { Ok(()) } else { Err(fault) }
    }

    pub(super) fn disk_after_commit(&self) -> Result<(), DiskFault> {
        let mut disk = locked(&self.commits);
        match *disk {
            Some((_, fault, true)) => {
                *disk = None;
                Err(fault)
            }
            _ => Ok(()),
        }
    }

    /// The disk has a fault below the database.
    pub(super) fn disk_has(&self, fault: &'static str, lasts_ms: u64) {
        let kinds: Vec<_> = locked(&self.appending).iter().copied().collect();
        let lasts = if lasts_ms > 0 { format!(", for {lasts_ms} ms") } else { String::new() };
        self.note(format!("{fault}{lasts}: {}", kinds.join(", ")));
        self.disk_fails_ms.fetch_max(self.now_ms() + lasts_ms, Ordering::Relaxed);
        self.report().disk_has(fault, &kinds);
    }

    /// Whether the power is lost with the process that has just ended.
    pub(super) fn loses_power(&self) -> bool {
        let loses = !self.is_calm() && self.rng().below(10_000) < self.fault_plan.disk.power;
        let kinds = std::mem::take(&mut *locked(&self.died_over));
        if loses {
            self.note("the power is lost".to_owned());
            self.report().disk_has("power lost", &kinds);
        }
        self.ends_append();
        loses
    }

    /// A meeting that is stored is there, also when it cannot be read now.
    pub(super) fn is_still_there(&self, meeting: &MeetingId, error: &EngineError) {
        if let EngineError::Journal(JournalError::NoSuchMeeting(_)) = error {
            self.breach(format!("{meeting} is stored, and is said not to be there"));
        }
    }

    /// Reads what is new in the log of a meeting, and checks it.
    pub(super) async fn look_at(&self, store: &Store, meeting: &MeetingId) {
        let _quiet = self.disk.quietly();
        let after = self.known().get(meeting).map_or(0, |known| known.lines.len() as u64);
        let lines = match store.lines(meeting, after).await {
            Ok(lines) => lines,
            Err(JournalError::NoSuchMeeting(_)) if after == 0 => return,
            Err(error) => return self.breach(format!("{meeting} cannot be read: {error}")),
        };
        for (_, line) in lines {
            self.enter(meeting, &line);
        }
        let (was_set, unnoted_ms) = (self.clock_was_set(), self.unnoted_ms.load(Ordering::Relaxed));
        let all = self.known();
        let checked = all.get(meeting).map(|known| {
            known.running.check(known.checker.meeting.ran_ms.saturating_sub(unnoted_ms), was_set)
        });
        drop(all);
        if let Some(Err(what)) = checked {
            self.breach(format!("{meeting}: {what}"));
        }
    }

    /// A process begins, or one of its loops, after so many milliseconds.
    pub(super) fn is_disturbed(&self, for_ms: u64) {
        self.undisturbed_ms.fetch_max(self.now_ms() + for_ms, Ordering::Relaxed);
    }

    /// Whether nothing but acts of people has happened to the meetings for so long.
    fn is_undisturbed_for(&self, ms: u64) -> bool {
        let since = [&self.undisturbed_ms, &self.disk_fails_ms].map(|one| one.load(Ordering::Relaxed));
        self.clock_was_set() == 0 && since.iter().all(|since| since + ms < self.now_ms())
    }

    /// Enters one more stored line.
    fn enter(&self, meeting: &MeetingId, line: &str) {
        let event = match Event::from_json(line) {
            Ok(event) => event,
            Err(error) => return self.breach(format!("{meeting}: a line cannot be read: {error}: {line}")),
        };
        let kind = event.body.kind();
        *self.report().events.entry(kind).or_default() += 1;
        self.note(format!("  {meeting} {:>4} {kind}", event.seq));
        let mut all = self.known();
        let known = all.entry(meeting.clone()).or_insert_with(|| Known {
            lines: Vec::new(),
            checker: LogChecker::of(meeting.clone(), event.run_id.clone()),
            own: LogCheck::default(),
            running: RunningTime::default(),
            next_try: NextTry::default(),
            secrets: Secrets::default(),
            times: Vec::new(),
            written_ms: 0,
            acknowledged: 0,
        });
        known.lines.push(line.into());
        known.secrets.see(&event, line);
        known.written_ms = self.now_ms();
        known.times.push(known.written_ms);
        let checked = known.checker.see(line).map(|_| ());
        let checked = checked.and_then(|()| known.own.see(&event)).and_then(|()| Who::check(&event));
        known.running.see(&event, known.written_ms);
        let late_ms = known.next_try.see(&event, known.written_ms);
        let billed = self.vendors.check(meeting, &event);
        drop(all);
        if let Err(what) = checked.and(billed) {
            self.breach(format!("{meeting}: {what}"));
        }
        if let Some(late_ms) =
            late_ms.filter(|late_ms| *late_ms > LATE_MS && self.is_undisturbed_for(*late_ms))
        {
            self.breach(format!("{meeting} tries its provider {late_ms} ms after that was due"));
        }
    }

    /// Somebody was told that a meeting has so many events.
    pub(super) fn acknowledge(&self, meeting: &MeetingId, seq: u64) {
        let mut all = self.known();
        let stored = all.get(meeting).map_or(0, |known| known.lines.len() as u64);
        if let Some(known) = all.get_mut(meeting) {
            known.acknowledged = known.acknowledged.max(seq);
        }
        drop(all);
        if stored < seq {
            self.breach(format!("{meeting}: event {seq} was acknowledged, and {stored} are stored"));
        }
    }

    /// The next mark of a message.
    pub(super) fn mark(&self) -> String {
        let mut said = locked(&self.said);
        let mark = format!("#{}#", said.len() + 1);
        said.insert(mark.clone(), false);
        mark
    }

    /// What has this mark was refused, and must be in no log.
    pub(super) fn never(&self, mark: &str) {
        locked(&self.never).insert(mark.to_owned());
    }

    /// A meeting that was not created after all is in no database.
    pub(super) fn forget(&self, meeting: &MeetingId) {
        self.known().remove(meeting);
    }

    pub(super) fn acknowledge_said(&self, mark: &str) {
        locked(&self.said).insert(mark.to_owned(), true);
    }

    /// Checks that a process that begins finds all that others were told of, as they were told.
    pub(super) async fn check_stored(&self, store: &Store) {
        let _quiet = self.disk.quietly();
        for meeting in self.meetings() {
            let lines = match store.lines(&meeting, 0).await {
                Ok(lines) => lines,
                Err(JournalError::NoSuchMeeting(_)) => Vec::new(),
                Err(error) => return self.breach(format!("{meeting} cannot be read: {error}")),
            };
            if let Err(what) = self.forget_unacknowledged(&meeting, lines.len()) {
                return self.breach(format!("{meeting}: {what}"));
            }
            let all = self.known();
            let Some(known) = all.get(&meeting) else { continue };
            let same = lines.len() >= known.lines.len()
                && lines.iter().zip(&known.lines).all(|((_, found), known)| **found == **known);
            let (found, acknowledged) = (lines.len() as u64, known.acknowledged);
            drop(all);
            if !same || found < acknowledged {
                return self.breach(format!(
                    "{meeting}: {acknowledged} events were acknowledged, and of {found} not all are as they were"
                ));
            }
        }
    }

    /// What was stored and acknowledged to nobody may be gone with the power.
    fn forget_unacknowledged(&self, meeting: &MeetingId, found: usize) -> Result<(), String> {
        let mut all = self.known();
        let Some(known) = all.get_mut(meeting) else { return Ok(()) };
        if found >= known.lines.len() || (found as u64) < known.acknowledged {
            return Ok(());
        }
        let lost = known.lines.split_off(found);
        self.note(format!("  {meeting}: {} events were told to nobody, and are gone", lost.len()));
        for line in &lost {
            let event = Event::from_json(line).map_err(|error| error.to_string())?;
            self.vendors.forget_start(meeting, &event)?;
        }
        if found == 0 {
            all.remove(meeting);
            return Ok(());
        }
        let first = Event::from_json(&known.lines[0]).map_err(|error| error.to_string())?;
        known.checker = LogChecker::of(meeting.clone(), first.run_id);
        (known.own, known.running, known.secrets) = Default::default();
        known.times.truncate(found);
        for (line, at) in known.lines.iter().zip(&known.times) {
            let event = known.checker.see(line)?;
            known.own.see(&event)?;
            known.running.see(&event, *at);
            known.secrets.see(&event, line);
        }
        Ok(())
    }

    /// Checks that what was acknowledged to people is there once, and nothing twice.
    pub(super) fn check_said(&self) {
        let all = self.known();
        for mark in locked(&self.never).iter() {
            if all.values().any(|known| known.lines.iter().any(|line| line.contains(mark.as_str()))) {
                return self.breach(format!("{mark} was refused, and is in a log"));
            }
        }
        for (mark, acknowledged) in locked(&self.said).iter() {
            for (meeting, known) in &*all {
                let said = |line: &&Arc<str>| {
                    let kinds = ["\"user_message\"", "\"agenda_changed\"", "\"participant_invited\""];
                    line.contains(mark.as_str()) && kinds.iter().any(|kind| line.contains(kind))
                };
                let times = known.lines.iter().filter(said).count();
                if times > 1 {
                    return self
                        .breach(format!("{meeting}: {mark} was said once, and is there {times} times"));
                }
            }
            let is_there =
                all.values().any(|known| known.lines.iter().any(|line| line.contains(mark.as_str())));
            if *acknowledged && !is_there {
                return self.breach(format!("{mark} was acknowledged, and is nowhere"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::world_of;

    #[tokio::test(start_paused = true)]
    async fn time_passes_whether_or_not_anybody_asks_for_it() {
        let world = world_of(1, &Default::default());
        world.passes(600);
        assert_eq!(world.now_ms(), 600);
        world.process_begins();
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(world.now_ms(), 5_600, "a disk that is full for five seconds has room again");
        world.process_ends();
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(world.now_ms(), 5_600, "what passes between two processes is drawn");
    }
}
