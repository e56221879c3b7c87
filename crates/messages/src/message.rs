//! A message: a code of the catalogue with its fields, which becomes a text in a reader's language.

use std::borrow::Cow;

use crate::catalogue;
use crate::language::Language;

/// A text as a code with fields. A client that does not know the code shows the code.
// `message!` makes one; it is written as `{"code": "failure-left", "args": {…}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CatalogueMessage))]
pub struct Message {
    /// The code of the text.
    #[cfg_attr(feature = "openapi", schema(rename = "code", value_type = String))]
    pub(crate) id: Cow<'static, str>,
    /// The fields by name: numbers, texts, lists of texts, or further messages. Absent when there are none.
    #[cfg_attr(feature = "openapi", schema(rename = "args", schema_with = crate::codec::args_schema, required = false))]
    pub(crate) fields: Vec<(Cow<'static, str>, Value)>,
}

impl Message {
    /// A message of the catalogue; [`message!`](crate::message) writes this.
    pub fn new(id: &'static str, fields: Vec<(&'static str, Value)>) -> Self {
        Self::of(id.into(), fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The fields stand in the order of their names, so that a message is the same when it is read again.
    pub(crate) fn of(id: Cow<'static, str>, mut fields: Vec<(Cow<'static, str>, Value)>) -> Self {
        fields.sort_by(|(one, _), (other, _)| one.cmp(other));
        fields.dedup_by(|(one, _), (other, _)| one == other);
        Self { id, fields }
    }

    /// The code.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The text of a field, when it is one.
    pub fn field(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(own, _)| own == name)?;
        match value {
            Value::Text(text) => Some(text),
            Value::Number(_) | Value::List(_) | Value::Message(_) => None,
        }
    }

    /// The form for agents that call tools, when the catalogue has one: the id followed by `-tools`, with the same fields.
    #[must_use]
    pub fn for_tools(&self) -> Option<Self> {
        let id = format!("{}-tools", self.id);
        catalogue::is_known(&id).then(|| Self { id: id.into(), fields: self.fields.clone() })
    }

    /// The text in this language.
    pub fn text(&self, language: Language) -> String {
        catalogue::filled(language, &self.id, &self.fields)
    }

    /// The text in this language, when the message and all within are among those that stand in events; otherwise its
    /// code and its fields.
    pub fn event_text(&self, language: Language) -> String {
        match self.is_of_events() {
            true => self.text(language),
            false => catalogue::unknown(language, &self.id, &self.fields),
        }
    }

    /// Whether the message and all within are among those that stand in events.
    pub fn is_of_events(&self) -> bool {
        let known = |value: &Value| match value {
            Value::Message(message) => message.is_of_events(),
            Value::Number(_) | Value::Text(_) | Value::List(_) => true,
        };
        catalogue::is_of_events(&self.id) && self.fields.iter().all(|(_, value)| known(value))
    }

    /// The same with each text in its fields changed like this.
    #[must_use]
    pub fn map(self, change: &dyn Fn(String) -> String) -> Self {
        let fields = self.fields.into_iter().map(|(name, value)| {
            let value = match value {
                Value::Number(number) => Value::Number(number),
                Value::Text(text) => Value::Text(change(text)),
                Value::List(items) => Value::List(items.into_iter().map(change).collect()),
                Value::Message(message) => Value::Message(Box::new(message.map(change))),
            };
            (name, value)
        });
        Self { id: self.id, fields: fields.collect() }
    }
}

/// The value of a field. Only a number chooses between singular and plural.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number, at most 2⁵³.
    Number(i64),
    /// Any other value.
    Text(String),
    /// Several values, which the language separates.
    List(Vec<String>),
    /// Another message, in the language of this one.
    Message(Box<Message>),
}

impl From<Message> for Value {
    fn from(message: Message) -> Self {
        Self::Message(Box::new(message))
    }
}

impl From<Vec<String>> for Value {
    fn from(items: Vec<String>) -> Self {
        Self::List(items)
    }
}

impl<T: AsRef<str>> From<&[T]> for Value {
    fn from(items: &[T]) -> Self {
        Self::List(items.iter().map(|item| item.as_ref().to_owned()).collect())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&Box<str>> for Value {
    fn from(text: &Box<str>) -> Self {
        Self::Text(text.to_string())
    }
}

impl From<std::borrow::Cow<'_, str>> for Value {
    fn from(text: std::borrow::Cow<'_, str>) -> Self {
        Self::Text(text.into_owned())
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Value {
            fn from(number: $number) -> Self {
                Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }
    )*};
}

numbers! { i64 u8 u16 u32 u64 usize i32 }

/// A text of the catalogue in a language.
///
/// `text!(language, "refusal-is-paused")` is a `&'static str`; with fields it is a `String`:
/// `text!(language, "id", name, count = list.len(), path = %path.display(), key = ?key)`. `%` takes what the value
/// displays, `?` what it shows for debugging. Without a mark it is a text, a number, which chooses the plural, a list,
/// which the language separates, or another message.
#[macro_export]
macro_rules! text {
    ($language:expr, $id:literal $(,)?) => { $crate::fixed($language, $id) };
    ($language:expr, $id:literal, $($fields:tt)+) => {
        $crate::filled($language, $id, &$crate::fields!([] $($fields)+))
    };
}

/// A [`Message`] of the catalogue, with fields as [`text!`](crate::text) takes them.
#[macro_export]
macro_rules! message {
    ($id:literal $(,)?) => { $crate::Message::new($id, ::std::vec::Vec::new()) };
    ($id:literal, $($fields:tt)+) => {
        $crate::Message::new($id, ::std::vec::Vec::from($crate::fields!([] $($fields)+)))
    };
}

/// The fields of a message, one by one.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    ([$($done:tt)*]) => { [$($done)*] };
    ([$($done:tt)*] $name:ident = % $value:expr $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*
            (::std::stringify!($name), $crate::Value::Text(::std::string::ToString::to_string(&$value))),
        ] $($($rest)*)?)
    };
    ([$($done:tt)*] $name:ident = ? $value:expr $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*
            (::std::stringify!($name), $crate::Value::Text(::std::format!("{:?}", $value))),
        ] $($($rest)*)?)
    };
    ([$($done:tt)*] $name:ident = $value:expr $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*
            (::std::stringify!($name), $crate::Value::from($value)),
        ] $($($rest)*)?)
    };
    ([$($done:tt)*] % $name:ident $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*] $name = % $name $(, $($rest)*)?)
    };
    ([$($done:tt)*] ? $name:ident $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*] $name = ? $name $(, $($rest)*)?)
    };
    ([$($done:tt)*] $name:ident $(, $($rest:tt)*)?) => {
        $crate::fields!([$($done)*] $name = $name $(, $($rest)*)?)
    };
}
