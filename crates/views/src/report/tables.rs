//! Tables of a report: ballots, changes of position, usage of calls.

use quorate_contract::{
    AbstentionKind, BallotId, Language, MessageId, ParticipantId, RunnerSpec, TurnDelivery, Verdict,
    clause_text,
};
use quorate_core::policy::agreement::{Agreement, began_blind};
use quorate_core::{Ballot, BallotChoice, BallotState, Meeting, ModelSpent, Seat, Spending};
use quorate_messages::text;
use serde::Serialize;

use crate::report::seats::{ReportFailure, failure_row, failures};
use crate::report::{first_message, last_message};

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportBallot {
    /// The ballot.
    pub id: BallotId,
    /// The round before the ballot.
    pub round: u32,
    /// The version of the draft that the ballot is about.
    pub draft_version: u32,
    /// The sequence number of the event with this version of the draft.
    pub draft_seq: Option<u64>,
    /// The sequence number of the event that counted the ballot.
    pub seq: Option<u64>,
    /// `open`, `interrupted`, `passed` or `failed`.
    pub state: &'static str,
    /// The verdict; `null` when the ballot was not counted.
    pub verdict: Option<Verdict>,
    /// Each clause, in words.
    pub clauses: Vec<String>,
    /// The votes.
    pub votes: Vec<ReportVote>,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportVote {
    /// The participant.
    pub name: String,
    /// The score, 0-100; `null` when there is no vote.
    pub score: Option<u8>,
    /// Whether the vote passes the draft.
    pub pass: Option<bool>,
    /// The reason.
    pub reason: String,
    /// Missing information.
    pub missing: Vec<String>,
    /// Whether score and pass contradict each other. The participant was asked once more, and the vote counts
    /// as it is.
    pub contradictory: bool,
    /// The kind of abstention, for a participant that chose not to vote.
    pub abstained: Option<AbstentionKind>,
    /// The failure of the vote, when the participant was asked and did not answer.
    pub failed: Option<ReportFailure>,
}

/// Information that voters said was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportMissingInformation {
    /// The information.
    pub text: String,
    /// The voters who asked for it.
    pub by: Vec<String>,
    /// The ballot.
    pub ballot: BallotId,
    /// The sequence number of the event that counted the ballot.
    pub seq: Option<u64>,
}

/// A change of position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportPositionChange {
    /// The round.
    pub round: u32,
    /// The sequence number of its event.
    pub seq: u64,
    /// The previous position.
    pub from: String,
    /// The new position.
    pub to: String,
    /// Whether the participant named what changed its position.
    pub by_argument: bool,
}

/// The positions of one participant over the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportPositionHistory {
    /// The participant.
    pub name: String,
    /// The first position.
    pub first: String,
    /// The first confidence, 0-100.
    pub first_confidence: Option<u8>,
    /// Whether the first position was stated in the blind round, before the participant had heard the others.
    pub first_blind: bool,
    /// The message with the first position; `null` when there is none.
    pub first_source: Option<MessageId>,
    /// The last position.
    pub last: String,
    /// The last confidence, 0-100.
    pub last_confidence: Option<u8>,
    /// The latest message, in which the last position holds; `null` when there is none.
    pub last_source: Option<MessageId>,
    /// The last score, 0-100.
    pub last_score: Option<u8>,
    /// The number of changes with a named cause.
    pub moved_by_argument: u32,
    /// The number of changes without a named cause.
    pub moved_without: u32,
    /// Whether the participant returned to its first position.
    pub returned: bool,
    /// The failure, when there is no position because the participant's turns failed.
    pub failed: Option<ReportFailure>,
    /// The changes of position. A change that a participant reports in its first message does not count.
    pub moves: Vec<ReportPositionChange>,
}

/// The usage of calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportCost {
    /// The participant's name.
    pub name: String,
    /// What answered: the model or process, `person` for every person. A fallback model has an entry of its own.
    pub runner: String,
    /// The same as a text.
    pub runner_text: String,
    /// The number of calls.
    pub calls: u32,
    /// The number of failed requests that were sent again within their call.
    pub retries: u32,
    /// The number of calls to a fallback model.
    pub fallbacks: u32,
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// The number of input tokens that were read from the provider's cache.
    pub cached_tokens: u64,
    /// Whether some of the usage is an estimate.
    pub estimated: bool,
    /// The cost in millionths of the currency; `null` when a price is not known.
    pub cost_micros: Option<u64>,
}

pub(super) fn ballot_row(m: &Meeting, ballot: &Ballot) -> ReportBallot {
    let (state, verdict) = match &ballot.state {
        // The meeting ended in the middle of it.
        BallotState::Open if m.is_over() => ("interrupted", None),
        BallotState::Open => ("open", None),
        BallotState::Interrupted(_) => ("interrupted", None),
        BallotState::Closed(verdict) if verdict.passed => ("passed", Some(verdict.clone())),
        BallotState::Closed(verdict) => ("failed", Some(verdict.clone())),
    };
    let vote = |id: &ParticipantId, cast: &BallotChoice| {
        let none = ReportVote {
            name: m.name_of(*id),
            score: None,
            pass: None,
            reason: String::new(),
            missing: Vec::new(),
            contradictory: false,
            abstained: None,
            failed: None,
        };
        match cast {
            BallotChoice::Vote(vote) => ReportVote {
                score: Some(vote.score),
                pass: Some(vote.pass),
                reason: vote.reason.clone(),
                missing: vote.missing.clone(),
                contradictory: vote.contradicts_itself(),
                ..none
            },
            BallotChoice::Abstained(kind) => ReportVote { abstained: Some(*kind), ..none },
            BallotChoice::Failed(failure) => {
                ReportVote { failed: Some(failure_row(m.language(), failure)), ..none }
            }
        }
    };
    let clauses = verdict.iter().flat_map(|verdict| &verdict.clauses);
    ReportBallot {
        id: ballot.id,
        round: ballot.round,
        draft_version: ballot.draft_version,
        draft_seq: m.drafts.iter().find(|draft| draft.version == ballot.draft_version).map(|draft| draft.seq),
        seq: ballot.closed_seq,
        state,
        clauses: clauses.map(|clause| clause_text(m.language(), clause)).collect(),
        votes: ballot.cast.iter().map(|(id, cast)| vote(id, cast)).collect(),
        verdict,
    }
}

pub(super) fn missing(m: &Meeting) -> Vec<ReportMissingInformation> {
    let mut rows: Vec<ReportMissingInformation> = Vec::new();
    let Some((ballot, _)) = m.last_counted_ballot() else { return rows };
    for (id, vote) in ballot.votes() {
        for text in &vote.missing {
            let name = m.name_of(id);
            match rows.iter_mut().find(|row| row.text == *text) {
                Some(row) if row.by.contains(&name) => {}
                Some(row) => row.by.push(name),
                None => rows.push(ReportMissingInformation {
                    text: text.clone(),
                    by: vec![name],
                    ballot: ballot.id,
                    seq: ballot.closed_seq,
                }),
            }
        }
    }
    rows
}

pub(super) fn shifts(m: &Meeting, agreement: &Agreement) -> Vec<ReportPositionHistory> {
    let failed = failures(m, agreement);
    let last_score = |id: ParticipantId| {
        m.ballots.iter().rev().find_map(|ballot| match ballot.cast.get(&id) {
            Some(BallotChoice::Vote(vote)) if ballot.closed_seq.is_some() => Some(vote.score),
            Some(BallotChoice::Vote(_) | BallotChoice::Abstained(_) | BallotChoice::Failed(_)) | None => None,
        })
    };
    let row = |seat: &Seat| {
        let name = seat.participant.name.clone();
        let (Some(first), Some(last)) = (&seat.first, &seat.stance) else {
            let own = failed.iter().find(|failed| failed.name == name && failed.missing)?;
            return Some(ReportPositionHistory {
                name,
                first: String::new(),
                first_confidence: None,
                first_blind: false,
                first_source: None,
                last: String::new(),
                last_confidence: None,
                last_source: None,
                last_score: last_score(seat.participant.id),
                moved_by_argument: 0,
                moved_without: 0,
                returned: false,
                failed: own.last.clone(),
                moves: Vec::new(),
            });
        };
        let moves: Vec<ReportPositionChange> = m
            .shifts
            .iter()
            .filter(|shift| shift.participant == seat.participant.id && !shift.from.is_empty())
            .map(|shift| ReportPositionChange {
                round: shift.round,
                seq: shift.seq,
                from: shift.from.clone(),
                to: shift.to.clone(),
                by_argument: shift.by.is_some(),
            })
            .collect();
        let by_argument = moves.iter().filter(|one| one.by_argument).count() as u32;
        Some(ReportPositionHistory {
            name,
            first: first.position.clone(),
            first_confidence: first.confidence,
            first_blind: began_blind(m, seat.participant.id),
            first_source: first_message(m, seat.participant.id),
            last: last.position.clone(),
            last_confidence: last.confidence,
            last_source: last_message(m, seat.participant.id),
            last_score: last_score(seat.participant.id),
            moved_by_argument: by_argument,
            moved_without: moves.len() as u32 - by_argument,
            returned: first.position == last.position && moves.iter().any(|one| one.from != one.to),
            failed: None,
            moves,
        })
    };
    m.seats.iter().filter_map(|seat| row(seat)).collect()
}

pub(super) fn costs(m: &Meeting) -> Vec<ReportCost> {
    let language = m.language();
    let facilitator = m.settings.facilitator.as_ref().map(|facilitator| {
        let name = text!(language, "views-tables-facilitator").to_owned();
        (None, name, &facilitator.runner)
    });
    let seats = m.seats.iter().map(|seat| {
        let who = &seat.participant;
        (Some(who.id), who.name.clone(), &who.runner)
    });
    // One row for each model that answered for a participant, its own first.
    seats
        .chain(facilitator)
        .flat_map(|(id, name, runner)| {
            let own = runner.label();
            let of = |one: &&ModelSpent| one.participant == id;
            let first = m.models.iter().filter(of).find(|one| one.model == own).map(|one| one.spent);
            let others = m.models.iter().filter(of).filter(|one| one.model != own);
            let others: Vec<ReportCost> = others
                .map(|one| cost_row(name.clone(), RunnerLabels::of_model(language, &one.model), &one.spent))
                .collect();
            let idle = first.is_none() && !others.is_empty();
            let first = (!idle)
                .then(|| cost_row(name, RunnerLabels::of(language, runner), &first.unwrap_or_default()));
            first.into_iter().chain(others)
        })
        .collect()
}

/// What answered, for programs and for people.
#[derive(Default)]
pub(super) struct RunnerLabels {
    pub(super) runner: String,
    pub(super) text: String,
}

impl RunnerLabels {
    pub(super) fn of(language: Language, runner: &RunnerSpec) -> Self {
        Self { runner: runner.public_label(), text: runner.label_for(language) }
    }

    /// The same by the label under which usage is counted.
    fn of_model(language: Language, label: &str) -> Self {
        let person = |name: &str| RunnerSpec::External { via: TurnDelivery::Person, name: name.to_owned() };
        let is_person = label.strip_prefix(TurnDelivery::Person.as_str()).and_then(|id| id.strip_prefix('/'));
        match is_person {
            Some(id) => Self::of(language, &person(id)),
            None => Self { runner: label.to_owned(), text: label.to_owned() },
        }
    }
}

pub(super) fn cost_row(name: String, labels: RunnerLabels, spent: &Spending) -> ReportCost {
    ReportCost {
        name,
        runner: labels.runner,
        runner_text: labels.text,
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
