//! Calls are made within the budget.

use quorate_contract::{
    AbortReason, BudgetAction, BudgetKind, EventBody, FailureKind, MeetingOutcome, RunnerSpec, TaskId,
};
use quorate_messages::message;

use super::{outage, pause};
use crate::accounting::budget;
use crate::decide::transaction::Transaction;
use crate::policy::pending::wanted;
use crate::prompt;
use crate::state::tasks::{fallback, is_request};
use crate::state::{Phase, RunState, TurnState};

pub(super) fn aborted_by(budget: BudgetKind) -> MeetingOutcome {
    MeetingOutcome::Aborted(AbortReason::Budget { budget })
}

/// Starts every call that the meeting needs and the budget allows. A call that does not fit waits while
/// others are in flight, because they may use less than their reserves; when none are, the budget is reached.
pub(super) fn dispatch(t: &mut Transaction) {
    for task in wanted(&t.meeting) {
        if t.meeting.calls.contains_key(&task) || outage::holds(&t.meeting, task, t.now) {
            continue;
        }
        let prompt = prompt::of_task(&t.meeting, task);
        let reserved = budget::reserve_for(&t.meeting, task, &prompt);
        match budget::fits(&t.meeting, task, &reserved) {
            Ok(()) => {
                let attempt = t.meeting.tries.get(&task).map_or(1, |tries| tries + 1);
                let other = t.meeting.failure_actions.get(&task).is_some_and(|had| had.fallback);
                let fallback = fallback(&t.meeting, task).filter(|_| other).map(RunnerSpec::label);
                let covers = match task {
                    TaskId::Artifact(..) => t.meeting.last_of(t.meeting.visible_messages()),
                    TaskId::Speak(_) | TaskId::Vote(..) | TaskId::Summarize(_) | TaskId::Facilitate(_) => {
                        None
                    }
                    TaskId::Conclude | TaskId::Intake(_) | TaskId::Team(_) | TaskId::Invite(_) => None,
                    TaskId::Evaluate(_) | TaskId::Minutes(_) => None,
                };
                t.emit(EventBody::CallStarted { task, attempt, reserved, fallback, covers });
                t.prompts.push((task, prompt));
            }
            Err(_) if !t.meeting.calls.is_empty() => return,
            Err(shortage) => {
                let budget::BudgetShortage { budget, limit, spent, needed } = shortage;
                t.emit(EventBody::BudgetReached { budget, limit, spent, needed });
                return out_of_budget(t, task, budget, limit);
            }
        }
    }
}

/// Cancels calls that are no longer needed under changed rules.
pub(super) fn drop_unwanted(t: &mut Transaction) {
    if matches!(t.meeting.run_state, RunState::PauseRequested { .. }) {
        return; // what is under way is waited for
    }
    let wanted = wanted(&t.meeting);
    t.cancel(|_, task| !wanted.contains(&task));
}

fn out_of_budget(t: &mut Transaction, task: TaskId, budget: BudgetKind, limit: u64) {
    let closing = matches!(t.meeting.phase, Phase::Closing { .. });
    if closing || is_request(&t.meeting, task) {
        // What is left is then drawn by the rules, from what was said.
        let detail = message!("failure-budget-too-small").into();
        let hint = message!("remedy-raise-budget").into();
        return t.fail(task, FailureKind::Budget, detail, hint);
    }
    match t.meeting.rules().limits.when_reached {
        BudgetAction::End => reach(t, budget),
        BudgetAction::Pause => pause::pause_for_budget(t, budget, limit),
    }
}

/// A budget is used up and stays as it is.
pub(crate) fn reach(t: &mut Transaction, budget: BudgetKind) {
    let round = t.meeting.round().into_iter();
    let open = round.flat_map(|round| &round.turns).filter(|turn| turn.state == TurnState::Open);
    let open: Vec<_> = open.map(|turn| (turn.id, turn.participant)).collect();
    for (turn, participant) in open {
        t.emit(EventBody::TurnFailed {
            turn,
            participant,
            kind: FailureKind::Budget,
            detail: message!("failure-budget-used-up").into(),
            hint: message!("remedy-fork-with-larger-budget").into(),
        });
    }
    t.close(aborted_by(budget));
}
