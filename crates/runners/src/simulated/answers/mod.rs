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
mod positions;
mod react;
mod records;
pub(super) mod scripted;
mod speak;
mod summary;
mod team;
mod vote;

use quorate_contract::{Brief, BriefTask, Temperament};
use serde::Serialize;

use super::answer_context::AnswerContext;

/// The complete answer of a participant that skips its turn.
pub(super) const SKIP: &str = "[SKIP]";

/// Writes the answer to a brief, well-formed for every temperament: out of the topic's script where there is one that
/// foresees the task, otherwise generated. Sentences that stand in `said` are not said again.
pub(super) fn write_after(brief: &Brief, said: &str, temperament: Temperament) -> String {
    if let Some(written) = scripted::answer(brief, temperament) {
        return written;
    }
    let scene = AnswerContext::new(brief, temperament).after(said);
    match &brief.task {
        BriefTask::Blind(_) => json(&blind::answer(scene)),
        BriefTask::Speak(asked) => speak::answer(scene, asked),
        BriefTask::Vote => json(&vote::answer(scene)),
        BriefTask::Summarize(asked) => json(&summary::summarize(scene, asked)),
        BriefTask::Facilitate => json(&facilitation::facilitate(scene)),
        BriefTask::Conclude(asked) => json(&conclusion::conclude(scene, asked)),
        BriefTask::Contribute(asked) => contribute::answer(scene, asked),
        BriefTask::Intake(asked) => json(&intake::ask(scene, asked)),
        BriefTask::Team(asked) => json(&team::propose(scene, asked)),
        BriefTask::Invite(asked) => json(&team::invite(scene, asked)),
        BriefTask::Evaluate(asked) => json(&marks::evaluate(scene, asked)),
        BriefTask::Minutes(asked) => json(&records::minutes(scene, &asked.sources, asked.request.as_deref())),
        BriefTask::Artifact(asked) => artifact::draw(scene, asked),
    }
}

/// The answer when nothing has been said yet.
#[cfg(test)]
pub(super) fn write(brief: &Brief, temperament: Temperament) -> String {
    write_after(brief, "", temperament)
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("an answer has only text, numbers and truth values")
}
