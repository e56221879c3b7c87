//! The positions that are held now, and those from before any exchange.
//!
//! Positions count as one when the last summary says so. A participant who spoke after it, or is in none of
//! its positions, is assigned by likeness of words (`policy/novelty.rs`); so is a first position that was
//! given up. A participant who never gave up a position held its present one from the start.

use std::sync::Arc;

use quorate_contract::{Actor, ParticipantId, RoundKind};
use serde::Serialize;

use super::numbers::{HEALTH_LIST_MAX, cited, share};
use crate::policy::wording::says_the_same;
use crate::state::{Meeting, MeetingMessage, Seat};

/// A position with its current and its first holders.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionSupport {
    /// The text of the position.
    pub text: String,
    /// The current holders.
    pub now: PositionShare,
    /// The holders after their first messages; where somebody answered in a blind round, only those who did.
    pub blind: PositionShare,
    /// Whether a holder was assigned by the similarity of texts and not by a summary.
    pub by_likeness: bool,
    /// The sequence numbers of the events that it comes from.
    pub seqs: Vec<u64>,
}

/// The support for a position.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionShare {
    /// The number of holders.
    pub count: usize,
    /// Their share of all holders of positions, 0-1.
    pub share: f64,
    /// The holders.
    pub holders: Vec<ParticipantId>,
}

/// Present participants who have stated a position.
pub fn voices(m: &Meeting) -> impl Iterator<Item = &Seat> + Clone {
    m.present().filter(|seat| seat.stance.as_ref().is_some_and(|stance| !stance.position.is_empty()))
}

/// Whether a participant's first answer was in a blind round, before it had heard the others. A participant that joins
/// later, or fails in that round, begins with the answers of the others. What it says outside of its turns is no answer.
pub fn began_blind(m: &Meeting, id: ParticipantId) -> bool {
    let own = |said: &&Arc<MeetingMessage>| said.turn.is_some() && said.speaker == Actor::Participant { id };
    let round = m.said.iter().find(own).and_then(|said| said.turn).map(|turn| turn.round);
    m.rounds.iter().any(|held| Some(held.number) == round && held.kind == RoundKind::Blind)
}

/// All positions, the most held first.
pub(crate) fn of(m: &Meeting) -> Vec<PositionSupport> {
    let mut found = now(m);
    let any_blind = m.seats.iter().any(|seat| began_blind(m, seat.participant.id));
    for seat in voices(m).filter(|seat| !any_blind || began_blind(m, seat.participant.id)) {
        let id = seat.participant.id;
        let place = match m.shifts.iter().any(|shift| shift.participant == id) {
            false => found.iter().position(|position| position.now.holders.contains(&id)),
            true => {
                let first = seat.first.as_ref().map(|first| first.position.as_str());
                first.filter(|text| !text.is_empty()).map(|text| place_of(m, &mut found, text))
            }
        };
        if let Some(place) = place {
            found[place].blind.holders.push(id);
        }
    }
    let everybody = voices(m).count();
    let spoke_at_first = found.iter().map(|position| position.blind.holders.len()).sum();
    for position in &mut found {
        let seqs = position.now.holders.iter().chain(&position.blind.holders);
        position.seqs = cited(seqs.flat_map(|id| seqs_of(m, *id)));
        count(&mut position.now, everybody);
        count(&mut position.blind, spoke_at_first);
    }
    found.sort_by(|a, b| {
        let rank = |position: &PositionSupport| (position.now.count, position.blind.count);
        rank(b).cmp(&rank(a)).then_with(|| a.text.cmp(&b.text))
    });
    found
}

fn now(m: &Meeting) -> Vec<PositionSupport> {
    let summary = m.summaries.last();
    let mut found: Vec<PositionSupport> = m.positions().iter().map(|one| empty(&one.text)).collect();
    for seat in voices(m) {
        let id = seat.participant.id;
        let since = summary.map_or(0, |summary| summary.seq);
        let has_moved = m.shifts.iter().any(|shift| shift.participant == id && shift.seq > since);
        let summed_up = m.positions().iter().position(|one| one.holders.contains(&id));
        // A participant who has since adopted the very words of another position holds that one, whether or
        // not it says that it moved.
        let own = seat.stance.as_ref().map_or("", |stance| stance.position.as_str());
        let spoke = m.said.iter().rev().take_while(|said| said.seq > since);
        let spoke = spoke.into_iter().any(|said| said.speaker == Actor::Participant { id });
        let same_words = found.iter().position(|position| spoke && position.text == own);
        let place = match same_words.or(summed_up.filter(|_| !has_moved)) {
            Some(place) => place,
            None => place_of(m, &mut found, own),
        };
        found[place].now.holders.push(id);
    }
    // A position of the summary without present holders is still listed.
    found
}

fn empty(text: &str) -> PositionSupport {
    PositionSupport {
        text: text.to_owned(),
        now: PositionShare::default(),
        blind: PositionShare::default(),
        by_likeness: false,
        seqs: Vec::new(),
    }
}

/// The position that a text belongs to: one with alike words, its own or a holder's; otherwise a new one.
fn place_of(m: &Meeting, found: &mut Vec<PositionSupport>, text: &str) -> usize {
    let own = |id: &ParticipantId| m.seat(*id).and_then(|seat| seat.stance.as_ref());
    let is_here = |position: &PositionSupport| {
        let holders = position.now.holders.iter().filter_map(own);
        let same = |held: &str| says_the_same(held, text);
        same(&position.text) || holders.into_iter().any(|stance| same(&stance.position))
    };
    match found.iter().position(is_here) {
        Some(place) => {
            found[place].by_likeness = true;
            place
        }
        None => {
            found.push(empty(text));
            found.len() - 1
        }
    }
}

fn count(support: &mut PositionShare, everybody: usize) {
    support.count = support.holders.len();
    support.share = share(support.count, everybody);
    support.holders.sort_unstable();
    support.holders.truncate(HEALTH_LIST_MAX);
}

/// The events of a participant's first and last message, and of its last summary.
fn seqs_of(m: &Meeting, id: ParticipantId) -> impl Iterator<Item = u64> {
    let own = || m.said.iter().filter(move |said| said.speaker == Actor::Participant { id });
    let ends = [own().next().map(|said| said.seq), own().next_back().map(|said| said.seq)];
    let summed_up = m.positions().iter().any(|one| one.holders.contains(&id));
    let summary = m.summaries.last().filter(|_| summed_up).map(|summary| summary.seq);
    ends.into_iter().flatten().chain(summary)
}
