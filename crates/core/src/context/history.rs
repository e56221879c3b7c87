//! The record of a meeting as a reader sees it: append-only, so that from one call to the next
//! everything stays the same from the front and a provider's prompt cache hits (design §7.8).

use std::borrow::Cow;

use super::frame::{put_data, put_frame};
use crate::event::RoundKind;
use crate::ids::ParticipantId;
use crate::meeting::{Ballot, BallotState, Draft, Meeting, Said, Speaker, Summary};
use crate::rules::Verdict;

/// One piece of the record. It is written only when its place is known, straight to where it is read:
/// a long meeting has thousands, and each call reads them all.
pub(super) enum Piece<'m> {
    /// What the reader said itself.
    Own(&'m Said),
    /// What somebody else said.
    Said(&'m Said),
    Summary(&'m Summary),
    Draft(&'m Draft),
    Ballot(&'m Ballot, &'m Verdict),
}

impl Piece<'_> {
    /// Whether the reader said it itself.
    pub(super) fn is_own(&self) -> bool {
        match self {
            Self::Own(_) => true,
            Self::Said(_) | Self::Summary(_) | Self::Draft(_) | Self::Ballot(..) => false,
        }
    }

    /// Adds the piece as it is read; something in any case.
    pub(super) fn put(&self, m: &Meeting, out: &mut String) {
        match self {
            Self::Own(said) => put_data(out, &said.content),
            Self::Said(said) => put_said(m, said, out),
            Self::Summary(summary) => put_summary(m, summary, out),
            Self::Draft(draft) => {
                put_frame(out, "draft", &[("version", &draft.version.to_string())], &draft.text);
            }
            Self::Ballot(ballot, verdict) => put_ballot(m, ballot, verdict, out),
        }
    }
}

/// The record for this reader; `None` is the facilitator.
///
/// Pieces are in the order in which they became visible. What was said in a blind or parallel
/// round becomes visible when the round is over, in the order of its turns.
pub(super) fn of(m: &Meeting, reader: Option<ParticipantId>) -> Vec<Piece<'_>> {
    // Where a piece stands: the event that made it visible, and its place among those of that event.
    let mut placed: Vec<((u64, u32), Piece<'_>)> =
        Vec::with_capacity(m.said.len() - m.window_from.min(m.said.len()) + 8);
    let from_seq = m.said.get(m.window_from).filter(|_| m.window_from > 0).map_or(0, |said| said.seq);

    for said in &m.said[m.window_from.min(m.said.len())..] {
        let own = reader.is_some_and(|reader| said.speaker == Speaker::Participant(reader));
        let silent = own && said.content.is_empty();
        if let Some(place) = visible_at(m, said, reader).filter(|_| !silent) {
            placed.push((place, if own { Piece::Own(said) } else { Piece::Said(said) }));
        }
    }
    let mut last_covered = None;
    for summary in &m.summaries {
        if summary.seq < from_seq {
            last_covered = Some(summary);
        } else if m.rules().context.rolling_summary {
            placed.push(((summary.seq, 0), Piece::Summary(summary)));
        }
    }
    let mut last_draft = None;
    for draft in &m.drafts {
        if draft.seq < from_seq {
            last_draft = Some(draft);
        } else {
            placed.push(((draft.seq, 0), Piece::Draft(draft)));
        }
    }
    // What has given way to the window is represented by the last summary and draft before it.
    if let Some(summary) = last_covered {
        placed.push(((0, 0), Piece::Summary(summary)));
    }
    if let Some(draft) = last_draft {
        placed.push(((0, 1), Piece::Draft(draft)));
    }
    for ballot in &m.ballots {
        if let (Some(seq), BallotState::Closed(verdict)) = (ballot.closed_seq, &ballot.state)
            && seq >= from_seq
        {
            placed.push(((seq, 0), Piece::Ballot(ballot, verdict)));
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, piece)| piece).collect()
}

/// When a message becomes visible to a reader; `None` while it is not.
fn visible_at(m: &Meeting, said: &Said, reader: Option<ParticipantId>) -> Option<(u64, u32)> {
    let Some(turn) = said.turn else { return Some((said.seq, 0)) };
    // Rounds are numbered as they follow each other.
    let round = m.rounds.binary_search_by_key(&turn.round, |round| round.number).ok();
    let round = m.rounds.get(round?)?;
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

fn put_said(m: &Meeting, said: &Said, out: &mut String) {
    let (id, round) = (said.id.to_string(), said.round.to_string());
    let kind = match said.speaker {
        Speaker::Participant(_) => "participant",
        Speaker::Person(_) => "person",
        Speaker::Facilitator => "facilitator",
    };
    let mut body = Cow::Borrowed(said.content.as_str());
    for claim in said.claims.iter().filter_map(|id| m.claim(*id)) {
        let tag = format!("[{}]", claim.claim.id);
        if !said.content.contains(&tag) {
            body.to_mut().push_str(&format!("\n{tag} {}", claim.claim.text));
        }
    }
    let attributes =
        [("id", id.as_str()), ("from", said.name.as_str()), ("kind", kind), ("round", round.as_str())];
    put_frame(out, "message", &attributes, &body);
}

fn put_summary(m: &Meeting, summary: &Summary, out: &mut String) {
    let mut body = summary.text.clone();
    for position in &summary.positions {
        let holders: Vec<String> = position.holders.iter().map(|id| m.name_of(*id)).collect();
        body.push_str(&format!("\n- {}: {}", holders.join(", "), position.text));
    }
    put_frame(out, "summary", &[("round", &summary.round.to_string())], &body);
}

fn put_ballot(m: &Meeting, ballot: &Ballot, verdict: &Verdict, out: &mut String) {
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
    put_frame(
        out,
        "ballot",
        &[("id", &ballot.id.to_string()), ("draft", &ballot.draft_version.to_string()), ("passed", passed)],
        &body,
    );
}
