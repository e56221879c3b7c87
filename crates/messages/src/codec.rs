//! How a message is written into an event, and read again.
//!
//! What is read was written by any version of the program, or by somebody else: nothing in it makes reading fail but
//! another shape, and all of it is bounded.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::message::{Message, Value};

/// The longest code, and the longest name of a field, in characters.
const NAME_MAX_CHARS: usize = 80;
/// The most fields of a message.
const FIELDS_MAX: usize = 8;
/// The longest text of a field, in characters.
const TEXT_MAX_CHARS: usize = 500;
/// The most entries of a list.
const LIST_MAX: usize = 32;
/// The longest entry of a list, in characters.
const ENTRY_MAX_CHARS: usize = 200;
/// How deep messages may stand within each other.
const DEPTH_MAX: usize = 5;
/// The largest number, which every reader of JSON keeps.
const NUMBER_MAX: i64 = 1 << 53;

impl Message {
    /// The same within the bounds of what stands in an event: what is too long is cut, what is too much is left out.
    #[must_use]
    pub fn bounded(self) -> Self {
        self.within(DEPTH_MAX)
    }

    fn within(self, depth: usize) -> Self {
        let fields = self.fields.into_iter().take(FIELDS_MAX).map(|(name, value)| {
            let value = match value {
                Value::Number(number) => Value::Number(number.clamp(-NUMBER_MAX, NUMBER_MAX)),
                Value::Text(text) => Value::Text(cut(text, TEXT_MAX_CHARS)),
                Value::List(items) => {
                    let items = items.into_iter().take(LIST_MAX).map(|item| cut(item, ENTRY_MAX_CHARS));
                    Value::List(items.collect())
                }
                Value::Message(message) if depth > 1 => Value::Message(Box::new(message.within(depth - 1))),
                Value::Message(message) => Value::Text(cut(message.id.into_owned(), NAME_MAX_CHARS)),
            };
            (name_of(name), value)
        });
        Self { id: name_of(self.id), fields: fields.collect() }
    }
}

fn name_of(name: Cow<'static, str>) -> Cow<'static, str> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name),
        Cow::Owned(name) => Cow::Owned(cut(name, NAME_MAX_CHARS)),
    }
}

/// At most `max` characters; what is longer ends in `…`.
fn cut(text: String, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text,
        Some(_) => text.chars().take(max - 1).chain(['…']).collect(),
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("code", &self.id)?;
        if !self.fields.is_empty() {
            map.serialize_entry("args", &Fields(&self.fields))?;
        }
        map.end()
    }
}

struct Fields<'a>(&'a [(Cow<'static, str>, Value)]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => to.serialize_i64(*number),
            Self::Text(text) => to.serialize_str(text),
            Self::List(items) => to.collect_seq(items),
            Self::Message(message) => message.serialize(to),
        }
    }
}

/// The `args` of a message as they are read.
#[derive(Default)]
struct Args(Vec<(Cow<'static, str>, Value)>);

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::Message(message) => Ok(message.bounded()),
            Value::Number(_) | Value::Text(_) | Value::List(_) => Err(D::Error::missing_field("code")),
        }
    }
}

impl<'de> Deserialize<'de> for Args {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ArgsVisitor;
        impl<'de> Visitor<'de> for ArgsVisitor {
            type Value = Args;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the fields of a message")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Args, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    fields.push((Cow::Owned(name), value));
                }
                Ok(Args(fields))
            }
        }
        from.deserialize_map(ArgsVisitor)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a list of texts, or a message")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Text(number.to_string()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Text(value.to_string()))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Text(String::new()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Value>()? {
            items.push(match item {
                Value::Number(number) => number.to_string(),
                Value::Text(text) => text,
                Value::List(items) => items.join(" "),
                Value::Message(message) => message.id.into_owned(),
            });
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut code, mut args) = (None, Args::default());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "code" => code = Some(map.next_value::<String>()?),
                "args" => args = map.next_value()?,
                _ => _ = map.next_value::<serde::de::IgnoredAny>()?,
            }
        }
        let code = code.ok_or_else(|| A::Error::missing_field("code"))?;
        Ok(Value::Message(Box::new(Message::of(code.into(), args.0))))
    }
}

#[cfg(feature = "openapi")]
pub(crate) fn args_schema() -> utoipa::openapi::schema::Object {
    use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder};

    let fields = "The fields by name: numbers, texts, lists of texts, or further messages. Absent when there are none.";
    ObjectBuilder::new()
        .description(Some(fields))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn read(line: &str) -> Message {
        serde_json::from_str(line).expect("a message")
    }

    #[test]
    fn a_message_is_the_same_when_it_is_read_again() {
        let inner = crate::message!("failure-left");
        let outer = crate::message!("failure-asked-times", times = 3_u32, failure = inner);
        let line = serde_json::to_string(&outer).expect("plain");
        assert_eq!(
            line,
            r#"{"code":"failure-asked-times","args":{"failure":{"code":"failure-left"},"times":3}}"#
        );
        assert_eq!(read(&line), outer);
        assert_eq!(read(&line).event_text(Language::En), outer.text(Language::En));
    }

    #[test]
    fn a_message_of_a_newer_version_has_the_text_of_its_code_and_fields() {
        let newer =
            r#"{"code":"failure-of-tomorrow","args":{"n":2,"list":["a","b"],"half":0.5},"more":[{}]}"#;
        assert_eq!(read(newer).event_text(Language::En), "failure-of-tomorrow (half: 0.5; list: a, b; n: 2)");
        let known_elsewhere = r#"{"code":"refusal-is-paused"}"#;
        assert_eq!(read(known_elsewhere).event_text(Language::En), "refusal-is-paused");
        assert!(serde_json::from_str::<Message>(r#"{"args":{}}"#).is_err());
    }

    #[test]
    fn what_is_read_is_bounded_and_stays_as_it_is_then() {
        let deep =
            (0..50).fold("\"x\"".to_owned(), |inner, _| format!(r#"{{"code":"c","args":{{"a":{inner}}}}}"#));
        let many: Vec<String> = (0..1000).map(|n| format!(r#""n{n}":"{}""#, "长".repeat(2000))).collect();
        let wide = format!(r#"{{"code":"{}","args":{{{}}}}}"#, "c".repeat(5000), many.join(","));
        for hostile in [deep, wide] {
            let message = read(&hostile);
            let line = serde_json::to_string(&message).expect("plain");
            assert!(line.len() < 40_000, "{}", line.len());
            assert_eq!(read(&line), message);
        }
    }
}
