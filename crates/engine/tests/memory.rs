//! Meetings that leave memory and come back, listeners that fall behind, and the end of an engine.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::*;
use quorate_engine::*;
use tokio::time::{Instant, sleep, timeout};

/// A runner that answers after a while, word by word when there are subscribers.
#[derive(Clone)]
struct Slow {
    takes: Duration,
    calls: Arc<AtomicU32>,
}

impl Slow {
    fn new(takes: Duration) -> Self {
        Self { takes, calls: Arc::default() }
    }
}

impl RunnerDirectory for Slow {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(self.clone())
    }
}

impl Runner for Slow {
    fn run(&self, _: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            let heard = sink.is_heard();
            let words = 1000;
            for number in 0..words {
                if heard {
                    sink.answer(format!("word{number} "));
                    sleep(self.takes / words).await;
                }
            }
            if !heard {
                sleep(self.takes).await;
            }
            Outcome::Answered(Answer {
                web: WebFindings::default(),
                text: "So be it.".into(),
                reasoning: None,
                usage: Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() },
                stop: StopReason::Stop,
                latency_ms: 1,
                request_id: None,
            })
        })
    }
}

/// A journal in memory that keeps snapshots, and answers late.
#[derive(Clone, Default)]
struct StoreSource {
    log: MemoryJournal,
    snapshots: Arc<Mutex<HashMap<MeetingId, Snapshot>>>,
    whole_reads: Arc<AtomicU32>,
    spoils: Arc<AtomicBool>,
    delay: Duration,
}

impl Journal for StoreSource {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let this = self.clone();
        Box::pin(async move {
            sleep(this.delay).await;
            this.log.append(meeting, expected, records).await
        })
    }
    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        let this = self.clone();
        this.whole_reads.fetch_add(u32::from(after == 0), Ordering::SeqCst);
        Box::pin(async move {
            let read = this.log.read(meeting, after).await;
            sleep(this.delay).await; // what was read may be old when it arrives
            read
        })
    }
    fn keeps_snapshots(&self, _: &MeetingId) -> bool {
        true
    }
    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        let mut snapshot = self.snapshots.lock().unwrap().get(&meeting).cloned();
        if let (Some(snapshot), true) = (&mut snapshot, self.spoils.load(Ordering::SeqCst)) {
            let last = snapshot.state.len() - 2;
            snapshot.state[last] ^= 1;
        }
        let rest = self.read(meeting, snapshot.as_ref().map_or(0, |snapshot| snapshot.seq));
        Box::pin(async move { Ok((snapshot, rest.await?)) })
    }
    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        self.snapshots.lock().unwrap().insert(meeting, snapshot);
        Box::pin(std::future::ready(Ok(())))
    }
}

fn spec(rounds: u32) -> MeetingSpec {
    let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    let newcomer = |name: &str| Newcomer {
        name: name.to_owned(),
        role: Role { name: "Member".into(), description: "speaks".into(), system_prompt: String::new() },
        runner: runner.clone(),
        skip_list: Vec::new(),
    };
    let mut rules = Format::Discussion.rules();
    rules.limits.max_rounds = rounds;
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
        participants: ["Ada", "Ben"].map(newcomer).to_vec(),
    }
}

fn engine(journal: impl Journal + 'static, slow: Slow, idle_after: Duration) -> Engine {
    let options = EngineOptions { idle_after, snapshot_every: 8, ..EngineOptions::default() };
    Engine::with_options(Arc::new(journal), Arc::new(slow), Arc::new(SystemClock), options)
}

async fn draft(engine: &Engine, id: &str) -> MeetingHandle {
    engine.create(MeetingId::new(id), RunId::new("run"), Actor::owner(), spec(1)).await.unwrap()
}

fn announce(text: impl Into<String>) -> Command {
    Command::Announce { by: Actor::owner(), text: text.into() }
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    let waited = timeout(Duration::from_secs(3600), async {
        while !holds() {
            sleep(Duration::from_millis(1)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("it never came to this: {what}"));
}

#[tokio::test(start_paused = true)]
async fn a_draft_leaves_memory_and_is_back_when_it_is_spoken_to() {
    let engine = engine(MemoryJournal::default(), Slow::new(Duration::ZERO), Duration::from_secs(60));
    let handle = draft(&engine, "m").await;
    let mut listener = handle.subscribe(0, false).await.unwrap();
    sleep(Duration::from_secs(30)).await;
    let before = handle.look().await.unwrap();
    sleep(Duration::from_secs(59)).await;
    assert_eq!(engine.live().len(), 1, "somebody has looked since");
    until("it leaves", || engine.live().is_empty()).await;
    assert_eq!(engine.stats().unloaded, 1);

    let seq = handle.execute(announce("we are moving")).await.unwrap();
    assert_eq!(seq, before.seq + 1);
    assert_eq!(engine.live().len(), 1);
    // The listener has noticed nothing of it.
    for number in 1..=seq {
        match listener.next().await.unwrap() {
            Some(Notice::Event(record)) => assert_eq!(record.event.seq, number),
            other => panic!("event {number} was expected, not {other:?}"),
        }
    }
    handle.execute(Command::End { by: Actor::owner(), note: String::new() }).await.unwrap();
    while listener.next().await.unwrap().is_some() {}
    assert!(handle.look().await.unwrap().is_over(), "what is over can be looked at and runs no more");
    assert!(matches!(handle.execute(announce("x")).await, Err(EngineError::Refused(Refusal::MeetingIsOver))));
    until("it has ended", || engine.live().is_empty()).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_under_way_stays() {
    let engine =
        engine(MemoryJournal::default(), Slow::new(Duration::from_secs(100)), Duration::from_secs(1));
    let handle = draft(&engine, "m").await;
    handle.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    sleep(Duration::from_secs(50)).await;
    assert_eq!((engine.live().len(), engine.stats().calls_under_way), (1, 1));
    handle.execute(Command::Pause { by: Actor::owner(), at_once: true }).await.unwrap();
    until("it rests and leaves", || engine.live().is_empty()).await;
    assert_eq!(engine.stats().calls_under_way, 0);
}

#[tokio::test(start_paused = true)]
async fn who_asks_for_what_is_not_there_leaves_nothing_behind() {
    let engine = engine(MemoryJournal::default(), Slow::new(Duration::ZERO), Duration::from_secs(60));
    let nobody = engine.handle(&MeetingId::new("nobody"));
    let refused = nobody.look().await.unwrap_err();
    assert!(matches!(refused, EngineError::Journal(JournalError::NoSuchMeeting(_))), "{refused}");
    assert!(nobody.subscribe(0, true).await.is_err());
    assert_eq!(engine.stats(), Stats::default());
}

/// Many commands at odd times, at meetings that leave after a millisecond, over a journal that is slow
/// enough for everything to overlap: each one that was acknowledged is in the log, once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_is_lost_between_leaving_and_coming_back() {
    let store_source = StoreSource { delay: Duration::from_micros(300), ..StoreSource::default() };
    let engine = engine(store_source.clone(), Slow::new(Duration::ZERO), Duration::from_millis(1));
    let meetings = ["a", "b", "c"];
    for id in meetings {
        draft(&engine, id).await;
    }
    let listeners = meetings.map(|id| {
        let engine = engine.clone();
        tokio::spawn(async move {
            let mut listener = engine.handle(&MeetingId::new(id)).subscribe(0, true).await.unwrap();
            let mut heard = Vec::new();
            while let Some(notice) = listener.next().await.unwrap() {
                if let Notice::Event(record) = notice {
                    heard.push(record.line);
                }
            }
            heard
        })
    });
    let mut lots: Vec<u64> = (0..24).collect();
    let mut acknowledged = Vec::new();
    for round in 0..10 {
        let people = lots.iter().zip(0..).map(|(lot, person)| {
            let (engine, mut lot) = (engine.clone(), *lot);
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for number in 0..4 {
                    lot = lot.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let id = MeetingId::new(meetings[(lot >> 40) as usize % meetings.len()]);
                    let text = format!("{person}-{round}-{number}");
                    let seq = engine.handle(&id).execute(announce(text.clone())).await.unwrap();
                    acknowledged.push((id, seq, text));
                    sleep(Duration::from_micros((lot >> 33) % 4000)).await;
                }
                (lot, acknowledged)
            })
        });
        let mut next = Vec::new();
        for person in people.collect::<Vec<_>>() {
            let (lot, these) = person.await.unwrap();
            next.push(lot);
            acknowledged.extend(these);
        }
        lots = next;
        // Within a round they leave when chance has it, and between two rounds all of them, on any machine.
        until("they leave", || engine.live().is_empty()).await;
    }
    assert_eq!(acknowledged.len(), 24 * 40);
    assert!(engine.stats().unloaded >= 30, "they did leave: {:?}", engine.stats());
    for id in meetings {
        let end = Command::End { by: Actor::owner(), note: String::new() };
        engine.handle(&MeetingId::new(id)).execute(end).await.unwrap();
    }
    for (id, listener) in meetings.iter().zip(listeners) {
        let id = MeetingId::new(*id);
        let log = store_source.log.read(id.clone(), 0).await.unwrap();
        assert_eq!(listener.await.unwrap(), log.iter().map(|record| record.line.clone()).collect::<Vec<_>>());
        let said = |record: &Record| match &record.event.body {
            EventBody::AnnouncementPublished { text, .. } => Some((record.event.seq, text.clone())),
            _ => None,
        };
        let stored: Vec<_> = log.iter().filter_map(said).collect();
        let mut expected: Vec<_> = acknowledged.iter().filter(|(to, ..)| *to == id).collect();
        expected.sort_by_key(|(_, seq, _)| *seq);
        assert_eq!(stored, expected.iter().map(|(_, seq, text)| (*seq, text.clone())).collect::<Vec<_>>());
    }
    until("nothing is left", || engine.live().is_empty() && engine.stats().listeners == 0).await;
}

#[tokio::test(start_paused = true)]
async fn a_long_meeting_is_taken_up_from_its_snapshot_and_never_from_a_bad_one() {
    let store_source = StoreSource::default();
    let id = MeetingId::new("m");
    let first = engine(store_source.clone(), Slow::new(Duration::ZERO), Duration::from_secs(60));
    let handle = draft(&first, "m").await;
    for number in 0..30 {
        handle.execute(announce(format!("number {number}"))).await.unwrap();
    }
    let whole = handle.look().await.unwrap();
    until("it leaves", || first.live().is_empty()).await;
    let kept = store_source.snapshots.lock().unwrap()[&id].clone();
    assert!(kept.seq + 2 >= whole.seq, "a few events are not worth another one: {}", kept.seq);
    handle.execute(announce("after the snapshot")).await.unwrap();
    let whole = handle.look().await.unwrap();
    assert_eq!(first.stats().from_snapshots, 1);

    for (spoils, reads_all) in [(false, 0), (true, 1)] {
        store_source.spoils.store(spoils, Ordering::SeqCst);
        store_source.whole_reads.store(0, Ordering::SeqCst);
        let second = engine(store_source.clone(), Slow::new(Duration::ZERO), Duration::from_secs(60));
        assert_eq!(second.load(&id).await.unwrap(), whole);
        assert_eq!(store_source.whole_reads.load(Ordering::SeqCst), reads_all);
    }
    store_source.spoils.store(false, Ordering::SeqCst);
    let (json, _) = first.load(&id).await.unwrap().to_state();
    assert!(
        kept.state.len() * 2 < kept.size() && kept.size() <= json.len(),
        "{} of {}",
        kept.state.len(),
        json.len()
    );
    // An older version did not compress it.
    let plain = |meeting: &quorate_core::Meeting| {
        let (state, state_hash) = meeting.to_state();
        Snapshot { state, state_hash, ..kept.clone() }
    };
    let taken = kept.meeting(&id).expect("it was kept");
    assert_eq!(plain(&taken).meeting(&id).as_ref(), Some(&taken));
    let cut = Snapshot { state: kept.state[..kept.state.len() / 2].to_vec(), ..kept.clone() };
    assert_eq!(cut.meeting(&id), None, "one that is damaged is left aside");
    let older = Snapshot { format: "0.0.1/1".into(), ..kept };
    store_source.snapshots.lock().unwrap().insert(id.clone(), older);
    let third = engine(store_source.clone(), Slow::new(Duration::ZERO), Duration::from_secs(60));
    assert_eq!(third.load(&id).await.unwrap(), whole);
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_is_shut_down_lets_answers_come_and_starts_no_more_calls() {
    let journal = MemoryJournal::default();
    let slow = Slow::new(Duration::from_secs(10));
    let first = engine(journal.clone(), slow.clone(), Duration::from_secs(60));
    let (running, resting) = (draft(&first, "running").await, draft(&first, "resting").await);
    running.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    let begun = Instant::now();
    assert_eq!(first.shut_down(Duration::from_secs(30)).await, []);
    assert_eq!(begun.elapsed().as_secs(), 9, "as long as the answer took, and no longer");
    assert_eq!(slow.calls.load(Ordering::SeqCst), 1);
    assert!(first.live().is_empty());
    assert!(matches!(resting.execute(announce("too late")).await, Err(EngineError::Gone)));

    let log = journal.read(MeetingId::new("running"), 0).await.unwrap();
    let count = |kind: &str| log.iter().filter(|record| record.event.body.kind() == kind).count();
    assert_eq!((count("call_started"), count("call_ended"), count("agent_message")), (1, 1, 1));
    // The next start makes the calls that were not begun, and loses and pays nothing.
    let second = engine(journal.clone(), Slow::new(Duration::ZERO), Duration::from_secs(60));
    let mut listener =
        second.open(&MeetingId::new("running")).await.unwrap().subscribe(0, false).await.unwrap();
    while listener.next().await.unwrap().is_some() {}
    let meeting = second.load(&MeetingId::new("running")).await.unwrap();
    assert!(meeting.is_over());
    assert_eq!(meeting.lost_calls, 0);
}

#[tokio::test(start_paused = true)]
async fn what_takes_longer_than_the_timeout_is_cut_off_and_named() {
    let journal = MemoryJournal::default();
    let first = engine(journal.clone(), Slow::new(Duration::from_secs(100)), Duration::from_secs(60));
    let handle = draft(&first, "m").await;
    let mut listener = handle.subscribe(0, false).await.unwrap();
    handle.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    let begun = Instant::now();
    let left = first.shut_down(Duration::from_secs(3)).await;
    assert_eq!(begun.elapsed().as_secs(), 3);
    assert_eq!(left, [InterruptedMeeting { meeting: MeetingId::new("m"), calls: 1 }]);
    while listener.next().await.unwrap().is_some() {}
    assert_eq!(first.stats().calls_under_way, 0, "and its connection is closed");

    let second = engine(journal, Slow::new(Duration::ZERO), Duration::from_secs(60));
    let mut listener = second.open(&MeetingId::new("m")).await.unwrap().subscribe(0, false).await.unwrap();
    while listener.next().await.unwrap().is_some() {}
    assert_eq!(second.load(&MeetingId::new("m")).await.unwrap().lost_calls, 1);
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_was_too_slow_is_told_and_given_the_text_so_far() {
    let engine =
        engine(MemoryJournal::default(), Slow::new(Duration::from_secs(100)), Duration::from_secs(60));
    let handle = draft(&engine, "m").await;
    let mut listener = handle.subscribe(0, true).await.unwrap();
    handle.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    sleep(Duration::from_millis(60_050)).await; // some 600 words, more than the queue holds
    let (mut text, mut lagged, mut last) = (String::new(), false, 0);
    while !lagged || text.is_empty() {
        match listener.next().await.unwrap().expect("the meeting goes on") {
            Notice::Lagged => (lagged, text) = (true, String::new()),
            Notice::Fragment(piece) => {
                assert!(piece.offset == text.len() || piece.offset == 0, "no hole");
                assert_eq!(piece.offset == 0, text.is_empty(), "what comes again comes from its beginning");
                text.push_str(&piece.text);
            }
            Notice::Event(record) => {
                assert_eq!(record.event.seq, last + 1);
                last = record.event.seq;
            }
            Notice::Problem(error) => panic!("{error}"),
        }
    }
    let expected: String = (0..=600).map(|number| format!("word{number} ")).collect();
    assert_eq!(text, expected, "all that was written by then");
    match listener.next().await.unwrap() {
        Some(Notice::Fragment(piece)) => {
            assert_eq!((piece.offset, piece.text.as_str()), (text.len(), "word601 "))
        }
        other => panic!("the next word was expected, not {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn whether_to_stream_is_decided_once_for_a_call_when_it_is_made() {
    let engine =
        engine(MemoryJournal::default(), Slow::new(Duration::from_secs(100)), Duration::from_secs(60));
    let handle = draft(&engine, "m").await;
    handle.execute(Command::Start { by: Actor::owner() }).await.unwrap();
    sleep(Duration::from_secs(50)).await;
    let mut late = handle.subscribe(0, true).await.unwrap();
    let mut of_whom = Vec::new();
    while let Some(notice) = late.next().await.unwrap() {
        if let Notice::Fragment(piece) = notice
            && of_whom.last() != Some(&piece.participant)
        {
            of_whom.push(piece.participant);
        }
    }
    assert_eq!(of_whom, [Some(ParticipantId(2))], "the first answer was not streamed, the next one is");
    assert_eq!(engine.stats().fragments, 1000);
}

#[test]
fn append_times_fall_into_their_classes() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let store_source = StoreSource { delay: Duration::from_millis(30), ..StoreSource::default() };
        let engine = engine(store_source, Slow::new(Duration::ZERO), Duration::from_secs(60));
        let handle = draft(&engine, "m").await;
        handle.execute(announce("one")).await.unwrap();
        let stats = engine.stats();
        let class = APPEND_MS.iter().position(|most| *most == 50).unwrap();
        assert_eq!((stats.appends, stats.appends_by_ms[class]), (2, 2));
        assert!((60_000..70_000).contains(&stats.append_micros), "{}", stats.append_micros);
        assert_eq!(stats.live_meetings, 1);
        assert_eq!(stats.events, handle.look().await.unwrap().seq);
    });
}
