//! The facilitator's view of the participants: their positions and requests.
//!
//! It sees no roles and no messages, only positions and the reasons of votes.

use quorate_contract::BriefParticipant;
use serde::Serialize;

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::PASS_FROM;
use crate::simulated::text::{clip, list, mentions, one_line};

/// A draft never has more conditions than this.
pub(super) const MOST_CONDITIONS: usize = 8;

/// One position and its holders.
#[derive(Debug, Clone, Serialize)]
pub(super) struct HeldPosition {
    pub(super) text: String,
    pub(super) holders: Vec<String>,
}

/// Every participant with a position is a holder of exactly one; the most widely held comes first.
pub(super) fn positions(scene: &AnswerContext<'_>) -> Vec<HeldPosition> {
    let mut groups: Vec<(Option<usize>, HeldPosition)> = Vec::new();
    for participant in &scene.brief.participants {
        let Some(position) = participant.position.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let choice = scene.matter.find(position);
        let text = choice.map_or_else(|| clip(&one_line(position), 200), |choice| scene.position(choice));
        let group = groups.iter_mut().find(|(known, held)| match choice {
            Some(_) => *known == choice,
            None => held.text == text,
        });
        match group {
            Some((_, held)) => held.holders.push(participant.name.clone()),
            None => groups.push((choice, HeldPosition { text, holders: vec![participant.name.clone()] })),
        }
    }
    groups.sort_by_key(|(_, held)| std::cmp::Reverse(held.holders.len()));
    groups.into_iter().map(|(_, held)| held).collect()
}

/// A change of the draft that a participant asks for.
pub(super) struct Request {
    pub(super) who: String,
    pub(super) text: String,
}

/// The requests of the last votes, the lowest score first. A reason in free words (a person's, another
/// model's) is taken as it is when its vote did not pass.
pub(super) fn requests(scene: &AnswerContext<'_>) -> Vec<Request> {
    let mut participants: Vec<&BriefParticipant> =
        scene.brief.participants.iter().filter(|participant| participant.vote_reason.is_some()).collect();
    participants.sort_by_key(|participant| participant.score.unwrap_or(50));
    let mut requests: Vec<Request> = Vec::new();
    for participant in participants {
        let reason = one_line(participant.vote_reason.as_deref().unwrap_or_default());
        let lowered = reason.to_ascii_lowercase();
        let named = scene.all_conditions().find(|condition| lowered.contains(condition));
        let text = match named {
            Some(condition) => condition.to_owned(),
            None if participant.score.is_some_and(|score| score < PASS_FROM) => clip(&reason, 90),
            None => continue,
        };
        if !text.is_empty() && !requests.iter().any(|request| request.text == text) {
            requests.push(Request { who: participant.name.clone(), text });
        }
    }
    requests
}

pub(super) fn is_drafted(scene: &AnswerContext<'_>, text: &str) -> bool {
    scene.brief.draft.as_deref().is_some_and(|draft| mentions(draft, text))
}

/// The conditions of the present draft: the list items before its reservations.
pub(super) fn drafted_conditions(scene: &AnswerContext<'_>) -> Vec<String> {
    let Some(draft) = scene.brief.draft.as_deref() else {
        return Vec::new();
    };
    let reservations = scene.lines("draft.open").first().copied().unwrap_or_default();
    draft
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with(&format!("**{reservations}")))
        .filter_map(|line| line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")))
        .map(|item| clip(one_line(item).trim_end_matches(['。', '.']), 120))
        .filter(|item| !item.is_empty())
        .take(MOST_CONDITIONS)
        .collect()
}

pub(super) fn names(scene: &AnswerContext<'_>, holders: &[String]) -> String {
    let names: Vec<String> = holders.iter().map(|name| scene.name(name)).collect();
    list(&names, scene.language)
}
