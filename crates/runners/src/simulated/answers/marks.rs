//! Marks for the participants of a round: derived from their messages, with a little chance.

use quorate_contract::{BriefEvaluation, BriefMessage, Temperament};
use serde::Serialize;

use super::ideas::name_of;
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::faults;
use crate::simulated::text::{capital, clip, excerpt, likeness, sentence};

#[derive(Debug, Serialize)]
pub(super) struct Marks {
    marks: Vec<Mark>,
}

#[derive(Debug, Serialize)]
struct Mark {
    name: String,
    score: u8,
    reason: String,
}

pub(super) fn evaluate(mut scene: AnswerContext<'_>, asked: &BriefEvaluation) -> Marks {
    let participants = &scene.brief.participants;
    let mut marks = Vec::with_capacity(participants.len());
    for (place, participant) in participants.iter().enumerate() {
        let (score, said) = score(&mut scene, asked, &participant.name);
        let section = match (score, &said) {
            (_, None) => "mark.silent",
            (8.., _) => "mark.high",
            (..5, _) => "mark.low",
            (5..8, _) => "mark.mid",
        };
        let idea = asked.ideas.iter().rev().find(|idea| idea.by == participant.name);
        let idea = idea.map(|idea| name_of(&idea.text, scene.language));
        let point = idea.or(said.map(|text| excerpt(strip_tag(&text), scene.language))).unwrap_or_default();
        let reason = scene.line(section, place + scene.brief.round as usize, &[("t", &point)]);
        let mut reason = sentence(&capital(&reason), scene.language);
        if scene.temperament == Temperament::Injecting && place == 0 {
            reason = format!("{reason} {}", faults::forged_frame(&mut scene));
        }
        marks.push(Mark { name: participant.name.clone(), score, reason: clip(&reason, 300) });
    }
    Marks { marks }
}

/// The mark, 0-10, and the message that it cites.
fn score(scene: &mut AnswerContext<'_>, asked: &BriefEvaluation, name: &str) -> (u8, Option<String>) {
    let messages = &asked.messages;
    let own = |message: &&BriefMessage| message.by == name;
    let luck = scene.rng.between(-2, 1);
    let Some(at) = messages.iter().position(|message| own(&message)) else {
        return ((4 + luck).clamp(2, 5) as u8, None);
    };
    let text = messages[at].text.clone();
    let answers = text.matches("[c").count().min(2) as i32;
    let used: u32 = asked.ideas.iter().filter(|idea| idea.by == name).map(|idea| idea.built_on).sum();
    let repeated = messages[..at].iter().any(|other| likeness(&text, &other.text) > 0.7);
    let length = crate::simulated::text::length(&text, scene.language);
    let short = if length < 20 { 2 } else { 0 };
    let score = 6 + luck + answers + used.min(2) as i32 - if repeated { 3 } else { 0 } - short;
    (score.clamp(1, 10) as u8, Some(text))
}

/// A text without the number of the point that it answers.
fn strip_tag(text: &str) -> &str {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    rest.map_or(text, |(_, rest)| rest.trim_start())
}
