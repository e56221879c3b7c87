//! Acknowledged events survive the death of the process, a torn log, and a failing disk.
//!
//! The process that dies is this test program itself, started again to run one of the two ignored tests
//! below.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use quorate_engine::{Journal, JournalError};
use quorate_store::Store;

use crate::fixtures::{Place, id, lines, lines_of_talk, record, said, talk, talk_on, verify};

const DATABASE: &str = "QUORATE_TEST_DATABASE";
const WRITERS: u64 = 6;

/// Numbers that look random and are the same in every run.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The parent process waits for these lines.
fn tell(line: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("the parent listens");
}

fn database() -> PathBuf {
    std::env::var_os(DATABASE).expect("the parent names the database").into()
}

async fn length(store: &Store, meeting: &str) -> u64 {
    match store.lines(&id(meeting), 0).await {
        Ok(lines) => lines.len() as u64,
        Err(JournalError::NoSuchMeeting(_)) => 0,
        Err(other) => panic!("{other}"),
    }
}

#[test]
#[ignore = "started again by the tests below, which kill it"]
fn a_process_that_writes_until_it_is_killed() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let store = Store::open(database()).unwrap();
    runtime.block_on(async {
        let writers = (0..WRITERS).map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let name = format!("m-{number}");
                let meeting = id(&name);
                let mut end = length(&store, &name).await;
                loop {
                    let count = 1 + (end + number) % 3;
                    talk_on(&store, &meeting, end, count).await.unwrap();
                    end += count;
                    tell(format_args!("ack {name} {end}"));
                }
            })
        });
        futures::future::join_all(writers.collect::<Vec<_>>()).await;
    });
}

fn again(test: &str, database: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(DATABASE, database).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The last acknowledged event of each meeting.
fn acknowledged(line: &str) -> Option<(String, u64)> {
    let (meeting, seq) = line.strip_prefix("ack ")?.split_once(' ')?;
    Some((meeting.to_owned(), seq.parse().ok()?))
}

#[tokio::test]
async fn kill_9_loses_nothing_that_was_acknowledged() {
    let mut rng = Rng(9);
    let (mut kills, mut acks, mut beyond) = (0, 0, 0);
    for database in 0..6 {
        let place = Place::new();
        let mut last: BTreeMap<String, u64> = BTreeMap::new();
        for kill in 0..6 {
            let mut child = again("sqlite::crash::a_process_that_writes_until_it_is_killed", &place.db())
                .spawn()
                .unwrap();
            let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
            if kill == 0 && database % 2 == 0 {
                // Anywhere while it starts, makes the database, and migrates it.
                std::thread::sleep(Duration::from_micros(rng.below(40_000)));
            } else {
                let enough = 1 + rng.below(150);
                for ack in told.by_ref().filter_map(|line| acknowledged(&line)).take(enough as usize) {
                    acks += 1;
                    last.insert(ack.0, ack.1);
                }
                std::thread::sleep(Duration::from_micros(rng.below(3_000)));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            // A last line may be torn by the kill; what was not told whole was not acknowledged.
            for ack in told.filter_map(|line| acknowledged(&line)) {
                acks += 1;
                let seq = last.entry(ack.0).or_default();
                *seq = ack.1.max(*seq);
            }
            kills += 1;

            let store = place.open();
            for number in 0..WRITERS {
                let name = format!("m-{number}");
                let found = length(&store, &name).await;
                let promised = last.get(&name).copied().unwrap_or(0);
                assert!(found >= promised, "{name}: {promised} acknowledged, {found} found");
                if found > 0 {
                    assert_eq!(lines(&store, &id(&name)).await, lines_of_talk(&id(&name), found));
                }
                beyond += found - promised;
                last.insert(name, found);
            }
            drop(store);
            let report = verify(&place.db()).unwrap();
            assert!(report.is_clean(), "{:?}", report.problems);
        }
    }
    println!(
        "{kills} kills, {acks} acknowledged appends, 0 events lost, {beyond} events kept beyond the last acknowledgement"
    );
    assert!(kills >= 30 && acks > 500, "{kills} kills, {acks} acks");
}

/// Two meetings in turns, one event each time, so that the order of all is known.
async fn in_turns(store: &Store, rounds: u64) {
    for before in 0..rounds {
        talk_on(store, &id("m-a"), before, 1).await.unwrap();
        talk_on(store, &id("m-b"), before, 1).await.unwrap();
    }
}

/// Opens a copy as a crash would have left it and says how many events there are, and whether `verify` said
/// before and says afterwards that commits of the log are lost.
async fn events_in(folder: &Path, database: &[u8], log: &[u8]) -> (u64, bool) {
    let path = folder.join("meetings.db");
    let _ = std::fs::remove_file(folder.join("meetings.db-shm"));
    std::fs::write(&path, database).unwrap();
    std::fs::write(folder.join("meetings.db-wal"), log).unwrap();
    let is_named = verify(&path).is_ok_and(|report| {
        report
            .problems
            .iter()
            .any(|problem| problem.to_string().contains("the write-ahead log is damaged at frame"))
    });
    let _ = std::fs::remove_file(folder.join("meetings.db-shm"));
    let store = Store::open(&path).expect("it opens, however much of the log there is");
    let (a, b) = (length(&store, "m-a").await, length(&store, "m-b").await);
    assert!(a == b || a == b + 1, "{a} and {b} are no prefix of the turns");
    for (name, events) in [("m-a", a), ("m-b", b)] {
        if events > 0 {
            assert_eq!(lines(&store, &id(name)).await, lines_of_talk(&id(name), events));
        }
    }
    talk_on(&store, &id("m-a"), a, 1).await.expect("and can be written");
    drop(store);
    let report = verify(&path).unwrap();
    let kept: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    let kept = kept.iter().find(|entry| entry.file_name().to_string_lossy().contains(".damaged-"));
    assert_eq!(kept.is_some(), is_named, "what cannot be read is kept");
    assert_eq!(report.problems.len(), usize::from(is_named), "{:?}", report.problems);
    if let Some(kept) = kept {
        assert_eq!(std::fs::read(kept.path()).unwrap(), log);
        std::fs::remove_file(kept.path()).unwrap();
    }
    (a + b, is_named)
}

#[tokio::test]
async fn any_beginning_of_the_log_holds_a_beginning_of_the_story() {
    const ROUNDS: u64 = 8;
    const HEADER: usize = 32;
    const FRAME: usize = 24 + 4096;
    let place = Place::new();
    let store = place.open();
    in_turns(&store, ROUNDS).await;
    let database = std::fs::read(place.db()).unwrap();
    let log = std::fs::read(place.folder().join("meetings.db-wal")).unwrap();
    let frames = (log.len() - HEADER) / FRAME;
    assert!(frames as u64 >= 2 * ROUNDS, "all commits are in the log still");

    let mut rng = Rng(4);
    let mut lengths: Vec<usize> = vec![0, 1, HEADER - 1, log.len()];
    for frame in 0..frames {
        let start = HEADER + frame * FRAME;
        lengths.extend([start, start + 1, start + 24, start + FRAME - 1]);
        lengths.push(start + rng.below(FRAME as u64) as usize);
    }
    lengths.sort_unstable();
    lengths.dedup();
    let scratch = Place::new();
    let mut most = 0;
    for &length in &lengths {
        let (events, is_named) = events_in(scratch.folder(), &database, &log[..length]).await;
        assert!(!is_named, "an unfinished commit is what a crash leaves, and no loss");
        assert!(events >= most, "a longer log holds no less");
        most = events;
    }
    assert_eq!(most, 2 * ROUNDS, "the whole log holds all that was acknowledged");

    // A byte that never reached the disk: all before its frame is there, nothing after it. In the last commit that is what is
    // left when the power goes during its flush, before it is acknowledged.
    let is_commit = |frame: &usize| log[HEADER + frame * FRAME + 4..][..4] != [0; 4];
    let last = (0..frames - 1).rev().find(is_commit).expect("there are several commits") + 1;
    let flips = 40;
    for _ in 0..flips {
        let mut torn = log.clone();
        let at = HEADER + rng.below((log.len() - HEADER) as u64) as usize;
        torn[at] ^= 0x10;
        let (events, is_named) = events_in(scratch.folder(), &database, &torn).await;
        assert!(events <= most);
        assert_eq!(is_named, (at - HEADER) / FRAME < last, "a flip at {at}");
    }
    println!(
        "{} lengths of a log of {} bytes ({frames} frames) and {flips} flips: every one opens",
        lengths.len(),
        log.len()
    );
}

/// A flush that failed leaves a commit in the log that can be read and may not be on the disk. So nothing is read from there
/// before it is in the database, and another log has begun.
#[tokio::test]
async fn what_a_dead_process_left_in_the_log_is_moved_before_it_is_read() {
    let (place, dead) = (Place::new(), Place::new());
    let store = place.open();
    in_turns(&store, 3).await;
    std::fs::copy(place.db(), dead.db()).unwrap();
    let log = |place: &Place| place.folder().join("meetings.db-wal");
    std::fs::copy(log(&place), log(&dead)).unwrap();
    let before = std::fs::read(log(&dead)).unwrap();

    let next = dead.open();
    let after = std::fs::read(log(&dead)).unwrap();
    assert_ne!(after[..32], before[..32], "another log has begun");
    let alone = Place::new();
    std::fs::copy(dead.db(), alone.db()).unwrap();
    drop(next);
    let alone = alone.open();
    assert_eq!((length(&alone, "m-a").await, length(&alone, "m-b").await), (3, 3));
}

#[test]
#[ignore = "started again by the test below, with a limit on the size of files"]
fn a_process_whose_disk_refuses() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let store = Store::open(database()).unwrap();
    runtime.block_on(async {
        let meeting = id("m-0");
        let mut refusals = 0;
        while refusals < 4 {
            let end = length(&store, "m-0").await;
            let next = match end {
                0 => talk(&meeting, 1, 1),
                _ => vec![record(&meeting, end + 1, said(&"words ".repeat(4000)))],
            };
            match store.append(meeting.clone(), end, next).await {
                Ok(()) => tell(format_args!("ack m-0 {}", end + 1)),
                Err(error) => {
                    refusals += 1;
                    tell(format_args!("refused {error} | {}", error.hint()));
                }
            }
        }
    });
}

/// The kernel refuses to let any file grow: the write fails in the middle of a commit.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_refuses_is_told_and_loses_nothing() {
    let place = Place::new();
    let inner = again("sqlite::crash::a_process_whose_disk_refuses", &place.db());
    let mut limited = Command::new("sh");
    // Ignoring the signal makes the write fail instead of the process.
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1500; exec \"$0\" \"$@\""]);
    limited.arg(inner.get_program()).args(inner.get_args());
    limited.env(DATABASE, place.db()).stderr(Stdio::null());
    let told = limited.output().unwrap();
    assert!(told.status.success(), "{told:?}");
    let told = String::from_utf8(told.stdout).unwrap();
    let acknowledged = told.lines().filter_map(acknowledged).map(|(_, seq)| seq).max().unwrap();
    let refused: Vec<_> = told.lines().filter(|line| line.starts_with("refused")).collect();
    assert_eq!(refused.len(), 4, "{told}");
    for refusal in refused {
        assert!(refusal.contains("reports an error") || refusal.contains("is full"), "{refusal}");
    }
    // The disk has room again.
    let store = place.open();
    let found = length(&store, "m-0").await;
    assert!(found >= acknowledged, "{acknowledged} acknowledged, {found} found");
    talk_on(&store, &id("m-0"), found, 1).await.unwrap();
    assert!(verify(&place.db()).unwrap().is_clean());
    println!("{acknowledged} appends acknowledged before the disk refused, {found} found");
}
