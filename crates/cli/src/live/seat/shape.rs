//! The shape of an answer: a JSON Schema as a row of questions, each answered by one line of input.
//!
//! What was typed is kept as it was typed. [`next`] reads it from the beginning each time, so that a line can be taken back
//! and an answer can be corrected without another record of what was filled in.

use serde_json::{Map, Number, Value, json};

/// What can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Text {
        most: Option<u64>,
        nullable: bool,
    },
    Number {
        whole: bool,
        least: Option<f64>,
        most: Option<f64>,
        nullable: bool,
    },
    Choice(Vec<String>),
    Truth,
    List {
        item: Box<Shape>,
        least: usize,
        most: Option<usize>,
    },
    Group {
        parts: Vec<GroupField>,
        nullable: bool,
    },
    /// Anything else is written as JSON.
    Json,
}

/// A named part of a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroupField {
    pub(super) name: String,
    shape: Shape,
    required: bool,
}

/// How deep groups and lists stand in each other before JSON is written.
const DEPTH_MAX: usize = 6;

/// The most lines of one answer.
const LINES_MAX: usize = 500;

/// Names by which schemas allow a text to stay empty: what is optional by its meaning.
const MAY_STAY_EMPTY: [&str; 12] = [
    "would_change_my_mind",
    "summary",
    "context",
    "description",
    "acceptance",
    "mitigation",
    "quote",
    "why",
    "draft",
    "focus",
    "system_prompt",
    "model",
];

impl Shape {
    /// The shape that a schema describes.
    pub(super) fn of(schema: &Value) -> Self {
        Self::at(schema, 0)
    }

    fn at(schema: &Value, depth: usize) -> Self {
        let Some(fields) = schema.as_object().filter(|_| depth <= DEPTH_MAX) else { return Self::Json };
        let types: Vec<&str> = match fields.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let nullable = types.contains(&"null");
        if let Some(either) = fields.get("anyOf").and_then(Value::as_array) {
            let others: Vec<&Value> = either.iter().filter(|one| one["type"] != "null").collect();
            let shape = match others.as_slice() {
                [one] => Self::at(one, depth),
                _ => Self::Json,
            };
            return if others.len() < either.len() { shape.nullable() } else { shape };
        }
        let choices = fields.get("enum").and_then(Value::as_array);
        let choices = choices.map(|all| all.iter().map(|one| one.as_str().map(str::to_owned)).collect());
        if let Some(Some(choices)) = choices {
            return Self::Choice(choices);
        }
        let count = |name: &str| fields.get(name).and_then(Value::as_u64);
        let bound = |name: &str| fields.get(name).and_then(Value::as_f64);
        match types.into_iter().find(|kind| *kind != "null") {
            Some("string") => Self::Text { most: count("maxLength"), nullable },
            Some(kind @ ("integer" | "number")) => {
                let (least, most) = (bound("minimum"), bound("maximum"));
                Self::Number { whole: kind == "integer", least, most, nullable }
            }
            Some("boolean") => Self::Truth,
            Some("array") => Self::List {
                item: Box::new(Self::at(&schema["items"], depth + 1)),
                least: count("minItems").map_or(0, |least| usize::try_from(least).unwrap_or(usize::MAX)),
                most: count("maxItems").map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            },
            Some("object") => Self::group(fields, nullable, depth),
            _ => Self::Json,
        }
    }

    fn group(fields: &Map<String, Value>, nullable: bool, depth: usize) -> Self {
        let Some(Value::Object(properties)) = fields.get("properties") else { return Self::Json };
        let required: Vec<&str> = fields
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut parts: Vec<GroupField> = properties
            .iter()
            .map(|(name, inner)| GroupField {
                name: name.clone(),
                shape: Self::at(inner, depth + 1),
                required: required.contains(&name.as_str()),
            })
            .collect();
        // The order in which a schema requires its parts is that in which one thinks of them; JSON keeps none.
        let place = |part: &GroupField| required.iter().position(|name| *name == part.name);
        parts.sort_by_key(|part| place(part).unwrap_or(required.len()));
        Self::Group { parts, nullable }
    }

    fn nullable(self) -> Self {
        match self {
            Self::Text { most, .. } => Self::Text { most, nullable: true },
            Self::Number { whole, least, most, .. } => Self::Number { whole, least, most, nullable: true },
            Self::Group { parts, .. } => Self::Group { parts, nullable: true },
            other @ (Self::Choice(_) | Self::Truth | Self::List { .. } | Self::Json) => other,
        }
    }
}

/// A question that waits for a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// The names of the groups and lists around it, and its own; the last one is the most particular.
    pub(super) path: Vec<String>,
    /// Its number in the list that it belongs to, from 1.
    pub(super) item: Option<usize>,
    /// What an empty line means.
    pub(super) empty: Empty,
    pub(super) wanted: InputKind,
}

/// What an empty line means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// An answer is needed.
    Refused,
    /// Nothing is said here.
    Left,
    /// The list has no more items.
    Ends,
    /// The list needs so many items.
    TooFew(usize),
}

/// What kind of line is wanted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum InputKind {
    Text { most: Option<u64> },
    Number { whole: bool, least: Option<f64>, most: Option<f64> },
    Choice(Vec<String>),
    Truth,
    Json,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    Missing,
    Long { most: u64, length: usize },
    Few(usize),
    NoNumber,
    NotWhole,
    Least(f64),
    Most(f64),
    NoChoice(Vec<String>),
    NoTruth,
    NoJson(String),
    TooManyLines,
}

/// How far an answer is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Progress {
    /// This is to be answered next.
    Asks(Question),
    /// All is answered.
    Whole(Value),
}

/// How far the answer of this shape is with these lines.
pub(super) fn next(shape: &Shape, lines: &[String]) -> Progress {
    let mut reader = Reader { lines: lines.iter(), path: Vec::new(), item: None };
    match reader.read(shape, "", Empty::Refused) {
        Ok(value) => Progress::Whole(value.unwrap_or_else(|| json!({}))),
        Err(question) => Progress::Asks(*question),
    }
}

/// Checks a line against the question, with `count` lines before it.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(question: &Question, line: &str, count: usize) -> Result<(), Fault> {
    if count >= LINES_MAX {
        return Err(Fault::TooManyLines);
    }
    match (line.trim().is_empty(), question.empty) {
        (true, Empty::Refused) => Err(Fault::Missing),
        (true, Empty::TooFew(least)) => Err(Fault::Few(least)),
        (true, Empty::Left | Empty::Ends) => Ok(()),
        (false, _) => value_of(&question.wanted, line.trim()).map(|_| ()),
    }
}

/// The value that a line stands for.
fn value_of(wanted: &InputKind, line: &str) -> Result<Value, Fault> {
    match wanted {
        InputKind::Text { most } => match (most, line.chars().count()) {
            (Some(most), length) if length as u64 > *most => Err(Fault::Long { most: *most, length }),
            _ => Ok(json!(line)),
        },
        InputKind::Number { whole, least, most } => {
            let number = line.parse::<f64>().ok().filter(|number| number.is_finite());
            let number = number.ok_or(Fault::NoNumber)?;
            match (least, most) {
                _ if *whole && number.fract() != 0.0 => Err(Fault::NotWhole),
                (Some(least), _) if number < *least => Err(Fault::Least(*least)),
                (_, Some(most)) if number > *most => Err(Fault::Most(*most)),
                _ if *whole => Ok(json!(number as i64)),
                _ => Ok(Number::from_f64(number).map_or(Value::Null, Value::Number)),
            }
        }
        InputKind::Choice(choices) => {
            let numbered = line.parse::<usize>().ok().and_then(|number| choices.get(number.wrapping_sub(1)));
            let choice = choices.iter().find(|choice| *choice == line).or(numbered);
            choice.map(|choice| json!(choice)).ok_or_else(|| Fault::NoChoice(choices.clone()))
        }
        // Answers are taken in either language, as everywhere.
        InputKind::Truth => match line.to_lowercase().as_str() {
            "true" | "yes" | "y" | "是" | "对" => Ok(json!(true)),
            "false" | "no" | "n" | "否" | "不" => Ok(json!(false)),
            _ => Err(Fault::NoTruth),
        },
        InputKind::Json => serde_json::from_str(line).map_err(|error| Fault::NoJson(error.to_string())),
    }
}

/// Reads an answer from its lines.
struct Reader<'l> {
    lines: std::slice::Iter<'l, String>,
    path: Vec<String>,
    item: Option<usize>,
}

impl Reader<'_> {
    /// The value of a shape; `None` where it was left out or its list has ended.
    ///
    /// # Errors
    /// The question that has no line yet.
    fn read(&mut self, shape: &Shape, name: &str, empty: Empty) -> Result<Option<Value>, Box<Question>> {
        let or_left = |may_be: bool| if empty == Empty::Refused && may_be { Empty::Left } else { empty };
        match shape {
            Shape::Text { most, nullable } => {
                let stays = MAY_STAY_EMPTY.contains(&name);
                let said = self.line(InputKind::Text { most: *most }, or_left(*nullable || stays))?;
                let nothing = || match (empty, *nullable) {
                    (Empty::Refused, true) => Some(Value::Null),
                    (Empty::Refused, false) => Some(json!("")),
                    _ => None,
                };
                Ok(said.or_else(nothing))
            }
            Shape::Number { whole, least, most, nullable } => {
                let wanted = InputKind::Number { whole: *whole, least: *least, most: *most };
                let said = self.line(wanted, or_left(*nullable))?;
                Ok(said.or_else(|| (empty == Empty::Refused).then_some(Value::Null)))
            }
            Shape::Choice(choices) => self.line(InputKind::Choice(choices.clone()), empty),
            Shape::Truth => self.line(InputKind::Truth, empty),
            Shape::Json => self.line(InputKind::Json, empty),
            Shape::List { item, least, most } => self.list(item, name, *least, *most).map(Some),
            Shape::Group { parts, nullable } => {
                let group = self.group(parts, or_left(*nullable))?;
                Ok(group.or_else(|| (empty == Empty::Refused && *nullable).then_some(Value::Null)))
            }
        }
    }

    /// The value of the next line; `None` when it is empty.
    fn line(&mut self, wanted: InputKind, empty: Empty) -> Result<Option<Value>, Box<Question>> {
        let asked = |this: &Self, wanted| {
            let (path, item) = (this.path.clone(), this.item);
            Box::new(Question { path, item, empty, wanted })
        };
        match self.lines.next().map(|line| line.trim()) {
            None => Err(asked(self, wanted)),
            Some("") => Ok(None),
            Some(line) => value_of(&wanted, line).map(Some).map_err(|_| asked(self, wanted)),
        }
    }

    fn list(
        &mut self,
        item: &Shape,
        name: &str,
        least: usize,
        most: Option<usize>,
    ) -> Result<Value, Box<Question>> {
        let mut items = Vec::new();
        let around = self.item;
        while most.is_none_or(|most| items.len() < most) {
            self.item = Some(items.len() + 1);
            let empty = if items.len() < least { Empty::TooFew(least) } else { Empty::Ends };
            let Some(value) = self.read(item, name, empty)? else { break };
            items.push(value);
        }
        self.item = around;
        Ok(Value::Array(items))
    }

    /// The parts of a group. An empty line for the first one leaves out the group, where `empty` lets it.
    fn group(&mut self, parts: &[GroupField], empty: Empty) -> Result<Option<Value>, Box<Question>> {
        let mut fields = Map::new();
        for (place, part) in parts.iter().enumerate() {
            let opens = place == 0 && empty != Empty::Refused;
            let part_empty = match (opens, part.required) {
                (true, _) => empty,
                (false, true) => Empty::Refused,
                (false, false) => Empty::Left,
            };
            self.path.push(part.name.clone());
            let value = self.read(&part.shape, &part.name, part_empty)?;
            self.path.pop();
            match value {
                Some(value) => _ = fields.insert(part.name.clone(), value),
                None if opens => return Ok(None),
                None => {}
            }
        }
        Ok(Some(Value::Object(fields)))
    }
}

/// What was filled in, as words for a message: each text in a paragraph.
pub(super) fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(words_of).filter(|text| !text.is_empty());
            items.map(|text| format!("- {text}")).collect::<Vec<_>>().join("\n")
        }
        Value::Object(fields) => {
            let parts = fields.values().map(words_of).filter(|text| !text.is_empty());
            parts.collect::<Vec<_>>().join("\n\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blind() -> Shape {
        Shape::of(&json!({
            "type": "object",
            "properties": {
                "claims": { "type": "array", "items": { "type": "string", "maxLength": 300 }, "minItems": 1, "maxItems": 3 },
                "confidence": { "type": "integer", "minimum": 0, "maximum": 100 },
                "position": { "type": "string", "maxLength": 20 },
                "would_change_my_mind": { "type": "string", "maxLength": 300 },
            },
            "required": ["position", "claims", "confidence", "would_change_my_mind"],
        }))
    }

    fn asked(shape: &Shape, lines: &[&str]) -> Question {
        match next(shape, &lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()) {
            Progress::Asks(question) => question,
            Progress::Whole(value) => panic!("nothing more is asked: {value}"),
        }
    }

    fn whole(shape: &Shape, lines: &[&str]) -> Value {
        match next(shape, &lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()) {
            Progress::Whole(value) => value,
            Progress::Asks(question) => panic!("{question:?}"),
        }
    }

    #[test]
    fn fields_are_asked_one_after_the_other_in_the_order_in_which_one_thinks() {
        let shape = blind();
        let first = asked(&shape, &[]);
        assert_eq!(
            (first.path.as_slice(), first.empty),
            (["position".to_owned()].as_slice(), Empty::Refused)
        );
        let claim = asked(&shape, &["SQLite"]);
        assert_eq!((claim.item, claim.empty), (Some(1), Empty::TooFew(1)));
        assert_eq!(asked(&shape, &["SQLite", "one file"]).empty, Empty::Ends);
        assert_eq!(asked(&shape, &["SQLite", "one file", ""]).path, ["confidence"]);
        assert_eq!(asked(&shape, &["SQLite", "a", "b", "c"]).path, ["confidence"], "the list is full");
        assert_eq!(asked(&shape, &["SQLite", "a", "", "80"]).empty, Empty::Left);
        let value = whole(&shape, &["SQLite", "one file", "", "80", ""]);
        let answer = json!({
            "position": "SQLite", "claims": ["one file"], "confidence": 80, "would_change_my_mind": "",
        });
        assert_eq!(value, answer);
    }

    #[test]
    fn a_line_that_does_not_fit_says_why() {
        let shape = blind();
        let position = asked(&shape, &[]);
        assert_eq!(check(&position, " ", 0), Err(Fault::Missing));
        assert_eq!(check(&position, &"x".repeat(21), 0), Err(Fault::Long { most: 20, length: 21 }));
        assert_eq!(check(&position, "x", LINES_MAX), Err(Fault::TooManyLines));
        let claim = asked(&shape, &["SQLite"]);
        assert_eq!(check(&claim, "", 1), Err(Fault::Few(1)));
        let sure = asked(&shape, &["SQLite", "a", ""]);
        for (line, fault) in [
            ("very", Fault::NoNumber),
            ("NaN", Fault::NoNumber),
            ("70.5", Fault::NotWhole),
            ("-1", Fault::Least(0.0)),
            ("101", Fault::Most(100.0)),
        ] {
            assert_eq!(check(&sure, line, 3), Err(fault), "{line}");
        }
        assert_eq!(check(&sure, "70", 3), Ok(()));
    }

    #[test]
    fn a_vote_is_taken_in_either_language() {
        let shape = Shape::of(&json!({
            "type": "object",
            "properties": { "pass": { "type": "boolean" }, "way": { "type": "string", "enum": ["a", "b"] } },
            "required": ["pass", "way"],
        }));
        assert_eq!(whole(&shape, &["是", "2"]), json!({ "pass": true, "way": "b" }));
        assert_eq!(check(&asked(&shape, &[]), "perhaps", 0), Err(Fault::NoTruth));
        let way = asked(&shape, &["no"]);
        assert_eq!(check(&way, "3", 1), Err(Fault::NoChoice(vec!["a".to_owned(), "b".to_owned()])));
    }

    #[test]
    fn lists_of_groups_end_with_an_empty_line_and_a_group_may_be_left_out() {
        let pick = json!({
            "type": "object",
            "properties": { "idea": { "type": "string" }, "why": { "type": "string" } },
            "required": ["idea", "why"],
        });
        let shape = Shape::of(&json!({
            "type": "object",
            "properties": {
                "best": { "type": "array", "items": pick, "minItems": 0, "maxItems": 9 },
                "wildcard": { "anyOf": [pick, { "type": "null" }] },
                "who": { "type": ["string", "null"] },
            },
            "required": ["best", "wildcard", "who"],
        }));
        let best = json!([{ "idea": "m1", "why": "" }]);
        assert_eq!(
            whole(&shape, &["m1", "", "", "", ""]),
            json!({ "best": best, "wildcard": null, "who": null })
        );
        let wildcard = json!({ "idea": "m2", "why": "it is cheap" });
        assert_eq!(
            whole(&shape, &["", "m2", "it is cheap", "Ada"]),
            json!({ "best": [], "wildcard": wildcard, "who": "Ada" })
        );
    }

    #[test]
    fn what_no_question_can_ask_is_written_as_json() {
        let shape = Shape::of(&json!({ "type": "object" }));
        assert_eq!(whole(&shape, &[r#"{"a":1}"#]), json!({ "a": 1 }));
        assert!(matches!(check(&asked(&shape, &[]), "{", 0), Err(Fault::NoJson(_))));
    }

    #[test]
    fn what_was_filled_in_becomes_a_message() {
        let value = json!({ "claims": ["one file", ""], "confidence": 80, "position": "SQLite" });
        assert_eq!(words_of(&value), "- one file\n\nSQLite");
    }
}
