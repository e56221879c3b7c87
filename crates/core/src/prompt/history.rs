//! The record of a meeting in the view of a reader: append-only, so that from one call to the next it stays
//! the same from the front and a provider's prompt cache hits.
//!
//! The rules decide which part a participant reads (`rules.context.view`). The facilitator always reads the
//! record; the writer of minutes or an artifact reads all that it must cover.

use std::sync::Arc;

use quorate_contract::{Actor, ContextScope, ParticipantId, TaskId};

use super::quotes;
use super::record_parts::RecordPiece;
use crate::state::tasks::answerer;
use crate::state::{BallotState, FileRecord, Meeting, MinutesVersion, Summary};

/// The place of a piece: the event that made it visible, and its index among the pieces of that event.
type PiecePosition = (u64, u32);

/// The pieces in front of everything, in this order.
const MINUTES: PiecePosition = (0, 0);
const ANNOUNCEMENT: PiecePosition = (0, 1);
const SUMMARY: PiecePosition = (0, 2);
const DRAFT: PiecePosition = (0, 3);

/// The record that the reader of this task gets.
pub(super) fn of(m: &Meeting, task: TaskId) -> Vec<RecordPiece<'_>> {
    let reader = answerer(m, task);
    match (task, reader, m.rules().context.view) {
        // Lines of minutes and artifacts cite messages, the writer's own included.
        (TaskId::Minutes(version), ..) => {
            let asked = m.minutes_requests.get(&version).map(|request| request.covers);
            let to = asked.unwrap_or(m.said.len());
            read(m, None, &RecordSpan { to, ..RecordSpan::whole(m) })
        }
        (TaskId::Artifact(..), ..) => read(m, None, &RecordSpan::whole(m)),
        (_, Some(reader), ContextScope::SinceOwnWord) => {
            read(m, Some(reader), &RecordSpan::since_own_word(m, reader))
        }
        (_, Some(reader), ContextScope::Round) => read(m, Some(reader), &RecordSpan::round(m)),
        (_, Some(reader), ContextScope::Layered) => layered(m, reader),
        (_, reader, ContextScope::Record) | (_, reader @ None, _) => {
            read(m, reader, &RecordSpan::record(m, task))
        }
    }
}

/// Which part of the record is read.
struct RecordSpan<'m> {
    /// The first message that is read, and the one after the last.
    from: usize,
    to: usize,
    /// Pieces other than messages that are older than this event are represented by the last of their kind.
    from_seq: u64,
    /// The minutes that stand for what they cover.
    minutes: Option<&'m MinutesVersion>,
    /// Whether round summaries are included.
    summaries: bool,
}

impl<'m> RecordSpan<'m> {
    /// Everything, word for word.
    fn whole(m: &Meeting) -> Self {
        Self { from: 0, to: m.said.len(), from_seq: 0, minutes: None, summaries: true }
    }

    /// The messages from this one on, with summaries of those before.
    fn from(m: &'m Meeting, from: usize) -> Self {
        let minutes = m.current_minutes();
        let covered = minutes.map_or(0, |minutes| minutes.covers);
        let from = from.max(covered).min(m.said.len());
        let begins = m.said.get(from).map_or(m.seq + 1, |said| said.seq);
        let from_seq = match minutes {
            Some(minutes) if from == covered => minutes.seq,
            Some(_) | None if from == 0 => 0,
            Some(_) | None => begins,
        };
        Self { from, to: m.said.len(), from_seq, minutes, summaries: m.rules().context.rolling_summary }
    }

    /// All of it, but for what has given way to minutes or the window.
    fn record(m: &'m Meeting, task: TaskId) -> Self {
        let part = Self::from(m, m.window_from);
        match task {
            // The facilitator needs the messages of the round to summarize or mark it, whether or not minutes
            // cover them.
            TaskId::Summarize(_) | TaskId::Evaluate(_) => {
                Self { from: part.from.min(m.round_from.max(m.window_from.min(m.said.len()))), ..part }
            }
            _ => part,
        }
    }

    /// From the reader's own last message on; before its first, everything.
    fn since_own_word(m: &'m Meeting, reader: ParticipantId) -> Self {
        let own = m.own_word_until(reader);
        let keep = m.rules().context.recent_messages as usize;
        let bound = if keep == 0 { 0 } else { m.said.len().saturating_sub(keep) };
        match (own, m.current_minutes()) {
            // What came after the minutes follows them, as far as the window goes.
            (Some(own), Some(_)) => Self::from(m, own.min(bound)),
            (Some(own), None) => Self::from(m, own),
            (None, _) => Self::from(m, bound),
        }
    }

    /// The last summary and the current round.
    fn round(m: &'m Meeting) -> Self {
        let number = m.round_number();
        // The summary of the round that runs does not replace its words while they are voted on.
        let before = m.summaries.iter().rev().find(|summary| summary.round < number || m.rounds.is_empty());
        let from = match before {
            Some(summary) => m.said.partition_point(|said| said.seq < summary.seq).min(m.round_from),
            None => m.window_from,
        };
        Self { summaries: true, ..Self::from(m, from) }
    }

    /// Whether the minutes cover everything that this summary sums up, and replace it.
    fn is_minuted(&self, m: &Meeting, summary: &Summary) -> bool {
        self.minutes.is_some_and(|minutes| {
            m.said.get(minutes.covers).is_none_or(|uncovered| summary.seq < uncovered.seq)
        })
    }
}

/// Pieces are in the order in which they became visible. What was said in a blind or parallel round
/// becomes visible when the round is over, in the order of its turns.
fn read<'m>(m: &'m Meeting, reader: Option<ParticipantId>, part: &RecordSpan<'m>) -> Vec<RecordPiece<'m>> {
    let mut placed: Vec<(PiecePosition, RecordPiece<'_>)> = Vec::with_capacity(part.to - part.from + 8);
    for said in &m.said[part.from..part.to] {
        let own = reader.is_some_and(|reader| said.speaker == Actor::Participant { id: reader });
        let silent = own && said.content.is_empty();
        if let Some(place) = m.visible_at(said, reader).filter(|_| !silent) {
            placed.push((place, if own { RecordPiece::Own(said) } else { RecordPiece::Said(said) }));
        }
    }
    put_minutes_and_answers(m, part, &mut placed);
    // What has given way is represented by the last summary, draft and announcement before it.
    let mut last_covered = None;
    for summary in m.summaries.iter().filter(|summary| !part.is_minuted(m, summary)) {
        if summary.seq < part.from_seq {
            last_covered = Some((SUMMARY, RecordPiece::Summary(summary)));
        } else if part.summaries {
            placed.push(((summary.seq, 0), RecordPiece::Summary(summary)));
        }
    }
    let mut last_draft = None;
    for draft in &m.drafts {
        if draft.seq < part.from_seq {
            last_draft = Some((DRAFT, RecordPiece::Draft(draft)));
        } else {
            placed.push(((draft.seq, 0), RecordPiece::Draft(draft)));
        }
    }
    placed.extend(last_covered.into_iter().chain(last_draft));
    // Votes are in no message, so minutes stand only for those that were counted before them.
    let counted_from = match part.minutes {
        Some(minutes) if part.from == minutes.covers => {
            minutes.covers.checked_sub(1).map_or(0, |place| m.said[place].seq)
        }
        Some(_) | None => part.from_seq,
    };
    for ballot in &m.ballots {
        if let (Some(seq), BallotState::Closed(verdict)) = (ballot.closed_seq, &ballot.state)
            && seq >= counted_from
        {
            placed.push(((seq, 0), RecordPiece::Ballot(ballot, verdict)));
        }
    }
    in_order(placed)
}

fn put_minutes_and_answers<'m>(
    m: &'m Meeting,
    part: &RecordSpan<'m>,
    placed: &mut Vec<(PiecePosition, RecordPiece<'m>)>,
) {
    placed.extend(part.minutes.map(|minutes| (MINUTES, RecordPiece::Minutes(minutes))));
    let mut last = None;
    for announcement in &m.announcements {
        if announcement.seq < part.from_seq {
            last = Some((ANNOUNCEMENT, RecordPiece::Announcement(announcement)));
        } else {
            placed.push(((announcement.seq, 0), RecordPiece::Announcement(announcement)));
        }
    }
    placed.extend(last);
    // The files themselves stand behind the opening; that one came in the middle is part of the record.
    let started = |record: &&Arc<FileRecord>| {
        m.said.first().is_some_and(|said| said.seq < record.seq) && record.seq >= part.from_seq
    };
    placed.extend(m.files.iter().filter(started).map(|file| ((file.seq, 0), RecordPiece::File(file))));
    // A person's answers hold for the whole meeting.
    placed.extend(m.answers.iter().map(|answers| ((answers.seq, 0), RecordPiece::Answers(answers))));
}

/// All messages of people; then the present draft, the last summary, the recommendation of each other
/// participant, and a few quotes of theirs. Not the dialogue, and nothing that the reader said itself. Pieces
/// that change from call to call come last.
fn layered(m: &Meeting, reader: ParticipantId) -> Vec<RecordPiece<'_>> {
    let part = RecordSpan { from_seq: 0, ..RecordSpan::from(m, 0) };
    let mut placed: Vec<(PiecePosition, RecordPiece<'_>)> = Vec::new();
    let people = m.said[part.from..].iter().filter(|said| matches!(said.speaker, Actor::Person { .. }));
    placed.extend(people.map(|said| ((said.seq, 0), RecordPiece::Said(said))));
    put_minutes_and_answers(m, &part, &mut placed);
    let mut pieces = in_order(placed);
    pieces.extend(m.draft().map(RecordPiece::Draft));
    let summary = m.summaries.last().filter(|summary| !part.is_minuted(m, summary));
    pieces.extend(summary.map(|summary| RecordPiece::Summary(summary)));
    let others = m.present().filter(|seat| seat.participant.id != reader);
    pieces.extend(others.filter(|seat| !super::brief::has_just_spoken(m, seat.participant.id)).filter_map(
        |seat| {
            let stance = seat.stance.as_ref()?;
            Some(RecordPiece::Position(&seat.participant.name, &stance.position))
        },
    ));
    let most = m.rules().context.quotes as usize;
    pieces.extend(quotes::of(m, reader, part.from, most).into_iter().map(RecordPiece::Quote));
    if let Some((ballot, verdict)) = m.last_counted_ballot() {
        pieces.push(RecordPiece::Ballot(ballot, verdict));
    }
    pieces
}

fn in_order(mut placed: Vec<(PiecePosition, RecordPiece<'_>)>) -> Vec<RecordPiece<'_>> {
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, piece)| piece).collect()
}
