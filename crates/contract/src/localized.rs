//! Text for people, made in each language where it is made, and for the interface at which it is read.

use std::fmt;

use quorate_messages::{Language, Message};

/// A text in each language. A text that a library or a vendor wrote has one form that stands for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    text: Forms,
    /// The text for a reader who types commands.
    terminal: Option<Box<Wording>>,
    /// The text for an agent that calls tools, and neither types commands nor sends requests.
    tools: Option<Box<Wording>>,
}

/// The forms of a text. Boxed, because they travel in errors.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Forms {
    /// The only one.
    One(Box<str>),
    /// One for each of [`Language::ALL`], in that order.
    Each(Box<[Box<str>; Language::ALL.len()]>),
}

impl Forms {
    fn in_language(&self, language: Language) -> Option<&str> {
        match self {
            Self::One(_) => None,
            Self::Each(texts) => {
                let mut with_language = Language::ALL.iter().zip(texts.iter());
                with_language.find(|(other, _)| **other == language).map(|(_, text)| &**text)
            }
        }
    }

    fn each(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::One(text) => Self::One(change(text).into()),
            Self::Each(texts) => Self::Each(Box::new(texts.each_ref().map(|text| change(text).into()))),
        }
    }
}

impl Wording {
    /// A text that is composed in each language.
    pub fn in_each(text: impl Fn(Language) -> String) -> Self {
        let texts = Language::ALL.map(|language| text(language).into());
        Self { text: Forms::Each(Box::new(texts)), terminal: None, tools: None }
    }

    /// The same text, with another form for a terminal, where a command helps. Readers of the page and of
    /// HTTP responses get the main form.
    pub fn at_terminal(self, terminal: impl Into<Self>) -> Self {
        Self { terminal: Some(Box::new(terminal.into())), ..self }
    }

    /// The text as it is said at a terminal.
    pub fn for_terminal(self) -> Self {
        match self.terminal {
            Some(terminal) => *terminal,
            None => self,
        }
    }

    /// The text as it is said to an agent that calls tools.
    pub fn for_tools(self) -> Self {
        match self.tools {
            Some(tools) => *tools,
            None => self,
        }
    }

    /// The same with each of its texts changed like this.
    pub fn map(&self, change: impl Fn(&str) -> String) -> Self {
        self.each(&change)
    }

    fn each(&self, change: &dyn Fn(&str) -> String) -> Self {
        Self {
            text: self.text.each(change),
            terminal: self.terminal.as_deref().map(|terminal| Box::new(terminal.each(change))),
            tools: self.tools.as_deref().map(|tools| Box::new(tools.each(change))),
        }
    }

    /// The text in the reader's language.
    pub fn for_reader(&self, language: Language) -> &str {
        match &self.text {
            Forms::One(text) => text,
            Forms::Each(_) => self.text.in_language(language).unwrap_or_default(),
        }
    }

    /// The text in this language; `None` when it has one form for all.
    pub fn in_language(&self, language: Language) -> Option<&str> {
        self.text.in_language(language)
    }

    /// The English form, or the only one: for logs and for programs.
    pub fn english(&self) -> &str {
        self.for_reader(Language::En)
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.english().is_empty()
    }
}

impl fmt::Display for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

/// A message of the catalogue, with its form for tools when it has one.
impl From<Message> for Wording {
    fn from(message: Message) -> Self {
        let tools = message.for_tools().map(|tools| Box::new(Self::in_each(|language| tools.text(language))));
        Self { tools, ..Self::in_each(|language| message.text(language)) }
    }
}

impl From<String> for Wording {
    fn from(text: String) -> Self {
        Self { text: Forms::One(text.into()), terminal: None, tools: None }
    }
}

impl From<&str> for Wording {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_calls_tools_is_told_of_a_tool() {
        let hint = Wording::from(quorate_messages::message!("server-turn-over-wait"));
        assert!(hint.english().contains("/api/v1/turns"), "{hint}");
        let shouted = hint.map(str::to_uppercase).for_tools();
        assert_eq!(shouted.english(), "CALL WAIT_FOR_TURN FOR YOUR NEXT TURN");
        assert!(hint.for_tools().for_reader(Language::Zh).contains("wait_for_turn"));
        let plain = Wording::from(quorate_messages::message!("refusal-is-paused"));
        assert_eq!(plain.clone().for_tools(), plain);
    }

    #[test]
    fn a_text_is_read_in_ones_own_language_and_in_the_only_one_otherwise() {
        let in_each = |zh: &str, en: &str| {
            Wording::in_each(|language| match language {
                Language::Zh => zh.to_owned(),
                Language::En => en.to_owned(),
            })
        };
        let both = in_each("不能为空", "it is empty");
        assert_eq!(both.for_reader(Language::Zh), "不能为空");
        assert_eq!(
            (both.for_reader(Language::En), both.to_string().as_str()),
            ("it is empty", "it is empty")
        );
        let both = both.at_terminal(in_each("见 quorate list", "see `quorate list`"));
        assert_eq!(both.english(), "it is empty", "only a terminal is told of commands");
        let shouted = both.map(str::to_uppercase);
        assert_eq!(shouted.english(), "IT IS EMPTY");
        assert_eq!(shouted.for_terminal().english(), "SEE `QUORATE LIST`");
        assert_eq!(both.for_terminal().for_reader(Language::Zh), "见 quorate list");
        let one = Wording::from("no route to host");
        assert_eq!(one.clone().for_terminal(), one);
        assert_eq!((one.for_reader(Language::Zh), one.in_language(Language::Zh)), ("no route to host", None));
    }
}
