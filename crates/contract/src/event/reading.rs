//! Reads an event without keeping its payload in between: the envelope comes first in every line that is written here,
//! and with it the type, so the payload is read straight into its fields.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{CowStrDeserializer, MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;

use super::{ContractVersion, Event, EventBody};
use crate::actor::Actor;
use crate::ids::{MeetingId, RunId, Timestamp};

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(EventVisitor)
    }
}

/// The fields of a line.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Version,
    Seq,
    MeetingId,
    RunId,
    TsMs,
    Actor,
    Cause,
    Type,
    Payload,
    #[serde(other)]
    Unknown,
}

/// A time as it is written in an envelope.
#[derive(Deserialize)]
struct Milliseconds(#[serde(with = "crate::timestamp::milliseconds")] Timestamp);

struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        let mut version: Option<ContractVersion> = None;
        let mut seq: Option<u64> = None;
        let mut meeting_id: Option<MeetingId> = None;
        let mut run_id: Option<RunId> = None;
        let mut ts_ms: Option<Milliseconds> = None;
        let mut actor: Option<Actor> = None;
        let mut cause: Option<String> = None;
        let mut kind: Option<Cow<'de, str>> = None;
        let mut body: Option<EventBody> = None;
        // A payload that stands before its type, as other programs may write it.
        let mut early: Option<Value> = None;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Version => once(&mut version, "version", &mut map)?,
                Field::Seq => once(&mut seq, "seq", &mut map)?,
                Field::MeetingId => once(&mut meeting_id, "meeting_id", &mut map)?,
                Field::RunId => once(&mut run_id, "run_id", &mut map)?,
                Field::TsMs => once(&mut ts_ms, "ts_ms", &mut map)?,
                Field::Actor => once(&mut actor, "actor", &mut map)?,
                Field::Cause => once(&mut cause, "cause", &mut map)?,
                Field::Type => {
                    let Text(text) = map.next_value()?;
                    if kind.replace(text).is_some() {
                        return Err(Error::duplicate_field("type"));
                    }
                }
                Field::Payload if body.is_some() || early.is_some() => {
                    return Err(Error::duplicate_field("payload"));
                }
                Field::Payload => match &kind {
                    Some(kind) => {
                        let parts = Parts { kind: Some(kind), payload: &mut map, is_read: false };
                        body = Some(EventBody::deserialize(MapAccessDeserializer::new(parts))?);
                    }
                    None => early = Some(map.next_value()?),
                },
                Field::Unknown => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        let missing = |field| A::Error::missing_field(field);
        let version = version.ok_or_else(|| missing("version"))?;
        let seq = seq.ok_or_else(|| missing("seq"))?;
        let kind = kind.ok_or_else(|| missing("type"))?;
        let body = match (body, early) {
            (Some(body), _) => body,
            (None, Some(payload)) => {
                let parts = [("type", Value::from(kind)), ("payload", payload)];
                let whole: serde_json::Map<_, _> =
                    parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                EventBody::deserialize(Value::Object(whole)).map_err(Error::custom)?
            }
            // A type that has none, or an error that names it.
            (None, None) => {
                let only = [("type", kind)].into_iter();
                EventBody::deserialize(de::value::MapDeserializer::new(only))?
            }
        };
        Ok(Event {
            version,
            seq,
            meeting_id: meeting_id.ok_or_else(|| missing("meeting_id"))?,
            run_id: run_id.ok_or_else(|| missing("run_id"))?,
            ts_ms: ts_ms.ok_or_else(|| missing("ts_ms"))?.0,
            actor: actor.ok_or_else(|| missing("actor"))?,
            cause: cause.ok_or_else(|| missing("cause"))?,
            body,
        })
    }
}

/// A text that is borrowed where it can be.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    match field.replace(map.next_value()?) {
        Some(_) => Err(Error::duplicate_field(name)),
        None => Ok(()),
    }
}

/// The type, which has been read, and the payload, which comes next, as the two fields of a body.
struct Parts<'k, 'm, A> {
    kind: Option<&'k str>,
    payload: &'m mut A,
    is_read: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Parts<'_, '_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let name = match (self.kind, self.is_read) {
            (Some(_), _) => "type",
            (None, false) => "payload",
            (None, true) => return Ok(None),
        };
        let name: StrDeserializer<'_, A::Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.kind.take() {
            Some(kind) => seed.deserialize(CowStrDeserializer::new(Cow::Borrowed(kind))),
            None => {
                self.is_read = true;
                self.payload.next_value_seed(seed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::CONTRACT_VERSION;

    /// Lines with each kind of event.
    fn lines() -> impl Iterator<Item = String> {
        let actor = serde_json::to_string(&Actor::System).expect("an actor");
        let envelope = format!(
            "{{\"version\":{CONTRACT_VERSION},\"seq\":7,\"meeting_id\":\"m\",\"run_id\":\"r\",\"ts_ms\":12,\
             \"actor\":{actor},\"cause\":\"say\","
        );
        let bodies =
            include_str!("../../../../fixtures/events.jsonl").lines().filter(|line| !line.is_empty());
        bodies.map(move |body| body.replacen('{', &envelope, 1))
    }

    /// A line with its fields in another order.
    fn reordered(line: &str) -> String {
        let whole: serde_json::Map<String, Value> = serde_json::from_str(line).expect("an object");
        let fields =
            whole.iter().rev().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }

    #[test]
    fn the_order_of_the_fields_changes_nothing_and_unknown_ones_are_left_out() {
        let mut kinds = std::collections::BTreeSet::new();
        for line in lines() {
            let event = Event::from_json(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            kinds.insert(event.body.kind());
            assert_eq!(Event::from_json(&event.to_json()).as_ref(), Ok(&event));
            assert_eq!(Event::from_json(&reordered(&line)).as_ref(), Ok(&event));
            let more = line.replacen('{', "{\"another\":[1,{\"a\":2}],", 1);
            assert_eq!(Event::from_json(&more).as_ref(), Ok(&event));
        }
        assert!(kinds.len() > 40, "{kinds:?}");
    }

    #[test]
    fn a_field_that_is_missing_twice_there_or_of_another_type_is_refused_by_name() {
        let line = lines().find(|line| line.contains("\"meeting_started\"")).expect("a line");
        let whole: serde_json::Map<String, Value> = serde_json::from_str(&line).expect("an object");
        for name in whole.keys() {
            let mut less = whole.clone();
            less.remove(name);
            let refused = Event::from_json(&Value::Object(less).to_string()).expect_err(name).to_string();
            let is_told = refused.contains(name.as_str()) || name == "version";
            assert!(is_told, "{name}: {refused}");
            let twice = line.replacen('{', &format!("{{\"{name}\":{},", whole[name]), 1);
            let refused = Event::from_json(&twice).expect_err(name).to_string();
            assert!(refused.contains("duplicate field"), "{name}: {refused}");
        }
        for (name, wrong) in [("seq", "-1"), ("type", "\"nothing_known\""), ("payload", "[]"), ("actor", "7")]
        {
            let mut other = whole.clone();
            other.insert(name.to_owned(), serde_json::from_str(wrong).expect("a value"));
            assert!(Event::from_json(&Value::Object(other).to_string()).is_err(), "{name}");
        }
    }
}
