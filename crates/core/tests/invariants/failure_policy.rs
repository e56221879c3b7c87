//! The failure policy: each action is taken at most once for a task, and all of it is in the log.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::*;

const LIMIT_MS: u64 = 180_000;

fn model(name: &str, fallback: Option<RunnerSpec>) -> RunnerSpec {
    RunnerSpec::Model {
        provider: "local".into(),
        model: name.into(),
        parameters: ModelParameters::default(),
        price: Some(Price { cache_write_micros: Some(3_000_000), ..Price::new(1_000_000, 4_000_000) }),
        fallback: fallback.map(Box::new),
    }
}

/// A meeting in which all participants and the facilitator have a fallback model, or none has.
fn table(names: &[&str], fallback: bool, mut rules: Rules) -> Transaction {
    // How a meeting waits for providers is tested on its own.
    rules.limits.provider_wait_ms = 0;
    let mut spec = spec(names, rules);
    let runner = model("first", fallback.then(|| model("second", None)));
    spec.participants.iter_mut().for_each(|one| one.runner = runner.clone());
    spec.facilitator = Some(Facilitator { runner, system_prompt: String::new() });
    Transaction::started(spec)
}

fn doubtful(latency_ms: u64) -> Failure {
    Failure { doubtful: true, latency_ms, ..failure(FailureKind::Network) }
}

fn comes(table: &mut Transaction, call: &Call, failure: Failure) -> Vec<Event> {
    let command = interpret(&table.meeting, call, Outcome::Failed(failure));
    table.execute(command)
}

fn then(events: &[Event]) -> Option<FailureAction> {
    events.iter().find_map(|event| match &event.body {
        EventBody::CallEnded { then, .. } => *then,
        _ => None,
    })
}

fn tells_of_failure(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.body, EventBody::TurnFailed { .. } | EventBody::Error { .. }))
}

fn label(call: &Call) -> String {
    call.runner.label()
}

#[test]
fn an_unknown_outcome_is_asked_for_once_more_in_what_is_left_of_the_time() {
    let mut table = table(&["Ada", "Ben"], false, Format::Discussion.rules());
    let call = table.call_of("Ada");
    let events = comes(&mut table, &call, doubtful(50_000));
    assert_eq!(then(&events), Some(FailureAction::Again));
    assert!(!tells_of_failure(&events));
    let again = table.call_of("Ada");
    assert_eq!((again.id, again.attempt, again.timeout_ms), (call.id, 2, LIMIT_MS - 50_000));
    let events = comes(&mut table, &again, doubtful(1));
    assert_eq!(then(&events), None, "no more than once");
    assert!(tells_of_failure(&events));
}

#[test]
fn what_may_have_been_done_is_charged_with_its_reserve_also_where_asking_again_does_not_help() {
    let mut rules = Format::Discussion.rules();
    rules.limits.tokens = Some(1_000_000);
    let mut table = table(&["Ada", "Ben"], false, rules);
    let call = table.call_of("Ada");
    let reserved = table.meeting.calls[&call.id].reserved.tokens;
    let usage = Some(Usage { input_tokens: 7, estimated: true, ..Usage::default() });
    let late = Failure { usage, doubtful: false, ..failure(FailureKind::TimedOut) };
    comes(&mut table, &call, late);
    assert_eq!(table.meeting.spent.usage.total(), reserved);
    // What the provider has counted is what is paid.
    let call = table.call_of("Ben");
    let usage = Some(Usage { input_tokens: 7, ..Usage::default() });
    comes(&mut table, &call, Failure { usage, doubtful: false, ..failure(FailureKind::TimedOut) });
    assert_eq!(table.meeting.spent.usage.total(), reserved + 7);
}

#[test]
fn what_took_more_than_half_of_the_time_is_not_asked_again() {
    let mut table = table(&["Ada", "Ben"], false, Format::Discussion.rules());
    let call = table.call_of("Ada");
    assert_eq!(then(&comes(&mut table, &call, doubtful(LIMIT_MS / 2 + 1))), None);
}

#[test]
fn after_a_crash_a_doubtful_end_is_final() {
    let mut table = table(&["Ada", "Ben"], false, Format::Discussion.rules());
    table.recovers();
    let call = table.call_of("Ada");
    assert_eq!((call.attempt, call.timeout_ms), (2, LIMIT_MS), "the lost call is made again, with its time");
    assert_eq!(then(&comes(&mut table, &call, doubtful(1))), None);
}

#[test]
fn another_model_answers_when_the_first_cannot_and_the_next_turn_asks_the_first() {
    let mut table = table(&["Ada"], true, Format::Discussion.rules());
    let call = table.call_of("Ada");
    comes(&mut table, &call, doubtful(60_000));
    let call = table.call_of("Ada");
    let events = comes(&mut table, &call, doubtful(60_000));
    assert_eq!(then(&events), Some(FailureAction::Fallback));
    let started = events.iter().find_map(|event| match &event.body {
        EventBody::CallStarted { fallback, .. } => fallback.clone(),
        _ => None,
    });
    assert_eq!(started.as_deref(), Some("local/second"));
    let call = table.call_of("Ada");
    assert_eq!((label(&call).as_str(), call.timeout_ms), ("local/second", LIMIT_MS));
    table.answers(&call, "Here I am.");
    let next = table.calls().remove(0);
    assert_eq!(label(&next), "local/first");
}

#[test]
fn a_vote_that_stays_unreadable_is_asked_of_another_model() {
    let mut rules = consensus(1);
    rules.turns.blind_round = false;
    let mut table = table(&["Ada", "Ben"], true, rules);
    table.goes_to_ballot();
    table.hears("Ada", "yes");
    table.hears("Ada", "I said yes");
    let call = table.call_of("Ada");
    assert_eq!((label(&call).as_str(), call.attempt), ("local/second", 3));
    table.hears("Ada", "yes");
    table.hears("Ada", "yes, yes");
    let abstained = |event: &Event| matches!(event.body, EventBody::VoteAbstained { .. });
    assert!(table.log.iter().any(abstained), "after that it is an abstention");
}

#[test]
fn what_is_refused_for_its_content_is_asked_of_nobody_else() {
    let mut table = table(&["Ada", "Ben"], true, Format::Discussion.rules());
    let call = table.call_of("Ada");
    assert_eq!(then(&comes(&mut table, &call, failure(FailureKind::ContentRefused))), None);
}

#[test]
fn a_fallback_is_another_model_without_one_of_its_own_and_with_a_price_where_one_is_needed() {
    let unpriced = RunnerSpec::Model {
        provider: "local".into(),
        model: "third".into(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    };
    let warm = RunnerSpec::Model {
        provider: "local".into(),
        model: "third".into(),
        parameters: ModelParameters { temperature: Some(3.0), ..ModelParameters::default() },
        price: None,
        fallback: None,
    };
    let simulated = RunnerSpec::Simulated { temperament: Temperament::Balanced };
    for (fallback, field) in [
        (simulated, "fallback"),
        (model("first", None), "fallback"),
        (model("second", Some(model("third", None))), "fallback.fallback"),
        (warm, "fallback.temperature"),
        (unpriced, "limits.cost_micros"),
    ] {
        let mut rules = consensus(1);
        rules.limits.cost_micros = Some(1_000_000);
        let runner = model("first", Some(fallback));
        let at = |path: &str| {
            if field.starts_with("limits") { field.to_owned() } else { format!("{path}.{field}") }
        };
        let mut seated = spec(&["Ada", "Ben"], rules.clone());
        seated.participants[1].runner = runner.clone();
        let mut offered = spec(&["Ada"], rules.clone());
        offered.models =
            vec![ModelOffer { name: "deep".into(), runner: runner.clone(), good_at: String::new() }];
        let mut facilitated = spec(&["Ada"], rules);
        facilitated.facilitator = Some(Facilitator { runner, system_prompt: String::new() });
        for (spec, path) in
            [(seated, "participants[1]"), (offered, "models[0]"), (facilitated, "facilitator")]
        {
            let command = Command::Create { by: Actor::owner(), spec: Box::new(spec) };
            match Transaction::blank().is_refused(command) {
                Refusal::Invalid { field, hint, .. } => {
                    assert_eq!(field, at(path));
                    assert!(!hint.is_empty());
                }
                other => panic!("{field}: {other}"),
            }
        }
    }
}

fn size(prompt: &Prompt) -> u64 {
    prompt.messages.iter().map(|message| estimate_tokens(&message.content)).sum()
}

fn any_failure() -> impl Strategy<Value = Failure> {
    let kind = prop_oneof![
        3 => Just(FailureKind::ContextTooLong),
        3 => Just(FailureKind::Network),
        4 => prop::sample::select(TROUBLES.to_vec()),
    ];
    let usage = proptest::option::of((0u64..3000, 0u64..2000, any::<bool>()));
    (kind, any::<bool>(), 0..2 * LIMIT_MS, usage).prop_map(|(kind, doubtful, latency_ms, usage)| Failure {
        doubtful,
        latency_ms,
        usage: usage.map(|(input_tokens, output_tokens, estimated)| Usage {
            input_tokens,
            output_tokens,
            estimated,
            ..Usage::default()
        }),
        ..failure(kind)
    })
}

/// The fate of a call.
#[derive(Debug, Clone)]
enum Fate {
    Answered,
    Garbage,
    Failed(Failure),
    Retried(u64, u64),
    Crash,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => Just(Fate::Answered),
        2 => Just(Fate::Garbage),
        6 => any_failure().prop_map(Fate::Failed),
        1 => (0u64..3000, 0u64..2000).prop_map(|(input, output)| Fate::Retried(input, output)),
        1 => Just(Fate::Crash),
    ]
}

/// Applies one fate to the first call. The usage stays within the reserve, as with models that keep to the
/// token limit of an answer.
fn happens(table: &mut Transaction, fate: &Fate) {
    let Some(call) = table.calls().into_iter().next() else { return };
    let prompt = context(&table.meeting, &call);
    let held = table.meeting.calls[&call.id].reserved.tokens;
    let within = |usage: Usage| {
        let output_tokens = usage.output_tokens.min(u64::from(prompt.max_tokens));
        let room = held.saturating_sub(u64::from(prompt.max_tokens));
        let input_tokens = usage.input_tokens.min(room);
        Usage { output_tokens, input_tokens, cache_write_tokens: input_tokens / 2, ..usage }
    };
    let answered = |text: &str| Outcome::Answered(Answer { usage: within(answer("").usage), ..answer(text) });
    let outcome = match fate {
        Fate::Answered => answered(&good_answer(&table.meeting, &call, 60)),
        Fate::Garbage => answered("{"),
        Fate::Failed(failure) => {
            Outcome::Failed(Failure { usage: failure.usage.map(within), ..failure.clone() })
        }
        Fate::Retried(input_tokens, output_tokens) => {
            let usage = within(Usage {
                input_tokens: *input_tokens,
                output_tokens: *output_tokens,
                ..Usage::default()
            });
            let (kind, detail) = (FailureKind::Overloaded, "busy".to_owned());
            let retry = Box::new(Retry { request: 1, kind, detail: detail.into(), wait_ms: 5, usage });
            table.execute(Command::NoteRetry { task: call.id, attempt: call.attempt, retry });
            return;
        }
        Fate::Crash => {
            table.recovers();
            return;
        }
    };
    let command = interpret(&table.meeting, &call, outcome);
    table.execute(command);
}

proptest! {
    #![proptest_config(cases(96))]

    /// Feature: ai-agent-meeting, Property 7: whatever fails, each failure action is taken at most once for a
    /// task, but for a context that is shortened until it fits or nothing is left to cut; a fallback answers only after one was called for, and a replay comes out the same.
    #[test]
    fn p07_each_failure_action_is_taken_once(fallback in any::<bool>(), fates in vec(fate(), 1..60)) {
        let mut table = table(&["Ada", "Ben", "Cid"], fallback, consensus(2));
        fates.iter().for_each(|fate| happens(&mut table, fate));
        let mut taken: BTreeMap<TaskId, Vec<FailureAction>> = BTreeMap::new();
        let mut lost = Vec::new();
        for event in &table.log {
            match &event.body {
                EventBody::CallEnded { task, then: Some(way), .. } => {
                    let had = taken.entry(*task).or_default();
                    let times = had.iter().filter(|other| *other == way).count();
                    let most = if *way == FailureAction::Shorter { 6 } else { 1 };
                    prop_assert!(times < most, "{task}: {way:?} {times} times");
                    prop_assert!(*way != FailureAction::Again || !lost.contains(task), "{task} again after a crash");
                    had.push(*way);
                }
                EventBody::CallEnded { task, end: CallEnd::Lost, .. } => lost.push(*task),
                EventBody::CallStarted { task, fallback: used, .. } => {
                    let called_for = taken.get(task).is_some_and(|had| had.contains(&FailureAction::Fallback));
                    prop_assert_eq!(used.is_some(), called_for, "{}", task);
                    prop_assert!(used.is_none() || fallback);
                }
                // The task was given up; a new request for it starts with an unused failure policy.
                EventBody::Error { task, .. } => {
                    taken.remove(task);
                    lost.retain(|other| other != task);
                }
                _ => {}
            }
        }
        prop_assert_eq!(table.replayed(), table.meeting.clone());
        let owed: Vec<Call> = table.calls();
        prop_assert!(owed.iter().all(|call| call.timeout_ms >= 1 && call.timeout_ms <= LIMIT_MS));
    }

    /// The total never exceeds the budget, whatever is retried, repeated or handed to a fallback.
    #[test]
    fn a_budget_is_exact_to_the_reserve(
        fates in vec(fate(), 1..60), tokens in 2_000u64..60_000, cost_micros in 2_000u64..200_000,
    ) {
        let mut rules = consensus(2);
        rules.limits.tokens = Some(tokens);
        rules.limits.cost_micros = Some(cost_micros);
        let mut table = table(&["Ada", "Ben"], true, rules);
        for fate in &fates {
            happens(&mut table, fate);
            let m = &table.meeting;
            let held = m.calls.values().map(|call| call.reserved.tokens).sum::<u64>();
            prop_assert!(m.spent.usage.total() + held <= tokens, "{:?} + {held} of {tokens}", m.spent);
            let held = m.calls.values().map(|call| call.reserved.cost_micros).sum::<u64>();
            prop_assert!(m.spent.cost_micros + held <= cost_micros, "{:?} + {held} of {cost_micros}", m.spent);
            prop_assert_eq!(m.spent.unpriced_calls, 0);
        }
    }

    /// A context that did not fit is asked for again with at most half of the messages, and the same task.
    #[test]
    fn a_context_that_did_not_fit_is_shorter(
        words in vec("[a-z ,.一-龥]{60,400}[a-z]", 4..16), chinese in any::<bool>(), view in 0usize..4,
    ) {
        let mut rules = Format::Discussion.rules();
        rules.context.view = [ContextScope::Record, ContextScope::SinceOwnWord, ContextScope::Round, ContextScope::Layered][view];
        let mut spec = spec(&["Ada", "Ben", "Cid"], rules);
        spec.language = if chinese { Language::Zh } else { Language::En };
        let mut table = Transaction::started(spec);
        let base = size(&context(&table.meeting, &table.calls()[0]));
        for line in &words {
            let Some(call) = table.calls().into_iter().next() else { break };
            match call.participant {
                Some(_) => _ = table.answers(&call, line),
                None => table.answers_well(&call, 60),
            }
        }
        prop_assume!(!table.meeting.is_over() && !table.calls().is_empty());
        let call = table.calls().remove(0);
        let before = context(&table.meeting, &call);
        // A first reader, or one that has just spoken, has next to nothing to leave out.
        prop_assume!(size(&before) > base + 300);
        let events = comes(&mut table, &call, failure(FailureKind::ContextTooLong));
        prop_assert_eq!(then(&events), Some(FailureAction::Shorter));
        let again = table.calls().into_iter().find(|other| other.id == call.id).expect("it is asked again");
        let after = context(&table.meeting, &again);
        let task = |prompt: &Prompt| prompt.messages.last().map(|last| last.content[prompt.task_at..].to_owned());
        prop_assert_eq!(task(&after), task(&before), "the task is the same");
        prop_assert_eq!(&after.system, &before.system);

        prop_assert!(size(&after) < size(&before));
        let opening_and_task = base + 200;
        prop_assert!(size(&after) <= size(&before) / 2 + opening_and_task, "{} of {}", size(&after), size(&before));
        prop_assert_eq!(context(&table.replayed(), &again), after.clone(), "and the same after a crash");
        let (mut last, mut left) = (size(&after), 6);
        while let Some(again) = table.calls().into_iter().find(|other| other.id == call.id) {
            let events = comes(&mut table, &again, failure(FailureKind::ContextTooLong));
            if then(&events).is_none() {
                break;
            }
            let again = table.calls().into_iter().find(|other| other.id == call.id).expect("it is asked again");
            let now = size(&context(&table.meeting, &again));
            prop_assert!(now < last, "{now} of {last}");
            (last, left) = (now, left - 1);
            prop_assert!(left > 0, "there is an end to it");
        }
    }

    /// A server's report of its window is remembered: the shortened prompt stays a tenth below it, and so do
    /// all later prompts for the same model, as that server counts.
    #[test]
    fn a_window_that_was_named_is_kept_to(
        words in vec("[a-z ,.一-龥]{100,400}[a-z]", 8..20), tokens in 2_000u64..5_000, per_mille in 300u64..1_400,
    ) {
        let mut spec = spec(&["Ada", "Ben", "Cid"], Format::Discussion.rules());
        let runner = model("first", None);
        spec.participants.iter_mut().for_each(|one| one.runner = runner.clone());
        let mut table = Transaction::started(spec);
        let counted = |prompt: &Prompt| {
            let words = prompt.messages.iter().map(|message| estimate_tokens(&message.content)).sum::<u64>();
            (words + estimate_tokens(&prompt.system)) * per_mille / 1000
        };
        let (mut refused, mut mute) = (0, 0);
        for line in &words {
            // A server that refuses what does not fit, and says how much that was.
            let call = loop {
                let Some(call) = table.calls().into_iter().next() else { return Ok(()) };
                let prompt_tokens = counted(&context(&table.meeting, &call));
                if prompt_tokens < tokens || call.participant.is_none() {
                    break call;
                }
                refused += 1;
                let window = Some(ContextWindow { tokens, prompt_tokens: Some(prompt_tokens) });
                let events = comes(&mut table, &call, Failure { window, ..failure(FailureKind::ContextTooLong) });
                if then(&events).is_none() {
                    mute += 1;
                    break table.calls().into_iter().next().ok_or_else(|| TestCaseError::reject("over"))?;
                }
            };
            match call.participant {
                Some(_) => _ = table.answers(&call, line),
                None => table.answers_well(&call, 60),
            }
            prop_assume!(mute == 0);
        }
        prop_assert!(refused <= 2, "{refused} prompts were refused");
        prop_assert_eq!(table.replayed(), table.meeting.clone());
    }
}
