//! The numbered properties of requirement 000 that the core can break, each as a proptest whose
//! name begins with its number. The last test counts them.

mod support;

#[path = "properties/creation.rs"]
mod creation;
#[path = "properties/flow.rs"]
mod flow;
#[path = "properties/house.rs"]
mod house;
#[path = "properties/mentions.rs"]
mod mentions;
#[path = "properties/reading.rs"]
mod reading;
#[path = "properties/records.rs"]
mod records;

use proptest::test_runner::Config;

/// At least a hundred cases each, as the requirement asks.
fn cases() -> Config {
    Config { cases: 128, failure_persistence: None, ..Config::default() }
}

/// The properties that are in reach of the core now.
const IN_REACH: [u32; 39] = [
    7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 27, 28, 29, 30, 31, 33, 34, 35, 36, 38,
    39, 43, 45, 47, 48, 51, 52, 53, 54, 55, 56, 57,
];

#[test]
fn every_property_in_reach_has_its_test() {
    let rooms = [
        include_str!("properties/creation.rs"),
        include_str!("properties/flow.rs"),
        include_str!("properties/house.rs"),
        include_str!("properties/mentions.rs"),
        include_str!("properties/reading.rs"),
        include_str!("properties/records.rs"),
    ];
    let mut found: Vec<u32> = Vec::new();
    for room in rooms {
        let lines: Vec<&str> = room.lines().map(str::trim).collect();
        for (place, line) in lines.iter().enumerate() {
            let Some(number) = line.strip_prefix("fn p").and_then(|rest| rest.get(..2)?.parse().ok()) else {
                continue;
            };
            let notice = format!("/// Feature: ai-agent-meeting, Property {number}: ");
            assert!(lines[..place].iter().any(|line| line.starts_with(&notice)), "{line} has no {notice:?}");
            found.push(number);
        }
    }
    found.sort_unstable();
    eprintln!("properties with a test: {found:?}");
    for number in IN_REACH {
        assert!(found.contains(&number), "property {number} has lost its test; there are {found:?}");
    }
}
