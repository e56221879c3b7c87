//! The diagnostic report of a meeting: the shape of its log and the versions, and none of its content.
//!
//! It is for whoever looks for a fault of the program and was not at the meeting. A text stays only when it is an id, or
//! one of the words that the contract has for a field; of any other there is its length. What a vote or a mark says is left out.

use std::collections::BTreeMap;

use quorate_contract::{MeetingId, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The number of events at the beginning of a long log that are shown one by one.
const FIRST: usize = 200;
/// The number of events at its end.
const LAST: usize = 800;

/// The fields whose texts are words of the contract or ids.
const WORDS: &[&str] = &[
    "after",
    "artifact_type",
    "asked_again",
    "asked_anew",
    "ballot",
    "budget",
    "builds_on",
    "by",
    "by_rules",
    "call",
    "change",
    "changed_by",
    "claim",
    "clause",
    "context_from",
    "covers",
    "decision",
    "ended",
    "ended_early",
    "failure",
    "file",
    "format",
    "holders",
    "idea",
    "kind",
    "language",
    "mended",
    "mentions",
    "message_id",
    "mode",
    "order",
    "outcome",
    "participant",
    "participants",
    "pause_reason",
    "permission",
    "presence",
    "reach",
    "reply_to",
    "restored",
    "role",
    "sources",
    "status",
    "suggested_next",
    "task",
    "temperament",
    "then",
    "turn",
    "type",
    "unsigned",
    "version",
    "voters",
    "wire",
    "writer",
];

/// The fields of which nothing but the size is shown: what was decided by whom, and what others than the program have named.
const HIDDEN: &[&str] = &[
    "answers",
    "arguments",
    "conclusion",
    "confidence",
    "content",
    "defaults",
    "marks",
    "memory",
    "pass",
    "passed",
    "score",
    "seed",
    "verdict",
];

/// The longest word of the contract, in bytes.
const LONGEST_WORD: usize = 40;

/// The shape of a meeting's log, for a report of a fault.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DiagnosticReport {
    /// The id of the meeting.
    pub meeting: MeetingId,
    /// What wrote and reads the meeting.
    pub versions: DiagnosticVersions,
    /// Why the meeting is quarantined; `null` when it is not.
    pub fault: Option<DiagnosticFault>,
    /// The sequence number of the first unreadable event; `null` when all can be read.
    pub damaged_at_seq: Option<u64>,
    /// The number of readable events.
    pub event_count: u64,
    /// Their size, in bytes.
    pub bytes: u64,
    /// The number of events of each type.
    pub types: BTreeMap<String, u64>,
    /// The events in their order: the first 200 and the last 800 of a long log.
    pub events: Vec<DiagnosticEvent>,
}

/// The versions that a report of a fault needs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DiagnosticVersions {
    /// The version of Quorate.
    pub quorate: &'static str,
    /// The version of the contract of events.
    pub contract: u32,
    /// The version of stored states.
    pub state_format: &'static str,
    /// The operating system: `linux`.
    pub system: &'static str,
    /// The processor: `x86_64`.
    pub processor: &'static str,
}

/// Why a meeting is quarantined, without what quotes it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DiagnosticFault {
    /// The kind of failure: `panicked`, `invariant`, `too_long`, `damaged`, `contended` or `storage`.
    pub kind: &'static str,
    /// The number of failures until then.
    pub failures: u32,
    /// When the meeting stopped running.
    pub failed_at: Timestamp,
    /// The code of the description.
    pub code: String,
    /// The invariant that the next event would have broken: `turn_ends_once`. Absent for other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariant: Option<String>,
    /// The number and type of that event. Absent for other kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

/// One event without its content.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DiagnosticEvent {
    /// The sequence number.
    pub seq: u64,
    /// The type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What brought it about: `deliver`, `tick`.
    pub cause: String,
    /// The kind of its actor.
    pub actor: String,
    /// The time since the event before it, in milliseconds.
    pub after_ms: i64,
    /// The size of its line, in bytes.
    pub bytes: u64,
    /// Its fields: numbers and words of the contract, and for each text its length, such as `"(12)"`.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub payload: Value,
}

impl DiagnosticReport {
    /// Of the lines of a log as they are stored, in their order.
    pub fn of<'a>(
        meeting: MeetingId,
        lines: impl Iterator<Item = &'a str>,
        damaged_at_seq: Option<u64>,
        fault: Option<DiagnosticFault>,
        versions: DiagnosticVersions,
    ) -> Self {
        let (mut types, mut events, mut bytes, mut count) = (BTreeMap::new(), Vec::new(), 0, 0);
        let mut before = None;
        for line in lines {
            let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
            let size = line.len() as u64;
            (count, bytes) = (count + 1, bytes + size);
            *types.entry(word(&event["type"])).or_default() += 1;
            let at = event["ts_ms"].as_i64().unwrap_or_default();
            let after_ms = before.replace(at).map_or(0, |before| at - before);
            // The last ones push out those before them, and the first ones stay.
            if events.len() == FIRST + LAST {
                events.remove(FIRST);
            }
            events.push(DiagnosticEvent {
                seq: event["seq"].as_u64().unwrap_or_default(),
                kind: word(&event["type"]),
                cause: word(&event["cause"]),
                actor: word(&event["actor"]["kind"]),
                after_ms,
                bytes: size,
                payload: shape("payload", &event["payload"]),
            });
        }
        Self { meeting, versions, fault, damaged_at_seq, event_count: count, bytes, types, events }
    }
}

/// A word of the contract; empty where there is none.
fn word(value: &Value) -> String {
    value.as_str().filter(|text| is_word(text)).unwrap_or_default().to_owned()
}

/// A value of a field without its content.
fn shape(field: &str, value: &Value) -> Value {
    if HIDDEN.contains(&field) {
        return json!(format!("({})", value.to_string().len()));
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) if is_id(text) || WORDS.contains(&field) && is_word(text) => value.clone(),
        Value::String(text) => json!(format!("({})", text.chars().count())),
        Value::Array(items) => items.iter().map(|item| shape(field, item)).collect(),
        Value::Object(fields) => {
            // A name that is none of the contract is content, too.
            let named = |name: &str| if is_word(name) { name.to_owned() } else { "?".to_owned() };
            let shaped = fields.iter().map(|(name, value)| (named(name), shape(name, value)));
            Value::Object(shaped.collect::<Map<_, _>>())
        }
    }
}

/// Whether a text is written as words of the contract are: `budget_limit`, `speak:r1t1`, `zh-CN`.
fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_:#.-".contains(&byte);
    (1..=LONGEST_WORD).contains(&text.len()) && text.bytes().all(fits)
}

/// Whether a text is an id that the program gives: `p2`, `r1t3`, `m40`, `v1.2`.
fn is_id(text: &str) -> bool {
    let mut rest = text;
    let mut parts = 0;
    while let Some(after) = rest.strip_prefix(|first: char| first.is_ascii_lowercase()) {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 9 {
            return false;
        }
        (rest, parts) = (&after[digits..], parts + 1);
    }
    rest.is_empty() && (1..=2).contains(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "Secret plan 7";

    /// Puts the canary in the place of each text that is none of the contract's words, under the names that are not either.
    fn with_canaries(field: &str, value: &mut Value, is_free: bool) {
        let is_free = is_free || ["content", "arguments", "answers", "defaults"].contains(&field);
        match value {
            Value::String(text) if is_free || !(is_id(text) || WORDS.contains(&field)) => {
                *text = CANARY.to_owned();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| with_canaries(field, item, is_free)),
            Value::Object(fields) => {
                fields.iter_mut().for_each(|(name, value)| with_canaries(name, value, is_free));
                if is_free {
                    fields.insert(CANARY.to_owned(), json!(1));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn report(lines: &[String]) -> DiagnosticReport {
        let versions =
            DiagnosticVersions { quorate: "1", contract: 1, state_format: "1", system: "s", processor: "p" };
        DiagnosticReport::of(MeetingId::new("m"), lines.iter().map(String::as_str), None, None, versions)
    }

    #[test]
    fn no_event_of_any_type_leaves_a_text_in_the_report() {
        let fixtures = include_str!("../../../fixtures/events.jsonl");
        let mut lines = Vec::new();
        for line in fixtures.lines().filter(|line| !line.trim().is_empty()) {
            let mut event: Value = serde_json::from_str(line).expect("a fixture is JSON");
            with_canaries("payload", &mut event["payload"], false);
            lines.push(event.to_string());
        }
        assert!(lines.len() > 60, "{}", lines.len());
        let hidden = lines.iter().filter(|line| line.contains(CANARY)).count();
        assert!(hidden > 40, "{hidden}");
        let report = report(&lines);
        assert_eq!(report.event_count, lines.len() as u64);
        let told = serde_json::to_string(&report).expect("a report has only text keys");
        assert!(!told.contains(CANARY), "{told}");
    }

    #[test]
    fn what_somebody_voted_is_left_out_and_who_and_when_stay() {
        let line = r#"{"version":5,"seq":9,"meeting_id":"m","run_id":"r","ts_ms":5,"actor":{"kind":"participant","id":"p1"},"cause":"deliver","type":"vote_cast","payload":{"ballot":"b1","participant":"p1","vote":{"score":80,"pass":true,"reason":"too dear","missing":[]}}}"#;
        let report = report(&[line.to_owned()]);
        let event = &report.events[0];
        assert_eq!((event.seq, event.kind.as_str(), event.actor.as_str()), (9, "vote_cast", "participant"));
        assert_eq!(
            event.payload,
            json!({"ballot": "b1", "participant": "p1", "vote": {"score": "(2)", "pass": "(4)", "reason": "(8)", "missing": []}})
        );
    }

    #[test]
    fn of_a_long_log_the_ends_are_shown_and_all_is_counted() {
        let lines: Vec<String> = (1..=1_500)
            .map(|seq| format!(r#"{{"seq":{seq},"ts_ms":{seq},"type":"recovered","payload":{{}}}}"#))
            .collect();
        let report = report(&lines);
        assert_eq!(
            (report.event_count, report.types["recovered"], report.events.len()),
            (1_500, 1_500, 1_000)
        );
        let seqs: Vec<u64> = report.events.iter().map(|event| event.seq).collect();
        assert_eq!((seqs[0], seqs[199], seqs[200], seqs[999]), (1, 200, 701, 1_500));
        assert_eq!(report.events[5].after_ms, 1);
    }
}
