//! The cost of an append and a read: `cargo bench -p quorate-store --bench append [-- seconds]`.
//!
//! Wall times depend on the disk and on other load; CPU per event and the ratio to bare SQLite in the same
//! run depend on our code. With `QUORATE_TEST_POSTGRES` in the environment the same appends go to that server as well.

#![allow(clippy::print_stdout, reason = "its figures are its output")]

use std::path::Path;
use std::time::{Duration, Instant};

use quorate_contract::{
    Actor, ContractVersion, Event, EventBody, MeetingId, Message, MessageId, MessageRole, ParticipantId,
    RunId, Timestamp, TurnId,
};
use quorate_engine::{Journal, Record};
use quorate_store::{DatabaseLocation, Store};
use sha2::{Digest, Sha256};

/// Bytes of words in an event; with what is around them a line has about 1 KB.
const WORDS: usize = 700;

fn spoken(meeting: &MeetingId, seq: u64) -> Record {
    Record::of(Event {
        version: ContractVersion,
        seq,
        meeting_id: meeting.clone(),
        run_id: RunId::new("0190f3c8-7a2e-7000-8000-000000000001"),
        ts_ms: Timestamp(1_700_000_000_000 + seq.cast_signed()),
        actor: Actor::participant(quorate_contract::ParticipantId(1)),
        cause: "speak:r1t2#1".to_owned(),
        body: EventBody::AgentMessage {
            message_id: MessageId(seq as u32),
            round: 1,
            turn: TurnId { round: 1, place: 2 },
            participant: ParticipantId(1),
            message: Message {
                role: MessageRole::Assistant,
                name: "Ada".to_owned(),
                content: "quite so ".repeat(WORDS / 9),
                citations: Vec::new(),
                evidence: Vec::new(),
            },
            stance: None,
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
            cut_from_chars: None,
            ended_early: None,
            reasoning: None,
        },
    })
}

/// CPU time of this process, all threads; the kernel counts in hundredths of a second.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |field: usize| -> u64 {
        after_name.split_whitespace().nth(field).and_then(|text| text.parse().ok()).unwrap_or(0)
    };
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

struct Run {
    events: u64,
    wall: Duration,
    cpu: Duration,
    waits: Vec<Duration>,
}

impl Run {
    fn per_second(&self) -> f64 {
        self.events as f64 / self.wall.as_secs_f64()
    }
    fn cpu_us(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.events as f64
    }
    fn wait_ms(&self, share: f64) -> f64 {
        let place = ((self.waits.len() as f64 * share) as usize).min(self.waits.len() - 1);
        self.waits[place].as_secs_f64() * 1e3
    }
}

/// Each task talks in a meeting of its own and waits for each acknowledgement.
fn appending(
    runtime: &tokio::runtime::Runtime,
    location: &DatabaseLocation,
    tasks: usize,
    length: Duration,
) -> Run {
    let store = Store::open(location).expect("a new database");
    // Written before, so that what is measured is the store.
    let lines: Vec<Vec<Record>> = (0..tasks)
        .map(|task| {
            let meeting = MeetingId::new(format!("0190f3c8-7a2e-7000-8000-{task:012}"));
            let count = 150_000 / tasks as u64;
            (1..=count).map(|seq| spoken(&meeting, seq)).collect()
        })
        .collect();
    let (before, started) = (cpu(), Instant::now());
    let mut waits = runtime.block_on(async {
        let running: Vec<_> = lines
            .into_iter()
            .map(|records| {
                let store = store.clone();
                tokio::spawn(async move {
                    let mut waits = Vec::with_capacity(records.len());
                    for record in records {
                        if started.elapsed() > length {
                            break;
                        }
                        let asked = Instant::now();
                        let (meeting, before) = (record.event.meeting_id.clone(), record.event.seq - 1);
                        store.append(meeting, before, vec![record]).await.expect("it is appended");
                        waits.push(asked.elapsed());
                    }
                    waits
                })
            })
            .collect();
        let mut all = Vec::new();
        for task in running {
            all.extend(task.await.expect("no task panics"));
        }
        all
    });
    let (wall, cpu) = (started.elapsed(), cpu() - before);
    waits.sort_unstable();
    Run { events: waits.len() as u64, wall, cpu, waits }
}

/// The same rows by bare INSERTs, so many to a transaction: what SQLite alone can do here.
fn bare(path: &Path, records: &[Record], together: usize) -> Run {
    let connection = rusqlite::Connection::open(path).expect("a new database");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE event (place INTEGER PRIMARY KEY, meeting INTEGER NOT NULL,
                 seq INTEGER NOT NULL, ts_ms INTEGER NOT NULL, kind TEXT NOT NULL,
                 line TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
             CREATE UNIQUE INDEX event_by_meeting ON event (meeting, seq);",
        )
        .expect("the schema");
    let hash = [7u8; 32];
    let (before, started) = (cpu(), Instant::now());
    const INSERT: &str = "INSERT INTO event (meeting, seq, ts_ms, kind, line, hash)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let run = |sql| connection.prepare_cached(sql).and_then(|mut s| s.execute([]));
    let mut waits = Vec::new();
    for (number, chunk) in records.chunks(together).enumerate() {
        let asked = Instant::now();
        run("BEGIN IMMEDIATE").expect("begin");
        let mut insert = connection.prepare_cached(INSERT).expect("the statement");
        for (place, record) in (number * together..).zip(chunk) {
            let line: &str = &record.line;
            let (meeting, seq) = ((place % 256) as i64, (place / 256) as i64);
            insert.execute((meeting, seq, 0, "agent_message", line, &hash[..])).expect("a row");
        }
        drop(insert);
        run("COMMIT").expect("commit");
        waits.push(asked.elapsed());
    }
    waits.sort_unstable();
    let wall = started.elapsed();
    Run { events: records.len() as u64, wall, cpu: cpu() - before, waits }
}

fn main() {
    let seconds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(3.0);
    let length = Duration::from_secs_f64(seconds);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let dir = tempfile::tempdir_in(std::env::var_os("QUORATE_BENCH_DIR").unwrap_or(".".into()))
        .expect("a folder on a disk");

    let one = MeetingId::new("0190f3c8-7a2e-7000-8000-000000000000");
    let records: Vec<_> = (1..=100_000).map(|seq| spoken(&one, seq)).collect();
    println!("a line has {} bytes; FULL: acknowledged means flushed", records[0].line.len());
    let lone = bare(&dir.path().join("lone.db"), &records[..5_000], 1);
    let bare = bare(&dir.path().join("bare.db"), &records, records.len());
    for (what, run) in [("each its own transaction", &lone), ("one transaction", &bare)] {
        println!(
            "bare INSERTs, {what:<24}  {:>8.0} events/s   {:>6.1} us CPU per event",
            run.per_second(),
            run.cpu_us()
        );
    }
    let appends = |place: &str, location: &dyn Fn(usize) -> DatabaseLocation| {
        for tasks in [1, 8, 64, 256] {
            let run = appending(&runtime, &location(tasks), tasks, length);
            println!(
                "append, {tasks:>3} tasks, {place:<10}          {:>8.0} events/s   {:>6.1} us CPU per event   \
                 p50 {:>7.2} ms   p99 {:>7.2} ms   {:>5.2} of bare, CPU {:.1}x",
                run.per_second(),
                run.cpu_us(),
                run.wait_ms(0.50),
                run.wait_ms(0.99),
                run.per_second() / bare.per_second(),
                run.cpu_us() / bare.cpu_us(),
            );
        }
    };
    appends("SQLite", &|tasks| dir.path().join(format!("{tasks}.db")).into());
    if quorate_test_database::is_on_server() {
        appends("PostgreSQL", &|tasks| {
            let address = quorate_test_database::given(&dir.path().join(tasks.to_string()));
            DatabaseLocation::parse(&address, dir.path()).expect("an address")
        });
    }

    let store = Store::open(dir.path().join("read.db")).expect("a new database");
    runtime.block_on(async {
        for chunk in records.chunks(1000) {
            let before = chunk[0].event.seq - 1;
            store.append(one.clone(), before, chunk.to_vec()).await.expect("it is appended");
        }
    });
    let timed = |what: &str, work: &dyn Fn() -> usize| {
        let (before, started) = (cpu(), Instant::now());
        let events = work();
        let (wall, cpu) = (started.elapsed().as_secs_f64(), (cpu() - before).as_secs_f64());
        println!(
            "{what:<39} {:>8.0} events/s   {:>6.2} us CPU per event",
            events as f64 / wall,
            cpu * 1e6 / events as f64
        );
    };
    timed("read, verify", &|| runtime.block_on(store.lines(&one, 0)).expect("it is whole").len());
    timed("read, verify, decode", &|| {
        runtime.block_on(store.read(one.clone(), 0)).expect("it is whole").len()
    });
    timed("decode alone", &|| records.iter().filter(|record| Event::from_json(&record.line).is_ok()).count());
    timed("checksum alone", &|| {
        let mut hash = [0u8; 32];
        for record in &records {
            hash = Sha256::new().chain_update(hash).chain_update(record.line.as_bytes()).finalize().into();
        }
        records.len() - usize::from(hash == [0u8; 32])
    });
    drop(store);
    let started = Instant::now();
    let report = quorate_store::verify(dir.path().join("read.db"), |_| {}, |_| {}).expect("it opens");
    assert!(report.is_clean(), "{:?}", report.problems);
    println!(
        "verify, whole database                  {:>8.0} events/s",
        report.events as f64 / started.elapsed().as_secs_f64()
    );
}
