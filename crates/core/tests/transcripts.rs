//! Meetings as transcripts: a test reads as the meeting did.

mod support;

#[path = "transcripts/actions.rs"]
mod actions;
#[path = "transcripts/attendance.rs"]
mod attendance;
#[path = "transcripts/brainstorm.rs"]
mod brainstorm;
#[path = "transcripts/costs.rs"]
mod costs;
#[path = "transcripts/decision.rs"]
mod decision;
#[path = "transcripts/failures.rs"]
mod failures;
#[path = "transcripts/files.rs"]
mod files;
#[path = "transcripts/forks.rs"]
mod forks;
#[path = "transcripts/limits.rs"]
mod limits;
#[path = "transcripts/outages.rs"]
mod outages;
#[path = "transcripts/pauses.rs"]
mod pauses;
#[path = "transcripts/people.rs"]
mod people;
#[path = "transcripts/records.rs"]
mod records;
#[path = "transcripts/reports.rs"]
mod reports;
#[path = "transcripts/room.rs"]
mod room;
#[path = "transcripts/stepwise.rs"]
mod stepwise;
#[path = "transcripts/tools.rs"]
mod tools;
#[path = "transcripts/web_search.rs"]
mod web_search;

use quorate_contract::*;
use support::*;

#[test]
fn a_consensus_meeting_from_blind_answers_to_a_conclusion() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(3)));
    table.goes_on(|table, _| if table.meeting.round_number() < 2 { 60 } else { 85 });
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn six_speak_at_once() {
    let names = ["Ada", "Ben", "Cid", "Dan", "Eve", "Fay"];
    let mut table = Transaction::started(spec(&names, consensus(1)));
    table.goes_to_round(1);
    assert_eq!(table.speakers(), names);
    // They answer in any order; the record shows them as they came, each prompt in table order.
    for name in ["Cid", "Fay", "Ada", "Eve", "Ben", "Dan"] {
        table.hears(name, &format!("{name} speaks at once with the others."));
    }
    table.goes_to_ballot();
    let read = &table.prompt_of("Dan").messages;
    let record: Vec<_> = read.iter().flat_map(|message| message.content.lines()).collect();
    let speaks = record.iter().filter(|line| line.ends_with("speaks at once with the others."));
    let order: Vec<_> = speaks.map(|line| line.split(' ').next().unwrap_or_default()).collect();
    assert_eq!(order, names);
    table.goes_on(|_, _| 85);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn orders_of_speaking() {
    let mut told = String::new();
    for order in [SpeakingOrder::Sequential, SpeakingOrder::Rotating, SpeakingOrder::Random] {
        let mut spec = discussion(&["Ada", "Ben", "Cid", "Dan"], 4);
        spec.rules.turns.order = order;
        let mut table = Transaction::started(spec);
        table.goes_on(|_, _| 60);
        for round in &table.meeting.rounds {
            let names: Vec<_> = round.order.iter().map(|id| table.meeting.name_of(*id)).collect();
            told += &format!("{order:?} {}: {}\n", round.number, names.join(" "));
        }
    }
    insta::assert_snapshot!(told);
}
