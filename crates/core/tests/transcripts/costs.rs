//! Money adds up: what is held back, kept for the conclusion, charged, and credited to whom.

use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use crate::support::*;

fn model(name: &str, fallback: Option<RunnerSpec>) -> RunnerSpec {
    RunnerSpec::Model {
        provider: "local".into(),
        model: name.into(),
        parameters: ModelParameters::default(),
        price: Some(Price::new(1_000_000, 2_000_000)),
        fallback: fallback.map(Box::new),
    }
}

fn spent_and_held(meeting: &Meeting) -> u64 {
    let held: u64 = meeting.calls.values().map(|call| call.reserved.tokens).sum();
    meeting.spent.usage.total() + held
}

#[test]
fn a_budget_that_is_set_while_calls_are_under_way_holds_back_for_them() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(2)));
    assert_eq!(table.calls().len(), 3, "without a budget");
    let held = spent_and_held(&table.meeting);
    assert!(held > 3_000, "what a call may need is known without a budget: {held}");
    let mut rules = table.meeting.rules().clone();
    rules.limits.tokens = Some(held);
    table.execute(Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) });
    for name in ["Ada", "Ben", "Cid"] {
        let call = table.call_of(name);
        let Command::Deliver(mut delivery) =
            interpret(&table.meeting, &call, Outcome::Answered(answer("Yes.")))
        else {
            unreachable!("an outcome is always a delivery")
        };
        delivery.usage = None;
        table.execute(Command::Deliver(delivery));
        assert!(spent_and_held(&table.meeting) <= held, "no call was added to that");
    }
    assert!(table.meeting.is_over());
}

#[test]
fn what_is_kept_for_the_conclusion_leaves_most_of_a_small_budget_to_the_table() {
    let mut rules = consensus(8);
    rules.limits.tokens = Some(25_000);
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], rules));
    while let Some(call) = table.calls().into_iter().next() {
        let text = good_answer(&table.meeting, &call, 60);
        table.execute(interpret(&table.meeting, &call, Outcome::Answered(answer(&text))));
    }
    let spent = table.meeting.spent.usage.total();
    assert!(table.meeting.said.len() >= 3, "everybody has answered once: {spent} spent");
    let conclusion = table.meeting.conclusion.as_ref().expect("it is over");
    assert_eq!(conclusion.by, Actor::Facilitator);
}

#[test]
fn a_meeting_that_its_budget_ends_has_a_conclusion_of_its_facilitator() {
    for tokens in (12_000..120_000).step_by(7_500) {
        let mut rules = consensus(8);
        rules.limits.tokens = Some(tokens);
        let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], rules));
        while let Some(call) = table.calls().into_iter().next() {
            let text = good_answer(&table.meeting, &call, 60);
            let outcome = Outcome::Answered(answer(&text));
            let Command::Deliver(mut delivery) = interpret(&table.meeting, &call, outcome) else {
                unreachable!("an outcome is always a delivery")
            };
            delivery.usage = None; // as dear as it can be
            table.execute(Command::Deliver(delivery));
            assert!(spent_and_held(&table.meeting) <= tokens);
        }
        assert!(table.meeting.is_over());
        assert!(!table.meeting.said.is_empty(), "{tokens} are enough for somebody to speak");
        if table.meeting.said.len() <= 2 {
            continue;
        }
        let conclusion = table.meeting.conclusion.as_ref().expect("it is over");
        assert_eq!(conclusion.by, Actor::Facilitator, "with a budget of {tokens}");
    }
}

#[test]
fn steering_and_the_end_leave_minutes_that_are_being_written() {
    let mut rules = consensus(3);
    rules.turns.blind_round = false;
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_ballot();
    table.execute(Command::WriteMinutes { by: Actor::owner(), writer: None, note: String::new() });
    let minutes = table.calls().into_iter().find(|call| matches!(call.id, TaskId::Minutes(_)));
    let minutes = minutes.expect("they are being written");
    table.says("What about backups?");
    let still =
        |table: &Transaction| table.calls().iter().any(|call| (call.id, call.attempt) == (minutes.id, 1));
    assert!(still(&table), "a word at the table makes no minutes void");
    assert!(!table.calls().iter().any(|call| matches!(call.id, TaskId::Vote(..))), "but the ballot");
    table.ends("enough");
    assert!(still(&table), "nor does the end");
    table.answers_well(&minutes, 60);
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    let cancelled = table.log.iter().filter(|event| {
        matches!(event.body, EventBody::CallEnded { task: TaskId::Minutes(_), end: CallEnd::Cancelled, .. })
    });
    assert_eq!(cancelled.count(), 0);
}

#[test]
fn a_retry_that_the_budget_has_no_room_for_ends_the_call_and_is_charged_once() {
    let mut spec = discussion(&["Ada"], 2);
    spec.rules.limits.tokens = Some(30_000);
    let mut table = Transaction::started(spec);
    let call = table.call_of("Ada");
    let retry = |input_tokens| {
        let usage = Usage { input_tokens, ..Usage::default() };
        let (kind, detail) = (FailureKind::Overloaded, "busy".into());
        let retry = Box::new(Retry { request: 1, kind, detail, wait_ms: 1, usage });
        Command::NoteRetry { task: call.id, attempt: call.attempt, retry }
    };
    table.execute(retry(100));
    assert_eq!(table.calls(), std::slice::from_ref(&call), "there is room for another request");
    table.execute(retry(29_000));
    assert!(!table.calls().contains(&call));
    assert_eq!(table.meeting.spent.usage.total(), 29_100);
}

#[test]
fn the_cost_of_a_meeting_is_known_while_every_price_is() {
    let mut spec = discussion(&["Ada", "Ben"], 2);
    spec.participants[0].runner = model("priced", None);
    let (provider, model, parameters) = ("local".into(), "unpriced".into(), ModelParameters::default());
    spec.participants[1].runner =
        RunnerSpec::Model { provider, model, parameters, price: None, fallback: None };
    let mut table = Transaction::started(spec);
    table.hears("Ada", "One file is easy to keep.");
    assert_eq!(table.meeting.spent.known_cost_micros(), Some(140));
    let call = table.call_of("Ben");
    let (kind, detail, usage) = (FailureKind::Overloaded, "busy".into(), Usage::default());
    let retry = Box::new(Retry { request: 1, kind, detail, wait_ms: 1, usage });
    table.execute(Command::NoteRetry { task: call.id, attempt: call.attempt, retry });
    assert_eq!(table.meeting.spent.known_cost_micros(), Some(140), "it has used nothing");
    let waits = table.meeting.calls[&call.id].retry.expect("the call says what it waits for");
    assert_eq!((waits.kind, waits.next_try_at), (kind, waits.since.plus_ms(1)));
    table.hears("Ben", "Until two writers meet.");
    let spent = table.meeting.spent;
    assert_eq!((spent.known_cost_micros(), spent.cost_micros, spent.unpriced_calls), (None, 140, 1));
}

#[test]
fn what_a_provider_did_not_serve_costs_nothing_and_what_it_may_have_served_what_was_held_back() {
    let spent_after = |kind| {
        let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
        let call = table.call_of("Ada");
        let held = table.meeting.calls[&call.id].reserved.tokens;
        table.fails(&call, kind);
        (table.meeting.spent.usage.total(), held)
    };
    for kind in [FailureKind::Authentication, FailureKind::Quota, FailureKind::ModelUnknown] {
        assert_eq!(spent_after(kind).0, 0, "{kind:?}");
    }
    for kind in [FailureKind::Network, FailureKind::TimedOut, FailureKind::ContentRefused] {
        let (spent, held) = spent_after(kind);
        assert_eq!(spent, held, "{kind:?}");
    }
}

#[test]
fn what_a_fallback_did_is_credited_to_it_and_a_repair_is_asked_again() {
    let mut with_fallback = discussion(&["Ada"], 2);
    with_fallback.participants[0].runner = model("first", Some(model("second", None)));
    let mut table = Transaction::started(with_fallback);
    let call = table.call_of("Ada");
    table.fails(&call, FailureKind::Authentication);
    let call = table.call_of("Ada");
    assert_eq!(call.runner.label(), "local/second");
    let retry = Retry {
        request: 1,
        kind: FailureKind::Overloaded,
        detail: "busy".into(),
        wait_ms: 1,
        usage: Usage::default(),
    };
    table.execute(Command::NoteRetry { task: call.id, attempt: call.attempt, retry: Box::new(retry) });
    table.answers(&call, "One file is easy to keep.");
    table.goes_on(|_, _| 60);
    let report = Report::of(&table.meeting);
    let row = |runner: &str| report.costs.iter().find(|row| row.runner == runner).expect(runner);
    assert_eq!((row("local/second").name.as_str(), row("local/second").calls), ("Ada", 1));
    assert_eq!((row("local/second").retries, row("local/second").fallbacks), (1, 1));
    assert_eq!((row("local/first").retries, row("local/first").fallbacks), (0, 0));
    let sum: u64 = report.costs.iter().map(|row| row.input_tokens + row.output_tokens).sum();
    assert_eq!(sum, report.total.input_tokens + report.total.output_tokens);

    let mut table = Transaction::started(spec(&["Ada"], consensus(1)));
    table.goes_to_ballot();
    let vote = table.call_of("Ada");
    table.answers(&vote, "I like it.");
    assert_eq!(CallTotals::of(&table.meeting, &table.log).asked_again, 1);
}
