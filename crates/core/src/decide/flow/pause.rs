//! Pauses, and the questions that they ask.

use quorate_contract::{Actor, BudgetKind, EventBody, PauseReason, Phrase, Question, QuestionKind};
use quorate_messages::{Message, message, text};
use serde_json::json;

use crate::decide::transaction::Transaction;
use crate::policy::order;
use crate::state::Meeting;

/// Pauses the meeting. Calls of the discussion in flight are made again after the resume.
pub(crate) fn pause(t: &mut Transaction, reason: PauseReason, questions: Vec<Question>, by: Actor) {
    pause_about(t, reason, questions, by, None);
}

fn pause_about(
    t: &mut Transaction,
    reason: PauseReason,
    questions: Vec<Question>,
    by: Actor,
    budget: Option<BudgetKind>,
) {
    t.cancel_course();
    // A resume has to name this pause; the number makes the tokens of one meeting differ.
    let number = order::mix(&[t.meeting.settings.seed, t.meeting.seq]);
    t.emit(EventBody::Pause {
        pause_reason: reason,
        resume_token: format!("{number:016x}"),
        questions,
        suggested_next: reason.suggested_next().as_str().to_owned(),
        by,
        budget,
    });
}

/// Pauses for a reason of the meeting's own.
pub(super) fn ask(t: &mut Transaction, reason: PauseReason, questions: Vec<Question>) {
    pause(t, reason, questions, Actor::System);
}

/// A question with a few possible answers.
pub(super) fn choice(key: &str, ask: Message, choices: &[&str], default: &str) -> Question {
    Question {
        key: key.to_owned(),
        ask: ask.into(),
        why: Phrase::default(),
        required: true,
        kind: QuestionKind::Choice { choices: choices.iter().map(|&one| one.to_owned()).collect() },
        default: Some(json!(default)),
    }
}

/// Words; nothing holds when they are not given.
pub(super) fn words(key: &str, ask: Message) -> Question {
    Question {
        key: key.to_owned(),
        ask: ask.into(),
        why: Phrase::default(),
        required: false,
        kind: QuestionKind::Text,
        default: None,
    }
}

/// Pauses because agents say nothing new, or have gone on by themselves for long. Only a person ends the meeting
/// for that, so the default is to go on.
pub(super) fn nothing_new(t: &mut Transaction, why: Message) {
    let question = choice("next", message!("question-go-on-or-end"), &["continue", "end"], "continue");
    ask(t, PauseReason::NothingNew, vec![Question { why: why.into(), required: false, ..question }]);
}

/// Pauses until the host has said who speaks. By default, all participants are asked about the topic.
pub(super) fn await_host(t: &mut Transaction) {
    let question = Question {
        key: "message".to_owned(),
        ask: message!("question-speak-as-host").into(),
        why: message!("question-only-mentioned-speak").into(),
        required: true,
        kind: QuestionKind::Text,
        default: Some(json!(call_to_all(&t.meeting))),
    };
    ask(t, PauseReason::AwaitingHost, vec![question]);
}

/// A message that calls all participants that can be asked, about the topic.
pub(crate) fn call_to_all(m: &Meeting) -> String {
    let names = m.online().map(|seat| format!("@\"{}\"", seat.participant.name));
    let names = names.collect::<Vec<_>>().join(" ");
    text!(m.language(), "records-call-to-all", names)
}

/// Pauses because a budget is used up, and asks for a larger one.
pub(crate) fn pause_for_budget(t: &mut Transaction, budget: BudgetKind, limit: u64) {
    let asked = match budget {
        BudgetKind::Tokens => message!("question-new-token-limit", limit),
        BudgetKind::Cost => message!("question-new-cost-limit", limit),
        BudgetKind::WallTime => message!("question-new-time-limit", limit),
    };
    let question = Question {
        key: "budget".to_owned(),
        ask: asked.into(),
        why: Phrase::default(),
        required: true,
        kind: QuestionKind::Number,
        default: Some(json!(0)),
    };
    pause_about(t, PauseReason::BudgetLimit, vec![question], Actor::System, Some(budget));
}
