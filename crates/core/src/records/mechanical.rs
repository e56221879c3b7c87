//! What the rules write when no facilitator does: plainer, but complete and never invented.

use std::cmp::Reverse;

use crate::command::{ConclusionForm, FacilitationForm, SummaryForm};
use crate::event::{ActionItem, Disagreement, Position, Side};
use crate::ids::ParticipantId;
use crate::meeting::Meeting;
use crate::rules::Language;
use crate::rules::order::mix;
use crate::text::shorten;

/// Everybody's position in their own words.
pub(crate) fn summary(m: &Meeting) -> SummaryForm {
    let positions = positions(m);
    let lines: Vec<String> = positions
        .iter()
        .map(|position| {
            let holders: Vec<String> = position.holders.iter().map(|id| m.name_of(*id)).collect();
            let separator = m.language().pick("、", ", ");
            format!("- {}{}{}", holders.join(separator), m.language().pick("：", ": "), position.text)
        })
        .collect();
    // Each line is shortened alike, so that no position falls off the end.
    let max = m.rules().context.summary_max_chars as usize;
    let share = max / lines.len().max(1);
    let text = lines.iter().map(|line| shorten(line, share.saturating_sub(1).max(8)));
    let text = shorten(&text.collect::<Vec<_>>().join("\n"), max);
    SummaryForm { summary: text, positions, draft: draft(m) }
}

/// Positions as they stand now; those in the very same words are one.
fn positions(m: &Meeting) -> Vec<Position> {
    let mut positions: Vec<Position> = Vec::new();
    for seat in m.present() {
        let Some(stance) = &seat.stance else { continue };
        let id = seat.participant.id;
        match positions.iter_mut().find(|position| position.text == stance.position) {
            Some(position) => position.holders.push(id),
            None => positions.push(Position { text: stance.position.clone(), holders: vec![id] }),
        }
    }
    positions
}

/// The position that most hold, then the one that is held most surely; ties are drawn from the seed.
pub(crate) fn draft(m: &Meeting) -> String {
    let confidence =
        |id: &ParticipantId| m.seat(*id).and_then(|s| s.stance.as_ref()?.confidence).map_or(0, u32::from);
    let best = positions(m).into_iter().min_by_key(|position| {
        let sure: u32 = position.holders.iter().map(confidence).sum();
        let first = position.holders.first().map_or(0, |id| u64::from(id.0));
        (Reverse(position.holders.len()), Reverse(sure), mix(&[m.charter.seed, first]))
    });
    best.map(|position| position.text).unwrap_or_default()
}

/// The facilitator's words after a failed ballot, as a message.
pub(crate) fn facilitation_message(language: Language, form: &FacilitationForm) -> String {
    let mut parts = Vec::new();
    let mut list = |title: &str, items: &[String]| {
        if !items.is_empty() {
            let items: String = items.iter().map(|item| format!("\n- {item}")).collect();
            parts.push(format!("**{title}**{items}"));
        }
    };
    list(language.pick("主要分歧", "Disagreements"), &form.disagreements);
    if !form.proposed_patch.is_empty() {
        list(
            language.pick("建议的最小修订", "Smallest change proposed"),
            std::slice::from_ref(&form.proposed_patch),
        );
    }
    list(language.pick("下一轮焦点", "Next focus"), &form.next_focus);
    parts.join("\n\n")
}

/// The best conclusion that can be drawn without a model: the draft on the table, the positions
/// that stand against each other, and what voters said was missing.
pub(crate) fn conclusion(m: &Meeting) -> ConclusionForm {
    let language = m.language();
    let nothing = language.pick("会议没有形成结论草案。", "The meeting came to no draft.");
    let conclusion = match m.draft() {
        Some(draft) => draft.text.clone(),
        None => {
            let best = draft(m);
            if best.is_empty() { nothing.to_owned() } else { best }
        }
    };
    let held = match m.positions() {
        [] => positions(m),
        summed_up => summed_up.to_vec(),
    };
    let disagreements = match held.len() {
        0 | 1 => Vec::new(),
        _ => vec![Disagreement {
            issue: m.charter.topic.clone(),
            sides: held
                .into_iter()
                .map(|position| Side {
                    why: reason_of(m, &position),
                    view: position.text,
                    holders: position.holders,
                })
                .collect(),
        }],
    };
    ConclusionForm { conclusion, disagreements, actions: actions(m) }
}

fn reason_of(m: &Meeting, position: &Position) -> String {
    let mine = |owner: ParticipantId| position.holders.contains(&owner);
    let claim = m.claims.iter().rev().find(|claim| mine(claim.owner));
    claim.map(|claim| claim.claim.text.clone()).unwrap_or_default()
}

fn actions(m: &Meeting) -> Vec<ActionItem> {
    let Some((ballot, _)) = m.last_counted_ballot() else { return Vec::new() };
    let mut actions: Vec<ActionItem> = Vec::new();
    for missing in ballot.votes().flat_map(|(_, vote)| &vote.missing) {
        let what = m.language().pick(format!("补充：{missing}"), format!("Find out: {missing}"));
        if !actions.iter().any(|action| action.what == what) {
            actions.push(ActionItem { what, who: None, sources: Vec::new() });
        }
    }
    actions.truncate(8);
    actions
}
