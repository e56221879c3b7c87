//! Typed deliverables (requirement 001 §C3): what each kind holds, and whether it passes the gate.
//!
//! The shape stands beside the type that it is read into; a test holds them together.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::minutes;
use super::shape::{Reader, Shape};
use crate::event::ArtifactKind;
use crate::ids::MessageId;
use crate::meeting::Meeting;

use Shape::{List, MaybeBlank, MaybeNull, Object, OneOf, Quote, Sources, Text};

/// A line with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtifactLine {
    /// What it says, 1-400 characters.
    pub text: String,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
    /// Words out of one of these messages, as they stand there.
    #[serde(deserialize_with = "Option::deserialize")]
    pub quote: Option<String>,
}

fn line() -> Shape {
    Object(vec![("text", Text(400)), ("sources", Sources), ("quote", Quote)])
}

/// An architecture decision record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Adr {
    /// What it is about, 1-200 characters.
    pub title: String,
    /// Whether the table has accepted it.
    pub status: AdrStatus,
    /// Background and constraints, at most 1500 characters.
    pub context: String,
    /// What is decided.
    pub decision: ArtifactLine,
    /// What there was to choose from, 1-6.
    pub options: Vec<AdrOption>,
    /// What follows, 1-8.
    pub consequences: Vec<ArtifactLine>,
}

/// Whether a decision holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AdrStatus {
    /// It was proposed.
    Proposed,
    /// The table has accepted it.
    Accepted,
}

/// Something that could have been chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AdrOption {
    /// What, 1-200 characters.
    pub name: String,
    /// What speaks for it, at most 5.
    pub pros: Vec<String>,
    /// What speaks against it, at most 5.
    pub cons: Vec<String>,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
}

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

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskList {
    /// Each thing, 1-20.
    pub tasks: Vec<TaskItem>,
}

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskItem {
    /// What, 1-200 characters.
    pub title: String,
    /// What it means, at most 600 characters.
    pub description: String,
    /// Who, when the table said so.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// How much it matters.
    pub priority: Level,
    /// When it is done, at most 300 characters.
    pub acceptance: String,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
}

/// How much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Much.
    High,
    /// Some.
    Medium,
    /// Little.
    Low,
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

/// What could go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskList {
    /// Each risk, at most 20.
    pub risks: Vec<RiskItem>,
}

/// One thing that could go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RiskItem {
    /// What, 1-300 characters.
    pub risk: String,
    /// How likely it is.
    pub likelihood: Level,
    /// How much it would matter.
    pub impact: Level,
    /// What is done about it, at most 400 characters.
    pub mitigation: String,
    /// Who looks after it, when the table said so.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<String>,
    /// The messages that it rests on, 1-6.
    pub sources: Vec<MessageId>,
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

/// The whole meeting in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// In a few sentences, 1-1800 characters.
    pub summary: String,
    /// What matters, 1-10.
    pub key_points: Vec<ArtifactLine>,
    /// What is still open, at most 8.
    pub open_questions: Vec<String>,
}

fn page() -> Shape {
    Object(vec![
        ("summary", Text(1800)),
        ("key_points", List(Box::new(line()), 1, 10)),
        ("open_questions", List(Box::new(Text(300)), 0, 8)),
    ])
}

fn shape(kind: ArtifactKind) -> &'static Shape {
    static SHAPES: OnceLock<[Shape; 5]> = OnceLock::new();
    let [adr, tasks, risks, minutes, page] =
        SHAPES.get_or_init(|| [adr(), tasks(), risks(), minutes::shape(), page()]);
    match kind {
        ArtifactKind::Adr => adr,
        ArtifactKind::Tasks => tasks,
        ArtifactKind::Risks => risks,
        ArtifactKind::Minutes => minutes,
        ArtifactKind::Summary => page,
    }
}

/// The JSON Schema of a kind of artifact, as it is told to models and held against what they write.
pub fn artifact_schema(kind: ArtifactKind) -> Value {
    shape(kind).schema()
}

/// What an artifact holds, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArtifactContent {
    /// An architecture decision record.
    Adr(Adr),
    /// What is to be done.
    Tasks(TaskList),
    /// What could go wrong.
    Risks(RiskList),
    /// The whole in a page.
    Summary(Page),
}

impl ArtifactContent {
    /// The content of an artifact; `None` when it is not what its kind holds. Minutes have their own
    /// versions and are never kept as an artifact.
    pub fn of(kind: ArtifactKind, content: &Value) -> Option<Self> {
        match kind {
            ArtifactKind::Adr => Adr::deserialize(content).ok().map(Self::Adr),
            ArtifactKind::Tasks => TaskList::deserialize(content).ok().map(Self::Tasks),
            ArtifactKind::Risks => RiskList::deserialize(content).ok().map(Self::Risks),
            ArtifactKind::Summary => Page::deserialize(content).ok().map(Self::Summary),
            ArtifactKind::Minutes => None,
        }
    }
}

/// An artifact that fits its kind and rests on messages that are there; `Err` says what does not hold.
pub(crate) fn read_artifact(
    m: &Meeting,
    kind: ArtifactKind,
    object: Map<String, Value>,
) -> Result<Value, String> {
    let reader = Reader { meeting: m, known: m.visible_messages(), lenient: None };
    reader.read(shape(kind), "", Value::Object(object))
}

#[cfg(test)]
mod tests {
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
