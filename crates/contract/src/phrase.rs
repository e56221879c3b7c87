//! A text in an event: a code of the catalogue with its fields, or words that somebody wrote.

use std::borrow::Cow;
use std::fmt;

use quorate_messages::{Language, Message, Value};
use serde::{Deserialize, Serialize};

use crate::localized::Wording;
use crate::text::{clean, shorten};

/// The longest text that a person, a model or a vendor wrote into a phrase, in characters.
const WRITTEN_MAX_CHARS: usize = 500;

/// A text in an event. It is either a code with fields, which each reader sees in their own language, or the
/// words of a person, model or vendor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Phrase {
    /// A code with fields.
    Code(Message),
    /// The words as they were written.
    Written {
        /// The text; may be empty.
        text: String,
    },
}

impl Phrase {
    /// The text in this language.
    pub fn in_language(&self, language: Language) -> Cow<'_, str> {
        match self {
            Self::Code(message) => Cow::Owned(message.event_text(language)),
            Self::Written { text } => Cow::Borrowed(text),
        }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Code(_) => false,
            Self::Written { text } => text.is_empty(),
        }
    }

    /// The same with each text in it changed like this: the words, or the texts among the fields of a code.
    #[must_use]
    pub fn map(self, change: impl Fn(String) -> String) -> Self {
        match self {
            Self::Code(message) => Self::Code(message.map(&change)),
            Self::Written { text } => Self::Written { text: change(text) },
        }
    }

    /// The same without what a terminal or a page would obey, and within the bounds of what stands in an event.
    #[must_use]
    pub fn bounded(self) -> Self {
        match self.map(|text| shorten(&clean(&text), WRITTEN_MAX_CHARS)) {
            Self::Code(message) => Self::Code(message.bounded()),
            written @ Self::Written { .. } => written,
        }
    }
}

/// Nothing is said.
impl Default for Phrase {
    fn default() -> Self {
        Self::Written { text: String::new() }
    }
}

/// In English, for logs and tests.
impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::En))
    }
}

impl From<Message> for Phrase {
    fn from(message: Message) -> Self {
        debug_assert!(message.is_of_events(), "{} stands in no file of what events hold", message.id());
        Self::Code(message.bounded())
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self::Written { text }
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Phrase> for Value {
    fn from(phrase: Phrase) -> Self {
        match phrase {
            Phrase::Code(message) => message.into(),
            Phrase::Written { text } => text.into(),
        }
    }
}

impl From<&Phrase> for Value {
    fn from(phrase: &Phrase) -> Self {
        phrase.clone().into()
    }
}

impl From<Phrase> for Wording {
    fn from(phrase: Phrase) -> Self {
        match phrase {
            Phrase::Code(_) => Self::in_each(|language| phrase.in_language(language).into_owned()),
            Phrase::Written { text } => text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use quorate_messages::message;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_code_is_read_in_each_language_and_words_are_as_they_were_written() {
        let code = Phrase::from(message!("failure-no-answer-within", seconds = 30_u32));
        assert_eq!(code.in_language(Language::En), "no answer within 30 s");
        assert_eq!(code.in_language(Language::Zh), "30 秒内没有回答");
        let line = json!({ "code": "failure-no-answer-within", "args": { "seconds": 30 } });
        assert_eq!(serde_json::to_value(&code).expect("plain"), line);
        assert_eq!(serde_json::from_value::<Phrase>(line).expect("a phrase"), code);
        let written = Phrase::from("nobody counts");
        assert_eq!(written.in_language(Language::Zh), "nobody counts");
        assert_eq!(serde_json::to_value(&written).expect("plain"), json!({ "text": "nobody counts" }));
        let read: Phrase = serde_json::from_value(json!({ "text": "nobody counts" })).expect("a phrase");
        assert_eq!(read, written);
        assert!(serde_json::from_value::<Phrase>(json!("a text alone")).is_err());
    }

    #[test]
    fn what_a_vendor_said_is_cleaned_and_cut_wherever_it_stands() {
        let said = format!("\u{1b}[2J{}", "x".repeat(600));
        let code = Phrase::from(message!("failure-model-refused", said = said.as_str())).bounded();
        let text = code.in_language(Language::En).into_owned();
        assert!(text.starts_with("the model refused: [2Jxxx") && text.ends_with('…'), "{text}");
        assert!(text.chars().count() <= "the model refused: ".len() + WRITTEN_MAX_CHARS, "{text}");
        let written = Phrase::from(said).bounded().to_string();
        assert!(written.starts_with("[2Jxxx") && written.chars().count() == WRITTEN_MAX_CHARS, "{written}");
    }
}
