//! An answer that is being read, with its repairs.

use std::cell::RefCell;

use quorate_contract::{AnswerRepair, AnswerSchema, StopReason};
use quorate_messages::{Message, message};
use serde_json::{Map, Value};

use super::json;
use super::json::Marks;

/// An answer that is being read.
pub(super) struct ParsedResponse<'a> {
    /// The text, cleaned.
    pub(super) text: &'a str,
    /// The reason why it ended.
    pub(super) stop: StopReason,
    mended: RefCell<Vec<AnswerRepair>>,
    /// The object that was read, for its types.
    object: RefCell<Option<Map<String, Value>>>,
}

impl<'a> ParsedResponse<'a> {
    pub(super) fn new(text: &'a str, stop: StopReason) -> Self {
        Self { text, stop, mended: RefCell::default(), object: RefCell::default() }
    }

    /// The object with these marks, or what is wrong.
    pub(super) fn object(&self, marks: Marks<'_>) -> Result<Map<String, Value>, Message> {
        let cut_off = self.stop != StopReason::Stop;
        let Some(found) = json::find(self.text, marks, cut_off) else {
            return Err(message!("answer-no-json"));
        };
        found.mended.into_iter().for_each(|mend| self.note(mend, true));
        *self.object.borrow_mut() = Some(found.object.clone());
        Ok(found.object)
    }

    /// Records a repair.
    pub(super) fn note(&self, mend: AnswerRepair, done: bool) {
        let mut mended = self.mended.borrow_mut();
        if done && !mended.contains(&mend) {
            mended.push(mend);
        }
    }

    /// All repairs, once the answer was read in this shape.
    pub(super) fn mended(self, shape: impl FnOnce() -> Option<AnswerSchema>) -> Vec<AnswerRepair> {
        if let Some(object) = self.object.take() {
            let shape = shape();
            let other_types = shape.is_some_and(|shape| !is_of(&Value::Object(object), &shape.schema));
            self.note(AnswerRepair::Types, other_types);
        }
        self.mended.into_inner()
    }
}

/// Whether a value and its parts have the types that a schema asks for. Fields that are missing or additional
/// are ignored.
fn is_of(value: &Value, schema: &Value) -> bool {
    let named = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        Some(_) | None => true,
    };
    let fits = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(named),
        Some(name) => named(name),
        None => true,
    };
    let (properties, items) = (schema.get("properties").and_then(Value::as_object), schema.get("items"));
    fits && match value {
        Value::Object(members) => properties.is_none_or(|properties| {
            properties.iter().all(|(key, schema)| members.get(key).is_none_or(|member| is_of(member, schema)))
        }),
        Value::Array(list) => items.is_none_or(|schema| list.iter().all(|item| is_of(item, schema))),
        _ => true,
    }
}
