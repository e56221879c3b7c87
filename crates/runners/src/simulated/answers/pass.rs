//! The decision to skip a turn.

use quorate_contract::{BriefTurn, Temperament};

use crate::simulated::answer_context::AnswerContext;

/// Whether a participant that may skip does so.
pub(super) fn wants_to_pass(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> bool {
    if asked.targets.is_empty() && scene.brief.draft.is_none() && scene.temperament != Temperament::Silent {
        let percent = dries_up(scene, asked);
        return scene.rng.chance(percent);
    }
    let addressed = !asked.targets.is_empty() || asked.steering.is_some();
    match scene.temperament {
        Temperament::Silent => true,
        Temperament::Agreeable => !addressed && scene.rng.chance(15),
        Temperament::Copycat => !addressed && scene.rng.chance(10),
        Temperament::Stubborn | Temperament::Verbose | Temperament::Injecting => false,
        Temperament::Balanced | Temperament::Slow | Temperament::Flaky | Temperament::Malformed => {
            !addressed && scene.rng.chance(8)
        }
    }
}

/// The chance of a skip in percent where speakers are given no claims to answer: it grows until a person
/// speaks.
fn dries_up(scene: &AnswerContext<'_>, asked: &BriefTurn) -> i32 {
    let (fresh, round) = (!asked.focus.is_empty(), scene.brief.round);
    let percent = match (asked.wants_ideas, round) {
        _ if fresh => 5,
        (true, _) => 6 * round.min(6) as i32 - 4,
        (false, 0 | 1) => 4,
        (false, 2) => 15,
        (false, 3) => 35,
        (false, 4) => 60,
        (false, 5) => 80,
        (false, _) => 97,
    };
    match scene.temperament {
        Temperament::Stubborn | Temperament::Verbose | Temperament::Injecting => percent - 12,
        _ => percent,
    }
}
