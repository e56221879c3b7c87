//! Pauses: what they ask, who may answer, and how a meeting goes on.

use std::collections::BTreeMap;

use quorate_contract::*;
use quorate_core::*;
use serde_json::{Value, json};

use crate::support::*;

fn resume(token: Option<&str>, answers: &[(&str, Value)], take_defaults: bool) -> Command {
    let answers: BTreeMap<_, _> =
        answers.iter().map(|(key, answer)| ((*key).to_owned(), answer.clone())).collect();
    Command::Resume { by: Actor::owner(), token: token.map(str::to_owned), answers, take_defaults }
}

fn rests_for(table: &Transaction, reason: PauseReason) -> bool {
    matches!(&table.meeting.run_state, RunState::Paused { reason: why, .. } if *why == reason)
}

#[test]
fn a_resume_is_for_the_pause_that_it_names_or_for_the_present_one() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    assert_eq!(table.is_refused(resume(None, &[], true)), Refusal::NotPaused);
    table.pauses_at_once();
    let RunState::Paused { token, .. } = table.meeting.run_state.clone() else { panic!("{table:?}") };
    table.execute(resume(Some(&token), &[], true));
    assert_eq!(table.speaker(), "Ada");
    table.pauses_at_once();
    assert_eq!(table.is_refused(resume(Some(&token), &[], true)), Refusal::WrongResumeToken);
    table.execute(resume(None, &[], true));
    assert_eq!(table.speaker(), "Ada");
}

#[test]
fn a_topic_that_is_given_holds_also_when_all_else_is_left_to_the_defaults() {
    let mut spec = MeetingSpec { facilitator: None, ..discussion(&["Ada"], 2) };
    spec.rules.intake.when = IntakeTiming::EachRound;
    let mut table = Transaction::started(spec);
    assert!(rests_for(&table, PauseReason::CheckIn));
    table.execute(resume(None, &[("topic", json!("Is a file enough?"))], true));
    assert_eq!(table.meeting.settings.topic, "Is a file enough?");
}

#[test]
fn a_budget_of_one_is_a_budget_and_none_is_the_end() {
    let mut spec = discussion(&["Ada"], 2);
    (spec.rules.limits.tokens, spec.rules.limits.when_reached) = (Some(10), BudgetAction::Pause);
    let mut table = Transaction::started(spec);
    for limit in [1, 2] {
        assert!(rests_for(&table, PauseReason::BudgetLimit));
        table.execute(resume(None, &[("budget", json!(limit))], false));
        assert_eq!(table.meeting.rules().limits.tokens, Some(limit));
    }
    assert!(rests_for(&table, PauseReason::BudgetLimit), "it is too small for a call");
    table.execute(resume(None, &[("budget", json!(0))], false));
    let budget = BudgetKind::Tokens;
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Aborted(AbortReason::Budget { budget })));
}

#[test]
fn a_meeting_is_ended_once() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.hears("Ada", "One file is easy to keep.");
    table.ends("enough");
    assert!(matches!(table.meeting.phase, Phase::Closing { .. }), "the conclusion is being written");
    let end = Command::End { by: Actor::owner(), note: String::new() };
    assert_eq!(table.is_refused(end), Refusal::MeetingIsOver);
}

#[test]
fn a_pause_does_not_wait_for_somebody_who_goes_offline_with_the_floor() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.pauses();
    assert!(!table.meeting.is_paused(), "Ada has the floor");
    let (by, participant) = (Actor::owner(), "Ada".into());
    table.execute(Command::SetPresence { by, participant, presence: Presence::Offline });
    assert!(rests_for(&table, PauseReason::UserRequest) && table.calls().is_empty());
    table.resumes();
    assert_eq!(table.speaker(), "Ben");
}
