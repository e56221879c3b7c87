//! A round's summary, and the draft after it.
//!
//! Conditions that a vote's reason names go into the draft, the lowest score first and a few in each round,
//! so that a draft visibly improves.

use quorate_contract::{BriefSummary, Language};
use serde::Serialize;

use super::positions::{
    HeldPosition, MOST_CONDITIONS, Request, drafted_conditions, names, positions, requests,
};
use super::{open, picks};
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{capital, clip, mentions, sentence, within_quotes};

#[derive(Debug, Serialize)]
pub(super) struct Summary {
    summary: String,
    positions: Vec<HeldPosition>,
    draft: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_questions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disagreements: Option<Vec<String>>,
}

/// The largest number of new conditions that a draft takes up in one round.
pub(super) const NEW_CONDITIONS: usize = 3;

pub(super) fn summarize(mut scene: AnswerContext<'_>, asked: &BriefSummary) -> Summary {
    let positions = positions(&scene);
    if let Some(ideas) = &asked.ideas {
        let (summary, draft) = picks::so_far(&mut scene, ideas);
        return Summary { summary, positions, draft, open_questions: None, disagreements: None };
    }
    let mut conditions = drafted_conditions(&scene);
    let requests = requests(&scene);
    let fresh: Vec<&Request> = requests
        .iter()
        .filter(|request| !conditions.iter().any(|known| mentions(known, &request.text)))
        .collect();
    let summary = summary(&mut scene, &positions, &fresh);
    for request in fresh.into_iter().take(NEW_CONDITIONS) {
        if conditions.len() < MOST_CONDITIONS && !conditions.contains(&request.text) {
            conditions.push(request.text.clone());
        }
    }
    let draft = draft(&mut scene, &positions, &mut conditions);
    let (open_questions, disagreements) = match is_measured(&scene) {
        true => (Some(still_open(&mut scene)), Some(divided(&mut scene, &positions))),
        false => (None, None),
    };
    let (summary, draft) = (clip(&summary, 1200), clip(&draft, 1500));
    Summary { summary, positions, draft, open_questions, disagreements }
}

/// Whether open questions measure the progress; with ballots, the votes do.
pub(super) fn is_measured(scene: &AnswerContext<'_>) -> bool {
    let voted = scene.brief.participants.iter().any(|participant| participant.vote_reason.is_some());
    let opening = scene.brief.round == 0 || (scene.brief.round == 1 && scene.brief.draft.is_some());
    !voted && !opening
}

fn still_open(scene: &mut AnswerContext<'_>) -> Vec<String> {
    open::in_round(scene, scene.brief.round).into_iter().map(|one| clip(&capital(&one.ask), 200)).collect()
}

/// The minorities, each against what most hold.
fn divided(scene: &mut AnswerContext<'_>, positions: &[HeldPosition]) -> Vec<String> {
    let mut lines = Vec::new();
    for held in positions.iter().skip(1).take(6) {
        let (names, view) = (names(scene, &held.holders), within_quotes(&clip(&held.text, 90)));
        let line = scene.fixed("facilitate.split", &[("n", &names), ("x", &view)]);
        lines.push(clip(&sentence(&line, scene.language), 200));
    }
    lines
}

fn summary(scene: &mut AnswerContext<'_>, positions: &[HeldPosition], fresh: &[&Request]) -> String {
    let language = scene.language;
    let round = scene.brief.round.to_string();
    let spoken: usize = positions.iter().map(|held| held.holders.len()).sum();
    let (count, groups) = (spoken.to_string(), positions.len().to_string());
    let slots = [("r", round.as_str()), ("n", count.as_str()), ("m", groups.as_str())];
    let section = match (positions.len(), scene.brief.round) {
        (0, _) => "summary.nobody",
        (1, _) => "summary.unanimous",
        (_, 0) => "summary.blind",
        _ => "summary.opening",
    };
    let mut text = sentence(&scene.shared(section, 0, &slots), language);
    for held in positions {
        let names = names(scene, &held.holders);
        let line = scene.fixed("summary.position", &[("x", &held.text), ("n", &names)]);
        text.push_str(&format!("\n- {line}"));
    }
    if !fresh.is_empty() {
        text.push_str(&format!("\n\n{}", capital(&scene.fixed("summary.concerns", &[]))));
        for request in fresh.iter().take(4) {
            let who = scene.name(&request.who);
            let line = scene.fixed("summary.concern", &[("n", &who), ("x", &request.text)]);
            text.push_str(&format!("\n- {line}"));
        }
    }
    let lowest = scene
        .brief
        .participants
        .iter()
        .filter(|participant| participant.score.is_some())
        .min_by_key(|participant| participant.score);
    if let Some((name, score)) =
        lowest.and_then(|participant| Some((participant.name.clone(), participant.score?)))
    {
        let (name, score) = (scene.name(&name), score.to_string());
        let line = scene.fixed("summary.low", &[("n", &name), ("x", &score)]);
        text.push_str(&format!("\n\n{}", sentence(&line, language)));
    }
    text
}

fn draft(scene: &mut AnswerContext<'_>, positions: &[HeldPosition], conditions: &mut Vec<String>) -> String {
    let language = scene.language;
    let Some(leading) = leading(scene, positions) else {
        return scene.fixed("draft.empty", &[]);
    };
    let others: Vec<&HeldPosition> = positions.iter().filter(|held| held.text != leading.text).collect();
    if conditions.is_empty() {
        let begin = scene.fixed(&scene.matter.ground.section("start", "draft.start"), &[]);
        conditions.push(begin);
    }
    // The alternative to keep is another one when the direction has changed.
    for choice in 0..scene.matter.choices.len() {
        let known = fallback(scene, choice);
        conditions.retain(|condition| !condition.eq_ignore_ascii_case(&known));
    }
    if let Some(choice) = others.first().and_then(|held| scene.matter.find(&held.text)) {
        let kept = fallback(scene, choice);
        conditions.insert(1.min(conditions.len()), kept);
        conditions.truncate(MOST_CONDITIONS);
    }
    let all: usize = positions.iter().map(|held| held.holders.len()).sum();
    let (all, share) = (all.to_string(), leading.holders.len().to_string());
    let reason = scene.shared("draft.reason", 0, &[("n", &all), ("m", &share)]);
    let heading =
        |scene: &AnswerContext<'_>, section: &str| scene.lines(section).first().copied().unwrap_or_default();
    let colon = match language {
        Language::Zh => "：",
        Language::En => ": ",
    };
    let mut text = format!(
        "{}\n\n**{}**{colon}{}\n\n**{}**\n",
        sentence(&leading.text, language),
        heading(scene, "draft.why"),
        sentence(&reason, language),
        heading(scene, "draft.conditions"),
    );
    for condition in conditions.iter() {
        text.push_str(&format!("- {}\n", capital(condition)));
    }
    if !others.is_empty() {
        text.push_str(&format!("\n**{}**\n", heading(scene, "draft.open")));
        for held in others.into_iter().take(3) {
            let names = names(scene, &held.holders);
            let line = scene.fixed("draft.dissent", &[("n", &names), ("x", &held.text)]);
            text.push_str(&format!("- {}\n", capital(&line)));
        }
    }
    text.trim_end().to_owned()
}

fn fallback(scene: &mut AnswerContext<'_>, choice: usize) -> String {
    let label = scene.label(choice);
    scene.fixed(&scene.matter.ground.section("fallback", "draft.fallback"), &[("x", &label)])
}

/// The most widely held position; between equals the one that the draft already has.
fn leading(scene: &AnswerContext<'_>, positions: &[HeldPosition]) -> Option<HeldPosition> {
    let most = positions.first()?.holders.len();
    let drafted = scene.draft_choice();
    let equals = positions.iter().take_while(|held| held.holders.len() == most);
    let kept = equals.clone().find(|held| drafted.is_some() && scene.matter.find(&held.text) == drafted);
    kept.or(positions.first()).cloned()
}
