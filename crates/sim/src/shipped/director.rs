//! What people and the world do to one process: they act, twice and at once, watch, leave and return; and at last they let
//! every meeting come to its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_app::{App, AppOptions, NewIds, PlannedMeeting, Principal, UseCase};
use quorate_contract::*;
use quorate_core::{Meeting, Phase, RunState};
use quorate_engine::{
    ComputeOn, Engine, EngineError, EngineOptions, FaultKind, Fork, JournalError, MeetingHandle, Notice,
};
use quorate_runners::TurnBoard;
use quorate_store::Store;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::doors::Door;
use super::process::{FaultyDisk, Process, ProcessJournal};
use super::vendor::Vendors;
use super::world::World;
use crate::fault_plan::Act;
use crate::invariants::{check_live, check_settled};
use crate::report::count;
use crate::{forged_answers, people};

/// The longest that a meeting may be silent while it runs and waits for no provider: its longest call, with all that it
/// waits for before.
const SILENCE: Duration = Duration::from_secs(3_600);

/// The number of acts of people after the faults have ceased within which every meeting ends.
const CALM_ACTS: u32 = 3_000;

/// How often a meeting is resumed after the faults have ceased before its owner ends it.
const RESUMED_MAX: u32 = 60;

/// In how many of a thousand acts somebody reads the meeting.
const READS: u64 = 80;

/// How much longer than its rules say a meeting may be silent: a failing disk is tried again after a while.
const SLACK_MS: u64 = 120_000;

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
    /// When the present process began.
    began_ms: u64,
}

impl Director {
    pub(super) fn new(world: Arc<World>, spec: MeetingSpec) -> Self {
        Self { world, spec, calm_acts: 0, resumed: BTreeMap::new(), began_ms: 0 }
    }

    /// Lives through one process.
    pub(super) async fn live_through(&mut self, process: &Arc<Process>, store: Store) -> ProcessEnd {
        let world = Arc::clone(&self.world);
        self.began_ms = world.now_ms();
        world.check_stored(&store).await;
        for meeting in world.meetings() {
            // What a commit of the last process kept, and nobody was told of.
            world.look_at(&store, &meeting).await;
        }
        let journal = Arc::new(ProcessJournal { process: Arc::clone(process), store: store.clone() });
        let board = Arc::new(TurnBoard::with_clock(Arc::<Process>::clone(process)));
        let runners = match world.vendors.directory(&world, Arc::clone(&board)) {
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
        let ids = Arc::clone(&world);
        let options = AppOptions {
            engine: options,
            clock: Arc::<Process>::clone(process),
            journal: Some(journal),
            new_ids: NewIds::of(move || ids.new_id()),
            keeps_learned_limits: false,
            runners: Some(runners),
            board: Some(board),
            ..AppOptions::new("no configuration".into())
        };
        let app = match App::open(store.clone(), options).await {
            Ok(app) => app,
            Err(error) => {
                world.breach(format!("the application does not open: {error}"));
                return ProcessEnd::Breach;
            }
        };
        let door = Door { world: Arc::clone(&world), process: Arc::clone(process), app };
        let end = tokio::select! {
            biased;
            () = process.killed() => ProcessEnd::Killed,
            end = self.attend(&door) => end,
        };
        if end == ProcessEnd::Finished {
            // What it has left for later is written before it ends.
            let written = match store.audit_written().await {
                Ok(()) => world.doors.check_audit(&world, &store).await,
                Err(error) => Err(error.to_string()),
            };
            if let Err(what) = written {
                world.breach(what);
            }
        }
        end
    }

    /// Attends until all meetings are over.
    async fn attend(&mut self, door: &Door) -> ProcessEnd {
        let (engine, process) = (door.app.engine(), &door.process);
        for meeting in self.world.meetings() {
            if !self.is_over(&meeting) {
                // What does not run yet is tried again by the engine.
                _ = engine.take_up(&meeting).await;
            }
            self.watch(engine, &meeting);
        }
        door.send_again();
        loop {
            if self.world.breached().is_some() {
                return ProcessEnd::Breach;
            }
            let meetings = self.world.meetings();
            if !meetings.is_empty() && meetings.iter().all(|meeting| self.is_over(meeting)) {
                return ProcessEnd::Finished;
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
                match self.world_acts(door, process).await {
                    Some(end) => return end,
                    None => continue,
                }
            }
            let Some(meeting) = self.pick(&meetings) else {
                if meetings.is_empty() {
                    self.create(door).await;
                }
                continue;
            };
            self.act(door, &meeting).await;
        }
    }

    /// Something that no person does.
    async fn world_acts(&mut self, door: &Door, process: &Arc<Process>) -> Option<ProcessEnd> {
        let engine = door.app.engine();
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
            _ => self.fork(door).await,
        }
        None
    }

    fn is_over(&self, meeting: &MeetingId) -> bool {
        self.world.known().get(meeting).is_some_and(|known| known.checker.meeting.is_over())
    }

    /// One of the meetings that are not over.
    fn pick(&self, meetings: &[MeetingId]) -> Option<MeetingId> {
        let open: Vec<&MeetingId> = meetings.iter().filter(|meeting| !self.is_over(meeting)).collect();
        open.get(self.world.rng().place(open.len())).map(|meeting| (*meeting).clone())
    }

    async fn create(&self, door: &Door) {
        let world = &self.world;
        world.note("a meeting is created".to_owned());
        let spec = self.spec.clone();
        let plan = PlannedMeeting { spec, announce: None, password: None, off_record: false };
        let (app, before) = (door.app.clone(), world.meetings());
        let create = async move { app.create_planned(&Actor::owner(), plan).await };
        let created = door.app.perform_here(UseCase::CreateMeeting, None, create).await;
        match created {
            Ok(handle) => self.watch(door.app.engine(), handle.id()),
            Err(error) => {
                world.note(format!("  it is not: {error}"));
                // Half a meeting is none, unless it could not be taken away either.
                for meeting in world.meetings().iter().filter(|meeting| !before.contains(meeting)) {
                    match door.app.store().lines(meeting, 0).await {
                        Err(JournalError::NoSuchMeeting(_)) => world.forget(meeting),
                        Ok(_) | Err(_) => {}
                    }
                }
            }
        }
    }

    /// A meeting is forked, at its end or anywhere.
    async fn fork(&mut self, door: &Door) {
        let meetings = self.world.meetings();
        if meetings.is_empty() || meetings.len() >= MEETINGS {
            return;
        }
        let from = meetings[self.world.rng().place(meetings.len())].clone();
        let length = self.world.known().get(&from).map_or(0, |known| known.lines.len() as u64);
        let at = self.world.rng().maybe(600, |rng| rng.between(1, length));
        self.world.note(format!("{from} is forked at {at:?}"));
        let is_over = self.is_over(&from);
        let fork = Fork { at, ..Fork::by(Actor::owner()) };
        let (app, id) = (door.app.clone(), from.clone());
        let forks = async move { app.fork(&Principal::owner(), &id, fork).await };
        match door.app.perform_here(UseCase::ForkMeeting, Some(from), forks).await {
            Ok(handle) => {
                self.world.note(format!("  it is {}", handle.id()));
                let name = if is_over { "fork after the end" } else { "fork" };
                count(&mut self.world.report().deeds, name);
                self.watch(door.app.engine(), handle.id());
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
    async fn act(&mut self, door: &Door, id: &MeetingId) {
        let world = Arc::clone(&self.world);
        let engine = door.app.engine();
        let handle = engine.handle(id);
        let meeting = match handle.look().await {
            Ok(meeting) => meeting,
            Err(EngineError::Quarantined(_)) => return self.release(&handle).await,
            Err(error) => return world.note(format!("{id} cannot be looked at: {error}")),
        };
        self.compare(&meeting);
        self.waits_for_something(engine, &meeting);
        door.take_turns(id).await;
        if world.rng().per_mille(READS) {
            door.look_through(id).await;
        }
        let calm = world.is_calm() || world.fault_plan.people == 0;
        let is_voting = world.known().get(id).is_some_and(|known| known.secrets.is_voting());
        let act = match (&meeting.phase, &meeting.run_state) {
            (Phase::Draft, _) => Act::Start,
            // A meeting with nobody who can answer is resumed some times, and then ended.
            (_, RunState::Paused { .. }) if calm && self.is_resumed_too_often(id) => Act::End,
            (_, RunState::Paused { .. }) if calm => people::gets_on(&meeting),
            _ if calm => return,
            (_, RunState::Paused { .. }) if world.rng().per_mille(500) => Act::ResumeWithAnswers,
            // What is rare otherwise.
            _ if is_voting && world.rng().per_mille(300) => Act::Mention,
            (Phase::Closing { .. }, _) if world.rng().per_mille(300) => Act::PauseAtOnce,
            _ => world.fault_plan.act(&mut world.rng()),
        };
        if !calm && world.rng().per_mille(30) {
            return self.forge(&handle).await;
        }
        count(&mut world.report().deeds, act.name());
        if let Some(deed) = in_mid_flight(act, &meeting, is_voting) {
            count(&mut world.report().deeds, deed);
        }
        let usual = people::who(act, &mut world.rng(), &meeting);
        let who = door.caller(&usual);
        let by = who.principal(id).map_or(usual, |principal| principal.actor());
        let mut command = people::execute_by(by, act, &mut world.rng(), &meeting, &self.spec);
        if let Command::Join { newcomer, .. } = &mut command {
            // The models of newcomers are ones that exist.
            Vendors::settle(&mut world.rng(), &mut newcomer.runner);
        }
        let use_case = UseCase::of_command(&command).filter(|_| act != Act::SayOutOfTurn);
        if let Some(use_case) = use_case {
            door.act(who, act, use_case, id, command).await;
            return;
        }
        // No door lets somebody speak for a participant.
        match handle.execute(command).await {
            Ok(seq) => {
                world.note(format!("{id} {}: {seq}", act.name()));
                world.acknowledge(id, seq);
            }
            Err(EngineError::Refused(refusal)) => {
                world.note(format!("{id} {}: {refusal}", act.name()));
                count(&mut world.report().refusals, crate::report::refused(&refusal));
            }
            Err(EngineError::Broken(_, detail)) => {
                world.breach(format!("{id}: a computation broke off: {}", detail.text(Language::En)));
            }
            Err(error) => world.note(format!("{id} {}: {error}", act.name())),
        }
    }

    fn is_resumed_too_often(&mut self, meeting: &MeetingId) -> bool {
        let times = self.resumed.entry(meeting.clone()).or_default();
        *times += 1;
        *times > RESUMED_MAX
    }

    /// Somebody delivers an answer that nobody has given.
    async fn forge(&self, handle: &MeetingHandle) {
        let world = &self.world;
        let task = forged_answers::task(&mut world.rng());
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
        if !runs || !is_in_course || engine.provider_wait(&meeting.id).is_some() {
            return;
        }
        if !quorate_core::is_owed_something(meeting) {
            return self.world.breach(format!("{} runs, and nothing is owed to it", meeting.id));
        }
        let long = self.world.known().get(&meeting.id).and_then(|known| {
            let since = known.written_ms.max(self.began_ms);
            let since = since.max(self.world.disk_fails_ms.load(std::sync::atomic::Ordering::Relaxed));
            let silent_ms = self.world.now_ms().saturating_sub(since);
            known.secrets.silence_ms.filter(|most| silent_ms > most + SLACK_MS).map(|most| (silent_ms, most))
        });
        if let Some((silent_ms, most)) = long {
            return self.world.breach(format!(
                "{} runs, waits for nobody by a rule, and has been silent for {silent_ms} ms of {most} ms",
                meeting.id
            ));
        }
        let silent_ms = self.world.wall_clock(self.world.now_ms()).since_ms(meeting.updated_at);
        if self.world.is_calm() && u128::from(silent_ms) > SILENCE.as_millis() && self.calm_acts > 400 {
            self.world.breach(format!("{} runs, and has been silent for {silent_ms} ms", meeting.id));
        }
    }
}

/// What an act is besides, by what goes on at the meeting.
fn in_mid_flight(act: Act, meeting: &Meeting, is_voting: bool) -> Option<&'static str> {
    let is_asking = !meeting.calls.is_empty();
    match act {
        Act::Say | Act::Mention | Act::SaySomebodyElse if is_voting => Some("steer a ballot"),
        Act::Pause | Act::PauseAtOnce if matches!(meeting.phase, Phase::Closing { .. }) => {
            Some("pause while records are written")
        }
        Act::ChangeRules if is_asking => Some("change rules and budgets while calls run"),
        Act::Join if is_asking => Some("join while calls run"),
        Act::Leave if is_asking => Some("leave while calls run"),
        _ => None,
    }
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
pub(super) fn open(world: &Arc<World>, path: &std::path::Path) -> Result<Store, String> {
    Store::open_in_line(path, Arc::new(FaultyDisk(Arc::clone(world)))).map_err(|error| error.to_string())
}
