//! The texts of formats and rules: names, explanations and units in the reader's language.
//!
//! They lie in `rules.ftl` under the path of the field: `rules-label-turns-timeout-ms`.

use quorate_messages::{Language, keyed, text};

use super::clauses::DecisionMode;
use super::fields::{RuleField, RuleUnit};
use super::format::Format;

/// The text under this id; a test holds every id against the catalogue.
fn found(language: Language, kind: &str, name: &str) -> &'static str {
    keyed(language, &id(kind, name)).unwrap_or_default()
}

/// The id of a text: `rules-choice-turns-mode-serial-turn`.
fn id(kind: &str, name: &str) -> String {
    format!("rules-{kind}-{}", name.replace(['.', '_'], "-").to_lowercase())
}

impl Format {
    /// Its name.
    pub fn label(self, language: Language) -> &'static str {
        found(language, "format", self.as_str())
    }

    /// When to choose it, in a few words.
    pub fn description(self, language: Language) -> &'static str {
        found(language, "when", self.as_str())
    }

    /// What it yields.
    pub fn yields(self, language: Language) -> &'static str {
        found(language, "yields", self.as_str())
    }
}

impl RuleField {
    /// What it sets, in a few words.
    pub fn label(&self, language: Language) -> &'static str {
        found(language, "label", self.path)
    }

    /// What one has to know to set it, in a sentence or two.
    pub fn help(&self, language: Language) -> &'static str {
        found(language, "help", self.path)
    }

    /// The name of one of its choices.
    pub fn choice_label(&self, language: Language, choice: &str) -> &'static str {
        found(language, "choice", &format!("{}.{choice}", self.path))
    }
}

/// The name of a group of rules.
pub fn rule_group_label(language: Language, group: &str) -> &'static str {
    found(language, "group", group)
}

impl DecisionMode {
    /// Its name.
    pub fn label(self, language: Language) -> &'static str {
        found(language, "mode", self.as_str())
    }

    /// Which clauses it asks for.
    pub fn help(self, language: Language) -> &'static str {
        found(language, "mode-help", self.as_str())
    }
}

impl RuleUnit {
    /// The unit of so many: "round", "rounds".
    pub fn label(self, language: Language, count: u64) -> String {
        match self {
            Self::Points => text!(language, "rules-unit-points", count),
            Self::Rounds => text!(language, "rules-unit-rounds", count),
            Self::Turns => text!(language, "rules-unit-turns", count),
            Self::Participants => text!(language, "rules-unit-participants", count),
            Self::Seconds => text!(language, "rules-unit-seconds", count),
            Self::Minutes => text!(language, "rules-unit-minutes", count),
            Self::Characters => text!(language, "rules-unit-characters", count),
            Self::Tokens => text!(language, "rules-unit-tokens", count),
            Self::Money => text!(language, "rules-unit-money", count),
            Self::Questions => text!(language, "rules-unit-questions", count),
            Self::Messages => text!(language, "rules-unit-messages", count),
            Self::Quotes => text!(language, "rules-unit-quotes", count),
            Self::Ideas => text!(language, "rules-unit-ideas", count),
            Self::Claims => text!(language, "rules-unit-claims", count),
            Self::Disagreements => text!(language, "rules-unit-disagreements", count),
            Self::Calls => text!(language, "rules-unit-calls", count),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_messages::keys;
    use strum::VariantArray;

    use super::*;
    use crate::rules::{RULE_FIELDS, rule_groups};

    #[test]
    fn everything_has_its_texts_and_no_text_is_left_over() {
        let mut wanted = BTreeSet::new();
        for format in Format::ALL {
            wanted.extend(["format", "when", "yields"].map(|kind| id(kind, format.as_str())));
        }
        wanted.extend(rule_groups().iter().map(|group| id("group", group)));
        for mode in DecisionMode::ALL {
            wanted.extend(["mode", "mode-help"].map(|kind| id(kind, mode.as_str())));
        }
        for field in RULE_FIELDS {
            wanted.extend(["label", "help"].map(|kind| id(kind, field.path)));
            let choices = field.choices().iter();
            wanted.extend(choices.map(|choice| id("choice", &format!("{}.{choice}", field.path))));
        }
        for language in Language::ALL {
            let there: BTreeSet<String> = keys(language, "rules").map(str::to_owned).collect();
            let missing: Vec<_> = wanted.difference(&there).collect();
            let left: Vec<_> = there.difference(&wanted).collect();
            assert_eq!((missing, left), (vec![], vec![]), "{language:?}");
        }
    }

    #[test]
    fn a_unit_fits_its_number() {
        assert_eq!(RuleUnit::Rounds.label(Language::En, 1), "round");
        assert_eq!(RuleUnit::Rounds.label(Language::En, 3), "rounds");
        assert_eq!(RuleUnit::Rounds.label(Language::Zh, 3), "轮");
        let ones: BTreeSet<_> = RuleUnit::VARIANTS.iter().map(|unit| unit.label(Language::En, 1)).collect();
        assert_eq!(ones.len(), RuleUnit::VARIANTS.len());
    }
}
