//! Where a meeting ends at the latest, and what is too long.

use quorate_core::*;

use crate::support::*;

#[test]
fn a_token_budget_is_reached_in_a_parallel_round() {
    let mut rules = consensus(3);
    rules.turns.mode = TurnMode::ParallelRound;
    rules.limits.tokens = Some(14_000);
    let mut table = Table::started(founding(&["Ada", "Ben", "Cid"], rules));
    while let Some(call) = table.calls().into_iter().next() {
        let text = good_answer(&table.meeting, &call, 60);
        let Command::Deliver(mut delivery) = settle(&table.meeting, &call, Outcome::Answered(answer(&text)))
        else {
            unreachable!("an outcome is always a delivery")
        };
        // Nobody knows what it used, so that it counts as what was held back for it.
        delivery.usage = None;
        table.wish(Command::Deliver(delivery));
    }
    let spent = table.meeting.spent.usage.total();
    assert!(spent <= 14_000, "{spent} of 14,000 tokens were spent");
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn wall_time_runs_out_but_not_while_the_meeting_rests() {
    let mut rules = consensus(3);
    rules.limits.wall_ms = Some(60_000);
    let mut table = Table::started(founding(&["Ada", "Ben"], rules));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table.pauses_at_once();
    table.waits_ms(3_600_000);
    table.resumes();
    assert!(!table.meeting.is_over());
    table.waits_ms(60_000);
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn a_long_message_is_cut_with_a_mark() {
    let mut founding = discussion(&["Ada"], 1);
    founding.rules.turns.max_message_chars = 60;
    let mut table = Table::started(founding);
    table.hears("Ada", "One file is easy to keep, to copy, to look into, and to throw away again. @Ada");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}
