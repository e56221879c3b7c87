//! The shapes of minutes and artifacts. A test compares them with the types of the contract that they are
//! read into.

use std::sync::OnceLock;

use Shape::{List, LongText, MaybeBlank, MaybeNull, Object, OneOf, Quote, Sources, Text};
use quorate_contract::{ArtifactKind, MINUTES_MAX_CHARS};
use serde_json::Value;

use super::shape::Shape;

/// The longest summary of minutes, in characters.
pub(crate) const SUMMARY_MAX_CHARS: usize = 2000;
/// The longest line of minutes, in characters.
pub(crate) const LINE_MAX_CHARS: usize = 500;

fn line() -> Shape {
    Object(vec![("text", Text(400)), ("sources", Sources), ("quote", Quote)])
}

// A choice is written in English; beside it stands the Chinese word that models write in its place.

fn adr() -> Shape {
    let reasons = || List(Box::new(Text(300)), 0, 5);
    let option =
        Object(vec![("name", Text(200)), ("pros", reasons()), ("cons", reasons()), ("sources", Sources)]);
    Object(vec![
        ("title", Text(200)),
        ("status", OneOf(&[("proposed", "提议"), ("accepted", "已接受")])),
        ("context", MaybeBlank(1500)),
        ("decision", line()),
        ("options", List(Box::new(option), 1, 6)),
        ("consequences", List(Box::new(line()), 1, 8)),
    ])
}

fn level() -> Shape {
    OneOf(&[("high", "高"), ("medium", "中"), ("low", "低")])
}

fn tasks() -> Shape {
    let task = Object(vec![
        ("title", Text(200)),
        ("description", MaybeBlank(600)),
        ("owner", MaybeNull(60)),
        ("priority", level()),
        ("acceptance", MaybeBlank(300)),
        ("sources", Sources),
    ]);
    Object(vec![("tasks", List(Box::new(task), 1, 20))])
}

fn risks() -> Shape {
    let risk = Object(vec![
        ("risk", Text(300)),
        ("likelihood", level()),
        ("impact", level()),
        ("mitigation", MaybeBlank(400)),
        ("owner", MaybeNull(60)),
        ("sources", Sources),
    ]);
    Object(vec![("risks", List(Box::new(risk), 0, 20))])
}

fn page() -> Shape {
    Object(vec![
        ("summary", Text(1800)),
        ("key_points", List(Box::new(line()), 1, 10)),
        ("open_questions", List(Box::new(Text(300)), 0, 8)),
    ])
}

/// The shape of minutes.
pub(crate) fn minutes() -> Shape {
    let items = || {
        let item = Object(vec![
            ("text", LongText(400, LINE_MAX_CHARS as u32)),
            ("who", MaybeNull(60)),
            ("sources", Sources),
            ("quote", Quote),
        ]);
        List(Box::new(item), 0, 12)
    };
    Object(vec![
        ("content", LongText(2000, MINUTES_MAX_CHARS as u32)),
        ("summary", MaybeBlank(SUMMARY_MAX_CHARS as u32)),
        ("decisions", items()),
        ("actions", items()),
        ("risks", items()),
    ])
}

/// The shape of a kind of artifact.
pub(crate) fn shape(kind: ArtifactKind) -> &'static Shape {
    static SHAPES: OnceLock<[Shape; 5]> = OnceLock::new();
    let [adr, tasks, risks, minutes, page] =
        SHAPES.get_or_init(|| [adr(), tasks(), risks(), minutes(), page()]);
    match kind {
        ArtifactKind::Adr => adr,
        ArtifactKind::Tasks => tasks,
        ArtifactKind::Risks => risks,
        ArtifactKind::Minutes => minutes,
        ArtifactKind::Summary => page,
    }
}

/// The JSON Schema of a kind of artifact, as models get it and as their answers are checked.
pub fn artifact_schema(kind: ArtifactKind) -> Value {
    shape(kind).schema()
}

#[cfg(test)]
mod tests {
    use quorate_contract::ArtifactContent;
    use serde_json::json;

    use super::*;

    /// A value that a schema allows: the longest list, the first word of each choice.
    fn example(schema: &Value) -> Value {
        if let Some(words) = schema["enum"].as_array() {
            return words[0].clone();
        }
        let kind = schema["type"].as_str().unwrap_or("null");
        match kind {
            "object" => {
                let fields = schema["properties"].as_object().expect("an object has fields");
                fields.iter().map(|(name, field)| (name.clone(), example(field))).collect()
            }
            "array" => match schema["items"]["maxLength"] == json!(12) {
                true => json!(["m1"]),
                false => json!([example(&schema["items"])]),
            },
            "string" => json!("words"),
            _ => Value::Null,
        }
    }

    /// Every way to break a value that its schema forbids: a field left out, a field too many.
    fn broken(value: &Value) -> Vec<Value> {
        let mut all = Vec::new();
        match value {
            Value::Object(fields) => {
                let mut more = fields.clone();
                more.insert("more".into(), json!("x"));
                all.push(Value::Object(more));
                for (name, field) in fields {
                    let mut less = fields.clone();
                    less.remove(name);
                    all.push(Value::Object(less));
                    for one in broken(field) {
                        let mut other = fields.clone();
                        other.insert(name.clone(), one);
                        all.push(Value::Object(other));
                    }
                }
            }
            Value::Array(items) => all.extend(items.iter().flat_map(broken).map(|one| json!([one]))),
            _ => {}
        }
        all
    }

    /// All words that the choices of a schema offer, each put into the example.
    fn choices(schema: &Value, value: &Value) -> Vec<Value> {
        if let Some(words) = schema["enum"].as_array() {
            return words.clone();
        }
        match value {
            Value::Object(fields) => fields
                .iter()
                .flat_map(|(name, field)| {
                    choices(&schema["properties"][name], field).into_iter().map(move |one| {
                        let mut other = fields.clone();
                        other.insert(name.clone(), one);
                        Value::Object(other)
                    })
                })
                .collect(),
            Value::Array(items) => items
                .iter()
                .flat_map(|item| choices(&schema["items"], item))
                .map(|one| json!([one]))
                .collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn what_a_schema_asks_for_its_type_asks_for() {
        use ArtifactKind::{Adr, Risks, Summary, Tasks};
        for kind in [Adr, Tasks, Risks, Summary] {
            let schema = artifact_schema(kind);
            let value = example(&schema);
            let fits = |value: &Value| ArtifactContent::of(kind, value).is_some();
            assert!(fits(&value), "{kind}: {value}");
            for value in broken(&value) {
                assert!(!fits(&value), "{kind} takes {value}");
            }
            for value in choices(&schema, &value) {
                assert!(fits(&value), "{kind} does not take {value}");
            }
        }
    }

    #[test]
    fn the_checks_above_look_at_something() {
        let value = example(&artifact_schema(ArtifactKind::Adr));
        assert_eq!(broken(&value).len(), 20);
        assert_eq!(
            choices(&artifact_schema(ArtifactKind::Risks), &example(&artifact_schema(ArtifactKind::Risks)))
                .len(),
            6
        );
    }
}
