//! What the world does to one process: it begins, is killed or shut down, its clock is set, its meetings are created and
//! forked; and at last people let every meeting come to its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quorate_app::{App, AppOptions, NewIds, PlannedMeeting, Principal, UseCase};
use quorate_contract::*;
use quorate_engine::{ComputeOn, EngineOptions, Fork, JournalError};
use quorate_runners::TurnBoard;
use quorate_store::Store;
use tokio::time::sleep;

use super::entrances::Entrance;
use super::place::Place;
use super::process::{Process, ProcessJournal};
use super::standstill::is_taken_up;
use super::world::World;
use crate::report::count;

/// The number of acts of people after the faults have ceased within which every meeting ends.
const CALM_ACTS: u32 = 3_000;

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
    pub(super) resumed: BTreeMap<MeetingId, u32>,
    /// Whether a meeting that is over was to be forked.
    end_is_forked: bool,
    /// Meetings that nobody runs though something is owed to them, and since when.
    pub(super) stands: BTreeMap<MeetingId, u64>,
    /// When the present process began.
    pub(super) began_ms: u64,
}

impl Director {
    pub(super) fn new(world: Arc<World>, spec: MeetingSpec) -> Self {
        Self {
            world,
            spec,
            calm_acts: 0,
            resumed: BTreeMap::new(),
            end_is_forked: false,
            stands: BTreeMap::new(),
            began_ms: 0,
        }
    }

    /// Lives through one process.
    pub(super) async fn live_through(&mut self, process: &Arc<Process>, store: Store) -> ProcessEnd {
        let world = Arc::clone(&self.world);
        self.stands.clear();
        self.began_ms = world.now_ms();
        world.is_disturbed(0);
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
            Err(error) if !world.is_calm() && error.fault().is_some() => {
                // It reads the database, over a disk that may fail.
                world.note(format!("the application does not open: {error}"));
                return ProcessEnd::ShutDown;
            }
            Err(error) => {
                world.breach(format!("the application does not open: {error}"));
                return ProcessEnd::Breach;
            }
        };
        let entrance = Entrance { world: Arc::clone(&world), process: Arc::clone(process), app };
        let end = tokio::select! {
            biased;
            () = process.killed() => ProcessEnd::Killed,
            end = self.attend(&entrance) => end,
        };
        if end == ProcessEnd::Finished {
            // What it has left for later is written before it ends, where the disk no longer fails; what failed is tried
            // again after a moment.
            world.calm_down();
            sleep(Duration::from_secs(1)).await;
            let written = match store.audit_written().await {
                Ok(()) => world.entrances.check_audit(&world, &store).await,
                Err(error) => Err(error.to_string()),
            };
            if let Err(what) = written {
                world.breach(what);
            }
        }
        end
    }

    /// Attends until all meetings are over.
    async fn attend(&mut self, entrance: &Entrance) -> ProcessEnd {
        let (engine, process) = (entrance.app.engine(), &entrance.process);
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
        entrance.send_again();
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
                self.fork_at(entrance, &meetings[0], None).await;
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
                match self.world_acts(entrance, process).await {
                    Some(end) => return end,
                    None => continue,
                }
            }
            if self.is_left_alone(engine, &meetings) {
                continue;
            }
            let Some(meeting) = self.pick(&meetings) else {
                if meetings.is_empty() {
                    self.create(entrance).await;
                }
                continue;
            };
            self.act(entrance, &meeting).await;
        }
    }

    /// Something that no person does.
    async fn world_acts(&mut self, entrance: &Entrance, process: &Arc<Process>) -> Option<ProcessEnd> {
        let engine = entrance.app.engine();
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
                    // Who takes it over asks for it until it is there.
                    let handle = engine.handle(&meeting);
                    tokio::spawn(async move {
                        while handle.look().await.is_err() {
                            tokio::time::sleep(Duration::from_secs(7)).await;
                        }
                    });
                }
            }
            _ => self.fork(entrance).await,
        }
        None
    }

    pub(super) fn is_over(&self, meeting: &MeetingId) -> bool {
        self.world.known().get(meeting).is_some_and(|known| known.checker.meeting.is_over())
    }

    /// One of the meetings that are not over.
    fn pick(&self, meetings: &[MeetingId]) -> Option<MeetingId> {
        let open: Vec<&MeetingId> = meetings.iter().filter(|meeting| !self.is_over(meeting)).collect();
        open.get(self.world.rng().place(open.len())).map(|meeting| (*meeting).clone())
    }

    async fn create(&self, entrance: &Entrance) {
        let world = &self.world;
        world.note("a meeting is created".to_owned());
        let spec = self.spec.clone();
        let plan = PlannedMeeting { spec, announce: None, password: None, off_record: false };
        let (app, before) = (entrance.app.clone(), world.meetings());
        let create = async move { app.create_planned(&Actor::owner(), plan).await };
        let created = entrance.app.perform_here(UseCase::CreateMeeting, None, create).await;
        match created {
            Ok(handle) => self.watch(entrance.app.engine(), handle.id()),
            Err(error) => {
                world.note(format!("  it is not: {error}"));
                // Half a meeting is none, unless it could not be taken away either.
                let _quiet = world.disk.quietly();
                for meeting in world.meetings().iter().filter(|meeting| !before.contains(meeting)) {
                    let lines = entrance.app.store().lines(meeting, 0).await;
                    if let Err(JournalError::NoSuchMeeting(_)) = lines {
                        world.forget(meeting);
                    }
                }
            }
        }
    }

    /// A meeting is forked, at its end or anywhere.
    async fn fork(&mut self, entrance: &Entrance) {
        let meetings = self.world.meetings();
        if meetings.is_empty() || meetings.len() >= MEETINGS {
            return;
        }
        let from = meetings[self.world.rng().place(meetings.len())].clone();
        let length = self.world.known().get(&from).map_or(0, |known| known.lines.len() as u64);
        let at = self.world.rng().maybe(600, |rng| rng.between(1, length));
        self.fork_at(entrance, &from, at).await;
    }

    /// A meeting is forked at this event, or where it can go on.
    async fn fork_at(&self, entrance: &Entrance, from: &MeetingId, at: Option<u64>) {
        self.world.note(format!("{from} is forked at {at:?}"));
        let is_over = self.is_over(from);
        let fork = Fork { at, ..Fork::by(Actor::owner()) };
        let (app, id) = (entrance.app.clone(), from.clone());
        let forks = async move { app.fork(&Principal::owner(), &id, fork).await };
        match entrance.app.perform_here(UseCase::ForkMeeting, Some(from.clone()), forks).await {
            Ok(handle) => {
                self.world.note(format!("  it is {}", handle.id()));
                let name = if is_over { "fork after the end" } else { "fork" };
                count(&mut self.world.report().deeds, name);
                self.watch(entrance.app.engine(), handle.id());
            }
            Err(error) if at.is_none() && matches!(error.refusal(), Some(Refusal::ForkAfterEnd)) => {
                self.world.breach(format!("{from} is forked where it can go on, and that is after its end"));
            }
            Err(error) => self.world.note(format!("  it is not: {error}")),
        }
    }
}

/// Opens the database for one process.
pub(super) fn open(world: &Arc<World>, place: &Place) -> Result<Store, String> {
    Store::open_in_line(&place.path, place.disk(world)).map_err(|error| error.to_string())
}
