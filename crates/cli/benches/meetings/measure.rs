//! Reads what the kernel counts, and prints figures beside their aims.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// The CPU time of each thread of this process, in nanoseconds. Only Linux counts so finely;
/// elsewhere it is empty, and CPU figures are 0.
fn threads() -> HashMap<String, u64> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return HashMap::new() };
    let on_cpu = |task: &fs::DirEntry| -> Option<u64> {
        fs::read_to_string(task.path().join("schedstat")).ok()?.split_whitespace().next()?.parse().ok()
    };
    let named = |task: fs::DirEntry| Some((task.file_name().into_string().ok()?, on_cpu(&task)?));
    tasks.flatten().filter_map(named).collect()
}

/// A running stopwatch for wall time and for the CPU time of all threads of this process. Threads that end
/// before it is read are not counted; the caller keeps them alive.
pub(crate) struct Watch {
    wall: Instant,
    cpu: HashMap<String, u64>,
}

/// The readings of a stopwatch.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { cpu: threads(), wall: Instant::now() }
    }

    pub(crate) fn read(&self) -> Reading {
        let wall = self.wall.elapsed();
        let before = |thread: &String| self.cpu.get(thread).copied().unwrap_or(0);
        let spent = threads().iter().map(|(thread, ns)| ns.saturating_sub(before(thread))).sum();
        Reading { wall, cpu: Duration::from_nanos(spent) }
    }
}

/// The most memory that this process has had resident, in MB.
pub(crate) fn peak_rss_mb() -> f64 {
    status_mb("VmHWM:")
}

/// The memory that this process has resident now, in MB.
pub(crate) fn rss_mb() -> f64 {
    status_mb("VmRSS:")
}

fn status_mb(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1024.0 / 1e6
}

/// The aim of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Aim {
    AtMost(f64),
    AtLeast(f64),
    /// No aim: the figure explains others.
    Nothing,
}

/// Prints a figure, its aim, and the ratio of the two.
pub(crate) fn figure(what: &str, value: f64, unit: &str, aim: Aim) {
    let beside = match aim {
        Aim::AtMost(most) => judged("<=", value, most, value <= most),
        Aim::AtLeast(least) => judged(">=", value, least, value >= least),
        Aim::Nothing => String::new(),
    };
    println!("  {what:<46} {:>9} {unit:<9}{beside}", short(value));
}

fn judged(sign: &str, value: f64, aim: f64, met: bool) -> String {
    let ratio = value / aim;
    let verdict = if met { "" } else { "   missed" };
    format!("   aim {sign} {:<7} {ratio:>6.2} of it{verdict}", short(aim))
}

/// Three digits that matter.
fn short(value: f64) -> String {
    match value.abs() {
        1e6.. => format!("{:.2}M", value / 1e6),
        1e4.. => format!("{:.1}k", value / 1e3),
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Milliseconds for each of `count`.
pub(crate) fn ms_each(time: Duration, count: u64) -> f64 {
    time.as_secs_f64() * 1e3 / count as f64
}

/// Microseconds for each of `count`.
pub(crate) fn us_each(time: Duration, count: u64) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}
