//! The coverage of the faults: a test that never crashed at a vote says nothing about votes.

use std::collections::BTreeMap;
use std::fmt;

use quorate_contract::{AbortReason, EventBody, MeetingOutcome, Refusal};
use serde::Serialize;

use crate::fault_plan::CrashPoint;

/// The number of crashes while events of one kind were being appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Crashes {
    /// Before the append: nothing was durable.
    pub before: u64,
    /// While the database was being written.
    pub within: u64,
    /// After the append: durable, and the process did not know it.
    pub after: u64,
    /// After the event was applied: durable, and no subscriber was told.
    pub applied: u64,
    /// The disk refused it: nothing was durable.
    pub refused: u64,
    /// The disk reported that it had failed, and it was durable.
    pub kept: u64,
}

/// Stands for a kind of event where nothing was being appended.
pub const NO_APPEND: &str = "no append";

/// The faults below the database, as the report names them, with a short name for the head of a column.
const DISK_FAULTS: [(&str, &str); 6] = [
    ("power lost", "power"),
    ("flush failed below", "flush"),
    ("write torn", "torn"),
    ("full below", "full"),
    ("read failed", "read"),
    ("file not opened", "open"),
];

/// The events and faults in one meeting, or in many.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Report {
    /// Meetings that were played to their end.
    pub meetings: u64,
    /// Things that happened to them.
    pub steps: u64,
    /// Events by kind.
    pub events: BTreeMap<&'static str, u64>,
    /// Crashes during an append, by each kind of event in it.
    pub crashes: BTreeMap<&'static str, Crashes>,
    /// Times a process ended, by what ended it.
    pub restarts: BTreeMap<&'static str, u64>,
    /// Faults of the journal.
    pub journal: BTreeMap<&'static str, u64>,
    /// Faults of the disk below the database, by name, at each kind of event that was being appended; under
    /// [`NO_APPEND`] those while nothing was.
    pub disk: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    /// Results of calls.
    pub answers: BTreeMap<&'static str, u64>,
    /// Acts of people, and faults.
    pub deeds: BTreeMap<&'static str, u64>,
    /// Refusals.
    pub refusals: BTreeMap<&'static str, u64>,
    /// Outcomes of the meetings.
    pub outcomes: BTreeMap<&'static str, u64>,
}

/// The kinds of events that faults can cause: an imported meeting is one append, which no command leads to.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    EventBody::KINDS.iter().copied().filter(|kind| *kind != "meeting_imported")
}

/// A refusal's name.
pub(crate) fn refused(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Invalid { .. } => "invalid",
        Refusal::NotCreated => "not created",
        Refusal::AlreadyCreated => "already created",
        Refusal::NotStarted => "not started",
        Refusal::AlreadyStarted => "already started",
        Refusal::MeetingIsOver => "the meeting is over",
        Refusal::IsPaused => "is paused",
        Refusal::NotPaused => "not paused",
        Refusal::WrongResumeToken => "wrong resume token",
        Refusal::NoSuchParticipant { .. } => "no such participant",
        Refusal::NameTaken { .. } => "name taken",
        Refusal::TurnIsOver { .. } => "the turn is over",
        Refusal::CannotSkip { .. } => "cannot skip",
        Refusal::CannotCallUp { .. } => "cannot call up",
        Refusal::NoSuchAgendaItem { .. } => "no such agenda item",
        Refusal::NoSuchFile { .. } => "no such file",
        Refusal::PeopleMayNotSpeak => "people may not speak",
        Refusal::NotTheHost { .. } => "not the host",
        Refusal::NoSuchPerson { .. } => "no such person",
        Refusal::TooManyPeople { .. } => "too many people",
        Refusal::AnswerMissing { .. } => "answer missing",
        Refusal::BadAnswer { .. } => "bad answer",
        Refusal::NotAsked { .. } => "not asked",
        Refusal::NothingToRecord => "nothing to record",
        Refusal::AlreadyRequested { .. } => "already requested",
        Refusal::MinutesOutdated { .. } => "minutes outdated",
        Refusal::ForkAfterEnd => "fork after the end",
    }
}

/// An outcome's name.
pub(crate) fn ended(outcome: &MeetingOutcome) -> &'static str {
    match outcome {
        MeetingOutcome::Accepted { .. } => "accepted",
        MeetingOutcome::Completed => "completed",
        MeetingOutcome::Converged { .. } => "converged",
        MeetingOutcome::Aborted(AbortReason::RoundLimit) => "aborted: round limit",
        MeetingOutcome::Aborted(AbortReason::Budget { .. }) => "aborted: budget",
        MeetingOutcome::Aborted(AbortReason::User { .. }) => "aborted: user",
        MeetingOutcome::Aborted(AbortReason::NobodyLeft) => "aborted: nobody left",
    }
}

/// Counts one more.
pub(crate) fn count(counts: &mut BTreeMap<&'static str, u64>, name: &'static str) {
    *counts.entry(name).or_default() += 1;
}

impl Report {
    /// Counts a crash at every kind of event that was being appended.
    pub(crate) fn crashed(&mut self, point: CrashPoint, kinds: &[&'static str]) {
        let (name, field): (_, fn(&mut Crashes) -> &mut u64) = match point {
            CrashPoint::Before => ("crash before the append", |crashes| &mut crashes.before),
            CrashPoint::Within => ("crash within the append", |crashes| &mut crashes.within),
            CrashPoint::After => ("crash after the append", |crashes| &mut crashes.after),
            CrashPoint::Applied => ("crash before it was told", |crashes| &mut crashes.applied),
        };
        count(&mut self.restarts, name);
        for kind in kinds {
            *field(self.crashes.entry(kind).or_default()) += 1;
        }
    }

    /// Counts a failure of the disk at every kind of event that was being appended.
    pub(crate) fn disk_failed(&mut self, kinds: &[&'static str], keeps: bool) {
        for kind in kinds {
            let crashes = self.crashes.entry(kind).or_default();
            *(if keeps { &mut crashes.kept } else { &mut crashes.refused }) += 1;
        }
    }

    /// The number of pairs of an event kind and a point of its append that a crash has hit, and the number of
    /// all pairs.
    pub fn crash_points(&self) -> (usize, usize) {
        let hit = |c: &Crashes| [c.before, c.after, c.applied].iter().filter(|hits| **hits > 0).count();
        (self.crashes.values().map(hit).sum(), 3 * kinds().count())
    }

    /// How often each fault has met each kind of event while it was being appended.
    pub fn coverage(&self) -> BTreeMap<&'static str, BTreeMap<&'static str, u64>> {
        let cells = |kind| {
            let crashes = self.crashes.get(kind).copied().unwrap_or_default();
            let disk = self.disk.get(kind);
            let below = |fault| disk.and_then(|counts| counts.get(fault)).copied().unwrap_or(0);
            let mut cells = BTreeMap::from([
                ("crash before", crashes.before),
                ("crash within", crashes.within),
                ("crash after", crashes.after),
                ("crash applied", crashes.applied),
                ("commit refused", crashes.refused),
                ("commit kept", crashes.kept),
            ]);
            cells.extend(DISK_FAULTS.iter().map(|(fault, _)| (*fault, below(*fault))));
            cells
        };
        kinds().chain([NO_APPEND]).map(|kind| (kind, cells(kind))).collect()
    }

    /// The number of pairs of a kind of event and a fault that have met, and the number of all pairs.
    pub fn pairs(&self) -> (usize, usize) {
        let coverage = self.coverage();
        let cells =
            || coverage.iter().filter(|(kind, _)| **kind != NO_APPEND).flat_map(|(_, cells)| cells.values());
        (cells().filter(|count| **count > 0).count(), cells().count())
    }

    /// The report for programs: its counts, and how often each fault has met each kind of event.
    pub fn to_json(&self) -> serde_json::Result<serde_json::Value> {
        let mut value = serde_json::to_value(self)?;
        if let Some(fields) = value.as_object_mut() {
            let (met, all) = self.pairs();
            fields.insert("coverage".to_owned(), serde_json::to_value(self.coverage())?);
            fields.insert("pairs".to_owned(), serde_json::json!({ "met": met, "all": all }));
        }
        Ok(value)
    }

    /// Counts a fault below the database at every kind of event that was being appended.
    pub(crate) fn disk_has(&mut self, fault: &'static str, kinds: &[&'static str]) {
        count(&mut self.journal, fault);
        let kinds = if kinds.is_empty() { &[NO_APPEND] } else { kinds };
        for kind in kinds {
            count(self.disk.entry(kind).or_default(), fault);
        }
    }

    /// Kinds of events at whose append there was no crash.
    pub fn never_crashed(&self) -> Vec<&'static str> {
        let crashed =
            |kind: &&str| self.crashes.get(*kind).is_some_and(|c| c.before + c.after + c.applied > 0);
        kinds().filter(|kind| !crashed(kind)).collect()
    }

    /// Kinds of events that never happened.
    pub fn never_seen(&self) -> Vec<&'static str> {
        kinds().filter(|kind| !self.events.contains_key(kind)).collect()
    }

    /// Adds another report to this one.
    pub fn add(&mut self, other: &Report) {
        self.meetings += other.meetings;
        self.steps += other.steps;
        let pairs = [
            (&mut self.events, &other.events),
            (&mut self.restarts, &other.restarts),
            (&mut self.journal, &other.journal),
            (&mut self.answers, &other.answers),
            (&mut self.deeds, &other.deeds),
            (&mut self.refusals, &other.refusals),
            (&mut self.outcomes, &other.outcomes),
        ];
        for (mine, theirs) in pairs {
            for (name, more) in theirs {
                *mine.entry(name).or_default() += more;
            }
        }
        for (kind, faults) in &other.disk {
            for (fault, more) in faults {
                *self.disk.entry(kind).or_default().entry(fault).or_default() += more;
            }
        }
        for (kind, more) in &other.crashes {
            let mine = self.crashes.entry(kind).or_default();
            mine.before += more.before;
            mine.within += more.within;
            mine.after += more.after;
            mine.applied += more.applied;
            mine.refused += more.refused;
            mine.kept += more.kept;
        }
    }
}

impl Report {
    /// The faults below the database at each kind of event.
    fn write_matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &str, cells: &[String]| {
            let cells: String = cells.iter().map(|cell| format!(" {cell:>8}")).collect();
            writeln!(f, "  {name:<28}{cells}")
        };
        writeln!(f, "\nbelow the database")?;
        let heads: Vec<_> = ["within"].into_iter().chain(DISK_FAULTS.iter().map(|(_, head)| *head)).collect();
        row(f, "kind", &heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>())?;
        for (kind, cells) in self.coverage() {
            let names = ["crash within"].into_iter().chain(DISK_FAULTS.iter().map(|(name, _)| *name));
            let cells: Vec<_> = names.map(|name| cells.get(name).copied().unwrap_or(0).to_string()).collect();
            row(f, kind, &cells)?;
        }
        let (met, all) = self.pairs();
        writeln!(f, "\npairs of a kind of event and a fault that have met: {met} of {all}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events: u64 = self.events.values().sum();
        let counted = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let (meetings, steps) = (counted(self.meetings, "meeting"), counted(self.steps, "step"));
        writeln!(f, "{meetings}, {steps}, {}", counted(events, "event"))?;
        let sections = [
            ("outcomes", &self.outcomes),
            ("processes that ended", &self.restarts),
            ("the journal", &self.journal),
            ("answers", &self.answers),
            ("people and faults", &self.deeds),
            ("refusals", &self.refusals),
        ];
        for (title, counts) in sections {
            writeln!(f, "\n{title}")?;
            for (name, count) in counts {
                writeln!(f, "  {name:<28} {count:>8}")?;
            }
        }
        if !self.disk.is_empty() {
            self.write_matrix(f)?;
        }
        let header = ["events", "before", "after", "applied", "refused", "kept"];
        writeln!(
            f,
            "\n{:<30} {:>8}   crash {:>7} {:>8} {:>8}   disk {:>8} {:>6}",
            "kind", header[0], header[1], header[2], header[3], header[4], header[5]
        )?;
        for kind in kinds() {
            let seen = self.events.get(kind).copied().unwrap_or(0);
            let Crashes { before, after, applied, refused, kept, .. } =
                self.crashes.get(kind).copied().unwrap_or_default();
            writeln!(
                f,
                "  {kind:<28} {seen:>8}         {before:>7} {after:>8} {applied:>8}        {refused:>8} {kept:>6}"
            )?;
        }
        let (hit, all) = self.crash_points();
        write!(f, "\ncrash points hit: {hit} of {all}")?;
        for (what, kinds) in [("no crash at", self.never_crashed()), ("never seen", self.never_seen())] {
            if !kinds.is_empty() {
                write!(f, "\n{what}: {}", kinds.join(", "))?;
            }
        }
        Ok(())
    }
}
