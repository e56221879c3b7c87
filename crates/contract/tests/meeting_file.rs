//! The table of rules in `docs/meeting-file.md` is made of the table of the contract.

use std::path::PathBuf;

use quorate_contract::{Format, Language, RULE_FIELDS, RuleField, RuleKind};
use serde_json::Value;

const HEAD: &str = "| Rule | What it sets | Values |";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/meeting-file.md")
}

/// A value as it is written in a file.
fn written(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(share) if number.is_f64() => format!("{share:.4}").trim_end_matches('0').to_owned(),
            _ => number.to_string(),
        },
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(", "),
        Value::Object(fields) if fields.is_empty() => "none".to_owned(),
        Value::Object(_) => "set".to_owned(),
    }
}

fn values(field: &RuleField) -> String {
    let names = || field.choices().join(", ");
    let values = match field.kind {
        RuleKind::Switch => "true, false".to_owned(),
        RuleKind::Choice(_) => names(),
        RuleKind::Number(number) => {
            let most = number.at_most.map(|path| format!(", at most `{path}`")).unwrap_or_default();
            format!("{}–{}{most}", number.min, number.max)
        }
        RuleKind::Share(_) => "0.0–1.0".to_owned(),
        RuleKind::List(_) => format!("some of {}", names()),
        RuleKind::PerParticipant(_) => format!("by name: {}", names()),
        RuleKind::Group => "the rules below".to_owned(),
    };
    if field.optional { format!("{values}; none") } else { values }
}

fn row(field: &RuleField) -> String {
    let defaults = Format::ALL.map(|format| written(&field.value(&format.rules())));
    let label = field.label(Language::En);
    format!("| `{}` | {label} | {} | {} |", field.path, values(field), defaults.join(" | "))
}

#[test]
fn the_documentation_has_the_rules_as_they_are() {
    let formats = Format::ALL.map(Format::as_str).join(" | ");
    let rows: Vec<String> = RULE_FIELDS.iter().map(row).collect();
    let rule = "|---".repeat(3 + Format::ALL.len());
    let table = format!("{HEAD} {formats} |\n{rule}|\n{}\n", rows.join("\n"));
    let text = std::fs::read_to_string(file()).expect("the documentation");
    let start = text.find(HEAD).expect("the table begins");
    let end = text[start..].find("\n\n").map_or(text.len(), |length| start + length + 1);
    if std::env::var_os("QUORATE_BLESS").is_some() {
        let all = format!("{}{table}{}", &text[..start], &text[end..]);
        std::fs::write(file(), all).expect("it is written");
    } else {
        let hint = "docs/meeting-file.md is stale: QUORATE_BLESS=1 cargo test -p quorate-contract --test meeting_file";
        assert!(text[start..end] == table, "{hint}");
    }
}
