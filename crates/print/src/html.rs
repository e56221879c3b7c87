//! One HTML page: the result, the record with its replay, and a check of its own checksums. It loads nothing
//! and runs only its own script, whose digest its policy names.

use std::collections::BTreeMap;
use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use quorate_contract::signature::{LogSignature, Sealing, UnsignedReason};
use quorate_contract::{Event, Language, Phrase, TimeDisplay};
use quorate_core::Meeting;
use quorate_messages::text;
use quorate_views::Viewer;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::exported_log::{ExportedEvent, bytes, kept, shorten};
use crate::marks::{marks, marks_of_event};
use crate::page_texts::page_words;
use crate::{Options, body, report};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// Each file says what it is for; together they are one script with a scope of its own.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("page/words.js"),
    include_str!("page/sha256.js"),
    include_str!("page/signature.js"),
    include_str!("page/markdown.js"),
    include_str!("page/record.js"),
    include_str!("page/replay.js"),
    include_str!("page/start.js"),
    "})();\n"
);

/// The type of the element that holds the data compressed.
pub const PACKED: &str = "application/vnd.quorate.deflate";

/// The data of the page.
#[derive(Serialize)]
struct Record<'a> {
    meeting: &'a str,
    topic: &'a str,
    language: Language,
    /// How times are shown.
    display: &'a TimeDisplay,
    simulated: bool,
    outcome: &'a str,
    /// The result, as Markdown.
    report: &'a str,
    /// The marks on the result below its first line.
    report_marks: Option<Value>,
    events: Vec<ExportedEvent>,
    /// The signature of the log.
    signature: Option<&'a LogSignature>,
    /// The reason why there is none, where that is known.
    unsigned: Option<UnsignedReason>,
    /// The marks on what was said: the place of the event, the JSON pointer to the text, and its marks.
    marks: Vec<(usize, String, Value)>,
    /// The phrases of events that are codes, as they stand in their lines, in the language of the page.
    phrases: BTreeMap<String, String>,
    /// The images, by the ids of their files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    images: &'a BTreeMap<String, String>,
    /// The whole texts of attached files, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    texts: &'a BTreeMap<String, String>,
    /// What the page itself says.
    words: BTreeMap<String, String>,
}

/// The page of a meeting. `log` is its complete log: each line as it is stored, with its event, in order from the
/// first.
pub fn html<'a>(
    meeting: &Meeting,
    log: impl IntoIterator<Item = (&'a str, &'a Event)>,
    options: &Options,
) -> String {
    let result = report(meeting, options);
    let plain = body(&result, options);
    let mut events = kept(meeting, log, Viewer::of_export(meeting, options.with_marks));
    if bytes(&events) >= COMPRESSED_FROM {
        shorten(&mut events);
    }
    let of_event = |(place, kept): (usize, &ExportedEvent)| {
        marks_of_event(&kept.event()).into_iter().map(move |(pointer, marks)| (place, pointer, marks))
    };
    let (signature, unsigned) = options.sealing.as_ref().map_or((None, None), Sealing::parts);
    let record = Record {
        meeting: meeting.id.as_str(),
        topic: &result.title,
        language: result.language,
        display: &meeting.settings.details.display,
        simulated: result.simulated,
        outcome: &result.headline,
        report: &plain,
        report_marks: plain.split_once('\n').and_then(|(_, below)| marks(below)),
        signature,
        unsigned,
        marks: events.iter().enumerate().flat_map(of_event).collect(),
        phrases: phrases(&events, result.language),
        images: &options.images,
        texts: &options.texts,
        words: page_words(result.language),
        events,
    };
    let (kind, record) = element(&record);
    let digest = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
    let images = if options.images.is_empty() { "" } else { " img-src data:;" };
    let policy = format!(
        "default-src 'none';{images} style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    );
    let title = format!("{} · {}", result.title, text!(result.language, "print-html-quorate"));
    fill(&[
        ("lang", result.language.pick("zh-CN", "en")),
        ("policy", &policy),
        ("version", env!("CARGO_PKG_VERSION")),
        ("title", &escaped(&title)),
        ("style", STYLE),
        ("plain", &escaped(&plain)),
        ("kind", kind),
        ("record", &record),
        ("script", SCRIPT),
    ])
}

/// What the codes in these events say, each by its JSON.
fn phrases(events: &[ExportedEvent], language: Language) -> BTreeMap<String, String> {
    fn walk(value: &Value, found: &mut impl FnMut(&Value)) {
        match value {
            Value::Object(fields) if fields.get("code").is_some_and(Value::is_string) => found(value),
            Value::Object(fields) => fields.values().for_each(|one| walk(one, found)),
            Value::Array(items) => items.iter().for_each(|one| walk(one, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut all = BTreeMap::new();
    for event in events {
        walk(&event.event()["payload"], &mut |value| {
            let Ok(phrase) = serde_json::from_value::<Phrase>(value.clone()) else { return };
            let line = serde_json::to_string(&phrase).expect("a phrase has only text keys");
            all.insert(line, phrase.in_language(language).into_owned());
        });
    }
    all
}

/// The page with its gaps filled, each once; what fills a gap is not looked through for further gaps.
fn fill(gaps: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("every gap of the page is closed");
        let (_, text) = gaps.iter().find(|(gap, _)| *gap == name).expect("every gap of the page is known");
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page + rest
}

/// A text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// From so many bytes on the data are compressed, and checksums shortened. Below, everybody can read them.
const COMPRESSED_FROM: usize = 1 << 20;

/// The type of the element that holds the data, and what stands in it: JSON, or where that is long, its bytes
/// compressed (`deflate`, RFC 1951) and in Base64.
fn element(record: &Record<'_>) -> (&'static str, String) {
    let json = serde_json::to_string(record).expect("a record has only text keys");
    if json.len() < COMPRESSED_FROM {
        return ("application/json", data(&json));
    }
    let mut packed = DeflateEncoder::new(Vec::with_capacity(json.len() / 4), Compression::default());
    let packed = packed.write_all(json.as_bytes()).and_then(|()| packed.finish());
    (PACKED, BASE64_STANDARD.encode(packed.expect("memory takes every byte")))
}

/// JSON that can neither end its element nor open a comment in it.
fn data(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(letter)))
            }
            other => safe.push(other),
        }
    }
    safe
}
