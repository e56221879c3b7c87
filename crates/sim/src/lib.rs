//! The simulation: seeded meetings in a simulated world with all kinds of faults.
//!
//! Answers come late, twice, garbled or never; people interrupt, pause, join and leave; the clock jumps; the
//! process dies at any append and the disk refuses. The invariants are checked after every step, and when
//! the faults cease the meeting has to reach its end. One seed replays one whole history:
//! `cargo run -p quorate-sim -- --seed 42`.
//!
//! There are two. [`shipped`] runs the program as it ships: engine, store and runners of models. [`play`] runs the core alone
//! in a process of its own, many times as fast, and with what the other does not have yet: tools, web searches, and answers
//! that arrive in any order.
//!
//! The guarantees, and the tests that show them:
//!
//! | Guarantee | Shown by |
//! |---|---|
//! | G1: nothing that was acknowledged is lost | `shipped::world` compares the database with what was acknowledged and heard; `Simulation::restart` does so over the core |
//! | G2: a turn has one message at most, a ballot one vote of each | `LogChecker::turn_ends`, `LogChecker::vote`; in the core `invariant_rules::turns_and_votes_happen_once` |
//! | G3: numbers are dense, and all subscribers read the same order | `LogChecker::judge`; `shipped::director::listen` hears each number once, as the line that is stored |
//! | G4: the folded log is the live state | `shipped::director` compares before each act; `Simulation::same_as` and `state_hash` in `Simulation::over`; `invariant_rules::of_the_log` |
//! | G5: a crash repeats a call once at most, under a number of its own | `shipped::vendor` does no work twice, and for no attempt that is in no log; `LogChecker::call_starts` |
//! | G6: no budget is exceeded, and the usage adds up | `ledger::Ledger`, an account of its own beside the core's; `shipped::vendor` compares it with the bills; `invariant_rules::budgets_hold`, `endings::no_budget_is_ever_passed` |
//!
//! `invariant_rules` and `endings` are `crates/core/tests/invariants`. The points at which a process dies are
//! made from [`EventBody::KINDS`](quorate_contract::EventBody::KINDS): three for each kind of event.
//!
//! There is no clock, no network, no thread, and no randomness except the seed.

mod fault_plan;
mod forged_answers;
mod history;
mod invariants;
mod ledger;
mod meeting_spec;
mod people;
mod promises;
mod report;
mod rng;
pub mod shipped;
mod simulation;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use fault_plan::{FaultClass, PlanChange};
pub use history::{Breach, Simulated, Story};
pub use report::{Crashes, Report};

use simulation::Simulation;

/// Plays the meeting of one seed to its end.
pub fn play(seed: u64) -> Result<Story, Breach> {
    let mut simulation = Simulation::new(seed);
    // A panic in the core is a breach like any other, and needs its seed even more.
    let played = catch_unwind(AssertUnwindSafe(|| simulation.play())).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("the core panicked: {}", words.unwrap_or("without words")))
    });
    let (step, transcript, report) =
        (simulation.step, std::mem::take(&mut simulation.transcript), std::mem::take(&mut simulation.report));
    let log = simulation.into_journal();
    match played {
        Ok(()) => Ok(Story { seed, transcript, log, report }),
        Err(what) => {
            let (of, plan) = (Simulated::Core, PlanChange::default());
            Err(Breach { seed, step, what, transcript, log, of, plan })
        }
    }
}

/// Plays the meetings of `count` seeds from `from` on, until one breaks. `progress` is called with the number
/// of played ones.
pub fn play_many(from: u64, count: u64, mut progress: impl FnMut(u64)) -> Result<Report, Breach> {
    let mut report = Report::default();
    for played in 0..count {
        report.add(&play(from.wrapping_add(played))?.report);
        progress(played + 1);
    }
    Ok(report)
}
