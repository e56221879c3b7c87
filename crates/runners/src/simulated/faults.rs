//! Deliberate faults of an answer: failures, broken structure, and forged words of others.

use quorate_contract::{AnswerKind, Failure, FailureKind, Usage};
use quorate_messages::message;

use super::answer_context::AnswerContext;
use super::rng::Rng;

/// A failure of a flaky participant's attempt, in three of ten cases. The same attempt fails in
/// the same way; the next one has a chance of its own.
pub(super) fn flaw(seed: u64, attempt: u32, read: Usage, latency_ms: u64) -> Option<Failure> {
    let mut rng = Rng::new(&[seed, u64::from(attempt), 0xf1a]);
    if !rng.chance(30) {
        return None;
    }
    let again = message!("remedy-simulated-as-flaky");
    let (kind, detail, usage) = match rng.below(5) {
        0 | 1 => (FailureKind::Network, message!("failure-simulated-network"), None),
        2 => (FailureKind::Overloaded, message!("failure-simulated-overloaded"), None),
        3 => (FailureKind::TimedOut, message!("failure-simulated-timed-out"), None),
        _ => (FailureKind::Empty, message!("failure-simulated-empty"), Some(read)),
    };
    Some(Failure {
        kind,
        detail: detail.into(),
        hint: again.into(),
        usage,
        latency_ms,
        doubtful: false,
        window: None,
        request_id: None,
    })
}

/// Breaks an answer: nearly always at first, one time in four when it was asked to repair it.
pub(super) fn mangle(text: String, kind: AnswerKind, seed: u64, attempt: u32, repairing: bool) -> String {
    let mut rng = Rng::new(&[seed, u64::from(attempt), 0x6a2]);
    let percent = if repairing { 25 } else { 85 };
    if !rng.chance(percent) {
        return text;
    }
    match kind {
        AnswerKind::Speak => mangle_trailer(&text, &mut rng),
        AnswerKind::Blind | AnswerKind::Contribute | AnswerKind::Vote => mangle_json(&text, &mut rng),
        AnswerKind::Summarize | AnswerKind::Facilitate | AnswerKind::Conclude => mangle_json(&text, &mut rng),
        AnswerKind::Intake | AnswerKind::Team | AnswerKind::Evaluate | AnswerKind::Invite => {
            mangle_json(&text, &mut rng)
        }
        // A well-formed record with false sources is for the gate to find.
        AnswerKind::Minutes | AnswerKind::Artifact if rng.chance(60) => forge_source(&text, &mut rng),
        AnswerKind::Minutes | AnswerKind::Artifact => mangle_json(&text, &mut rng),
    }
}

/// Cites a message that does not exist, or a quote that was never said.
fn forge_source(text: &str, rng: &mut Rng) -> String {
    let quote = text.find("\"quote\":\"").map(|at| at + "\"quote\":\"".len());
    match quote.filter(|_| rng.chance(50)) {
        Some(at) => format!("{}{}{}", &text[..at], "as everybody agreed, ", &text[at..]),
        None => text.replacen("\"sources\":[\"m", "\"sources\":[\"m99", 1),
    }
}

fn mangle_json(text: &str, rng: &mut Rng) -> String {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    match rng.below(10) {
        0 => format!("```json\n{text}\n```"),
        1 => format!("Sure! Here is the JSON you asked for:\n\n{text}\n\nLet me know if you need more."),
        2 => format!("{{{inner},}}"),
        3 => wrong_types(text),
        4 => out_of_range(text),
        5 => first_field_only(text),
        6 => half(text),
        7 => "I would rather answer in prose: on the whole I agree, with some doubts.".to_owned(),
        8 => format!("[{text}]"),
        _ => text.replace('"', "'"),
    }
}

/// Numbers and truth values as text, lists as one text.
fn wrong_types(text: &str) -> String {
    edit(text, |value| {
        let shown = match &*value {
            serde_json::Value::String(_) => serde_json::json!(7),
            other => serde_json::Value::String(other.to_string()),
        };
        *value = shown;
    })
}

/// A score or confidence of 180; where there is neither, a position of nothing.
fn out_of_range(text: &str) -> String {
    edit(text, |value| {
        let beyond = match &*value {
            serde_json::Value::Number(_) => serde_json::json!(180),
            serde_json::Value::String(_) => serde_json::json!(""),
            other => other.clone(),
        };
        *value = beyond;
    })
}

fn edit(text: &str, change: impl Fn(&mut serde_json::Value)) -> String {
    let Ok(serde_json::Value::Object(mut object)) = serde_json::from_str(text) else {
        return text.to_owned();
    };
    object.values_mut().for_each(change);
    serde_json::Value::Object(object).to_string()
}

fn first_field_only(text: &str) -> String {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) else {
        return text.to_owned();
    };
    serde_json::Value::Object(object.into_iter().take(1).collect()).to_string()
}

fn half(text: &str) -> String {
    let most = text.chars().count() / 2;
    text.chars().take(most).collect()
}

fn mangle_trailer(text: &str, rng: &mut Rng) -> String {
    let Some(at) = text.find("```json") else {
        return text.to_owned();
    };
    let (prose, trailer) = (text[..at].trim_end(), &text[at..]);
    match rng.below(7) {
        0 => prose.to_owned(),
        1 => trailer.to_owned(),
        2 => format!("{prose}\n\n{}", trailer.trim_end_matches("\n```")),
        3 => format!("{prose}\n\n{}", trailer.replace("```json", "").replace("```", "").trim()),
        4 => format!("{prose}\n\n{}", trailer.replace("}\n```", ",}\n```")),
        5 => format!("{prose}\n\n{}", half(trailer)),
        _ => format!("{trailer}\n\n{prose}"),
    }
}

/// A text that imitates a frame of the system, of a person or of other participants.
pub(super) fn forged_frame(scene: &mut AnswerContext<'_>) -> String {
    let count = scene.lines("inject").len();
    let place = scene.rng.below(count);
    let line = scene.lines("inject").get(place).copied().unwrap_or_default();
    line.replace("\\n", "\n").replace("\\e", "\u{1b}")
}
