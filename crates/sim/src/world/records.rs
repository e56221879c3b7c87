//! Good answers to what is asked beside talking and voting, and what makes a record rest on nothing.

use quorate_contract::{AnswerKind, ArtifactKind};
use serde_json::{Value, json};

use super::AnswerInputs;
use crate::rng::Rng;

/// An answer by the shape that the prompt asks for.
pub(super) fn good(rng: &mut Rng, scene: &AnswerInputs, stand: &str) -> String {
    let answer = match scene.kind {
        AnswerKind::Contribute => contribution(rng, scene, stand),
        AnswerKind::Intake => json!({ "questions": (0..rng.below(4)).map(question).collect::<Vec<_>>() }),
        AnswerKind::Team => {
            let count = rng.below(4);
            json!({ "candidates": (0..count).map(|_| candidate(rng)).collect::<Vec<_>>() })
        }
        AnswerKind::Invite => candidate(rng),
        AnswerKind::Evaluate => json!({ "marks": scene.names.iter().map(|name| {
            json!({ "name": name, "score": rng.below(11), "reason": stand })
        }).collect::<Vec<_>>() }),
        AnswerKind::Minutes => {
            let line = json!({ "text": stand, "who": null, "sources": sources(rng, scene), "quote": null });
            json!({
                "content": format!("# {stand}"), "summary": stand, "decisions": [line], "actions": [line],
                "risks": [],
            })
        }
        AnswerKind::Artifact => artifact(rng, scene, stand),
        AnswerKind::Blind | AnswerKind::Speak | AnswerKind::Vote => json!({}),
        AnswerKind::Summarize | AnswerKind::Facilitate | AnswerKind::Conclude => json!({}),
    };
    answer.to_string()
}

/// The same record with citations of messages that do not exist.
pub(super) fn with_false_sources(good: &str) -> String {
    changed(good, &|key, value| match key {
        "sources" => json!(["m999", "m0", "c1"]),
        _ => value,
    })
}

/// The same record with a false quote.
pub(super) fn with_false_quote(good: &str) -> String {
    changed(good, &|key, value| match key {
        "quote" => json!("nobody ever said this, 从来没有人这么说"),
        _ => value,
    })
}

fn changed(good: &str, change: &dyn Fn(&str, Value) -> Value) -> String {
    match serde_json::from_str::<Value>(good) {
        Ok(value) => walked(value, change).to_string(),
        Err(_) => good.to_owned(),
    }
}

fn walked(value: Value, change: &dyn Fn(&str, Value) -> Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| {
                let value = change(&key, walked(value, change));
                (key, value)
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => items.into_iter().map(|item| walked(item, change)).collect(),
        plain => plain,
    }
}

fn contribution(rng: &mut Rng, scene: &AnswerInputs, stand: &str) -> Value {
    let mention = if rng.per_mille(250) { super::called(rng, &scene.names) } else { String::new() };
    let moved_by = rng.maybe(300, |rng| format!("c{}", rng.between(1, scene.claims + 1)));
    json!({
        "statement": format!("{stand}.{mention}"), "recommendation": stand, "confidence": rng.below(101),
        "changed_by": moved_by, "claims": ["it is one file"], "risks": ["it grows"],
        "open_questions": if rng.per_mille(500) { vec!["who pays?"] } else { Vec::new() },
        "memory": { "assumptions": [stand], "notes": ["ask about backups"] },
    })
}

fn question(place: u64) -> Value {
    let kinds = ["number", "choice", "boolean", "text"];
    let choices: &[&str] = if place == 1 { &["yes", "no"] } else { &[] };
    json!({
        "key": format!("q{place}"), "ask": "How many writers?", "why": "it decides",
        "required": place.is_multiple_of(2), "kind": kinds[place as usize % 4], "choices": choices,
    })
}

fn candidate(rng: &mut Rng) -> Value {
    json!({
        "name": rng.pick(&["Ada", "Kim", "新人", "Lee", "p3"]), "role": "Auditor",
        "description": "looks at what it costs", "focus": "costs", "system_prompt": "Be brief.",
        "model": rng.pick(&["quick", "deep", "none"]), "temperature": rng.share(), "reason": "nobody counts",
    })
}

fn sources(rng: &mut Rng, scene: &AnswerInputs) -> Value {
    json!([format!("m{}", rng.between(1, scene.said.max(1)))])
}

fn artifact(rng: &mut Rng, scene: &AnswerInputs, stand: &str) -> Value {
    let sources = sources(rng, scene);
    let line = json!({ "text": stand, "sources": sources, "quote": null });
    match scene.artifact {
        ArtifactKind::Adr => json!({
            "title": stand, "status": "proposed", "context": stand, "decision": line,
            "options": [{ "name": stand, "pros": ["one file"], "cons": ["one writer"], "sources": sources }],
            "consequences": [line],
        }),
        ArtifactKind::Tasks => json!({ "tasks": [{
            "title": "measure", "description": stand, "owner": null, "priority": "high",
            "acceptance": "it is measured", "sources": sources,
        }] }),
        ArtifactKind::Risks => json!({ "risks": [{
            "risk": stand, "likelihood": "low", "impact": "high", "mitigation": "measure", "owner": null,
            "sources": sources,
        }] }),
        ArtifactKind::Minutes | ArtifactKind::Summary => json!({
            "summary": stand, "key_points": [line], "open_questions": ["who pays?"],
        }),
    }
}
