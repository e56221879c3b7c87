//! What of a result is a table: ballots, how positions moved, what calls used.

use serde::Serialize;

use crate::event::AbstentionKind;
use crate::ids::{BallotId, ParticipantId};
use crate::meeting::{Ballot, BallotState, Cast, Meeting, Seat, Spent};
use crate::records::words::clause_text;
use crate::rules::Verdict;

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BallotRow {
    /// Which.
    pub id: BallotId,
    /// After which round.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// `open`, `interrupted`, `passed` or `failed`.
    pub state: &'static str,
    /// The verdict, when it was counted.
    pub verdict: Option<Verdict>,
    /// Each clause in words.
    pub clauses: Vec<String>,
    /// Each vote.
    pub votes: Vec<VoteRow>,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoteRow {
    /// Whose.
    pub name: String,
    /// 0-100; `None` when it abstained.
    pub score: Option<u8>,
    /// Whether the meeting may end with the draft.
    pub pass: Option<bool>,
    /// Why.
    pub reason: String,
    /// What is missing.
    pub missing: Vec<String>,
    /// Why there is no vote.
    pub abstained: Option<AbstentionKind>,
}

/// How somebody moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShiftRow {
    /// Who.
    pub name: String,
    /// Its first position.
    pub first: String,
    /// How sure it was, 0-100.
    pub first_confidence: Option<u8>,
    /// Its last position.
    pub last: String,
    /// How sure it is, 0-100.
    pub last_confidence: Option<u8>,
    /// Its last score.
    pub last_score: Option<u8>,
    /// How often it moved and named what moved it.
    pub moved_by_argument: u32,
    /// How often it moved without.
    pub moved_without: u32,
}

/// What calls used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CostRow {
    /// Whose.
    pub name: String,
    /// What answered.
    pub runner: String,
    /// Calls.
    pub calls: u32,
    /// Requests that brought no answer and were sent again within their call.
    pub retries: u32,
    /// Calls that were made of a fallback model.
    pub fallbacks: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Of those read, the ones the provider had cached.
    pub cached_tokens: u64,
    /// Whether some of it is an estimate.
    pub estimated: bool,
    /// Millionths; `None` when a price is not known.
    pub cost_micros: Option<u64>,
}

pub(super) fn ballot_row(m: &Meeting, ballot: &Ballot) -> BallotRow {
    let (state, verdict) = match &ballot.state {
        BallotState::Open => ("open", None),
        BallotState::Interrupted(_) => ("interrupted", None),
        BallotState::Closed(verdict) if verdict.passed => ("passed", Some(verdict.clone())),
        BallotState::Closed(verdict) => ("failed", Some(verdict.clone())),
    };
    let vote = |id: &ParticipantId, cast: &Cast| match cast {
        Cast::Vote(vote) => VoteRow {
            name: m.name_of(*id),
            score: Some(vote.score),
            pass: Some(vote.pass),
            reason: vote.reason.clone(),
            missing: vote.missing.clone(),
            abstained: None,
        },
        Cast::Abstained(kind) => VoteRow {
            name: m.name_of(*id),
            score: None,
            pass: None,
            reason: String::new(),
            missing: Vec::new(),
            abstained: Some(*kind),
        },
    };
    let clauses = verdict.iter().flat_map(|verdict| &verdict.clauses);
    BallotRow {
        id: ballot.id,
        round: ballot.round,
        draft_version: ballot.draft_version,
        state,
        clauses: clauses.map(|clause| clause_text(m.language(), clause)).collect(),
        votes: ballot.cast.iter().map(|(id, cast)| vote(id, cast)).collect(),
        verdict,
    }
}

pub(super) fn shifts(m: &Meeting) -> Vec<ShiftRow> {
    let last_score = |id: ParticipantId| {
        m.ballots.iter().rev().find_map(|ballot| match ballot.cast.get(&id) {
            Some(Cast::Vote(vote)) if ballot.closed_seq.is_some() => Some(vote.score),
            Some(_) | None => None,
        })
    };
    let row = |seat: &Seat| {
        let (first, last) = (seat.first.as_ref()?, seat.stance.as_ref()?);
        Some(ShiftRow {
            name: seat.participant.name.clone(),
            first: first.position.clone(),
            first_confidence: first.confidence,
            last: last.position.clone(),
            last_confidence: last.confidence,
            last_score: last_score(seat.participant.id),
            moved_by_argument: seat.changes.evidenced,
            moved_without: seat.changes.unevidenced,
        })
    };
    m.seats.iter().filter_map(|seat| row(seat)).collect()
}

pub(super) fn costs(m: &Meeting) -> Vec<CostRow> {
    let mut rows: Vec<CostRow> = m
        .seats
        .iter()
        .map(|seat| cost_row(seat.participant.name.clone(), seat.participant.runner.label(), &seat.spent))
        .collect();
    if let Some(facilitator) = &m.charter.facilitator {
        let name = m.language().pick("收敛器", "Facilitator").to_owned();
        rows.push(cost_row(name, facilitator.runner.label(), &m.facilitator_spent));
    }
    rows
}

pub(super) fn cost_row(name: String, runner: String, spent: &Spent) -> CostRow {
    CostRow {
        name,
        runner,
        calls: spent.calls,
        retries: spent.retries,
        fallbacks: spent.fallbacks,
        input_tokens: spent.usage.input_tokens,
        output_tokens: spent.usage.output_tokens,
        cached_tokens: spent.usage.cached_tokens,
        estimated: spent.usage.estimated,
        cost_micros: spent.known_cost_micros(),
    }
}
