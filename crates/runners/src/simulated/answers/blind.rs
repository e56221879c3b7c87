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
    let first = scene.lens_at(0);
    let second = scene.lens_at(1);
    let (claims, facts) = match scene.temperament {
        Temperament::Silent => (1, 0),
        Temperament::Verbose => (3, 2),
        _ => (2 + scene.rng.below(2), scene.rng.below(3)),
    };
    let sources = [(first, 0), (second, 0), (first, 1)];
    let claims = sources.into_iter().take(claims);
    let mut claims: Vec<String> =
        claims.map(|(lens, nth)| scene.of_lens(lens, "claim", nth, own, rival)).collect();
    let facts = [(first, 0), (second, 0)].into_iter().take(facts);
    let facts = facts.map(|(lens, nth)| scene.of_lens(lens, "fact", nth, own, rival)).collect::<Vec<_>>();
    let change = scene.of_lens(first, "change", 0, own, rival);
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
