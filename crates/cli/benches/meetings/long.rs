//! One meeting after the other, without waits other than our own computation and the disk.

use std::sync::Arc;

use quorate_contract::MeetingSpec;
use quorate_store::Store;

use crate::endpoint::{Endpoint, Tally};
use crate::measure::{Aim, Reading, Watch, figure, ms_each, peak_rss_mb};
use crate::table;

/// The figures of a run.
struct Run {
    turns: u64,
    events: u64,
    reading: Reading,
    tally: Tally,
    /// The growth of the files per turn, beyond the text of its message, in bytes.
    disk_per_turn: f64,
}

/// Holds `meetings` meetings, one after the other, after one that warms everything up.
fn run(meetings: usize, spec: impl Fn() -> MeetingSpec) -> Run {
    let mut endpoint = Endpoint::instant();
    let folder = table::folder();
    let path = folder.path().join("meetings.db");
    drop(Store::open(&path).expect("a new database"));
    let empty = table::bytes_in(folder.path());
    let runtime = table::runtime();
    let store = Store::open(&path).expect("the same database");
    let engine = table::engine(Arc::new(store), endpoint.provider());
    let mut all = runtime.block_on(table::hold(&engine, 0, table::discussion(2), false));
    let warm = all.clone();

    endpoint.tally();
    let watch = Watch::start();
    runtime.block_on(async {
        for number in 1..=meetings {
            all.add(&table::hold(&engine, number, spec(), false).await);
        }
    });
    let reading = watch.read();
    let tally = endpoint.tally();
    // Remaining holders of the store are dropped with the runtime; the last one moves everything into one
    // file.
    drop((engine, runtime));
    let disk = table::bytes_in(folder.path()) - empty;
    Run {
        turns: all.turns - warm.turns,
        events: all.events - warm.events,
        reading,
        tally,
        disk_per_turn: disk.saturating_sub(all.words) as f64 / all.turns as f64,
    }
}

fn print(run: &Run, cpu_aim: Aim) {
    let Run { turns, reading, .. } = run;
    figure("CPU per turn", ms_each(reading.cpu, *turns), "ms", cpu_aim);
    figure("wall per turn, with the flushes of the disk", ms_each(reading.wall, *turns), "ms", Aim::Nothing);
    figure("prompt per turn", run.tally.bytes as f64 / 1e3 / run.tally.requests as f64, "KB", Aim::Nothing);
    figure("disk per turn, beside the words", run.disk_per_turn / 1e3, "KB", Aim::AtMost(3.0));
    figure("events per turn", run.events as f64 / *turns as f64, "", Aim::Nothing);
    figure("peak memory", peak_rss_mb(), "MB", Aim::Nothing);
}

/// 100 turns; ten times, since one takes hardly longer than the kernel's clock can tell.
pub(crate) fn w1() {
    let run = run(10, || table::discussion(20));
    assert_eq!((run.turns, run.tally.requests), (1000, 1000), "each turn was asked for once");
    print(&run, Aim::AtMost(0.74));
}

/// 1000 turns, each of which reads all those before it.
pub(crate) fn w2() {
    let run = run(1, || table::discussion(200));
    assert_eq!((run.turns, run.tally.requests), (1000, 1000), "each turn was asked for once");
    print(&run, Aim::AtMost(1.5));
}

/// The same length, with ballots, and with a context bounded by a window and summaries.
pub(crate) fn w2_bounded() {
    let run = run(1, || table::consensus(200));
    let (turns, calls) = (run.turns, run.tally.requests);
    assert_eq!(turns, 1005, "a blind round, then 200");
    figure("CPU per call", ms_each(run.reading.cpu, calls), "ms", Aim::Nothing);
    figure("calls per turn: summaries, votes, facilitation", calls as f64 / turns as f64, "", Aim::Nothing);
    figure("prompt per call", run.tally.bytes as f64 / 1e3 / calls as f64, "KB", Aim::AtMost(20.0));
    figure("peak memory", peak_rss_mb(), "MB", Aim::Nothing);
}
