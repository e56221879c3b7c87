//! Limits of a meeting, and texts that are too long.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

#[test]
fn a_token_budget_is_reached_in_a_parallel_round() {
    let mut rules = consensus(3);
    rules.turns.mode = TurnMode::ParallelRound;
    rules.limits.tokens = Some(60_000);
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], rules));
    while let Some(call) = table.calls().into_iter().next() {
        let text = good_answer(&table.meeting, &call, 60);
        let Command::Deliver(mut delivery) =
            interpret(&table.meeting, &call, Outcome::Answered(answer(&text)))
        else {
            unreachable!("an outcome is always a delivery")
        };
        // The usage is unknown, so it counts as the reserve.
        delivery.usage = None;
        table.execute(Command::Deliver(delivery));
    }
    let spent = table.meeting.spent.usage.total();
    assert!(spent <= 60_000, "{spent} of 60,000 tokens were spent");
    insta::assert_snapshot!(table.transcript());
}

#[test]
fn wall_time_runs_out_but_not_while_the_meeting_rests() {
    let mut rules = consensus(3);
    rules.limits.wall_ms = Some(60_000);
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table.pauses_at_once();
    table.waits_ms(3_600_000);
    table.resumes();
    assert!(!table.meeting.is_over());
    table.waits_ms(60_000);
    insta::assert_snapshot!(table.transcript());
}

/// A meeting of ten minutes in which Ada has spoken.
fn of_ten_minutes(when_reached: BudgetAction) -> Transaction {
    let mut rules = consensus(8);
    (rules.limits.wall_ms, rules.limits.when_reached) = (Some(600_000), when_reached);
    rules.turns.timeout_ms = 600_000;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.hears("Ada", r#"{"position": "SQLite", "claims": ["one file"]}"#);
    table
}

#[test]
fn of_the_time_so_much_is_kept_that_the_facilitator_can_conclude() {
    let mut table = of_ten_minutes(BudgetAction::End);
    table.waits_ms(500_000);
    assert!(table.calls().iter().all(|call| call.id != TaskId::Conclude), "its time is not there yet");
    table.waits_ms(10_500);
    let [call] = &*table.calls() else { panic!("one call alone: {:?}", table.calls()) };
    assert_eq!(call.id, TaskId::Conclude);
    assert!((89_000..=90_000).contains(&call.timeout_ms), "{} ms", call.timeout_ms);
    table.answers_well(&call.clone(), 60);
    assert!(table.meeting.is_over());
    let conclusion = table.meeting.conclusion.as_ref().expect("written");
    assert_eq!(conclusion.by, Actor::Facilitator);
    assert!(table.meeting.ran_ms < 600_000);
}

#[test]
fn a_conclusion_that_is_late_is_written_by_the_rules() {
    let mut table = of_ten_minutes(BudgetAction::End);
    table.waits_ms(511_000);
    assert!(!table.meeting.is_over());
    let deadline = pending(&table.meeting).into_iter().find_map(|task| match task {
        Task::Wake(moment) => Some(moment),
        Task::Call(_) | Task::Tool(_) => None,
    });
    table.now = deadline.expect("somebody looks at the clock");
    table.execute(Command::Tick);
    assert!(table.meeting.is_over(), "it holds its budget of time: {} ms", table.meeting.ran_ms);
    assert_eq!(table.meeting.conclusion.as_ref().map(|one| one.by.clone()), Some(Actor::System));
    assert!(table.meeting.ran_ms <= 600_100);
}

#[test]
fn time_that_is_raised_is_used() {
    let mut table = of_ten_minutes(BudgetAction::Pause);
    table.waits_ms(511_000);
    assert!(table.meeting.is_paused());
    table.execute(Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: [("budget".to_owned(), 700_000.into())].into(),
        take_defaults: false,
    });
    assert!(!table.meeting.is_paused() && table.calls().iter().any(|call| call.id != TaskId::Conclude));
    table.waits_ms(100_500);
    assert!(table.meeting.is_paused());
    table.execute(Command::Resume {
        by: Actor::owner(),
        token: None,
        answers: Default::default(),
        take_defaults: true,
    });
    assert_eq!(table.calls().first().map(|call| call.id), Some(TaskId::Conclude));
}

#[test]
fn a_long_message_is_cut_with_a_mark() {
    let mut spec = discussion(&["Ada"], 1);
    spec.rules.turns.max_message_chars = 60;
    let mut table = Transaction::started(spec);
    table.hears("Ada", "One file is easy to keep, to copy, to look into, and to throw away again. @Ada");
    table.goes_on(|_, _| 60);
    insta::assert_snapshot!(table.transcript());
}

fn full(refusal: Refusal) -> String {
    match refusal {
        Refusal::Invalid { field, .. } => field,
        other => panic!("{other}"),
    }
}

#[test]
fn a_table_has_room_for_so_many_participants_and_open_invitations() {
    let mut table = Transaction::started(discussion(&["Ada"], 2));
    let invite = || Command::Invite { by: Actor::owner(), description: "somebody who knows disks".into() };
    let join = |name: &str| Command::Join { by: Actor::owner(), newcomer: Box::new(newcomer(name)) };
    table.execute(invite());
    for number in 2..PARTICIPANTS_MAX {
        table.joins(&format!("Guest {number}"));
    }
    assert_eq!(full(table.is_refused(join("Zoe"))), "participants");
    assert_eq!(full(table.is_refused(invite())), "participants");
    table.leaves("Guest 2");
    table.joins("Zoe");
    assert_eq!(table.names().len(), PARTICIPANTS_MAX - 1);
}

#[test]
fn an_agenda_has_so_many_items_those_that_were_removed_included() {
    let mut table = Transaction::started(discussion(&["Ada"], 2));
    let add = |title: &str| Command::AddAgendaItem {
        by: Actor::owner(),
        title: title.into(),
        description: String::new(),
    };
    for number in 1..=200 {
        table.execute(add(&format!("item {number}")));
    }
    table.execute(Command::RemoveAgendaItem { by: Actor::owner(), item: "item 7".into() });
    assert_eq!(full(table.is_refused(add("one more"))), "agenda");
}

#[test]
fn money_is_limited_only_where_all_prices_are_known() {
    let limited = |table: &Transaction| {
        let mut rules = table.meeting.rules().clone();
        rules.limits.cost_micros = Some(1_000_000);
        Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) }
    };
    let mut unpriced = discussion(&["Ada"], 2);
    unpriced.participants[0] = priced("Ada");
    let mut table = Transaction::started(unpriced.clone());
    let change = limited(&table);
    table.execute(change);
    if let RunnerSpec::Model { price, .. } = &mut unpriced.participants[0].runner {
        *price = None;
    }
    let mut table = Transaction::started(unpriced);
    let change = limited(&table);
    assert_eq!(full(table.is_refused(change)), "limits.cost_micros");
}

/// A meeting that pauses because nobody answers, and again at its budget, as it is written: the other logs of
/// `fixtures/meetings` have no such pauses. `QUORATE_BLESS=1 cargo test -p quorate-core --test transcripts limits` writes it anew.
#[test]
fn a_meeting_that_reaches_its_limits_is_written_as_it_was_before() {
    let mut table = of_ten_minutes(BudgetAction::Pause);
    let reason = |table: &Transaction| match table.meeting.run_state {
        RunState::Paused { reason, .. } => Some(reason),
        _ => None,
    };
    let call = table.call_of("Ben");
    table.answers_well(&call, 60);
    while reason(&table).is_none() {
        let call = table.calls().into_iter().next().expect("somebody is asked");
        match call.participant {
            Some(_) => table.fails(&call, FailureKind::ContentRefused),
            None => table.answers_well(&call, 60),
        }
    }
    assert_eq!(reason(&table), Some(PauseReason::NobodyAnswered), "{table:?}");
    table.resumes();
    table.waits_ms(511_000);
    assert_eq!(reason(&table), Some(PauseReason::BudgetLimit), "{table:?}");
    let answers = [("budget".to_owned(), 900_000.into())].into();
    table.execute(Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: false });
    table.goes_on(|_, _| 85);
    assert!(table.meeting.is_over(), "{table:?}");
    let lines: String = table.log.iter().map(|event| event.to_json() + "\n").collect();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings/en/limits.jsonl");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(&path, &lines).expect("it can be written");
    }
    assert!(std::fs::read_to_string(&path).unwrap_or_default() == lines, "{} is stale", path.display());
}
