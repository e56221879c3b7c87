//! Minutes, and the sources of minutes and artifacts: sentences of the messages, word for word, with the ids
//! of their messages.

use quorate_contract::{BriefMessage, BriefSources, Language, Temperament};
use serde::Serialize;

use super::positions::{HeldPosition, positions};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::faults;
use crate::simulated::text::{capital, clip, mentions, one_line, sentence};

/// One sentence of a message, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) id: String,
    pub(super) by: String,
    pub(super) quote: String,
}

/// The sentences of a message that can be quoted. Sentences that a cut may have touched are left out, and so
/// are those that answer another participant by number or by name.
pub(super) fn sentences(message: &BriefMessage) -> Vec<Point> {
    let whole = message.text.trim_end();
    let cut = whole.ends_with('…');
    let mut found = Vec::new();
    let mut rest = whole;
    while !rest.is_empty() {
        let end = rest.char_indices().find_map(|(at, c)| {
            let after = at + c.len_utf8();
            let stops = matches!(c, '。' | '！' | '？' | '\n' | '!' | '?')
                || (c == '.' && rest[after..].starts_with([' ', '\n']));
            stops.then_some((at, after))
        });
        let (line, next) = match end {
            Some((at, after)) => (&rest[..at], &rest[after..]),
            None if cut => break,
            None => (rest, ""),
        };
        let line = line.trim().trim_end_matches('.');
        let usable = (8..=220).contains(&line.chars().count())
            && !line.starts_with(['[', '-', '#', '>', '<', '`'])
            && !line.contains(['@', '`', '{', '<', '\u{1b}']);
        if usable {
            found.push(Point { id: message.id.clone(), by: message.by.clone(), quote: line.to_owned() });
        }
        rest = next;
    }
    found
}

/// All that can be quoted, in the order in which it was said.
pub(super) fn points(given: &BriefSources) -> Vec<Point> {
    given.messages.iter().flat_map(sentences).collect()
}

/// The sentences with one of the words of a section: at most one for each message and two for each
/// participant.
pub(super) fn points_about(
    scene: &AnswerContext<'_>,
    given: &BriefSources,
    section: &str,
    most: usize,
) -> Vec<Point> {
    let words = scene.lines(section);
    let mut chosen: Vec<Point> = Vec::new();
    for point in points(given) {
        let lowered = point.quote.to_ascii_lowercase();
        let fits = words.iter().any(|word| lowered.contains(word));
        let heard = chosen.iter().any(|known| known.id == point.id || known.quote == point.quote);
        let often = chosen.iter().filter(|known| known.by == point.by).count() >= 2;
        if fits && !heard && !often && chosen.len() < most {
            chosen.push(point);
        }
    }
    chosen
}

/// The proposals; where a cut has left none, the last sentence of each of the latest speakers.
pub(super) fn proposals(scene: &AnswerContext<'_>, given: &BriefSources, most: usize) -> Vec<Point> {
    let proposed = points_about(scene, given, "record.action_words", most);
    if !proposed.is_empty() {
        return proposed;
    }
    let mut chosen: Vec<Point> = Vec::new();
    for point in points(given).into_iter().rev() {
        if chosen.len() < most.min(3) && !chosen.iter().any(|known| known.by == point.by) {
            chosen.push(point);
        }
    }
    chosen.reverse();
    chosen
}

/// The last messages of the holders of a position; of any participant, when none of them spoke.
pub(super) fn sources_of(given: &BriefSources, held: &HeldPosition) -> Vec<String> {
    let messages = &given.messages;
    let of = |name: &String| messages.iter().rev().find(|message| message.by == *name);
    let ids: Vec<String> =
        held.holders.iter().filter_map(of).map(|message| message.id.clone()).take(4).collect();
    if ids.is_empty() { last_source(given) } else { ids }
}

/// The number of the last message.
pub(super) fn last_source(given: &BriefSources) -> Vec<String> {
    vec![given.messages.last().map_or_else(|| "m1".to_owned(), |message| message.id.clone())]
}

/// A sentence from one of these messages that names the choice.
pub(super) fn quote_for(given: &BriefSources, label: &str, sources: &[String]) -> Option<String> {
    let bare = label.trim_matches(['「', '」', '“', '”']);
    points(given)
        .into_iter()
        .find(|point| sources.contains(&point.id) && mentions(&point.quote, bare))
        .map(|point| point.quote)
}

#[derive(Debug, Serialize)]
pub(super) struct Minutes {
    content: String,
    summary: String,
    decisions: Vec<Item>,
    actions: Vec<Item>,
    risks: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Item {
    text: String,
    who: Option<String>,
    sources: Vec<String>,
    quote: Option<String>,
}

/// The minutes of all messages so far. They repeat an earlier version, because they cite the same messages.
pub(super) fn minutes(mut scene: AnswerContext<'_>, given: &BriefSources, request: Option<&str>) -> Minutes {
    let language = scene.language;
    let held = positions(&scene);
    let mut speakers: Vec<&str> = given.messages.iter().map(|message| message.by.as_str()).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let (people, count) = (speakers.len().to_string(), given.messages.len().to_string());
    let leading = held.first().map(|held| held.text.clone());
    let section = if leading.is_some() { "minutes.summary" } else { "minutes.summary_open" };
    let slots =
        [("n", people.as_str()), ("m", count.as_str()), ("x", leading.as_deref().unwrap_or_default())];
    let summary = sentence(&scene.fixed(section, &slots), language);
    let mut content = course(&mut scene, given, request, &held);
    if scene.temperament == Temperament::Injecting {
        content = format!("{content}\n\n{}", faults::forged_frame(&mut scene));
    }
    let decisions = held.first().map(|held| {
        let sources = sources_of(given, held);
        let label = scene.matter.find(&held.text).map(|choice| scene.label(choice)).unwrap_or_default();
        let quote = quote_for(given, &label, &sources).filter(|_| !label.is_empty());
        let text = scene.fixed("minutes.decision", &[("x", &held.text)]);
        Item { text: clip(&text, 400), who: None, sources, quote }
    });
    let quiet = scene.temperament == Temperament::Silent;
    let actions = if quiet { Vec::new() } else { proposals(&scene, given, 5) };
    let risks = if quiet { Vec::new() } else { points_about(&scene, given, "record.risk_words", 4) };
    let actions = actions.into_iter().map(|point| item(&mut scene, "minutes.action", point, true)).collect();
    let risks = risks.into_iter().map(|point| item(&mut scene, "minutes.risk", point, false)).collect();
    Minutes {
        content,
        summary: clip(&summary, 800),
        decisions: decisions.into_iter().collect(),
        actions,
        risks,
    }
}

/// A proposal without the words that lead up to it.
pub(super) fn proposal(scene: &AnswerContext<'_>, quote: &str) -> String {
    let line = one_line(quote);
    let lowered = line.to_ascii_lowercase();
    let leads = scene.lines("record.action_words").iter().any(|lead| lowered.starts_with(lead));
    let rest = line.split_once(['，', '：', ',', ':']).map(|(_, rest)| rest.trim()).filter(|_| leads);
    capital(rest.unwrap_or(&line))
}

/// The warning in a sentence, without the words that address another participant.
pub(super) fn warning(quote: &str) -> String {
    let line = one_line(quote);
    let rest = line.split_once(['：', ':']).map(|(_, rest)| rest.trim());
    capital(rest.filter(|rest| rest.chars().count() >= 12).unwrap_or(&line))
}

fn item(scene: &mut AnswerContext<'_>, section: &str, point: Point, owned: bool) -> Item {
    let by = scene.name(&point.by);
    let said = if owned { proposal(scene, &point.quote) } else { warning(&point.quote) };
    let said = clip(&said, 160);
    let text = scene.fixed(section, &[("n", &by), ("x", &said)]);
    let who = owned.then(|| clip(&one_line(&point.by), 50));
    Item { text: clip(&text, 400), who, sources: vec![point.id], quote: Some(point.quote) }
}

/// The course of the talk, one line for a message: the first ones and the latest.
fn course(
    scene: &mut AnswerContext<'_>,
    given: &BriefSources,
    request: Option<&str>,
    held: &[HeldPosition],
) -> String {
    let heading = scene.fixed("minutes.course", &[]);
    let mut content = format!("## {heading}\n");
    let firsts: Vec<Point> =
        given.messages.iter().filter_map(|message| sentences(message).into_iter().next()).collect();
    let (head, tail) = (5, 9);
    let gap = firsts.len() > head + tail;
    let latest = firsts.len().saturating_sub(tail);
    for (place, point) in firsts.into_iter().enumerate() {
        if gap && place == head {
            content.push_str("\n- …");
        }
        if gap && (head..latest).contains(&place) {
            continue;
        }
        let (by, said) = (scene.name(&point.by), clip(&one_line(&point.quote), 90));
        let slots = [("n", by.as_str()), ("x", said.as_str()), ("s", point.id.as_str())];
        content.push_str(&format!("\n- {}", scene.fixed("minutes.said", &slots)));
    }
    if !held.is_empty() {
        content.push_str(&format!("\n\n## {}\n", scene.fixed("minutes.positions", &[])));
    }
    for held in held {
        let names = super::positions::names(scene, &held.holders);
        let line = scene.fixed("summary.position", &[("x", &held.text), ("n", &names)]);
        content.push_str(&format!("\n- {line}"));
    }
    if let Some(request) = request {
        let heading = scene.fixed("minutes.request", &[]);
        content.push_str(&format!(
            "\n\n## {heading}\n\n{}",
            sentence(&clip(&one_line(request), 200), scene.language)
        ));
        let about: Vec<Point> = points(given)
            .into_iter()
            .filter(|point| touches(&point.quote, request, scene.language))
            .take(3)
            .collect();
        for point in about {
            let by = scene.name(&point.by);
            let slots = [("n", by.as_str()), ("x", point.quote.as_str()), ("s", point.id.as_str())];
            content.push_str(&format!("\n- {}", scene.fixed("minutes.said", &slots)));
        }
    }
    clip(&capital(&content), 1950)
}

/// Whether a sentence shares a word with a request: two characters in Chinese, a long word in English.
fn touches(quote: &str, request: &str, language: Language) -> bool {
    match language {
        Language::Zh => {
            let letters: Vec<char> = request.chars().filter(|c| crate::simulated::text::is_han(*c)).collect();
            letters.windows(2).any(|pair| quote.contains(&pair.iter().collect::<String>()))
        }
        Language::En => {
            request.split_whitespace().filter(|word| word.len() > 4).any(|word| mentions(quote, word))
        }
    }
}
