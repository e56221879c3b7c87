//! Quotes of others for a reader of the layered view.
//!
//! From the last two rounds: risks, open questions, claims and sentences of others, ranked by how many pairs
//! of characters they share with the reader's own concerns. Plain counting, so that it costs nothing and
//! replays.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::{Actor, ClaimKind, MessageId, ParticipantId, shorten};

use crate::state::{Meeting, MeetingMessage};

/// The largest length of a quote in characters.
const QUOTE_MAX_CHARS: usize = 240;
/// A shorter sentence says too little to be quoted.
const QUOTE_MIN_CHARS: usize = 6;

/// A quote of another participant.
pub(super) struct Quote<'m> {
    /// The message they come from.
    pub(super) message: MessageId,
    /// The speaker.
    pub(super) from: &'m str,
    /// The kind: `risk`, `question`, `claim`, `fact`, `idea` or `words`.
    pub(super) kind: &'static str,
    /// The words; a claim begins with its number.
    pub(super) text: Cow<'m, str>,
}

/// Something that could be quoted.
struct Candidate<'m> {
    quote: Quote<'m>,
    owner: ParticipantId,
    score: usize,
}

/// At most `most` quotes out of the visible messages from `from` on, in the order of the messages.
pub(super) fn of<'m>(m: &'m Meeting, reader: ParticipantId, from: usize, most: usize) -> Vec<Quote<'m>> {
    let visible = m.visible_messages();
    let since = m.round_number().saturating_sub(1);
    let recent = m.said[..visible].iter().enumerate().rev();
    let recent = recent.take_while(|(place, said)| *place >= from && said.round >= since);
    let others = recent.filter_map(|(_, said)| match said.speaker {
        Actor::Participant { id: owner } if owner != reader => Some((owner, said.as_ref())),
        Actor::Participant { .. } | Actor::Person { .. } | Actor::Facilitator | Actor::System => None,
    });
    let desk = desk_of(m, reader);
    let mut found: Vec<Candidate<'m>> = Vec::new();
    for (owner, said) in others {
        gather(m, owner, said, &desk, &mut found);
    }
    // The best first; of two that are as good, the later one, and then as they stand there.
    found.sort_by_key(|one| (Reverse(one.score), Reverse(one.quote.message)));
    let mut kept = spread(found, most);
    kept.sort_by_key(|one| one.quote.message);
    kept.into_iter().map(|one| one.quote).collect()
}

/// The reader's concerns: topic, focus, its role and its position.
fn desk_of(m: &Meeting, reader: ParticipantId) -> BTreeSet<(char, char)> {
    let mut text = m.settings.topic.clone();
    let focus = m.round().map(|round| round.focus.as_slice()).unwrap_or_default();
    focus.iter().for_each(|item| text += &format!("\n{item}"));
    if let Some(seat) = m.seat(reader) {
        text += &format!("\n{}\n{}", seat.participant.role.name, seat.participant.role.description);
        seat.stance.iter().for_each(|stance| text += &format!("\n{}", stance.position));
    }
    pairs(&text)
}

fn gather<'m>(
    m: &'m Meeting,
    owner: ParticipantId,
    said: &'m MeetingMessage,
    desk: &BTreeSet<(char, char)>,
    found: &mut Vec<Candidate<'m>>,
) {
    let mut add = |kind: &'static str, weight: usize, words: &str, text: Cow<'m, str>| {
        let own = pairs(words);
        let shared = own.intersection(desk).count();
        // A share of its own pairs, so that a long sentence does not win by its length alone.
        let score = weight + 100 * shared / own.len().max(12);
        let quote = Quote { message: said.id, from: &said.name, kind, text };
        found.push(Candidate { quote, owner, score });
    };
    for record in said.claims.iter().filter_map(|id| m.claim(*id)) {
        let (kind, weight) = match record.claim.kind {
            ClaimKind::Risk => ("risk", 20),
            ClaimKind::Claim => ("claim", 10),
            ClaimKind::Fact => ("fact", 10),
            ClaimKind::Idea => ("idea", 10),
            ClaimKind::Objection => ("claim", 10),
        };
        let text = format!("[{}] {}", record.claim.id, shorten(&record.claim.text, QUOTE_MAX_CHARS));
        add(kind, weight, &record.claim.text, text.into());
    }
    // Open questions of a participant are taken from its last message only.
    let is_last = m.said.iter().rev().find(|other| other.speaker == said.speaker);
    if is_last.is_some_and(|last| last.id == said.id)
        && let Some(stance) = m.seat(owner).and_then(|seat| seat.stance.as_ref())
    {
        for question in &stance.open_questions {
            add("question", 15, question, shorten(question, QUOTE_MAX_CHARS).into());
        }
    }
    for sentence in sentences(&said.content) {
        let text = match sentence.chars().count() > QUOTE_MAX_CHARS {
            true => Cow::Owned(shorten(sentence, QUOTE_MAX_CHARS)),
            false => Cow::Borrowed(sentence),
        };
        add("words", 0, sentence, text);
    }
}

/// The best `most`, none of them twice, with room for every speaker: a talkative one does not fill the list
/// alone.
fn spread(found: Vec<Candidate<'_>>, most: usize) -> Vec<Candidate<'_>> {
    let voices: BTreeSet<ParticipantId> = found.iter().map(|one| one.owner).collect();
    let share = most.div_ceil(voices.len().max(1));
    let mut had: BTreeMap<ParticipantId, usize> = BTreeMap::new();
    let mut kept: Vec<Candidate<'_>> = Vec::new();
    for one in found {
        let repeated = kept.iter().any(|other| {
            other.quote.text.contains(one.quote.text.as_ref())
                || one.quote.text.contains(other.quote.text.as_ref())
        });
        let own = had.entry(one.owner).or_default();
        if kept.len() < most && *own < share && !repeated {
            *own += 1;
            kept.push(one);
        }
    }
    kept
}

/// The sentences of a text, one by one.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let cut = std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .char_indices()
            .find(|&(at, c)| match c {
                '。' | '！' | '？' | '；' | '\n' => true,
                '.' | '!' | '?' => rest[at + c.len_utf8()..].starts_with([' ', '\n']),
                _ => false,
            })
            .map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (one, after) = rest.split_at(end);
        rest = after;
        Some(one.trim().trim_start_matches(['#', '*', '>', '-', ' ']))
    });
    cut.filter(|one| one.chars().count() >= QUOTE_MIN_CHARS)
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let letters: Vec<char> =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_sentences() {
        let text = "# 标题很长很长\n先试点。再推广，慢慢来！v1.2 is out. Use it now\n- ok";
        let found: Vec<&str> = sentences(text).collect();
        assert_eq!(found, ["标题很长很长", "再推广，慢慢来！", "v1.2 is out.", "Use it now"]);
    }
}
