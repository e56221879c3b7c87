//! The cost of meetings: `cargo bench -p quorate-cli --bench meetings [-- SECTION …]`.
//!
//! Whole meetings are held in this process, with the real engine, the real journal and real HTTP, against an
//! endpoint in a process of its own, so that its CPU is not counted. Each section runs in a fresh process, so
//! that none inherits another's memory. Figures are printed beside the aims of `docs/performance.md`; times
//! are not asserted, because they depend on the machine.

#![allow(clippy::print_stdout, reason = "its figures are its output")]

#[path = "meetings/answers.rs"]
mod answers;
#[path = "meetings/cold.rs"]
mod cold;
#[path = "meetings/crowd.rs"]
mod crowd;
#[path = "meetings/endpoint.rs"]
mod endpoint;
#[path = "meetings/journal.rs"]
mod journal;
#[path = "meetings/long.rs"]
mod long;
#[path = "meetings/many.rs"]
mod many;
#[path = "meetings/measure.rs"]
mod measure;
#[path = "meetings/prefix.rs"]
mod prefix;
#[path = "meetings/server.rs"]
mod server;
#[path = "meetings/table.rs"]
mod table;

use std::process::{Command, ExitCode};

/// The name of a section, what it measures, and how.
type Section = (&'static str, &'static str, fn());

const SECTIONS: [Section; 14] = [
    ("fold", "a log of 1000 turns, from memory", journal::fold),
    ("append", "256 writers, acknowledged means flushed (SQLite, synchronous FULL)", journal::append),
    ("w1", "one durable meeting, 5 participants x 20 rounds, model time zero", long::w1),
    ("w2", "one durable meeting, 5 x 200 rounds, full history", long::w2),
    ("w2-bounded", "the same length by the consensus rules' own window", long::w2_bounded),
    ("w3", "100 durable meetings at once, 5 x 4, answers of 50 ms + 20 tokens x 2 ms", crowd::plain),
    ("w3-streamed", "the same, streamed to a listener of each meeting", crowd::streamed),
    ("w3-long", "the same with answers of 200 tokens, one round", crowd::streamed_long),
    ("cold", "the binary `quorate run`, from its start to its first request", cold::start),
    ("many", "10,000 durable meetings at once, answers of 2 s", many::at_once),
    ("restart", "10,000 open meetings of some 60 events, and one of 50,000", many::restart),
    ("idle", "10,000 meetings at which nothing happens, and their listeners", many::idle),
    ("listeners", "1,000 listeners of one answer, 50 tokens per second", many::crowd),
    ("prefix", "consensus by default, 5 participants x 8 rounds", prefix::shared),
];

fn main() -> ExitCode {
    // Cargo says `--bench`; it means nothing here.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match wanted.as_slice() {
        [role, pace] if role == server::ROLE => return server::serve(pace),
        [role, name] if role == "section" => {
            let Some((_, _, run)) = SECTIONS.iter().find(|(known, ..)| known == name) else {
                return ExitCode::FAILURE;
            };
            run();
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    if let Some(unknown) = wanted.iter().find(|name| SECTIONS.iter().all(|(known, ..)| known != name)) {
        let known = SECTIONS.map(|(name, ..)| name).join(", ");
        eprintln!("there is no section {unknown}; choose from {known}");
        return ExitCode::from(2);
    }
    let this = std::env::current_exe().expect("this program has a path");
    let mut all_ran = true;
    for (name, about, _) in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            println!("\n{name}: {about}");
            let status = Command::new(&this).args(["section", name]).status();
            all_ran &= status.is_ok_and(|status| status.success());
        }
    }
    if all_ran { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
