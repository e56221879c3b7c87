//! Rules by their path, as `--set turns.timeout_ms=1000` and `/set` name them.

use quorate_contract::{Convergence, Rules, Style};
use serde_json::{Map, Value, json};

use crate::error::ServiceError;

/// Puts one value in its place. The core checks its range when the rules are used.
///
/// # Errors
/// When there is no such rule (near names are given), or the value is of another kind.
pub fn set_rule(rules: &Rules, key: &str, value: &str) -> Result<Rules, ServiceError> {
    let (key, value) = (key.trim(), value.trim());
    let known = paths();
    let example = known.iter().find(|(path, _)| path == key).map(|(_, example)| example);
    if example.is_none() && !key.starts_with("talk.lengths.") {
        return Err(ServiceError::usage(format!("there is no rule {key:?}"), near_hint(key, &known)));
    }
    let mut all = serde_json::to_value(rules).expect("rules have only text keys");
    put(&mut all, key, read(example, value));
    serde_json::from_value(all).map_err(|error| {
        ServiceError::usage(
            format!("{key} cannot be {value:?}: {error}"),
            "docs/meeting-file.md lists every rule",
        )
    })
}

/// The names that are nearest to what was written, the nearest first.
pub fn nearest<'n>(written: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    let likeness = |name: &str| {
        strsim::jaro_winkler(written, name).max(strsim::jaro_winkler(&last(written), &last(name)) - 0.02)
    };
    let mut ranked: Vec<(f64, &str)> = names.map(|name| (likeness(name), name)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().filter(|(likeness, _)| *likeness > 0.7).take(3).map(|(_, name)| name).collect()
}

fn near_hint(key: &str, known: &[(String, Value)]) -> String {
    match nearest(key, known.iter().map(|(path, _)| path.as_str())).as_slice() {
        [] => "docs/meeting-file.md lists every rule".to_owned(),
        near => format!("near it are: {}", near.join(", ")),
    }
}

/// Every rule with a value such as it can have.
fn paths() -> Vec<(String, Value)> {
    let mut rules = Rules::default();
    rules.talk.style = Some(Style::Formal);
    rules.decision.convergence = Some(Convergence::default());
    let all = serde_json::to_value(rules).expect("rules have only text keys");
    let mut found = vec![("decision.convergence".to_owned(), json!({}))];
    collect("", &all, &mut found);
    found
}

fn collect(path: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(&path, value, found);
            }
        }
        value => found.push((path.to_owned(), value.clone())),
    }
}

/// The value in the type of its rule: a list from commas, null from `none`, text when it is no JSON.
fn read(example: Option<&Value>, value: &str) -> Value {
    let plain = || serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    match (example, value) {
        (Some(Value::Array(_)), "" | "none") => json!([]),
        (Some(Value::Array(_)), value) if !value.starts_with('[') => {
            value.split([',', '，', '、']).map(|one| json!(one.trim().to_uppercase())).collect()
        }
        (Some(Value::Object(_)), "true" | "on") => json!({}),
        (Some(Value::Object(_)), "false" | "off") => Value::Null,
        (Some(Value::Bool(_)), "on" | "yes") => json!(true),
        (Some(Value::Bool(_)), "off" | "no") => json!(false),
        (_, "none" | "null") => Value::Null,
        _ => plain(),
    }
}

fn put(all: &mut Value, path: &str, value: Value) {
    // A name may contain dots; the name is the whole rest of the path.
    let (first, rest) = match path.strip_prefix("lengths.") {
        Some(name) => ("lengths", Some(name)),
        None => path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest))),
    };
    if !all.is_object() {
        *all = Value::Object(Map::new());
    }
    let Value::Object(fields) = all else { return };
    match rest {
        None => _ = fields.insert(first.to_owned(), value),
        Some(name) if first == "lengths" => {
            let lengths = fields.entry("lengths").or_insert_with(|| json!({}));
            if let Value::Object(lengths) = lengths {
                match value {
                    Value::Null => _ = lengths.remove(name),
                    value => _ = lengths.insert(name.to_owned(), value),
                }
            }
        }
        Some(rest) => put(fields.entry(first).or_insert(Value::Null), rest, value),
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{ArtifactKind, Format, SpeakingLength};

    use super::*;

    fn set(key: &str, value: &str) -> Rules {
        set_rule(&Format::Room.rules(), key, value).unwrap_or_else(|error| panic!("{key}={value}: {error:?}"))
    }

    #[test]
    fn every_kind_of_value_finds_its_place() {
        assert_eq!(set("turns.timeout_ms", "1000").turns.timeout_ms, 1000);
        assert!(set("turns.show_skips", "on").turns.show_skips);
        assert_eq!(set("limits.tokens", "5000").limits.tokens, Some(5000));
        assert_eq!(set("decision.mean_score", "none").decision.mean_score, None);
        assert_eq!(set("talk.style", "debate").talk.style, Some(Style::Debate));
        let lengths = set("talk.lengths.A. Long", "brief").talk.lengths;
        assert_eq!(lengths.get("A. Long"), Some(&SpeakingLength::Brief));
        let artifacts = set("closing.artifacts", "adr, risks").closing.artifacts;
        assert_eq!(artifacts, [ArtifactKind::Adr, ArtifactKind::Risks]);
        let convergence = set("decision.convergence.stable_rounds", "3").decision.convergence;
        assert_eq!(convergence, Some(Convergence { stable_rounds: 3, ..Convergence::default() }));
        assert_eq!(set("decision.convergence", "on").decision.convergence, Some(Convergence::default()));
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_is_near() {
        let error = set_rule(&Rules::default(), "turn.timeout", "1").expect_err("no such rule");
        let said = format!("{error:?}");
        assert!(said.contains("turn.timeout") && said.contains("turns.timeout_ms"), "{said}");
        let error = set_rule(&Rules::default(), "turns.timeout_ms", "soon").expect_err("no number");
        assert!(format!("{error:?}").contains("turns.timeout_ms"), "{error:?}");
    }

    #[test]
    fn every_rule_stands_in_the_book() {
        let reference = include_str!("../../../docs/meeting-file.md");
        let unnamed = paths().into_iter().filter(|(path, _)| {
            let name = path.rsplit('.').next().unwrap_or(path);
            !reference.lines().any(|line| line.trim_start_matches("[rules.").starts_with(name))
        });
        let unnamed: Vec<String> = unnamed.map(|(path, _)| path).collect();
        assert_eq!(unnamed, ["decision.convergence"], "add these to docs/meeting-file.md");
    }

    #[test]
    fn the_book_says_where_each_format_begins() {
        let reference = include_str!("../../../docs/meeting-file.md");
        let default = serde_json::to_value(Rules::default()).expect("plain");
        let mut usual = Vec::new();
        collect("", &default, &mut usual);
        for rules in Format::ALL.map(Format::rules) {
            let mut own = Vec::new();
            collect("", &serde_json::to_value(rules).expect("plain"), &mut own);
            let differs = |(path, value): &&(String, Value)| {
                let known = usual.iter().find(|(other, _)| other == path);
                known.is_none_or(|(_, other)| other != value)
            };
            for (path, _) in own.iter().filter(differs) {
                let group =
                    if path.starts_with("decision.convergence") { "decision.convergence" } else { path };
                assert!(reference.contains(&format!("`{group}`")), "{path} differs in a format");
            }
        }
    }

    #[test]
    fn every_rule_of_every_format_can_be_set_to_what_it_is() {
        for rules in Format::ALL.map(Format::rules) {
            let mut found = Vec::new();
            collect("", &serde_json::to_value(&rules).expect("plain"), &mut found);
            for (path, value) in found.iter().filter(|(path, _)| path != "talk.lengths") {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(set_rule(&rules, path, &text).ok().as_ref(), Some(&rules), "{path}={text}");
            }
        }
    }
}
