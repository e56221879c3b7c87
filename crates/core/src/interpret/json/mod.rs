//! Finds the JSON object in what a model wrote around it.

mod lenient;

use std::collections::BTreeSet;
use std::ops::Range;

use quorate_contract::AnswerRepair;
use serde_json::{Map, Value};

use self::lenient::{Cut, ParsedObject};

/// The allowed work for a text, in steps per byte; a text that needs more is garbage.
const WORK_PER_BYTE: usize = 16;

/// The allowed work for a short text.
const WORK_LEAST: usize = 10_000;

/// The fields that identify an object: all the fields of one of these.
pub(super) type Marks<'a> = &'a [&'a [&'a str]];

/// An object in a text.
pub(super) struct FoundObject {
    pub(super) object: Map<String, Value>,
    /// Its position, in bytes.
    pub(super) span: Range<usize>,
    /// Repairs that were needed before it could be read.
    pub(super) mended: Vec<AnswerRepair>,
}

/// The last object with the marks, or the last one when none has them: fenced, with prose or thinking
/// around it, in a wrapper, with the slips that models make.
///
/// Nothing is guessed. An object whose end is missing is only taken when nothing of it was lost, or
/// when it has the marks all the same; and not an earlier one in its place, for that may be an example.
pub(super) fn find(text: &str, marks: Marks<'_>, cut_off: bool) -> Option<FoundObject> {
    if let Ok(Value::Object(object)) = serde_json::from_str(text)
        && has_marks(&object, marks)
    {
        return Some(FoundObject { object, span: 0..text.len(), mended: Vec::new() });
    }
    let from = behind_thinking(text);
    let candidates = candidates(text, from, marks, cut_off)?;
    let fitting = |candidate: &&Candidate| candidate.fits;
    let several = candidates.iter().filter(fitting).count() > 1;
    let place =
        candidates.iter().rposition(|candidate| candidate.fits).or(candidates.len().checked_sub(1))?;
    let Candidate { read, span, wrapped, .. } = candidates.into_iter().nth(place)?;
    let around = text[from..span.start].trim().is_empty() && text[span.end..].trim().is_empty();
    let mended = [
        (AnswerRepair::Surroundings, wrapped || !around),
        (AnswerRepair::Thinking, from > 0),
        (AnswerRepair::SeveralObjects, several),
        (AnswerRepair::Syntax, read.mended),
    ];
    let mended = mended.into_iter().filter(|(_, done)| *done).map(|(mend, _)| mend).collect();
    Some(FoundObject { object: read.object, span, mended })
}

/// The last complete object with one of these marks, whatever stands around it.
pub(super) fn last(text: &str, marks: Marks<'_>) -> Option<FoundObject> {
    let candidates = candidates(text, 0, marks, true)?;
    let fits = |one: &Candidate| one.fits && !one.wrapped && one.read.cut == Cut::No;
    let Candidate { read, span, .. } = candidates.into_iter().rfind(fits)?;
    let mended = if read.mended { vec![AnswerRepair::Syntax] } else { Vec::new() };
    Some(FoundObject { object: read.object, span, mended })
}

struct Candidate {
    read: ParsedObject,
    span: Range<usize>,
    fits: bool,
    /// Whether it was the only value in another object.
    wrapped: bool,
}

/// All objects from a place on; `None` when the last of what has our marks cannot be read safely.
fn candidates(text: &str, from: usize, marks: Marks<'_>, cut_off: bool) -> Option<Vec<Candidate>> {
    let mut fuel = (text.len() * WORK_PER_BYTE).max(WORK_LEAST);
    let (mut found, mut broken) = (Vec::new(), false);
    let mut at = from;
    // Where objects begin that are known to lead nowhere.
    let mut hopeless: BTreeSet<usize> = BTreeSet::new();
    while let Some(ahead) = text[at..].find('{') {
        let start = at + ahead;
        let attempt = match hopeless.remove(&start) {
            true => Err(Vec::new()),
            false => lenient::object(text, start, cut_off, &mut fuel),
        };
        let mut read = match attempt {
            Ok(read) => read,
            Err(open) => {
                hopeless.extend(open.into_iter().filter(|other| *other > start));
                broken |= begins_with_mark(&text[start + 1..], marks);
                if fuel == 0 {
                    return None;
                }
                at = start + 1;
                continue;
            }
        };
        at = read.end;
        let (mut fits, mut wrapped) = (has_marks(&read.object, marks), false);
        if !fits && let Some(inner) = unwrapped(&read.object, marks) {
            (read.object, fits, wrapped) = (inner, true, true);
        }
        let is_whole = read.cut == Cut::No || (read.cut == Cut::AfterValue && !cut_off);
        if fits || is_whole {
            broken &= !fits;
            found.push(Candidate { span: start..read.end, fits, wrapped, read });
        } else {
            broken |= has_any_mark(&read.object, marks) || begins_with_mark(&text[start + 1..], marks);
        }
    }
    (!broken).then_some(found)
}

fn has_marks(object: &Map<String, Value>, marks: Marks<'_>) -> bool {
    marks.iter().any(|fields| fields.iter().all(|field| object.contains_key(*field)))
}

fn has_any_mark(object: &Map<String, Value>, marks: Marks<'_>) -> bool {
    marks.iter().flat_map(|fields| fields.iter()).any(|field| object.contains_key(*field))
}

/// Whether the first key of an unreadable object is one of ours.
fn begins_with_mark(members: &str, marks: Marks<'_>) -> bool {
    let quotes = ['"', '\'', '“', '”', '＂', '‘', '’'];
    let rest = members.trim_start_matches(|c: char| c.is_whitespace() || quotes.contains(&c));
    let mut fields = marks.iter().flat_map(|fields| fields.iter());
    fields.any(|field| {
        let after = rest.strip_prefix(field).map(|after| after.trim_start_matches(quotes).trim_start());
        after.is_some_and(|after| after.is_empty() || after.starts_with([':', '：']))
    })
}

/// The only thing that an object holds, when that has our marks: `{"vote": {…}}`, `{"answer": [{…}]}`.
fn unwrapped(object: &Map<String, Value>, marks: Marks<'_>) -> Option<Map<String, Value>> {
    let mut values = object.values();
    let (Some(only), None) = (values.next(), values.next()) else { return None };
    let inner = match only {
        Value::Array(items) if items.len() == 1 => items[0].as_object()?,
        other => other.as_object()?,
    };
    has_marks(inner, marks).then(|| inner.clone())
}

/// The end of reasoning that a server left in the answer, in bytes: behind its last closing tag, or behind an
/// opening one that was never closed.
fn behind_thinking(text: &str) -> usize {
    let tags = ["think>", "thinking>", "thought>"];
    let lower = text.to_ascii_lowercase();
    let behind = |open: &str| {
        let last = |tag: &&str| lower.rfind(&format!("{open}{tag}")).map(|at| at + open.len() + tag.len());
        tags.iter().filter_map(last).max()
    };
    let opened = behind("<").filter(|_| lower.trim_start().starts_with('<'));
    behind("</").or(opened).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORE: Marks<'static> = &[&["score"]];

    fn score(text: &str) -> Option<i64> {
        find(text, SCORE, false)?.object.get("score")?.as_i64()
    }

    #[test]
    fn an_object_is_found_in_what_models_write_around_it() {
        assert_eq!(score("{\"score\": 70}"), Some(70));
        assert_eq!(score("Sure!\n```json\n{\"score\": 71,}\n```\nHope this helps {smile}"), Some(71));
        assert_eq!(score("{\"a\": \"}{\\\"\", \"score\": 72}"), Some(72));
        assert_eq!(score("first {\"score\": 1} then {\"score\": 73}"), Some(73));
        assert_eq!(score("{\"reason\": \"two\nlines\", \"score\": 74}"), Some(74));
        assert_eq!(score("{\"answer\": [{\"score\": 76}]}"), Some(76));
        assert_eq!(score("{\"answers\": [{\"score\": 76}, {\"score\": 77}]}"), None);
        assert_eq!(score("{\"score\": 75"), None);
        assert_eq!(score("{{{{"), None);
    }

    #[test]
    fn a_hundred_thousand_brackets_are_no_trouble() {
        for text in ["{", "[", "{[", "{\"a\":", "{\"a\":[", "{a:{", "{\"score\":\"", "{/*", "{'"] {
            assert_eq!(score(&text.repeat(100_000)), None, "{text}");
        }
        assert_eq!(score(&("{\"a\":".repeat(50_000) + &"}".repeat(50_000))), None);
        assert_eq!(score(&("[".repeat(100_000) + "{\"score\": 5}")), Some(5));
    }

    #[test]
    fn an_object_that_leads_nowhere_is_not_begun_again_from_within() {
        // Below the deepest level each opening bracket once began an attempt of its own.
        let deep = "{\"a\":".repeat(1000);
        let mut fuel = deep.len() * 4;
        let candidates = |text: &str, fuel: &mut usize| {
            let (mut at, mut hopeless, mut attempts) = (0, BTreeSet::new(), 0);
            while let Some(ahead) = text[at..].find('{') {
                let start = at + ahead;
                at = start + 1;
                if !hopeless.remove(&start)
                    && let Err(open) = lenient::object(text, start, false, fuel)
                {
                    attempts += 1;
                    hopeless.extend(open);
                    hopeless.remove(&start);
                }
            }
            attempts
        };
        assert!(candidates(&deep, &mut fuel) <= 1000 / 40, "one attempt for each 48 levels");
        assert!(fuel > 0, "each byte is read about once");
        // A complete object after or within an unreadable one is still found.
        assert_eq!(score(&format!("{}{{\"score\": 6}}", "{\"a\":".repeat(30) + "! ")), Some(6));
        assert_eq!(score("{\"a\": {\"score\": 7} ! and so on"), Some(7));
    }
}
