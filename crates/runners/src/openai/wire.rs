//! The shapes of what servers send back: whole answers, pieces of a stream, lists of models.
//!
//! They borrow from the bytes that came, because a stream brings one for each token. And they
//! are lenient: a field of an unexpected type is as good as none, for among the many servers
//! that speak this format each has fields of its own mind.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// An answer, or one event of a stream.
#[derive(Deserialize)]
pub(crate) struct Reply<'a> {
    #[serde(borrow, default)]
    pub(crate) choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow, default)]
    pub(crate) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) error: Option<&'a RawValue>,
    /// What this is: `chat.completion.chunk`, or `error` from some servers.
    #[serde(borrow, default)]
    pub(crate) object: Text<'a>,
}

/// The only alternative that was asked for.
#[derive(Deserialize)]
pub(crate) struct Choice<'a> {
    /// In a stream.
    #[serde(borrow, default)]
    pub(crate) delta: Option<Said<'a>>,
    /// In a whole answer.
    #[serde(borrow, default)]
    pub(crate) message: Option<Said<'a>>,
    #[serde(borrow, default)]
    pub(crate) finish_reason: Text<'a>,
}

/// What was said, or a piece of it.
#[derive(Deserialize)]
pub(crate) struct Said<'a> {
    #[serde(borrow, default)]
    pub(crate) content: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) reasoning_content: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) reasoning: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) refusal: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) tool_calls: Option<&'a RawValue>,
}

/// A text: a string, a list of parts with texts, or anything else, which is no text.
#[derive(Default)]
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text)))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Text::default())
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Text::default())
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Text::default())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut all = String::new();
        while let Some(part) = parts.next_element::<Part<'de>>()? {
            all.push_str(&part.0);
        }
        Ok(Text(Cow::Owned(all)))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
}

/// One part of a text in parts: `{"type": "text", "text": …}`, or a bare string.
struct Part<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Part<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Shape<'a> {
            Typed {
                #[serde(default)]
                text: String,
            },
            #[serde(borrow)]
            Bare(Cow<'a, str>),
            Other(IgnoredAny),
        }
        Ok(match Shape::deserialize(deserializer)? {
            Shape::Typed { text } => Self(Cow::Owned(text)),
            Shape::Bare(text) => Self(text),
            Shape::Other(_) => Self(Cow::Borrowed("")),
        })
    }
}

/// What the provider counted, as far as it did; nothing of it is believed yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) reasoning: Option<u64>,
    pub(crate) cached: Option<u64>,
}

impl Counts {
    /// Reads a `usage` object. What is negative, broken or missing was not counted.
    pub(crate) fn read(usage: &RawValue) -> Self {
        #[derive(Deserialize, Default)]
        struct Wire {
            #[serde(default)]
            prompt_tokens: Number,
            #[serde(default)]
            completion_tokens: Number,
            #[serde(default)]
            prompt_cache_hit_tokens: Number,
            #[serde(default)]
            prompt_tokens_details: Option<Details>,
            #[serde(default)]
            completion_tokens_details: Option<Details>,
        }
        #[derive(Deserialize, Default)]
        struct Details {
            #[serde(default)]
            cached_tokens: Number,
            #[serde(default)]
            reasoning_tokens: Number,
        }
        let wire: Wire = serde_json::from_str(usage.get()).unwrap_or_default();
        let read = wire.prompt_tokens_details.unwrap_or_default();
        let written = wire.completion_tokens_details.unwrap_or_default();
        Self {
            input: wire.prompt_tokens.0,
            output: wire.completion_tokens.0,
            reasoning: written.reasoning_tokens.0,
            cached: read.cached_tokens.0.or(wire.prompt_cache_hit_tokens.0),
        }
    }
}

/// A count that may be anything.
#[derive(Default)]
struct Number(Option<u64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Shape {
            Whole(u64),
            Broken(f64),
            Other(IgnoredAny),
        }
        Ok(Self(match Shape::deserialize(deserializer)? {
            Shape::Whole(number) => Some(number),
            Shape::Broken(number) if (0.0..1e15).contains(&number) => Some(number as u64),
            Shape::Broken(_) | Shape::Other(_) => None,
        }))
    }
}

/// The names in a list of models: `{"data": [{"id": …}]}`, the same without the wrapping, or
/// `{"models": [{"name": …}]}`.
pub(crate) fn model_names(body: &[u8]) -> Result<Vec<String>, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Shape {
        Data { data: Vec<Model> },
        Models { models: Vec<Model> },
        Bare(Vec<Model>),
        Nothing { data: () },
    }
    #[derive(Deserialize)]
    struct Model {
        #[serde(alias = "name")]
        id: String,
    }
    let models = match serde_json::from_slice(body)? {
        Shape::Data { data: models } | Shape::Models { models } | Shape::Bare(models) => models,
        // A server without any model writes null.
        Shape::Nothing { data: () } => Vec::new(),
    };
    let mut names: Vec<String> = models.into_iter().map(|model| model.id).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &str) -> String {
        let said = format!(r#"{{"content":{json}}}"#);
        let said: Said<'_> = serde_json::from_str(&said).expect("JSON");
        said.content.0.into_owned()
    }

    #[test]
    fn content_may_be_a_string_parts_or_nothing() {
        assert_eq!(content(r#""a\n\u4f17""#), "a\n众");
        assert_eq!(content("null"), "");
        assert_eq!(content("7"), "");
        assert_eq!(content(r#"{"text":"a"}"#), "");
        let parts = r#"[{"type":"text","text":"a"},"b",{"type":"image_url"},{"text":"c"},null]"#;
        assert_eq!(content(parts), "abc");
    }

    #[test]
    fn a_piece_of_a_stream_is_borrowed_from_the_bytes_that_came() {
        let bytes = br#"{"id":"x","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}],"usage":null}"#;
        let reply: Reply<'_> = serde_json::from_slice(bytes).expect("JSON");
        let choices = reply.choices.expect("one choice");
        let delta = choices[0].delta.as_ref().expect("a delta");
        assert!(matches!(delta.content.0, Cow::Borrowed("word")));
        assert!(reply.usage.is_none());
    }

    #[test]
    fn what_was_not_counted_properly_was_not_counted() {
        let read = |json: &str| Counts::read(serde_json::from_str(json).expect("JSON"));
        let good = read(
            r#"{"prompt_tokens":7,"completion_tokens":3.0,"total_tokens":10,
                "prompt_tokens_details":{"cached_tokens":2},
                "completion_tokens_details":{"reasoning_tokens":1}}"#,
        );
        let expected = Counts { input: Some(7), output: Some(3), reasoning: Some(1), cached: Some(2) };
        assert_eq!(good, expected);
        let bad = r#"{"prompt_tokens":-1,"completion_tokens":"three","prompt_tokens_details":null}"#;
        assert_eq!(read(bad), Counts::default());
        assert_eq!(read(r#""none""#), Counts::default());
        assert_eq!(read(r#"{"prompt_cache_hit_tokens":5}"#).cached, Some(5));
    }

    #[test]
    fn lists_of_models_come_in_three_shapes() {
        for body in [
            r#"{"object":"list","data":[{"id":"b","owned_by":"x"},{"id":"a"}]}"#,
            r#"{"models":[{"name":"a"},{"name":"b"}]}"#,
            r#"[{"id":"a"},{"id":"b"}]"#,
        ] {
            assert_eq!(model_names(body.as_bytes()).expect("a list"), ["a", "b"], "{body}");
        }
        assert!(model_names(br#"{"data":null}"#).expect("no models").is_empty());
        model_names(b"<html>").expect_err("a web page");
    }
}
