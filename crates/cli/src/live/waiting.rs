//! The state of a meeting that makes no progress: why it is paused, and which provider it waits for.

use quorate_contract::{BudgetKind, PauseReason, Timestamp};
use quorate_core::{Meeting, RunState};
use quorate_print::Zone;

use crate::speech::Speech;

/// The reason of a pause in a sentence.
pub(crate) fn why_it_rests(speech: Speech, reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::UserRequest => speech.pick("会议已暂停", "the meeting is paused"),
        PauseReason::MissingInfo => {
            speech.pick("会议已暂停：需要补充信息", "the meeting is paused: something is missing")
        }
        PauseReason::CheckIn => {
            speech.pick("会议已暂停：轮次开始前的确认", "the meeting is paused: a check before the round")
        }
        PauseReason::NeedApproval => {
            speech.pick("会议已暂停：等待批准", "the meeting is paused: approval is needed")
        }
        PauseReason::AwaitingHost => speech.pick("等待主持人发言", "the meeting waits for the host"),
        PauseReason::NothingNew => {
            speech.pick("会议已暂停：没有新内容", "the meeting is paused: nothing new is said")
        }
        PauseReason::GateFailed => speech
            .pick("会议已暂停：工件未通过检查", "the meeting is paused: an artifact did not pass the gate"),
        PauseReason::BudgetLimit => {
            speech.pick("会议已暂停：预算已用尽", "the meeting is paused: a budget is used up")
        }
        PauseReason::NobodyAnswered => speech.pick(
            "会议已暂停：这一轮没有任何人能够回答",
            "the meeting is paused: nobody could answer in this round",
        ),
    }
}

/// For whom it waits, and until when.
pub(crate) fn waiting(speech: Speech, names: &[String], next_try_at: Timestamp) -> String {
    let names = names.join(speech.pick("、", ", "));
    let at = Zone::of_machine().clock(next_try_at);
    speech
        .pick(format!("正在等待 {names}，下次尝试在 {at}"), format!("waiting for {names}, next try at {at}"))
}

/// The state of a paused or waiting meeting in a sentence; `None` for a running one.
pub(crate) fn standing(meeting: &Meeting, speech: Speech) -> Option<String> {
    match &meeting.run_state {
        _ if meeting.is_over() => None,
        RunState::Paused { reason, .. } => Some(why_it_rests(speech, *reason).to_owned()),
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
        BudgetKind::Tokens => speech.pick(format!("{amount} 令牌"), format!("{amount} tokens")),
        BudgetKind::Cost => format!("{:.4}", amount as f64 / 1e6),
        BudgetKind::WallTime => {
            let seconds = amount.div_ceil(1000);
            speech.pick(format!("{seconds} 秒"), format!("{seconds} s"))
        }
    }
}
