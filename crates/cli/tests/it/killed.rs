//! Kills at any moment, in any state: printed events are in the log, a resumed meeting continues from it, and
//! no message or vote is doubled.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::app::{App, check_whole, events, of_type};

/// A meeting with a failed ballot in it, so that every kind of task is under way at some moment.
const RUN: [&str; 8] = [
    "run",
    "我们的服务应该用 SQLite 还是 PostgreSQL？",
    "--simulate",
    "--seed",
    "5",
    "--yes",
    "--json",
    "--pace=brisk",
];

/// Small dice, so that a failure can be seen again.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }
}

/// Counts of what the kills of one test have hit.
#[derive(Default)]
struct Tally {
    /// By the last event that was durable.
    fell_after: BTreeMap<String, u64>,
    before_the_meeting: u64,
    in_the_middle_of_a_line: u64,
    /// Events that were durable when they could not be printed any more.
    unprinted: u64,
}

/// The duration of the meeting on this machine, from the start of the process to its end.
fn duration() -> Duration {
    let app = App::new();
    let run = app.start(&RUN);
    let began = run.began;
    run.end().ok();
    began.elapsed()
}

/// Holds meetings and kills each of them, once or several times, until it has ended. Every kill falls
/// at a random moment from the start of its process on. Several meetings run at a time, for most of
/// the time is spent waiting.
fn kill_meetings(seed: u64, meetings: u64) {
    let longest_us = duration().as_micros() as u64;
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let hold_meetings = || {
        loop {
            let meeting = next.fetch_add(1, Ordering::Relaxed);
            if meeting >= meetings {
                return;
            }
            let mut rng = Rng(seed * 1000 + meeting);
            let kills = 1 + rng.below(3);
            let moments: Vec<Duration> =
                (0..kills).map(|_| Duration::from_micros(rng.below(longest_us))).collect();
            // Shown when the test fails.
            eprintln!("seed {seed}, meeting {meeting}: killed at {moments:?}");
            let met = kill_and_resume(&moments, meeting.is_multiple_of(2));
            tally.lock().expect("nobody panics with it").add(met);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(hold_meetings);
        }
    });
    let tally = tally.into_inner().expect("nobody panics with it");
    eprintln!("seed {seed}, kills from 0 to {} ms: {tally}", longest_us / 1000);
    assert!(tally.kills() >= meetings, "each meeting was killed at least once");
}

/// With `gapless`, each process is told what was last seen, and the lines have no gap at all.
fn kill_and_resume(moments: &[Duration], gapless: bool) -> Tally {
    let mut tally = Tally::default();
    let app = App::new();
    // What each process had printed, whole lines only.
    let mut printed: Vec<String> = Vec::new();
    let mut begun = false;
    let mut before = String::new();
    for moment in moments {
        let after = last_seq(&printed).to_string();
        let mut resume = vec!["resume", "last", "--json", "--yes", "--pace=brisk"];
        if gapless {
            resume.extend(["--after", &after]);
        }
        let process = app.start(if begun { &resume } else { &RUN });
        std::thread::sleep(moment.saturating_sub(process.began.elapsed()));
        let killed = process.kill();

        let log = app.quorate(&["replay", "last", "--json"]);
        if log.code != Some(0) {
            // Not even that there is a meeting was durable; so nothing may have been said of it.
            assert!(!begun && killed.out.is_empty(), "{killed}");
            let nothing = ["there is no database", "there are no meetings yet"];
            assert!(nothing.iter().any(|words| log.err.contains(words)), "{log}");
            app.quorate(&["resume", "last", "--json"]).fails(1, &["there "]);
            app.quorate(&["list"]).ok();
            tally.before_the_meeting += 1;
            continue;
        }
        begun = true;
        assert!(log.out.starts_with(&before), "what was durable before is as it was");
        tally.count(&log.out);

        let whole = killed.out.rfind('\n').map_or(0, |end| end + 1);
        let (lines, cut) = killed.out.split_at(whole);
        if !cut.is_empty() {
            tally.in_the_middle_of_a_line += 1;
            assert!(
                log.out.contains(&format!("\n{cut}")) || log.out.starts_with(cut),
                "half a line of the log"
            );
        }
        printed.push(lines.to_owned());
        tally.unprinted += log.lines().len() as u64 - last_seq(&printed);
        before = log.out;
    }
    if !begun {
        printed.push(app.quorate(&RUN).ok().out);
    } else {
        let after = last_seq(&printed).to_string();
        let mut resume = vec!["resume", "last", "--json", "--yes"];
        if gapless {
            resume.extend(["--after", &after]);
        }
        printed.push(app.quorate(&resume).ok().out);
    }

    let log = app.quorate(&["replay", "last", "--json"]).ok().out;
    check_whole(&log);
    assert!(log.starts_with(&before), "what was durable at the last kill is as it was");
    let all = printed.concat();
    if gapless {
        assert_eq!(all, log, "what was printed, from first to last, is the log");
    }
    in_its_place(&all, &log);
    // Lost calls are made again: once for each kill at the most.
    let recovered = of_type(&events(&log), "recovered").len();
    assert!(recovered <= moments.len(), "{recovered} recoveries after {} kills", moments.len());
    app.quorate(&["verify"]).ok();
    assert_eq!(app.quorate(&["list", "--json"]).ok().lines().len(), 1, "one meeting, however often");
    tally
}

/// Every line that was printed stands in the log at its number, byte for byte, and no number was
/// printed twice or out of order.
fn in_its_place(printed: &str, log: &str) {
    let log: Vec<&str> = log.lines().collect();
    let mut before = 0;
    for line in printed.lines() {
        let event: Value = serde_json::from_str(line).expect("a printed line is whole");
        let seq = event["seq"].as_u64().expect("a number");
        assert!(seq > before, "in order, each once: {seq} after {before}");
        assert_eq!(log[seq as usize - 1], line);
        before = seq;
    }
}

fn last_seq(printed: &[String]) -> u64 {
    let last = printed.iter().rev().find_map(|lines| lines.lines().last());
    last.map_or(0, |line| events(line)[0]["seq"].as_u64().expect("a number"))
}

impl Tally {
    fn count(&mut self, log: &str) {
        let last = &events(log.lines().last().expect("a log has a first event"))[0];
        let task = last["payload"]["task"].as_str().unwrap_or_default();
        let kind =
            format!("{} {}", last["type"].as_str().expect("a type"), task.split(':').next().unwrap_or(""));
        *self.fell_after.entry(kind.trim_end().to_owned()).or_default() += 1;
    }

    fn kills(&self) -> u64 {
        self.before_the_meeting + self.fell_after.values().sum::<u64>()
    }

    fn add(&mut self, other: Self) {
        for (kind, kills) in other.fell_after {
            *self.fell_after.entry(kind).or_default() += kills;
        }
        self.before_the_meeting += other.before_the_meeting;
        self.in_the_middle_of_a_line += other.in_the_middle_of_a_line;
        self.unprinted += other.unprinted;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} kills, {} of them before there was a meeting, {} in the middle of a line; \
             the last durable event was {:?}; {} events were durable and not printed",
            self.kills(),
            self.before_the_meeting,
            self.in_the_middle_of_a_line,
            self.fell_after,
            self.unprinted
        )
    }
}

/// A database whose creation was interrupted can be opened.
#[test]
fn killed_while_the_database_is_made() {
    let mut rng = Rng(7);
    let short = ["run", "A or B?", "--simulate", "--participants=1", "--rounds=1", "--yes", "--json"];
    for _ in 0..25 {
        let app = App::new();
        let process = app.start(&short);
        std::thread::sleep(Duration::from_micros(rng.below(30_000)));
        process.kill();
        app.quorate(&["list"]).ok();
        let log = app.quorate(&["replay", "last", "--json"]);
        match log.code {
            Some(0) => app.quorate(&["resume", "last", "--json", "--yes"]).ok(),
            _ => log.fails(1, &["there "]),
        };
        app.quorate(&short).ok();
        app.quorate(&["verify"]).ok();
    }
}

// Two tests, so that two processes share the work.
#[test]
fn nothing_is_lost_and_nothing_is_said_twice() {
    kill_meetings(1, 20);
}

#[test]
fn nothing_is_lost_and_nothing_is_said_twice_with_other_dice() {
    kill_meetings(2, 20);
}
