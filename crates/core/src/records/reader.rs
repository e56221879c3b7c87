//! Validation of a model's record against its shape.

use quorate_contract::{ArtifactKind, MessageId, clean, shorten};
use quorate_messages::{self as messages, Message, message};
use serde_json::{Map, Value, json};

use super::gate::{bare, rests_on};
use crate::prompt::record_shapes::shape;
use crate::prompt::shape::{QUOTE_MAX_CHARS, SOURCES_MAX, Shape};
use crate::state::Meeting;

/// Holds a value against a shape. What it gives back fits; `Err` says which field does not and why,
/// for the model that is asked again.
pub(crate) struct Reader<'m> {
    pub(crate) meeting: &'m Meeting,
    /// The number of messages that the writer could have read.
    pub(crate) known: usize,
    /// The limit of lists when fields may be missing or additional; `None` for a strict reading.
    pub(crate) lenient: Option<usize>,
}

impl Reader<'_> {
    pub(crate) fn read(&self, shape: &Shape, path: &str, value: Value) -> Result<Value, Message> {
        match shape {
            Shape::Text(max) => match self.words(path, value, *max)? {
                text if text.is_empty() => Err(message!("answer-field-empty", field = field(path))),
                text => Ok(text.into()),
            },
            Shape::LongText(_, max) => match self.words(path, value, *max)? {
                text if text.is_empty() => Err(message!("answer-field-empty", field = field(path))),
                text => Ok(text.into()),
            },
            Shape::MaybeBlank(max) => Ok(self.words(path, value, *max)?.into()),
            Shape::MaybeNull(max) => match self.words(path, value, *max)? {
                text if text.is_empty() || text.eq_ignore_ascii_case("null") => Ok(Value::Null),
                text => Ok(text.into()),
            },
            Shape::Quote => match self.words(path, value, QUOTE_MAX_CHARS)? {
                text if bare(&text).is_empty() || text.eq_ignore_ascii_case("null") => Ok(Value::Null),
                text => Ok(text.into()),
            },
            Shape::OneOf(words) => {
                let given = self.words(path, value, 40)?;
                let fits = |(word, zh): &&(&str, &str)| word.eq_ignore_ascii_case(&given) || *zh == given;
                let choices: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                let found = words.iter().find(fits).map(|(word, _)| Value::from(*word));
                found
                    .ok_or_else(|| message!("answer-not-one-of", field = field(path), choices = &choices[..]))
            }
            Shape::List(of, min, max) => self.list(of, (*min, *max), path, value),
            Shape::Sources => Ok(json!(self.sources(path, value)?)),
            Shape::Object(fields) => self.object(fields, path, value),
        }
    }

    fn list(&self, of: &Shape, (min, max): (u32, u32), path: &str, value: Value) -> Result<Value, Message> {
        let items = match value {
            Value::Array(items) => items,
            Value::Null => Vec::new(),
            // One thing where a list was asked for is a list of one.
            one => vec![one],
        };
        let blank = |item: &Value| item.is_null() || item.as_str().is_some_and(|text| clean(text).is_empty());
        let mut items: Vec<Value> = items.into_iter().filter(|item| !blank(item)).collect();
        // Entries beyond the limit are not read, because each may be compared with whole messages.
        match self.lenient {
            Some(most) => items.truncate(most),
            None if items.len() < min as usize => {
                let count = items.len();
                return Err(message!("answer-too-few-entries", field = field(path), count, min));
            }
            None if items.len() > max as usize => {
                let count = items.len();
                return Err(message!("answer-too-many-entries", field = field(path), count, max));
            }
            None => {}
        }
        let items = items.into_iter().enumerate();
        let read = items.map(|(place, item)| self.read(of, &format!("{path}[{place}]"), item));
        Ok(Value::Array(read.collect::<Result<_, _>>()?))
    }

    fn object(&self, fields: &[(&'static str, Shape)], path: &str, value: Value) -> Result<Value, Message> {
        let Value::Object(mut given) = value else {
            return Err(message!("answer-not-object", field = field(path)));
        };
        let mut read = Map::new();
        for (name, shape) in fields {
            let at = if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
            match given.remove(*name) {
                Some(value) => _ = read.insert((*name).to_owned(), self.read(shape, &at, value)?),
                // Missing sources have an error of their own.
                None if self.lenient.is_some() || matches!(shape, Shape::Sources) => {
                    read.insert((*name).to_owned(), self.read(shape, &at, Value::Null)?);
                }
                None => return Err(message!("answer-missing", field = at)),
            }
        }
        if let Some(unknown) = given.keys().next().filter(|_| self.lenient.is_none()) {
            let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            let at = if path.is_empty() { unknown.clone() } else { format!("{path}.{unknown}") };
            return Err(message!("answer-unknown-field", field = at, names = &names[..]));
        }
        if let Some(sources) = read.get("sources") {
            let sources: Vec<MessageId> = serde_json::from_value(sources.clone()).unwrap_or_default();
            let quote = read.get("quote").and_then(Value::as_str);
            rests_on(self.meeting, self.known, path, &sources, quote)?;
        }
        Ok(Value::Object(read))
    }

    /// Cleaned and cut; a number is taken as it would be written.
    fn words(&self, path: &str, value: Value, max: u32) -> Result<String, Message> {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Null => String::new(),
            _ => return Err(message!("answer-not-text", field = field(path))),
        };
        Ok(shorten(&clean(&text), max as usize))
    }

    /// Ids of messages, as models write them: `m3`, `M3`, `[m3]`, `3`, `m3, m4`.
    fn sources(&self, path: &str, value: Value) -> Result<Vec<MessageId>, Message> {
        let items = match value {
            Value::Array(items) => items,
            Value::Null => Vec::new(),
            one => vec![one],
        };
        let mut found: Vec<MessageId> = Vec::new();
        for item in items {
            let written = self.words(path, item, 200)?;
            let is_mark = |c: char| c.is_whitespace() || "[]【】()（）<>\"'“”`#,，、;；".contains(c);
            for part in written.split(is_mark).filter(|part| !part.is_empty()) {
                let digits = part.trim_start_matches(['m', 'M']);
                let Some(id) = digits.parse().ok().map(MessageId).filter(|id| id.0 > 0) else {
                    return Err(message!("answer-no-message-id", field = field(path), part));
                };
                if found.len() < SOURCES_MAX && !found.contains(&id) {
                    found.push(id);
                }
            }
        }
        Ok(found)
    }
}

/// The name of a field; that of the whole answer has words of its own.
fn field(path: &str) -> messages::Value {
    match path.is_empty() {
        true => message!("answer-whole").into(),
        false => path.into(),
    }
}

/// Reads an artifact that fits its kind and cites existing messages; `Err` says what is wrong.
pub(crate) fn read_artifact(
    m: &Meeting,
    kind: ArtifactKind,
    object: Map<String, Value>,
) -> Result<Value, Message> {
    let reader = Reader { meeting: m, known: m.visible_messages(), lenient: None };
    reader.read(shape(kind), "", Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::seated;

    #[test]
    fn a_list_has_as_many_entries_as_its_shape_allows_and_blank_ones_do_not_count() {
        let m = seated(1);
        let shape = Shape::List(Box::new(Shape::Text(10)), 1, 2);
        let reads = |lenient, value: Value| {
            let reader = Reader { meeting: &m, known: 0, lenient };
            reader.read(&shape, "tasks", value).ok()
        };
        for (given, read) in [
            (json!([]), None),
            (json!(["a"]), Some(json!(["a"]))),
            (json!("a"), Some(json!(["a"]))),
            (json!(["a", " ", null, "b"]), Some(json!(["a", "b"]))),
            (json!(["a", "b", "c"]), None),
        ] {
            assert_eq!(reads(None, given.clone()), read, "{given}");
        }
        assert_eq!(reads(Some(2), json!(["a", "b", "c"])), Some(json!(["a", "b"])), "the rest is left");
    }

    #[test]
    fn words_that_have_to_be_there_are_not_blank() {
        let m = seated(1);
        let reads = |shape: Shape, text: &str| {
            let reader = Reader { meeting: &m, known: 0, lenient: None };
            reader.read(&shape, "title", json!(text)).ok()
        };
        for shape in [|| Shape::Text(10), || Shape::LongText(10, 20)] {
            assert_eq!((reads(shape(), " "), reads(shape(), "a")), (None, Some(json!("a"))));
        }
        assert_eq!(reads(Shape::MaybeBlank(10), " "), Some(json!("")));
        assert_eq!(reads(Shape::MaybeNull(10), "null"), Some(Value::Null));
    }

    #[test]
    fn sources_are_read_as_models_write_them_each_once_and_so_many() {
        let m = seated(1);
        let reader = Reader { meeting: &m, known: 0, lenient: None };
        let sources = |value: Value| -> Option<Vec<u32>> {
            Some(reader.sources("sources", value).ok()?.iter().map(|id| id.0).collect())
        };
        assert_eq!(sources(json!(["[m1], M2", 3, "m1"])), Some(vec![1, 2, 3]));
        assert_eq!(sources(json!("m1 m2 m3 m4 m5 m6 m7")), Some(vec![1, 2, 3, 4, 5, 6]));
        assert_eq!((sources(json!(["m0"])), sources(json!(["the first"]))), (None, None));
    }
}
