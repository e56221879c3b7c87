//! The questions of a pause: put to a person one by one, checked at once, or written down with the
//! command that answers them.

use std::collections::BTreeMap;

use quorate_contract::{Question, QuestionKind, ToolDecision, tool_decision_text};
use quorate_core::{Meeting, RunState};
use quorate_messages::text;
use serde_json::{Value, json};

use crate::language::Speech;

/// Answers by key.
pub(crate) type AnswersByKey = BTreeMap<String, Value>;

/// The questions of one pause while they are being answered.
#[derive(Debug, Clone)]
pub(crate) struct Asking {
    pub(crate) token: String,
    questions: Vec<Question>,
    place: usize,
    pub(crate) given: AnswersByKey,
}

impl Asking {
    /// The questions of a paused meeting, if it has any; some may be answered already.
    pub(crate) fn of(meeting: &Meeting, given: AnswersByKey) -> Option<Self> {
        match &meeting.run_state {
            RunState::Paused { token, questions, .. } if !questions.is_empty() => {
                Some(Self { token: token.clone(), questions: questions.clone(), place: 0, given })
            }
            RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => None,
        }
    }

    /// The question that is to be answered next.
    pub(crate) fn next(&mut self) -> Option<&Question> {
        while self.questions.get(self.place).is_some_and(|one| self.is_decided(one)) {
            self.place += 1;
        }
        self.questions.get(self.place)
    }

    /// Whether a question has its answer: its own, or that of another call of the same tool, which is allowed for the meeting.
    fn is_decided(&self, one: &Question) -> bool {
        let asks_about = |tool: &Question| tool_of(tool).is_some() && tool_of(tool) == tool_of(one);
        let is_allowed = |other: &&Question| {
            self.given.get(&other.key).and_then(Value::as_str) == Some(ToolDecision::Meeting.as_str())
        };
        self.given.contains_key(&one.key) || self.questions.iter().filter(is_allowed).any(asks_about)
    }

    /// Takes a typed line as the answer to the next question; an empty line leaves it to the default.
    ///
    /// # Errors
    /// When the line does not fit the question; it is then still the next.
    pub(crate) fn take(&mut self, text: &str, speech: Speech) -> Result<(), String> {
        let Some(question) = self.next() else { return Ok(()) };
        match read(question, text, speech)? {
            Some(answer) => _ = self.given.insert(self.questions[self.place].key.clone(), answer),
            None if question.required && question.default.is_none() => {
                return Err(text!(speech, "cli-asking-has-answered").to_owned());
            }
            None => {}
        }
        self.place += 1;
        Ok(())
    }

    /// The required questions that have no answer yet.
    pub(crate) fn missing(&self) -> Vec<&Question> {
        self.questions.iter().filter(|one| one.required && !self.given.contains_key(&one.key)).collect()
    }

    /// All questions, from the first.
    pub(crate) fn again(&mut self) {
        self.place = 0;
        self.given.clear();
    }
}

/// The tool that a question is about, where it is about the call of one.
fn tool_of(question: &Question) -> Option<Value> {
    let ask = serde_json::to_value(&question.ask).ok()?;
    (ask["code"] == "question-allow-tool").then(|| ask["args"]["tool"].clone())
}

/// Parses an answer to a question; `None` when it is empty. A choice may be given by its number.
pub(crate) fn read(question: &Question, text: &str, speech: Speech) -> Result<Option<Value>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    match &question.kind {
        QuestionKind::Text => Ok(Some(json!(text))),
        QuestionKind::Number => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(json!(text))),
            Ok(_) | Err(_) => Err(text!(speech, "cli-asking-write-number-such-as-1200").to_owned()),
        },
        // Answers are taken in either language, as the core takes them.
        QuestionKind::Boolean => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" | "是" | "对" => Ok(Some(json!("yes"))),
            "false" | "no" | "n" | "否" | "不" => Ok(Some(json!("no"))),
            _ => Err(text!(speech, "cli-asking-write-yes-no").to_owned()),
        },
        QuestionKind::Choice { choices } => {
            let numbered = text.parse::<usize>().ok().and_then(|number| choices.get(number.wrapping_sub(1)));
            let is_meant =
                |choice: &&String| *choice == text || choice_text(question, choice, speech) == text;
            match choices.iter().find(is_meant).or(numbered) {
                Some(choice) => Ok(Some(json!(choice))),
                None => {
                    let list: Vec<String> =
                        choices.iter().map(|choice| shown(question, choice, speech)).collect();
                    let list = list.join(text!(speech, "common-list-separator"));
                    Err(text!(speech, "cli-asking-choose-one", %list))
                }
            }
        }
    }
}

/// A choice in words, where it is one of the product's own. What a model offers stands as it is.
fn choice_text<'c>(question: &Question, choice: &'c str, speech: Speech) -> &'c str {
    if tool_of(question).is_some() {
        let decision = ToolDecision::ALL.into_iter().find(|decision| decision.as_str() == choice);
        return decision.map_or(choice, |decision| tool_decision_text(speech.0, decision));
    }
    match (question.key.as_str(), choice) {
        ("next", "continue") => text!(speech, "cli-choice-continue"),
        ("next", "end") => text!(speech, "cli-choice-end"),
        ("team", "accept") => text!(speech, "cli-choice-accept"),
        ("team", "reject") => text!(speech, "cli-choice-reject"),
        ("team", "again") => text!(speech, "cli-choice-again"),
        ("gate", "retry") => text!(speech, "cli-choice-retry"),
        ("gate", "by_rules") => text!(speech, "cli-choice-by-rules"),
        ("gate", "all_by_rules") => text!(speech, "cli-choice-all-by-rules"),
        (_, other) => other,
    }
}

/// A choice in words, with what a script writes for it where that is another word.
fn shown(question: &Question, choice: &str, speech: Speech) -> String {
    match choice_text(question, choice, speech) {
        words if words == choice => choice.to_owned(),
        words => text!(speech, "cli-asking-choice", words, choice),
    }
}

/// A question as a person reads it: what is asked, why, what there is to choose from, what holds without
/// an answer. `key` shows by which key it is answered.
pub(crate) fn words(question: &Question, speech: Speech, key: bool) -> String {
    let mut text = match key {
        true => format!("  {}  {}", question.key, question.ask.in_language(speech.0)),
        false => question.ask.in_language(speech.0).into_owned(),
    };
    let mut add = |line: String| text.push_str(&format!("\n    {line}"));
    if !question.why.is_empty() {
        add(text!(speech, "cli-asking-why", why = &*question.why.in_language(speech.0)));
    }
    match &question.kind {
        QuestionKind::Choice { choices } => {
            let numbered = choices
                .iter()
                .zip(1..)
                .map(|(choice, number)| format!("{number} {}", shown(question, choice, speech)));
            let list = numbered.collect::<Vec<_>>().join(text!(speech, "common-comma"));
            add(text!(speech, "cli-asking-choices", %list));
        }
        QuestionKind::Boolean => add(text!(speech, "cli-asking-yes-no").to_owned()),
        QuestionKind::Number => add(text!(speech, "cli-asking-number").to_owned()),
        QuestionKind::Text => {}
    }
    match (&question.default, question.required) {
        (Some(default), _) => {
            let default =
                default.as_str().map_or_else(|| default.to_string(), |one| shown(question, one, speech));
            add(text!(speech, "cli-asking-default", %default));
        }
        (None, true) => add(text!(speech, "cli-asking-answer-needed").to_owned()),
        (None, false) => add(text!(speech, "cli-asking-may-left-empty").to_owned()),
    }
    text
}

/// All questions with their keys, and what to append to `quorate resume` to answer those that need it.
pub(crate) fn written_down(questions: &[Question], speech: Speech) -> (String, String) {
    let text = questions.iter().map(|one| words(one, speech, true)).collect::<Vec<_>>().join("\n");
    let required: Vec<&Question> = questions.iter().filter(|one| one.required).collect();
    let wanted = if required.is_empty() { questions.iter().take(1).collect() } else { required };
    let flags = wanted.into_iter().map(|one| {
        let value = match (&one.kind, &one.default) {
            (QuestionKind::Choice { .. } | QuestionKind::Number | QuestionKind::Boolean, Some(default)) => {
                default.as_str().map_or_else(|| default.to_string(), str::to_owned)
            }
            _ => text!(speech, "cli-asking-answer").to_owned(),
        };
        format!(" --answer {}={value}", one.key)
    });
    (text, flags.collect())
}

#[cfg(test)]
mod tests {
    use quorate_contract::Language;

    use super::*;

    const EN: Speech = Speech(Language::En);

    fn question(kind: QuestionKind, required: bool, default: Option<Value>) -> Question {
        let (key, ask, why) = ("k".to_owned(), "Which?".into(), "it matters".into());
        Question { key, ask, why, required, kind, default }
    }

    #[test]
    fn an_answer_is_checked_before_it_is_sent() {
        let choices = QuestionKind::Choice { choices: vec!["accept".into(), "reject".into()] };
        let choice = question(choices, true, Some(json!("accept")));
        assert_eq!(read(&choice, "2", EN), Ok(Some(json!("reject"))));
        assert_eq!(read(&choice, " reject ", EN), Ok(Some(json!("reject"))));
        assert_eq!(read(&choice, "", EN), Ok(None));
        assert!(read(&choice, "0", EN).is_err() && read(&choice, "maybe", EN).is_err());
        assert!(read(&question(QuestionKind::Number, true, None), "soon", EN).is_err());
        assert!(read(&question(QuestionKind::Boolean, true, None), "perhaps", EN).is_err());
        assert_eq!(read(&question(QuestionKind::Boolean, true, None), "是", EN), Ok(Some(json!("yes"))));
    }

    #[test]
    fn choices_are_shown_in_words_and_taken_as_words_ids_and_numbers() {
        let zh = Speech(Language::Zh);
        let choices = QuestionKind::Choice { choices: vec!["continue".into(), "end".into()] };
        let mut next = question(choices, false, Some(json!("continue")));
        next.key = "next".to_owned();
        let shown = words(&next, zh, false);
        assert!(shown.contains("1 继续会议（continue），2 结束会议（end）"), "{shown}");
        assert!(shown.contains("默认：继续会议（continue）"), "{shown}");
        for text in ["结束会议", "end", "2"] {
            assert_eq!(read(&next, text, zh), Ok(Some(json!("end"))), "{text}");
        }
    }

    #[test]
    fn what_is_written_down_can_be_typed() {
        let choices = QuestionKind::Choice { choices: vec!["accept".into(), "reject".into()] };
        let (text, flags) = written_down(&[question(choices, true, Some(json!("accept")))], EN);
        assert!(text.contains("  k  Which?") && text.contains("why: it matters"), "{text}");
        assert!(text.contains("1 accept, 2 reject") && text.contains("default: accept"), "{text}");
        assert_eq!(flags, " --answer k=accept");
    }
}
