//! Prompts that a client offers to its user: to convene meetings, to take part in one, to report on one.

use quorate_messages::{Language, text};
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::language;

/// The longest value of an argument, in characters; a background has as many.
const VALUE_MAX: usize = 20_000;

/// A prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offered {
    Decision,
    Review,
    Brainstorm,
    TakePart,
    Result,
}

impl Offered {
    const ALL: [Self; 5] = [Self::Decision, Self::Review, Self::Brainstorm, Self::TakePart, Self::Result];

    fn name(self) -> &'static str {
        match self {
            Self::Decision => "convene_decision",
            Self::Review => "review_plan",
            Self::Brainstorm => "collect_ideas",
            Self::TakePart => "take_part",
            Self::Result => "report_result",
        }
    }

    fn title(self, language: Language) -> &'static str {
        match self {
            Self::Decision => text!(language, "mcp-prompt-decision-title"),
            Self::Review => text!(language, "mcp-prompt-review-title"),
            Self::Brainstorm => text!(language, "mcp-prompt-brainstorm-title"),
            Self::TakePart => text!(language, "mcp-prompt-take-part-title"),
            Self::Result => text!(language, "mcp-prompt-result-title"),
        }
    }

    fn description(self, language: Language) -> &'static str {
        match self {
            Self::Decision => text!(language, "mcp-prompt-decision-description"),
            Self::Review => text!(language, "mcp-prompt-review-description"),
            Self::Brainstorm => text!(language, "mcp-prompt-brainstorm-description"),
            Self::TakePart => text!(language, "mcp-prompt-take-part-description"),
            Self::Result => text!(language, "mcp-prompt-result-description"),
        }
    }

    /// What the model is to do, before the first argument, which follows it.
    fn about(self, language: Language) -> &'static str {
        match self {
            Self::Decision => text!(language, "mcp-prompt-decision-about"),
            Self::Review => text!(language, "mcp-prompt-review-about"),
            Self::Brainstorm => text!(language, "mcp-prompt-brainstorm-about"),
            Self::TakePart => text!(language, "mcp-prompt-take-part-about"),
            Self::Result => text!(language, "mcp-prompt-result-about"),
        }
    }

    fn steps(self, language: Language) -> &'static str {
        match self {
            Self::Decision => text!(language, "mcp-prompt-decision-steps"),
            Self::Review => text!(language, "mcp-prompt-review-steps"),
            Self::Brainstorm => text!(language, "mcp-prompt-brainstorm-steps"),
            Self::TakePart => text!(language, "mcp-prompt-take-part-steps"),
            Self::Result => text!(language, "mcp-prompt-result-steps"),
        }
    }

    /// The first one is required.
    fn arguments(self) -> &'static [Argument] {
        match self {
            Self::Decision => {
                &[Argument::Question, Argument::Background, Argument::Participants, Argument::Language]
            }
            Self::Review => &[Argument::Plan, Argument::Experts, Argument::Language],
            Self::Brainstorm => &[Argument::Topic, Argument::Background, Argument::Language],
            Self::TakePart => &[Argument::Meeting, Argument::Perspective],
            Self::Result => &[Argument::Meeting],
        }
    }
}

/// An argument of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    Question,
    Plan,
    Topic,
    Meeting,
    Background,
    Participants,
    Experts,
    Perspective,
    Language,
}

impl Argument {
    fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Plan => "plan",
            Self::Topic => "topic",
            Self::Meeting => "meeting",
            Self::Background => "background",
            Self::Participants => "participants",
            Self::Experts => "experts",
            Self::Perspective => "perspective",
            Self::Language => "language",
        }
    }

    fn description(self, language: Language) -> &'static str {
        match self {
            Self::Question => text!(language, "mcp-argument-question"),
            Self::Plan => text!(language, "mcp-argument-plan"),
            Self::Topic => text!(language, "mcp-argument-topic"),
            Self::Meeting => text!(language, "mcp-argument-meeting"),
            Self::Background => text!(language, "mcp-argument-background"),
            Self::Participants => text!(language, "mcp-argument-participants"),
            Self::Experts => text!(language, "mcp-argument-experts"),
            Self::Perspective => text!(language, "mcp-argument-perspective"),
            Self::Language => text!(language, "mcp-argument-language"),
        }
    }

    /// The words before its value; those of a first argument stand in the prompt itself.
    fn heading(self, language: Language) -> &'static str {
        match self {
            Self::Question | Self::Plan | Self::Topic | Self::Meeting => "",
            Self::Background => text!(language, "mcp-prompt-given-background"),
            Self::Participants => text!(language, "mcp-prompt-given-participants"),
            Self::Experts => text!(language, "mcp-prompt-given-experts"),
            Self::Perspective => text!(language, "mcp-prompt-given-perspective"),
            Self::Language => text!(language, "mcp-prompt-given-language"),
        }
    }
}

/// All prompts, as they are listed.
pub(crate) fn list(language: Language) -> Vec<Prompt> {
    let listed = Offered::ALL.into_iter().map(|prompt| {
        let arguments = prompt.arguments().iter().enumerate().map(|(place, argument)| {
            PromptArgument::new(argument.name())
                .with_description(argument.description(language))
                .with_required(place == 0)
        });
        Prompt::new(prompt.name(), Some(prompt.description(language)), Some(arguments.collect()))
            .with_title(prompt.title(language))
    });
    listed.collect()
}

/// A prompt with its arguments, in the language that they name.
pub(crate) fn get(
    name: &str,
    arguments: Option<JsonObject>,
    language: Language,
) -> Result<GetPromptResult, ErrorData> {
    let wrong = |told: String| ErrorData::invalid_params(told, None);
    let Some(prompt) = Offered::ALL.into_iter().find(|prompt| prompt.name() == name) else {
        let known = Offered::ALL.map(Offered::name).join(", ");
        return Err(wrong(text!(language, "mcp-no-such-prompt", known)));
    };
    let arguments = arguments.unwrap_or_default();
    let known = prompt.arguments().iter().map(|argument| argument.name()).collect::<Vec<_>>();
    if arguments.keys().any(|given| !known.contains(&given.as_str())) {
        let known = known.join(text!(language, "common-list-separator"));
        return Err(wrong(text!(language, "mcp-prompt-arguments", name, known)));
    }
    let value = |argument: Argument| -> Result<Option<&str>, ErrorData> {
        let own = argument.name();
        match arguments.get(own) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(given)) if given.chars().count() > VALUE_MAX => {
                Err(wrong(text!(language, "mcp-prompt-value-too-long", own, most = %VALUE_MAX)))
            }
            Some(Value::String(given)) => Ok(Some(given.trim()).filter(|given| !given.is_empty())),
            Some(_) => Err(wrong(text!(language, "mcp-prompt-value-not-string", own))),
        }
    };
    let language = match value(Argument::Language)? {
        None => language,
        Some(given) => language::named(given)
            .ok_or_else(|| wrong(text!(language, "mcp-prompt-no-such-language").to_owned()))?,
    };
    let mut paragraphs = Vec::new();
    for (place, argument) in prompt.arguments().iter().enumerate() {
        match (place, value(*argument)?) {
            (0, Some(given)) => paragraphs.push(format!("{}\n{given}", prompt.about(language))),
            (0, None) => {
                let own = argument.name();
                return Err(wrong(text!(language, "mcp-prompt-value-missing", own)));
            }
            (_, Some(given)) => paragraphs.push(format!("{}\n{given}", argument.heading(language))),
            (_, None) => {}
        }
    }
    paragraphs.push(prompt.steps(language).to_owned());
    let message = PromptMessage::new_text(Role::User, paragraphs.join("\n\n"));
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.description(language)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text_of(name: &str, arguments: Value) -> Result<String, String> {
        let arguments = arguments.as_object().cloned();
        let prompt = get(name, arguments, Language::En).map_err(|error| error.message.to_string())?;
        let message = serde_json::to_value(&prompt.messages[0]).expect("JSON");
        Ok(message["content"]["text"].as_str().expect("a text").to_owned())
    }

    #[test]
    fn a_prompt_says_what_was_given_and_what_to_do() {
        let told = text_of(
            "convene_decision",
            json!({ "question": "SQLite or PostgreSQL?", "participants": "agent/ada", "background": " " }),
        );
        let told = told.expect("a prompt");
        assert!(
            told.contains("\nSQLite or PostgreSQL?\n\nParticipants:\nagent/ada\n\n1. Call create_meeting"),
            "{told}"
        );
        assert!(!told.contains("Background"), "{told}");
        let told = text_of("review_plan", json!({ "plan": "迁移", "language": "zh-CN" })).expect("a prompt");
        assert!(told.contains("迁移") && told.contains("调用 create_meeting"), "{told}");
    }

    #[test]
    fn all_prompts_are_listed_and_can_be_had_in_both_languages() {
        for language in Language::ALL {
            for listed in list(language) {
                let arguments = listed.arguments.expect("arguments");
                assert_eq!(arguments.iter().filter(|argument| argument.required == Some(true)).count(), 1);
                let given = arguments.iter().filter(|argument| argument.name != "language");
                let given = given.map(|argument| (argument.name.clone(), json!("x"))).collect::<JsonObject>();
                get(&listed.name, Some(given), language).expect("a prompt");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_the_language_of_the_client() {
        for (name, arguments, told) in [
            ("nothing", json!({}), "没有这个提示词"),
            ("take_part", json!({}), "缺少 `meeting`"),
            ("take_part", json!({ "meeting": 7 }), "`meeting` 不是字符串"),
            ("take_part", json!({ "meeting": "x", "other": "y" }), "meeting、perspective"),
            ("review_plan", json!({ "plan": "x".repeat(20_001) }), "`plan` 太长"),
            ("review_plan", json!({ "plan": "x", "language": "tlh" }), "zh 或 en"),
        ] {
            let arguments = arguments.as_object().cloned();
            let error = get(name, arguments, Language::Zh).expect_err("garbage");
            assert!(error.message.contains(told), "{}", error.message);
        }
    }

    #[test]
    fn garbage_is_told_what_to_give() {
        for (name, arguments, told) in [
            ("nothing", json!({}), "convene_decision"),
            ("take_part", json!({}), "`meeting` is missing"),
            ("take_part", json!({ "meeting": 7 }), "not a string"),
            ("take_part", json!({ "meeting": "x", "other": "y" }), "meeting, perspective"),
            ("review_plan", json!({ "plan": "x".repeat(20_001) }), "20000"),
            ("review_plan", json!({ "plan": "x", "language": "tlh" }), "zh nor en"),
        ] {
            let error = text_of(name, arguments).expect_err("garbage");
            assert!(error.contains(told), "{error}");
        }
    }
}
