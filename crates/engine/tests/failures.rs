//! Meetings whose loops fail: restarted from the log, or quarantined while the others run on.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::*;

/// A directory whose runner answers every call, and which panics `breaks` times when a stubborn participant is
/// looked up.
#[derive(Default)]
struct Brittle {
    breaks: AtomicU32,
}

struct Says;

impl Runner for Says {
    fn run(&self, request: Request, _: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let text = format!("{} speaks.", request.prompt.brief.name);
            let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
            Outcome::Answered(Answer {
                text,
                reasoning: None,
                usage,
                stop: StopReason::Stop,
                latency_ms: 1,
                web: WebFindings::default(),
                request_id: None,
            })
        })
    }
}

impl RunnerDirectory for Brittle {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        let brittle = matches!(spec, RunnerSpec::Simulated { temperament: Temperament::Stubborn });
        let left = self.breaks.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(!brittle || left.is_err(), "the runner cannot be looked for");
        Arc::new(Says)
    }
}

/// A journal that can fail, and that keeps faults.
#[derive(Default)]
struct StoreSource {
    log: MemoryJournal,
    /// The result of the next append.
    refusal: Mutex<Option<JournalError>>,
    damaged: AtomicBool,
    kept: Mutex<Vec<Option<Fault>>>,
}

impl Journal for StoreSource {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        if let Some(error) = self.refusal.lock().unwrap().take() {
            return Box::pin(std::future::ready(Err(error)));
        }
        self.log.append(meeting, expected, records)
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        if self.damaged.load(Ordering::SeqCst) {
            let damaged = JournalError::Damaged { meeting, seq: 2, detail: as_said("no JSON") };
            return Box::pin(std::future::ready(Err(damaged)));
        }
        self.log.read(meeting, after)
    }

    fn keep_fault(&self, _: MeetingId, fault: Option<Fault>) -> BoxFuture<'static, Result<(), JournalError>> {
        self.kept.lock().unwrap().push(fault);
        Box::pin(std::future::ready(Ok(())))
    }
}

fn spec(temperament: Temperament) -> MeetingSpec {
    let runner = RunnerSpec::Simulated { temperament };
    let newcomer = |name: &str| Newcomer {
        name: name.into(),
        role: Role { name: "Member".into(), description: "speaks".into(), system_prompt: String::new() },
        runner: runner.clone(),
        skip_list: Vec::new(),
    };
    MeetingSpec {
        topic: "Shall we?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Discussion,
        rules: Format::Discussion.rules(),
        seed: 1,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        facilitator: None,
        participants: vec![newcomer("Ada"), newcomer("Ben")],
    }
}

fn engine(breaks: u32) -> (Engine, Arc<StoreSource>, Arc<Brittle>) {
    let (store_source, brittle) = (Arc::new(StoreSource::default()), Arc::new(Brittle::default()));
    brittle.breaks.store(breaks, Ordering::SeqCst);
    let engine = Engine::new(store_source.clone(), brittle.clone(), Arc::new(SystemClock));
    (engine, store_source, brittle)
}

async fn started(engine: &Engine, id: &str, temperament: Temperament) -> (MeetingHandle, Subscription) {
    let created =
        engine.create(MeetingId::new(id), RunId::new("run"), Actor::owner(), spec(temperament)).await;
    let handle = created.unwrap();
    let heard = handle.subscribe(0, false).await.unwrap();
    // What breaks down may take the answer along; the command is durable.
    _ = handle.execute(Command::Start { by: Actor::owner() }).await;
    (handle, heard)
}

/// Listens until a message comes, and gives the troubles before it.
async fn troubles_before_a_message(heard: &mut Subscription) -> Vec<String> {
    let mut troubles = Vec::new();
    loop {
        match heard.next().await.unwrap().expect("listeners stay") {
            Notice::Event(record) if matches!(record.event.body, EventBody::AgentMessage { .. }) => {
                return troubles;
            }
            Notice::Problem(error) => troubles.push(error.to_string()),
            Notice::Event(_) | Notice::Fragment(_) | Notice::Lagged => {}
        }
    }
}

async fn until_quarantined(heard: &mut Subscription) -> Box<Fault> {
    loop {
        let told = heard.next().await.unwrap().expect("listeners stay");
        if let Notice::Problem(EngineError::Quarantined(fault)) = told {
            return fault;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_loop_that_breaks_down_is_begun_again_from_the_log_and_its_listeners_stay() {
    let (engine, store_source, _) = engine(2);
    let (handle, mut heard) = started(&engine, "m", Temperament::Stubborn).await;
    troubles_before_a_message(&mut heard).await;
    assert_eq!((engine.stats().restarts, engine.stats().quarantined), (2, 0));
    let meeting = handle.look().await.unwrap();
    assert_eq!(meeting.lost_calls, 2, "what was under way is made again");
    assert!(store_source.kept.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_that_breaks_down_again_and_again_is_quarantined_and_the_others_run_on() {
    let (engine, store_source, brittle) = engine(u32::MAX);
    let (handle, mut heard) = started(&engine, "bad", Temperament::Stubborn).await;
    let fault = until_quarantined(&mut heard).await;
    assert_eq!((fault.kind, fault.failures), (FaultKind::Panicked, 3));
    let detail = fault.detail.text(Language::En);
    assert!(detail.contains("cannot be looked for"), "{detail}");
    assert_eq!(engine.quarantined(), [(handle.id().clone(), (*fault).clone())]);
    assert_eq!(*store_source.kept.lock().unwrap(), [Some((*fault).clone())]);
    assert!(!engine.is_running(handle.id()));

    brittle.breaks.store(0, Ordering::SeqCst);
    let (_, mut other) = started(&engine, "good", Temperament::Balanced).await;
    assert_eq!(troubles_before_a_message(&mut other).await, [""; 0]);

    // It can be opened, listened to and read, and does not run for it.
    let opened = engine.open(handle.id()).await.unwrap();
    let said = opened.execute(Command::Say { by: Actor::owner(), content: "Hello?".into() }).await;
    assert!(matches!(said, Err(EngineError::Quarantined(_))), "{said:?}");
    until_quarantined(&mut opened.subscribe(0, false).await.unwrap()).await;
    assert!(!engine.load(handle.id()).await.unwrap().is_over());
    assert!(!engine.is_running(handle.id()));

    // Its owner takes it up again.
    let resume = Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    };
    handle.execute(resume).await.unwrap();
    troubles_before_a_message(&mut heard).await;
    assert_eq!(engine.quarantined(), []);
    assert_eq!(store_source.kept.lock().unwrap().last(), Some(&None));
}

#[tokio::test(start_paused = true)]
async fn one_in_quarantine_can_be_paused_and_ended() {
    let (engine, _, brittle) = engine(u32::MAX);
    let (handle, mut heard) = started(&engine, "bad", Temperament::Stubborn).await;
    until_quarantined(&mut heard).await;
    let pause = || Command::Pause { by: Actor::owner(), at_once: false };
    let end = || Command::End { by: Actor::owner(), note: "enough".into() };
    for command in [pause(), end()] {
        let refused = handle.execute(command.clone()).await;
        assert!(matches!(refused, Err(EngineError::Quarantined(_))), "{command:?}: {refused:?}");
        assert_eq!(engine.quarantined().len(), 1, "it fails again, and is back");
    }

    brittle.breaks.store(0, Ordering::SeqCst);
    handle.execute(pause()).await.unwrap();
    assert!(handle.look().await.unwrap().is_paused(), "it rests at once");
    assert_eq!(engine.quarantined(), []);

    let (other, mut heard) = {
        brittle.breaks.store(u32::MAX, Ordering::SeqCst);
        started(&engine, "worse", Temperament::Stubborn).await
    };
    until_quarantined(&mut heard).await;
    brittle.breaks.store(0, Ordering::SeqCst);
    other.execute(end()).await.unwrap();
    while !engine.load(other.id()).await.unwrap().is_over() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_another_process_wrote_is_read_and_the_meeting_goes_on() {
    let (engine, store_source, _) = engine(0);
    let (handle, mut heard) = started(&engine, "m", Temperament::Balanced).await;
    let conflict = JournalError::Conflict { meeting: handle.id().clone(), expected: 1, found: 2 };
    *store_source.refusal.lock().unwrap() = Some(conflict);
    let troubles = troubles_before_a_message(&mut heard).await;
    assert!(troubles.iter().any(|trouble| trouble.contains("were expected")), "{troubles:?}");
    assert_eq!((engine.stats().restarts, engine.stats().quarantined), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_damaged_log_quarantines_at_once_and_trouble_that_passes_never_does() {
    let (first, store_source, _) = engine(0);
    let (handle, _heard) = started(&first, "m", Temperament::Balanced).await;
    first.unload(handle.id());
    store_source.damaged.store(true, Ordering::SeqCst);
    let next = || Engine::new(store_source.clone(), Arc::new(Brittle::default()), Arc::new(SystemClock));
    let second = next();
    assert!(second.take_up(handle.id()).await.is_err());
    assert_eq!(second.fault(handle.id()).unwrap().kind, FaultKind::Damaged);
    store_source.damaged.store(false, Ordering::SeqCst);

    let third = next();
    third.take_up(handle.id()).await.unwrap();
    let mut heard = third.handle(handle.id()).subscribe(0, false).await.unwrap();
    for _ in 0..10 {
        let busy = JournalError::Unavailable { fault: StorageFault::Full, detail: as_said("") };
        *store_source.refusal.lock().unwrap() = Some(busy);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert_eq!((third.stats().restarts, third.stats().quarantined), (0, 0));
    while let Some(notice) = heard.next().await.unwrap() {
        assert!(!matches!(notice, Notice::Problem(EngineError::Quarantined(_))));
        if third.load(handle.id()).await.unwrap().said.len() >= 2 {
            break;
        }
    }
}
