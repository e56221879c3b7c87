//! What is wrong with a value that a decoder refused, in the reader's language.
//!
//! `serde` has a text for each kind of mistake, in English, and keeps nothing else of it. Its wording is read here, once
//! for bodies, queries, messages and arguments of tools. The name of the field is the caller's to add.

use crate::{Language, Message, message};

/// The longest part of a value that is repeated, in characters.
const SHOWN: usize = 100;

/// What a decoder says is wrong, as a message. Its text ends where `serde_json` appends the place.
#[must_use]
pub fn decoding_problem(told: &str) -> Message {
    let told = told.split(" at line ").next().unwrap_or(told);
    read(told).unwrap_or_else(|| message!("common-decode-other", told = shown(told)))
}

/// What our own decoders say, found again by its English text: `serde` and the parser of arguments carry a text alone.
#[must_use]
pub fn own_decoding_problem(told: &str) -> Option<Message> {
    let own = [
        message!("common-decode-date-pattern"),
        message!("common-decode-interval"),
        message!("common-decode-time-zone"),
    ];
    own.into_iter().find(|own| own.text(Language::En) == told).or_else(|| no_id(told))
}

/// Words that were not written for a reader of the product, as a message: those of a system, a library or a vendor.
#[must_use]
pub fn as_said(words: impl ToString) -> Message {
    message!("common-said", text = words.to_string())
}

/// The text of an id that cannot be one: `"x" is not a message; it should look like m1`.
fn no_id(told: &str) -> Option<Message> {
    let (told, example) = told.rsplit_once("; it should look like ")?;
    let (value, kind) = told.rsplit_once(" is not ")?;
    let kind = match kind {
        "a participant" => message!("common-kind-participant"),
        "a message" => message!("common-kind-message"),
        "a claim" => message!("common-kind-claim"),
        "an agenda item" => message!("common-kind-agenda-item"),
        "a version" => message!("common-kind-version"),
        "a ballot" => message!("common-kind-ballot"),
        "a file" => message!("common-kind-file"),
        "a turn" => message!("common-kind-turn"),
        "an artifact" => message!("common-kind-artifact"),
        "a task" => message!("common-kind-task"),
        "a mode of decision" => message!("common-kind-mode"),
        "a format" => message!("common-kind-format"),
        _ => return None,
    };
    Some(message!("common-decode-id", value = shown(value.trim_matches('"')), kind, example))
}

fn read(told: &str) -> Option<Message> {
    if let Some(own) = own_decoding_problem(told) {
        return Some(own);
    }
    if let Some(field) = told.strip_prefix("missing field ") {
        return Some(message!("common-decode-missing", field = bare(field)));
    }
    if let Some(field) = told.strip_prefix("duplicate field ") {
        return Some(message!("common-decode-twice", field = bare(field)));
    }
    if let Some(rest) = told.strip_prefix("unknown field ") {
        let (field, known) = list_of(rest)?;
        return Some(match known.is_empty() {
            true => message!("common-decode-no-fields", field),
            false => message!("common-decode-unknown", field, known),
        });
    }
    if let Some(rest) = told.strip_prefix("unknown variant ") {
        let (value, known) = list_of(rest)?;
        return Some(message!("common-decode-choice", value, known));
    }
    if let Some(rest) = told.strip_prefix("invalid type: ") {
        let (given, wanted) = rest.rsplit_once(", expected ")?;
        return Some(message!("common-decode-type", given = kind(given)?, wanted = expected(wanted)?));
    }
    if let Some(rest) = told.strip_prefix("invalid value: ") {
        let (given, wanted) = rest.rsplit_once(", expected ")?;
        let number = given.strip_prefix("integer `").and_then(|number| number.strip_suffix('`'));
        return Some(match (number, range(wanted)) {
            (Some(number), Some((min, max))) => message!("common-decode-range", number, min, max),
            _ => message!("common-decode-value", wanted = expected(wanted)?),
        });
    }
    if let Some(rest) = told.strip_prefix("invalid length ") {
        let (count, wanted) = rest.split_once(", expected ")?;
        return Some(message!("common-decode-length", count, wanted = expected(wanted)?));
    }
    Some(match told {
        // A value of a query is a text that is parsed.
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            message!("common-decode-value", wanted = message!("common-decode-integer"))
        }
        "invalid float literal" | "cannot parse float from empty string" => {
            message!("common-decode-value", wanted = message!("common-decode-number"))
        }
        "provided string was not `true` or `false`" => {
            message!("common-decode-value", wanted = message!("common-decode-boolean"))
        }
        "number too large to fit in target type" => message!("common-decode-too-large"),
        "number too small to fit in target type" => message!("common-decode-too-small"),
        _ if told.starts_with("data did not match any variant") => message!("common-decode-no-form"),
        _ => return None,
    })
}

/// A name without the quotes around it, at most so long.
fn bare(name: &str) -> String {
    shown(name.trim_matches('`'))
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// "`a`, expected one of `b`, `c`" in its parts; the list is empty where nothing is expected.
fn list_of(rest: &str) -> Option<(String, Vec<String>)> {
    let (name, known) = match rest.rsplit_once("`, expected ") {
        Some((name, known)) => (name, known),
        None => (rest.rsplit_once("`, there are no ")?.0, ""),
    };
    let known = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Some((bare(name), known))
}

/// What was given, as the decoder names it.
fn kind(given: &str) -> Option<Message> {
    let value = given.split_once('`').map(|(_, value)| bare(value));
    Some(match (given.split([' ', '`']).next()?, value) {
        ("boolean", Some(value)) => message!("common-decode-given-boolean", value),
        ("integer" | "floating", Some(value)) => message!("common-decode-given-number", value),
        ("string" | "character", _) => {
            let value = given.split_once(' ').map_or("", |(_, value)| value);
            message!("common-decode-given-text", value = shown(value))
        }
        ("null" | "unit" | "Option", _) => message!("common-decode-given-null"),
        ("sequence", _) => message!("common-decode-array"),
        ("map", _) => message!("common-decode-object"),
        _ => return None,
    })
}

/// What would have been taken.
fn expected(wanted: &str) -> Option<Message> {
    Some(match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            message!("common-decode-integer")
        }
        "f32" | "f64" => message!("common-decode-number"),
        "a boolean" => message!("common-decode-boolean"),
        "a string" | "a borrowed string" | "str" | "a character" => message!("common-decode-text"),
        "a sequence" => message!("common-decode-array"),
        "a map" => message!("common-decode-object"),
        _ if wanted.starts_with("a time like ") => message!("common-decode-time"),
        _ if wanted.starts_with("struct ") || wanted.contains("tagged enum ") => {
            message!("common-decode-object")
        }
        _ if wanted.starts_with("enum ") || wanted.ends_with(" identifier") => {
            message!("common-decode-text")
        }
        _ if wanted.contains("tuple") || wanted.starts_with("an array") => message!("common-decode-array"),
        _ => return None,
    })
}

/// The numbers that a type holds.
fn range(wanted: &str) -> Option<(String, String)> {
    let (min, max): (i128, i128) = match wanted {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    };
    Some((min.to_string(), max.to_string()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::Language;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Side {
        #[serde(rename = "left")]
        _Left,
        #[serde(rename = "right")]
        _Right,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Asked {
        name: String,
        score: Option<u8>,
        share: Option<f64>,
        is_open: Option<bool>,
        side: Option<Side>,
        items: Option<Vec<String>>,
        inner: Option<Box<Asked>>,
    }

    /// What the decoder says of a text, in both languages.
    fn told(json: &str) -> (String, String) {
        let error = serde_json::from_str::<Asked>(json).expect_err(json);
        let problem = decoding_problem(&error.to_string());
        (problem.text(Language::En), problem.text(Language::Zh))
    }

    #[test]
    fn each_kind_of_mistake_has_its_words_in_each_language() {
        for (json, en, zh) in [
            ("{}", "missing field `name`", "缺少字段 `name`"),
            (r#"{"name": "a", "name": "b"}"#, "duplicate field `name`", "字段 `name` 出现了两次"),
            (
                r#"{"nam": "a"}"#,
                "unknown field `nam`, expected one of name, score,",
                "没有字段 `nam`，可用的有：name、score、",
            ),
            (
                r#"{"name": 7}"#,
                "invalid type: number 7, expected a string",
                "类型不对：应当是文字，收到的是数字 7",
            ),
            (r#"{"name": null}"#, "invalid type: null, expected a string", "应当是文字，收到的是空值 null"),
            (r#"{"name": ["x"]}"#, "invalid type: an array, expected a string", "收到的是列表"),
            (
                r#"{"score": "9"}"#,
                "invalid type: string \"9\", expected a whole number",
                "应当是整数，收到的是文字 \"9\"",
            ),
            (
                r#"{"score": 1.5}"#,
                "invalid type: number 1.5, expected a whole number",
                "应当是整数，收到的是数字 1.5",
            ),
            (r#"{"score": 256}"#, "256 is out of range: 0 to 255", "256 超出范围：0 到 255"),
            (r#"{"score": -1}"#, "-1 is out of range: 0 to 255", "-1 超出范围：0 到 255"),
            (
                r#"{"share": true}"#,
                "invalid type: boolean true, expected a number",
                "应当是数字，收到的是布尔值 true",
            ),
            (r#"{"is_open": 1}"#, "expected true or false", "应当是布尔值（true 或 false）"),
            (
                r#"{"side": "up"}"#,
                "unknown variant `up`, expected one of left, right",
                "没有 `up` 这个值，可用的有：left、right",
            ),
            (r#"{"items": {}}"#, "invalid type: an object, expected an array", "应当是列表，收到的是对象"),
            (r#"{"inner": 7}"#, "invalid type: number 7, expected an object", "应当是对象"),
        ] {
            let (in_english, in_chinese) = told(json);
            assert!(in_english.contains(en), "{json}: {in_english}");
            assert!(in_chinese.contains(zh), "{json}: {in_chinese}");
            assert!(!in_chinese.contains("expected") && !in_chinese.contains("invalid"), "{in_chinese}");
        }
    }

    #[test]
    fn what_our_own_decoders_say_is_known_again() {
        for (told, zh) in [
            ("\"x\" is not a message; it should look like m1", "“x”不是消息编号，应形如 m1"),
            (
                "expected the IANA name of a time zone, such as Asia/Shanghai at line 1 column 9",
                "应当是 IANA 时区名称，如 Asia/Shanghai",
            ),
            (
                "expected a time from 1 minute to 366 days, such as 24h, 30m or 1d",
                "应当是 1 分钟到 366 天之间的时间，如 24h、30m 或 1d",
            ),
        ] {
            let problem = decoding_problem(told);
            assert_eq!(problem.text(Language::Zh), zh);
            assert!(told.starts_with(&problem.text(Language::En)), "{told}");
        }
        assert_eq!(own_decoding_problem("it is not ours"), None);
        assert_eq!(as_said("no route to host").text(Language::Zh), "no route to host");
    }

    #[test]
    fn what_no_decoder_says_is_passed_on_and_long_values_are_cut() {
        let other = decoding_problem("the moon is out at line 1 column 2");
        assert_eq!(other.text(Language::En), "the moon is out");
        assert_eq!(other.text(Language::Zh), "内容不合要求（the moon is out）");
        for json in [
            format!(r#"{{"{}": 1}}"#, "x".repeat(5000)),
            format!(r#"{{"side": "{}"}}"#, "字".repeat(5000)),
            format!(r#"{{"score": "{}"}}"#, "`, expected ".repeat(500)),
        ] {
            let (en, zh) = told(&json);
            assert!(en.chars().count() < 300 && zh.chars().count() < 300, "{en}");
        }
        assert_eq!(
            decoding_problem("invalid digit found in string").text(Language::Zh),
            "值不对：应当是整数"
        );
    }
}
