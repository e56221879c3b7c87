//! Reactions to other positions where speakers are given no claims to answer.

use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::UpdatedStance;
use crate::simulated::text::sentence;

/// A reply by name to the last speaker before it, preferably one with an opposing position. `None` while no
/// position is known.
pub(super) fn react(
    scene: &mut AnswerContext<'_>,
    stand: UpdatedStance,
    claim: &str,
    rival: usize,
) -> Option<String> {
    let participants = &scene.brief.participants;
    let own = scene.seat();
    let before = (1..participants.len())
        .map(|back| &participants[(own + participants.len() - back) % participants.len()]);
    let held: Vec<(String, usize)> = before
        .filter(|participant| participant.name != scene.brief.name)
        .filter_map(|participant| Some((scene.name(&participant.name), scene.choice_of(&participant.name)?)))
        .collect();
    let moved = stand.before != stand.now;
    let wanted = if moved { stand.now } else { rival };
    let (owner, choice) = held.iter().find(|(_, choice)| *choice == wanted).or(held.first())?;
    let section = match (moved && *choice == stand.now, *choice == stand.now) {
        (true, _) => "react.moved",
        (false, true) => "react.agree",
        (false, false) => "react.disagree",
    };
    let (now, was, theirs) = (scene.label(stand.now), scene.label(stand.before), scene.label(*choice));
    let slots = [("owner", owner.as_str()), ("o", &now), ("w", &was), ("r", &theirs), ("x", claim)];
    let text = sentence(&scene.shared(section, 0, &slots), scene.language);
    Some(match section {
        "react.moved" => {
            let gap = if scene.language == quorate_contract::Language::En { " " } else { "" };
            format!("{text}{gap}{}", sentence(claim, scene.language))
        }
        _ => text,
    })
}
