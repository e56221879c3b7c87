//! What meetings cost through the program as it ships: `quorate serve`, REST and SSE, beside a bare loop that keeps its
//! turns in SQLite. `cargo bench -p quorate-cli --bench shipped -- [BINARY …] [--runs N] [--only SECTION,…]`
//!
//! Each binary and the bare loop take their turns in every run, each in a process of its own, so that what else the
//! machine does meets all alike. The model and the listeners are in other processes; their CPU is not counted. Without a
//! binary, the one of this build is measured.

#![allow(clippy::print_stdout, reason = "its figures are its output")]

#[path = "meetings/answers.rs"]
mod answers;
#[path = "shipped/bare.rs"]
mod bare;
#[path = "shipped/contestant.rs"]
mod contestant;
#[path = "meetings/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::process::ExitCode;

use crate::contestant::{Contestant, Model};

/// The names that the model gives in its answers.
mod table {
    pub(crate) const NAMES: [&str; 5] = ["Ada", "Ben", "Cid", "Dee", "Eva"];
}

/// What is held in a section.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) meetings: usize,
    pub(crate) rounds: u32,
    /// Whether the model takes its time, and each meeting has a listener.
    pub(crate) paced: bool,
    pub(crate) heard: bool,
}

const SECTIONS: [Work; 5] = [
    Work {
        name: "w1",
        about: "5 x 20 turns, nobody listens",
        meetings: 1,
        rounds: 20,
        paced: false,
        heard: false,
    },
    Work {
        name: "w1-heard",
        about: "the same with a listener",
        meetings: 1,
        rounds: 20,
        paced: false,
        heard: true,
    },
    Work {
        name: "w2",
        about: "5 x 200 turns, full history",
        meetings: 1,
        rounds: 200,
        paced: false,
        heard: false,
    },
    Work {
        name: "w3",
        about: "100 meetings at once, 5 x 4",
        meetings: 100,
        rounds: 4,
        paced: true,
        heard: false,
    },
    Work {
        name: "w3-heard",
        about: "the same, streamed to a listener each",
        meetings: 100,
        rounds: 4,
        paced: true,
        heard: true,
    },
];

/// Figures by section and what they are of, in the order of the runs.
type Figures = BTreeMap<(usize, &'static str), Vec<f64>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.as_slice() {
        [role, pace] if role == server::ROLE => return server::serve(pace),
        [role, section, url, folder] if role == bare::ROLE => {
            let Some(work) = SECTIONS.iter().find(|work| work.name == section) else {
                return ExitCode::FAILURE;
            };
            return bare::run(*work, url, folder.as_ref());
        }
        _ => {}
    }
    let (mut binaries, mut runs, mut only) = (Vec::new(), 3_usize, None::<Vec<String>>);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--runs" => runs = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(runs),
            "--only" => only = arguments.next().map(|text| text.split(',').map(str::to_owned).collect()),
            _ => binaries.push(argument),
        }
    }
    if binaries.is_empty() {
        binaries.push(env!("CARGO_BIN_EXE_quorate").to_owned());
    }
    let is_wanted = |name: &str| only.as_ref().is_none_or(|only| only.iter().any(|one| one == name));
    let mut contestants: Vec<Contestant> = binaries.into_iter().map(Contestant::Shipped).collect();
    contestants.push(Contestant::Bare);
    let mut figures: Vec<Figures> = contestants.iter().map(|_| Figures::new()).collect();
    for run in 1..=runs {
        for (contestant, figures) in contestants.iter().zip(&mut figures) {
            eprintln!("run {run} of {runs}: {}", contestant.name());
            let mut add = |section: usize, what: &'static str, value: f64| {
                figures.entry((section, what)).or_default().push(value);
            };
            if is_wanted("start") {
                for (what, value) in contestant.start() {
                    add(0, what, value);
                }
            }
            for (work, section) in SECTIONS.iter().zip(1..) {
                if is_wanted(work.name) {
                    for (what, value) in contestant.hold(work, &mut Model::start(work.paced)) {
                        add(section, what, value);
                    }
                }
            }
        }
    }
    print(&contestants, &figures);
    ExitCode::SUCCESS
}

/// A table with a column for each contestant: the median, its spread, and its multiple of the bare loop's.
fn print(contestants: &[Contestant], figures: &[Figures]) {
    let names: Vec<String> = contestants.iter().map(Contestant::name).collect();
    println!("\n| section | what | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    let keys: std::collections::BTreeSet<_> = figures.iter().flat_map(|figures| figures.keys()).collect();
    let median = |figures: &Figures, key| {
        let mut values: Vec<f64> = figures.get(key)?.clone();
        values.sort_by(f64::total_cmp);
        Some((values[values.len() / 2], values[0], values[values.len() - 1]))
    };
    for key in keys {
        let (section, what) = *key;
        let name = if section == 0 { "start" } else { SECTIONS[section - 1].name };
        let bare = figures.last().and_then(|figures| median(figures, key));
        let cells = figures.iter().map(|figures| {
            let Some((middle, least, most)) = median(figures, key) else { return "-".to_owned() };
            let beside = match bare {
                Some((bare, ..)) if bare > 0.0 && section > 0 => format!(", {:.1} x", middle / bare),
                _ => String::new(),
            };
            format!("{} ({}-{}){beside}", short(middle), short(least), short(most))
        });
        let about = if section == 0 { "" } else { SECTIONS[section - 1].about };
        println!("| `{name}` {about} | {what} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn short(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
