//! The open questions of a meeting, and how they are settled round by round.
//!
//! All participants and the facilitator derive the same list from the topic: the questions that participants
//! raise are those that the summary counts, and settled ones leave both.

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::rng::{Rng, hash};

/// A question and what settles it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenQuestion {
    pub(super) ask: String,
    pub(super) answer: String,
}

/// The questions that are open in this round; those that are settled first stand last.
pub(super) fn in_round(scene: &mut AnswerContext<'_>, round: u32) -> Vec<OpenQuestion> {
    let count = scene.lines(&scene.matter.ground.section("question", "open.question")).len();
    let order = Rng::new(&[hash(&scene.brief.topic), 0x09e4]).order(count);
    let left = left(hash(&scene.brief.topic), round);
    order.into_iter().take(left).map(|place| question(scene, place)).collect()
}

/// The questions that were open in the round before and are no more.
pub(super) fn settled(scene: &mut AnswerContext<'_>) -> Vec<OpenQuestion> {
    let round = scene.brief.round;
    let now = in_round(scene, round);
    let before = if round < 2 { Vec::new() } else { in_round(scene, round - 1) };
    before.into_iter().filter(|one| !now.contains(one)).collect()
}

fn question(scene: &mut AnswerContext<'_>, place: usize) -> OpenQuestion {
    let ground = scene.matter.ground;
    OpenQuestion {
        ask: scene.line(&ground.section("question", "open.question"), place, &[]),
        answer: scene.line(&ground.section("answer", "open.answer"), place, &[]),
    }
}

fn left(topic: u64, round: u32) -> usize {
    let quick = (topic % 2) as usize;
    match round {
        0 | 1 => 5 - quick,
        2 => 3 - quick,
        3 => 2 - quick,
        4 => 1,
        _ => 0,
    }
}
