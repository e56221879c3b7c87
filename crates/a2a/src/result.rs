//! The result of a meeting as artifacts: the conclusion with dissent and votes, and each deliverable, as text and as data.

use quorate_messages::{Language, text};
use serde_json::{Value, json};

/// The fields of the report that the data of the conclusion holds.
const FIELDS: [&str; 17] = [
    "topic",
    "outcome",
    "outcome_text",
    "headline",
    "not_passed",
    "why_no_consensus",
    "conclusion",
    "reasons",
    "dissent",
    "disagreements",
    "ballots",
    "actions",
    "best",
    "wildcard",
    "missing",
    "rounds",
    "simulated",
];

/// The deepest level that an outline shows.
const DEPTH_MAX: usize = 8;

/// The artifacts of a report.
pub(crate) fn artifacts(report: &Value, language: Language) -> Vec<Value> {
    let mut all = Vec::new();
    if report["conclusion"].as_str().is_some_and(|conclusion| !conclusion.trim().is_empty()) {
        let data: serde_json::Map<String, Value> =
            FIELDS.iter().map(|field| ((*field).to_owned(), report[*field].clone())).collect();
        all.push(artifact(
            "conclusion",
            text!(language, "a2a-conclusion"),
            &conclusion(report, language),
            data.into(),
        ));
    }
    for one in report["artifacts"].as_array().into_iter().flatten() {
        let (kind, version) = (as_text(&one["type"]), as_text(&one["version"]));
        let mut outline = format!("# {kind} {version}\n\n");
        write(&mut outline, &one["content"], 0);
        all.push(artifact(&kind.to_lowercase(), &kind, outline.trim_end(), one["content"].clone()));
    }
    all
}

fn artifact(id: &str, name: &str, told: &str, data: Value) -> Value {
    json!({
        "artifactId": id, "name": name,
        "parts": [{ "text": told, "mediaType": "text/markdown" }, { "data": data, "mediaType": "application/json" }],
    })
}

/// The conclusion with dissent and votes, in Markdown.
fn conclusion(report: &Value, language: Language) -> String {
    let mut told = as_text(&report["conclusion"]);
    if report["not_passed"] == true {
        told.push_str(&format!("\n\n{}", text!(language, "report-not-passed")));
    }
    let why = why_no_consensus(report).map(|why| why.split_whitespace().collect::<Vec<_>>().join(" "));
    let why: Vec<String> = why.map(|why| format!("> {why}")).collect();
    if !why.is_empty() {
        told.push_str(&format!("\n\n{}", why.join("\n>\n")));
    }
    let dissent = report["dissent"].as_array().into_iter().flatten().map(|one| {
        let (name, position, reason) =
            (as_text(&one["name"]), as_text(&one["position"]), as_text(&one["reason"]));
        let words = [position, reason].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>();
        format!("- {name}: {}", words.join(" — "))
    });
    section(&mut told, text!(language, "a2a-dissent"), dissent.collect());
    let mut ballots = report["ballots"].as_array().into_iter().flatten();
    if let Some(last) = ballots.rfind(|ballot| !ballot["verdict"].is_null()) {
        let votes = last["votes"].as_array().into_iter().flatten().map(|vote| {
            let (name, reason) = (as_text(&vote["name"]), as_text(&vote["reason"]));
            let cast = match (vote["score"].as_u64(), vote["pass"].as_bool()) {
                (Some(score), Some(true)) => text!(language, "a2a-vote-for", score),
                (Some(score), _) => text!(language, "a2a-vote-against", score),
                (None, _) => text!(language, "a2a-no-vote").to_owned(),
            };
            let why = if reason.is_empty() { String::new() } else { format!(" — {reason}") };
            format!("- {name}: {cast}{why}")
        });
        section(&mut told, text!(language, "a2a-votes"), votes.collect());
    }
    let actions = report["actions"].as_array().into_iter().flatten();
    let actions = actions.map(|action| format!("- {}", as_text(&action["what"])));
    section(&mut told, text!(language, "a2a-actions"), actions.collect());
    if report["simulated"] == true {
        told.push_str(&format!("\n\n{}", text!(language, "a2a-simulated")));
    }
    told
}

/// Why there is no consensus, each reason by itself.
pub(crate) fn why_no_consensus(report: &Value) -> impl Iterator<Item = &str> {
    report["why_no_consensus"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn section(told: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        told.push_str(&format!("\n\n## {title}\n\n{}", lines.join("\n")));
    }
}

/// Writes data as an outline.
fn write(outline: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        _ if depth > DEPTH_MAX => outline.push_str(&format!("{indent}- …\n")),
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(_, value)| !is_empty(value)) {
                let name = name.replace('_', " ");
                match value {
                    Value::Object(_) | Value::Array(_) => {
                        outline.push_str(&format!("{indent}- **{name}**\n"));
                        write(outline, value, depth + 1);
                    }
                    plain => outline.push_str(&format!("{indent}- **{name}**: {}\n", as_text(plain))),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(_) | Value::Array(_) => {
                        write(outline, item, depth);
                        outline.push('\n');
                    }
                    plain => outline.push_str(&format!("{indent}- {}\n", as_text(plain))),
                }
            }
        }
        plain => outline.push_str(&format!("{indent}{}\n", as_text(plain))),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_its_dissent_its_votes_and_its_deliverables() {
        let report = json!({
            "conclusion": "Use SQLite.", "not_passed": true,
            "why_no_consensus": ["The round limit was reached.", "The lowest score was 40, below 60."],
            "dissent": [{ "name": "Ben", "position": "PostgreSQL", "reason": "writers" }],
            "ballots": [{ "verdict": {}, "votes": [
                { "name": "Ada", "score": 90, "pass": true, "reason": "simple" }, { "name": "Ben", "score": 40, "pass": false, "reason": "" },
                { "name": "Cid", "score": null, "pass": null, "reason": "" }] }],
            "artifacts": [{ "type": "ADR", "version": "v1", "content": { "title": "Store", "options": [{ "name": "a" }, { "name": "b" }], "tags": ["x"], "none": null } }],
            "simulated": true,
        });
        let all = artifacts(&report, Language::En);
        let text = |at: usize| all[at]["parts"][0]["text"].as_str().unwrap_or_default().to_owned();
        for words in [
            "Use SQLite.",
            "Not a decision",
            "round limit",
            "lowest score",
            "Ben: PostgreSQL — writers",
            "Ada",
            "90",
            "simple",
            "Cid",
        ] {
            assert!(text(0).contains(words), "{words}: {}", text(0));
        }
        assert_eq!(
            (all[1]["artifactId"].as_str(), all[1]["parts"][1]["data"]["title"].as_str()),
            (Some("adr"), Some("Store"))
        );
        assert!(text(1).contains("**title**: Store") && !text(1).contains("none"), "{}", text(1));
        assert!(artifacts(&json!({ "conclusion": "" }), Language::En).is_empty());
    }
}
