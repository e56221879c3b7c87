//! Whether anything new was said: by pairs of characters that were not there before. Plain counting,
//! so that it costs nothing and replays.

use std::collections::BTreeSet;

use crate::meeting::{Meeting, Round, Said, Speaker, TurnState};

/// A message of whose pairs of characters more than this share was already in one earlier message
/// says nothing new.
const REPEATED: f64 = 0.8;
/// So many earlier messages are looked at.
const LOOK_BACK: usize = 60;

/// For how many rounds in a row, up to the last, nothing new was said.
pub(crate) fn stale_rounds(m: &Meeting) -> u32 {
    let stale = m.rounds.iter().rev().take_while(|round| is_stale(m, round)).count();
    u32::try_from(stale).unwrap_or(u32::MAX)
}

fn is_stale(m: &Meeting, round: &Round) -> bool {
    let said = round.turns.iter().filter_map(|turn| match turn.state {
        TurnState::Said(id) => m.said.get((id.0 as usize).saturating_sub(1)),
        TurnState::Open | TurnState::Skipped | TurnState::Failed(_) => None,
    });
    said.into_iter().all(|said| is_repeated(m, said))
}

fn is_repeated(m: &Meeting, said: &Said) -> bool {
    let own = pairs(&said.content);
    let place = (said.id.0 as usize).saturating_sub(1).min(m.said.len());
    let before = m.said[..place].iter().rev().take(LOOK_BACK);
    let mut agents = before.filter(|other| matches!(other.speaker, Speaker::Participant(_)));
    agents.any(|other| {
        let other = pairs(&other.content);
        let shared = own.intersection(&other).count();
        shared as f64 > REPEATED * own.len() as f64 || own.is_empty()
    })
}

/// Whether two texts say the same: each repeats the other.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    if one == other {
        return true;
    }
    let (a, b) = (pairs(one), pairs(other));
    let shared = a.intersection(&b).count() as f64;
    !a.is_empty() && shared > REPEATED * a.len().max(b.len()) as f64
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
}
