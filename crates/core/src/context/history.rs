//! The record of a meeting as a reader sees it: append-only, so that from one call to the next
//! everything stays the same from the front and a provider's prompt cache hits (design §7.8).

use crate::context::frame::frame;
use crate::event::RoundKind;
use crate::ids::ParticipantId;
use crate::meeting::{Ballot, Meeting, Said, Speaker, Summary};
use crate::rules::Verdict;

/// One piece of the record.
pub(super) struct Piece {
    /// Whether the reader said it itself.
    pub(super) own: bool,
    pub(super) text: String,
}

/// The record for this reader; `None` is the facilitator.
///
/// Pieces are in the order in which they became visible. What was said in a blind or parallel
/// round becomes visible when the round is over, in the order of its turns.
pub(super) fn of(m: &Meeting, reader: Option<ParticipantId>) -> Vec<Piece> {
    // Where a piece stands: the event that made it visible, and its place among those of that event.
    let mut placed: Vec<((u64, u32), Piece)> =
        Vec::with_capacity(m.said.len() - m.window_from.min(m.said.len()) + 8);
    let from_seq = m.said.get(m.window_from).filter(|_| m.window_from > 0).map_or(0, |said| said.seq);

    for said in &m.said[m.window_from.min(m.said.len())..] {
        if let Some(place) = visible_at(m, said, reader) {
            placed.push((place, piece_of(m, said, reader)));
        }
    }
    let mut last_covered = None;
    for summary in &m.summaries {
        if summary.seq < from_seq {
            last_covered = Some(summary);
        } else if m.rules().context.rolling_summary {
            placed.push(((summary.seq, 0), other(summary_frame(m, summary))));
        }
    }
    let mut last_draft = None;
    for draft in &m.drafts {
        if draft.seq < from_seq {
            last_draft = Some(draft);
        } else {
            placed.push(((draft.seq, 0), other(draft_frame(draft.version, &draft.text))));
        }
    }
    // What has given way to the window is represented by the last summary and draft before it.
    if let Some(summary) = last_covered {
        placed.push(((0, 0), other(summary_frame(m, summary))));
    }
    if let Some(draft) = last_draft {
        placed.push(((0, 1), other(draft_frame(draft.version, &draft.text))));
    }
    for ballot in &m.ballots {
        if let (Some(seq), crate::meeting::BallotState::Closed(verdict)) = (ballot.closed_seq, &ballot.state)
            && seq >= from_seq
        {
            placed.push(((seq, 0), other(ballot_frame(m, ballot, verdict))));
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, piece)| piece).collect()
}

fn other(text: String) -> Piece {
    Piece { own: false, text }
}

/// When a message becomes visible to a reader; `None` while it is not.
fn visible_at(m: &Meeting, said: &Said, reader: Option<ParticipantId>) -> Option<(u64, u32)> {
    let Some(turn) = said.turn else { return Some((said.seq, 0)) };
    let round = m.rounds.iter().rev().find(|round| round.number == turn.round)?;
    match round.kind {
        RoundKind::Serial => Some((said.seq, 0)),
        RoundKind::Blind | RoundKind::Parallel => match round.ended_seq {
            Some(seq) => Some((seq, turn.place)),
            // Its own words a reader always knows; it only has some here when it is asked again.
            None => {
                (Some(&said.speaker) == reader.map(Speaker::Participant).as_ref()).then_some((said.seq, 0))
            }
        },
    }
}

fn piece_of(m: &Meeting, said: &Said, reader: Option<ParticipantId>) -> Piece {
    if let (Speaker::Participant(id), Some(reader)) = (&said.speaker, reader)
        && *id == reader
    {
        return Piece { own: true, text: crate::context::frame::data(&said.content) };
    }
    let id = said.id.to_string();
    let round = said.round.to_string();
    let kind = match said.speaker {
        Speaker::Participant(_) => "participant",
        Speaker::Person(_) => "person",
        Speaker::Facilitator => "facilitator",
    };
    let mut body = said.content.clone();
    for claim in said.claims.iter().filter_map(|id| m.claim(*id)) {
        let tag = format!("[{}]", claim.claim.id);
        if !said.content.contains(&tag) {
            body.push_str(&format!("\n{tag} {}", claim.claim.text));
        }
    }
    let attributes =
        [("id", id.as_str()), ("from", said.name.as_str()), ("kind", kind), ("round", round.as_str())];
    other(frame("message", &attributes, &body))
}

fn summary_frame(m: &Meeting, summary: &Summary) -> String {
    let mut body = summary.text.clone();
    for position in &summary.positions {
        let holders: Vec<String> = position.holders.iter().map(|id| m.name_of(*id)).collect();
        body.push_str(&format!("\n- {}: {}", holders.join(", "), position.text));
    }
    frame("summary", &[("round", &summary.round.to_string())], &body)
}

fn draft_frame(version: u32, text: &str) -> String {
    frame("draft", &[("version", &version.to_string())], text)
}

fn ballot_frame(m: &Meeting, ballot: &Ballot, verdict: &Verdict) -> String {
    let votes = ballot.votes().map(|(id, vote)| {
        let objection = m.claims.iter().rev().find(|claim| {
            claim.owner == id
                && claim.message.is_none()
                && claim.round == ballot.round
                && claim.claim.text == vote.reason
        });
        let tag = objection.map(|claim| format!("[{}] ", claim.claim.id)).unwrap_or_default();
        format!("{}: {} — {tag}{}", m.name_of(id), vote.score, vote.reason)
    });
    let body = votes.collect::<Vec<_>>().join("\n");
    let passed = if verdict.passed { "true" } else { "false" };
    frame(
        "ballot",
        &[("id", &ballot.id.to_string()), ("draft", &ballot.draft_version.to_string()), ("passed", passed)],
        &body,
    )
}
