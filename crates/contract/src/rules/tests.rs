//! The table of fields and the rules themselves are the same.

use std::collections::BTreeMap;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Value, json};

use super::*;
use crate::refusal::Refusal;

/// What serde says of a field: its kind, the names among which it chooses, and whether it may be null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Shape {
    kind: &'static str,
    names: &'static [&'static str],
    optional: bool,
}

/// Reads a type without any data, and notes each of its fields by its path.
struct Walk<'a> {
    path: String,
    optional: bool,
    found: &'a mut BTreeMap<String, Shape>,
}

impl Walk<'_> {
    fn note(&mut self, kind: &'static str, names: &'static [&'static str]) {
        let shape = Shape { kind, names, optional: self.optional };
        assert!(self.found.insert(self.path.clone(), shape).is_none(), "{} twice", self.path);
    }
}

macro_rules! leaves {
    ($($method:ident $visit:ident $kind:literal $value:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            self.note($kind, &[]);
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Walk<'_> {
    type Error = Error;

    leaves! {
        deserialize_bool visit_bool "switch" false;
        deserialize_u8 visit_u8 "number" 0;
        deserialize_u32 visit_u32 "number" 0;
        deserialize_u64 visit_u64 "number" 0;
        deserialize_f64 visit_f64 "share" 0.0;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(Walk { optional: true, ..self })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note("choice", variants);
        visitor.visit_enum(First(variants[0]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.optional {
            self.note("group", &[]);
        }
        visitor.visit_map(Fields { path: self.path, fields: fields.iter(), at: "", found: self.found })
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        self.note("list", &[]);
        visitor.visit_seq(Nothing)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        self.note("per_participant", &[]);
        visitor.visit_map(Nothing)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom(format!("{}: a kind of field that the table does not have yet", self.path)))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u16 f32 char str string bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct
        identifier ignored_any
    }
}

struct Fields<'a> {
    path: String,
    fields: std::slice::Iter<'static, &'static str>,
    at: &'static str,
    found: &'a mut BTreeMap<String, Shape>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(next) = self.fields.next() else { return Ok(None) };
        self.at = next;
        let name: StrDeserializer<'_, Error> = next.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let path =
            if self.path.is_empty() { self.at.to_owned() } else { format!("{}.{}", self.path, self.at) };
        seed.deserialize(Walk { path, optional: false, found: self.found })
    }
}

struct Nothing;

impl<'de> SeqAccess<'de> for Nothing {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, _seed: T) -> Result<Option<T::Value>, Error> {
        Ok(None)
    }
}

impl<'de> MapAccess<'de> for Nothing {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _seed: K) -> Result<Option<K::Value>, Error> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, _seed: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is nothing"))
    }
}

/// The first value of an enum.
struct First(&'static str);

impl<'de> EnumAccess<'de> for First {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        seed.deserialize(name).map(|value| (value, self))
    }
}

impl<'de> VariantAccess<'de> for First {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, Error> {
        Err(Error::custom("the values of rules have no fields"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("the values of rules have no fields"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        Err(Error::custom("the values of rules have no fields"))
    }
}

/// What serde reads of [`Rules`].
fn shapes() -> BTreeMap<String, Shape> {
    let mut found = BTreeMap::new();
    Rules::deserialize(Walk { path: String::new(), optional: false, found: &mut found })
        .expect("every field is walked");
    found
}

#[test]
fn every_field_of_the_rules_stands_in_the_table_once_with_its_kind() {
    let shapes = shapes();
    let mut paths: Vec<_> = RULE_FIELDS.iter().map(|field| field.path).collect();
    let count = paths.len();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), count, "a field stands in the table twice");
    assert_eq!(paths, shapes.keys().map(String::as_str).collect::<Vec<_>>());
    for field in RULE_FIELDS {
        let shape = &shapes[field.path];
        let kind = match field.kind {
            RuleKind::Switch => "switch",
            RuleKind::Choice(_) => "choice",
            RuleKind::Number(_) => "number",
            RuleKind::Share(_) => "share",
            RuleKind::List(_) => "list",
            RuleKind::PerParticipant(_) => "per_participant",
            RuleKind::Group => "group",
        };
        assert_eq!((kind, field.optional), (shape.kind, shape.optional), "{}", field.path);
        if kind == "choice" {
            assert_eq!(field.choices(), shape.names, "{}", field.path);
        }
    }
    let mut groups = rule_groups();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), rule_groups().len(), "the fields of a group stand together");
}

/// The rules with one value in its place. `None` when they cannot hold it.
fn with(path: &str, value: impl Into<Value>) -> Option<Rules> {
    let mut rules = Rules {
        decision: DecisionRules { min_rounds: 0, pass_ratio: Some(0.5), ..Default::default() },
        ..Default::default()
    };
    rules.limits.max_rounds = ROUNDS_MAX;
    if path == "limits.max_rounds" {
        rules.decision.min_rounds = 0;
    }
    if path.starts_with("decision.convergence.") {
        rules.decision.convergence = Some(Convergence::default());
    }
    let mut all = serde_json::to_value(rules).expect("rules have only text keys");
    let place = path.split('.').fold(&mut all, |at, name| &mut at[name]);
    *place = value.into();
    serde_json::from_value(all).ok()
}

/// Whether a value is within the bounds that validation knows.
fn passes(path: &str, value: impl Into<Value>) -> bool {
    let Some(rules) = with(path, value) else { return false };
    match check_rules(&rules) {
        Ok(()) => true,
        Err(Refusal::Invalid { field, .. }) => {
            assert_eq!(field, path);
            false
        }
        Err(other) => panic!("{path}: {other}"),
    }
}

#[test]
fn validation_keeps_the_bounds_of_the_table() {
    let mut checked = 0;
    for field in RULE_FIELDS {
        let path = field.path;
        match field.kind {
            RuleKind::Number(number) => {
                assert!(passes(path, number.min) && passes(path, number.max), "{path}");
                assert!(!passes(path, number.max + 1), "{path} above its most");
                assert!(!passes(path, number.min as i64 - 1), "{path} below its least");
                checked += 1;
            }
            RuleKind::Share(_) => {
                assert!(passes(path, 0.0) && passes(path, 1.0), "{path}");
                assert!(!passes(path, -0.01) && !passes(path, 1.01), "{path}");
                checked += 1;
            }
            RuleKind::Choice(names) => {
                assert!(names().iter().all(|name| passes(path, *name)), "{path}");
                assert!(!passes(path, "none of them"), "{path}");
            }
            RuleKind::List(names) => {
                assert!(passes(path, names().to_vec()) && !passes(path, json!(["none of them"])), "{path}");
            }
            RuleKind::PerParticipant(names) => {
                assert!(names().iter().all(|name| passes(path, json!({ "Ada": name }))), "{path}");
                assert!(!passes(path, json!({ "Ada": "none of them" })), "{path}");
            }
            RuleKind::Switch => assert!(passes(path, true) && !passes(path, 1), "{path}"),
            RuleKind::Group => assert!(passes(path, field.initial().expect("a value")), "{path}"),
        }
        assert_eq!(passes(path, Value::Null), field.optional, "{path} off");
    }
    assert_eq!(checked, 32, "numbers and shares");
}

#[test]
fn a_number_that_another_bounds_does_not_pass_it() {
    let mut rules = Rules::default();
    (rules.limits.max_rounds, rules.decision.min_rounds) = (3, 4);
    let refusal = check_rules(&rules).expect_err("more rounds before a ballot than there are");
    assert!(matches!(&refusal, Refusal::Invalid { field, .. } if field == "decision.min_rounds"));
    rules.decision.min_rounds = 3;
    assert_eq!(check_rules(&rules), Ok(()));
}

#[test]
fn ballots_need_a_clause_by_which_votes_count() {
    let mut rules = Rules::default();
    rules.decision = DecisionRules { mean_score: None, quorum: 1.0, ..rules.decision };
    let refusal = check_rules(&rules).expect_err("a draft would pass that all voted against");
    assert!(matches!(&refusal, Refusal::Invalid { field, .. } if field == "decision.mean_score"));
    rules.decision.ballots = false;
    assert_eq!(check_rules(&rules), Ok(()), "nothing is voted on");
    rules.decision = DecisionRules { ballots: true, min_score: Some(0), ..rules.decision };
    assert_eq!(check_rules(&rules), Ok(()));
}

#[test]
fn the_defaults_of_each_format_are_valid_and_what_is_off_has_a_value_to_begin_with() {
    for format in Format::ALL {
        assert_eq!(check_rules(&format.rules()), Ok(()), "{format}");
    }
    for field in RULE_FIELDS {
        let is_off = |format: &Format| field.value(&format.rules()).is_null();
        let counts = matches!(field.kind, RuleKind::Number(_) | RuleKind::Share(_) | RuleKind::Group);
        let needs = counts && field.optional && Format::ALL.iter().any(is_off);
        if let Some(value) = field.initial() {
            assert!(field.optional && passes(field.path, value), "{}", field.path);
        } else {
            assert!(!needs, "{} has no value to begin with", field.path);
        }
    }
}
