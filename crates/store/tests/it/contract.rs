//! Events of other versions of the contract: read as the present one writes them, or refused by name.
//!
//! `fixtures/contract` holds one meeting as each version wrote it. Lines of versions that are past are never edited; that of
//! the present one is written by `QUORATE_BLESS=1` where it is not there yet.

use std::path::{Path, PathBuf};

use quorate_contract::{CONTRACT_VERSION, Event, MeetingId, Rules, RunId, chain};
use quorate_core::{Meeting, apply};
use quorate_engine::{Journal, Record};
use quorate_store::{Store, StoreError};
use serde_json::{Value, json};

use crate::fixtures::{Place, id, location, talk_on};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// The golden log of a version, each line with its newline taken off.
fn golden(version: u32) -> Vec<String> {
    let path = fixtures().join(format!("contract/v{version}.jsonl"));
    if version == CONTRACT_VERSION && !path.exists() && std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::copy(fixtures().join("meetings/zh/faults-663.jsonl"), &path).expect("it can be written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; each version of the contract has its golden log (docs/events.md)",
            path.display()
        )
    });
    text.lines().map(str::to_owned).collect()
}

/// The golden log of a version with the number of the present one: what it says must be said by what is read of it.
/// Version 1 calls two fields otherwise than version 2 does, which holds the same meeting.
fn renumbered(version: u32) -> Vec<String> {
    let same_as = version.max(2);
    let (written, present) =
        (format!("{{\"version\":{same_as},"), format!("{{\"version\":{CONTRACT_VERSION},"));
    let lines = golden(same_as);
    let lines = lines.iter().map(|line| line.replacen(&written, &present, 1));
    match same_as {
        4.. => lines.collect(),
        _ => lines.map(|line| with_phrases(&line)).collect(),
    }
}

/// The texts that are phrases since version 4, by the type of their event; `*` is each entry of a list.
const PHRASES: &[(&str, &[&str])] = &[
    ("call_retried", &["detail"]),
    ("turn_failed", &["detail", "hint"]),
    ("vote_abstained", &["detail", "hint"]),
    ("provider_wait_started", &["detail", "hint"]),
    ("error", &["detail", "hint"]),
    ("answer_malformed", &["problem"]),
    ("participant_joined", &["reason"]),
    ("participant_left", &["reason"]),
    ("intake_written", &["questions/*/ask", "questions/*/why"]),
    ("pause", &["questions/*/ask", "questions/*/why"]),
    ("team_proposed", &["candidates/*/reason", "departures/*/reason"]),
    ("evaluation_written", &["marks/*/reason"]),
    ("conclusion_written", &["best/*/why", "wildcard/why"]),
];

/// A line of an older version with its texts as the present one writes what somebody wrote.
fn with_phrases(line: &str) -> String {
    fn change(value: &mut Value, path: &[&str]) {
        match path {
            [] => *value = json!({ "text": value.take() }),
            ["*", rest @ ..] => {
                value.as_array_mut().into_iter().flatten().for_each(|one| change(one, rest));
            }
            [field, rest @ ..] => {
                if let Some(inner) = value.get_mut(field) {
                    change(inner, rest);
                }
            }
        }
    }
    let mut event: Value = serde_json::from_str(line).expect("JSON");
    let kind = event["type"].as_str().expect("a type").to_owned();
    let Some((_, paths)) = PHRASES.iter().find(|(known, _)| *known == kind) else { return line.to_owned() };
    for path in *paths {
        change(&mut event["payload"], &path.split('/').collect::<Vec<_>>());
    }
    serde_json::from_value::<Event>(event).expect("an event").to_json()
}

/// What is read of a line says all that the line says. Before version 5, who left or went offline also says that it left
/// the queue, and the facilitator has no name; before version 4, the end of a call also says what it meant.
fn assert_says(version: u32, read: &str, line: &str) {
    if version == CONTRACT_VERSION {
        return assert_eq!(read, line, "version {version}");
    }
    let mut read: Value = serde_json::from_str(read).expect("JSON");
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    let leaves = match line["type"].as_str() {
        Some("participant_left") => true,
        Some("presence_changed") => line["payload"]["presence"] == "offline",
        _ => false,
    };
    let payload = read["payload"].as_object_mut().expect("a payload");
    assert_eq!(payload.remove("leaves_queue"), leaves.then(|| true.into()), "version {version}: {line}");
    if line["type"] == "facilitation_written" {
        line["payload"]["message"]["name"] = "".into();
    }
    if read["type"] == "call_ended" && version < 4 {
        let payload = read["payload"].as_object_mut().expect("a payload");
        let reach = payload.remove("reach");
        let (lost, shares) = (payload.remove("counts_as_repetition"), payload.remove("shares_time"));
        assert_eq!(lost.is_some(), payload["ended"] == "lost", "version {version}: {line}");
        let then = payload.get("then").and_then(Value::as_str);
        assert_eq!(shares.is_some(), matches!(then, Some("again" | "shorter")), "version {version}: {line}");
        let said_nothing = matches!(payload["ended"].as_str(), Some("cancelled" | "lost"));
        let kind = payload.get("kind").and_then(Value::as_str);
        let not_asked = matches!(kind, Some("timed_out" | "left" | "budget" | "not_configured"));
        assert_eq!(reach.is_none(), said_nothing || not_asked, "version {version}: {line}");
    }
    without_later_rules(&mut read, &line);
    assert_eq!(read, line, "version {version}");
}

/// Takes away the rules that came later; they have their defaults.
fn without_later_rules(read: &mut Value, line: &Value) {
    let defaults = serde_json::to_value(Rules::default()).expect("JSON");
    let Some(Value::Object(limits)) = read["payload"].pointer_mut("/rules/limits") else { return };
    let said = &line["payload"]["rules"]["limits"];
    limits.retain(|name, value| {
        let is_later = said.get(name).is_none();
        assert!(!is_later || *value == defaults["limits"][name], "{name} is {value}");
        !is_later
    });
}

/// A database whose one meeting has these lines, byte for byte, as the version that wrote them left it.
async fn as_written(place: &Place, lines: &[String], present: &[String]) -> MeetingId {
    let meeting = Event::from_json(&present[0]).expect("an event").meeting_id;
    let store = place.open();
    let records = present.iter().map(|line| Record::of(Event::from_json(line).expect("an event")));
    store.append(meeting.clone(), 0, records.collect()).await.expect("written");
    drop(store);
    rewrite(place, &meeting, lines);
    meeting
}

/// Bytes as the database writes them in a statement.
fn bytes(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    match quorate_test_database::is_on_server() {
        true => format!("'\\x{digits}'"),
        false => format!("x'{digits}'"),
    }
}

/// Puts these lines in the place of those of the one meeting, with their checksums.
fn rewrite(place: &Place, meeting: &MeetingId, lines: &[String]) {
    let mut hash = chain::beginning(meeting);
    let mut sql = String::new();
    for (line, seq) in lines.iter().zip(1u32..) {
        hash = chain::next(&hash, line.as_bytes());
        let line = line.replace('\'', "''");
        sql.push_str(&format!(
            "UPDATE event SET line = '{line}', hash = {} WHERE seq = {seq};\n",
            bytes(&hash)
        ));
    }
    sql.push_str(&format!("UPDATE meeting SET last_hash = {};", bytes(&hash)));
    place.execute(&sql);
}

fn state<'a>(events: impl IntoIterator<Item = &'a Event>) -> String {
    let mut meeting = Meeting::blank(MeetingId::new("meeting"), RunId::new("run"));
    events.into_iter().for_each(|event| apply(&mut meeting, event));
    meeting.state_hash()
}

#[tokio::test]
async fn a_log_of_each_version_opens_verifies_and_says_what_the_present_one_says() {
    for version in 1..=CONTRACT_VERSION {
        let (written, present) = (golden(version), renumbered(version));
        assert!(written[0].starts_with(&format!("{{\"version\":{version},")), "{}", written[0]);
        let place = Place::new();
        let meeting = as_written(&place, &written, &present).await;
        let mut folded = 0u64;
        let report =
            quorate_store::verify(location(&place.db()), |_| {}, |_| folded += 1).expect("a database");
        assert!(report.is_clean(), "version {version}: {:?}", report.problems);
        assert_eq!(folded, written.len() as u64, "version {version}");

        let store = place.open();
        let read: Vec<String> =
            store.lines(&meeting, 0).await.expect("its lines").into_iter().map(|(_, line)| line).collect();
        for (read, present) in read.iter().zip(&present) {
            assert_says(version, read, present);
        }
        assert_eq!(read.len(), present.len());
        let events = store.read(meeting.clone(), 0).await.expect("its events");
        let now: Vec<Event> = read.iter().map(|line| Event::from_json(line).expect("an event")).collect();
        assert_eq!(state(events.iter().map(|record| &*record.event)), state(&now), "version {version}");
        let stored = place.texts("SELECT line FROM event ORDER BY seq");
        assert_eq!(stored, written, "what is stored stays as it was written");
    }
}

#[test]
fn the_golden_logs_hold_texts_that_became_phrases() {
    let (old, now) = (golden(3), renumbered(3));
    let phrase = r#"{"text":""#;
    let changed = old.iter().zip(&now).filter(|(old, now)| now.contains(phrase) && !old.contains(phrase));
    assert!(changed.count() > 5, "otherwise the step from 3 to 4 is not seen at work");
}

#[tokio::test]
async fn a_database_from_before_versions_and_one_from_a_newer_quorate_are_refused_by_name() {
    for newer in [false, true] {
        let place = Place::new();
        let store = place.open();
        let meeting = id("m-1");
        talk_on(&store, &meeting, 0, 2).await.unwrap();
        let lines = store.lines(&meeting, 0).await.unwrap();
        drop(store);
        let version = format!("{{\"version\":{CONTRACT_VERSION},");
        let other = if newer { "{\"version\":99," } else { "{" };
        let lines: Vec<String> =
            lines.into_iter().map(|(_, line)| line.replacen(&version, other, 1)).collect();
        rewrite(&place, &meeting, &lines);
        let before = std::fs::read(place.db()).ok();
        for refused in [
            Store::open(location(&place.db())).unwrap_err(),
            Store::open_read_only(location(&place.db())).unwrap_err(),
        ] {
            let (told, hint) = (refused.to_string(), refused.hint());
            match &refused {
                StoreError::NewerContract { found: 99, .. } if newer => {
                    assert!(told.contains("version 99") && hint.contains("upgrade"), "{told}: {hint}");
                }
                StoreError::BeforeContract { .. } if !newer => {
                    assert!(
                        told.contains("older than the first version") && hint.contains("export"),
                        "{told}: {hint}"
                    );
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!(std::fs::read(place.db()).ok(), before, "nothing was changed in it");
    }
}
