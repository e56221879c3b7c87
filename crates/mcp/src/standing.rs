//! How a meeting stands for whoever calls a tool, and what follows for the next call.

use quorate_messages::{Language, Message, text};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::encoded;
use crate::service::QuorateMcp;

/// How a meeting stands for the caller.
pub(crate) struct Standing {
    /// The state, as the API names it.
    pub(crate) state: String,
    /// Why it is paused.
    pause: Option<String>,
    /// Whether the caller is asked there.
    is_asked: bool,
}

impl Standing {
    /// Why no turn will come any more, however long the caller waits.
    pub(crate) fn no_turn_will_come(&self, language: Language) -> Option<&'static str> {
        match self.state.as_str() {
            "ended" => Some(text!(language, "mcp-next-ended")),
            _ if !self.is_asked => Some(text!(language, "mcp-next-no-seat")),
            _ => None,
        }
    }

    /// Why no turn is open now.
    pub(crate) fn no_turn_is_open(&self, language: Language) -> String {
        match (self.no_turn_will_come(language), self.state.as_str(), &self.pause) {
            (Some(told), _, _) => told.to_owned(),
            (None, "paused", pause) => {
                let why = pause_reason(language, pause.as_deref().unwrap_or_default());
                text!(language, "mcp-next-wait-paused", why)
            }
            (None, "draft", _) => text!(language, "mcp-next-wait-draft").to_owned(),
            (None, _, _) => text!(language, "mcp-next-wait-again").to_owned(),
        }
    }

    /// Why the meeting is paused; `None` when it is not.
    pub(crate) fn why_paused(&self, language: Language) -> Option<&'static str> {
        self.pause.as_deref().filter(|_| self.state == "paused").map(|reason| pause_reason(language, reason))
    }

    /// Whether the meeting rests because nothing new was said, all skipped their turns, or agents spoke alone for long: then
    /// something may be said outside of a turn.
    pub(crate) fn waits_for_words(&self) -> bool {
        self.pause.as_deref() == Some("nothing_new")
    }
}

/// The reason of a pause in a sentence.
fn pause_reason(language: Language, reason: &str) -> &'static str {
    match reason {
        "user_request" => text!(language, "mcp-pause-user-request"),
        "nobody_answered" => text!(language, "mcp-pause-nobody-answered"),
        "missing_info" => text!(language, "mcp-pause-missing-info"),
        "check_in" => text!(language, "mcp-pause-check-in"),
        "need_approval" => text!(language, "mcp-pause-need-approval"),
        "awaiting_host" => text!(language, "mcp-pause-awaiting-host"),
        "nothing_new" => text!(language, "mcp-pause-nothing-new"),
        "gate_failed" => text!(language, "mcp-pause-gate-failed"),
        "budget_limit" => text!(language, "mcp-pause-budget-limit"),
        "tool_approval" => text!(language, "mcp-pause-tool-approval"),
        _ => text!(language, "mcp-pause-other"),
    }
}

/// The pause of a meeting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingPause {
    /// The reason as a code, such as `check_in`.
    pub(crate) reason: String,
    /// The reason in a sentence.
    pub(crate) why: String,
    /// The questions to answer with resume_meeting; empty when nothing is asked.
    pub(crate) questions: Vec<PauseQuestion>,
    /// Who is to join and who is to leave, while that waits for approval; `null` otherwise.
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(crate) proposal: Option<Value>,
    /// The token of this pause. Give it to resume_meeting, so that the answers reach this pause and no later one.
    pub(crate) token: String,
}

/// A question of a pause.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PauseQuestion {
    /// The name of the answer in `answers`.
    pub(crate) key: String,
    /// The question.
    pub(crate) question: String,
    /// What depends on the answer; may be empty.
    pub(crate) why: String,
    /// Whether the meeting needs an answer to continue, unless the defaults are taken.
    pub(crate) required: bool,
    /// The kind of answer: `text`, `number`, `boolean` or `choice`.
    pub(crate) kind: String,
    /// The answers of which one is chosen; empty for other kinds.
    pub(crate) choices: Vec<String>,
    /// The answer that `take_defaults` takes; `null` when there is none.
    pub(crate) default: Option<Value>,
}

/// A text of the log: a code of the catalogue, or words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Phrase {
    Code(Message),
    Written { text: String },
}

/// A text of the log in the language of the reader.
fn told(phrase: &Value, language: Language) -> String {
    match Phrase::deserialize(phrase) {
        Ok(Phrase::Code(message)) => message.event_text(language),
        Ok(Phrase::Written { text }) => text,
        Err(_) => String::new(),
    }
}

impl MeetingPause {
    /// The pause of a meeting as the API shows it.
    pub(crate) fn of(meeting: &Value, language: Language) -> Option<Self> {
        let pause = Some(&meeting["pause"]).filter(|pause| pause.is_object())?;
        let reason = pause["reason"].as_str().unwrap_or_default();
        let question = |question: &Value| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let choices = question["kind"]["choices"].as_array().into_iter().flatten();
            PauseQuestion {
                key: text(&question["key"]),
                question: told(&question["ask"], language),
                why: told(&question["why"], language),
                required: question["required"] == true,
                kind: text(&question["kind"]["kind"]),
                choices: choices.map(text).collect(),
                default: Some(question["default"].clone()).filter(|default| !default.is_null()),
            }
        };
        // The first question says which of its reasons it is.
        let told_why = told(&pause["questions"][0]["why"], language);
        let why = match reason {
            "nothing_new" if !told_why.is_empty() => told_why,
            reason => pause_reason(language, reason).to_owned(),
        };
        Some(Self {
            why,
            questions: pause["questions"].as_array().into_iter().flatten().map(question).collect(),
            proposal: Some(with_texts(pause["proposal"].clone(), language)).filter(|it| it.is_object()),
            token: pause["resume_token"].as_str().unwrap_or_default().to_owned(),
            reason: reason.to_owned(),
        })
    }
}

/// A value with the texts of the log in it as strings.
fn with_texts(value: Value, language: Language) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| with_texts(item, language)).collect(),
        Value::Object(fields) => match Phrase::deserialize(&Value::Object(fields.clone())) {
            Ok(Phrase::Code(message)) => message.event_text(language).into(),
            Ok(Phrase::Written { text }) if fields.len() == 1 => text.into(),
            Ok(Phrase::Written { .. }) | Err(_) => {
                let fields = fields.into_iter().map(|(name, value)| (name, with_texts(value, language)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        },
        plain => plain,
    }
}

impl QuorateMcp {
    /// How a meeting stands for the caller.
    pub(crate) async fn standing(
        &self,
        context: &RequestContext<RoleServer>,
        meeting: &str,
    ) -> Result<Standing, String> {
        // From the beginning, and nothing of it: no message is given, and none counts as read.
        let path = format!("/meetings/{}/context?after=0&limit=0", encoded(meeting));
        let read = self.get(context, path).await?;
        let text = |field: &str| read["meeting"][field].as_str().map(str::to_owned);
        Ok(Standing {
            state: text("state").unwrap_or_default(),
            pause: text("pause"),
            is_asked: read["is_asked"] == true,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pause_is_told_in_the_language_of_the_reader() {
        let shown = json!({ "pause": {
            "reason": "check_in", "resume_token": "t1",
            "questions": [
                { "key": "topic", "ask": { "code": "question-new-topic" }, "kind": { "kind": "text" }, "default": "as it is" },
                { "key": "team", "ask": { "text": "Whom?" }, "required": true, "kind": { "kind": "choice", "choices": ["a", "b"] } },
            ],
            "proposal": { "candidates": [{ "name": "Leo", "reason": { "text": "knows backups" } }] },
        } });
        for (language, asked) in [(Language::En, "New topic"), (Language::Zh, "主题")] {
            let pause = MeetingPause::of(&shown, language).expect("a pause");
            assert!(pause.questions[0].question.contains(asked), "{}", pause.questions[0].question);
            assert_eq!(pause.questions[0].default, Some(json!("as it is")));
            let second = &pause.questions[1];
            assert_eq!(
                (second.question.as_str(), second.required, second.default.as_ref()),
                ("Whom?", true, None)
            );
            assert_eq!(second.choices, ["a", "b"]);
            assert_eq!(pause.proposal.expect("one")["candidates"][0]["reason"], "knows backups");
            assert_ne!(pause.why, "");
        }
        assert!(MeetingPause::of(&json!({ "pause": null }), Language::En).is_none());
    }

    #[test]
    fn an_agent_that_waits_in_vain_is_told_why() {
        let standing = |state: &str, pause: Option<&str>, is_asked| Standing {
            state: state.to_owned(),
            pause: pause.map(str::to_owned),
            is_asked,
        };
        let told = |standing: Standing| standing.no_turn_is_open(Language::En);
        assert!(told(standing("ended", None, true)).contains("get_result"));
        assert!(told(standing("discussion", None, false)).contains("join_meeting"));
        assert!(told(standing("paused", Some("budget_limit"), true)).contains("budget"));
        assert!(told(standing("draft", None, true)).contains("has not started"));
        assert!(told(standing("ballot", None, true)).contains("wait_for_turn"));
        assert!(standing("ballot", None, true).no_turn_will_come(Language::En).is_none());
    }
}
