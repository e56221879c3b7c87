//! The fold of resumes, and of what a person decided about a team.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_contract::{Actor, Resumption, TaskId, TeamDecision, Timestamp};
use serde_json::Value;

use super::with_preparation;
use crate::state::{Answers, Meeting, RunState};

pub(super) fn resume(
    m: &mut Meeting,
    seq: u64,
    at: Timestamp,
    by: &Actor,
    answers: &BTreeMap<String, Value>,
    then: &Resumption,
) {
    m.planned_pause = None;
    m.waited_in_vain = false;
    let rest = std::mem::replace(&mut m.run_state, RunState::Running);
    let RunState::Paused { questions, since, .. } = rest else { return };
    m.paused_ms = m.paused_ms.saturating_add(at.since_ms(since));
    if by.as_participant().is_none() {
        m.heard_in = m.round_number();
    }
    for task in then.asked_again.iter().chain(&then.by_rules) {
        m.given_up.remove(task);
    }
    m.by_rules.extend(&then.by_rules);
    let shared = questions.iter().filter(|question| then.shared.contains(&question.key));
    let given =
        shared.filter_map(|question| Some((question.ask.clone(), answers.get(&question.key)?.clone())));
    let given: Vec<_> = given.collect();
    if !given.is_empty() {
        m.answers.push(Arc::new(Answers { seq, by: by.clone(), given }));
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
