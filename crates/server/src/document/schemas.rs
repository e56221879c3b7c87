//! What every schema of the document says alike: names, bounds, defaults and references.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::{RULE_FIELDS, RuleKind};
use serde_json::{Map, Value, json};

use super::references::{SCHEMAS, references, rename_references};
use super::requests;

/// Names for types whose own name says too little outside of their module.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("AccountView", "Account"),
    ("AuditEntryView", "AuditEntry"),
    ("BackupView", "Backup"),
    ("BackupsView", "BackupList"),
    ("BallotView", "MeetingBallot"),
    ("ClaimView", "MeetingClaim"),
    ("DamageView", "LogDamage"),
    ("FaultView", "MeetingFault"),
    ("FloorView", "CurrentFloor"),
    ("InvitationView", "Invitation"),
    ("MeetingView", "Meeting"),
    ("Message", "MessageText"),
    ("ModelView", "ProviderModel"),
    ("Newcomer", "ParticipantDraft"),
    ("ParticipantView", "MeetingParticipant"),
    ("PauseView", "MeetingPause"),
    ("ProviderView", "Provider"),
    ("PublicKeyView", "PublicKey"),
    ("ResultLinkView", "ResultLink"),
    ("SessionView", "Session"),
    ("SigningKeyView", "SigningKey"),
    ("TokenView", "AccessToken"),
    ("UsageView", "MeetingUsage"),
    ("VoterView", "Voter"),
    ("WebhookDeliveryView", "WebhookDelivery"),
    ("WebhookView", "Webhook"),
];

/// Completes all schemas.
pub(super) fn complete(document: &mut Value) {
    refer_to_items(document);
    refer_in_pairs(document);
    requests::separate(document);
    rename_all(document);
    plain_arrays(document);
    tell_defaults(document);
    bound_rules(document);
    bound_files(document);
    requests::separate_new(document);
}

/// An import has files, and each has a name and a content.
fn bound_files(document: &mut Value) {
    if let Some(files) = document.pointer_mut("/components/schemas/ImportRequest/properties/files") {
        let some = json!({ "type": "string", "minLength": 1 });
        (files["minProperties"], files["propertyNames"], files["additionalProperties"]) =
            (1.into(), some.clone(), some);
    }
}

/// States the bounds of the rules, which are checked in `contract`.
fn bound_rules(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for rules in
        ["Rules", "RulesInput"].into_iter().filter(|name| schemas.contains_key(*name)).collect::<Vec<_>>()
    {
        for field in RULE_FIELDS {
            match field.kind {
                RuleKind::Number(number) => {
                    bound(schemas, rules, field.path, &json!(number.min), &json!(number.max));
                }
                RuleKind::Share(_) => bound(schemas, rules, field.path, &json!(0), &json!(1)),
                RuleKind::Switch
                | RuleKind::Choice(_)
                | RuleKind::List(_)
                | RuleKind::PerParticipant(_)
                | RuleKind::Group => {}
            }
        }
    }
}

/// Bounds the property at a path.
fn bound(schemas: &mut Map<String, Value>, schema: &str, path: &str, min: &Value, max: &Value) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let property = &mut schemas[schema]["properties"][first];
    assert!(property.is_object(), "{schema} has no field {first}");
    let Some(rest) = rest else {
        property["minimum"] = min.clone();
        property["maximum"] = max.clone();
        return;
    };
    let mut named = BTreeSet::new();
    references(property, &mut named);
    let next = named.into_iter().next().unwrap_or_else(|| panic!("{schema}.{first} refers to a schema"));
    bound(schemas, &next, rest, min, max);
}

/// Says in words what a field is when it is left out: generators of clients take a field with a `default` for one that
/// is always there. Defaults of rules are those of the format, which this document cannot know.
fn tell_defaults(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas {
        let depends_on_format = name.contains("Rules");
        without_defaults(schema, depends_on_format);
    }
}

fn without_defaults(schema: &mut Value, silently: bool) {
    match schema {
        Value::Object(fields) => {
            let required = fields.get("required").cloned().unwrap_or_default();
            let is_required =
                |name: &str| required.as_array().is_some_and(|all| all.iter().any(|it| it == name));
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, field) in properties.into_iter().flatten() {
                let Some(field) = field.as_object_mut() else { continue };
                let Some(default) = field.remove("default") else { continue };
                let is_telling = match &default {
                    Value::Number(_) => true,
                    Value::Bool(value) => *value,
                    Value::String(text) => !text.is_empty(),
                    Value::Null | Value::Array(_) | Value::Object(_) => false,
                };
                let own = field.get("description").and_then(Value::as_str).unwrap_or_default();
                if is_telling && !silently && !is_required(name) && !own.contains("left out") {
                    let value = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                    let told = format!("{own} When left out: `{value}`.").trim_start().to_owned();
                    field.insert("description".to_owned(), told.into());
                }
            }
            fields.values_mut().for_each(|value| without_defaults(value, silently));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_defaults(item, silently)),
        _ => {}
    }
}

/// Writes a pair or a triple as an array of fixed length: generators of clients know few of `prefixItems`.
fn plain_arrays(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::Array(items)) = fields.remove("prefixItems") {
                let kinds: Vec<Value> = items
                    .iter()
                    .enumerate()
                    .filter(|(at, kind)| !items[..*at].contains(kind))
                    .map(|(_, kind)| kind.clone())
                    .collect();
                let kind = match kinds.as_slice() {
                    [one] => one.clone(),
                    several => json!({ "anyOf": several }),
                };
                fields.insert("items".to_owned(), kind);
                fields.insert("minItems".to_owned(), items.len().into());
                fields.insert("maxItems".to_owned(), items.len().into());
            }
            fields.values_mut().for_each(plain_arrays);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_arrays),
        _ => {}
    }
}

/// Lists refer to the schema of their items instead of repeating it.
fn refer_to_items(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let mut repeated = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let item = name.strip_prefix("ItemPage_").or_else(|| name.strip_prefix("MeetingItems_"));
        let Some(item) = item.map(str::to_owned) else { continue };
        let Some(items) = schema.pointer_mut("/properties/items/items") else { continue };
        if items.get("$ref").is_none() {
            let reference = json!({ "$ref": format!("{SCHEMAS}{item}") });
            repeated.push((item, std::mem::replace(items, reference)));
        }
    }
    for (item, schema) in repeated {
        schemas.entry(item).or_insert(schema);
    }
}

/// Pairs and triples refer to the schemas of their unions instead of repeating them.
fn refer_in_pairs(document: &mut Value) {
    fn walk(value: &mut Value, unions: &[(String, Value)]) {
        match value {
            Value::Object(fields) => {
                for part in fields.get_mut("prefixItems").and_then(Value::as_array_mut).into_iter().flatten()
                {
                    if let Some((name, _)) = unions.iter().find(|(_, union)| union == part) {
                        *part = json!({ "$ref": format!("{SCHEMAS}{name}") });
                    }
                }
                fields.values_mut().for_each(|value| walk(value, unions));
            }
            Value::Array(items) => items.iter_mut().for_each(|value| walk(value, unions)),
            _ => {}
        }
    }
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let unions = schemas.iter().filter(|(_, schema)| schema.get("oneOf").is_some());
    let unions: Vec<(String, Value)> = unions.map(|(name, schema)| (name.clone(), schema.clone())).collect();
    schemas.values_mut().for_each(|schema| walk(schema, &unions));
}

/// Gives types the names that they have in the document.
fn rename_all(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object() else { return };
    let names: BTreeMap<String, String> =
        schemas.keys().filter_map(|name| Some((name.clone(), public_name(name)?))).collect();
    let renamed = |name: &str| names.get(name).cloned();
    let mut all = Map::new();
    for (name, schema) in schemas {
        let public = renamed(name).unwrap_or_else(|| name.clone());
        assert!(all.insert(public.clone(), schema.clone()).is_none(), "two schemas are called {public}");
    }
    document["components"]["schemas"] = Value::Object(all);
    rename_references(document, &renamed);
}

/// The name of a type in the document, where it is not its own; that of its requests goes with it.
pub(super) fn public_name(name: &str) -> Option<String> {
    let base = name.strip_suffix("Input");
    let known =
        |name: &str| NAMES.iter().find(|(own, _)| *own == name).map(|(_, public)| (*public).to_owned());
    let of_list = |name: &str| match name.split_once('_')? {
        ("ItemPage", item) => Some(format!("{}Page", known(item).unwrap_or_else(|| item.to_owned()))),
        ("MeetingItems", item) => Some(format!("{}List", known(item).unwrap_or_else(|| item.to_owned()))),
        _ => None,
    };
    known(name).or_else(|| of_list(name)).or_else(|| known(base?).map(|public| format!("{public}Input")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_used() {
        let document = crate::openapi();
        for (own, public) in NAMES {
            let schemas = &document["components"]["schemas"];
            assert!(
                schemas.get(*own).is_none() && schemas.get(*public).is_some(),
                "{own} is called {public}"
            );
        }
    }

    #[test]
    fn pairs_refer_to_unions() {
        let union = json!({"oneOf": [{"type": "object", "properties": {"why": {"type": "string"}}}]});
        let mut document = json!({"components": {"schemas": {
            "Reason": union,
            "Queue": {"type": "array", "items": {"type": "array", "prefixItems": [{"type": "string"}, union]}},
        }}});
        refer_in_pairs(&mut document);
        let pair = &document["components"]["schemas"]["Queue"]["items"]["prefixItems"];
        assert_eq!(*pair, json!([{"type": "string"}, {"$ref": "#/components/schemas/Reason"}]));
    }

    #[test]
    fn a_pair_is_an_array_of_two() {
        let integer = json!({"type": "integer"});
        let mut pair = json!({"type": "array", "prefixItems": [integer, integer], "items": false});
        plain_arrays(&mut pair);
        assert_eq!(pair, json!({"type": "array", "items": integer, "minItems": 2, "maxItems": 2}));
        let mut document = crate::openapi();
        let complete = document.clone();
        plain_arrays(&mut document);
        assert_eq!(document, complete, "no tuple is left");
    }

    #[test]
    fn an_import_has_files_with_names() {
        let document = crate::openapi();
        let schemas = &document["components"]["schemas"];
        let files = &schemas["ImportRequest"]["properties"]["files"];
        assert_eq!((&files["minProperties"], &files["propertyNames"]["minLength"]), (&1.into(), &1.into()));
    }
}
