//! The questions of a pause, and the answers that a message gives to them.

use quorate_contract::Phrase;
use quorate_messages::{Language, text};
use serde_json::{Map, Value, json};

use crate::error::{A2aError, ErrorKind};
use crate::message::ClientMessage;

/// The words for yes and no in text.
const YES: [&str; 8] = ["yes", "y", "true", "ok", "是", "好", "对", "同意"];
const NO: [&str; 6] = ["no", "n", "false", "否", "不", "不同意"];

/// A phrase in the reader's language.
pub(crate) fn phrase(value: &Value, language: Language) -> String {
    let read: Result<Phrase, _> = serde_json::from_value(value.clone());
    read.map(|phrase| phrase.in_language(language).into_owned()).unwrap_or_default()
}

/// The questions of a pause.
fn questions(pause: &Value) -> &[Value] {
    pause["questions"].as_array().map_or(&[], Vec::as_slice)
}

/// What a pause says to whoever can end it, as text.
pub(crate) fn told(pause: &Value, language: Language) -> String {
    let questions = questions(pause);
    if questions.is_empty() {
        let reason = pause["reason"].as_str().unwrap_or_default();
        return text!(language, "a2a-paused", reason);
    }
    let mut lines = vec![text!(language, "a2a-questions", count = questions.len() as u64)];
    for question in questions {
        let key = question["key"].as_str().unwrap_or_default();
        let ask = phrase(&question["ask"], language);
        let mut line = format!("- {key}: {ask}");
        if let Some(choices) = question["kind"]["choices"].as_array() {
            let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
            line.push_str(&format!(" [{}]", choices.join(" | ")));
        }
        if !question["default"].is_null() {
            line.push(' ');
            line.push_str(&text!(language, "a2a-default", value = as_text(&question["default"])));
        }
        lines.push(line);
        // Why it is asked, such as the arguments of a tool that waits for approval.
        let why = phrase(&question["why"], language);
        lines.extend(why.lines().map(|line| format!("  {line}")));
    }
    lines.push(text!(language, "a2a-how-to-answer").to_owned());
    lines.join("\n")
}

/// The same as data: the questions with their kinds, and the form of an answer.
pub(crate) fn data(pause: &Value, language: Language) -> Value {
    let questions = questions(pause).iter().map(|question| {
        json!({
            "key": question["key"], "ask": phrase(&question["ask"], language), "why": phrase(&question["why"], language),
            "kind": question["kind"], "required": question["required"], "default": question["default"],
        })
    });
    json!({
        "reason": pause["reason"], "resume_token": pause["resume_token"], "suggested_next": pause["suggested_next"],
        "questions": questions.collect::<Vec<_>>(),
        "answer_with": { "answers": {}, "take_defaults": true },
    })
}

/// The body of the resume that a message amounts to.
pub(crate) fn resume(pause: &Value, message: &ClientMessage, language: Language) -> Result<Value, A2aError> {
    let questions = questions(pause);
    let (mut answers, mut take_defaults) = (Map::new(), None);
    for (key, value) in &message.data {
        match (key.as_str(), value) {
            ("answers", Value::Object(given)) => answers.extend(given.clone()),
            ("take_defaults", Value::Bool(given)) => take_defaults = Some(*given),
            ("resume_token" | "token", _) => {}
            _ if questions.iter().any(|question| question["key"] == *key) => {
                answers.insert(key.clone(), value.clone());
            }
            _ => return Err(unfit(questions, language)),
        }
    }
    if !message.text.is_empty() {
        answer_by_text(questions, &message.text, &mut answers, language)?;
    }
    let token = message.data.get("resume_token").cloned().unwrap_or_else(|| pause["resume_token"].clone());
    // What is left open takes its default, unless the client says that it wants to be asked again.
    Ok(json!({ "token": token, "answers": answers, "take_defaults": take_defaults.unwrap_or(true) }))
}

/// Reads answers out of text: lines `key: answer`, or the answer to the one question that is open.
fn answer_by_text(
    questions: &[Value],
    text: &str,
    answers: &mut Map<String, Value>,
    language: Language,
) -> Result<(), A2aError> {
    let mut by_line = Map::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let Some((key, value)) = line.trim_start_matches("- ").split_once([':', '：']) else { continue };
        if let Some(question) = questions.iter().find(|question| question["key"] == key.trim()) {
            let Some(value) = typed(question, value.trim()) else { return Err(unfit(questions, language)) };
            by_line.insert(key.trim().to_owned(), value);
        }
    }
    if !by_line.is_empty() {
        answers.extend(by_line);
        return Ok(());
    }
    let is_open = |question: &&Value| !answers.contains_key(question["key"].as_str().unwrap_or_default());
    let open: Vec<&Value> = questions.iter().filter(is_open).collect();
    let needed: Vec<&&Value> = open.iter().filter(|question| question["default"].is_null()).collect();
    let one = match (open.as_slice(), needed.as_slice()) {
        ([], _) => return Ok(()),
        ([one], _) => *one,
        (_, [one]) => **one,
        _ => return Err(unfit(questions, language)),
    };
    let Some(value) = typed(one, text) else { return Err(unfit(questions, language)) };
    answers.insert(one["key"].as_str().unwrap_or_default().to_owned(), value);
    Ok(())
}

/// A text as the kind of answer that a question takes.
fn typed(question: &Value, text: &str) -> Option<Value> {
    let kind = &question["kind"];
    let lower = text.to_lowercase();
    match kind["kind"].as_str().or(kind.as_str()).unwrap_or_default() {
        "number" => serde_json::from_str::<Value>(text).ok().filter(Value::is_number),
        "boolean" if YES.contains(&lower.as_str()) => Some(true.into()),
        "boolean" if NO.contains(&lower.as_str()) => Some(false.into()),
        "boolean" => None,
        "choice" => {
            let mut choices = kind["choices"].as_array()?.iter().filter_map(Value::as_str);
            choices.find(|choice| choice.to_lowercase() == lower).map(Value::from)
        }
        _ => Some(text.into()),
    }
}

fn unfit(questions: &[Value], language: Language) -> A2aError {
    let keys: Vec<&str> = questions.iter().filter_map(|question| question["key"].as_str()).collect();
    A2aError::new(ErrorKind::InvalidParams, text!(language, "a2a-answers-do-not-fit", keys = &keys[..]))
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pause() -> Value {
        json!({ "reason": "missing_info", "resume_token": "t1", "suggested_next": "answer_questions", "questions": [
            { "key": "users", "ask": { "text": "How many?" }, "kind": { "kind": "number" }, "required": true },
            { "key": "cloud", "ask": { "text": "Which?" }, "kind": { "kind": "choice", "choices": ["AWS", "own"] }, "required": false, "default": "own" },
            { "key": "go", "ask": { "text": "Go?" }, "kind": { "kind": "boolean" }, "required": false, "default": true },
        ] })
    }

    fn resumed(text: &str, data: Value) -> Result<Value, ErrorKind> {
        let params = json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "text": text }, { "data": data }] } });
        let message = ClientMessage::read(&params, Language::En).expect("a message");
        resume(&pause(), &message, Language::En)
            .map(|body| body["answers"].clone())
            .map_err(|error| error.kind)
    }

    #[test]
    fn questions_are_answered_by_data_by_lines_or_by_the_one_text_that_is_needed() {
        assert_eq!(resumed("", json!({ "answers": { "users": 5 } })), Ok(json!({ "users": 5 })));
        assert_eq!(resumed("", json!({ "users": 5, "go": false })), Ok(json!({ "users": 5, "go": false })));
        assert_eq!(
            resumed("users: 7\ncloud: aws\n- go：否", json!({})),
            Ok(json!({ "users": 7, "cloud": "AWS", "go": false }))
        );
        assert_eq!(resumed("12", json!({})), Ok(json!({ "users": 12 })));
    }

    #[test]
    fn what_answers_nothing_is_refused_with_the_keys() {
        for (text, data) in
            [("many", json!({})), ("cloud: moon", json!({})), ("", json!({ "colour": "red" }))]
        {
            assert_eq!(resumed(text, data), Err(ErrorKind::InvalidParams), "{text}");
        }
    }

    #[test]
    fn a_pause_is_told_in_both_languages() {
        let told = told(&pause(), Language::En);
        assert!(told.contains("users: How many?") && told.contains("AWS | own"), "{told}");
        assert!(super::told(&json!({ "reason": "user_request" }), Language::Zh).contains("暂停"));
    }
}
