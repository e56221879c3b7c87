//! The facilitation: why a ballot failed, the smallest change that could mend it, and the next focus.

use quorate_contract::Language;
use serde::Serialize;

use super::positions::{Request, is_drafted, names, positions, requests};
use super::summary::NEW_CONDITIONS;
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::text::{capital, clip, one_line, sentence, within_quotes};

#[derive(Debug, Serialize)]
pub(super) struct Facilitation {
    disagreements: Vec<String>,
    proposed_patch: String,
    next_focus: Vec<String>,
}

pub(super) fn facilitate(mut scene: AnswerContext<'_>) -> Facilitation {
    let language = scene.language;
    let asked = requests(&scene);
    let lacking: Vec<Request> =
        asked.into_iter().filter(|request| !is_drafted(&scene, &request.text)).collect();
    let mut disagreements = Vec::new();
    for (place, request) in lacking.iter().take(2).enumerate() {
        let who = scene.name(&request.who);
        let text = within_quotes(&request.text);
        disagreements.push(scene.shared("facilitate.disagreement", place, &[("n", &who), ("x", &text)]));
    }
    let held = positions(&scene);
    let leading = scene.leading_choice();
    let drafted = scene.draft_choice().unwrap_or(leading);
    if let Some(other) = held.iter().find(|held| scene.matter.find(&held.text) != Some(drafted)) {
        let names = names(&scene, &other.holders);
        let view = clip(&within_quotes(&one_line(&other.text)), 120);
        disagreements.push(scene.fixed("facilitate.split", &[("n", &names), ("x", &view)]));
    }
    if disagreements.is_empty() {
        disagreements.push(scene.fixed("facilitate.none", &[]));
    }
    let wanted: Vec<String> =
        lacking.iter().take(NEW_CONDITIONS).map(|request| quoted(&request.text, language)).collect();
    let proposed_patch = if wanted.is_empty() {
        scene.fixed("facilitate.patch_none", &[])
    } else {
        let separator = match language {
            Language::Zh => "；",
            Language::En => "; ",
        };
        scene.fixed("facilitate.patch", &[("x", &wanted.join(separator))])
    };
    let mut next_focus = Vec::new();
    for (place, request) in lacking.iter().take(2).enumerate() {
        let (text, who) = (within_quotes(&request.text), scene.name(&request.who));
        next_focus.push(capital(&scene.shared("facilitate.focus", place, &[("x", &text), ("n", &who)])));
    }
    if next_focus.is_empty() {
        next_focus.push(capital(&scene.fixed("facilitate.focus_none", &[])));
    }
    Facilitation {
        disagreements: disagreements.iter().map(|text| clip(&sentence(text, language), 300)).collect(),
        proposed_patch: clip(&sentence(&proposed_patch, language), 600),
        next_focus: next_focus.iter().map(|text| clip(text, 300)).collect(),
    }
}

fn quoted(text: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("「{}」", within_quotes(text)),
        Language::En => format!("“{}”", text.replace(['“', '”'], "'")),
    }
}
