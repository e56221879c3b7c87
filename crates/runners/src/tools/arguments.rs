//! Arguments of our own tools, as models write them.
//!
//! Many models name every argument of a tool and leave those empty that they do not mean, and write numbers as texts or
//! with a fraction of zero. What is certain is taken as it is meant; everything else is refused and says why.

use globset::{Glob, GlobMatcher};
use quorate_contract::{ToolFailureKind, ToolOutcome, ToolRun};
use quorate_messages::{Message, message};
use regex::{Regex, RegexBuilder};
use serde::de::{DeserializeOwned, Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The longest pattern, in characters.
const PATTERN_MAX_CHARS: usize = 300;
/// The most memory of a regular expression, in bytes.
const REGEX_MAX_BYTES: usize = 1 << 20;

/// A failure of a tool.
pub(super) struct Problem(ToolFailureKind, Message);

impl From<Problem> for ToolOutcome {
    fn from(Problem(kind, detail): Problem) -> Self {
        Self::failed(kind, detail)
    }
}

pub(super) fn invalid(detail: Message) -> Problem {
    Problem(ToolFailureKind::InvalidArguments, detail)
}

pub(super) fn failed(detail: Message) -> Problem {
    Problem(ToolFailureKind::Failed, detail)
}

/// The arguments of a call. One that is `null` or an empty text counts as left out.
pub(super) fn arguments<T: DeserializeOwned>(run: &ToolRun) -> Result<T, Problem> {
    let read = serde_json::from_str(&run.arguments).and_then(|mut given: Map<String, Value>| {
        given.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
        T::deserialize(Value::Object(given))
    });
    read.map_err(|error| invalid(message!("failure-tool-arguments", problem = error.to_string())))
}

/// A whole number, also as `"1"` or `1.0`; for `deserialize_with`.
pub(super) fn whole_number<'d, D: Deserializer<'d>>(from: D) -> Result<Option<u32>, D::Error> {
    let given = Value::deserialize(from)?;
    let number = match &given {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let number = number.and_then(|number| u32::try_from(number).ok());
    let shown = given.to_string();
    number.map(Some).ok_or_else(|| D::Error::invalid_value(Unexpected::Other(&shown), &"a whole number"))
}

/// A number without a fraction, which is written with one.
fn whole(number: f64) -> Option<u64> {
    let digits = format!("{number}");
    digits.parse().ok()
}

/// Which paths a pattern means.
pub(super) fn matcher(glob: &str) -> Result<GlobMatcher, Problem> {
    let wrong = || invalid(message!("failure-tool-glob", glob = glob.chars().take(80).collect::<String>()));
    if glob.chars().count() > PATTERN_MAX_CHARS {
        return Err(wrong());
    }
    Glob::new(glob).map(|glob| glob.compile_matcher()).map_err(|_| wrong())
}

/// Which lines are sought: those with a text, in any case of letters, or those that match a regular expression.
pub(super) fn pattern(text: Option<&str>, regex: Option<&str>) -> Result<Regex, Problem> {
    let (pattern, insensitive) = match (text, regex) {
        (Some(text), None) => (regex::escape(text), true),
        (None, Some(regex)) => (regex.to_owned(), false),
        (Some(_), Some(_)) | (None, None) => return Err(invalid(message!("failure-tool-text-or-regex"))),
    };
    let wrong = || invalid(message!("failure-tool-regex"));
    if pattern.trim().is_empty() || pattern.chars().count() > PATTERN_MAX_CHARS * 2 {
        return Err(wrong());
    }
    RegexBuilder::new(&pattern)
        .case_insensitive(insensitive)
        .size_limit(REGEX_MAX_BYTES)
        .dfa_size_limit(REGEX_MAX_BYTES)
        .build()
        .map_err(|_| wrong())
}
