//! The same faults over the real engine: its loops, its deadlines, its subscribers.
//!
//! A process is a runtime of its own with a clock that stands still while there is work, so that hours pass
//! in milliseconds. Killing the process means dropping the runtime; what is left is the journal, and the
//! notes of a subscriber.
//!
//! The runtime draws lots of its own between branches that are ready at once, so a seed replays nearly the
//! same history, not the same to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_core::*;
use quorate_engine::*;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::fault_plan::{Act, Append, CrashPoint, FaultPlan};
use crate::invariants::check_log;
use crate::meeting_spec::spec;
use crate::rng::Rng;
use crate::world::AnswerInputs;
use crate::{people, world};

/// A process that asks for the time so often without an event is spinning.
const SPINS: u64 = 50_000;

/// The state that all processes of one meeting share, and that outlives them.
struct World {
    seed: u64,
    fault_plan: FaultPlan,
    rng: Mutex<Rng>,
    journal: MemoryJournal,
    /// The number of appends after which the faults cease.
    storm: u64,
    appends: AtomicU64,
    /// Every request that was ever sent; none may be sent twice.
    sent: Mutex<BTreeSet<String>>,
    breach: Mutex<Option<String>>,
    kills: Mutex<Vec<&'static str>>,
    asked_the_time: AtomicU64,
    /// The time at which the last process stopped, in milliseconds.
    time: AtomicU64,
}

impl World {
    fn rng(&self) -> MutexGuard<'_, Rng> {
        self.rng.lock().expect("nobody panics with the dice in hand")
    }
    fn is_calm(&self) -> bool {
        self.appends.load(Ordering::Relaxed) >= self.storm
    }
    fn breach(&self, what: String) {
        self.breach.lock().expect("nobody panics here").get_or_insert(what);
    }
    fn lines(&self) -> Vec<Arc<str>> {
        let read = self.journal.read(id(), 0).now_or_never().expect("memory does not wait");
        read.map(|records| records.into_iter().map(|record| record.line).collect()).unwrap_or_default()
    }
}

fn id() -> MeetingId {
    MeetingId::new("m")
}

/// One process, which can be killed.
struct Process {
    world: Arc<World>,
    born: Instant,
    dead: AtomicBool,
    killed: Notify,
}

impl Process {
    fn die(&self) {
        self.dead.store(true, Ordering::Relaxed);
        self.killed.notify_one();
    }
}

impl Clock for Process {
    fn now(&self) -> Timestamp {
        if self.world.asked_the_time.fetch_add(1, Ordering::Relaxed) > SPINS {
            self.world.breach("the engine spins: it asks for the time and nothing happens".into());
            self.die();
        }
        let lived = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        let base = self.world.time.load(Ordering::Relaxed);
        Timestamp::default().plus_ms(1_700_000_000_000 + base + lived)
    }
}

/// The journal as one process sees it.
#[derive(Clone)]
struct ProcessJournal(Arc<Process>);

impl Journal for ProcessJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let process = Arc::clone(&self.0);
        if process.dead.load(Ordering::Relaxed) {
            return Box::pin(std::future::pending());
        }
        let world = Arc::clone(&process.world);
        world.appends.fetch_add(1, Ordering::Relaxed);
        world.asked_the_time.store(0, Ordering::Relaxed);
        let fate = match world.is_calm() {
            true => Append::Kept,
            false => world.fault_plan.append(&mut world.rng()),
        };
        if let Append::Crash(_) = fate {
            let kinds = records.iter().map(|record| record.event.body.kind());
            world.kills.lock().expect("nobody panics here").extend(kinds);
        }
        let unavailable = || JournalError::Unavailable { fault: StorageFault::Full, detail: as_said("") };
        Box::pin(async move {
            let inner = &world.journal;
            match fate {
                Append::Kept => inner.append(meeting, expected, records).await,
                Append::Refused => Err(unavailable()),
                Append::RefusedButKept => {
                    inner.append(meeting, expected, records).await?;
                    Err(unavailable())
                }
                Append::Crash(point) => {
                    if point != CrashPoint::Before {
                        inner.append(meeting, expected, records).await?;
                    }
                    process.die();
                    if point == CrashPoint::Applied {
                        return Ok(()); // it dies a moment later
                    }
                    std::future::pending().await
                }
            }
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        self.0.world.journal.read(meeting, after)
    }
}

/// The runner of all participants.
#[derive(Clone)]
struct ParticipantRunner(Arc<World>);

impl RunnerDirectory for ParticipantRunner {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(self.clone())
    }
}

impl Runner for ParticipantRunner {
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let world = &self.0;
        let key = request.idempotency_key;
        if !world.sent.lock().expect("nobody panics here").insert(key.clone()) {
            world.breach(format!("{key} was sent twice"));
        }
        let own = key.bytes().fold(world.seed, |mix, byte| Rng::new(mix ^ u64::from(byte)).roll());
        let mut rng = Rng::new(own);
        let brief = &request.prompt.brief;
        let scene = AnswerInputs {
            kind: brief.kind(),
            names: brief.participants.iter().map(|participant| participant.name.clone()).collect(),
            claims: brief.task.turn().map_or(0, |turn| turn.targets.len() as u64),
            said: brief.task.messages().len() as u64,
            artifact: match &brief.task {
                BriefTask::Artifact(wanted) => wanted.artifact,
                _ => ArtifactKind::Minutes,
            },
            tokens: 60, // less than is ever held back
            timeout_ms: request.timeout_ms,
        };
        let trouble = if world.is_calm() { 0 } else { world.fault_plan.trouble };
        let reply = world::reply(&mut rng, &scene, trouble);
        let (hangs, breaks) = (rng.per_mille(trouble / 20), rng.per_mille(trouble / 40));
        Box::pin(async move {
            if let Outcome::Answered(answer) = &reply.outcome {
                answer.text.split_inclusive(' ').take(50).for_each(|word| sink.answer(word));
            }
            if hangs {
                std::future::pending::<()>().await;
            }
            sleep_until(Instant::now() + Duration::from_millis(reply.after_ms)).await;
            assert!(!breaks, "a runner breaks down, and the meeting goes on");
            reply.outcome
        })
    }
}

/// The end of a process.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Finished,
    Killed,
}

/// A subscriber that records its notices, and acts.
struct Person {
    world: Arc<World>,
    spec: MeetingSpec,
    heard: Vec<Arc<str>>,
    acknowledged: u64,
}

impl Person {
    async fn live_through(&mut self, process: &Arc<Process>) -> End {
        let journal = Arc::new(ProcessJournal(Arc::clone(process)));
        let runners = Arc::new(ParticipantRunner(Arc::clone(&self.world)));
        // Some meetings leave memory whenever nothing happens for a moment.
        let idle_ms = [1, 1_000, 60_000][self.world.rng().below(3) as usize];
        let options =
            EngineOptions { idle_after: Duration::from_millis(idle_ms), ..EngineOptions::default() };
        let engine = Engine::with_options(journal, runners, Arc::<Process>::clone(process), options);
        tokio::select! {
            () = process.killed.notified() => End::Killed,
            () = self.attend(&engine) => End::Finished,
        }
    }

    /// Attends until the meeting has ended, opening it again only when it was released.
    async fn attend(&mut self, engine: &Engine) {
        loop {
            tokio::task::yield_now().await;
            let handle = match engine.open(&id()).await {
                Ok(handle) => handle,
                Err(EngineError::Journal(JournalError::NoSuchMeeting(_))) => {
                    let (run, spec) = (RunId::new("run"), self.spec.clone());
                    match engine.create(id(), run, Actor::owner(), spec).await {
                        Ok(handle) => handle,
                        Err(_) => continue,
                    }
                }
                Err(error) => return self.world.breach(format!("it cannot be opened: {error}")),
            };
            if self.listen(engine, &handle).await {
                return;
            }
        }
    }

    /// Whether the meeting has ended; otherwise it was released, and can be opened again. A failed loop is
    /// restarted by the engine, and subscribers stay subscribed.
    async fn listen(&mut self, engine: &Engine, handle: &MeetingHandle) -> bool {
        let (after, fragments) = (self.heard.len() as u64, self.world.rng().per_mille(500));
        let Ok(mut listener) = handle.subscribe(after, fragments).await else { return false };
        let mut deed = Instant::now();
        loop {
            tokio::select! {
                notice = listener.next() => match notice {
                    Ok(Some(Notice::Event(record))) => {
                        if record.event.seq != self.heard.len() as u64 + 1 {
                            let heard = self.heard.len();
                            self.world.breach(format!("event {} is heard after {heard}", record.event.seq));
                        }
                        self.heard.push(record.line);
                        if matches!(record.event.body, EventBody::Finished { .. }) {
                            return true;
                        }
                    }
                    Ok(Some(Notice::Problem(EngineError::Quarantined(fault)))) => {
                        if !matches!(fault.kind, FaultKind::Contended) {
                            self.world.breach(format!("it is quarantined: {fault:?}"));
                        }
                        self.resumes(handle).await;
                    }
                    Ok(Some(Notice::Fragment(_) | Notice::Lagged | Notice::Problem(_))) => {}
                    Ok(None) => {
                        self.world.breach("its loop ended, and nobody had let go of it".into());
                        return false;
                    }
                    Err(_) => return false,
                },
                () = sleep_until(deed) => {
                    let wait_ms = self.world.rng().between(1, 60_000);
                    deed = Instant::now() + Duration::from_millis(wait_ms);
                    if !self.act(engine, handle).await {
                        return false;
                    }
                }
            }
        }
    }

    /// The owner resumes a quarantined meeting.
    async fn resumes(&self, handle: &MeetingHandle) {
        let (token, answers) = (None, BTreeMap::new());
        _ = handle.execute(Command::Resume { by: Actor::owner(), token, answers, take_defaults: true }).await;
    }

    /// Acts once. Returns whether the meeting was not released.
    async fn act(&mut self, engine: &Engine, handle: &MeetingHandle) -> bool {
        let meeting = match handle.look().await {
            Ok(meeting) => meeting,
            Err(EngineError::Quarantined(_)) => {
                self.resumes(handle).await;
                return true;
            }
            // Its loop has just failed, and is being restarted.
            Err(_) => return true,
        };
        if self.world.rng().per_mille(250) {
            self.compare(&meeting);
        }
        let calm = self.world.is_calm();
        let act = match (&meeting.phase, &meeting.run_state) {
            (Phase::Draft, _) => Act::Start,
            (_, RunState::Paused { .. }) if calm => people::gets_on(&meeting),
            _ if calm => return true,
            _ => self.world.fault_plan.act(&mut self.world.rng()),
        };
        if !calm && self.world.rng().per_mille(20) {
            engine.unload(handle.id());
            return false;
        }
        let command = people::execute(act, &mut self.world.rng(), &meeting, &self.spec);
        match handle.execute(command).await {
            Ok(seq) => {
                self.acknowledged = self.acknowledged.max(seq);
                true
            }
            Err(EngineError::Refused(_) | EngineError::Journal(_)) => true,
            Err(EngineError::Gone | EngineError::Quarantined(_)) => true,
            Err(error @ EngineError::Broken(..)) => {
                self.world.breach(format!("a computation broke off: {error}"));
                false
            }
        }
    }

    /// Compares the live state with the folded journal, as far as the process knows it.
    fn compare(&self, live: &Meeting) {
        let lines = self.world.lines();
        match check_log(lines.iter().take(live.seq as usize).map(|line| &**line)) {
            Ok(checker) if checker.meeting == *live => {}
            Ok(_) => self.world.breach(format!("the live state at {} is not the folded journal", live.seq)),
            Err(what) => self.world.breach(what),
        }
    }
}

/// Plays one meeting through as many processes as it takes; the events during which one was killed.
fn voyage(seed: u64) -> Result<Vec<&'static str>, String> {
    let mut rng = Rng::new(seed);
    let spec = spec(&mut rng);
    let fault_plan = FaultPlan::of(&mut rng);
    let world = Arc::new(World {
        seed,
        storm: fault_plan.steps,
        fault_plan,
        rng: Mutex::new(rng),
        journal: MemoryJournal::default(),
        appends: AtomicU64::new(0),
        sent: Mutex::default(),
        breach: Mutex::default(),
        kills: Mutex::default(),
        asked_the_time: AtomicU64::new(0),
        time: AtomicU64::new(0),
    });
    let mut person = Person { world: Arc::clone(&world), spec, heard: Vec::new(), acknowledged: 0 };
    for _ in 0..500 {
        let clock = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = clock.map_err(|error| error.to_string())?;
        let (end, lived) = runtime.block_on(async {
            let (dead, killed) = (AtomicBool::new(false), Notify::new());
            let process = Process { world: Arc::clone(&world), born: Instant::now(), dead, killed };
            let process = Arc::new(process);
            (person.live_through(&process).await, process.born.elapsed())
        });
        drop(runtime); // kill -9
        world.time.fetch_add(lived.as_millis() as u64, Ordering::Relaxed);
        if let Some(what) = world.breach.lock().expect("nobody panics here").take() {
            return Err(what);
        }
        let lines = world.lines();
        if lines.get(..person.heard.len()) != Some(&person.heard[..]) {
            return Err("what was heard is not how the journal begins".into());
        }
        if (lines.len() as u64) < person.acknowledged {
            return Err(format!("{} were acknowledged, {} are there", person.acknowledged, lines.len()));
        }
        if end == End::Finished {
            if lines != person.heard {
                return Err("the journal goes on after the end".into());
            }
            check_log(lines.iter().map(|line| &**line))?;
            return Ok(std::mem::take(&mut *world.kills.lock().expect("nobody panics here")));
        }
    }
    Err("five hundred processes have not brought it to an end".into())
}

#[test]
fn a_process_that_is_killed_at_any_append_loses_doubles_and_hides_nothing() {
    let (mut hit, mut formats) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..200 {
        formats.insert(spec(&mut Rng::new(seed)).format.as_str());
        let killed = voyage(seed).unwrap_or_else(|what| panic!("seed {seed} over the engine: {what}"));
        hit.extend(killed);
    }
    assert_eq!(formats.len(), Format::ALL.len(), "every format: {formats:?}");
    eprintln!("killed during appends of: {hit:?}");
    for kind in ["meeting_created", "call_ended", "agent_message", "vote_cast", "recovered", "finished"] {
        assert!(hit.contains(kind), "no process was killed while {kind} was appended");
    }
}
