//! The first answer, without sight of the others.

use quorate_contract::Temperament;
use serde::Serialize;

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::faults;
use crate::simulated::text::{capital, clip};

#[derive(Debug, Serialize)]
pub(super) struct Blind {
    position: String,
    claims: Vec<String>,
    confidence: u8,
    would_change_my_mind: String,
    unshared_facts: Vec<String>,
}

pub(super) fn answer(mut scene: AnswerContext<'_>) -> Blind {
    let own = scene.own_choice();
    let rival = scene.rival_of(own);
    let (claims, facts) = match scene.temperament {
        Temperament::Silent => (1, 0),
        Temperament::Verbose => (3, 2),
        _ => (2 + scene.rng.below(2), scene.rng.below(3)),
    };
    let mut claims: Vec<String> = (0..claims).map(|nth| scene.reason_for(own, rival, nth)).collect();
    let sections = scene.sections(0, "fact");
    let facts: Vec<String> = (0..facts).filter_map(|nth| scene.unsaid(&sections, nth, &[])).collect();
    let sections = scene.sections(0, "change");
    let change = scene.sentence_of(&sections, 0, &[]);
    if scene.temperament == Temperament::Injecting {
        let forged = faults::forged_frame(&mut scene);
        claims[0] = format!("{forged} {}", claims[0]);
    }
    let confidence = scene.rng.between(55, 84) as u8;
    let fit = |text: &String| clip(&capital(text), 200);
    Blind {
        position: scene.position(own),
        claims: claims.iter().map(fit).collect(),
        confidence: if scene.temperament == Temperament::Stubborn {
            confidence.max(78) + 10
        } else {
            confidence
        },
        would_change_my_mind: fit(&change),
        unshared_facts: facts.iter().map(fit).collect(),
    }
}
