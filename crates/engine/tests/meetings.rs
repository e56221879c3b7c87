//! Whole meetings through the engine: real loops, a pretended world.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::*;

/// Answers as a script says, by participant name (the facilitator's is empty).
#[derive(Default)]
struct Script {
    delays: HashMap<String, Duration>,
    /// How long a participant's calls are queued.
    queues: HashMap<String, Duration>,
    calls: AtomicU32,
    dropped: Arc<AtomicU32>,
}

impl Script {
    fn answer(brief: &Brief) -> String {
        let name = &brief.name;
        match brief.kind() {
            AnswerKind::Blind => format!(
                r#"{{"position":"{name} says yes","claims":["because"],"confidence":50,"would_change_my_mind":"x","unshared_facts":[]}}"#
            ),
            AnswerKind::Speak => format!("{name} speaks."),
            AnswerKind::Vote => r#"{"score":90,"pass":true,"reason":"fine","missing":[]}"#.into(),
            AnswerKind::Summarize => {
                let holders: Vec<_> = brief.participants.iter().map(|v| format!("{:?}", v.name)).collect();
                format!(
                    r#"{{"summary":"so far","positions":[{{"text":"yes","holders":[{}]}}],"draft":"yes"}}"#,
                    holders.join(",")
                )
            }
            AnswerKind::Facilitate => {
                r#"{"disagreements":["a"],"proposed_patch":"b","next_focus":["c"]}"#.into()
            }
            AnswerKind::Conclude => r#"{"conclusion":"yes","disagreements":[],"actions":[]}"#.into(),
            other => unreachable!("a consensus meeting asks for no {other:?}"),
        }
    }
}

/// Counts what is dropped before it is done.
struct DropBell {
    rung: Arc<AtomicU32>,
    done: bool,
}
impl DropBell {
    fn silence(mut self) {
        self.done = true;
    }
}
impl Drop for DropBell {
    fn drop(&mut self) {
        if !self.done {
            self.rung.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Runner for Script {
    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        let queue = self.queues.get(&request.prompt.brief.name).copied().unwrap_or_default();
        Box::pin(tokio::time::sleep(queue))
    }

    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let bell = DropBell { rung: self.dropped.clone(), done: false };
        Box::pin(async move {
            let brief = &request.prompt.brief;
            let text = Self::answer(brief);
            for word in text.split_inclusive(' ') {
                sink.answer(word);
            }
            if let Some(delay) = self.delays.get(&brief.name) {
                tokio::time::sleep(*delay).await;
            }
            bell.silence();
            Outcome::Answered(Answer {
                web: WebFindings::default(),
                text,
                reasoning: None,
                usage: Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() },
                stop: StopReason::Stop,
                latency_ms: 1,
                request_id: None,
            })
        })
    }
}

struct Everybody(Arc<Script>);
impl RunnerDirectory for Everybody {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        self.0.clone()
    }
}

fn spec(names: &[&str], rules: Rules) -> MeetingSpec {
    let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    MeetingSpec {
        topic: "Shall we?".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Consensus,
        rules,
        seed: 1,
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        facilitator: Some(Facilitator { runner: runner.clone(), system_prompt: String::new() }),
        participants: names
            .iter()
            .map(|name| Newcomer {
                name: (*name).into(),
                role: Role {
                    name: "Member".into(),
                    description: "speaks".into(),
                    system_prompt: String::new(),
                },
                runner: runner.clone(),
                skip_list: Vec::new(),
            })
            .collect(),
    }
}

fn engine(journal: Arc<dyn Journal>, script: Script) -> (Engine, Arc<Script>) {
    let script = Arc::new(script);
    let engine = Engine::new(journal, Arc::new(Everybody(script.clone())), Arc::new(SystemClock));
    (engine, script)
}

async fn started(engine: &Engine, id: &str, spec: MeetingSpec) -> MeetingHandle {
    let by = Actor::owner();
    let handle = engine.create(MeetingId::new(id), RunId::new("run"), by.clone(), spec).await.unwrap();
    handle.execute(Command::Start { by }).await.unwrap();
    handle
}

/// Listens until the loop ends, and gives the events' lines.
async fn lines_to_the_end(mut listener: Subscription) -> Vec<Arc<str>> {
    let mut lines = Vec::new();
    while let Some(notice) = listener.next().await.unwrap() {
        if let Notice::Event(record) = notice {
            lines.push(record.line);
        }
    }
    lines
}

async fn wait_for(listener: &mut Subscription, wanted: impl Fn(&EventBody) -> bool) {
    loop {
        match listener.next().await.unwrap().expect("the meeting goes on") {
            Notice::Event(record) if wanted(&record.event.body) => return,
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_meeting_runs_to_its_end_and_every_listener_hears_the_same() {
    let journal = Arc::new(MemoryJournal::default());
    let (engine, _) = engine(journal.clone(), Script::default());
    let handle = started(&engine, "m", spec(&["Ada", "Ben"], Rules::default())).await;
    let early = handle.subscribe(0, false).await.unwrap();
    let late = handle.subscribe(0, true).await.unwrap();
    let (early, late) = tokio::join!(lines_to_the_end(early), lines_to_the_end(late));
    assert_eq!(early, late);
    let stored = journal.read(MeetingId::new("m"), 0).await.unwrap();
    assert_eq!(stored.iter().map(|record| record.line.clone()).collect::<Vec<_>>(), early);
    assert!(early.last().unwrap().contains(r#""type":"finished""#));
    assert!(matches!(
        handle.execute(Command::Say { by: Actor::owner(), content: "more".into() }).await,
        Err(EngineError::Refused(Refusal::MeetingIsOver))
    ));
    assert!(engine.live().is_empty(), "a meeting that is over costs nothing");
}

#[tokio::test(start_paused = true)]
async fn a_slow_participant_holds_nobody_up_beyond_its_deadline() {
    let delays = HashMap::from([("Ben".to_owned(), Duration::from_secs(3600))]);
    let (engine, _) = engine(Arc::new(MemoryJournal::default()), Script { delays, ..Script::default() });
    let begun = tokio::time::Instant::now();
    let handle = started(&engine, "m", spec(&["Ada", "Ben", "Cid"], Rules::default())).await;
    let lines = lines_to_the_end(handle.subscribe(0, false).await.unwrap()).await;
    let timeouts = lines.iter().filter(|line| line.contains(r#""kind":"timed_out""#)).count();
    assert!(timeouts >= 2, "its blind turn and its later one");
    assert!(lines.last().unwrap().contains(r#""outcome":"accepted""#), "two of three are a quorum");
    // The blind turn, one serial turn and one vote: three deadlines of three minutes.
    assert!(begun.elapsed() < Duration::from_secs(3 * 181));
}

#[tokio::test(start_paused = true)]
async fn whoever_queues_for_its_provider_is_not_late() {
    let queues = HashMap::from([("Ben".to_owned(), Duration::from_secs(3600))]);
    let (engine, _) = engine(Arc::new(MemoryJournal::default()), Script { queues, ..Script::default() });
    let begun = tokio::time::Instant::now();
    let handle = started(&engine, "m", spec(&["Ada", "Ben"], Rules::default())).await;
    let lines = lines_to_the_end(handle.subscribe(0, false).await.unwrap()).await;
    assert!(!lines.iter().any(|line| line.contains("timed_out")), "its time had not begun");
    assert!(begun.elapsed() >= Duration::from_secs(2 * 3600), "its blind turn and its vote at least");
}

#[tokio::test(start_paused = true)]
async fn a_steering_message_cancels_the_votes_that_are_under_way() {
    let delays = HashMap::from([("Cid".to_owned(), Duration::from_secs(60))]);
    let (engine, script) = engine(Arc::new(MemoryJournal::default()), Script { delays, ..Script::default() });
    let handle = started(&engine, "m", spec(&["Ada", "Cid"], Rules::default())).await;
    let mut listener = handle.subscribe(0, false).await.unwrap();
    wait_for(&mut listener, |body| matches!(body, EventBody::BallotOpened { .. })).await;
    assert_eq!(script.dropped.load(Ordering::SeqCst), 0);
    handle.execute(Command::Say { by: Actor::owner(), content: "mind the cost".into() }).await.unwrap();
    wait_for(&mut listener, |body| matches!(body, EventBody::BallotInterrupted { .. })).await;
    wait_for(&mut listener, |body| matches!(body, EventBody::RoundStarted { round: 2, .. })).await;
    tokio::task::yield_now().await;
    assert!(script.dropped.load(Ordering::SeqCst) >= 1, "the vote's connection is closed");
}

#[tokio::test(start_paused = true)]
async fn a_meeting_that_was_let_go_is_taken_up_where_it_was() {
    let journal = Arc::new(MemoryJournal::default());
    let delays = HashMap::from([("Ben".to_owned(), Duration::from_secs(50))]);
    let (first, _) = engine(journal.clone(), Script { delays, ..Script::default() });
    let handle = started(&first, "m", spec(&["Ada", "Ben"], Rules::default())).await;
    let mut listener = handle.subscribe(0, false).await.unwrap();
    wait_for(&mut listener, |body| matches!(body, EventBody::AgentMessage { .. })).await;
    first.unload(handle.id());
    drop((handle, first, listener));
    tokio::task::yield_now().await;

    let (second, script) = engine(journal.clone(), Script::default());
    let handle = second.open(&MeetingId::new("m")).await.unwrap();
    let lines = lines_to_the_end(handle.subscribe(0, false).await.unwrap()).await;
    let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(count(r#""type":"recovered""#), 1);
    assert_eq!(count(r#""ended":"lost""#), 1, "only Ben's answer was under way");
    assert_eq!(count(r#""turn":"r0t1","participant":"p1","message""#), 1, "Ada is not asked again");
    assert!(lines.last().unwrap().contains("finished"));
    assert!(script.calls.load(Ordering::SeqCst) > 0);
    let numbers: Vec<u64> = lines.iter().map(|line| Event::from_json(line).unwrap().seq).collect();
    assert_eq!(numbers, (1..=lines.len() as u64).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_loop_that_was_let_go_does_not_take_its_successor_along() {
    let delays = HashMap::from([("Ben".to_owned(), Duration::from_secs(50))]);
    let (engine, _) = engine(Arc::new(MemoryJournal::default()), Script { delays, ..Script::default() });
    let first = started(&engine, "m", spec(&["Ada", "Ben"], Rules::default())).await;
    let mut listener = first.subscribe(0, false).await.unwrap();
    engine.unload(first.id());
    let second = engine.open(&MeetingId::new("m")).await.unwrap();
    drop(first);
    while listener.next().await.unwrap().is_some() {} // the first loop has ended
    tokio::task::yield_now().await;
    assert_eq!(engine.live(), [MeetingId::new("m")]);
    assert!(engine.is_running(&MeetingId::new("m")) && !engine.is_running(&MeetingId::new("n")));
    second.look().await.unwrap();
}

#[tokio::test]
async fn a_listener_that_falls_far_behind_misses_no_event() {
    let (engine, _) = engine(Arc::new(MemoryJournal::default()), Script::default());
    let rules = Rules {
        limits: LimitRules { max_rounds: 150, ..LimitRules::default() },
        decision: DecisionRules { mean_score: Some(100), ..DecisionRules::default() },
        ..Rules::default()
    };
    let handle = started(&engine, "m", spec(&["Ada", "Ben", "Cid"], rules)).await;
    let behind = handle.subscribe(0, true).await.unwrap();
    let quick = lines_to_the_end(handle.subscribe(0, false).await.unwrap()).await;
    assert!(quick.len() > 3 * 1024, "more than the buffer holds: {}", quick.len());
    assert_eq!(lines_to_the_end(behind).await, quick);
}

/// A journal that fails while it is told to, once after having written all the same.
struct Moody {
    inner: MemoryJournal,
    broken: AtomicBool,
    writes_all_the_same: AtomicBool,
    failures: Mutex<u32>,
}

impl Journal for Moody {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        if !self.broken.load(Ordering::SeqCst) {
            return self.inner.append(meeting, expected, records);
        }
        *self.failures.lock().unwrap() += 1;
        let written = self.writes_all_the_same.swap(false, Ordering::SeqCst);
        let inner = self.inner.clone();
        Box::pin(async move {
            if written {
                inner.append(meeting, expected, records).await?;
            }
            Err(JournalError::Unavailable { fault: StorageFault::Full, detail: as_said("") })
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        self.inner.read(meeting, after)
    }
}

/// A start that the journal has kept and reported as not kept: the meeting runs, though nobody asks for it again.
#[tokio::test(start_paused = true)]
async fn what_was_kept_in_spite_of_a_failure_goes_on_by_itself() {
    let journal = Arc::new(Moody {
        inner: MemoryJournal::default(),
        broken: AtomicBool::new(false),
        writes_all_the_same: AtomicBool::new(true),
        failures: Mutex::new(0),
    });
    let (engine, _) = engine(journal.clone(), Script::default());
    let (id, run, by) = (MeetingId::new("m"), RunId::new("run"), Actor::owner());
    let handle = engine.create(id, run, by.clone(), spec(&["Ada", "Ben"], Rules::default())).await.unwrap();
    let mut listener = handle.subscribe(0, false).await.unwrap();
    journal.broken.store(true, Ordering::SeqCst);
    let start = handle.execute(Command::Start { by }).await;
    assert!(matches!(start, Err(EngineError::Journal(JournalError::Unavailable { .. }))), "{start:?}");
    journal.broken.store(false, Ordering::SeqCst);
    wait_for(&mut listener, |body| matches!(body, EventBody::AgentMessage { .. })).await;
    // Nothing was lost, and nothing is there twice.
    let seqs: Vec<u64> =
        journal.inner.read(handle.id().clone(), 0).await.unwrap().iter().map(|one| one.event.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_full_disk_is_said_aloud_and_waited_out() {
    for writes_all_the_same in [false, true] {
        let journal = Arc::new(Moody {
            inner: MemoryJournal::default(),
            broken: AtomicBool::new(false),
            writes_all_the_same: AtomicBool::new(writes_all_the_same),
            failures: Mutex::new(0),
        });
        let delays = HashMap::from([("Ben".to_owned(), Duration::from_secs(5))]);
        let (engine, _) = engine(journal.clone(), Script { delays, ..Script::default() });
        let handle = started(&engine, "m", spec(&["Ada", "Ben"], Rules::default())).await;
        let mut listener = handle.subscribe(0, false).await.unwrap();
        wait_for(&mut listener, |body| matches!(body, EventBody::AgentMessage { .. })).await;
        journal.broken.store(true, Ordering::SeqCst);
        if !writes_all_the_same {
            // A person is told at once that nothing was kept.
            let said = handle.execute(Command::Say { by: Actor::owner(), content: "hello".into() }).await;
            assert!(matches!(said, Err(EngineError::Journal(JournalError::Unavailable { .. }))));
        }
        // Ben's answer was paid for: it is kept and tried again, and counts once even if the journal
        // had taken it in spite of its complaint.
        loop {
            if let Some(Notice::Problem(error)) = listener.next().await.unwrap() {
                assert!(error.hint().starts_with("free some space"), "{}", error.hint());
                break;
            }
        }
        // Callers do not wait for the disk: a command gets the error at once.
        for _ in 0..3 {
            let say = Command::Say { by: Actor::owner(), content: "hello?".into() };
            let said = tokio::time::timeout(Duration::from_millis(10), handle.execute(say)).await;
            let full = |error: &JournalError| {
                matches!(error, JournalError::Unavailable { fault: StorageFault::Full, .. })
            };
            match said.expect("it is answered at once") {
                Err(EngineError::Journal(error)) if full(&error) => {}
                other => assert!(writes_all_the_same, "{other:?}"),
            }
            let look = tokio::time::timeout(Duration::from_millis(10), handle.look()).await;
            look.expect("it is answered at once").expect("a meeting");
        }
        journal.broken.store(false, Ordering::SeqCst);
        let rest = lines_to_the_end(listener).await;
        assert!(rest.last().unwrap().contains("finished"));
        let all = journal.inner.read(MeetingId::new("m"), 0).await.unwrap();
        let bens =
            all.iter().filter(|record| record.line.contains(r#""turn":"r0t2","participant":"p2","message""#));
        assert_eq!(bens.count(), 1);
        assert!(*journal.failures.lock().unwrap() >= 1);
    }
}

/// A clock that is set forward by an hour every seven seconds.
struct JumpingClock(tokio::time::Instant);

impl Clock for JumpingClock {
    fn now(&self) -> Timestamp {
        let ms = self.0.elapsed().as_millis() as u64;
        Timestamp(1_700_000_000_000).plus_ms(ms + ms / 7_000 * 3_600_000)
    }
    fn steady(&self) -> Option<Duration> {
        Some(self.0.elapsed())
    }
}

/// That the clock was set, or that the machine slept, is noted before the answer is: the call that has just ended is then not in
/// flight any more, and the meeting still asks for it.
#[tokio::test(start_paused = true)]
async fn a_call_that_ends_after_the_clock_was_set_is_not_made_again() {
    let delays = ["Ada", "Ben", ""].map(|name| (name.to_owned(), Duration::from_secs(10)));
    let script = Arc::new(Script { delays: HashMap::from(delays), ..Script::default() });
    let clock = Arc::new(JumpingClock(tokio::time::Instant::now()));
    let engine =
        Engine::new(Arc::new(MemoryJournal::default()), Arc::new(Everybody(Arc::clone(&script))), clock);
    let handle = started(&engine, "m", spec(&["Ada", "Ben"], Rules::default())).await;
    let lines = lines_to_the_end(handle.subscribe(0, false).await.unwrap()).await;
    let count = |kind: &str| lines.iter().filter(|line| line.contains(kind)).count() as u32;
    assert!(count(r#""type":"recovered""#) > 2, "{lines:#?}");
    assert_eq!(script.calls.load(Ordering::SeqCst), count(r#""type":"call_started""#));
    assert_eq!(script.dropped.load(Ordering::SeqCst), 0);
}
