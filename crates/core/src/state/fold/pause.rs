//! The fold of resumes and of given-up tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{Actor, FailureKind, PARTICIPANTS_MAX, PauseReason, TaskId, TeamDecision, Timestamp};
use serde_json::Value;

use super::with_preparation;
use crate::state::{Answers, Meeting, Phase, RunState, Trouble};

pub(super) fn resume(
    m: &mut Meeting,
    seq: u64,
    at: Timestamp,
    by: &Actor,
    answers: &BTreeMap<String, Value>,
) {
    m.halt = None;
    m.waited_in_vain = false;
    let rest = std::mem::replace(&mut m.run_state, RunState::Running);
    let RunState::Paused { reason, questions, since, .. } = rest else { return };
    m.rested_ms = m.rested_ms.saturating_add(at.since_ms(since));
    m.heard_in = m.round_number();
    let answer = |key: &str| answers.get(key).and_then(Value::as_str);
    match reason {
        PauseReason::GateFailed => {
            let stuck: Vec<TaskId> = m.given_up.keys().copied().filter(|task| is_record(*task)).collect();
            for task in stuck {
                m.given_up.remove(&task);
                if answer("gate") == Some("by_rules") {
                    m.by_rules.insert(task);
                }
            }
        }
        PauseReason::UserRequest | PauseReason::MissingInfo | PauseReason::CheckIn => {}
        PauseReason::NobodyAnswered
        | PauseReason::NeedApproval
        | PauseReason::AwaitingHost
        | PauseReason::NothingNew
        | PauseReason::BudgetLimit => {}
    }
    // Answers about the topic are for all participants to read; answers that steer the meeting are not.
    if matches!(reason, PauseReason::MissingInfo | PauseReason::CheckIn) {
        let asked = questions.into_iter().filter(|question| question.key != "topic");
        let given = asked.filter_map(|question| Some((question.ask, answers.get(&question.key)?.clone())));
        let given: Vec<_> = given.collect();
        if !given.is_empty() {
            m.answers.push(Arc::new(Answers { seq, by: by.clone(), given }));
        }
    }
}

/// A person said whether those who are proposed are to come and go.
pub(super) fn review_team(m: &mut Meeting, decision: &TeamDecision) {
    let mut asked_again = None;
    with_preparation(m, |preparation| match decision {
        TeamDecision::Accepted { left_out } => {
            preparation.approved = Some(true);
            if let Some(proposal) = &mut preparation.proposal {
                proposal.candidates.retain(|one| !left_out.contains(&one.newcomer.name));
            }
        }
        TeamDecision::Rejected => preparation.approved = Some(false),
        TeamDecision::ProposeAgain { note } => {
            preparation.proposal = None;
            preparation.note = note.clone();
            asked_again = Some(TaskId::Team(preparation.round));
        }
    });
    // A facilitator that could not propose anything is asked once more, too.
    asked_again.inspect(|task| _ = m.given_up.remove(task));
}

pub(super) fn give_up(m: &mut Meeting, task: TaskId, kind: FailureKind, detail: &str) {
    // A new command for the task starts with an unused failure policy.
    m.failure_actions.remove(&task);
    // A failed request is not repeated by itself, and can be made again. Records for the end are asked for
    // again, and records that only the budget forbids are written by the rules.
    let kept = matches!(m.phase, Phase::Closing { .. }) || kind == FailureKind::Budget;
    match task {
        TaskId::Minutes(version) if !kept => {
            m.minutes_requests.remove(&version);
            return;
        }
        TaskId::Artifact(kind, version) if !kept => {
            m.artifact_requests.remove(&(kind, version));
            return;
        }
        // When no seat is left, the rules cannot add a participant either.
        TaskId::Invite(number) if m.present().count() >= PARTICIPANTS_MAX => {
            let one = m.invitations.iter_mut().find(|one| one.number == number);
            one.into_iter().for_each(|one| Arc::make_mut(one).done = true);
        }
        _ => {}
    }
    m.given_up.insert(task, Trouble { kind, detail: detail.to_owned() });
}

/// Clears the counts of attempts, because no task of the previous step is in flight any more. Requests of
/// people run beside the steps, and keep theirs.
pub(super) fn forget_tries(m: &mut Meeting) {
    let runs_beside = |task: TaskId| is_record(task) || matches!(task, TaskId::Invite(_));
    m.tries.retain(|task, _| runs_beside(*task));
    m.repairs.retain(|task, _| runs_beside(*task));
    m.failure_actions.retain(|task, _| runs_beside(*task));
}

/// Whether a task writes minutes or an artifact.
pub(super) fn is_record(task: TaskId) -> bool {
    matches!(task, TaskId::Minutes(_) | TaskId::Artifact(..))
}
