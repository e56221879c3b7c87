//! The conclusion: what was decided and under which conditions, what is left open between whom,
//! and what is to be done.

use quorate_contract::{BriefConclusion, BriefParticipant, BriefSources, Language};
use serde::Serialize;

use super::picks;
use super::picks::ChosenIdea;
use super::positions::{HeldPosition, drafted_conditions, positions, requests};
use super::records::sources_of;
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::PASS_FROM;
use crate::simulated::text::{capital, clip, mentions, one_line, sentence, within_quotes};

#[derive(Debug, Serialize)]
pub(super) struct Conclusion {
    #[serde(skip_serializing_if = "Option::is_none")]
    conclusion: Option<String>,
    /// The reasons beside an accepted draft, which is the conclusion itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<String>,
    disagreements: Vec<Disagreement>,
    actions: Vec<Action>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<ChosenIdea>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wildcard: Option<ChosenIdea>,
}

#[derive(Debug, Serialize)]
struct Disagreement {
    issue: String,
    sides: Vec<Side>,
}

#[derive(Debug, Serialize)]
struct Side {
    view: String,
    why: String,
    holders: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Action {
    pub(super) what: String,
    pub(super) who: Option<String>,
    /// The messages that it rests on; none for what nobody has said in so many words.
    pub(super) sources: Vec<String>,
}

pub(super) fn conclude(mut scene: AnswerContext<'_>, asked: &BriefConclusion) -> Conclusion {
    if asked.best_ideas > 0 && !asked.ideas.is_empty() {
        let picks::Picks { conclusion, actions, best, wildcard } = picks::choose(&mut scene, asked);
        let (conclusion, reasons) = worded(asked, conclusion);
        let (disagreements, best) = (Vec::new(), Some(best));
        return Conclusion { conclusion, reasons, disagreements, actions, best, wildcard };
    }
    let positions = positions(&scene);
    let conditions = drafted_conditions(&scene);
    let drafted = scene.draft_choice().unwrap_or_else(|| scene.leading_choice());
    let conclusion = conclusion_text(&mut scene, asked, &positions, &conditions, drafted);
    let mut actions: Vec<Action> = Vec::new();
    for condition in conditions.iter().take(3) {
        let what = scene.fixed("conclude.action", &[("x", &within_quotes(condition))]);
        let asked_by = scene.brief.participants.iter().find(|participant| {
            participant.vote_reason.as_deref().is_some_and(|reason| mentions(reason, condition))
        });
        actions.push(Action {
            what: clip(&what, 200),
            who: asked_by.map(|participant| participant.name.clone()),
            sources: said_by(&asked.sources, asked_by.map(|one| one.name.as_str()), condition),
        });
    }
    let ground = scene.matter.ground;
    let first = Some(ground.section("first", "conclude.first")).filter(|_| actions.is_empty());
    for section in first.into_iter().chain([ground.section("review", "conclude.review")]) {
        let what = scene.fixed(&section, &[]);
        actions.push(Action { what, who: None, sources: Vec::new() });
    }
    let disagreements = open_disagreements(&mut scene, &positions);
    let (conclusion, reasons) = worded(asked, clip(&conclusion, 2400));
    Conclusion { conclusion, reasons, disagreements, actions, best: None, wildcard: None }
}

/// The messages with these words, of one participant or of anybody.
pub(super) fn said_by(given: &BriefSources, by: Option<&str>, words: &str) -> Vec<String> {
    let by_them = given.messages.iter().rev().filter(|message| by.is_none_or(|by| message.by == by));
    by_them
        .filter(|message| mentions(&message.text, words))
        .map(|message| message.id.clone())
        .take(1)
        .collect()
}

/// A sentence with the numbers of the messages that it rests on.
fn cited(sentence: &str, sources: &[String], language: Language) -> String {
    let mut sources = sources.to_vec();
    sources.sort_by_key(|id| id.trim_start_matches('m').parse::<u32>().ok());
    let words = sentence.trim_end_matches(['.', '。']);
    let end = &sentence[words.len()..];
    let space = if language == Language::En { " " } else { "" };
    match sources.as_slice() {
        [] => sentence.to_owned(),
        sources => format!("{words}{space}[{}]{end}", sources.join(", ")),
    }
}

/// The text of a conclusion; for an accepted draft, the reasons beside it.
fn worded(asked: &BriefConclusion, text: String) -> (Option<String>, Option<String>) {
    match asked.accepted {
        true => (None, Some(text)),
        false => (Some(text), None),
    }
}

fn conclusion_text(
    scene: &mut AnswerContext<'_>,
    asked: &BriefConclusion,
    positions: &[HeldPosition],
    conditions: &[String],
    drafted: usize,
) -> String {
    let language = scene.language;
    let decided = positions
        .iter()
        .find(|held| scene.matter.find(&held.text) == Some(drafted))
        .or(positions.first())
        .cloned();
    let text = decided.as_ref().map_or_else(|| scene.position(drafted), |held| held.text.clone());
    let sources = decided.as_ref().map(|held| sources_of(&asked.sources, held)).unwrap_or_default();
    // The accepted draft is not repeated.
    let mut out =
        if asked.accepted { String::new() } else { cited(&sentence(&text, language), &sources, language) };
    if !conditions.is_empty() {
        out.push_str(&format!("\n\n### {}\n", scene.fixed("conclude.conditions", &[])));
        for condition in conditions {
            out.push_str(&format!("\n- {}", capital(condition)));
        }
    }
    // Agreement is counted from the votes and positions, not described here.
    let rounds = scene.rounds();
    let story = scene.fixed("conclude.story", &[("r", &rounds), ("x", &text)]);
    let heading = scene.fixed("conclude.why", &[]);
    let story = sentence(&story, language);
    let story = if asked.accepted { cited(&story, &sources, language) } else { story };
    out.push_str(&format!("\n\n### {heading}\n\n{story}"));
    out.trim_start().to_owned()
}

fn open_disagreements(scene: &mut AnswerContext<'_>, positions: &[HeldPosition]) -> Vec<Disagreement> {
    let mut open = Vec::new();
    if positions.len() > 1 {
        let issue = clip(&scene.fixed("conclude.issue", &[]), 200);
        let mut sides = Vec::new();
        for held in positions {
            let holds = |participant: &&BriefParticipant| held.holders.contains(&participant.name);
            let mut holders = scene.brief.participants.iter().filter(holds);
            let voted = holders.find_map(|participant| participant.vote_reason.as_deref()).map(one_line);
            let chief = scene.matter.find(&held.text).map(|choice| scene.chief_reason(choice));
            let why = voted.or(chief).unwrap_or_else(|| one_line(&held.text));
            sides.push(Side { view: held.text.clone(), why: clip(&why, 300), holders: held.holders.clone() });
        }
        open.push(Disagreement { issue, sides });
    }
    let low = |participant: &&BriefParticipant| participant.score.is_some_and(|score| score < PASS_FROM);
    let unhappy: Vec<&BriefParticipant> = scene.brief.participants.iter().filter(low).collect();
    let content: Vec<String> = scene
        .brief
        .participants
        .iter()
        .filter(|participant| participant.score.is_some_and(|score| score >= PASS_FROM))
        .map(|participant| participant.name.clone())
        .collect();
    if positions.len() <= 1
        && !content.is_empty()
        && let (Some(first), Some(request)) = (unhappy.first(), requests(scene).into_iter().next())
    {
        let why = clip(&one_line(first.vote_reason.as_deref().unwrap_or_default()), 300);
        let holders = unhappy.iter().map(|participant| participant.name.clone()).collect();
        let issue = clip(&scene.fixed("conclude.concern", &[("x", &request.text)]), 200);
        let (yes, no) = (scene.fixed("conclude.concern_yes", &[]), scene.fixed("conclude.concern_no", &[]));
        let calm = scene.fixed("conclude.concern_why", &[]);
        open.push(Disagreement {
            issue,
            sides: vec![Side { view: yes, why, holders }, Side { view: no, why: calm, holders: content }],
        });
    }
    open
}
