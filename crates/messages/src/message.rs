//! A message: a code of the catalogue with its fields, which becomes a text in a reader's language.

use crate::catalogue;
use crate::language::Language;

/// A code of the catalogue with its fields; made by [`message!`](crate::message).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    id: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl Message {
    /// A message of the catalogue; [`message!`](crate::message) writes this.
    pub fn new(id: &'static str, fields: Vec<(&'static str, Value)>) -> Self {
        Self { id, fields }
    }

    /// The code.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The text in this language.
    pub fn text(&self, language: Language) -> String {
        catalogue::filled(language, self.id, &self.fields)
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
