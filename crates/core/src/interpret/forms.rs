//! Reads each kind of answer into its form. `Err` says in a sentence what is wrong, for the
//! model that is asked again and for the people who look at the record.

use quorate_contract::{
    ActionItem, AnswerRepair, ClaimId, ClaimKind, ConclusionForm, Disagreement, DisagreementSide,
    FacilitationForm, IdeaPick, MessageId, Participant, ParticipantId, PrivateMemory, SpokenAnswer,
    StopReason, SummaryForm, SummaryPosition, Vote, clean, folded, shorten,
};
use quorate_messages::{Message, message};
use serde_json::{Map, Value};

use super::json;
use super::response::ParsedResponse;
use crate::state::Meeting;

const NOTE_MAX_CHARS: usize = 200;
const NOTES_MAX: usize = 6;
/// The most messages that a line may rest on.
const SOURCES_MAX: usize = 20;

/// The result of a participant's turn.
pub(super) enum TurnContent {
    Said(Box<SpokenAnswer>),
    Pass,
}

/// A first answer: JSON.
pub(super) fn blind(heard: &ParsedResponse<'_>) -> Result<TurnContent, Message> {
    let object = heard.object(&[&["position", "claims"]])?;
    let position = required(&object, "position")?;
    let claims = strings(&object, "claims");
    let would_change_my_mind = string(&object, "would_change_my_mind");
    let facts = strings(&object, "unshared_facts");
    Ok(TurnContent::Said(Box::new(SpokenAnswer {
        content: String::new(), // the table writes it down, with the claims' numbers
        position: Some(position),
        confidence: points(&object, "confidence"),
        would_change_my_mind,
        changed_by: None,
        claims,
        facts,
        ..SpokenAnswer::default()
    })))
}

/// Reads a structured turn.
pub(super) fn contribution(heard: &ParsedResponse<'_>, can_skip: bool) -> Result<TurnContent, Message> {
    if passes(heard.text) && can_skip {
        return Ok(TurnContent::Pass);
    }
    let object = heard.object(&[&["statement", "recommendation"], &["pass"]])?;
    if can_skip && object.get("pass").and_then(truth) == Some(true) {
        return Ok(TurnContent::Pass);
    }
    let statement = required(&object, "statement")?;
    let recommendation = required(&object, "recommendation")?;
    let said = SpokenAnswer { content: statement, position: Some(recommendation), ..trailer_of(&object) };
    Ok(TurnContent::Said(Box::new(said)))
}

/// The structured part of an answer, beside the text.
fn trailer_of(object: &Map<String, Value>) -> SpokenAnswer {
    let ideas = object.get("ideas").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ideas = ideas.iter().filter_map(|idea| {
        let text = clean(text_of(idea)?);
        let builds_on = idea.as_object().map(|idea| strings(idea, "builds_on")).unwrap_or_default();
        (!text.is_empty()).then(|| (text, builds_on.iter().filter_map(|id| claim_id(id)).collect()))
    });
    SpokenAnswer {
        confidence: points(object, "confidence"),
        would_change_my_mind: string(object, "would_change_my_mind"),
        changed_by: string(object, "changed_by").as_deref().and_then(claim_id),
        claims: strings(object, "claims"),
        facts: strings(object, "unshared_facts"),
        ideas: ideas.collect(),
        risks: strings(object, "risks"),
        open_questions: strings(object, "open_questions"),
        memory: object.get("memory").and_then(Value::as_object).map(memory),
        agenda_done: strings(object, "agenda_done").iter().filter_map(|id| id.parse().ok()).collect(),
        ..SpokenAnswer::default()
    }
}

fn claim_id(text: &str) -> Option<ClaimId> {
    text.trim_matches(['[', ']', ' ']).parse().ok()
}

fn memory(object: &Map<String, Value>) -> PrivateMemory {
    let notes = |key: &str| -> Vec<String> {
        strings(object, key).iter().map(|note| shorten(note, NOTE_MAX_CHARS)).take(NOTES_MAX).collect()
    };
    PrivateMemory {
        assumptions: notes("assumptions"),
        to_verify: notes("to_verify"),
        preferences: notes("preferences"),
        risks: notes("risks"),
        notes: notes("notes"),
    }
}

/// A turn in a discussion: prose, and a trailer that may be missing.
pub(super) fn prose(heard: &ParsedResponse<'_>, can_skip: bool) -> Result<TurnContent, Message> {
    if passes(heard.text) {
        return if can_skip { Ok(TurnContent::Pass) } else { Err(message!("answer-cannot-skip")) };
    }
    let (content, trailer) = without_trailer(heard);
    let position = string(&trailer, "position");
    let content = match (content.is_empty(), &position) {
        (false, _) => content,
        (true, Some(position)) => position.clone(),
        (true, None) => return Err(message!("answer-no-words")),
    };
    let ended_early = Some(heard.stop).filter(|stop| *stop != StopReason::Stop);
    Ok(TurnContent::Said(Box::new(SpokenAnswer { content, position, ended_early, ..trailer_of(&trailer) })))
}

/// Whether a text skips the turn, in the words of either language: models do not keep to that of the meeting.
fn passes(text: &str) -> bool {
    let bare = text.trim_matches(['[', ']', '【', '】', '.', '。', ' ', '\n', '`', '*']);
    bare.eq_ignore_ascii_case("skip") || bare.eq_ignore_ascii_case("pass") || bare == "跳过"
}

/// By these a trailer is known.
const TRAILER_MARKS: json::Marks<'static> = &[
    &["position"],
    &["confidence"],
    &["changed_by"],
    &["claims"],
    &["ideas"],
    &["risks"],
    &["open_questions"],
    &["agenda_done"],
    &["memory"],
];

/// Whether private notes stand in the public text, because the JSON around them is broken.
pub(super) fn shows_notes(content: &str) -> bool {
    content
        .match_indices("\"memory\"")
        .any(|(at, key)| content[at + key.len()..].trim_start().starts_with(':'))
}

/// The signs of a fence of code in Markdown.
const FENCE_SIGNS: [char; 2] = ['`', '~'];

/// A text without the opening fence that ends it; `None` when none does.
fn without_fence(text: &str) -> Option<&str> {
    let named = text.len().checked_sub(4).and_then(|at| text.split_at_checked(at));
    let text = match named {
        Some((before, name)) if name.eq_ignore_ascii_case("json") => before.trim_end_matches([' ', '\t']),
        _ => text,
    };
    let text = text.strip_suffix("```").or_else(|| text.strip_suffix("~~~"))?;
    Some(text.trim_end_matches(FENCE_SIGNS))
}

/// Splits the JSON trailer off a text. It counts as such at the end or in a fence of its own, and only with
/// our fields; any other text in braces is part of the message.
fn without_trailer(heard: &ParsedResponse<'_>) -> (String, Map<String, Value>) {
    let text = heard.text;
    let mut complete = None;
    if let Some(found) = json::last(text, TRAILER_MARKS) {
        let before = text[..found.span.start].trim_end();
        let after = text[found.span.end..].trim_start().trim_start_matches(FENCE_SIGNS).trim();
        let fenced = without_fence(before);
        if fenced.is_some() || after.is_empty() {
            let before = fenced.unwrap_or(before).trim_end_matches('`').trim_end();
            let gap = if before.is_empty() || after.is_empty() { "" } else { "\n\n" };
            // That words stand before it is how it is asked for.
            heard.note(AnswerRepair::Syntax, found.mended.contains(&AnswerRepair::Syntax));
            return (format!("{before}{gap}{after}"), found.object);
        }
        complete = Some(found.span);
    }
    // A trailer that was cut off is not part of the message either.
    let whole_until = complete.map_or(0, |span| span.end);
    let before = begun_trailer(text).filter(|at| *at >= whole_until).map(|at| text[..at].trim_end());
    let kept = before.map_or(text, |before| without_fence(before).unwrap_or(before));
    (kept.trim_end().to_owned(), Map::new())
}

/// Where the last line begins an object with a field of ours.
fn begun_trailer(text: &str) -> Option<usize> {
    let braces = text.match_indices('{').map(|(at, _)| at);
    braces.rev().find(|at| begins_line(&text[..*at]) && is_ours(&text[at + 1..]))
}

/// Whether a text ends where a line begins, or a fence.
fn begins_line(before: &str) -> bool {
    let line = before.trim_end_matches([' ', '\t']);
    line.is_empty() || line.ends_with('\n') || without_fence(before.trim_end()).is_some()
}

/// Whether a name of ours follows, in quotation marks, of which the last may be missing where the text ends.
fn is_ours(inside: &str) -> bool {
    let Some(name) = inside.trim_start().strip_prefix('"') else { return false };
    let end = name.find('"');
    let name = &name[..end.unwrap_or(name.len())];
    TRAILER_MARKS.iter().flat_map(|marks| marks.iter()).any(|field| match end {
        Some(_) => *field == name,
        None => !name.is_empty() && field.starts_with(name),
    })
}

/// The result of a request for a vote.
pub(super) enum Cast {
    Vote(Vote),
    /// An abstention by choice, with its reason.
    Abstention(String),
}

/// Reads a vote: JSON.
pub(super) fn vote(heard: &ParsedResponse<'_>) -> Result<Cast, Message> {
    let object = heard.object(&[&["score", "pass", "reason"], &["abstain"]])?;
    if object.get("abstain").and_then(truth) == Some(true) {
        return Ok(Cast::Abstention(string(&object, "reason").unwrap_or_default()));
    }
    let score = object.get("score").ok_or_else(|| missing("score"))?;
    // A share such as 0.9 may mean 90; what it means cannot be known.
    let score = number_of(score, 100).filter(|score| *score == 0.0 || (1.0..=100.0).contains(score));
    let score = score.ok_or_else(|| message!("answer-score-not-whole"))?;
    let either = || message!("answer-pass-not-boolean");
    let pass = truth(object.get("pass").ok_or_else(|| missing("pass"))?).ok_or_else(either)?;
    let reason = required(&object, "reason")?;
    let missing = strings(&object, "missing");
    // The score is in range, so the cast loses nothing but the fraction.
    Ok(Cast::Vote(Vote { score: score.round() as u8, pass, reason, missing }))
}

/// Reads a summary: JSON.
pub(super) fn summary(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<SummaryForm, Message> {
    let object = heard.object(&[&["summary", "positions"]])?;
    let summary = required(&object, "summary")?;
    let positions = objects(&object, "positions")
        .filter_map(|position| {
            let text = string(position, "text").or_else(|| string(position, "position"))?;
            Some(SummaryPosition { text, holders: people(meeting, position, "holders") })
        })
        .collect();
    Ok(SummaryForm {
        summary,
        positions,
        draft: string(&object, "draft").unwrap_or_default(),
        open_questions: strings(&object, "open_questions"),
        disagreements: strings(&object, "disagreements"),
    })
}

/// The participants who hold a position and appear in none.
pub(super) fn left_out(meeting: &Meeting, form: &SummaryForm) -> Option<Message> {
    let held = |id: ParticipantId| form.positions.iter().any(|position| position.holders.contains(&id));
    let missing: Vec<String> = meeting
        .present()
        .filter(|seat| seat.stance.is_some() && !held(seat.participant.id))
        .map(|seat| seat.participant.name.clone())
        .collect();
    (!missing.is_empty()).then(|| message!("answer-positions-left-out", names = missing))
}

/// Reads a facilitation: JSON.
pub(super) fn facilitation(heard: &ParsedResponse<'_>) -> Result<FacilitationForm, Message> {
    let object = heard.object(&[&["disagreements", "proposed_patch", "next_focus"]])?;
    let form = FacilitationForm {
        disagreements: strings(&object, "disagreements"),
        proposed_patch: string(&object, "proposed_patch").unwrap_or_default(),
        next_focus: strings(&object, "next_focus"),
    };
    match form.disagreements.is_empty() && form.next_focus.is_empty() {
        true => Err(missing("disagreements")),
        false => Ok(form),
    }
}

/// Reads a conclusion: JSON.
pub(super) fn conclusion(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<ConclusionForm, Message> {
    let object = heard.object(&[&["conclusion", "reasons", "disagreements", "actions"]])?;
    let conclusion = match meeting.accepted_draft() {
        // The accepted draft is the conclusion; this text stands beside it.
        Some(_) => string(&object, "reasons").or_else(|| string(&object, "conclusion")).unwrap_or_default(),
        None => required(&object, "conclusion")?,
    };
    let disagreements = objects(&object, "disagreements")
        .filter_map(|one| {
            let sides = objects(one, "sides").filter_map(|side| {
                Some(DisagreementSide {
                    view: string(side, "view")?,
                    why: string(side, "why").unwrap_or_default(),
                    holders: people(meeting, side, "holders"),
                })
            });
            Some(Disagreement { issue: string(one, "issue")?, sides: sides.collect() })
        })
        .collect();
    let actions = objects(&object, "actions")
        .filter_map(|action| {
            let sources = strings(action, "sources");
            let sources = sources.iter().filter_map(|id| id.parse::<MessageId>().ok());
            Some(ActionItem {
                what: string(action, "what")?,
                who: string(action, "who"),
                sources: sources.filter(|id| is_said(meeting, *id)).take(SOURCES_MAX).collect(),
            })
        })
        .collect();
    let pick = |one: &Map<String, Value>| {
        let idea = string(one, "idea").as_deref().and_then(claim_id)?;
        let known = meeting.claim(idea).is_some_and(|record| record.claim.kind == ClaimKind::Idea);
        known.then(|| IdeaPick { idea, why: string(one, "why").unwrap_or_default().into() })
    };
    let most = meeting.rules().closing.best_ideas as usize;
    let best = objects(&object, "best").filter_map(pick).take(most).collect();
    let wildcard = object.get("wildcard").and_then(Value::as_object).and_then(pick);
    Ok(ConclusionForm { conclusion, disagreements, actions, best, wildcard })
}

/// Whether the message exists.
fn is_said(meeting: &Meeting, id: MessageId) -> bool {
    id.0.checked_sub(1).is_some_and(|place| (place as usize) < meeting.said.len())
}

pub(super) fn missing(field: &str) -> Message {
    message!("answer-missing", field)
}

/// A text that has to be there.
pub(super) fn required(object: &Map<String, Value>, key: &str) -> Result<String, Message> {
    match object.get(key) {
        None | Some(Value::Null | Value::String(_)) => string(object, key).ok_or_else(|| missing(key)),
        Some(_) => Err(message!("answer-not-text", field = key)),
    }
}

pub(super) fn string(object: &Map<String, Value>, key: &str) -> Option<String> {
    // A JSON escape can restore a control character that was removed from the answer.
    let text = clean(object.get(key)?.as_str()?);
    (!text.is_empty()).then_some(text)
}

/// A list of texts; a single text counts as a list of one.
pub(super) fn strings(object: &Map<String, Value>, key: &str) -> Vec<String> {
    let texts: Vec<&str> = match object.get(key) {
        Some(Value::Array(items)) => items.iter().filter_map(text_of).collect(),
        Some(Value::String(text)) => vec![text],
        Some(_) | None => Vec::new(),
    };
    texts.into_iter().map(clean).filter(|text| !text.is_empty()).collect()
}

/// A text, also where a model wraps it into an object of its own.
fn text_of(item: &Value) -> Option<&str> {
    item.as_str().or_else(|| {
        let object = item.as_object()?;
        ["text", "claim", "fact", "id"].iter().find_map(|key| object.get(*key)?.as_str())
    })
}

pub(super) fn objects<'a>(
    object: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a Map<String, Value>> {
    let items = object.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(Value::as_object)
}

pub(super) fn people(meeting: &Meeting, object: &Map<String, Value>, key: &str) -> Vec<ParticipantId> {
    let mut found = Vec::new();
    let names = strings(object, key);
    if names.is_empty() {
        return found;
    }
    let seats = meeting.seats.iter().map(|seat| &seat.participant);
    let seats: Vec<(&Participant, String, String)> =
        seats.map(|one| (one, folded(&one.name), one.id.to_string())).collect();
    for name in names {
        let name = name.trim_start_matches(['@', '＠']);
        let small = folded(name);
        let find =
            |fits: &dyn Fn(&(&Participant, String, String)) -> bool| seats.iter().find(|one| fits(one));
        let seat = find(&|(one, ..)| one.name == name)
            .or_else(|| find(&|(_, other, _)| *other == small))
            .or_else(|| find(&|(.., id)| id == name));
        if let Some((one, ..)) = seat
            && !found.contains(&one.id)
        {
            found.push(one.id);
        }
    }
    found
}

pub(super) fn number(value: &Value) -> Option<f64> {
    number_of(value, 100)
}

/// A number on a scale of `most`: `85`, `"85"`, `"85/100"`, `"85 分"`. A number on another scale, such as
/// `8/10`, is not safe to read.
pub(super) fn number_of(value: &Value, most: u32) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let text = text.trim().trim_end_matches(['分', '%']).trim();
            match text.split_once('/') {
                Some((points, of)) if of.trim().parse() == Ok(most) => points.trim().parse().ok(),
                Some(_) => None,
                None => text.parse().ok(),
            }
        }
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

/// A boolean, also as a word that models write for it, in either language.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "pass" | "是" | "通过" => Some(true),
            "false" | "no" | "fail" | "否" | "不通过" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn points(object: &Map<String, Value>, key: &str) -> Option<u8> {
    let value = number(object.get(key)?)?;
    // Some models answer a confidence as a share of 1.
    let value = if value > 0.0 && value < 1.0 { value * 100.0 } else { value };
    (0.0..=100.0).contains(&value).then(|| value.round() as u8)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate_contract::Actor;

    use super::*;
    use crate::tests::{says, seated};

    #[test]
    fn a_value_of_another_type_is_told_apart_from_a_missing_one() {
        let problem = |text: &str| blind(&ParsedResponse::new(text, StopReason::Stop)).err();
        assert_eq!(
            problem(r#"{"position": 7, "claims": []}"#),
            Some(message!("answer-not-text", field = "position"))
        );
        for absent in [r#"{"claims": ["a"], "confidence": 5}"#, r#"{"position": null, "claims": []}"#] {
            assert!(problem(absent).is_some_and(|problem| problem.id() != "answer-not-text"), "{absent}");
        }
        assert_eq!(problem(r#"{"position": " ", "claims": []}"#), Some(missing("position")));
        assert!(problem(r#"{"position": "SQLite", "claims": []}"#).is_none());
        let vote = vote(&ParsedResponse::new(r#"{"score": 9, "pass": true, "reason": 7}"#, StopReason::Stop));
        assert_eq!(vote.err(), Some(message!("answer-not-text", field = "reason")));
    }

    #[test]
    fn a_confidence_may_be_a_share_of_one() {
        let read = |confidence: f64| {
            let object = serde_json::json!({ "confidence": confidence });
            points(object.as_object().expect("an object"), "confidence")
        };
        let read = [0.0, 0.07, 0.9, 1.0, 60.4, 100.0, 101.0, -1.0].map(read);
        assert_eq!(read, [Some(0), Some(7), Some(90), Some(1), Some(60), Some(100), None, None]);
    }

    #[test]
    fn a_number_on_another_scale_is_not_read() {
        for (text, read) in [
            ("85", Some(85.0)),
            ("85/100", Some(85.0)),
            ("85 / 100 分", Some(85.0)),
            ("85%", Some(85.0)),
            ("8/10", None),
            ("85/", None),
            ("many", None),
            ("inf", None),
        ] {
            assert_eq!(number(&Value::from(text)), read, "{text}");
        }
    }

    #[test]
    fn people_are_known_by_name_or_number_each_once() {
        let mut m = seated(3);
        for (seat, name) in m.seats.iter_mut().zip(["Ada", "Ben", "ada lovelace"]) {
            Arc::make_mut(seat).participant.name = name.to_owned();
        }
        let object = serde_json::json!({ "holders": ["Ada Lovelace", "@ADA", "Ada", "p2", "Nobody"] });
        let found = people(&m, object.as_object().expect("an object"), "holders");
        assert_eq!(found, [ParticipantId(3), ParticipantId(1), ParticipantId(2)]);
    }

    #[test]
    fn only_messages_that_were_said_are_sources() {
        let mut m = seated(1);
        says(&mut m, 1, Actor::owner(), "User", "One file.");
        let said = [0, 1, 2].map(|number| is_said(&m, MessageId(number)));
        assert_eq!(said, [false, true, false]);
    }

    #[test]
    fn a_facilitator_names_disagreements_or_what_to_look_at_next() {
        let read = |text: &str| facilitation(&ParsedResponse::new(text, StopReason::Stop)).is_ok();
        assert!(read(r#"{"disagreements": ["when"], "proposed_patch": "", "next_focus": []}"#));
        assert!(read(r#"{"disagreements": [], "proposed_patch": "", "next_focus": ["when?"]}"#));
        assert!(!read(r#"{"disagreements": [], "proposed_patch": "then", "next_focus": []}"#));
    }

    #[test]
    fn a_first_answer_tells_what_only_its_speaker_knows_and_what_would_change_its_mind() {
        let text = r#"{"position": "SQLite", "claims": ["one file"], "unshared_facts": ["the disk is old"],
            "would_change_my_mind": "two writers"}"#;
        let Ok(TurnContent::Said(said)) = blind(&ParsedResponse::new(text, StopReason::Stop)) else {
            panic!("it is an answer")
        };
        assert_eq!((said.facts.as_slice(), said.claims.len()), (&["the disk is old".to_owned()][..], 1));
        let text = format!("One file.\n{text}");
        let Ok(TurnContent::Said(said)) = prose(&ParsedResponse::new(&text, StopReason::Stop), false) else {
            panic!("it is an answer")
        };
        assert_eq!((said.content.as_str(), said.facts.len()), ("One file.", 1));
        assert_eq!(said.would_change_my_mind.as_deref(), Some("two writers"));
    }
}
