//! The result of a meeting: for people as Markdown, for programs as JSON. Every line can be traced
//! to who said it, by the numbers of messages and ballots.

mod evidence;
mod files;
mod headline;
mod markdown;
mod seats;
mod shared;
mod suspicion;
mod tables;
mod yields;

use quorate_contract::{
    ActionItem, Actor, AgendaItem, BallotId, Format, Language, MeetingId, MeetingOutcome, MessageId,
    ParticipantId, Timestamp, clause_text,
};
use quorate_core::{
    ConvergenceMetric, ForkDetails, Meeting, MeetingEndedBy, outcome_text,
    policy::agreement::{Agreement, collects_ideas},
};
use quorate_messages::text;
use serde::Serialize;

use crate::phase::fork_text;

pub use evidence::ReportEvidence;
pub use files::{ReportCitation, ReportFile};
pub use seats::{ReportFailedParticipant, ReportFailure, ReportIncompleteness};
pub use shared::{
    SharedAction, SharedArtifact, SharedBallot, SharedDisagreement, SharedDissent, SharedMissingInformation,
    SharedResult, SharedSide, SharedVote,
};
pub use suspicion::ReportSuspicion;
pub use tables::{
    ReportBallot, ReportCost, ReportMissingInformation, ReportPositionChange, ReportPositionHistory,
    ReportVote,
};
use tables::{RunnerLabels, ballot_row, cost_row, costs, missing, shifts};
pub use yields::{ReportArtifact, ReportBestIdea, ReportEvaluation, ReportIdea, ReportMark, ReportMinutes};

/// The report of a meeting: its result, or its present state before the end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report {
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub topic: String,
    /// The title: its own, else the topic; a fork has one that tells it apart.
    pub title: String,
    /// The purpose of the meeting; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The origin of a fork; `null` for other meetings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkDetails>,
    /// The origin of a fork and what it took over, as a text; absent for other meetings.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fork_text: String,
    /// The format.
    pub format: Format,
    /// The language of its texts.
    pub language: Language,
    /// Whether participants were simulated; their messages are then generated text.
    pub simulated: bool,
    /// The outcome; `null` until it is decided, which is before the end.
    pub outcome: Option<MeetingOutcome>,
    /// The same as a text.
    pub outcome_text: String,
    /// The first line of the report: the outcome, who supports it, who does not, and whose votes failed.
    pub headline: String,
    /// The failures of a meeting in which most participants failed; otherwise `null`. Show it first.
    pub incomplete: Option<ReportIncompleteness>,
    /// The warning that the agreement shows signs of false consensus; absent where it shows none. Show it with the
    /// conclusion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<ReportSuspicion>,
    /// The agreement, with the side of each participant.
    pub agreement: Agreement,
    /// The person who ended the meeting and their reason; `null` when no person did.
    pub ended_by: Option<MeetingEndedBy>,
    /// Whether the meeting collects ideas and votes on nothing, so that there is nothing to agree on or dissent from.
    pub collects_ideas: bool,
    /// The number of discussion rounds that took place.
    pub rounds: u32,
    /// The conclusion in Markdown; after a passed ballot, the draft that was voted on, word for word. The
    /// current draft while there is no conclusion.
    pub conclusion: String,
    /// Whether the meeting is over and its last ballot passed no draft: the conclusion is then no decision of the
    /// meeting.
    pub not_passed: bool,
    /// The facilitator's explanation of an accepted draft, which was not voted on; may be empty.
    pub reasons: String,
    /// The sequence number of the event with the conclusion, or with the draft while there is none; the
    /// source of everything that cites no message.
    pub conclusion_seq: Option<u64>,
    /// The reasons why there is no consensus; empty when there is one.
    pub why_no_consensus: Vec<String>,
    /// Remaining disagreements with their sides and reasons.
    pub disagreements: Vec<ReportDisagreement>,
    /// The participants who did not vote for the last draft. Without a counted ballot: those whose position
    /// differs from the one in the conclusion, or from the one with the most holders.
    pub dissent: Vec<ReportDissent>,
    /// The participants who support the result with reservations: their position differs, they are on the
    /// smaller side of a remaining disagreement, their score is below what the rules ask for, or they
    /// contradicted themselves.
    pub reservations: Vec<ReportDissent>,
    /// The participants whose turns or votes failed, with the reason and how to resolve it.
    pub failures: Vec<ReportFailedParticipant>,
    /// Action items.
    pub actions: Vec<ActionItem>,
    /// Information that voters said was missing.
    pub missing: Vec<ReportMissingInformation>,
    /// The agenda, with the state of each item.
    pub agenda: Vec<AgendaItem>,
    /// The best ideas, best first.
    pub best: Vec<ReportBestIdea>,
    /// An unusual idea that may be worth more than it seems.
    pub wildcard: Option<ReportBestIdea>,
    /// All ideas in the order in which they were raised, with the ideas that build on them.
    pub ideas: Vec<ReportIdea>,
    /// The convergence after each round.
    pub convergence: Vec<ConvergenceMetric>,
    /// The current minutes; `null` when there are none.
    pub minutes: Option<ReportMinutes>,
    /// The latest version of each artifact.
    pub artifacts: Vec<ReportArtifact>,
    /// The attached files, with what was cited of them.
    pub files: Vec<ReportFile>,
    /// The results of tools that messages and claims cite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<ReportEvidence>,
    /// The evaluations; empty while the meeting runs, so that they influence nobody.
    pub evaluations: Vec<ReportEvaluation>,
    /// Every ballot with every vote.
    pub ballots: Vec<ReportBallot>,
    /// The positions of each participant, from the blind answer to the end.
    pub shifts: Vec<ReportPositionHistory>,
    /// The usage of each participant and of the facilitator.
    pub costs: Vec<ReportCost>,
    /// The usage of all calls.
    pub total: ReportCost,
    /// The number of calls whose answer was lost because a process stopped; their usage is not known.
    pub lost_calls: u32,
    /// The number of messages, as the record numbers them: those of participants, of people and of the facilitator.
    pub messages: usize,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When the last event happened.
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
    /// The latest messages of these participants.
    pub sources: Vec<MessageId>,
}

/// A participant who does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportDissent {
    /// The participant's name.
    pub name: String,
    /// The participant's score in the last ballot, 0-100.
    pub score: Option<u8>,
    /// The participant's reason, in its own words.
    pub reason: String,
    /// The participant's position.
    pub position: String,
    /// The ballot; `null` when there was none.
    pub ballot: Option<BallotId>,
    /// The participant's last message.
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
            topic: m.settings.topic.clone(),
            title: m.title().to_owned(),
            description: m.settings.details.description.clone(),
            forked_from: m.fork_origin(),
            fork_text: m.fork_origin().map_or_else(String::new, |origin| fork_text(language, &origin)),
            format: m.settings.format,
            language,
            simulated: m.is_simulated(),
            outcome: m.outcome().cloned(),
            outcome_text: outcome_text(m),
            headline: headline::of(m, &agreement),
            incomplete: seats::incomplete(m, &agreement),
            suspicion: suspicion::of(m),
            ended_by: m.ended_by.clone(),
            collects_ideas: collects_ideas(m),
            rounds: m.rounds_held(),
            conclusion,
            not_passed: m.outcome().is_some() && agreement.passed == Some(false),
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
            convergence: m.metrics.to_vec(),
            minutes: yields::minutes(m),
            artifacts: yields::artifacts(m),
            files: files::files(m),
            evidence: evidence::evidence(m),
            evaluations: yields::evaluations(m),
            ballots: m.ballots.iter().map(|ballot| ballot_row(m, ballot)).collect(),
            shifts: shifts(m, &agreement),
            costs: costs(m),
            total: cost_row(
                text!(language, "views-report-total").to_owned(),
                RunnerLabels::default(),
                &m.spent,
            ),
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

fn first_message(m: &Meeting, id: ParticipantId) -> Option<MessageId> {
    m.said.iter().find(|said| said.speaker == Actor::Participant { id }).map(|said| said.id)
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
    // What divided them before a later ballot says nothing of that ballot.
    let counted = m.last_counted_ballot().map(|(ballot, _)| ballot.id);
    let facilitation = m.facilitations.last().filter(|one| counted.is_none_or(|id| one.ballot >= id));
    why.extend(facilitation.map(|one| one.disagreements.clone()).unwrap_or_default());
    why
}
