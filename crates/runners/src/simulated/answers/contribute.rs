//! A structured turn: the text of an ordinary turn, and beside it the recommendation, the risks, open
//! questions, and the private notes.

use quorate_contract::{BriefTurn, PrivateMemory, Temperament};
use serde::Serialize;

use super::pass::wants_to_pass;
use super::speak::{Turn, speaks_again, turn};
use super::{SKIP, json, open};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{capital, clip, point_of, sentence};

/// The largest number of lines in a note; the oldest is dropped.
const NOTES_MAX: usize = 4;

#[derive(Debug, Serialize)]
struct Contribution {
    statement: String,
    recommendation: String,
    confidence: u8,
    changed_by: Option<String>,
    claims: Vec<String>,
    risks: Vec<String>,
    open_questions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
}

/// All five lists, also when they are empty, as the schema requires.
#[derive(Debug, Serialize)]
struct Memory {
    assumptions: Vec<String>,
    to_verify: Vec<String>,
    preferences: Vec<String>,
    risks: Vec<String>,
    notes: Vec<String>,
}

pub(super) fn answer(mut scene: AnswerContext<'_>, asked: &BriefTurn) -> String {
    if asked.can_skip && wants_to_pass(&mut scene, asked) {
        return SKIP.to_owned();
    }
    let turn = turn(&mut scene, asked);
    let round = scene.brief.round as usize;
    let own = turn.stand.map_or_else(|| scene.own_choice(), |stand| stand.now);
    let mut statement = turn.prose.clone();
    if !speaks_again(&scene, asked)
        && let Some(settled) = interpret(&mut scene)
    {
        statement = format!("{statement}\n\n{settled}");
    }
    let quiet = scene.temperament == Temperament::Silent || turn.stand.is_none();
    let risks = if quiet { 0 } else { 1 + usize::from(round % 2 == 1) };
    let risks: Vec<String> = (0..risks)
        .filter_map(|place| {
            let sections = scene.sections(0, "risk");
            scene.unsaid(&sections, round * 2 + place, &[]).map(|risk| fit(&risk))
        })
        .collect();
    let open_questions = if quiet { Vec::new() } else { own_questions(&mut scene) };
    let memory = asked.memory.clone();
    let memory = memory.map(|before| remember(&mut scene, asked, before, &turn, &open_questions, own));
    let Turn { trailer, .. } = turn;
    json(&Contribution {
        statement,
        recommendation: trailer.position,
        confidence: trailer.confidence,
        changed_by: trailer.changed_by,
        claims: trailer.claims.into_iter().take(2).collect(),
        risks,
        open_questions,
        memory,
    })
}

fn fit(text: &str) -> String {
    clip(&capital(text), 200)
}

/// The seat's share of the questions of the round that nobody has asked: two at first, one later.
fn own_questions(scene: &mut AnswerContext<'_>) -> Vec<String> {
    let most = if scene.brief.round < 2 { 2 } else { 1 };
    let (seat, seats) = (scene.seat(), scene.brief.participants.len().max(1));
    let open = open::in_round(scene, scene.brief.round).into_iter().enumerate();
    let share = open.filter(|(place, _)| place % seats == seat % seats).map(|(_, one)| one);
    share.filter(|one| !scene.is_said(&one.ask)).take(most).map(|one| fit(&one.ask)).collect()
}

/// The answer to a question of the previous round that this seat settles.
fn interpret(scene: &mut AnswerContext<'_>) -> Option<String> {
    let seats = scene.brief.participants.len().max(1);
    let seat = scene.seat();
    let (place, settled) =
        open::settled(scene).into_iter().enumerate().find(|(place, _)| place % seats == seat)?;
    let ask = settled.ask.trim_end_matches(['？', '?']);
    let said = scene.shared("open.settled", place, &[("t", ask), ("c", &settled.answer)]);
    Some(sentence(&said, scene.language))
}

/// The notes after this turn: what was there, and what is new.
fn remember(
    scene: &mut AnswerContext<'_>,
    asked: &BriefTurn,
    before: PrivateMemory,
    turn: &Turn,
    questions: &[String],
    own: usize,
) -> Memory {
    let round = scene.brief.round as usize;
    let (now, was) = (scene.label(own), scene.label(turn.stand.map_or(own, |stand| stand.before)));
    let assumption = scene.line("memory.assumption", round, &[("o", &now)]);
    let preference = match &turn.trailer.changed_by {
        Some(claim) => Some(scene.line("memory.preference", 1, &[("o", &now), ("w", &was), ("t", claim)])),
        None if before.preferences.is_empty() => Some(scene.line("memory.preference", 0, &[("o", &now)])),
        None => None,
    };
    let sections = scene.sections(1, "risk");
    let risk = scene.sentence_of(&sections, round + 1, &[]);
    let note = note(scene, asked, round, turn.trailer.changed_by.as_deref());
    let still_open: Vec<String> =
        open::in_round(scene, scene.brief.round).into_iter().map(|one| fit(&one.ask)).collect();
    let mut to_verify = before.to_verify;
    to_verify.retain(|known| still_open.iter().any(|ask| known.contains(ask.as_str())));
    for ask in questions {
        let text = scene.fixed("memory.verify", &[("x", ask)]);
        to_verify = kept(to_verify, Some(text));
    }
    Memory {
        assumptions: kept(before.assumptions, Some(assumption).filter(|_| round <= 2)),
        to_verify,
        preferences: kept(before.preferences, preference),
        risks: kept(before.risks, Some(risk)),
        notes: kept(before.notes, Some(note)),
    }
}

/// The note after a turn: the argument it was given and its reaction, otherwise its own argument.
fn note(scene: &mut AnswerContext<'_>, asked: &BriefTurn, round: usize, changed_by: Option<&str>) -> String {
    let number = round.to_string();
    let targets = &asked.targets;
    let Some(target) = targets
        .iter()
        .find(|target| changed_by == Some(AnswerContext::tag(target).as_str()))
        .or(targets.iter().find(|target| target.disagrees))
        .or(targets.first())
    else {
        return scene.fixed("memory.note_alone", &[("r", &number)]);
    };
    let verdict = if changed_by == Some(AnswerContext::tag(target).as_str()) {
        "memory.note_moved"
    } else if target.disagrees && scene.choice_of(&target.owner) != scene.choice_of(&scene.brief.name) {
        "memory.note_disagree"
    } else {
        "memory.note_agree"
    };
    let verdict = scene.fixed(verdict, &[]);
    let (owner, said) = (scene.name(&target.owner), point_of(&target.text, scene.language));
    let slots = [("r", number.as_str()), ("owner", &owner), ("t", &said), ("x", &verdict)];
    scene.fixed("memory.note", &slots)
}

fn kept(mut lines: Vec<String>, new: Option<String>) -> Vec<String> {
    if let Some(new) = new.map(|text| clip(&text, 200)).filter(|new| !lines.contains(new)) {
        lines.push(new);
    }
    let surplus = lines.len().saturating_sub(NOTES_MAX);
    lines.drain(..surplus);
    lines
}
