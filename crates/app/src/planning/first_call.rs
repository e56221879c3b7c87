//! Whether the budget of a planned meeting has room for its first answer. One that has not would end as soon as it begins.

use quorate_contract::{
    Actor, BudgetAction, BudgetKind, Command, EventBody, MeetingId, MeetingSpec, RunId, Timestamp, WEB_SEARCH,
};
use quorate_core::{Meeting, Origin, apply, step};
use quorate_messages::message;

use crate::error::ServiceError;

/// Checks that something can be said within the budgets of tokens and money.
pub(super) fn check(spec: &MeetingSpec) -> Result<(), ServiceError> {
    let limits = &spec.rules.limits;
    let is_limited = limits.tokens.is_some() || limits.cost_micros.is_some();
    // One that pauses asks for more.
    if !is_limited || limits.when_reached != BudgetAction::End {
        return Ok(());
    }
    let Some((budget, limit, needed)) = first_shortage(spec) else { return Ok(()) };
    let searches = spec.tools.iter().any(|grant| grant.name == WEB_SEARCH);
    let (field, problem, needed) = match budget {
        BudgetKind::Tokens => {
            let problem = message!("app-budget-first-call-tokens", limit = %limit, needed = %needed);
            ("rules.limits.tokens", problem, needed.to_string())
        }
        BudgetKind::Cost => {
            let (limit, needed) = (money(limit), money(needed));
            let problem = message!("app-budget-first-call-cost", %limit, needed = &needed);
            ("rules.limits.cost_micros", problem, needed)
        }
        // Time is not reserved.
        BudgetKind::WallTime => return Ok(()),
    };
    let hint = match searches {
        true => message!("app-budget-first-call-search-hint", needed),
        false => message!("app-budget-first-call-hint", needed),
    };
    Err(ServiceError::usage(problem, hint).with("field", field))
}

/// The budget that the first call does not fit into, its limit, and what the call needs.
fn first_shortage(spec: &MeetingSpec) -> Option<(BudgetKind, u64, u64)> {
    let mut meeting = Meeting::blank(MeetingId::new("plan"), RunId::new("plan"));
    let create = Command::Create { by: Actor::owner(), spec: Box::new(spec.clone()) };
    for command in [create, Command::Start { by: Actor::owner() }] {
        // What cannot begin is refused where it is begun.
        let run = meeting.run.clone();
        for event in step(&meeting, &run, Origin::Fresh, command, Timestamp(0)).ok()? {
            if let EventBody::BudgetReached { budget, limit, needed, .. } = &event.body {
                return Some((*budget, *limit, *needed));
            }
            apply(&mut meeting, &event);
        }
    }
    None
}

/// An amount as people write it, rounded up.
fn money(micros: u64) -> String {
    let text = format!("{:.4}", micros.div_ceil(100) as f64 / 1e4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
