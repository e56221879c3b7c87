//! Which faults one meeting has to bear, and which comes next.
//!
//! Each meeting has a climate of its own, drawn once: some are nearly calm, so that long orderly
//! meetings are played, too; in others every third append ends in a crash.

use std::collections::BTreeSet;
use std::fmt;

use crate::rng::Rng;

/// The climate of one meeting. Shares are of a thousand.
#[derive(Debug, Clone)]
pub(crate) struct FaultPlan {
    /// Appends during which the process dies.
    pub(crate) crash: u64,
    /// Appends that the journal refuses.
    pub(crate) refuse: u64,
    /// Answers with which something is wrong.
    pub(crate) trouble: u64,
    /// Steps in which a person does something.
    pub(crate) people: u64,
    /// Steps in which the clock jumps, the process is killed while idle, or an answer is forged.
    pub(crate) faults: u64,
    /// The number of steps after which the faults cease.
    pub(crate) steps: u64,
    /// What the disk does below the database.
    pub(crate) disk: DiskFaults,
}

/// What a disk does below a database. Shares are of ten thousand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DiskFaults {
    /// Files that cannot be opened.
    pub(crate) open: u64,
    /// Reads that fail.
    pub(crate) read: u64,
    /// Writes that arrive in part, or for which there is no space.
    pub(crate) write: u64,
    /// Flushes that fail.
    pub(crate) flush: u64,
    /// Ends of a process with which the power is lost, too.
    pub(crate) power: u64,
    /// Crashes at an append that happen between two writes of its commit.
    pub(crate) within: u64,
    /// Databases that are made during the simulation; the others were made before it.
    pub(crate) new: u64,
}

impl DiskFaults {
    /// The climate that the dice give.
    pub(crate) fn of(rng: &mut Rng) -> Self {
        Self {
            open: rng.pick(&[0, 0, 0, 5, 100]),
            read: rng.pick(&[0, 0, 1, 5, 50]),
            write: rng.pick(&[0, 0, 5, 20, 100]),
            flush: rng.pick(&[0, 0, 100, 500, 3_000]),
            power: rng.pick(&[0, 2_000, 5_000, 10_000]),
            within: rng.pick(&[0, 2_500, 5_000]),
            new: 1_000,
        }
    }

    /// Whether no work fails.
    pub(crate) fn is_sound(&self) -> bool {
        self.open + self.read + self.write + self.flush == 0
    }
}

/// A kind of faults that can be left out of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum FaultClass {
    /// Processes that die at an append.
    Crashes,
    /// Commits that the disk refuses.
    Disk,
    /// Writes, flushes and reads that fail below the database.
    Io,
    /// Power that is lost, and with it what was not flushed.
    Power,
    /// Vendors that refuse, cut, garble, or cannot be reached.
    Vendors,
    /// People who do anything but start and resume.
    People,
    /// Clocks that are set, processes that are killed or shut down, forks.
    World,
}

impl FaultClass {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Crashes, Self::Disk, Self::Io, Self::Power, Self::Vendors, Self::People, Self::World];
}

/// How a plan differs from the one that the dice give.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanChange {
    /// What is left out.
    pub without: BTreeSet<FaultClass>,
    /// The number of appends after which the faults cease.
    pub steps: Option<u64>,
}

impl fmt::Display for PlanChange {
    /// The options that ask for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for class in &self.without {
            write!(f, " --without {}", format!("{class:?}").to_lowercase())?;
        }
        self.steps.map_or(Ok(()), |steps| write!(f, " --steps {steps}"))
    }
}

/// The point of an append at which the process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CrashPoint {
    /// Nothing is durable.
    Before,
    /// The database is being written.
    Within,
    /// The event is durable, and the process does not know it.
    After,
    /// The event is durable and applied; no subscriber was told, and no call was started.
    Applied,
}

/// The fate of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Append {
    /// It is stored.
    Kept,
    /// The journal refuses and has kept nothing.
    Refused,
    /// The journal refuses and has kept it all the same.
    RefusedButKept,
    /// The process dies.
    Crash(CrashPoint),
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanStep {
    /// One of the pending answers arrives, in random order.
    Answer,
    /// A person does something.
    Person(Act),
    /// The clock jumps by this many milliseconds.
    Clock(i64),
    /// The meeting gets a tick.
    Tick,
    /// The process is killed while nothing is being written.
    Kill,
    /// A forged answer is delivered: another form, another attempt, another task.
    Forgery,
    /// A request within a call is sent again.
    Retry,
    /// The meeting continues as a fork from one of its events.
    Fork,
}

/// An act of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    CreateAgain,
    Start,
    Say,
    Mention,
    SayNothing,
    RequestSpeaker,
    Join,
    Leave,
    Pause,
    PauseAtOnce,
    Resume,
    ResumeWithAnswers,
    ResumeWithAnyToken,
    End,
    Invite,
    GoOffline,
    ComeOnline,
    Arrive,
    Depart,
    HandOver,
    SaySomebodyElse,
    SayOutOfTurn,
    ChangeSkipList,
    ChangeRules,
    ChangeTopic,
    AddItem,
    CompleteItem,
    ReopenItem,
    RemoveItem,
    Announce,
    Lock,
    Unlock,
    WriteMinutes,
    EditMinutes,
    WriteArtifact,
    AttachFile,
    RemoveFile,
}

impl Act {
    /// Its name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CreateAgain => "create again",
            Self::Start => "start",
            Self::Say => "say",
            Self::Mention => "say with mentions",
            Self::SayNothing => "say nothing",
            Self::RequestSpeaker => "request a speaker",
            Self::Join => "join",
            Self::Leave => "leave",
            Self::Pause => "pause",
            Self::PauseAtOnce => "pause at once",
            Self::Resume => "resume",
            Self::ResumeWithAnswers => "resume with answers",
            Self::ResumeWithAnyToken => "resume with any token",
            Self::End => "end",
            Self::Invite => "invite",
            Self::GoOffline => "go offline",
            Self::ComeOnline => "come online",
            Self::Arrive => "come to the table",
            Self::Depart => "leave the table",
            Self::HandOver => "hand over as host",
            Self::SaySomebodyElse => "say as somebody else",
            Self::SayOutOfTurn => "say out of turn",
            Self::ChangeSkipList => "change a skip list",
            Self::ChangeRules => "change the rules",
            Self::ChangeTopic => "change the topic",
            Self::AddItem => "add an agenda item",
            Self::CompleteItem => "complete an agenda item",
            Self::ReopenItem => "reopen an agenda item",
            Self::RemoveItem => "remove an agenda item",
            Self::Announce => "announce",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::WriteMinutes => "ask for minutes",
            Self::EditMinutes => "edit the minutes",
            Self::WriteArtifact => "ask for an artifact",
            Self::AttachFile => "attach a file",
            Self::RemoveFile => "remove a file",
        }
    }
}

impl FaultPlan {
    /// The climate that the dice give.
    pub(crate) fn of(rng: &mut Rng) -> Self {
        Self {
            crash: rng.pick(&[0, 20, 60, 200, 400]),
            refuse: rng.pick(&[0, 10, 50, 200]),
            trouble: rng.pick(&[0, 100, 300, 700, 1000]),
            people: rng.pick(&[20, 100, 300]),
            faults: rng.pick(&[10, 50, 150]),
            steps: rng.between(10, 160),
            disk: DiskFaults::default(),
        }
    }

    /// The same over a disk with faults of its own.
    pub(crate) fn over(self, disk: DiskFaults) -> Self {
        Self { disk, ..self }
    }

    /// The plan with a change.
    pub(crate) fn changed(mut self, change: &PlanChange) -> Self {
        for class in &change.without {
            match class {
                FaultClass::Crashes => self.crash = 0,
                FaultClass::Disk => self.refuse = 0,
                FaultClass::Io => {
                    self.disk = DiskFaults { open: 0, read: 0, write: 0, flush: 0, ..self.disk };
                }
                FaultClass::Power => self.disk.power = 0,
                FaultClass::Vendors => self.trouble = 0,
                FaultClass::People => self.people = 0,
                FaultClass::World => self.faults = 0,
            }
        }
        self.steps = change.steps.unwrap_or(self.steps);
        self
    }

    /// A plan without faults.
    pub(crate) fn calm() -> Self {
        let disk = DiskFaults::default();
        Self { crash: 0, refuse: 0, trouble: 0, people: 0, faults: 0, steps: 0, disk }
    }

    /// Draws the next step.
    pub(crate) fn next(&self, rng: &mut Rng) -> PlanStep {
        if rng.per_mille(self.people) {
            return PlanStep::Person(self.act(rng));
        }
        if rng.per_mille(self.faults) {
            let back = i64::try_from(rng.below(3_600_000)).unwrap_or(0);
            return rng.weighted(&[
                (4, PlanStep::Clock(-back)),
                (4, PlanStep::Clock(back / 60)),
                (2, PlanStep::Clock(back)),
                (6, PlanStep::Tick),
                (4, PlanStep::Kill),
                (6, PlanStep::Forgery),
                (6, PlanStep::Retry),
                (2, PlanStep::Fork),
            ]);
        }
        PlanStep::Answer
    }

    /// Draws the next act of a person.
    pub(crate) fn act(&self, rng: &mut Rng) -> Act {
        rng.weighted(&[
            (2, Act::CreateAgain),
            (6, Act::Start),
            (16, Act::Say),
            (16, Act::Mention),
            (2, Act::SayNothing),
            (14, Act::RequestSpeaker),
            (8, Act::Join),
            (8, Act::Leave),
            (8, Act::Pause),
            (5, Act::PauseAtOnce),
            (16, Act::Resume),
            (10, Act::ResumeWithAnswers),
            (4, Act::ResumeWithAnyToken),
            (2, Act::End),
            (7, Act::Invite),
            (6, Act::GoOffline),
            (6, Act::ComeOnline),
            (12, Act::Arrive),
            (10, Act::Depart),
            (12, Act::HandOver),
            (8, Act::SaySomebodyElse),
            (7, Act::ChangeRules),
            (10, Act::ChangeTopic),
            (6, Act::AddItem),
            (3, Act::CompleteItem),
            (2, Act::ReopenItem),
            (2, Act::RemoveItem),
            (4, Act::Announce),
            (3, Act::Lock),
            (2, Act::Unlock),
            (8, Act::WriteMinutes),
            (5, Act::EditMinutes),
            (10, Act::WriteArtifact),
            (8, Act::SayOutOfTurn),
            (12, Act::ChangeSkipList),
            (16, Act::AttachFile),
            (14, Act::RemoveFile),
        ])
    }

    /// Draws the fate of the next append.
    pub(crate) fn append(&self, rng: &mut Rng) -> Append {
        if rng.per_mille(self.crash) {
            let point = rng.pick(&[CrashPoint::Before, CrashPoint::After, CrashPoint::Applied]);
            return Append::Crash(point);
        }
        if rng.per_mille(self.refuse) {
            return rng.pick(&[Append::Refused, Append::Refused, Append::RefusedButKept]);
        }
        Append::Kept
    }
}
