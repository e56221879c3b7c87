//! Properties of every meeting, for any commands and any answers.

mod support;

#[path = "invariants/commands.rs"]
mod commands;
#[path = "invariants/endings.rs"]
mod endings;
#[path = "invariants/failure_policy.rs"]
mod failure_policy;
#[path = "invariants/invariant_rules.rs"]
mod invariant_rules;
#[path = "invariants/json_repair.rs"]
mod json_repair;
#[path = "invariants/prompts.rs"]
mod prompts;
#[path = "invariants/skip_lists.rs"]
mod skip_lists;
#[path = "invariants/views.rs"]
mod views;
#[path = "invariants/withheld.rs"]
mod withheld;

use proptest::test_runner::Config;

fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}
