//! A question, whichever format it came in.

use serde_json::Value;

/// A request to a model.
#[derive(Debug, Clone)]
pub struct Question {
    /// The model's name.
    pub model: String,
    /// The instruction.
    pub system: String,
    /// Everything else that it reads.
    pub words: String,
    /// The shape of the answer, when one was asked for.
    pub schema: Option<Value>,
    /// Whether the answer is streamed.
    pub streamed: bool,
    /// The most tokens of the answer.
    pub max_tokens: u64,
}

impl Question {
    /// About how many tokens it has, as the vendor counts and bills them.
    pub fn tokens(&self) -> u64 {
        tokens(&self.system) + tokens(&self.words)
    }
}

/// About how many tokens a text has, as all vendors here count them.
pub fn tokens(text: &str) -> u64 {
    let wide = text.chars().filter(|c| !c.is_ascii()).count();
    let narrow = text.chars().count() - wide;
    (wide * 7 / 10 + narrow / 4).max(1) as u64
}

/// The beginning of a text that has at most so many tokens.
pub(crate) fn within(text: &str, most: u64) -> &str {
    if tokens(text) <= most {
        return text;
    }
    let (mut wide, mut narrow) = (0u64, 0u64);
    for (at, c) in text.char_indices() {
        let counted = if c.is_ascii() { &mut narrow } else { &mut wide };
        *counted += 1;
        if wide * 7 / 10 + narrow / 4 > most {
            return &text[..at];
        }
    }
    text
}

/// All texts in a message's content: a string, or parts with a `text`.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().map(|part| part["text"].as_str().unwrap_or_default());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The behaviour of a model, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelBehaviour {
    Sound,
    Busy,
    Down,
    Dumb,
}

pub(crate) fn temper(model: &str, number: u64) -> ModelBehaviour {
    match model {
        _ if model.starts_with("busy") && number.is_multiple_of(2) => ModelBehaviour::Busy,
        _ if model.starts_with("down") => ModelBehaviour::Down,
        _ if model.starts_with("dumb") => ModelBehaviour::Dumb,
        _ => ModelBehaviour::Sound,
    }
}

/// The reasoning of a model, if it shows any.
pub(crate) fn thoughts(model: &str) -> Option<&'static str> {
    model.starts_with("reasoner").then_some("Let me see. Who writes, and how often? One process, so far.")
}

/// The text in pieces of this many characters.
pub(crate) fn pieces(text: &str, size: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(size).map(|piece| piece.iter().collect()).collect()
}
