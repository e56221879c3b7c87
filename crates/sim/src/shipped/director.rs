//! What people and the world do to one process: they act, twice and at once, watch, leave and return; and at last they let
//! every meeting come to its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_contract::*;
use quorate_core::{Meeting, Phase, RunState};
use quorate_engine::{
    ComputeOn, Engine, EngineError, EngineOptions, FaultKind, Fork, JournalError, MeetingHandle, Notice,
};
use quorate_store::Store;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::place::Place;
use super::process::{Process, ProcessJournal};
use super::vendor::Vendors;
use super::world::World;
use crate::fault_plan::Act;
use crate::invariants::{check_live, check_settled};
use crate::report::count;
use crate::{forged_answers, people};

/// The longest that a meeting may be silent while it runs and waits for no provider: its longest call, with all that it
/// waits for before.
const SILENCE: Duration = Duration::from_secs(3_600);

/// The longest that a meeting with calls under way may be run by nobody: the longest wait for another beginning, and one
/// that fails.
const STANDS_MS: u64 = 120_000;

/// The number of acts of people after the faults have ceased within which every meeting ends.
const CALM_ACTS: u32 = 3_000;

/// How often a meeting is resumed after the faults have ceased before its owner ends it.
const RESUMED_MAX: u32 = 60;

/// The most meetings of a simulation.
const MEETINGS: usize = 3;

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProcessEnd {
    /// All meetings are over.
    Finished,
    /// It was killed.
    Killed,
    /// It was shut down.
    ShutDown,
    /// Something must hold and does not.
    Breach,
}

/// What the people of all processes share.
pub(super) struct Director {
    pub(super) world: Arc<World>,
    pub(super) spec: MeetingSpec,
    pub(super) calm_acts: u32,
    /// How often each meeting was resumed after the faults had ceased.
    resumed: BTreeMap<MeetingId, u32>,
    forks: u32,
    /// Whether a meeting that is over was to be forked.
    end_is_forked: bool,
    /// Meetings that nobody runs though something is owed to them, and since when.
    stands: BTreeMap<MeetingId, u64>,
}

/// The meeting with which it begins.
fn first() -> MeetingId {
    MeetingId::new("m")
}

impl Director {
    pub(super) fn new(world: Arc<World>, spec: MeetingSpec) -> Self {
        Self {
            world,
            spec,
            calm_acts: 0,
            resumed: BTreeMap::new(),
            forks: 0,
            end_is_forked: false,
            stands: BTreeMap::new(),
        }
    }

    /// Lives through one process.
    pub(super) async fn live_through(&mut self, process: &Arc<Process>, store: Store) -> ProcessEnd {
        let world = Arc::clone(&self.world);
        self.stands.clear();
        world.check_stored(&store).await;
        for meeting in world.meetings() {
            // What a commit of the last process kept, and nobody was told of.
            world.look_at(&store, &meeting).await;
        }
        let journal = Arc::new(ProcessJournal { process: Arc::clone(process), store });
        let runners = match world.vendors.directory(&world) {
            Ok(runners) => Arc::new(runners),
            Err(what) => {
                world.breach(what);
                return ProcessEnd::Breach;
            }
        };
        // Some meetings leave memory whenever nothing happens for a moment.
        let idle_ms = world.rng().pick(&[1, 1_000, 60_000]);
        let snapshot_every = world.rng().pick(&[7, 40, 500]);
        let options = EngineOptions {
            idle_after: Duration::from_millis(idle_ms),
            snapshot_every,
            compute_on: ComputeOn::Caller,
            ..EngineOptions::default()
        };
        let engine = Engine::with_options(journal, runners, Arc::<Process>::clone(process), options);
        tokio::select! {
            biased;
            () = process.killed() => ProcessEnd::Killed,
            end = self.attend(&engine, process) => end,
        }
    }

    /// Attends until all meetings are over.
    async fn attend(&mut self, engine: &Engine, process: &Arc<Process>) -> ProcessEnd {
        for meeting in self.world.meetings() {
            let is_over = self.is_over(&meeting);
            if !is_over && !is_taken_up(engine, &meeting).await {
                continue;
            }
            if !is_over {
                // What does not run yet is tried again by the engine.
                _ = engine.take_up(&meeting).await;
            }
            self.watch(engine, &meeting);
        }
        loop {
            if self.world.breached().is_some() {
                return ProcessEnd::Breach;
            }
            let meetings = self.world.meetings();
            if !meetings.is_empty() && meetings.iter().all(|meeting| self.is_over(meeting)) {
                let is_forked = std::mem::replace(&mut self.end_is_forked, true);
                if is_forked || meetings.len() >= MEETINGS || self.world.rng().per_mille(700) {
                    return ProcessEnd::Finished;
                }
                self.fork_at(engine, &meetings[0], None).await;
            }
            let calm = self.world.is_calm();
            self.calm_acts += u32::from(calm);
            if self.calm_acts > CALM_ACTS {
                let open: Vec<_> = meetings.iter().filter(|meeting| !self.is_over(meeting)).collect();
                self.world.breach(format!("no fault is left, and {open:?} do not end"));
                return ProcessEnd::Breach;
            }
            let wait_ms = if calm { 20_000 } else { self.world.rng().between(1, 60_000) };
            sleep(Duration::from_millis(wait_ms)).await;
            if !calm && self.world.rng().per_mille(self.world.fault_plan.faults) {
                match self.world_acts(engine, process).await {
                    Some(end) => return end,
                    None => continue,
                }
            }
            if self.is_left_alone(engine, &meetings) {
                continue;
            }
            let Some(meeting) = self.pick(&meetings) else {
                self.create(engine).await;
                continue;
            };
            self.act(engine, &meeting).await;
        }
    }

    /// Something that no person does.
    async fn world_acts(&mut self, engine: &Engine, process: &Arc<Process>) -> Option<ProcessEnd> {
        let world = Arc::clone(&self.world);
        let roll = world.rng().below(10);
        match roll {
            0..=3 => {
                let by_ms = i64::try_from(world.rng().below(3_600_000)).unwrap_or(0);
                let by_ms = world.rng().pick(&[-by_ms, by_ms / 60, by_ms]);
                world.set_clock(by_ms);
            }
            4..=5 => {
                world.note("the process is killed".to_owned());
                count(&mut world.report().restarts, "killed at rest");
                process.die();
                return Some(ProcessEnd::Killed);
            }
            6 => {
                world.note("the process is shut down".to_owned());
                count(&mut world.report().restarts, "shut down");
                let grace_ms = world.rng().pick(&[0, 5_000]);
                engine.shut_down(Duration::from_millis(grace_ms)).await;
                return Some(ProcessEnd::ShutDown);
            }
            7 => {
                let meetings = world.meetings();
                if let Some(meeting) = self.pick(&meetings) {
                    world.note(format!("{meeting} is let go"));
                    engine.unload(&meeting);
                    self.watch(engine, &meeting);
                }
            }
            _ => self.fork(engine).await,
        }
        None
    }

    /// Whether a meeting with calls under way is run by nobody: then nobody looks at it either, for that would take it up. It
    /// has to go on by itself.
    fn is_left_alone(&mut self, engine: &Engine, meetings: &[MeetingId]) -> bool {
        // What a failing disk has kept, nobody knows of until somebody asks.
        if self.world.fault_plan.refuse > 0 {
            return false;
        }
        let now = self.world.now_ms();
        let stands = |id: &&MeetingId| {
            let owes = self.world.known().get(*id).is_some_and(|known| known.own.has_open_calls());
            owes && !self.is_over(id) && !engine.is_running(id) && engine.fault(id).is_none()
        };
        let standing: Vec<&MeetingId> = meetings.iter().filter(stands).collect();
        self.stands.retain(|id, _| standing.contains(&id));
        for id in &standing {
            let since = *self.stands.entry((*id).clone()).or_insert(now);
            if now.saturating_sub(since) > STANDS_MS {
                self.world
                    .breach(format!("{id} has calls under way, and nobody runs it for {} ms", now - since));
            }
        }
        !standing.is_empty()
    }

    fn is_over(&self, meeting: &MeetingId) -> bool {
        self.world.known().get(meeting).is_some_and(|known| known.checker.meeting.is_over())
    }

    /// One of the meetings that are not over.
    fn pick(&self, meetings: &[MeetingId]) -> Option<MeetingId> {
        let open: Vec<&MeetingId> = meetings.iter().filter(|meeting| !self.is_over(meeting)).collect();
        open.get(self.world.rng().place(open.len())).map(|meeting| (*meeting).clone())
    }

    async fn create(&self, engine: &Engine) {
        let (run, spec) = (RunId::new("run"), self.spec.clone());
        self.world.note("a meeting is created".to_owned());
        match engine.create(first(), run, Actor::owner(), spec).await {
            Ok(_) => self.watch(engine, &first()),
            Err(error) => self.world.note(format!("  it is not: {error}")),
        }
    }

    /// A meeting is forked, at its end or anywhere.
    async fn fork(&mut self, engine: &Engine) {
        let meetings = self.world.meetings();
        if meetings.is_empty() || meetings.len() >= MEETINGS {
            return;
        }
        let from = meetings[self.world.rng().place(meetings.len())].clone();
        let length = self.world.known().get(&from).map_or(0, |known| known.lines.len() as u64);
        let at = self.world.rng().maybe(600, |rng| rng.between(1, length));
        self.fork_at(engine, &from, at).await;
    }

    /// A meeting is forked at this event, or where it can go on.
    async fn fork_at(&mut self, engine: &Engine, from: &MeetingId, at: Option<u64>) {
        self.forks += 1;
        let id = MeetingId::new(format!("f{}", self.forks));
        self.world.note(format!("{from} is forked as {id} at {at:?}"));
        let fork = Fork { at, ..Fork::by(Actor::owner()) };
        match engine.fork(from, fork, id.clone(), RunId::new("run")).await {
            Ok(_) => {
                count(&mut self.world.report().deeds, "fork");
                self.watch(engine, &id);
            }
            Err(EngineError::Refused(Refusal::ForkAfterEnd)) if at.is_none() => {
                self.world.breach(format!("{from} is forked where it can go on, and that is after its end"));
            }
            Err(error) => self.world.note(format!("  it is not: {error}")),
        }
    }

    /// Somebody watches a meeting from its beginning until it ends, or the process does.
    fn watch(&self, engine: &Engine, meeting: &MeetingId) {
        let (world, handle) = (Arc::clone(&self.world), engine.handle(meeting));
        let fragments = world.rng().per_mille(500);
        let leaves_after = world.rng().maybe(300, |rng| Duration::from_millis(rng.below(600_000)));
        tokio::spawn(async move {
            let watching = listen(world, handle, fragments);
            match leaves_after {
                Some(time) => _ = timeout(time, watching).await,
                None => watching.await,
            }
        });
    }

    /// A person acts.
    async fn act(&mut self, engine: &Engine, id: &MeetingId) {
        let world = Arc::clone(&self.world);
        let handle = engine.handle(id);
        let acknowledged = world.known().get(id).map_or(0, |known| known.acknowledged);
        let meeting = match handle.look().await {
            Ok(meeting) => meeting,
            Err(EngineError::Quarantined(_)) => return self.release(&handle).await,
            Err(error) => {
                world.is_still_there(id, &error);
                return world.note(format!("{id} cannot be looked at: {error}"));
            }
        };
        // What a failing disk has kept is heard by those who read, and not known to the loop yet.
        if world.fault_plan.refuse == 0 && meeting.seq < acknowledged {
            world.breach(format!("{id} is seen at {}, and {acknowledged} was acknowledged", meeting.seq));
        }
        self.compare(&meeting);
        self.waits_for_something(engine, &meeting);
        let calm = world.is_calm() || world.fault_plan.people == 0;
        let act = match (&meeting.phase, &meeting.run_state) {
            (Phase::Draft, _) => Act::Start,
            // A meeting with nobody who can answer is resumed some times, and then ended.
            (_, RunState::Paused { .. }) if calm && self.is_resumed_too_often(id) => Act::End,
            (_, RunState::Paused { .. }) if calm => people::gets_on(&meeting),
            _ if calm => return,
            (_, RunState::Paused { .. }) if world.rng().per_mille(500) => Act::ResumeWithAnswers,
            // Minutes that are being written have nothing to do with a ballot that somebody steers.
            (Phase::Ballot, _) if world.rng().per_mille(400) => {
                world.rng().pick(&[Act::WriteMinutes, Act::Say])
            }
            // What was counted stays as it was counted, whatever holds from then on.
            _ if meeting.last_counted_ballot().is_some() && world.rng().per_mille(150) => Act::ChangeRules,
            _ => world.fault_plan.act(&mut world.rng()),
        };
        if !calm && world.rng().per_mille(30) {
            return self.forge(&handle, &meeting).await;
        }
        count(&mut world.report().deeds, act.name());
        let command = people::execute(act, &mut world.rng(), &meeting, &self.spec);
        let (command, mark) = self.marked(command, &meeting);
        let twice = mark.is_none() && !calm && world.rng().per_mille(100);
        if twice {
            // A client that got no answer sends the same again, and both are on their way at once.
            let (again, handle) = (command.clone(), handle.clone());
            tokio::spawn(async move { _ = handle.execute(again).await });
        }
        match handle.execute(command).await {
            Ok(seq) => {
                world.note(format!("{id} {}{}: {seq}", act.name(), if twice { ", twice" } else { "" }));
                world.acknowledge(id, seq);
                if let Some(mark) = mark {
                    world.acknowledge_said(&mark);
                }
            }
            Err(EngineError::Refused(refusal)) => {
                world.note(format!("{id} {}: {refusal}", act.name()));
                count(&mut world.report().refusals, crate::report::refused(&refusal));
            }
            Err(EngineError::Broken(_, detail)) => {
                world.breach(format!("{id}: a computation broke off: {}", detail.text(Language::En)));
            }
            Err(error) => {
                world.is_still_there(id, &error);
                world.note(format!("{id} {}: {error}", act.name()));
            }
        }
    }

    fn is_resumed_too_often(&mut self, meeting: &MeetingId) -> bool {
        let times = self.resumed.entry(meeting.clone()).or_default();
        *times += 1;
        *times > RESUMED_MAX
    }

    /// The command; a message is given a mark that occurs once, and the models of newcomers are ones that exist.
    fn marked(&self, mut command: Command, meeting: &Meeting) -> (Command, Option<String>) {
        match &mut command {
            Command::Say { content, .. } if !content.trim_matches(['\u{1b}', ' ']).is_empty() => {
                let mark = self.world.mark();
                // A longer name is another name.
                let names = self.spec.participants.iter().map(|seat| &seat.name);
                let longer = names.filter(|name| name.is_ascii()).map(|name| format!(" @{name}sson "));
                content.extend(longer.take(2).chain([mark.clone()]));
                return (command, Some(mark));
            }
            Command::Join { newcomer, .. } => {
                Vendors::settle(&mut self.world.rng(), &mut newcomer.runner);
                let names: Vec<&String> = self.spec.participants.iter().map(|seat| &seat.name).collect();
                if !names.is_empty() && self.world.rng().per_mille(300) {
                    newcomer.name = in_wide_letters(names[self.world.rng().place(names.len())]);
                }
            }
            Command::Resume { by, .. } if !self.world.is_calm() && self.world.rng().per_mille(200) => {
                // Somebody else at the table, whose word it may not be.
                let place = self.world.rng().place(meeting.people.len().max(1));
                *by = meeting.people.get(place).map_or_else(Actor::owner, |one| one.person.clone().into());
            }
            _ => {}
        }
        (command, None)
    }

    /// Somebody delivers an answer that nobody has given.
    async fn forge(&self, handle: &MeetingHandle, meeting: &Meeting) {
        let world = &self.world;
        let asked = meeting.calls.keys().nth(world.rng().place(meeting.calls.len() + 1));
        let task = asked.copied().unwrap_or_else(|| forged_answers::task(&mut world.rng()));
        // An attempt that is under way is answered by its runner alone.
        let attempt = world.rng().pick(&[0, 9]);
        let what = forged_answers::answer(&mut world.rng(), task);
        let delivery = Delivery {
            attempt,
            usage: Some(Usage::default()),
            latency_ms: 0,
            what,
            web: WebFindings::default(),
            mended: Vec::new(),
            retry_after_ms: None,
            request_id: None,
            window: None,
        };
        count(&mut world.report().deeds, "forged answer");
        let told = handle.execute(Command::Deliver(Box::new(delivery))).await;
        if told.is_ok() {
            world.breach(format!("{}: an answer to {task} counts that nobody was asked for", handle.id()));
        }
        world.note(format!("{} a forged answer to {task}#{attempt}: {told:?}", handle.id()));
    }

    /// The owner resumes a quarantined meeting.
    async fn release(&self, handle: &MeetingHandle) {
        let (token, answers) = (None, BTreeMap::new());
        let resume = Command::Resume { by: Actor::owner(), token, answers, take_defaults: true };
        let told = handle.execute(resume).await;
        self.world.note(format!("{} is let out of quarantine: {told:?}", handle.id()));
    }

    /// Compares the live state with the folded log, as far as the process knows it.
    fn compare(&self, live: &Meeting) {
        let all = self.world.known();
        let Some(known) = all.get(&live.id) else { return };
        let folded = &known.checker.meeting;
        let checked = match folded.seq == live.seq {
            true if folded != live => Err(format!("the live state at {} is not the folded log", live.seq)),
            true => check_live(live).and_then(|()| check_settled(live)),
            // What was kept though it failed is not known yet.
            false => Ok(()),
        };
        drop(all);
        if let Err(what) = checked {
            self.world.breach(format!("{}: {what}", live.id));
        }
    }

    /// Checks that a meeting that runs waits for something that can come.
    fn waits_for_something(&self, engine: &Engine, meeting: &Meeting) {
        let runs = matches!(meeting.run_state, RunState::Running | RunState::PauseRequested { .. });
        let is_in_course = !matches!(meeting.phase, Phase::Blank | Phase::Draft) && !meeting.is_over();
        if !runs || !is_in_course {
            return;
        }
        if let Some(wait) = engine.provider_wait(&meeting.id) {
            // A clock that is set makes a moment come that the engine does not wait for.
            let late_ms = self.world.wall_clock(self.world.now_ms()).since_ms(wait.next_try_at);
            if meeting.calls.is_empty() && late_ms > STANDS_MS && self.world.clock_was_set() == 0 {
                self.world.breach(format!("{} was to try its provider {late_ms} ms ago", meeting.id));
            }
            return;
        }
        if !quorate_core::is_owed_something(meeting) {
            return self.world.breach(format!("{} runs, and nothing is owed to it", meeting.id));
        }
        let silent_ms = self.world.wall_clock(self.world.now_ms()).since_ms(meeting.updated_at);
        if self.world.is_calm() && u128::from(silent_ms) > SILENCE.as_millis() && self.calm_acts > 400 {
            self.world.breach(format!("{} runs, and has been silent for {silent_ms} ms", meeting.id));
        }
    }
}

/// Whether the program takes a meeting up when it begins: one that runs, or a paused one that is owed something.
async fn is_taken_up(engine: &Engine, id: &MeetingId) -> bool {
    match engine.load(id).await {
        Ok(meeting) if meeting.is_paused() => quorate_core::is_owed_something(&meeting),
        Ok(_) | Err(_) => true,
    }
}

/// A name in letters that look like its own.
fn in_wide_letters(name: &str) -> String {
    let wide = |c: char| match c {
        'A'..='Z' | 'a'..='z' => char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c),
        c => c,
    };
    name.chars().map(wide).collect()
}

/// Listens until the meeting ends; each event once, in order, and as it is stored.
async fn listen(world: Arc<World>, handle: MeetingHandle, fragments: bool) {
    let id = handle.id().clone();
    let mut listener = loop {
        match handle.subscribe(0, fragments).await {
            Ok(listener) => break listener,
            Err(_) => sleep_until(Instant::now() + Duration::from_secs(7)).await,
        }
    };
    let mut heard = 0u64;
    loop {
        match listener.next().await {
            Ok(Some(Notice::Event(record))) => {
                let same = world.known().get(&id).and_then(|known| known.lines.get(heard as usize).cloned());
                heard += 1;
                if record.event.seq != heard || same.as_deref() != Some(&*record.line) {
                    return world
                        .breach(format!("{id}: event {} is heard as number {heard}", record.event.seq));
                }
                world.acknowledge(&id, heard);
                if matches!(record.event.body, EventBody::Finished { .. }) {
                    return;
                }
            }
            Ok(Some(Notice::Problem(EngineError::Quarantined(fault)))) => {
                if !matches!(fault.kind, FaultKind::Contended) {
                    return world.breach(format!("{id} is quarantined: {fault:?}"));
                }
            }
            Ok(Some(Notice::Fragment(_) | Notice::Lagged | Notice::Problem(_))) => {}
            // It was let go, or the process ends.
            Ok(None) => return,
            Err(EngineError::Journal(JournalError::Unavailable { .. })) => {
                sleep_until(Instant::now() + Duration::from_secs(1)).await;
            }
            Err(error) => return world.breach(format!("{id} cannot be followed: {error}")),
        }
    }
}

/// Opens the database for one process.
pub(super) fn open(world: &Arc<World>, place: &Place) -> Result<Store, String> {
    Store::open_in_line(&place.path, place.disk(world)).map_err(|error| error.to_string())
}
