//! No provider can be reached: calls are held, one of them is tried again after a while, and a person is asked in the
//! end.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

/// A call to this provider's model.
fn of_provider(provider: &str) -> RunnerSpec {
    RunnerSpec::Model {
        provider: provider.into(),
        model: "small".into(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    }
}

/// Participants who all depend on one provider, as does the facilitator.
fn depending_on_one(rules: Rules) -> Transaction {
    let mut spec = spec(&["Ada", "Ben"], rules);
    spec.participants.iter_mut().for_each(|one| one.runner = of_provider("local"));
    spec.facilitator = Some(Facilitator { runner: of_provider("local"), system_prompt: String::new() });
    Transaction::started(spec)
}

/// A call fails, and its provider accepts none for so long.
fn fails_for(
    table: &mut Transaction,
    call: &Call,
    kind: FailureKind,
    retry_after_ms: Option<u64>,
) -> Vec<Event> {
    let Command::Deliver(mut delivery) = interpret(&table.meeting, call, Outcome::Failed(failure(kind)))
    else {
        unreachable!("an outcome is always a delivery")
    };
    delivery.retry_after_ms = retry_after_ms;
    table.execute(Command::Deliver(delivery))
}

/// How many times it was tried, when it is tried again, and when the meeting gives up: all from now on.
fn waits(table: &Transaction, events: &[Event]) -> Option<(u32, u64, u64)> {
    events.iter().find_map(|event| match &event.body {
        EventBody::ProviderWaitStarted { tries, next_try_at, gives_up_at, .. } => {
            let from_now = |at: Timestamp| (at.0 - table.now.0) as u64;
            Some((*tries, from_now(*next_try_at), from_now(*gives_up_at)))
        }
        _ => None,
    })
}

fn ended(events: &[Event]) -> Option<ProviderWaitEndReason> {
    events.iter().find_map(|event| match &event.body {
        EventBody::ProviderWaitEnded { reason } => Some(*reason),
        _ => None,
    })
}

fn waiting_ms(mut rules: Rules, ms: u64) -> Rules {
    rules.limits.provider_wait_ms = ms;
    rules
}

#[test]
fn a_provider_is_tried_again_at_growing_intervals_and_a_person_is_asked_in_the_end() {
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
    let mut gaps = Vec::new();
    let mut left = 200_000;
    loop {
        let [call] = &*table.calls() else { panic!("one call is the test: {:?}", table.calls()) };
        let events = fails_for(&mut table, &call.clone(), FailureKind::Network, None);
        let Some((tries, gap, gives_up)) = waits(&table, &events) else {
            assert_eq!(ended(&events), Some(ProviderWaitEndReason::GaveUp));
            break;
        };
        assert_eq!((tries as usize, gives_up), (gaps.len() + 1, left), "the end does not move");
        assert!(table.calls().is_empty(), "nothing is asked for in the meantime");
        gaps.push(gap);
        table.waits_ms(gap - 2);
        assert!(table.calls().is_empty(), "it is not time yet");
        table.waits_ms(0);
        left = left.saturating_sub(gap + 1);
    }
    // The last attempt is made when the meeting would give up.
    assert_eq!(gaps, [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 4994]);
    assert!(matches!(table.meeting.run_state, RunState::Paused { reason: PauseReason::NobodyAnswered, .. }));
    table.resumes();
    let call = table.call_of("Ada");
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert_eq!(
        waits(&table, &events),
        Some((1, 5000, 200_000)),
        "a person has resumed it, and it waits anew"
    );
}

#[test]
fn a_provider_that_says_when_it_accepts_calls_is_not_asked_before() {
    for (kind, retry_after_ms, gap) in [
        (FailureKind::RateLimit, Some(30_000), Some(30_000)),
        (FailureKind::RateLimit, Some(1000), Some(5000)),
        (FailureKind::Overloaded, None, Some(5000)),
        (FailureKind::TimedOut, Some(7000), Some(7000)),
        (FailureKind::TimedOut, None, None),
        (FailureKind::BadRequest, Some(7000), None),
    ] {
        let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
        let call = table.call_of("Ada");
        let events = fails_for(&mut table, &call, kind, retry_after_ms);
        assert_eq!(waits(&table, &events).map(|(_, gap, _)| gap), gap, "{kind:?} {retry_after_ms:?}");
        let speakers = if gap.is_some() { Vec::new() } else { vec!["Ben".to_owned()] };
        assert_eq!(table.speakers(), speakers);
    }
}

#[test]
fn the_meeting_goes_on_once_the_provider_answers() {
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
    table.loses("Ada");
    table.waits_ms(5000);
    let call = table.call_of("Ada");
    assert_eq!(call.attempt, 2);
    let events = table.answers(&call, "Here I am.");
    assert_eq!(ended(&events), Some(ProviderWaitEndReason::Reachable));
    let call = table.call_of("Ben");
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert_eq!(waits(&table, &events), Some((1, 5000, 200_000)), "another outage is waited for anew");
}

#[test]
fn while_somebody_can_be_reached_nobody_waits() {
    let rules = waiting_ms(Format::Discussion.rules(), 200_000);
    let mut spec = spec(&["Ada", "Ben"], rules);
    spec.participants[0].runner = of_provider("local");
    spec.participants[1].runner = of_provider("remote");
    let mut table = Transaction::started(spec.clone());
    table.loses("Ada");
    assert_eq!(table.speaker(), "Ben");
    assert!(table.meeting.provider_wait.is_none());
    table.loses("Ben");
    assert!(table.meeting.provider_wait.is_some(), "nobody is left");

    // An overloaded model does not speak for the other models of its provider.
    spec.participants[1].runner = of_provider("local");
    if let RunnerSpec::Model { model, .. } = &mut spec.participants[1].runner {
        *model = "large".into();
    }
    let mut table = Transaction::started(spec);
    let call = table.call_of("Ada");
    fails_for(&mut table, &call, FailureKind::Overloaded, None);
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn calls_that_were_under_way_when_it_began_are_no_further_attempts() {
    let mut table = depending_on_one(waiting_ms(consensus(2), 200_000));
    assert_eq!(table.calls().len(), 2, "both give their first answers at once");
    table.loses("Ada");
    let call = table.call_of("Ben");
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert_eq!(waits(&table, &events), Some((1, 5000, 199_999)), "it is the same attempt, a moment later");
    table.waits_ms(5000);
    let [call] = &*table.calls() else { panic!("one of them is the test: {:?}", table.calls()) };
    table.answers_well(&call.clone(), 60);
    assert_eq!(table.calls().len(), 1, "the other one follows");
    assert!(table.meeting.provider_wait.is_none());
}

#[test]
fn without_a_time_to_wait_a_failure_counts_at_once() {
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 0));
    table.loses("Ada");
    assert!(table.meeting.provider_wait.is_none());
    assert_eq!(table.speaker(), "Ben");
}

#[test]
fn a_conclusion_is_written_by_the_rules_when_the_wait_was_in_vain() {
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 10_000));
    table.hears("Ada", "One file is easy to keep.");
    table.goes_until(|_, _| 60, |table| table.calls().iter().any(|call| call.id == TaskId::Conclude));
    let call = table.facilitator_call();
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert!(waits(&table, &events).is_some(), "it is waited for while the meeting closes");
    for _ in 0..3 {
        table.waits_ms(10_000);
        if let Some(call) = table.calls().into_iter().next() {
            fails_for(&mut table, &call, FailureKind::Network, None);
        }
    }
    assert_eq!(table.meeting.conclusion.as_ref().map(|one| one.by.clone()), Some(Actor::System));
}

#[test]
fn a_second_failure_that_changes_nothing_is_not_told_again() {
    let mut table = depending_on_one(waiting_ms(consensus(2), 5000));
    table.loses("Ada");
    let call = table.call_of("Ben");
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert_eq!(waits(&table, &events), None, "the last attempt is made at the same moment");
    assert!(table.meeting.provider_wait.is_some());
}

#[test]
fn a_call_from_before_the_outage_that_fails_late_does_not_end_the_wait() {
    let mut table = depending_on_one(waiting_ms(consensus(2), 10_000));
    table.loses("Ada");
    table.waits_ms(20_000);
    let call = table.call_of("Ben");
    let events = fails_for(&mut table, &call, FailureKind::Network, None);
    assert_eq!(ended(&events), None, "no attempt was made since");
    assert!(!table.meeting.is_paused());
    table.waits_ms(1);
    let [call] = &*table.calls() else { panic!("one of them is the test: {:?}", table.calls()) };
    fails_for(&mut table, &call.clone(), FailureKind::Network, None);
    assert!(table.meeting.is_paused());
}

#[test]
fn a_meeting_that_a_person_ends_or_pauses_waits_for_no_provider() {
    for rules in [Format::Discussion.rules(), consensus(2)] {
        let mut table = depending_on_one(waiting_ms(rules, 200_000));
        table.goes_to_round(1);
        table.goes_until(|_, _| 60, |table| table.meeting.said.iter().any(|said| said.turn.is_some()));
        table.ends("");
        let call = table.facilitator_call();
        fails_for(&mut table, &call, FailureKind::Network, None);
        assert!(table.meeting.provider_wait.is_none());
        assert!(table.meeting.conclusion.is_some(), "the rules write it at once");
    }
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
    table.pauses();
    table.loses("Ada");
    assert!(table.meeting.is_paused() && table.meeting.provider_wait.is_none());
    table.resumes();
    assert_eq!(table.speaker(), "Ben", "the failure has counted");
}

#[test]
fn one_provider_of_two_that_answers_is_enough_to_go_on() {
    let mut spec = spec(&["Ada", "Ben", "Cid"], waiting_ms(consensus(2), 200_000));
    spec.participants[0].runner = of_provider("local");
    spec.participants[1].runner = of_provider("remote");
    spec.participants[2].runner = of_provider("remote");
    let mut table = Transaction::started(spec);
    table.loses("Cid");
    assert!(table.meeting.provider_wait.is_none(), "Ada can go on");
    table.loses("Ada");
    table.loses("Ben");
    assert!(table.calls().is_empty(), "both are held");
    table.waits_ms(10_000);
    let call = table.call_of("Ada");
    assert_eq!(table.calls(), std::slice::from_ref(&call), "one of them is the test");
    let text = good_answer(&table.meeting, &call, 60);
    let events = table.answers(&call, &text);
    assert_eq!(ended(&events), Some(ProviderWaitEndReason::Reachable), "Ben's may still be out of reach");
    assert_eq!(table.speaker(), "Ben");
    table.loses("Ben");
    assert!(table.meeting.provider_wait.is_none(), "nobody waits for it while Ada can go on");
}

#[test]
fn a_pause_that_somebody_asks_for_does_not_say_that_the_provider_was_reached() {
    let mut table = depending_on_one(waiting_ms(consensus(2), 200_000));
    table.loses("Ada");
    let events = table.execute(Command::Pause { by: Actor::owner(), at_once: false });
    assert_eq!(ended(&events), None);
}

#[test]
fn once_others_have_the_floor_nobody_waits_for_the_provider() {
    let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
    table.loses("Ada");
    table.joins("Cid");
    table.leaves("Ada");
    assert!(table.meeting.provider_wait.is_some(), "Ben depends on it, too");
    table.leaves("Ben");
    assert_eq!(table.speaker(), "Cid");
    assert!(table.meeting.provider_wait.is_none());
}

#[test]
fn whoever_resumes_has_the_providers_tried_at_once() {
    let (by, token, answers) = (Actor::owner(), None, Default::default());
    let resume = Command::Resume { by, token, answers, take_defaults: true };
    let (by, token, answers) = (Actor::owner(), None, Default::default());
    let advance = Command::Advance { by, until: None, token, answers, take_defaults: true };
    for command in [resume, advance] {
        let mut table = depending_on_one(waiting_ms(Format::Discussion.rules(), 200_000));
        table.loses("Ada");
        assert!(table.calls().is_empty());
        let events = table.execute(command);
        assert_eq!(ended(&events), Some(ProviderWaitEndReason::Resumed));
        assert_eq!(table.speaker(), "Ada");
    }
}
