//! Pauses, and the questions that they ask.

use quorate_contract::{Actor, BudgetKind, EventBody, PauseReason, Question, QuestionKind};
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
    let number = order::mix(&[t.meeting.charter.seed, t.meeting.seq]);
    t.emit(EventBody::Pause {
        pause_reason: reason,
        resume_token: format!("{number:016x}"),
        questions,
        suggested_next: reason.suggested_next().to_owned(),
        by,
        budget,
    });
}

/// Pauses for a reason of the meeting's own.
pub(super) fn ask(t: &mut Transaction, reason: PauseReason, questions: Vec<Question>) {
    pause(t, reason, questions, Actor::System);
}

/// A question with a few possible answers.
pub(super) fn choice(key: &str, ask: &str, choices: &[&str], default: &str) -> Question {
    Question {
        key: key.to_owned(),
        ask: ask.to_owned(),
        why: String::new(),
        required: true,
        kind: QuestionKind::Choice { choices: choices.iter().map(|&one| one.to_owned()).collect() },
        default: Some(json!(default)),
    }
}

/// Words; nothing holds when they are not given.
pub(super) fn words(key: &str, ask: &str) -> Question {
    Question {
        key: key.to_owned(),
        ask: ask.to_owned(),
        why: String::new(),
        required: false,
        kind: QuestionKind::Text,
        default: None,
    }
}

/// Pauses because agents say nothing new, or have gone on by themselves for long.
pub(super) fn nothing_new(t: &mut Transaction, why: &str) {
    let language = t.meeting.language();
    let ask = language.pick("继续还是结束？", "Go on, or end?");
    let question = choice("next", ask, &["continue", "end"], "end");
    self::ask(
        t,
        PauseReason::NothingNew,
        vec![Question { why: why.to_owned(), required: false, ..question }],
    );
}

/// Pauses until the host has said who speaks. By default, all participants are asked about the topic.
pub(super) fn await_host(t: &mut Transaction) {
    let m = &t.meeting;
    let language = m.language();
    let question = Question {
        key: "message".to_owned(),
        ask: language
            .pick(
                "请以主持人身份发言，并用 @名字 点名请谁回答",
                "Speak as the host, and mention with @name who is to answer",
            )
            .to_owned(),
        why: language
            .pick("主持人模式下只有被点名的人发言", "in host mode only those who are mentioned speak")
            .to_owned(),
        required: true,
        kind: QuestionKind::Text,
        default: Some(json!(call_to_all(m))),
    };
    ask(t, PauseReason::AwaitingHost, vec![question]);
}

/// A message that calls all participants that can be asked, about the topic.
pub(crate) fn call_to_all(m: &Meeting) -> String {
    let names = m.online().map(|seat| format!("@\"{}\"", seat.participant.name));
    let names = names.collect::<Vec<_>>().join(" ");
    m.language().pick(
        format!("{names} 请就主题谈谈你的看法。"),
        format!("{names} please say what you think about the topic."),
    )
}

/// Pauses because a budget is used up, and asks for a larger one.
pub(crate) fn pause_for_budget(t: &mut Transaction, budget: BudgetKind, limit: u64) {
    let language = t.meeting.language();
    let what = match budget {
        BudgetKind::Tokens => language.pick("令牌数", "in tokens"),
        BudgetKind::Cost => language.pick("百万分之一货币单位", "in millionths of the currency"),
        BudgetKind::WallTime => language.pick("毫秒", "in milliseconds"),
    };
    let question = Question {
        key: "budget".to_owned(),
        ask: language.pick(
            format!("预算 {limit} 已用尽。新的上限是多少（{what}）？填 0 结束会议"),
            format!("The budget of {limit} is used up. What is the new limit ({what})? 0 ends the meeting"),
        ),
        why: String::new(),
        required: true,
        kind: QuestionKind::Number,
        default: Some(json!(0)),
    };
    pause_about(t, PauseReason::BudgetLimit, vec![question], Actor::System, Some(budget));
}
