//! The shape of a record: given to models as JSON Schema, and used to check their answers. Both come from one
//! description, so that they cannot drift apart.

use serde_json::{Map, Value, json};

/// The most messages that a line names.
pub(crate) const SOURCES_MAX: usize = 6;
/// The most characters of a quote.
pub(crate) const QUOTE_MAX_CHARS: u32 = 300;

/// The shape of a value. Lengths are in characters.
pub(crate) enum Shape {
    /// Words that have to be there.
    Text(u32),
    /// Words that may be blank.
    MaybeBlank(u32),
    /// Words, or null; blank words are null.
    MaybeNull(u32),
    /// Words that a schema bounds at the first number, as servers want it, and that are kept up to
    /// the second.
    LongText(u32, u32),
    /// One of these words, each with its Chinese form.
    OneOf(&'static [(&'static str, &'static str)]),
    /// A list with its smallest and largest length.
    List(Box<Shape>, u32, u32),
    /// The messages that a line cites.
    Sources,
    /// Words out of one of these messages, or null.
    Quote,
    /// Exactly these fields.
    Object(Vec<(&'static str, Shape)>),
}

impl Shape {
    /// The shape as JSON Schema, with every string bounded.
    pub(crate) fn schema(&self) -> Value {
        let text = |max: &u32| json!({ "type": "string", "maxLength": max });
        let nullable = |max: &u32| json!({ "type": ["string", "null"], "maxLength": max });
        match self {
            Self::Text(max) | Self::MaybeBlank(max) | Self::LongText(max, _) => text(max),
            Self::MaybeNull(max) => nullable(max),
            Self::Quote => nullable(&QUOTE_MAX_CHARS),
            Self::OneOf(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                json!({ "type": "string", "enum": words, "maxLength": 10 })
            }
            Self::List(of, min, max) => {
                json!({ "type": "array", "items": of.schema(), "minItems": min, "maxItems": max })
            }
            Self::Sources => json!({
                "type": "array", "items": text(&12), "minItems": 1, "maxItems": SOURCES_MAX,
            }),
            Self::Object(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
                let properties: Map<String, Value> =
                    fields.iter().map(|(name, shape)| ((*name).to_owned(), shape.schema())).collect();
                json!({
                    "type": "object", "properties": properties, "required": names,
                    "additionalProperties": false,
                })
            }
        }
    }
}
