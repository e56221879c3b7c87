//! The cost of the log: to decide, to fold, to read and to write.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quorate_contract::{
    Actor, Answer, Command, Event, EventBody, MeetingId, MeetingSpec, Outcome, StopReason, Task, Timestamp,
    Usage, WebFindings,
};
use quorate_core::{Meeting, Origin, apply, context, interpret, pending, step};
use quorate_engine::{Journal, Record};
use quorate_store::Store;

use crate::measure::{Aim, Watch, figure, us_each};
use crate::{answers, table};

/// The time in each of the core's functions while a meeting was played.
#[derive(Default)]
pub(crate) struct Parts {
    turns: u64,
    decide: Duration,
    context: Duration,
    interpret: Duration,
    apply: Duration,
    write: Duration,
}

/// Plays a meeting with the core alone: no engine, no disk, no network, no waiting.
pub(crate) fn play(spec: MeetingSpec) -> (Vec<Event>, Parts) {
    let mut meeting = table::blank();
    let mut log = Vec::new();
    let mut parts = Parts::default();
    let by = Actor::owner();
    act(&mut meeting, Command::Create { by: by.clone(), spec: Box::new(spec) }, &mut log, &mut parts);
    act(&mut meeting, Command::Start { by }, &mut log, &mut parts);
    while let Some(Task::Call(call)) = pending(&meeting).into_iter().next() {
        let begun = Instant::now();
        black_box(context(&meeting, &call));
        parts.context += begun.elapsed();
        parts.turns += 1;
        let answer = Answer {
            web: WebFindings::default(),
            text: answers::prose(parts.turns),
            reasoning: None,
            usage: Usage { input_tokens: 1000, output_tokens: 20, ..Usage::default() },
            stop: StopReason::Stop,
            latency_ms: 90,
            request_id: None,
        };
        let begun = Instant::now();
        let command = interpret(&meeting, &call, Outcome::Answered(answer));
        parts.interpret += begun.elapsed();
        act(&mut meeting, command, &mut log, &mut parts);
    }
    assert!(meeting.is_over(), "nothing is owed, so it is over");
    (log, parts)
}

fn act(meeting: &mut Meeting, command: Command, log: &mut Vec<Event>, parts: &mut Parts) {
    let now = Timestamp(1_700_000_000_000 + meeting.seq.cast_signed());
    let begun = Instant::now();
    let events = step(meeting, &meeting.run, Origin::Fresh, command, now).expect("it is allowed");
    parts.decide += begun.elapsed();
    for event in events {
        let begun = Instant::now();
        black_box(event.to_json());
        parts.write += begun.elapsed();
        let begun = Instant::now();
        apply(meeting, &event);
        parts.apply += begun.elapsed();
        log.push(event);
    }
}

/// The time to fold a log into a meeting, and the cost of each step of the core.
pub(crate) fn fold() {
    const TIMES: u32 = 50;
    let (log, parts) = play(table::discussion(200));
    let lines: Vec<String> = log.iter().map(Event::to_json).collect();
    let events = lines.len() as u64 * u64::from(TIMES);
    let per_second = |work: &dyn Fn() -> Meeting| {
        let mut meeting = work();
        let begun = Instant::now();
        for _ in 0..TIMES {
            meeting = black_box(work());
        }
        assert_eq!(meeting.seq, log.len() as u64);
        events as f64 / begun.elapsed().as_secs_f64()
    };
    let folded = per_second(&|| {
        let mut meeting = table::blank();
        log.iter().for_each(|event| apply(&mut meeting, event));
        meeting
    });
    let decoded = per_second(&|| {
        let mut meeting = table::blank();
        for line in &lines {
            apply(&mut meeting, &Event::from_json(line).expect("it was just written"));
        }
        meeting
    });
    let bytes: usize = lines.iter().map(String::len).sum();
    figure("fold", folded, "events/s", Aim::AtLeast(1e6));
    figure("decode and fold", decoded, "events/s", Aim::Nothing);
    figure("bytes of an event's line, on average", bytes as f64 / lines.len() as f64, "B", Aim::Nothing);
    for (what, time) in [
        ("core, per turn over 1000: context", parts.context),
        ("  interpret", parts.interpret),
        ("  decide", parts.decide),
        ("  writing the lines", parts.write),
        ("  apply", parts.apply),
    ] {
        figure(what, us_each(time, parts.turns), "us", Aim::Nothing);
    }
}

/// Appends by 256 tasks that each wait for their acknowledgement: one event of 1 KB each time, and
/// then what a turn leads to, as the engine appends it.
pub(crate) fn append() {
    const TASKS: usize = 256;
    let (log, _) = play(table::discussion(30));
    let runtime = table::runtime();
    let spoken = log.iter().rfind(|event| matches!(event.body, EventBody::AgentMessage { .. }));
    let spoken = Event { cause: "x".repeat(200), ..spoken.expect("somebody spoke").clone() };
    let long = vec![spoken; 500];
    let size = Record::of(long[0].clone()).line.len();
    for (what, log, together, aim) in [
        (format!("append, {size} B, one at a time"), long, 1, Aim::AtLeast(40_000.0)),
        ("append, the 4 events of a turn at a time".to_owned(), log[10..].to_vec(), 4, Aim::Nothing),
    ] {
        let folder = table::folder();
        let store = Store::open(folder.path().join("meetings.db")).expect("a new database");
        let logs: Vec<_> = (0..TASKS).map(|task| copy(&log, task, together)).collect();
        let events = logs.iter().flatten().map(|group| group.len() as u64).sum::<u64>();
        let watch = Watch::start();
        runtime.block_on(async {
            let writing = logs.into_iter().map(|groups| tokio::spawn(write(Arc::new(store.clone()), groups)));
            for task in writing.collect::<Vec<_>>() {
                task.await.expect("no task panics");
            }
        });
        let reading = watch.read();
        figure(&what, events as f64 / reading.wall.as_secs_f64(), "events/s", aim);
        figure("  CPU per event", us_each(reading.cpu, events), "us", Aim::Nothing);
    }
}

/// The log as that of another meeting, numbered from 1, in groups that are appended together.
pub(crate) fn copy(log: &[Event], task: usize, together: usize) -> Vec<Vec<Record>> {
    let meeting_id = MeetingId::new(format!("0190f3c8-7a2e-7000-8000-{task:012}"));
    let numbered = log.iter().zip(1..);
    let records: Vec<Record> = numbered
        .map(|(event, seq)| Record::of(Event { seq, meeting_id: meeting_id.clone(), ..event.clone() }))
        .collect();
    records.chunks(together).map(<[Record]>::to_vec).collect()
}

async fn write(store: Arc<Store>, groups: Vec<Vec<Record>>) {
    for group in groups {
        let (meeting, before) = (group[0].event.meeting_id.clone(), group[0].event.seq - 1);
        store.append(meeting, before, group).await.expect("it is appended");
    }
}
