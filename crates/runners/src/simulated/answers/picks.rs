//! A brainstorm as its facilitator sees it: how far it is, and which ideas are worth a try.

use quorate_contract::{BriefConclusion, BriefIdea};
use serde::Serialize;

use super::conclusion::{Action, said_by};
use super::ideas::name_of;
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{capital, clip, sentence};

/// An idea that was chosen, and why.
#[derive(Debug, Serialize)]
pub(super) struct ChosenIdea {
    idea: String,
    why: String,
}

pub(super) struct Picks {
    pub(super) conclusion: String,
    pub(super) actions: Vec<Action>,
    pub(super) best: Vec<ChosenIdea>,
    pub(super) wildcard: Option<ChosenIdea>,
}

/// The ideas with the most follow-ups, one for each participant as far as possible, and as wildcard the
/// latest without any.
pub(super) fn choose(scene: &mut AnswerContext<'_>, asked: &BriefConclusion) -> Picks {
    let chosen = ranked(&asked.ideas, asked.best_ideas as usize);
    let count = asked.ideas.len().to_string();
    let lead = scene.fixed("idea.conclusion", &[("n", &count)]);
    let mut conclusion = format!("{}\n", sentence(&lead, scene.language));
    let (mut best, mut actions) = (Vec::new(), Vec::new());
    for (place, idea) in chosen.iter().enumerate() {
        let why = sentence(&scene.line("idea.best", place, &[]), scene.language);
        let by = scene.name(&idea.by);
        let line = scene.fixed("summary.position", &[("x", &idea.text), ("n", &by)]);
        conclusion.push_str(&format!("\n- [{}] {line}", idea.id));
        if place < 2 {
            let name = name_of(&idea.text, scene.language);
            let what = clip(&scene.fixed("idea.action", &[("x", &name)]), 300);
            actions.push(Action {
                what,
                sources: said_by(&asked.sources, Some(&idea.by), &idea.text),
                who: Some(by).filter(|name| here(scene, name)),
            });
        }
        best.push(ChosenIdea { idea: idea.id.clone(), why });
    }
    let is_chosen = |idea: &&BriefIdea| chosen.iter().any(|one| one.id == idea.id);
    let lonely = asked.ideas.iter().rev().filter(|idea| !is_chosen(idea));
    let wild =
        lonely.clone().find(|idea| idea.built_on == 0).or(lonely.clone().next()).map(|idea| idea.id.clone());
    let wildcard = wild.map(|idea| {
        let place = scene.rng.below(2);
        ChosenIdea { idea, why: sentence(&scene.line("idea.wildcard", place, &[]), scene.language) }
    });
    Picks { conclusion: clip(&conclusion, 1800), actions, best, wildcard }
}

fn here(scene: &AnswerContext<'_>, name: &str) -> bool {
    scene.brief.participants.iter().any(|participant| participant.name == name)
}

/// The state after a round: a summary, and the leading ideas so far.
pub(super) fn so_far(scene: &mut AnswerContext<'_>, ideas: &[BriefIdea]) -> (String, String) {
    let (count, round) = (ideas.len().to_string(), scene.brief.round.to_string());
    let built: u32 = ideas.iter().map(|idea| idea.built_on).sum();
    let built = built.min(ideas.len() as u32).to_string();
    let lead = scene.fixed("idea.summary", &[("r", &round), ("n", &count), ("m", &built)]);
    let mut summary = sentence(&lead, scene.language);
    let mut draft = format!("**{}**\n", scene.fixed("idea.draft", &[]));
    for idea in ranked(ideas, 4) {
        let by = scene.name(&idea.by);
        let line = scene.fixed("summary.position", &[("x", &idea.text), ("n", &by)]);
        summary.push_str(&format!("\n- [{}] {}", idea.id, line));
        draft.push_str(&format!("\n- {}", capital(&idea.text)));
    }
    (clip(&summary, 1200), clip(&draft, 1500))
}

/// The ideas most built on, the later before the earlier; each person once before any twice.
fn ranked(ideas: &[BriefIdea], most: usize) -> Vec<&BriefIdea> {
    let mut ideas: Vec<(usize, &BriefIdea)> = ideas.iter().enumerate().collect();
    ideas.sort_by_key(|(place, idea)| (std::cmp::Reverse(idea.built_on), std::cmp::Reverse(*place)));
    let ideas: Vec<&BriefIdea> = ideas.into_iter().map(|(_, idea)| idea).collect();
    let mut chosen: Vec<&BriefIdea> = Vec::new();
    for idea in &ideas {
        if chosen.len() < most && !chosen.iter().any(|one| one.by == idea.by) {
            chosen.push(idea);
        }
    }
    for idea in ideas {
        if chosen.len() < most && !chosen.iter().any(|one| one.id == idea.id) {
            chosen.push(idea);
        }
    }
    chosen
}
