//! Rules by their path, as `--set turns.timeout_ms=1000` and `/set` name them.

use quorate_contract::{RULE_FIELDS, RuleField, RuleKind, Rules};
use quorate_messages::{Message, message};
use serde_json::{Map, Value, json};

use crate::error::ServiceError;

/// Puts one value in its place. The core checks its range when the rules are used.
///
/// # Errors
/// When there is no such rule (near names are given), or the value is of another kind.
pub fn set_rule(rules: &Rules, key: &str, value: &str) -> Result<Rules, ServiceError> {
    let (key, value) = (key.trim(), value.trim());
    let lengths = key.starts_with("talk.lengths.").then(|| RuleField::at("talk.lengths")).flatten();
    let Some(field) = RuleField::at(key).or(lengths) else {
        return Err(ServiceError::usage(message!("app-rules-no-such", key), near_hint(key)));
    };
    let mut all = serde_json::to_value(rules).expect("rules have only text keys");
    put(&mut all, key, read(field, key, value));
    serde_json::from_value(all)
        .map_err(|_| ServiceError::usage(message!("app-rules-cannot-be", key, value), takes(field)))
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

fn near_hint(key: &str) -> Message {
    match nearest(key, RULE_FIELDS.iter().map(|field| field.path)).as_slice() {
        [] => message!("app-rules-listed"),
        near => message!("app-rules-near", near),
    }
}

/// What a rule can be set to.
fn takes(field: &RuleField) -> Message {
    match field.kind {
        RuleKind::Switch => message!("app-rules-takes-switch"),
        RuleKind::Choice(names) if field.optional => {
            message!("app-rules-takes-choice-or-none", names = names())
        }
        RuleKind::Choice(names) | RuleKind::PerParticipant(names) => {
            message!("app-rules-takes-choice", names = names())
        }
        RuleKind::Number(number) if field.optional => {
            message!("app-rules-takes-number-or-none", min = %number.min, max = %number.max)
        }
        RuleKind::Number(number) => message!("app-rules-takes-number", min = %number.min, max = %number.max),
        RuleKind::Share(_) if field.optional => message!("app-rules-takes-share-or-none"),
        RuleKind::Share(_) => message!("app-rules-takes-share"),
        RuleKind::List(names) => message!("app-rules-takes-list", names = names()),
        RuleKind::Group => message!("app-rules-takes-switch"),
    }
}

/// The value in the type of its rule: a list from commas, null from `none`, text when it is no JSON.
fn read(field: &RuleField, key: &str, value: &str) -> Value {
    let plain = || serde_json::from_str(value).unwrap_or_else(|_| json!(value));
    match (field.kind, value) {
        (RuleKind::List(_), "" | "none") => json!([]),
        (RuleKind::List(_), value) if !value.starts_with('[') => {
            value.split([',', '，', '、']).map(|one| json!(one.trim().to_uppercase())).collect()
        }
        (RuleKind::PerParticipant(_), "none") if field.path == key => json!({}),
        (RuleKind::Group, "true" | "on") => json!({}),
        (RuleKind::Group, "false" | "off") => Value::Null,
        (RuleKind::Switch, "on" | "yes") => json!(true),
        (RuleKind::Switch, "off" | "no") => json!(false),
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
    use quorate_contract::{ArtifactKind, Convergence, Format, SpeakingLength, Style};

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
    fn what_a_rule_takes_is_said_when_it_is_given_something_else() {
        for (key, value, takes) in [
            ("turns.mode", "sideways", "auto, serial_turn, parallel_round"),
            ("turns.timeout_ms", "soon", "from 1 to 86400000"),
            ("limits.tokens", "many", "none"),
            ("decision.quorum", "half", "from 0.0 to 1.0"),
            ("turns.ideas", "maybe", "true or false"),
            ("closing.artifacts", "poem", "ADR, TASKS, RISKS, MINUTES, SUMMARY"),
            ("talk.lengths.Ada", "endless", "brief, moderate, detailed"),
        ] {
            let error = set_rule(&Rules::default(), key, value).expect_err(key);
            let said = format!("{error:?}");
            assert!(said.contains(key) && said.contains(takes), "{said}");
        }
    }

    #[test]
    fn every_rule_of_every_format_can_be_set_to_what_it_is() {
        for rules in Format::ALL.map(Format::rules) {
            for field in RULE_FIELDS.iter().filter(|field| field.path != "talk.lengths") {
                // Without the tests of convergence, their parts are no rules of this format.
                let is_part = field.path.starts_with("decision.convergence.");
                if is_part && rules.decision.convergence.is_none() {
                    continue;
                }
                let value = field.value(&rules);
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(set_rule(&rules, field.path, &text).ok().as_ref(), Some(&rules), "{}", field.path);
            }
        }
    }
}
