//! The shortened record, for a model whose context it did not fit.
//!
//! It has no more tokens than there is room for, by rules alone, so that it replays: the draft; the last
//! messages, at most half as many as before, cut where they are long; the last summary and all positions in
//! place of earlier messages; then other pieces as far as there is room. Quotes and minutes go first. The
//! topic, the task and its targets stay as they are.

use quorate_contract::TaskId;

use super::brief::has_just_spoken;
use super::images;
use super::record_parts::RecordPiece;
use crate::prompt::tokens::estimate_tokens;
use crate::state::tasks::answerer;
use crate::state::{Meeting, MeetingMessage};

/// The number of last messages that come before any other piece except the draft.
const LAST_MESSAGES: usize = 2;
/// A message that would be cut shorter than this says too little to be given.
const CUT_MIN_CHARS: usize = 40;

/// The number of tokens of these pieces, as rendered.
pub(super) fn tokens(m: &Meeting, pieces: &[RecordPiece<'_>]) -> u64 {
    pieces.iter().map(|piece| tokens_of(m, piece)).sum()
}

fn tokens_of(m: &Meeting, piece: &RecordPiece<'_>) -> u64 {
    let mut words = "\n\n".to_owned();
    piece.put(m, &mut words);
    let image = if let RecordPiece::File(record) = piece { images::tokens_of(record) } else { 0 };
    estimate_tokens(&words) + image
}

/// Replaces pieces by shorter ones, in their order, so that they fit into this number of tokens.
pub(super) fn of<'m>(
    m: &'m Meeting,
    task: TaskId,
    pieces: Vec<RecordPiece<'m>>,
    room: u64,
) -> Vec<RecordPiece<'m>> {
    let said: Vec<usize> =
        places(&pieces, |piece| matches!(piece, RecordPiece::Own(_) | RecordPiece::Said(_)));
    let most_messages = (said.len() / 2).max(LAST_MESSAGES);
    let mut desk = Desk { m, left: room, kept: Vec::new() };
    // A draft has to be read before it can be discussed, so it stays whatever it takes.
    if let Some(place) = places(&pieces, |piece| matches!(piece, RecordPiece::Draft(_))).last() {
        desk.left = desk.left.saturating_sub(tokens_of(m, &pieces[*place]));
        desk.kept.push((*place, None));
    }
    let last: Vec<usize> = said.iter().rev().take(LAST_MESSAGES).copied().collect();
    for (had, place) in last.iter().enumerate() {
        let share = desk.left / (last.len() - had) as u64;
        desk.keep_cut(*place, &pieces[*place], share);
    }
    let positions = standing(m, task);
    let beside: Vec<RecordPiece<'m>> = match m.summaries.last() {
        Some(summary) if places(&pieces, |piece| matches!(piece, RecordPiece::Summary(_))).is_empty() => {
            std::iter::once(RecordPiece::Summary(summary)).chain(positions).collect()
        }
        Some(_) | None => positions,
    };
    let summary = places(&pieces, |piece| matches!(piece, RecordPiece::Summary(_)));
    summary.last().into_iter().for_each(|place| desk.keep(*place, &pieces[*place]));
    let beside: Vec<RecordPiece<'m>> = beside.into_iter().filter(|piece| desk.has_room_for(piece)).collect();
    let is_news = |piece: &RecordPiece<'_>| match piece {
        RecordPiece::Announcement(_)
        | RecordPiece::File(_)
        | RecordPiece::Answers(_)
        | RecordPiece::Ballot(..) => true,
        RecordPiece::Own(_)
        | RecordPiece::Said(_)
        | RecordPiece::Cut { .. }
        | RecordPiece::Summary(_)
        | RecordPiece::Draft(_) => false,
        RecordPiece::Minutes(_) | RecordPiece::Position(..) | RecordPiece::Quote(_) => false,
    };
    places(&pieces, is_news).iter().rev().for_each(|place| desk.keep(*place, &pieces[*place]));
    for place in said.iter().rev().skip(LAST_MESSAGES).take(most_messages - LAST_MESSAGES) {
        desk.keep(*place, &pieces[*place]);
    }
    places(&pieces, |piece| matches!(piece, RecordPiece::Minutes(_)))
        .iter()
        .for_each(|place| desk.keep(*place, &pieces[*place]));
    desk.laid_out(pieces, beside)
}

/// The pieces that are kept, and the remaining room.
struct Desk<'m> {
    m: &'m Meeting,
    left: u64,
    /// The place of each piece, and to how many characters it is cut.
    kept: Vec<(usize, Option<usize>)>,
}

impl<'m> Desk<'m> {
    /// Takes a piece if there is room for it, and returns whether there was.
    fn has_room_for(&mut self, piece: &RecordPiece<'_>) -> bool {
        let needed = tokens_of(self.m, piece);
        let fits = needed <= self.left;
        self.left -= if fits { needed } else { 0 };
        fits
    }

    fn keep(&mut self, place: usize, piece: &RecordPiece<'_>) {
        let known = self.kept.iter().any(|(other, _)| *other == place);
        if !known && self.has_room_for(piece) {
            self.kept.push((place, None));
        }
    }

    /// Keeps a message, cut to a number of tokens.
    fn keep_cut(&mut self, place: usize, piece: &RecordPiece<'m>, share: u64) {
        let Some((said, own)) = words_of(piece) else { return };
        if tokens_of(self.m, piece) <= share {
            return self.keep(place, piece);
        }
        let mut chars =
            said.content.chars().count().min(usize::try_from(share).unwrap_or(usize::MAX) * 5 / 2);
        while chars >= CUT_MIN_CHARS {
            let cut = RecordPiece::Cut { said, own, chars };
            if tokens_of(self.m, &cut) <= share {
                self.left = self.left.saturating_sub(tokens_of(self.m, &cut));
                return self.kept.push((place, Some(chars)));
            }
            chars = chars * 3 / 4;
        }
    }

    /// The kept pieces in their original order, with the additional ones in front.
    fn laid_out(&self, pieces: Vec<RecordPiece<'m>>, beside: Vec<RecordPiece<'m>>) -> Vec<RecordPiece<'m>> {
        let kept = pieces.into_iter().enumerate().filter_map(|(place, piece)| {
            let (_, chars) = self.kept.iter().find(|(other, _)| *other == place)?;
            match (chars, words_of(&piece)) {
                (Some(chars), Some((said, own))) => Some(RecordPiece::Cut { said, own, chars: *chars }),
                _ => Some(piece),
            }
        });
        beside.into_iter().chain(kept).collect()
    }
}

fn words_of<'m>(piece: &RecordPiece<'m>) -> Option<(&'m MeetingMessage, bool)> {
    match piece {
        RecordPiece::Own(said) => Some((said, true)),
        RecordPiece::Said(said) => Some((said, false)),
        RecordPiece::Cut { .. }
        | RecordPiece::Summary(_)
        | RecordPiece::Draft(_)
        | RecordPiece::Ballot(..) => None,
        RecordPiece::Minutes(_)
        | RecordPiece::Announcement(_)
        | RecordPiece::File(_)
        | RecordPiece::Answers(_) => None,
        RecordPiece::Position(..) | RecordPiece::Quote(_) => None,
    }
}

fn places(pieces: &[RecordPiece<'_>], fits: impl Fn(&RecordPiece<'_>) -> bool) -> Vec<usize> {
    let found = pieces.iter().enumerate().filter(|(_, piece)| fits(piece));
    found.map(|(place, _)| place).collect()
}

/// The positions of all other participants, as far as they are visible.
fn standing(m: &Meeting, task: TaskId) -> Vec<RecordPiece<'_>> {
    let reader = answerer(m, task);
    let others = m.present().filter(|seat| Some(seat.participant.id) != reader);
    others
        .filter(|seat| !has_just_spoken(m, seat.participant.id))
        .filter_map(|seat| {
            let stance = seat.stance.as_ref().filter(|stance| !stance.position.is_empty())?;
            Some(RecordPiece::Position(&seat.participant.name, &stance.position))
        })
        .collect()
}
