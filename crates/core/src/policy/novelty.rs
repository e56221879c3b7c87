//! Novelty of a message, measured by pairs of characters that did not occur before. Plain counting, so that
//! it costs nothing and replays.

use quorate_contract::Actor;
use std::collections::HashMap;

use crate::state::{Meeting, Round, TurnState};

/// A message of whose pairs of characters more than this share was already in one earlier message
/// says nothing new.
const REPEATED: f64 = 0.8;
/// The number of earlier messages that are compared.
const LOOK_BACK: usize = 60;

/// For how many rounds in a row, up to the last, nothing new was said.
pub(crate) fn stale_rounds(m: &Meeting) -> u32 {
    let mut known = CountedPairs::default();
    let stale = m.rounds.iter().rev().take_while(|round| is_stale(m, round, &mut known)).count();
    u32::try_from(stale).unwrap_or(u32::MAX)
}

/// The pairs of messages, each counted once however many others are held against it.
type CountedPairs = HashMap<usize, Vec<u64>>;

fn is_stale(m: &Meeting, round: &Round, known: &mut CountedPairs) -> bool {
    let said = round.turns.iter().filter_map(|turn| match turn.state {
        TurnState::Said(id) => Some((id.0 as usize).saturating_sub(1)).filter(|place| *place < m.said.len()),
        TurnState::Open | TurnState::Skipped | TurnState::Failed(_) => None,
    });
    let from = m.said.partition_point(|said| said.round < round.number);
    let until = m.said.partition_point(|said| said.round <= round.number);
    let outside = (from..until.max(from)).filter(|place| {
        let said = &m.said[*place];
        said.turn.is_none() && matches!(said.speaker, Actor::Participant { .. })
    });
    said.chain(outside).all(|place| is_repeated(m, place, known))
}

fn is_repeated(m: &Meeting, place: usize, known: &mut CountedPairs) -> bool {
    let before = m.said[..place].iter().enumerate().rev().take(LOOK_BACK);
    let agents = before.filter(|(_, other)| matches!(other.speaker, Actor::Participant { .. }));
    let agents: Vec<usize> = agents.map(|(place, _)| place).collect();
    for place in agents.iter().chain([&place]) {
        known.entry(*place).or_insert_with(|| pairs(&m.said[*place].content));
    }
    let own = &known[&place];
    agents.iter().any(|other| {
        let shared = shared(own, &known[other]);
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
    let shared = shared(&a, &b) as f64;
    !a.is_empty() && shared > REPEATED * a.len().max(b.len()) as f64
}

/// The pairs of letters of a text, sorted, each once.
fn pairs(text: &str) -> Vec<u64> {
    let letters = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let mut before: Option<char> = None;
    let mut pairs: Vec<u64> = Vec::new();
    for letter in letters {
        if let Some(before) = before.replace(letter) {
            pairs.push(u64::from(u32::from(before)) << 32 | u64::from(u32::from(letter)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The number of common pairs.
fn shared(one: &[u64], other: &[u64]) -> usize {
    let (mut a, mut b, mut count) = (0, 0, 0);
    while let (Some(left), Some(right)) = (one.get(a), other.get(b)) {
        count += usize::from(left == right);
        (a, b) = (a + usize::from(left <= right), b + usize::from(right <= left));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_that_share_more_than_four_of_five_pairs() {
        assert!(alike("abcdefg", "abcdefh"), "five of six");
        assert!(!alike("abcdef", "abcdeg"), "four of five");
        assert!(!alike("abcdefg", "abcdefghijkl"), "the longer one says more");
        assert!(alike("Begin with SQLite.", "begin, with SQLite!"));
        assert!(alike(" ? ", "?") && !alike("?", "!"), "signs alone say nothing, but themselves");
    }

    #[test]
    fn pairs_are_of_letters_and_digits_each_once() {
        assert_eq!(pairs("A-b ab").len(), 2);
        assert!(pairs("a").is_empty());
        assert_eq!(shared(&pairs("abcd"), &pairs("xbcde")), 2);
    }

    #[test]
    fn a_round_is_stale_when_its_agents_repeat_more_than_four_of_five_pairs() {
        use crate::tests::{round_of, says, seated};
        let stale = |second: &str, beside: Actor| {
            let mut m = seated(1);
            let ada = Actor::participant(quorate_contract::ParticipantId(1));
            for (number, words) in [(1, "abcdefg"), (2, second)] {
                says(&mut m, number, ada.clone(), "p1", words);
                let id = quorate_contract::MessageId(m.said.len() as u32);
                m.rounds.push(round_of(number, &[(1, TurnState::Said(id))]));
            }
            says(&mut m, 2, beside, "p2", "something else altogether");
            stale_rounds(&m)
        };
        let ben = Actor::participant(quorate_contract::ParticipantId(2));
        assert_eq!(stale("abcdefg", Actor::owner()), 1, "what people say does not make agents say more");
        assert_eq!(stale("abcdefg", ben), 0, "what an agent says outside of its turn counts");
        assert_eq!(stale("abcdex", Actor::owner()), 0, "four of five are not more than that");
    }
}
