//! Persuasion, and the value of a draft for each participant.
//!
//! These are the only numbers of the simulation. They are tuned so that a mixed meeting usually fails its
//! first ballot, takes up the conditions named there, and passes in the second or third round, while a
//! stubborn dissenter keeps its low score.

use quorate_contract::{BriefTarget, BriefTurn, Temperament};

use super::answer_context::AnswerContext;

/// The position of a participant after it has read the claims that it is to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UpdatedStance {
    /// The choice before.
    pub(super) before: usize,
    /// The choice now.
    pub(super) now: usize,
    /// Which of the targets moved it.
    pub(super) moved_by: Option<usize>,
}

/// Reads the targets and perhaps moves.
pub(super) fn take(scene: &mut AnswerContext<'_>, asked: &BriefTurn) -> UpdatedStance {
    let before = scene.own_choice();
    let brief = scene.brief;
    for (place, target) in asked.targets.iter().enumerate() {
        let Some(other) = held_by(scene, target) else {
            continue;
        };
        if target.disagrees && other != before {
            let percent = openness(scene, before, other);
            if scene.rng.chance(percent) {
                return UpdatedStance { before, now: other, moved_by: Some(place) };
            }
        }
    }
    // Without a point to answer it is the agreeable who drift, in free talk now and then another, and
    // only towards the majority.
    let leading = scene.leading_choice();
    let percent = match scene.temperament {
        Temperament::Agreeable => 50,
        Temperament::Stubborn => 0,
        _ if scene.is_free_talk() && brief.round > 1 => 20,
        _ => 0,
    };
    let drifts = asked.targets.is_empty()
        && percent > 0
        && scene.support(leading) > scene.support(before)
        && scene.rng.chance(percent);
    UpdatedStance { before, now: if drifts { leading } else { before }, moved_by: None }
}

fn held_by(scene: &AnswerContext<'_>, target: &BriefTarget) -> Option<usize> {
    scene.choice_of(&target.owner).or_else(|| scene.matter.find(&target.text))
}

/// The chance in percent that a claim for `other` moves a holder of `own`.
fn openness(scene: &AnswerContext<'_>, own: usize, other: usize) -> i32 {
    let seats = scene.brief.participants.len().max(1) as i32;
    let share = 100 * scene.support(other) as i32 / seats;
    let stronger = scene.support(other) > scene.support(own);
    let drafted = scene.draft_choice() == Some(other);
    let weight = share / 3 + if stronger { 15 } else { 0 } + if drafted { 15 } else { 0 };
    match scene.temperament {
        Temperament::Stubborn => 0,
        Temperament::Agreeable => 50 + weight,
        Temperament::Balanced
        | Temperament::Copycat
        | Temperament::Verbose
        | Temperament::Silent
        | Temperament::Slow
        | Temperament::Flaky
        | Temperament::Malformed
        | Temperament::Injecting => {
            let heard = if scene.taken_up() == 2 { 10 } else { 0 };
            // A reasonable participant does not leave the draft's position for a smaller camp.
            if scene.draft_choice() == Some(own) && !stronger { 4 } else { weight + heard }
        }
    }
}

/// The value of the draft for a holder of `own`, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DraftScore {
    /// The score, 0-100.
    pub(super) score: u8,
    /// Whether the draft agrees with the choice.
    pub(super) agrees: bool,
    /// How far the draft takes its condition up; see [`AnswerContext::taken_up`].
    pub(super) taken_up: u8,
}

/// A score lets the draft pass from here on.
pub(super) const PASS_FROM: u8 = 75;

/// Scores the present draft.
pub(super) fn weigh(scene: &mut AnswerContext<'_>) -> DraftScore {
    let own = scene.own_choice();
    let drafted = scene.draft_choice().unwrap_or_else(|| scene.leading_choice());
    let agrees = own == drafted;
    let taken_up = scene.taken_up();
    let (base, dissent) = match scene.temperament {
        Temperament::Agreeable => (76, -5),
        Temperament::Stubborn => (66, -30),
        Temperament::Balanced
        | Temperament::Copycat
        | Temperament::Verbose
        | Temperament::Silent
        | Temperament::Slow
        | Temperament::Flaky
        | Temperament::Malformed
        | Temperament::Injecting => (70, -11),
    };
    let concern = [0, 5, 15][usize::from(taken_up.min(2))];
    let call_time = 3 * scene.brief.round.saturating_sub(1).min(5) as i32;
    let stance = if agrees { 0 } else { dissent };
    let mut score = base + stance + concern + call_time + scene.rng.between(-3, 4);
    let earlier = scene.brief.participants.iter().find(|participant| participant.name == scene.brief.name);
    if let Some(earlier) = earlier.and_then(|participant| participant.score).map(i32::from) {
        // A score stays near the last one where nothing has changed.
        score = if taken_up == 2 { score.max(earlier) } else { score.clamp(earlier - 3, earlier + 9) };
    }
    if scene.temperament == Temperament::Stubborn && !agrees {
        score = score.min(i32::from(PASS_FROM) - 7);
    }
    DraftScore { score: score.clamp(5, 97) as u8, agrees, taken_up }
}
