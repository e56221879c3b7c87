//! The answers to every kind of task, in the shapes that the prompts ask for.

mod artifact;
mod blind;
mod conclusion;
mod contribute;
mod facilitation;
mod ideas;
mod intake;
mod lead;
mod marks;
mod open;
mod pass;
mod picks;
mod react;
mod records;
mod speak;
mod summary;
mod team;
mod voices;
mod vote;

use quorate_contract::{Brief, BriefKind, Temperament};
use serde::Serialize;

use super::scene::Scene;

/// The complete answer of a participant that skips its turn.
pub(super) const SKIP: &str = "[SKIP]";

/// Writes the answer to a brief, well-formed for every temperament.
pub(super) fn write(brief: &Brief, temperament: Temperament) -> String {
    let scene = Scene::new(brief, temperament);
    match brief.kind {
        BriefKind::Blind => json(&blind::answer(scene)),
        BriefKind::Speak => speak::answer(scene),
        BriefKind::Vote => json(&vote::answer(scene)),
        BriefKind::Summarize => json(&summary::summarize(scene)),
        BriefKind::Facilitate => json(&facilitation::facilitate(scene)),
        BriefKind::Conclude => json(&conclusion::conclude(scene)),
        BriefKind::Contribute => contribute::answer(scene),
        BriefKind::Intake => json(&intake::ask(scene)),
        BriefKind::Team => json(&team::propose(scene)),
        BriefKind::Invite => json(&team::invite(scene)),
        BriefKind::Evaluate => json(&marks::evaluate(scene)),
        BriefKind::Minutes => json(&records::minutes(scene)),
        BriefKind::Artifact => artifact::draw(scene),
    }
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("an answer has only text, numbers and truth values")
}
