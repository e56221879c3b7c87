//! Rules as a person gives them: only what differs from where the format begins.

use quorate_contract::{Format, Rules};
use quorate_messages::{decoding_problem, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ServiceError;

/// Some of the rules, by their names as in docs/meeting-file.md. `null` takes away what a format sets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GivenRules(Map<String, Value>);

impl GivenRules {
    /// The settings that turn a format's preset into these rules.
    pub fn between(format: Format, rules: &Rules) -> Self {
        Self(what_differs(&as_map(&format.rules()), &as_map(rules)))
    }

    /// Whether no setting is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules of a format with these over them. Ranges are checked by the core, once all is put together.
    ///
    /// # Errors
    /// When there is no such rule, or it cannot have that value; `field` is its path, as
    /// `rules.turns.timeout_ms`.
    pub fn over(&self, format: Format) -> Result<Rules, ServiceError> {
        let mut rules = self.over_rules(&format.rules())?;
        // What a format begins with gives way to what was asked for.
        if self.0.get("decision").is_none_or(|decision| decision.get("min_rounds").is_none()) {
            rules.decision.min_rounds = rules.decision.min_rounds.min(rules.limits.max_rounds);
        }
        Ok(rules)
    }

    /// Lays the settings over the default rules.
    pub(crate) fn over_nothing(&self) -> Result<Rules, ServiceError> {
        self.over_rules(&Rules::default())
    }

    fn over_rules(&self, rules: &Rules) -> Result<Rules, ServiceError> {
        let mut all = as_map(rules);
        lay_over(&mut all, &self.0);
        serde_path_to_error::deserialize(Value::Object(all)).map_err(|error| {
            let path = match error.path().to_string() {
                path if path == "." => "rules".to_owned(),
                path => format!("rules.{path}"),
            };
            let problem = decoding_problem(&error.inner().to_string());
            let message = message!("app-in-field", field = &path, problem);
            let hint = message!("app-rules-listed");
            ServiceError::usage(message, hint).with("field", path)
        })
    }
}

fn as_map(rules: &Rules) -> Map<String, Value> {
    match serde_json::to_value(rules) {
        Ok(Value::Object(map)) => map,
        _ => unreachable!("rules are written as an object with text keys"),
    }
}

/// Puts every value of `over` in place of the one below it.
fn lay_over(below: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, value) in over {
        match (below.get_mut(key), value) {
            (Some(Value::Object(below)), Value::Object(over)) => lay_over(below, over),
            _ => _ = below.insert(key.clone(), value.clone()),
        }
    }
}

/// The settings that [`lay_over`] needs to make `above` out of `below`.
fn what_differs(below: &Map<String, Value>, above: &Map<String, Value>) -> Map<String, Value> {
    let mut differs = Map::new();
    for (key, value) in above {
        match (below.get(key), value) {
            (Some(same), value) if same == value => {}
            (Some(Value::Object(below)), Value::Object(above)) => {
                differs.insert(key.clone(), what_differs(below, above).into());
            }
            _ => _ = differs.insert(key.clone(), value.clone()),
        }
    }
    let gone = below.keys().filter(|key| !above.contains_key(*key));
    differs.extend(gone.map(|key| (key.clone(), Value::Null)));
    differs
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Convergence, SpeakingLength};
    use serde_json::json;

    use super::*;

    fn given(value: Value) -> GivenRules {
        serde_json::from_value(value).expect("an object")
    }

    #[test]
    fn what_differs_leads_from_any_format_to_any_rules() {
        for format in Format::ALL {
            assert!(GivenRules::between(format, &format.rules()).is_empty());
            for mut rules in Format::ALL.map(Format::rules) {
                rules.talk.style = None;
                rules.talk.lengths.insert("Ada".to_owned(), SpeakingLength::Brief);
                rules.decision.mean_score = None;
                rules.limits.tokens = Some(7);
                for convergence in [None, Some(Convergence::default())] {
                    rules.decision.convergence = convergence;
                    let given = GivenRules::between(format, &rules);
                    assert_eq!(given.over(format).ok().as_ref(), Some(&rules), "{given:?}");
                }
            }
        }
    }

    #[test]
    fn fewer_rounds_than_a_format_begins_with_are_enough() {
        let of = |value: Value| given(value).over(Format::Decision).expect("rules");
        assert!(Format::Decision.rules().decision.min_rounds > 1);
        let short = of(json!({ "limits": { "max_rounds": 1 } }));
        assert_eq!((short.limits.max_rounds, short.decision.min_rounds), (1, 1));
        let told = of(json!({ "limits": { "max_rounds": 1 }, "decision": { "min_rounds": 2 } }));
        assert_eq!(told.decision.min_rounds, 2, "what was asked for is refused by its own name");
    }

    #[test]
    fn the_rest_of_the_rules_is_the_formats() {
        let rules = given(json!({ "limits": { "max_rounds": 2 }, "talk": { "style": null } }));
        let rules = rules.over(Format::Discussion).expect("sound");
        let mut expected = Format::Discussion.rules();
        (expected.limits.max_rounds, expected.talk.style) = (2, None);
        assert_eq!(rules, expected);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let wrong = |value| {
            let error = given(value).over(Format::Consensus).expect_err("wrong");
            (error.details()["field"].as_str().unwrap_or_default().to_owned(), error.message())
        };
        let (field, message) = wrong(json!({ "turns": { "timeout_ms": "soon" } }));
        assert_eq!(field, "rules.turns.timeout_ms");
        assert!(message.contains("soon"), "{message}");
        let (field, message) = wrong(json!({ "turns": { "tymeout": 1 } }));
        assert_eq!(field, "rules.turns.tymeout");
        assert!(message.contains("timeout_ms"), "{message}");
        assert_eq!(wrong(json!({ "trns": {} })).0, "rules.trns");
        assert_eq!(wrong(json!({ "talk": 3 })).0, "rules.talk");
    }
}
