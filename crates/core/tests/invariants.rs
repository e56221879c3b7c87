//! What holds for every meeting, whatever is wished of it and however it is answered.

mod support;

#[path = "invariants/endings.rs"]
mod endings;
#[path = "invariants/house_rules.rs"]
mod house_rules;
#[path = "invariants/mended.rs"]
mod mended;
#[path = "invariants/prompts.rs"]
mod prompts;
#[path = "invariants/recourse.rs"]
mod recourse;
#[path = "invariants/views.rs"]
mod views;
#[path = "invariants/wishes.rs"]
mod wishes;
#[path = "invariants/withheld.rs"]
mod withheld;

use proptest::test_runner::Config;

fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}
