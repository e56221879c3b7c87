//! The result of a meeting: for people as Markdown, for programs as JSON. Every line can be traced
//! to who said it, by the numbers of messages and ballots.

mod headline;
mod markdown;
mod seats;
mod tables;
mod yields;

use quorate_contract::{
    ActionItem, Actor, AgendaItem, BallotId, Format, Language, MeetingId, MeetingOutcome, MessageId,
    ParticipantId, Timestamp, clause_text,
};
use quorate_core::{EndedBy, ForkOrigin, Meeting, Metric, outcome_text, policy::agreement::Agreement};
use quorate_messages::text;
use serde::Serialize;

use crate::phase::fork_text;

pub use seats::{FailedSeatRow, FailureRow, IncompleteRow};
pub use tables::{BallotRow, CostRow, MissingRow, MoveRow, ShiftRow, VoteRow};
use tables::{ballot_row, cost_row, costs, missing, shifts};
pub use yields::{ArtifactRow, IdeaRow, MarkRow, MarksRow, MinutesRow, PickRow};

/// The result of a meeting, or its present state before the end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub topic: String,
    /// The title: the topic; a fork has a title of its own.
    pub title: String,
    /// The meeting that it was made of, where it is a fork.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkOrigin>,
    /// The same in a sentence, with what it took over; empty for other meetings.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fork_text: String,
    /// The format.
    pub format: Format,
    /// The language.
    pub language: Language,
    /// Whether participants were simulated: then the messages are generated text.
    pub simulated: bool,
    /// The outcome; `None` before the end.
    pub outcome: Option<MeetingOutcome>,
    /// The same in a sentence.
    pub outcome_text: String,
    /// The same with who supports it, who does not, and whose votes failed: the first line of the result.
    pub headline: String,
    /// The failures, when most of the participants failed: how many of how many, and why. Shown before
    /// everything else.
    pub incomplete: Option<IncompleteRow>,
    /// The side of each participant: the source of headline, dissent, health and votes.
    pub agreement: Agreement,
    /// The person who ended it, when one did, with what they said about it.
    pub ended_by: Option<EndedBy>,
    /// Discussion rounds that took place.
    pub rounds: u32,
    /// Markdown. When a ballot has passed, the draft that was voted on, word for word; the draft while there is no
    /// conclusion.
    pub conclusion: String,
    /// The facilitator's text beside an accepted draft, in its own words: it was not voted on. May be empty.
    pub reasons: String,
    /// The event that the conclusion is, or the draft while there is none. What follows from it and names no
    /// message of its own comes from there.
    pub conclusion_seq: Option<u64>,
    /// The reasons why there is no consensus, when there is none.
    pub why_no_consensus: Vec<String>,
    /// Remaining disagreements with their sides and reasons.
    pub disagreements: Vec<ReportDisagreement>,
    /// Participants who did not pass the last draft. Without a counted ballot: the holders of another
    /// position than the one that the conclusion states, or that most hold. Always present.
    pub dissent: Vec<DissentRow>,
    /// Participants who support the result with reservations: they hold another position, are on the smaller
    /// side of a remaining disagreement, scored the draft below what the rules ask for, or contradicted
    /// themselves.
    pub reservations: Vec<DissentRow>,
    /// Participants whose turns or votes failed, with the reason and the remedy.
    pub failures: Vec<FailedSeatRow>,
    /// Action items.
    pub actions: Vec<ActionItem>,
    /// Information that voters said was still missing.
    pub missing: Vec<MissingRow>,
    /// The agenda, with what of it is done.
    pub agenda: Vec<AgendaItem>,
    /// The best ideas, the best first.
    pub best: Vec<PickRow>,
    /// An idea that may be worth more than it looks.
    pub wildcard: Option<PickRow>,
    /// Every idea, in the order in which they were raised, with who built on it.
    pub ideas: Vec<IdeaRow>,
    /// The convergence after each round.
    pub convergence: Vec<Metric>,
    /// The minutes that hold now.
    pub minutes: Option<MinutesRow>,
    /// The last version of each artifact.
    pub artifacts: Vec<ArtifactRow>,
    /// The hidden marks; empty while the meeting runs, so that they influence no participant.
    pub evaluations: Vec<MarksRow>,
    /// Every ballot with every vote.
    pub ballots: Vec<BallotRow>,
    /// From the blind answer to the end, per participant.
    pub shifts: Vec<ShiftRow>,
    /// The usage of each participant's calls, and of the facilitator's.
    pub costs: Vec<CostRow>,
    /// The usage of all calls.
    pub total: CostRow,
    /// Calls whose answer was lost with a process; what they used is not known.
    pub lost_calls: u32,
    /// The number of messages.
    pub messages: usize,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// The moment of its last event.
    pub updated_at: Timestamp,
}

/// A disagreement with names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportDisagreement {
    /// The subject of the disagreement.
    pub issue: String,
    /// The sides.
    pub sides: Vec<ReportSide>,
}

/// One side of the disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportSide {
    /// The view.
    pub view: String,
    /// The reason.
    pub why: String,
    /// The participants on this side.
    pub holders: Vec<String>,
    /// The last messages in which they said so.
    pub sources: Vec<MessageId>,
}

/// A participant who does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DissentRow {
    /// The participant's name.
    pub name: String,
    /// Its score in the last ballot.
    pub score: Option<u8>,
    /// The reason, in its own words.
    pub reason: String,
    /// Its position.
    pub position: String,
    /// The ballot, when there was one.
    pub ballot: Option<BallotId>,
    /// Its last message.
    pub source: Option<MessageId>,
}

impl Report {
    /// The report of a meeting in its present state.
    pub fn of(m: &Meeting) -> Self {
        let language = m.language();
        let agreement = Agreement::of(m);
        let (conclusion, conclusion_seq) = match (&m.conclusion, m.draft()) {
            (Some(written), _) => {
                let text = m.accepted_draft().map_or(&written.text, |draft| &draft.text);
                (text.clone(), Some(written.seq))
            }
            (None, Some(draft)) => (draft.text.clone(), Some(draft.seq)),
            (None, None) => (String::new(), None),
        };
        let disagreements = m.conclusion.iter().flat_map(|conclusion| &conclusion.disagreements);
        let actions = m.conclusion.iter().flat_map(|conclusion| &conclusion.actions);
        Self {
            meeting_id: m.id.clone(),
            topic: m.charter.topic.clone(),
            title: m.title().to_owned(),
            forked_from: m.fork_origin(),
            fork_text: m.fork_origin().map_or_else(String::new, |origin| fork_text(language, &origin)),
            format: m.charter.format,
            language,
            simulated: m.is_simulated(),
            outcome: m.outcome().cloned(),
            outcome_text: outcome_text(m),
            headline: headline::of(m, &agreement),
            incomplete: seats::incomplete(m, &agreement),
            ended_by: m.ended_by.clone(),
            rounds: m.rounds_held(),
            conclusion,
            reasons: reasons(m),
            conclusion_seq,
            why_no_consensus: why_no_consensus(m),
            disagreements: disagreements
                .map(|one| ReportDisagreement {
                    issue: one.issue.clone(),
                    sides: one
                        .sides
                        .iter()
                        .map(|side| ReportSide {
                            view: side.view.clone(),
                            why: side.why.clone(),
                            holders: side.holders.iter().map(|id| m.name_of(*id)).collect(),
                            sources: side.holders.iter().filter_map(|id| last_message(m, *id)).collect(),
                        })
                        .collect(),
                })
                .collect(),
            dissent: seats::dissent(m, &agreement),
            reservations: seats::reservations(m, &agreement),
            failures: seats::failures(m, &agreement),
            actions: actions.cloned().collect(),
            missing: missing(m),
            agenda: m.agenda.iter().map(|item| item.as_ref().clone()).collect(),
            best: yields::best(m),
            wildcard: yields::wildcard(m),
            ideas: yields::ideas(m),
            convergence: m.metrics.clone(),
            minutes: yields::minutes(m),
            artifacts: yields::artifacts(m),
            evaluations: yields::evaluations(m),
            ballots: m.ballots.iter().map(|ballot| ballot_row(m, ballot)).collect(),
            shifts: shifts(m, &agreement),
            costs: costs(m),
            total: cost_row(text!(language, "views-report-total").to_owned(), String::new(), &m.spent),
            lost_calls: m.lost_calls,
            messages: m.said.len(),
            agreement,
            started_at: m.started_at,
            updated_at: m.updated_at,
        }
    }

    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        markdown::render(self)
    }

    /// The report as JSON, indented.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys")
    }
}

/// The facilitator's text beside an accepted draft. Older logs have it in the place of the conclusion.
fn reasons(m: &Meeting) -> String {
    let (Some(written), Some(draft)) = (&m.conclusion, m.accepted_draft()) else { return String::new() };
    match written.reasons.is_empty() && written.text.trim() != draft.text.trim() {
        true => written.text.clone(),
        false => written.reasons.clone(),
    }
}

fn last_message(m: &Meeting, id: ParticipantId) -> Option<MessageId> {
    m.said.iter().rev().find(|said| said.speaker == Actor::Participant { id }).map(|said| said.id)
}

fn why_no_consensus(m: &Meeting) -> Vec<String> {
    let Some(MeetingOutcome::Aborted(_)) = m.outcome() else { return Vec::new() };
    let mut why = vec![outcome_text(m)];
    match m.last_counted_ballot() {
        Some((_, verdict)) => {
            let failed = verdict.clauses.iter().filter(|clause| !clause.met);
            why.extend(failed.map(|clause| clause_text(m.language(), clause)));
        }
        None if m.rules().decision.ballots => {
            why.push(text!(m.language(), "views-report-no-ballot-counted").to_owned());
        }
        None => {}
    }
    let points = m.facilitations.last().map(|f| f.disagreements.clone()).unwrap_or_default();
    why.extend(points);
    why
}
