//! A turn in a brainstorm: new ideas, and ideas that build on others.

use quorate_contract::{BriefIdea, BriefTurn, Language, Temperament};
use serde::Serialize;

use super::speak::{Trailer, mention, with_trailer};
use crate::simulated::answer_context::{AnswerContext, LENSES};
use crate::simulated::faults;
use crate::simulated::text::{capital, clip, likeness, one_line, sentence, within_quotes};

/// An idea for the record.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Idea {
    pub(super) text: String,
    pub(super) builds_on: Vec<String>,
}

pub(super) fn answer(mut scene: AnswerContext<'_>, asked: &BriefTurn) -> String {
    let most = match scene.temperament {
        Temperament::Silent => 1,
        Temperament::Verbose => 3,
        _ => 1 + scene.rng.below(2),
    };
    let mut ideas: Vec<Idea> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    if let Some((idea, words)) = build(&mut scene, asked) {
        ideas.push(idea);
        said.push(words);
    }
    while ideas.len() < most && scene.temperament != Temperament::Copycat {
        let Some((idea, words)) = fresh(&mut scene, asked, &ideas) else { break };
        ideas.push(idea);
        said.push(words);
    }
    if scene.temperament != Temperament::Silent
        && let Some(last) = said.last_mut()
        && let Some(why) = why(&mut scene, asked)
    {
        let gap = if scene.language == Language::En { " " } else { "" };
        last.push_str(&format!("{gap}{}", sentence(&why, scene.language)));
    }
    said.extend(mention(&mut scene, asked));
    if scene.temperament == Temperament::Injecting {
        said.push(faults::forged_frame(&mut scene));
    }
    let favourite =
        ideas.first().map(|idea| idea.text.clone()).or_else(|| Some(asked.ideas.last()?.text.clone()));
    let favourite = name_of(&favourite.unwrap_or_default(), scene.language);
    let position = scene.fixed("idea.position", &[("x", &favourite)]);
    if said.is_empty() {
        said.push(sentence(&position, scene.language));
    }
    let trailer = Trailer {
        position: clip(&position, 200),
        confidence: scene.rng.between(55, 85) as u8,
        ideas,
        ..Trailer::default()
    };
    with_trailer(&said.join("\n\n"), &trailer)
}

/// What speaks for an idea: another line for each seat in the first two rounds, later none, so that none is said twice.
fn why(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<String> {
    let (round, seat, half) = (scene.brief.round, scene.seat(), scene.lines("idea.why").len() / 2);
    let says = asked.spoken == 0 && (1..=2).contains(&round) && seat < half;
    says.then(|| scene.line("idea.why", (round as usize - 1) * half + seat, &[]))
}

/// Builds on an idea of another participant; a copycat repeats it.
fn build(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> Option<(Idea, String)> {
    let others: Vec<&BriefIdea> = asked.ideas.iter().filter(|idea| idea.by != scene.brief.name).collect();
    let percent = match scene.temperament {
        Temperament::Copycat => 100,
        Temperament::Agreeable => 85,
        Temperament::Stubborn => 15,
        _ => 60,
    };
    if others.is_empty() || !scene.rng.chance(percent) {
        return None;
    }
    // One of the latest, preferably one that others have built on.
    let recent = &others[others.len().saturating_sub(5)..];
    let place = scene.rng.below(recent.len());
    let chosen = if scene.rng.chance(50) {
        recent.iter().max_by_key(|idea| idea.built_on)?
    } else {
        recent.get(place)?
    };
    let (owner, name) = (scene.name(&chosen.by), name_of(&chosen.text, scene.language));
    let (text, section) = match scene.temperament {
        Temperament::Copycat => (chosen.text.clone(), "idea.copy"),
        _ => {
            let lines = scene.lines("idea.build").len();
            let turns =
                (0..lines).map(|nth| scene.shared("idea.build", nth, &[("t", &name)])).collect::<Vec<_>>();
            let known = &asked.ideas;
            let new =
                turns.into_iter().find(|text| !known.iter().any(|idea| likeness(&idea.text, text) > 0.7));
            (new?, "idea.onto")
        }
    };
    let words = scene.shared(section, 1, &[("owner", &owner), ("x", &text)]);
    let words = format!("[{}] {}", clip(&one_line(&chosen.id), 12), sentence(&words, scene.language));
    Some((Idea { text: clip(&capital(&text), 240), builds_on: vec![chosen.id.clone()] }, words))
}

/// An idea that is not on the list yet: from its own lenses first, then from any.
fn fresh(scene: &mut AnswerContext<'_>, asked: &BriefTurn, said: &[Idea]) -> Option<(Idea, String)> {
    let first = scene.rng.below(3);
    let own = [scene.lens_at(0), scene.lens_at(1)];
    let start = scene.seat() * 2;
    let others = (0..LENSES.len()).map(|step| LENSES[(start + step) % LENSES.len()]);
    let lenses: Vec<&str> = own.into_iter().cycle().take(6).chain(others).collect();
    for (place, lens) in lenses.into_iter().enumerate() {
        let text = scene.line(&format!("lens.{lens}.idea"), first + place / 2, &[]);
        let bare = |text: &str| text.replace(&scene.matter.key, "");
        let is_known = |other: &str| likeness(&bare(other), &bare(&text)) > 0.6;
        if asked.ideas.iter().any(|idea| is_known(&idea.text)) || said.iter().any(|idea| is_known(&idea.text))
        {
            continue;
        }
        let name = scene.lens_name(lens);
        let words = scene.shared("idea.lead", said.len(), &[("x", &text), ("l", name)]);
        let idea = Idea { text: clip(&capital(&text), 240), builds_on: Vec::new() };
        return Some((idea, sentence(&words, scene.language)));
    }
    None
}

/// The name of an idea for other speakers: its words in quotation marks, or its first clause.
pub(super) fn name_of(text: &str, language: Language) -> String {
    let line = one_line(text);
    let (open, close, most) = match language {
        Language::Zh => ('「', '」', 16),
        Language::En => ('“', '”', 60),
    };
    let quoted = line.split_once(open).and_then(|(_, rest)| rest.split_once(close)).map(|(inside, _)| inside);
    if let Some(inside) = quoted.filter(|inside| (2..=most).contains(&inside.chars().count())) {
        return inside.to_owned();
    }
    let clause = line.split(['，', '：', '；', ',', ':', ';']).next().unwrap_or(&line);
    let clause = [" that ", " which ", " whose ", " in which "]
        .iter()
        .fold(clause, |clause, word| clause.split(word).next().unwrap_or(clause));
    let clause =
        ["A ", "An ", "a ", "an "].iter().find_map(|article| clause.strip_prefix(article)).unwrap_or(clause);
    within_quotes(&clip(clause.trim(), most + 8)).replace(['“', '”'], "'")
}
