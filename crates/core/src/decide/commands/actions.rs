//! What an agent reads and runs while it answers: it reports, and a person answers what it asks.

use quorate_contract::{
    ACTIONS_MAX, Action, ActionPermission, ActionStatus, EventBody, Person, Refusal, TaskId,
};

use crate::decide::transaction::Transaction;
use crate::state::CallInProgress;
use crate::state::tasks::answerer;

/// The most reports of one call: an action is asked about, answered and done.
const REPORTS_MAX: u32 = 4 * ACTIONS_MAX;

/// Records what an agent reports. What a person has said of it stays.
pub(super) fn report(t: &mut Transaction, task: TaskId, attempt: u32, action: Action) -> Result<(), Refusal> {
    let call = call(t, task, attempt)?;
    if call.action_reports >= REPORTS_MAX {
        return Ok(());
    }
    let mut action = Action { by: None, ..action.bounded() };
    match call.permissions.get(&action.number) {
        Some(asked) if asked.permission != ActionPermission::Asked => {
            // A person was faster than the end of the time to answer.
            if action.status == ActionStatus::Pending {
                return Ok(());
            }
            action.permission = asked.permission;
            action.by.clone_from(&asked.by);
        }
        // Only a person permits.
        Some(_) | None if action.permission == ActionPermission::Allowed => {
            action.permission = ActionPermission::NotNeeded;
        }
        Some(_) | None => {}
    }
    let participant = answerer(&t.meeting, task);
    t.emit(EventBody::AgentAction { participant, task, attempt, action });
    Ok(())
}

/// A person permits or refuses what an agent asks for. The first answer counts.
pub(super) fn permit(
    t: &mut Transaction,
    by: Person,
    task: TaskId,
    attempt: u32,
    number: u32,
    allowed: bool,
) -> Result<(), Refusal> {
    let asked = call(t, task, attempt)?.permissions.get(&number).cloned();
    let asked = asked.filter(|asked| asked.permission == ActionPermission::Asked);
    let Some(asked) = asked else { return Err(Refusal::TurnIsOver { task }) };
    let permission = if allowed { ActionPermission::Allowed } else { ActionPermission::Refused };
    let action = Action { permission, by: Some(by), status: ActionStatus::Pending, ..asked };
    let participant = answerer(&t.meeting, task);
    t.emit(EventBody::AgentAction { participant, task, attempt, action });
    Ok(())
}

fn call(t: &Transaction, task: TaskId, attempt: u32) -> Result<&CallInProgress, Refusal> {
    let call = t.meeting.calls.get(&task).filter(|call| call.attempt == attempt);
    call.ok_or(Refusal::TurnIsOver { task })
}
