//! Pausing, resuming and ending of a meeting by a person.

use std::collections::BTreeMap;

use quorate_contract::{
    AbortReason, Actor, BudgetKind, EventBody, MESSAGE_MAX_CHARS, MeetingOutcome, PauseReason,
    ProviderWaitEndReason, Question, QuestionKind, Refusal, Stride, TeamDecision, ToolDecision, clean,
    length,
};
use quorate_messages::{Message, message};
use serde_json::{Value, json};

use super::settings::rules_changed;
use crate::decide::flow;
use crate::decide::transaction::Transaction;
use crate::policy::{mention, queue, resumption, strides};
use crate::state::{Meeting, Phase, RunState};

/// Pauses after the current turn, or at once; then no participant speaks until the meeting is resumed.
pub(super) fn pause(t: &mut Transaction, by: Actor, at_once: bool) -> Result<(), Refusal> {
    super::under_way(&t.meeting).or_else(|refusal| match t.meeting.phase {
        // The conclusion is being written; to rest before it is as good as anywhere else.
        Phase::Closing { .. } => Ok(()),
        _ => Err(refusal),
    })?;
    if t.meeting.is_paused() {
        return Err(Refusal::IsPaused);
    }
    if at_once {
        flow::pause(t, PauseReason::UserRequest, Vec::new(), by);
    } else if t.meeting.run_state == RunState::Running {
        t.emit(EventBody::PauseRequested { by, after: None, completed: None });
    }
    Ok(())
}

/// Resumes a paused meeting; a running one is left alone.
pub(super) fn go_on(
    t: &mut Transaction,
    by: Actor,
    token: Option<String>,
    answers: Answers,
    take_defaults: bool,
) -> Result<(), Refusal> {
    match (&t.meeting.phase, &t.meeting.run_state) {
        (Phase::Blank, _) => Err(Refusal::NotCreated),
        (Phase::Ended { .. }, _) => Err(Refusal::MeetingIsOver),
        (_, RunState::Running) if t.meeting.planned_pause.is_none() && t.meeting.provider_wait.is_none() => {
            Ok(())
        }
        _ => resume(t, by, token, answers, take_defaults),
    }
}

/// Pauses after a stride, unless an answer has ended the meeting.
pub(super) fn halt(t: &mut Transaction, by: Actor, after: Option<Stride>) {
    let closing = matches!(t.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. });
    if after.is_some() && !closing && t.meeting.run_state == RunState::Running {
        let completed = after.map(|stride| strides::completed(&t.meeting, stride));
        let completed = completed.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        t.emit(EventBody::PauseRequested { by, after, completed });
    }
}

pub(super) fn resume(
    t: &mut Transaction,
    by: Actor,
    token: Option<String>,
    answers: Answers,
    take_defaults: bool,
) -> Result<(), Refusal> {
    if t.meeting.run_state == RunState::Running && t.meeting.provider_wait.is_some() {
        // A resume has the providers tried at once.
        flow::outage::end(t, ProviderWaitEndReason::Resumed);
        return Ok(());
    }
    let (reason, questions, budget) = match (&t.meeting.phase, &t.meeting.run_state) {
        (Phase::Ended { .. }, _) => return Err(Refusal::MeetingIsOver),
        (_, RunState::Running) if t.meeting.planned_pause.is_none() => return Err(Refusal::NotPaused),
        // Withdrawing a request for a pause needs no token.
        (_, RunState::Running | RunState::PauseRequested { .. }) => {
            (PauseReason::UserRequest, Vec::new(), None)
        }
        (_, RunState::Paused { token: wanted, reason, questions, budget, .. }) => {
            if token.is_some_and(|token| token != *wanted) {
                return Err(Refusal::WrongResumeToken);
            }
            (*reason, questions.clone(), *budget)
        }
    };
    // Who may not answer is told so, whatever the answers are.
    if reason == PauseReason::ToolApproval && !t.meeting.decides_on_tools(&by) {
        let host = t.meeting.host_person.as_ref().map(|host| host.name.clone());
        return Err(Refusal::NotTheHost { host: host.unwrap_or_default() });
    }
    if reason == PauseReason::AwaitingHost && !t.meeting.is_host(&by) {
        return Err(Refusal::NotTheHost { host: t.meeting.host_name().unwrap_or_default() });
    }
    let answers = match reason == PauseReason::ToolApproval {
        true => decided_together(&t.meeting, &questions, answers),
        false => answers,
    };
    let (answers, defaults) = read_answers(&questions, answers, take_defaults)?;
    let text = |key: &str| answers.get(key).and_then(Value::as_str).map(str::to_owned);
    match reason {
        PauseReason::CheckIn => {
            // The default is the topic as it was when it was asked about; it may be another by now.
            if let Some(topic) = text("topic").filter(|_| !defaults.iter().any(|key| key == "topic")) {
                super::settings::change_topic(t, by.clone(), &topic)?;
            }
        }
        PauseReason::AwaitingHost => {
            let message = match defaults.is_empty() {
                true => text("message").unwrap_or_default(),
                // Those whom the question named may have left meanwhile.
                false => flow::call_to_all(&t.meeting),
            };
            if t.meeting.online().next().is_none() {
                // The resumed meeting pauses again when no participant can be asked.
                resumed(t, by, answers, defaults);
                return Ok(());
            }
            if mention::at_table(&t.meeting, &message).participants.is_empty() {
                let names = t.meeting.present().map(|seat| format!("@{}", seat.participant.name));
                let names: Vec<String> = names.collect();
                let problem = message!("refusal-nobody-mentioned").into();
                let hint = message!("refusal-nobody-mentioned-hint", names).into();
                return Err(Refusal::BadAnswer { key: "message".into(), problem, hint });
            }
            // With the message, the meeting continues.
            return super::say::say(t, by, &message, None);
        }
        PauseReason::NothingNew if text("next").as_deref() == Some("end") => {
            resumed(t, by.clone(), answers, defaults);
            return end(t, by, String::new());
        }
        PauseReason::BudgetLimit => {
            let budget = budget.unwrap_or(BudgetKind::Tokens);
            let limit = answers.get("budget").and_then(Value::as_f64).unwrap_or(0.0);
            let used = used(t, budget);
            if limit >= 1.0 && limit <= used as f64 {
                let problem = message!("refusal-used-up", used).into();
                let hint = message!("refusal-used-up-hint", used).into();
                return Err(Refusal::BadAnswer { key: "budget".into(), problem, hint });
            }
            resumed(t, by.clone(), answers, defaults);
            if limit < 1.0 {
                flow::reach(t, budget);
                return Ok(());
            }
            let mut rules = t.meeting.rules().clone();
            let limit = Some(limit as u64);
            match budget {
                BudgetKind::Tokens => rules.limits.tokens = limit,
                BudgetKind::Cost => rules.limits.cost_micros = limit,
                BudgetKind::WallTime => rules.limits.wall_ms = limit,
            }
            t.emit(rules_changed(Box::new(rules), by));
            return Ok(());
        }
        PauseReason::ToolApproval => {
            resumed(t, by.clone(), answers.clone(), defaults);
            super::tools::reviewed(t, &by, &answers);
            return Ok(());
        }
        PauseReason::UserRequest | PauseReason::NobodyAnswered | PauseReason::MissingInfo => {}
        PauseReason::NeedApproval | PauseReason::NothingNew | PauseReason::GateFailed => {}
    }
    let approval = reason == PauseReason::NeedApproval;
    let reviewed = approval.then(|| team_reviewed(&t.meeting, by.clone(), &answers)).flatten();
    resumed(t, by, answers, defaults);
    let failed = reason == PauseReason::NobodyAnswered;
    let offered = failed.then(|| queue::offer_again(&t.meeting)).flatten();
    reviewed.into_iter().chain(offered).for_each(|follows| t.emit(follows));
    Ok(())
}

/// The meeting goes on, with what follows from the answers.
pub(super) fn resumed(t: &mut Transaction, by: Actor, answers: Answers, defaults: Vec<String>) {
    let then = Some(resumption::of(&t.meeting, &answers));
    t.emit(EventBody::Resume { by, answers, defaults, then });
}

/// The answers of a person about calls of tools: who allows a tool for the meeting has decided on its other calls that wait,
/// unless they say otherwise.
fn decided_together(m: &Meeting, questions: &[Question], mut answers: Answers) -> Answers {
    let waiting: Vec<(String, &str)> =
        m.open_tool_calls().map(|(_, call)| (call.id.to_string(), call.tool.as_str())).collect();
    let meeting = ToolDecision::Meeting.as_str();
    let is_allowed = |key: &str| answers.get(key).and_then(Value::as_str) == Some(meeting);
    let allowed: Vec<&str> =
        waiting.iter().filter(|(key, _)| is_allowed(key)).map(|(_, tool)| *tool).collect();
    for (key, _) in waiting.iter().filter(|(_, tool)| allowed.contains(tool)) {
        // Pauses of older logs ask about the first call of a tool only.
        if questions.iter().any(|question| question.key == *key) {
            answers.entry(key.clone()).or_insert_with(|| meeting.into());
        }
    }
    answers
}

/// Whether a record did not pass the gate, and a person is asked about it together with others.
fn is_at_gate(m: &Meeting) -> bool {
    match &m.run_state {
        RunState::Paused { reason, questions, .. } => {
            // Questions of older logs have no such answer.
            let takes_all = |question: &Question| matches!(&question.kind, QuestionKind::Choice { choices } if choices.iter().any(|one| one == resumption::ALL_BY_RULES));
            *reason == PauseReason::GateFailed && questions.iter().any(takes_all)
        }
        RunState::Running | RunState::PauseRequested { .. } => false,
    }
}

/// What the answers say about those who are to come and go.
fn team_reviewed(m: &Meeting, by: Actor, answers: &Answers) -> Option<EventBody> {
    let preparation = m.preparation.as_deref()?;
    let text = |key: &str| answers.get(key).and_then(Value::as_str).unwrap_or_default();
    let decision = match text("team") {
        "again" => TeamDecision::ProposeAgain { note: text("note").to_owned() },
        "reject" => TeamDecision::Rejected,
        _ => {
            let named: Vec<&str> = text("leave_out").split([',', '，', '、']).map(str::trim).collect();
            let proposed = preparation.proposal.iter().flat_map(|proposal| &proposal.candidates);
            let names = proposed.map(|candidate| candidate.newcomer.name.clone());
            TeamDecision::Accepted { left_out: names.filter(|name| named.contains(&name.as_str())).collect() }
        }
    };
    Some(EventBody::TeamReviewed { round: preparation.round, by, decision })
}

/// The part of a budget that is used up.
fn used(t: &Transaction, budget: BudgetKind) -> u64 {
    let m = &t.meeting;
    match budget {
        BudgetKind::Tokens => m.spent.usage.total(),
        BudgetKind::Cost => m.spent.cost_micros,
        BudgetKind::WallTime => m.ran_ms,
    }
}

type Answers = BTreeMap<String, Value>;

/// The answers as the questions want them, and which of them took their default.
fn read_answers(
    questions: &[Question],
    mut given: Answers,
    take_defaults: bool,
) -> Result<(Answers, Vec<String>), Refusal> {
    let known: Vec<String> = questions.iter().map(|question| question.key.clone()).collect();
    if let Some(key) = given.keys().find(|key| !known.contains(key)) {
        return Err(Refusal::NotAsked { key: key.clone(), known });
    }
    let (mut answers, mut defaults) = (Answers::new(), Vec::new());
    for question in questions {
        let key = question.key.clone();
        match given.remove(&key).map(|answer| read_answer(question, answer)).transpose()?.flatten() {
            Some(answer) => _ = answers.insert(key, answer),
            None if take_defaults => {
                answers.insert(key.clone(), question.default.clone().unwrap_or(Value::Null));
                defaults.push(key);
            }
            None if question.required => {
                return Err(Refusal::AnswerMissing { key, ask: question.ask.clone() });
            }
            None => {}
        }
    }
    Ok((answers, defaults))
}

/// An answer to a question of a pause as the words that count; `None` when it is empty. A number or any other value is its
/// own text.
pub fn answer_text(answer: &Value) -> Option<String> {
    let text = match answer {
        Value::Null => return None,
        Value::String(text) => clean(text),
        other => other.to_string(),
    };
    (!text.is_empty()).then_some(text)
}

/// Reads one answer; `None` when it is empty.
fn read_answer(question: &Question, answer: Value) -> Result<Option<Value>, Refusal> {
    let bad = |problem: Message, hint: Message| {
        let (problem, hint) = (problem.into(), hint.into());
        Refusal::BadAnswer { key: question.key.clone(), problem, hint }
    };
    let Some(text) = answer_text(&answer) else { return Ok(None) };
    length(&question.key, &text, 1, MESSAGE_MAX_CHARS)?;
    match &question.kind {
        QuestionKind::Text => Ok(Some(Value::String(text))),
        QuestionKind::Number => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(json!(number))),
            _ => Err(bad(message!("refusal-not-number", text), message!("refusal-not-number-hint"))),
        },
        // Answers are taken in either language: the person need not speak that of the meeting.
        QuestionKind::Boolean => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" | "是" | "对" => Ok(Some(json!(true))),
            "false" | "no" | "n" | "否" | "不" => Ok(Some(json!(false))),
            _ => Err(bad(message!("refusal-not-yes-or-no", text), message!("refusal-not-yes-or-no-hint"))),
        },
        QuestionKind::Choice { choices } => match choices.contains(&text) {
            true => Ok(Some(Value::String(text))),
            false => {
                let hint = message!("refusal-not-a-choice-hint", choices = &choices[..]);
                Err(bad(message!("refusal-not-a-choice", text), hint))
            }
        },
    }
}

/// Ends the meeting with the best available conclusion; calls in flight are cancelled. A meeting that is paused while it
/// closes is resumed with the defaults of its questions, so that what a model could not write is written by the rules.
pub(super) fn end(t: &mut Transaction, by: Actor, note: String) -> Result<(), Refusal> {
    match t.meeting.phase {
        Phase::Blank => return Err(Refusal::NotCreated),
        // It is ending, and waits for a person: it goes on to its end without one, past all gates.
        Phase::Closing { .. } if matches!(t.meeting.run_state, RunState::Paused { .. }) => {
            let mut answers = Answers::new();
            if is_at_gate(&t.meeting) {
                answers.insert("gate".to_owned(), resumption::ALL_BY_RULES.into());
            }
            return resume(t, by, None, answers, true);
        }
        Phase::Closing { .. } | Phase::Ended { .. } => return Err(Refusal::MeetingIsOver),
        Phase::Draft | Phase::Preparation | Phase::Discussion | Phase::Summary => {}
        Phase::Ballot | Phase::Facilitation => {}
    }
    t.emit(EventBody::EndRequested { by, note: note.clone() });
    // A discussion that votes on nothing is complete when its people say so.
    let outcome = match t.meeting.rules().decision.ballots {
        true => MeetingOutcome::Aborted(AbortReason::User { note }),
        false => MeetingOutcome::Completed,
    };
    t.close(outcome);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(key: &str, kind: QuestionKind, required: bool) -> Question {
        let (key, ask, why) = (key.to_owned(), format!("{key}?").into(), Default::default());
        Question { key, ask, why, required, kind, default: Some(json!("default")) }
    }

    fn read(kind: QuestionKind, answer: Value) -> Option<Option<Value>> {
        read_answer(&question("key", kind, true), answer).ok()
    }

    #[test]
    fn an_answer_is_read_as_its_question_wants_it() {
        let choice = || QuestionKind::Choice { choices: vec!["end".into(), "continue".into()] };
        for (kind, answer, wanted) in [
            (QuestionKind::Number, json!(" 12.5 "), json!(12.5)),
            (QuestionKind::Number, json!(3), json!(3.0)),
            (QuestionKind::Boolean, json!(true), json!(true)),
            (QuestionKind::Boolean, json!("Yes"), json!(true)),
            (QuestionKind::Boolean, json!("是"), json!(true)),
            (QuestionKind::Boolean, json!("N"), json!(false)),
            (QuestionKind::Boolean, json!("不"), json!(false)),
            (QuestionKind::Text, json!("as you like"), json!("as you like")),
            (choice(), json!("end"), json!("end")),
        ] {
            assert_eq!(read(kind, answer.clone()), Some(Some(wanted)), "{answer}");
        }
        for (kind, answer) in [
            (QuestionKind::Number, json!("many")),
            (QuestionKind::Number, json!("NaN")),
            (QuestionKind::Boolean, json!("perhaps")),
            (choice(), json!("stop")),
            (QuestionKind::Text, json!("x".repeat(MESSAGE_MAX_CHARS + 1))),
        ] {
            assert_eq!(read(kind, answer.clone()), None, "{answer}");
        }
        for nothing in [Value::Null, json!(""), json!(" ")] {
            assert_eq!(read(QuestionKind::Number, nothing.clone()), Some(None), "{nothing} is no answer");
        }
    }

    #[test]
    fn what_is_not_answered_takes_its_default_only_where_that_is_wanted() {
        let questions =
            [question("needed", QuestionKind::Text, true), question("other", QuestionKind::Text, false)];
        let given = |key: &str| Answers::from([(key.to_owned(), json!("given"))]);
        let (answers, defaults) =
            read_answers(&questions, given("needed"), false).expect("all that is needed");
        assert_eq!((answers, defaults), (given("needed"), Vec::new()));
        let (answers, defaults) = read_answers(&questions, given("needed"), true).expect("all of them");
        assert_eq!(
            (answers.len(), &answers["other"], defaults),
            (2, &json!("default"), vec!["other".into()])
        );
        let missing = read_answers(&questions, given("other"), false);
        assert!(matches!(missing, Err(Refusal::AnswerMissing { key, .. }) if key == "needed"));
        let unknown = read_answers(&questions, given("third"), true);
        assert!(matches!(unknown, Err(Refusal::NotAsked { key, .. }) if key == "third"));
    }
}
