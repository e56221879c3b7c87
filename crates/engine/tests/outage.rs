//! A provider that is away for a while: the meeting waits for it, and goes on where it was.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::*;
use tokio::time::{Instant, sleep};

/// Tells the time of the runtime, which stands still while nothing waits.
struct Runtime(Instant);

impl Clock for Runtime {
    fn now(&self) -> Timestamp {
        Timestamp(1_000_000 + i64::try_from(self.0.elapsed().as_millis()).unwrap())
    }
}

/// A provider that is away for some time, and that a breaker stands before.
struct Away {
    from: Instant,
    until: Instant,
    calls: AtomicU32,
    /// The number of calls while the breaker would have refused them.
    too_early: AtomicU32,
    paused_until: Mutex<Option<Instant>>,
    failures: AtomicU32,
    /// How often somebody asked to have it tried now.
    tried: AtomicU32,
    /// The kind of failure.
    kind: FailureKind,
}

impl Away {
    fn between(from: u64, until: u64) -> Arc<Self> {
        Self::failing(from, until, FailureKind::Network)
    }

    fn failing(from: u64, until: u64, kind: FailureKind) -> Arc<Self> {
        let at = |seconds| Instant::now() + Duration::from_secs(seconds);
        Arc::new(Self {
            from: at(from),
            until: at(until),
            calls: AtomicU32::new(0),
            too_early: AtomicU32::new(0),
            paused_until: Mutex::default(),
            failures: AtomicU32::new(0),
            tried: AtomicU32::new(0),
            kind,
        })
    }
}

struct Asked(Arc<Away>);

impl Runner for Asked {
    fn paused_for(&self) -> Option<Duration> {
        let until = (*self.0.paused_until.lock().unwrap())?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    fn try_now(&self) {
        self.0.tried.fetch_add(1, Ordering::SeqCst);
        *self.0.paused_until.lock().unwrap() = None;
    }

    fn run(&self, request: Request, _: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let away = &self.0;
            away.calls.fetch_add(1, Ordering::SeqCst);
            if self.paused_for().is_some() {
                away.too_early.fetch_add(1, Ordering::SeqCst);
            }
            sleep(Duration::from_millis(500)).await;
            let now = Instant::now();
            if now >= away.from && now < away.until {
                if away.failures.fetch_add(1, Ordering::SeqCst) % 3 == 2 {
                    *away.paused_until.lock().unwrap() = Some(now + Duration::from_secs(15));
                }
                let refused = "lab could not be reached: connection refused";
                return Outcome::Failed(Failure::unsent(away.kind, refused, "is it running?"));
            }
            let text = format!("{} speaks.", request.prompt.brief.name);
            let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
            let (reasoning, stop, request_id) = (None, StopReason::Stop, None);
            Outcome::Answered(Answer {
                text,
                reasoning,
                usage,
                stop,
                latency_ms: 500,
                web: WebFindings::default(),
                request_id,
            })
        })
    }
}

struct Directory(Arc<Away>);

impl RunnerDirectory for Directory {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(Asked(Arc::clone(&self.0)))
    }
}

fn spec(wait_ms: u64) -> MeetingSpec {
    let runner = |model: &str| RunnerSpec::Model {
        provider: "lab".into(),
        model: model.into(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    };
    let newcomer = |name: &str| Newcomer {
        name: name.into(),
        role: Role { name: "Member".into(), description: "speaks".into(), system_prompt: String::new() },
        runner: runner(name),
        skip_list: Vec::new(),
    };
    let mut rules = Format::Discussion.rules();
    rules.limits.provider_wait_ms = wait_ms;
    rules.limits.max_rounds = 2;
    MeetingSpec {
        topic: "Shall we?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Discussion,
        rules,
        seed: 1,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        facilitator: None,
        participants: ["Ada", "Ben", "Cid"].map(newcomer).into(),
    }
}

fn engine(journal: MemoryJournal, away: &Arc<Away>) -> Engine {
    Engine::new(Arc::new(journal), Arc::new(Directory(Arc::clone(away))), Arc::new(Runtime(Instant::now())))
}

async fn started(engine: &Engine, wait_ms: u64) -> (MeetingHandle, Subscription) {
    let id = MeetingId::new("m");
    let handle = engine.create(id, RunId::new("run"), Actor::owner(), spec(wait_ms)).await.unwrap();
    let heard = handle.subscribe(0, false).await.unwrap();
    handle.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    (handle, heard)
}

/// Listens until an event of this kind, or the end.
async fn until(heard: &mut Subscription, kind: &str) -> Vec<EventBody> {
    let mut bodies = Vec::new();
    while let Some(notice) = heard.next().await.unwrap() {
        if let Notice::Event(record) = notice {
            bodies.push(record.event.body.clone());
            if record.event.body.kind() == kind {
                break;
            }
        }
    }
    bodies
}

fn count(bodies: &[EventBody], kind: &str) -> usize {
    bodies.iter().filter(|body| body.kind() == kind).count()
}

#[tokio::test(start_paused = true)]
async fn a_meeting_outlives_forty_seconds_without_its_provider_and_loses_no_turn() {
    let away = Away::between(1, 41);
    let engine = engine(MemoryJournal::default(), &away);
    let (handle, mut heard) = started(&engine, 600_000).await;
    let bodies = until(&mut heard, "finished").await;
    assert!(matches!(bodies.last(), Some(EventBody::Finished { .. })));
    assert_eq!((count(&bodies, "pause"), count(&bodies, "turn_failed")), (0, 0));
    assert_eq!(count(&bodies, "provider_wait_ended"), 1);
    let gaps = count(&bodies, "provider_wait_started");
    assert!((3..=5).contains(&gaps), "the gaps grow: {gaps}");
    assert_eq!(away.too_early.load(Ordering::SeqCst), 0, "no try ran into the breaker's pause");
    let meeting = engine.load(handle.id()).await.unwrap();
    assert!(meeting.provider_wait.is_none() && meeting.said.len() == 6, "{}", meeting.said.len());
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_asks_everybody_to_slow_down_is_waited_for_and_one_without_credit_is_not() {
    let away = Away::failing(1, 41, FailureKind::RateLimit);
    let (_handle, mut heard) = started(&engine(MemoryJournal::default(), &away), 600_000).await;
    let bodies = until(&mut heard, "finished").await;
    assert!(matches!(bodies.last(), Some(EventBody::Finished { .. })));
    // Each participant has a model of its own: until the last one is known to be out, the meeting could go
    // on.
    assert_eq!((count(&bodies, "pause"), count(&bodies, "turn_failed")), (0, 2));
    assert_eq!(away.too_early.load(Ordering::SeqCst), 0, "nobody asked before the provider would listen");
    let away = Away::failing(1, 41, FailureKind::Quota);
    let (_handle, mut heard) = started(&engine(MemoryJournal::default(), &away), 600_000).await;
    let bodies = until(&mut heard, "pause").await;
    assert_eq!(count(&bodies, "provider_wait_started"), 0, "waiting brings no credit");
}

#[tokio::test(start_paused = true)]
async fn it_rests_when_it_has_waited_long_enough_and_goes_on_where_it_was() {
    let away = Away::between(1, 200);
    let engine = engine(MemoryJournal::default(), &away);
    let began = Instant::now();
    let (handle, mut heard) = started(&engine, 60_000).await;
    let bodies = until(&mut heard, "pause").await;
    let took = began.elapsed().as_secs();
    assert!((60..=75).contains(&took), "{took}");
    let reason = PauseReason::NobodyAnswered;
    assert!(matches!(bodies.last(), Some(EventBody::Pause { pause_reason, .. }) if *pause_reason == reason));
    assert_eq!(count(&bodies, "turn_failed"), 0);
    sleep(Duration::from_secs(200)).await;
    let resume = Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    };
    handle.execute(resume).await.unwrap();
    until(&mut heard, "finished").await;
    assert_eq!(engine.load(handle.id()).await.unwrap().said.len(), 6, "nobody spoke twice");
}

#[tokio::test(start_paused = true)]
async fn without_a_wait_it_rests_at_once() {
    let away = Away::between(1, 200);
    let engine = engine(MemoryJournal::default(), &away);
    let (_handle, mut heard) = started(&engine, 0).await;
    let bodies = until(&mut heard, "pause").await;
    assert_eq!(count(&bodies, "provider_wait_started"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_restart_goes_on_waiting_and_whoever_wants_has_it_try_at_once() {
    let (away, journal) = (Away::between(1, 30), MemoryJournal::default());
    let first = engine(journal.clone(), &away);
    let (handle, mut heard) = started(&first, 600_000).await;
    until(&mut heard, "provider_wait_started").await;
    let wait = handle.look().await.unwrap().provider_wait.expect("it waits");
    first.unload(handle.id());
    drop(heard);
    // The same clock goes on in the next process.
    let shared: Arc<dyn Clock> = Arc::new(Runtime(Instant::now() - Duration::from_millis(1500)));
    let second = Engine::new(Arc::new(journal), Arc::new(Directory(Arc::clone(&away))), shared);
    second.take_up(handle.id()).await.unwrap();
    let handle = second.handle(handle.id());
    assert_eq!(handle.look().await.unwrap().provider_wait, Some(wait), "it waits as before");
    sleep(Duration::from_secs(35)).await;
    let calls = away.calls.load(Ordering::SeqCst);
    let mut heard = handle.subscribe(0, false).await.unwrap();
    if handle.look().await.unwrap().provider_wait.is_some() {
        let resume = Command::Resume {
            by: Actor::owner(),
            token: None,
            answers: Default::default(),
            take_defaults: false,
        };
        handle.execute(resume).await.unwrap();
        assert!(away.calls.load(Ordering::SeqCst) >= calls);
    }
    let bodies = until(&mut heard, "finished").await;
    assert_eq!((count(&bodies, "pause"), count(&bodies, "turn_failed")), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn whoever_resumes_a_meeting_has_a_provider_tried_that_is_left_alone() {
    let (away, journal) = (Away::between(1, 600), MemoryJournal::default());
    let engine = engine(journal, &away);
    let (handle, mut heard) = started(&engine, 3_600_000).await;
    until(&mut heard, "provider_wait_started").await;
    while Asked(Arc::clone(&away)).paused_for().is_none() {
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(away.tried.load(Ordering::SeqCst), 0);
    let calls = away.calls.load(Ordering::SeqCst);
    let resume = Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    };
    handle.execute(resume).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert!(away.tried.load(Ordering::SeqCst) > 0, "each seat's provider");
    assert!(away.calls.load(Ordering::SeqCst) > calls, "it is asked at once");
    assert_eq!(away.too_early.load(Ordering::SeqCst), 0);
}
