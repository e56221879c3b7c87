//! The numbered properties of the requirements that the core can break, each as a proptest whose name begins
//! with its number; `cargo xtask tidy` counts them over all crates.

mod support;

#[path = "properties/context.rs"]
mod context;
#[path = "properties/creation.rs"]
mod creation;
#[path = "properties/flow.rs"]
mod flow;
#[path = "properties/mentions.rs"]
mod mentions;
#[path = "properties/people.rs"]
mod people;
#[path = "properties/reading.rs"]
mod reading;
#[path = "properties/records.rs"]
mod records;
#[path = "properties/app.rs"]
mod settings;

use proptest::test_runner::Config;

/// At least a hundred cases for each property.
fn cases() -> Config {
    Config { cases: 128, failure_persistence: None, ..Config::default() }
}
