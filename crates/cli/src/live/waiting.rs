//! The state of a meeting that makes no progress: why it is paused, and which provider it waits for.

use quorate_contract::{BudgetKind, PauseReason, Timestamp};
use quorate_core::{Meeting, RunState};
use quorate_messages::text;
use quorate_print::Times;

use crate::language::Speech;

/// The reason of a pause in a sentence.
pub(crate) fn pause_text(speech: Speech, reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::UserRequest => text!(speech, "cli-waiting-meeting-paused"),
        PauseReason::MissingInfo => {
            text!(speech, "cli-waiting-meeting-paused-something-missing")
        }
        PauseReason::CheckIn => {
            text!(speech, "cli-waiting-meeting-paused-check-before-round")
        }
        PauseReason::NeedApproval => {
            text!(speech, "cli-waiting-meeting-paused-approval-needed")
        }
        PauseReason::AwaitingHost => text!(speech, "cli-waiting-meeting-waits-host"),
        PauseReason::NothingNew => {
            text!(speech, "cli-waiting-meeting-paused-nothing-new-said")
        }
        PauseReason::GateFailed => text!(speech, "cli-waiting-meeting-paused-artifact-did-not"),
        PauseReason::BudgetLimit => {
            text!(speech, "cli-waiting-meeting-paused-budget-used-up")
        }
        PauseReason::ToolApproval => text!(speech, "cli-waiting-meeting-paused-tool"),
        PauseReason::NobodyAnswered => text!(speech, "cli-waiting-meeting-paused-nobody-could-answer"),
    }
}

/// For whom it waits, and until when.
pub(crate) fn waiting(speech: Speech, names: &[String], next_try_at: Timestamp) -> String {
    let names = names.join(text!(speech, "common-list-separator"));
    let at = Times::of_machine().clock(next_try_at);
    text!(speech, "cli-waiting-waiting-next-try-at", %names, %at)
}

/// The state of a paused or waiting meeting in a sentence; `None` for a running one.
pub(crate) fn standing(meeting: &Meeting, speech: Speech) -> Option<String> {
    match &meeting.run_state {
        _ if meeting.is_over() => None,
        RunState::Paused { reason, .. } => Some(pause_text(speech, *reason).to_owned()),
        RunState::Running | RunState::PauseRequested { .. } => {
            let wait = meeting.provider_wait.as_ref()?;
            let line = waiting(speech, &wait.waiting_for, wait.next_try_at);
            Some(format!("◷ {line}"))
        }
    }
}

/// An amount of a budget with its unit.
pub(crate) fn budget_amount(speech: Speech, budget: BudgetKind, amount: u64) -> String {
    match budget {
        BudgetKind::Tokens => text!(speech, "cli-waiting-tokens", %amount),
        BudgetKind::Cost => format!("{:.4}", amount as f64 / 1e6),
        BudgetKind::WallTime => {
            let seconds = amount.div_ceil(1000);
            text!(speech, "cli-waiting-s", %seconds)
        }
    }
}
