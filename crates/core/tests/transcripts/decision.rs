//! A decision: questions first, structured turns, convergence, artifacts through the gate.

use std::collections::BTreeMap;

use quorate_contract::*;
use quorate_core::*;
use serde_json::json;

use crate::support::*;

/// Without questions and artifacts, where they are not what a test is about.
fn decision(names: &[&str]) -> MeetingSpec {
    let mut spec = MeetingSpec { format: Format::Decision, ..spec(names, Format::Decision.rules()) };
    spec.rules.intake.when = IntakeTiming::Never;
    spec.rules.closing.artifacts.clear();
    spec
}

fn resume(answers: &[(&str, &str)]) -> Command {
    let answers: BTreeMap<_, _> =
        answers.iter().map(|(key, answer)| ((*key).to_owned(), json!(answer))).collect();
    Command::Resume { by: Actor::owner(), token: None, answers, take_defaults: false }
}

fn rests_for(table: &Transaction, reason: PauseReason) -> bool {
    matches!(&table.meeting.run_state, RunState::Paused { reason: why, .. } if *why == reason)
}

fn owes(table: &Transaction, wanted: impl Fn(TaskId) -> bool) -> bool {
    table.calls().iter().any(|call| wanted(call.id))
}

/// Ends the round with a summary that leaves so many questions and disagreements open.
fn sums_up(table: &mut Transaction, open: usize, divided: usize) {
    table.goes_until(|_, _| 60, |table| owes(table, |task| matches!(task, TaskId::Summarize(_))));
    let lines = |what: &str, count| (0..count).map(|n| format!("{what} {n}?")).collect::<Vec<_>>();
    let summary = json!({
        "summary": "so far", "positions": [{ "text": "a file", "holders": ["Ada", "Ben"] }],
        "open_questions": lines("who pays", open), "disagreements": lines("which disk", divided),
    });
    table.facilitator_answers(&summary.to_string());
}

#[test]
fn a_required_question_is_answered_before_the_table_begins() {
    let mut spec = decision(&["Ada", "Ben"]);
    spec.rules.intake.when = IntakeTiming::Start;
    let mut table = Transaction::started(spec);
    let call = table.facilitator_call();
    table.answers_well(&call, 0);
    assert!(rests_for(&table, PauseReason::MissingInfo));
    assert!(matches!(table.is_refused(resume(&[])), Refusal::AnswerMissing { .. }));
    assert!(matches!(table.is_refused(resume(&[("writers", "many")])), Refusal::BadAnswer { .. }));
    assert!(matches!(table.is_refused(resume(&[("disks", "2")])), Refusal::NotAsked { .. }));
    table.execute(resume(&[("writers", "3")]));
    assert_eq!(table.speaker(), "Ada");
    let answers = &table.meeting.answers[0].given;
    assert_eq!(answers, &[("How many writers?".into(), json!(3.0))]);
}

#[test]
fn a_turn_of_another_form_is_asked_for_once_more() {
    let mut table = Transaction::started(decision(&["Ada", "Ben"]));
    table.hears("Ada", "I think a file is enough, but let me not be pinned down.");
    assert_eq!(table.call_of("Ada").attempt, 2);
    assert!(context(&table.meeting, &table.call_of("Ada")).brief.repair.is_some());
    let call = table.call_of("Ada");
    table.answers_well(&call, 0);
    assert_eq!(table.speaker(), "Ben");
    assert_eq!(table.meeting.said.len(), 1);
}

#[test]
fn how_far_the_table_has_come_is_measured_after_each_round() {
    let mut table = Transaction::started(decision(&["Ada", "Ben"]));
    for _ in 0..5 {
        sums_up(&mut table, 3, 2);
        if matches!(table.meeting.phase, Phase::Closing { .. }) {
            break;
        }
    }
    let measured: Vec<u32> = table.meeting.metrics.iter().map(|metric| metric.round).collect();
    let rounds: Vec<u32> = table.meeting.rounds.iter().map(|round| round.number).collect();
    assert_eq!(measured, rounds);
    assert_eq!(table.meeting.metrics[0].open_questions_count, 3);
    assert_eq!(table.meeting.metrics[0].disagreements_count, 2);
}

#[test]
fn few_open_points_end_it_after_the_least_of_rounds() {
    let mut table = Transaction::started(decision(&["Ada", "Ben"]));
    sums_up(&mut table, 2, 1);
    assert_eq!(table.meeting.outcome(), None, "two rounds are the least");
    sums_up(&mut table, 2, 1);
    let by = ConvergenceTest::FewOpenPoints;
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Converged { by }));
}

#[test]
fn recommendations_that_stay_end_it() {
    let mut table = Transaction::started(decision(&["Ada", "Ben"]));
    sums_up(&mut table, 3, 2);
    sums_up(&mut table, 3, 2);
    assert_eq!(table.meeting.outcome(), None, "the first round states them");
    sums_up(&mut table, 3, 2);
    let by = ConvergenceTest::StableRecommendation;
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Converged { by }));
}

#[test]
fn artifacts_that_were_asked_for_early_and_passed_end_it() {
    let mut spec = decision(&["Ada", "Ben"]);
    spec.rules.closing.artifacts = vec![ArtifactKind::Adr];
    let mut table = Transaction::started(spec);
    sums_up(&mut table, 3, 2);
    table.goes_until(|_, _| 60, |table| owes(table, |task| matches!(task, TaskId::Summarize(_))));
    table.execute(Command::WriteArtifact { by: Actor::owner(), kind: ArtifactKind::Adr });
    let drawn = table.calls().into_iter().find(|call| matches!(call.id, TaskId::Artifact(..)));
    table.answers_well(&drawn.expect("it is asked for at once"), 0);
    sums_up(&mut table, 3, 2);
    let by = ConvergenceTest::Artifacts;
    assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Converged { by }));
    table.goes_on(|_, _| 60);
    assert_eq!(table.meeting.artifacts.len(), 1, "what is younger than the last word stands");
}

/// At the gate, with an artifact that has not passed it twice.
fn at_the_gate() -> Transaction {
    let mut spec = decision(&["Ada", "Ben"]);
    spec.rules.closing.artifacts = vec![ArtifactKind::Tasks];
    let mut table = Transaction::started(spec);
    table.goes_until(|_, _| 60, |table| owes(table, |task| matches!(task, TaskId::Artifact(..))));
    table.facilitator_answers("The tasks are plain to everybody.");
    assert!(context(&table.meeting, &table.facilitator_call()).brief.repair.is_some());
    table.facilitator_answers("I have said that they are plain.");
    let RunState::Paused { reason, questions, .. } = &table.meeting.run_state else { panic!("{table:?}") };
    assert_eq!(*reason, PauseReason::GateFailed);
    assert!(!questions[0].why.is_empty() && !questions[0].required, "it says what was wrong");
    table
}

#[test]
fn an_artifact_that_does_not_pass_is_tried_again() {
    let mut table = at_the_gate();
    table.execute(resume(&[("gate", "retry")]));
    assert_eq!(table.facilitator_call().attempt, 3, "no attempt has the number of another");
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    let authors: Vec<_> = table.meeting.artifacts.iter().map(|artifact| artifact.author.clone()).collect();
    assert_eq!(authors, [Actor::Facilitator]);
}

#[test]
fn an_artifact_that_does_not_pass_is_left_to_the_rules() {
    let mut table = at_the_gate();
    table.execute(resume(&[("gate", "by_rules")]));
    assert!(table.meeting.is_over());
    let authors: Vec<_> = table.meeting.artifacts.iter().map(|artifact| artifact.author.clone()).collect();
    assert_eq!(authors, [Actor::System]);
}

/// A meeting that rests because its budget does not allow the next call.
fn out_of_budget() -> Transaction {
    let mut spec = decision(&["Ada", "Ben"]);
    spec.rules.limits.tokens = Some(22_000);
    spec.rules.limits.when_reached = BudgetAction::Pause;
    let mut table = Transaction::started(spec);
    for _ in 0..200 {
        let Some(call) = table.calls().into_iter().next() else { break };
        let text = good_answer(&table.meeting, &call, 60);
        let usage = Usage { input_tokens: 1_000, output_tokens: 200, ..Usage::default() };
        let came = Outcome::Answered(Answer { usage, ..answer(&text) });
        let command = interpret(&table.meeting, &call, came);
        table.execute(command);
    }
    assert!(rests_for(&table, PauseReason::BudgetLimit), "{table:?}");
    table
}

#[test]
fn a_budget_is_raised_and_the_meeting_goes_on() {
    let mut table = out_of_budget();
    let round = table.meeting.round_number();
    let too_low = table.is_refused(resume(&[("budget", "100")]));
    assert!(matches!(too_low, Refusal::BadAnswer { .. }), "{too_low:?}");
    let used = table.meeting.spent.usage.total();
    let no_higher = table.is_refused(resume(&[("budget", &used.to_string())]));
    assert!(matches!(no_higher, Refusal::BadAnswer { .. }), "{no_higher:?}");
    table.execute(resume(&[("budget", &(used + 1).to_string())]));
    assert!(rests_for(&table, PauseReason::BudgetLimit), "it is not enough for a call");
    table.execute(resume(&[("budget", "500000")]));
    assert_eq!(table.meeting.rules().limits.tokens, Some(500_000));
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over() && table.meeting.round_number() >= round);
    assert!(!matches!(table.meeting.outcome(), Some(MeetingOutcome::Aborted(_))), "{table:?}");
}

#[test]
fn a_budget_that_is_not_raised_ends_the_meeting() {
    let mut table = out_of_budget();
    table.execute(resume(&[("budget", "0")]));
    table.goes_on(|_, _| 60);
    let aborted = MeetingOutcome::Aborted(AbortReason::Budget { budget: BudgetKind::Tokens });
    assert_eq!(table.meeting.outcome(), Some(&aborted));
    assert!(table.meeting.is_over() && table.meeting.conclusion.is_some());
}

#[test]
fn a_structured_turn_is_let_go_by_only_where_that_is_allowed() {
    let speaks = |may_skip: bool, text: &str| {
        let mut spec = decision(&["Ada", "Ben"]);
        spec.rules.turns.may_skip = may_skip;
        let mut table = Transaction::started(spec);
        table.hears("Ada", text);
        (table.speaker(), table.meeting.said.len())
    };
    let words = r#"{"pass": false, "statement": "One file.", "recommendation": "Begin with SQLite."}"#;
    for passes in ["[SKIP]", r#"{"pass": true}"#] {
        assert_eq!(speaks(true, passes), ("Ben".into(), 0));
        assert_eq!(speaks(false, passes), ("Ada".into(), 0), "she is told to answer");
    }
    assert_eq!(speaks(true, words), ("Ben".into(), 1));
    assert_eq!(speaks(false, words), ("Ben".into(), 1));
}
