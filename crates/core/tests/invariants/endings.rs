//! Every meeting comes to its end, within its rounds and its budgets.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use super::{cases, invariant_rules};
use crate::support::any;
use crate::support::*;

/// The largest number of calls of a meeting, when people resume it `resumes` times and each of its tasks is
/// asked for `asked` times.
fn calls_at_most(spec: &MeetingSpec, resumes: u64, asked: u64) -> u64 {
    let seats = spec.participants.len() as u64;
    let turns = &spec.rules.turns;
    // Each participant's own turn and those by mention; and once more for all when all of them failed.
    let turns_per_round = seats * (1 + u64::from(turns.extra_turns)) + seats;
    let rounds = u64::from(spec.rules.limits.max_rounds) + u64::from(turns.blind_round);
    // Beside the turns a vote each, a summary and a facilitation.
    let per_round = turns_per_round + seats + 2;
    asked * (rounds * per_round + resumes * seats + 1)
}

/// Plays on until it is over, resuming when it rests; gives the number of calls and of resumes.
fn plays_out(
    table: &mut Transaction,
    manners: &[Manner],
    usage: impl Fn(&Transaction, &Call) -> Option<Usage>,
) -> (u64, u64) {
    let (mut calls, mut resumes) = (0, 0);
    for step in 0.. {
        if table.meeting.is_paused() {
            resumes += 1;
            // A meeting without any answer pauses for ever; a person would give up at some time.
            if resumes > 5 { table.ends("nobody answers") } else { table.resumes() }
        }
        let owed = table.calls();
        if owed.is_empty() && !table.meeting.is_paused() {
            return (calls, resumes);
        }
        if let Some(call) = owed.get(step % owed.len().max(1)) {
            calls += 1;
            let outcome = manners[step % manners.len()].outcome(&table.meeting, call);
            let Command::Deliver(mut delivery) = interpret(&table.meeting, call, outcome) else {
                panic!("an outcome is always a delivery");
            };
            delivery.usage = usage(table, call);
            table.execute(Command::Deliver(delivery));
        }
        assert!(calls < 5_000, "the meeting does not come to an end");
    }
    unreachable!("the steps do not end")
}

/// The usage of a call: some part of its reserve.
fn honest_usage(table: &Transaction, call: &Call, part: u64) -> Option<Usage> {
    let reserved = table.meeting.calls[&call.id].reserved.tokens;
    let output = u64::from(context(&table.meeting, call).max_tokens);
    let input = reserved.saturating_sub(output);
    (part > 0).then(|| Usage {
        input_tokens: input * part / 4,
        output_tokens: output.min(reserved) * part / 4,
        ..Usage::default()
    })
}

proptest! {
    #![proptest_config(cases(128))]

    /// This many calls are enough for any answers.
    #[test]
    fn every_meeting_ends_within_the_bounds_of_its_rules(
        spec in any::sound_founding(),
        manners in prop::collection::vec(any_manner(), 1..30),
    ) {
        let mut table = Transaction::started(spec.clone());
        let (calls, resumes) = plays_out(&mut table, &manners, |_, _| None);
        prop_assert!(table.meeting.is_over());
        prop_assert!(table.meeting.conclusion.is_some());
        let too_long = manners.iter().any(|manner| matches!(manner, Manner::TaskFailure(FailureKind::ContextTooLong)));
        // A second time each, and that again for each of the six times that a context is shortened.
        let most = calls_at_most(&spec, resumes, if too_long { 14 } else { 2 });
        prop_assert!(calls <= most, "{calls} calls, though {most} are enough");
        invariant_rules::of_the_log(&table)?;
    }

    /// Budgets of tokens and money are never passed, and a meeting that reaches one says so and
    /// still concludes.
    #[test]
    fn no_budget_is_ever_passed(
        spec in any::sound_founding(),
        manners in prop::collection::vec(any_manner(), 1..20),
        tokens in prop::option::of(0u64..80_000),
        cost_micros in prop::option::of(0u64..160_000),
        parts in prop::collection::vec(0u64..=4, 1..9),
    ) {
        let mut spec = spec;
        for newcomer in &mut spec.participants {
            *newcomer = priced(&newcomer.name);
        }
        spec.rules.limits.tokens = tokens;
        spec.rules.limits.cost_micros = cost_micros;
        spec.rules.limits.provider_wait_ms = 0;
        let mut table = Transaction::started(spec);
        plays_out(&mut table, &manners, |table, call| {
            let part = parts[table.log.len() % parts.len()];
            honest_usage(table, call, part)
        });
        prop_assert!(table.meeting.is_over());
        prop_assert!(table.meeting.conclusion.as_ref().is_some_and(|c| !c.text.trim().is_empty()));
        let reached = table.log.iter().find_map(|event| match event.body {
            EventBody::BudgetReached { budget, .. } => Some(budget),
            _ => None,
        });
        if let (Some(MeetingOutcome::Aborted(AbortReason::Budget { budget })), reached) = (table.meeting.outcome(), reached) {
            prop_assert_eq!(Some(*budget), reached);
        }
        invariant_rules::of_the_log(&table)?;
    }

    /// A table without a budget for a single call says at once that this is why it ends.
    #[test]
    fn a_meeting_that_cannot_afford_a_call_is_aborted_for_it(spec in any::sound_founding(), tokens in 1u64..300) {
        let mut spec = spec;
        spec.rules.limits.tokens = Some(tokens);
        let table = Transaction::started(spec);
        let aborted = MeetingOutcome::Aborted(AbortReason::Budget { budget: BudgetKind::Tokens });
        prop_assert_eq!(table.meeting.outcome(), Some(&aborted));
        prop_assert!(table.meeting.is_over() && table.meeting.conclusion.is_some());
        prop_assert_eq!(table.meeting.spent.calls, 0);
    }

    /// A meeting of any rules with good answers and default answers to its questions ends.
    #[test]
    fn a_meeting_of_any_rules_that_is_answered_well_ends_by_itself(
        spec in any::wide_founding(),
        scores in prop::collection::vec(50u8..=100, 1..5),
    ) {
        let mut table = Transaction::started(spec);
        let steps = ends_by_itself(&mut table, &scores)?;
        prop_assert!(steps < 700, "it took {steps} steps");
        invariant_rules::of_the_log(&table)?;
    }
}

proptest! {
    #![proptest_config(cases(10))]

    /// From every event of a meeting another can go on to the end, also from the middle of what
    /// followed from one command; and a process can take it up wherever one has died.
    #[test]
    fn a_fork_of_any_event_goes_on_to_the_end(
        spec in any::wide_founding(),
        scores in prop::collection::vec(50u8..=100, 1..5),
        asks in any::<bool>(),
    ) {
        let mut table = Transaction::started(spec);
        if asks && !table.meeting.is_over() {
            table.execute(Command::Invite { by: Actor::owner(), description: "somebody who counts".into() });
        }
        ends_by_itself(&mut table, &scores)?;
        let step = 1 + table.log.len() / 120;
        for at in (1..table.log.len()).step_by(step) {
            let mut fork = Transaction { meeting: Meeting::blank(MeetingId::new("fork"), RunId::new("run")), ..table.clone() };
            fork.log.truncate(at);
            fork.log.iter_mut().for_each(|event| event.meeting_id = MeetingId::new("fork"));
            for event in &fork.log {
                apply(&mut fork.meeting, event);
            }
            let spent = fork.meeting.spent;
            fork.execute(forks(table.meeting.id.as_str()));
            prop_assert!(fork.calls().is_empty(), "a fork asks nobody");
            prop_assert_eq!(fork.meeting.spent, spent, "a fork costs nothing");
            invariant_rules::of_pending(&fork.meeting)?;
            if matches!(fork.meeting.phase, Phase::Draft) {
                fork.starts();
            }
            ends_by_itself(&mut fork, &scores)?;
            invariant_rules::of_the_log(&fork)?;
        }
    }
}

/// Answers every call well and takes the defaults of every rest; gives the number of steps. Now and
/// then a process dies and another takes the meeting up.
fn ends_by_itself(table: &mut Transaction, scores: &[u8]) -> Result<usize, TestCaseError> {
    for step in 0..1_000 {
        if table.meeting.is_over() {
            return Ok(step);
        }
        if step % 7 == 5 {
            table.recovers();
        }
        invariant_rules::of_pending(&table.meeting)?;
        invariant_rules::of_a_rest(table)?;
        match table.calls().first() {
            Some(call) => table.answers_well(&call.clone(), scores[step % scores.len()]),
            None if table.meeting.is_paused() => table.resumes(),
            None => return Err(TestCaseError::fail(format!("it stands still in {:?}", table.meeting.phase))),
        }
    }
    Err(TestCaseError::fail(format!("it does not end:\n{}", table.transcript())))
}
