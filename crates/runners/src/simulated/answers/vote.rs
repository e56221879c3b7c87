//! A vote on the draft: a score, and a reason that names what is missing word for word, so that
//! the facilitator can take it up.

use quorate_contract::Temperament;
use serde::Serialize;

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::PASS_FROM;
use crate::simulated::text::{clip, mentions, sentence, within_quotes};
use crate::simulated::{faults, persuasion};

#[derive(Debug, Serialize)]
pub(super) struct Vote {
    score: u8,
    pass: bool,
    reason: String,
    missing: Vec<String>,
}

pub(super) fn answer(mut scene: AnswerContext<'_>) -> Vote {
    if let Some(echo) = echo(&scene) {
        return echo;
    }
    let worth = persuasion::weigh(&mut scene);
    let pass = worth.score >= PASS_FROM;
    let own = scene.own_choice();
    let drafted = scene.draft_choice().unwrap_or_else(|| scene.leading_choice());
    let section = match (pass, worth.taken_up, worth.agrees) {
        (true, 2, _) => "vote.pass.full",
        (true, _, _) => "vote.pass.partial",
        (false, 2, false) => "vote.fail.stay",
        (false, _, false) => "vote.fail.dissent",
        (false, _, true) => "vote.fail.missing",
    };
    // Who has been given the first condition and still does not pass asks for the second.
    let place = usize::from(!pass && worth.taken_up == 2 && worth.agrees);
    let condition = scene.condition(place);
    let lens = scene.lens_at(place);
    let lens_name = scene.lens_name(lens);
    let (own_label, drafted_label) = (scene.label(own), scene.label(drafted));
    let slots =
        [("c", condition), ("o", own_label.as_str()), ("d", drafted_label.as_str()), ("l", lens_name)];
    let mut reason = scene.shared(section, 0, &slots);
    let rival = scene.rival_of(own);
    if scene.temperament == Temperament::Verbose {
        let more = scene.reason_for(own, rival, 5);
        reason = format!("{} {}", sentence(&reason, scene.language), more);
    }
    if scene.temperament == Temperament::Injecting {
        reason = format!("{} {reason}", faults::forged_frame(&mut scene));
    }
    let missing = if pass {
        Vec::new()
    } else {
        let sections = scene.sections(place, "missing");
        vec![scene.sentence_of(&sections, worth.score.into(), &[])]
    };
    Vote {
        score: worth.score,
        pass,
        reason: clip(&sentence(&reason, scene.language), 300),
        missing: missing.iter().map(|text| clip(text, 200)).collect(),
    }
}

/// A copycat votes as its neighbour did the last time.
fn echo(scene: &AnswerContext<'_>) -> Option<Vote> {
    if scene.temperament != Temperament::Copycat {
        return None;
    }
    let others =
        scene.brief.participants.iter().take_while(|participant| participant.name != scene.brief.name);
    let neighbour = others.filter(|participant| participant.score.is_some()).last()?;
    let score = neighbour.score?.min(100);
    let reason = neighbour.vote_reason.clone().unwrap_or_default();
    let conditions = scene.all_conditions().filter(|condition| mentions(&reason, condition));
    let pass = score >= PASS_FROM;
    let missing = if pass { Vec::new() } else { conditions.map(within_quotes).take(2).collect() };
    Some(Vote { score, pass, reason: clip(&reason, 300), missing })
}
