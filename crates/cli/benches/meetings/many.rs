//! Ten thousand meetings: at once, and after a restart. `MEETINGS=1000` makes it fewer, and `QUORATE_TEST_POSTGRES` (the
//! address of a server, which ends with a slash) keeps them there instead of in a file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::stream;
use futures::stream::StreamExt;
use quorate_contract::{
    Actor, Answer, Command, Event, EventBody, MeetingId, Outcome, RunnerSpec, StopReason, Usage, WebFindings,
};
use quorate_engine::{
    Engine, EngineOptions, FragmentSink, Journal, Notice, Record, Request, Runner, RunnerDirectory,
    SystemClock,
};
use quorate_store::Store;

use crate::measure::{Aim, Watch, figure, peak_rss_mb, rss_mb, us_each};
use crate::table::Held;
use crate::{answers, journal, table};

/// The time of each answer.
const ANSWER: Duration = Duration::from_secs(2);
const ROUNDS: u32 = 2;
/// The number of events of an open meeting at a restart.
const EVENTS: usize = 60;
/// The number of events of the long meeting.
const LONG: usize = 50_000;
/// The number of meetings that are opened at a time.
const AT_A_TIME: usize = 64;

fn meetings() -> usize {
    std::env::var("MEETINGS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000)
}

/// A runner that answers after a time, in `pieces` when there are subscribers.
#[derive(Clone)]
struct Patient {
    takes: Duration,
    pieces: u32,
}

impl RunnerDirectory for Patient {
    fn find(&self, _: &RunnerSpec) -> Arc<dyn Runner> {
        Arc::new(self.clone())
    }
}

impl Runner for Patient {
    fn run(&self, _: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let begun = tokio::time::Instant::now();
            if sink.is_heard() {
                for piece in 1..=self.pieces {
                    tokio::time::sleep_until(begun + self.takes * piece / self.pieces).await;
                    let now = begun.elapsed().as_micros();
                    sink.answer(format!("{now} "));
                }
            }
            tokio::time::sleep_until(begun + self.takes).await;
            Outcome::Answered(Answer {
                web: WebFindings::default(),
                text: answers::prose(1),
                reasoning: None,
                usage: Usage { input_tokens: 1000, output_tokens: 20, ..Usage::default() },
                stop: StopReason::Stop,
                latency_ms: 2000,
                request_id: None,
            })
        })
    }
}

fn engine(store: &Store, patient: Patient, idle_after: Duration) -> Engine {
    let options = EngineOptions { idle_after, ..EngineOptions::default() };
    Engine::with_options(Arc::new(store.clone()), Arc::new(patient), Arc::new(SystemClock), options)
}

/// All meetings run at once, each with a subscriber, started within the time of one answer.
pub(crate) fn at_once() {
    let (count, folder, runtime) = (meetings(), table::folder(), table::runtime());
    let store = Store::open(table::place(&folder.path().join("meetings.db"))).expect("a new database");
    let engine = engine(&store, Patient { takes: ANSWER, pieces: 1 }, Duration::from_secs(60));
    let watch = Watch::start();
    let held = runtime.block_on(async {
        let running: Vec<_> = (0..count)
            .map(|number| {
                let engine = engine.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(ANSWER * number as u32 / count as u32).await;
                    table::hold(&engine, number, table::discussion(ROUNDS), false).await
                })
            })
            .collect();
        let mut all = Held::default();
        for meeting in running {
            all.add(&meeting.await.expect("no meeting panics"));
        }
        all
    });
    let reading = watch.read();
    let turns = ROUNDS * table::NAMES.len() as u32;
    assert_eq!(held.turns, u64::from(turns) * count as u64);
    let ideal = ANSWER * (turns + 1);
    let stats = engine.stats();
    figure("meetings", count as f64, "", Aim::Nothing);
    figure("turns per second", held.turns as f64 / reading.wall.as_secs_f64(), "", Aim::Nothing);
    let multiple = reading.wall.as_secs_f64() / ideal.as_secs_f64();
    figure("wall, as a multiple of what the models take", multiple, "x", Aim::AtMost(1.25));
    figure("CPU per turn", us_each(reading.cpu, held.turns) / 1e3, "ms", Aim::Nothing);
    let append = stats.append_micros as f64 / 1e3 / stats.appends as f64;
    figure("an append, acknowledged, on average", append, "ms", Aim::Nothing);
    figure("peak memory", peak_rss_mb(), "MB", Aim::AtMost(600.0));
}

/// A process starts over a database full of meetings that were cut off in the midst of a call.
pub(crate) fn restart() {
    let (count, folder, runtime) = (meetings(), table::folder(), table::runtime());
    let path = folder.path().join("meetings.db");
    let (mut log, _) = journal::play(table::discussion(ROUNDS * 2));
    let cut = log.iter().take(EVENTS).rposition(|event| matches!(event.body, EventBody::CallStarted { .. }));
    log.truncate(cut.expect("calls are made") + 1);
    runtime.block_on(async {
        let store = Store::open(table::place(&path)).expect("a new database");
        let appends =
            stream::iter(0..count).map(|number| append(&store, journal::copy(&log, number, log.len())));
        appends.buffer_unordered(512).collect::<Vec<_>>().await;
    });
    let before = rss_mb();
    let watch = Watch::start();
    let store = Store::open(table::place(&path)).expect("the same database");
    let engine =
        engine(&store, Patient { takes: Duration::from_secs(3600), pieces: 1 }, Duration::from_secs(60));
    let id = |number: usize| MeetingId::new(format!("0190f3c8-7a2e-7000-8000-{number:012}"));
    let (first_command, all_open) = runtime.block_on(async {
        let begun = Instant::now();
        let someone = engine.handle(&id(count / 2));
        let command = tokio::spawn(async move {
            let by = Actor::owner();
            someone
                .execute(Command::Announce { by, text: "we are back".to_owned() })
                .await
                .expect("it is kept");
            begun.elapsed()
        });
        let opening = stream::iter(0..count).map(|number| {
            let (engine, id) = (engine.clone(), id(number));
            async move { tokio::spawn(async move { engine.open(&id).await.map(drop) }).await }
        });
        opening
            .buffer_unordered(AT_A_TIME)
            .for_each(async |opened| opened.expect("no panic").expect("it can be opened"))
            .await;
        (command.await.expect("no panic"), begun.elapsed())
    });
    let reading = watch.read();
    figure("meetings", count as f64, "", Aim::Nothing);
    figure("events of each", log.len() as f64, "", Aim::Nothing);
    figure("until the first command is answered", first_command.as_secs_f64(), "s", Aim::AtMost(1.0));
    figure("until all are open", all_open.as_secs_f64(), "s", Aim::Nothing);
    figure("CPU per meeting", us_each(reading.cpu, count as u64), "us", Aim::Nothing);
    figure("memory of a running meeting", (rss_mb() - before) * 1e3 / count as f64, "KB", Aim::AtMost(60.0));
    long(&runtime, log);
}

/// One long meeting, loaded from its log and from a snapshot.
fn long(runtime: &tokio::runtime::Runtime, log: Vec<Event>) {
    let folder = table::folder();
    let store = Store::open(table::place(&folder.path().join("meetings.db"))).expect("a new database");
    // The same turns over and over: folding is total.
    let turns = log.iter().skip(10).cycle();
    let log: Vec<Event> = log.iter().take(10).chain(turns).take(LONG).cloned().collect();
    runtime.block_on(async {
        append(&store, journal::copy(&log, 0, 1000)).await;
        let engine = engine(&store, Patient { takes: ANSWER, pieces: 1 }, Duration::from_secs(60));
        let id = MeetingId::new("0190f3c8-7a2e-7000-8000-000000000000");
        let begun = Instant::now();
        let meeting = engine.load(&id).await.expect("it can be loaded");
        figure("a meeting of 50,000 events, from its log", ms(begun), "ms", Aim::Nothing);
        let begun = Instant::now();
        let snapshot = quorate_engine::Snapshot::of(&meeting);
        let size = snapshot.state.len() as f64 / 1e6;
        store.keep_snapshot(id.clone(), snapshot).await.expect("it is kept");
        figure("  a snapshot of it is taken and kept in", ms(begun), "ms", Aim::Nothing);
        figure("  which is", size, "MB", Aim::Nothing);
        let begun = Instant::now();
        assert_eq!(engine.load(&id).await.expect("it can be loaded"), meeting);
        figure("  from its snapshot", ms(begun), "ms", Aim::Nothing);
        assert_eq!(engine.stats().from_snapshots, 1);
    });
}

/// Meetings at which nothing happens, then as many listeners of them.
pub(crate) fn idle() {
    let (count, folder, runtime) = (meetings(), table::folder(), table::runtime());
    let store = Store::open(table::place(&folder.path().join("meetings.db"))).expect("a new database");
    let engine = engine(&store, Patient { takes: ANSWER, pieces: 1 }, Duration::from_millis(100));
    let id = |number: usize| MeetingId::new(format!("0190f3c8-7a2e-7000-8000-{number:012}"));
    let (log, _) = journal::play(table::discussion(1));
    let draft = log.iter().position(|event| matches!(event.body, EventBody::MeetingStarted { .. }));
    let draft = &log[..draft.expect("it starts")];
    runtime.block_on(async {
        let drafts =
            stream::iter(0..count).map(|number| append(&store, journal::copy(draft, number, draft.len())));
        drafts.buffer_unordered(512).collect::<Vec<_>>().await;
        let before = rss_mb();
        let opening = stream::iter(0..count).map(|number| {
            let (engine, id) = (engine.clone(), id(number));
            async move { engine.open(&id).await.map(drop).expect("it can be opened") }
        });
        opening.buffer_unordered(AT_A_TIME).collect::<Vec<_>>().await;
        while !engine.live().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        figure("meetings", count as f64, "", Aim::Nothing);
        figure(
            "memory of one that has left",
            (rss_mb() - before) * 1e3 / count as f64,
            "KB",
            Aim::AtMost(2.0),
        );
        let before = rss_mb();
        let listening =
            stream::iter(0..count).map(|number| {
                let (engine, id) = (engine.clone(), id(number));
                async move {
                    engine.handle(&id).subscribe(draft.len() as u64, true).await.expect("it can be heard")
                }
            });
        let listeners: Vec<_> = listening.buffer_unordered(AT_A_TIME).collect().await;
        while !engine.live().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let each = (rss_mb() - before) * 1e3 / count as f64;
        figure("memory of a listener of one that has left", each, "KB", Aim::AtMost(25.0));
        drop(listeners);
    });
}

/// A thousand listeners to one answer of 50 tokens per second.
pub(crate) fn crowd() {
    const LISTENERS: usize = 1000;
    const SECONDS: u32 = 4;
    let (folder, runtime) = (table::folder(), table::runtime());
    let store = Store::open(table::place(&folder.path().join("meetings.db"))).expect("a new database");
    let patient = Patient { takes: Duration::from_secs(SECONDS.into()), pieces: 50 * SECONDS };
    let engine = engine(&store, patient, Duration::from_secs(60));
    let mut late: Vec<Duration> = runtime.block_on(async {
        let (id, run) = (MeetingId::new("crowd"), quorate_contract::RunId::new("run"));
        let by = Actor::owner();
        let handle =
            engine.create(id, run, by.clone(), table::discussion(1)).await.expect("it can be created");
        let mut listening = Vec::new();
        for _ in 0..LISTENERS {
            let mut listener = handle.subscribe(0, true).await.expect("it can be heard");
            listening.push(tokio::spawn(async move {
                let (mut began, mut late) = (None, Vec::new());
                while let Some(notice) = listener.next().await.expect("it can be heard") {
                    match notice {
                        Notice::Event(record) => match &record.event.body {
                            EventBody::AgentMessage { .. } => break,
                            EventBody::CallStarted { .. } => began = Some(Instant::now()),
                            _ => {}
                        },
                        Notice::Fragment(piece) => {
                            // When it was put, counted from the beginning of the call.
                            let put = piece.text.trim().parse().expect("a number");
                            let heard = began.map_or(Duration::ZERO, |began: Instant| began.elapsed());
                            late.push(heard.saturating_sub(Duration::from_micros(put)));
                        }
                        Notice::Lagged => panic!("nobody is so slow"),
                        Notice::Problem(error) => panic!("the disk: {error}"),
                    }
                }
                late
            }));
        }
        handle.execute(Command::Start { by }).await.expect("it can start");
        let mut late = Vec::new();
        for listener in listening {
            late.extend(listener.await.expect("no listener panics"));
        }
        late
    });
    late.sort_unstable();
    let at = |share: usize| late[late.len() * share / 1000].as_secs_f64() * 1e3;
    figure("pieces heard", late.len() as f64, "", Aim::Nothing);
    figure("from the model to a listener, half of them", at(500), "ms", Aim::Nothing);
    figure("  99 of 100", at(990), "ms", Aim::AtMost(25.0));
}

async fn append(store: &Store, groups: Vec<Vec<Record>>) {
    for group in groups {
        let (meeting, before) = (group[0].event.meeting_id.clone(), group[0].event.seq - 1);
        store.append(meeting, before, group).await.expect("it is appended");
    }
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
