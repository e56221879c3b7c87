//! The shapes of answers as JSON Schema. Every string is bounded: small models that are held to a
//! schema otherwise write on without end. No bound is above 2000, where servers that turn a schema
//! into a grammar begin to refuse it.

use std::sync::{Arc, OnceLock};

use quorate_contract::{AnswerSchema, ArtifactKind, Brief, BriefTask};
use serde_json::{Value, json};

use super::record_shapes::artifact_schema;
use crate::state::Meeting;

/// The shape of an answer to this brief; a turn in prose has none.
pub(super) fn of(m: &Meeting, brief: &Brief) -> Option<AnswerSchema> {
    let (name, schema) = match &brief.task {
        BriefTask::Speak(_) => return None,
        BriefTask::Blind(_) => ("position", built(0, blind)),
        BriefTask::Vote => ("vote", built(1, vote)),
        BriefTask::Summarize(_) if m.rules().decision.convergence.is_some() => {
            ("summary", built(2, measured_summary))
        }
        BriefTask::Summarize(_) => ("summary", built(3, summary)),
        BriefTask::Facilitate => ("facilitation", built(4, facilitation)),
        BriefTask::Conclude(ending) => match (ending.accepted, ending.best_ideas > 0) {
            (true, true) => ("conclusion", built(18, reasons_with_ideas)),
            (true, false) => ("conclusion", built(19, reasons)),
            (false, true) => ("conclusion", built(5, conclusion_of_ideas)),
            (false, false) => ("conclusion", built(6, conclusion)),
        },
        BriefTask::Contribute(turn) if turn.memory.is_some() => {
            ("contribution", built(7, contribution_with_memory))
        }
        BriefTask::Contribute(_) => ("contribution", built(8, contribution)),
        BriefTask::Intake(_) => ("questions", built(9, questions)),
        BriefTask::Team(_) => ("team", built(10, team)),
        BriefTask::Evaluate(_) => ("marks", built(11, marks)),
        BriefTask::Invite(_) => ("newcomer", built(12, newcomer)),
        BriefTask::Minutes(_) => ("minutes", built(13, minutes)),
        BriefTask::Artifact(wanted) => match wanted.artifact {
            ArtifactKind::Adr => ("adr", built(14, adr)),
            ArtifactKind::Tasks => ("tasks", built(15, tasks)),
            ArtifactKind::Risks => ("risks", built(16, risks)),
            ArtifactKind::Minutes => ("minutes", built(13, minutes)),
            ArtifactKind::Summary => ("page", built(17, page)),
        },
    };
    Some(AnswerSchema { name, schema })
}

/// Each shape is built once.
fn built(place: usize, build: fn() -> Value) -> Arc<Value> {
    static SCHEMAS: [OnceLock<Arc<Value>>; 20] = [const { OnceLock::new() }; 20];
    SCHEMAS[place].get_or_init(|| Arc::new(build())).clone()
}

fn text(max: u32) -> Value {
    json!({ "type": "string", "maxLength": max })
}

fn list(items: Value, min: u32, max: u32) -> Value {
    json!({ "type": "array", "items": items, "minItems": min, "maxItems": max })
}

fn points() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 100 })
}

/// An object with exactly these fields, all of them required, as strict servers want it.
fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn blind() -> Value {
    object(&[
        ("position", text(400)),
        ("claims", list(text(300), 1, 3)),
        ("confidence", points()),
        ("would_change_my_mind", text(300)),
        ("unshared_facts", list(text(300), 0, 2)),
    ])
}

fn vote() -> Value {
    object(&[
        ("score", points()),
        ("pass", json!({ "type": "boolean" })),
        ("reason", text(300)),
        ("missing", list(text(200), 0, 3)),
    ])
}

fn summary() -> Value {
    let position = object(&[("text", text(300)), ("holders", list(text(60), 1, 16))]);
    object(&[("summary", text(1200)), ("positions", list(position, 0, 16)), ("draft", text(1500))])
}

fn facilitation() -> Value {
    object(&[
        ("disagreements", list(text(300), 1, 3)),
        ("proposed_patch", text(600)),
        ("next_focus", list(text(300), 1, 2)),
    ])
}

fn conclusion() -> Value {
    ending("conclusion")
}

/// The schema of the reasons beside an accepted draft.
fn reasons() -> Value {
    ending("reasons")
}

fn ending(words: &'static str) -> Value {
    let side = object(&[("view", text(300)), ("why", text(300)), ("holders", list(text(60), 0, 16))]);
    let disagreement = object(&[("issue", text(300)), ("sides", list(side, 1, 6))]);
    let who = json!({ "type": ["string", "null"], "maxLength": 60 });
    let action = object(&[("what", text(300)), ("who", who), ("sources", list(text(12), 0, 6))]);
    object(&[
        (words, text(1800)),
        ("disagreements", list(disagreement, 0, 5)),
        ("actions", list(action, 0, 10)),
    ])
}

fn with(mut schema: Value, fields: &[(&str, Value)]) -> Value {
    for (name, field) in fields {
        schema["properties"][*name] = field.clone();
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(json!(name));
        }
    }
    schema
}

fn measured_summary() -> Value {
    with(summary(), &[("open_questions", list(text(200), 0, 8)), ("disagreements", list(text(200), 0, 6))])
}

fn conclusion_of_ideas() -> Value {
    with_ideas(conclusion())
}

fn reasons_with_ideas() -> Value {
    with_ideas(reasons())
}

fn with_ideas(ending: Value) -> Value {
    let pick = || object(&[("idea", text(12)), ("why", text(300))]);
    let wildcard = json!({ "anyOf": [pick(), { "type": "null" }] });
    with(ending, &[("best", list(pick(), 0, 10)), ("wildcard", wildcard)])
}

fn contribution() -> Value {
    object(&[
        ("statement", text(1200)),
        ("recommendation", text(300)),
        ("confidence", points()),
        ("changed_by", json!({ "type": ["string", "null"], "maxLength": 12 })),
        ("claims", list(text(300), 0, 2)),
        ("risks", list(text(300), 0, 2)),
        ("open_questions", list(text(200), 0, 3)),
    ])
}

fn contribution_with_memory() -> Value {
    let notes = || list(text(200), 0, 4);
    let memory = object(&[
        ("assumptions", notes()),
        ("to_verify", notes()),
        ("preferences", notes()),
        ("risks", notes()),
        ("notes", notes()),
    ]);
    with(contribution(), &[("memory", memory)])
}

fn questions() -> Value {
    let kind = json!({ "type": "string", "enum": ["text", "number", "boolean", "choice"], "maxLength": 10 });
    let question = object(&[
        ("key", text(40)),
        ("ask", text(300)),
        ("why", text(300)),
        ("required", json!({ "type": "boolean" })),
        ("kind", kind),
        ("choices", list(text(100), 0, 6)),
    ]);
    object(&[("questions", list(question, 0, 10))])
}

fn newcomer() -> Value {
    object(&[
        ("name", text(50)),
        ("role", text(50)),
        ("description", text(600)),
        ("focus", text(300)),
        ("system_prompt", text(1200)),
        ("model", text(200)),
        ("temperature", json!({ "type": "number", "minimum": 0, "maximum": 2 })),
        ("reason", text(300)),
    ])
}

fn team() -> Value {
    object(&[("candidates", list(newcomer(), 0, 8))])
}

fn marks() -> Value {
    let score = json!({ "type": "integer", "minimum": 0, "maximum": 10 });
    let mark = object(&[("name", text(60)), ("score", score), ("reason", text(300))]);
    object(&[("marks", list(mark, 1, 16))])
}

fn minutes() -> Value {
    artifact_schema(ArtifactKind::Minutes)
}

fn adr() -> Value {
    artifact_schema(ArtifactKind::Adr)
}

fn tasks() -> Value {
    artifact_schema(ArtifactKind::Tasks)
}

fn risks() -> Value {
    artifact_schema(ArtifactKind::Risks)
}

fn page() -> Value {
    artifact_schema(ArtifactKind::Summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unbounded(schema: &Value, path: &str, found: &mut Vec<String>) {
        let is_text = |kind: &Value| {
            kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
        };
        if let Some(object) = schema.as_object() {
            if object.get("type").is_some_and(is_text) && !object.contains_key("maxLength") {
                found.push(path.to_owned());
            }
            for (key, value) in object {
                unbounded(value, &format!("{path}/{key}"), found);
            }
        }
        for (place, one) in schema.as_array().into_iter().flatten().enumerate() {
            unbounded(one, &format!("{path}/{place}"), found);
        }
    }

    #[test]
    fn every_string_is_bounded() {
        let mut found = Vec::new();
        type Build = fn() -> Value;
        let all: [(&str, Build); 20] = [
            ("position", blind),
            ("vote", vote),
            ("measured_summary", measured_summary),
            ("summary", summary),
            ("facilitation", facilitation),
            ("conclusion_of_ideas", conclusion_of_ideas),
            ("conclusion", conclusion),
            ("reasons", reasons),
            ("reasons_with_ideas", reasons_with_ideas),
            ("contribution_with_memory", contribution_with_memory),
            ("contribution", contribution),
            ("questions", questions),
            ("team", team),
            ("marks", marks),
            ("newcomer", newcomer),
            ("minutes", minutes),
            ("adr", adr),
            ("tasks", tasks),
            ("risks", risks),
            ("page", page),
        ];
        for (name, build) in all {
            unbounded(&build(), name, &mut found);
        }
        assert_eq!(found, Vec::<String>::new());
        unbounded(&json!({ "properties": { "x": { "type": "string" } } }), "", &mut found);
        assert_eq!(found.len(), 1, "the check itself finds an unbounded string");
    }
}
