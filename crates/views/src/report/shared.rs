//! The result of a meeting for those who read it by a link: what was decided, by whom it is carried, and what follows.

use quorate_contract::{
    AbstentionKind, ActionItem, ArtifactKind, ArtifactVersion, BallotId, Format, Language, Timestamp,
    without_references,
};
use quorate_core::Meeting;
use serde::Serialize;
use serde_json::Value;

use super::markdown::render_artifact;
use super::{Report, ReportArtifact, ReportBallot, ReportDissent, ReportMissingInformation, ReportVote};

/// The result of a meeting, as a link shows it. It names no message, file, model or account, and holds nothing of what was
/// hidden from every viewer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedResult {
    /// The title, or the question when the meeting has none.
    pub title: String,
    /// The question.
    pub topic: String,
    /// The purpose of the meeting; may be empty.
    pub description: String,
    /// The format.
    pub format: Format,
    /// The language of its texts.
    pub language: Language,
    /// Whether participants were simulated; their messages are then generated text.
    pub simulated: bool,
    /// The outcome, who supports it, and who does not, in one line.
    pub headline: String,
    /// The warning that the agreement shows signs of false consensus; absent where it shows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<String>,
    /// Whether the meeting collects ideas and votes on nothing, so that there is nothing to dissent from.
    pub collects_ideas: bool,
    /// The number of discussion rounds that took place.
    pub rounds: u32,
    /// The conclusion in Markdown.
    pub conclusion: String,
    /// Whether the meeting is over and its last ballot passed no draft: the conclusion is then no decision of the
    /// meeting.
    pub not_passed: bool,
    /// The facilitator's explanation of an accepted draft, which was not voted on; may be empty.
    pub reasons: String,
    /// The reasons why there is no consensus; empty when there is one.
    pub why_no_consensus: Vec<String>,
    /// Remaining disagreements with their sides and reasons.
    pub disagreements: Vec<SharedDisagreement>,
    /// The participants who do not support the result.
    pub dissent: Vec<SharedDissent>,
    /// The participants who support it with reservations.
    pub reservations: Vec<SharedDissent>,
    /// Action items.
    pub actions: Vec<SharedAction>,
    /// Information that voters said was missing.
    pub missing: Vec<SharedMissingInformation>,
    /// Every ballot with every vote.
    pub ballots: Vec<SharedBallot>,
    /// The latest version of each artifact.
    pub artifacts: Vec<SharedArtifact>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// A disagreement with its sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedDisagreement {
    /// The subject of the disagreement.
    pub issue: String,
    /// The sides.
    pub sides: Vec<SharedSide>,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedSide {
    /// The view.
    pub view: String,
    /// The reason.
    pub why: String,
    /// The participants on this side.
    pub holders: Vec<String>,
}

/// A participant who does not agree, or not without reservations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedDissent {
    /// The participant's name.
    pub name: String,
    /// The participant's score in the last ballot, 0-100.
    pub score: Option<u8>,
    /// The reason, in the participant's words.
    pub reason: String,
    /// The participant's position.
    pub position: String,
}

impl SharedDissent {
    fn of(row: ReportDissent) -> Self {
        let ReportDissent { name, score, reason, position, ballot: _, source: _ } = row;
        Self { name, score, reason, position }
    }
}

/// An action item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedAction {
    /// The action.
    pub what: String,
    /// The owner; `null` when the meeting named none.
    pub who: Option<String>,
}

/// Information that voters said was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedMissingInformation {
    /// The information.
    pub text: String,
    /// The participants who missed it.
    pub by: Vec<String>,
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedBallot {
    /// The ballot.
    pub id: BallotId,
    /// The round before the ballot.
    pub round: u32,
    /// `interrupted`, `passed` or `failed`.
    pub state: &'static str,
    /// What the ballot had to meet, and what it came to, in words.
    pub clauses: Vec<String>,
    /// The votes.
    pub votes: Vec<SharedVote>,
}

impl SharedBallot {
    fn of(ballot: ReportBallot) -> Self {
        let ReportBallot { id, round, state, clauses, votes, .. } = ballot;
        Self { id, round, state, clauses, votes: votes.into_iter().map(SharedVote::of).collect() }
    }
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedVote {
    /// The participant.
    pub name: String,
    /// The score, 0-100; `null` when there is no vote.
    pub score: Option<u8>,
    /// Whether the vote passes the draft.
    pub pass: Option<bool>,
    /// The reason.
    pub reason: String,
    /// The kind of abstention, for a participant that chose not to vote.
    pub abstained: Option<AbstentionKind>,
    /// Whether the participant was asked and did not answer.
    pub failed: bool,
}

impl SharedVote {
    fn of(vote: ReportVote) -> Self {
        let ReportVote { name, score, pass, reason, missing: _, contradictory: _, abstained, failed } = vote;
        // Why a call failed is about a provider, and for those who can mend it.
        Self { name, score, pass, reason, abstained, failed: failed.is_some() }
    }
}

/// An artifact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedArtifact {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: ArtifactKind,
    /// The version, counted from 1.
    pub version: ArtifactVersion,
    /// The content in Markdown.
    pub text: String,
}

impl SharedArtifact {
    fn of(language: Language, mut artifact: ReportArtifact) -> Self {
        without_sources(&mut artifact.content);
        let text = render_artifact(language, &artifact);
        Self { kind: artifact.kind, version: artifact.version, text }
    }
}

/// Takes out the numbers of messages, which nobody can look up who reads by a link.
fn without_sources(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("sources");
            fields.values_mut().for_each(without_sources);
        }
        Value::Array(items) => items.iter_mut().for_each(without_sources),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

impl SharedResult {
    /// The result of a meeting from which everything was taken that its reader may not see.
    pub fn of(meeting: &Meeting) -> Self {
        let report = Report::of(meeting);
        let disagreements = report.disagreements.into_iter().map(|one| SharedDisagreement {
            issue: one.issue,
            sides: one
                .sides
                .into_iter()
                .map(|side| SharedSide { view: side.view, why: side.why, holders: side.holders })
                .collect(),
        });
        let action = |ActionItem { what, who, sources: _ }| SharedAction { what, who };
        let missing = |ReportMissingInformation { text, by, .. }: ReportMissingInformation| {
            SharedMissingInformation { text, by }
        };
        let language = report.language;
        let artifacts = report.artifacts.into_iter().map(|artifact| SharedArtifact::of(language, artifact));
        let mut result = Self {
            title: report.title,
            topic: report.topic,
            description: report.description,
            format: report.format,
            language,
            simulated: report.simulated,
            headline: report.headline,
            suspicion: report.suspicion.map(|warning| warning.text),
            collects_ideas: report.collects_ideas,
            rounds: report.rounds,
            conclusion: report.conclusion,
            not_passed: report.not_passed,
            reasons: report.reasons,
            why_no_consensus: report.why_no_consensus,
            disagreements: disagreements.collect(),
            dissent: report.dissent.into_iter().map(SharedDissent::of).collect(),
            reservations: report.reservations.into_iter().map(SharedDissent::of).collect(),
            actions: report.actions.into_iter().map(action).collect(),
            missing: report.missing.into_iter().map(missing).collect(),
            ballots: report.ballots.into_iter().map(SharedBallot::of).collect(),
            artifacts: artifacts.collect(),
            started_at: report.started_at,
            ended_at: report.updated_at,
        };
        for text in result.texts() {
            *text = without_references(text);
        }
        result
    }

    /// All that participants and the facilitator have written in it, apart from the topic.
    fn texts(&mut self) -> Vec<&mut String> {
        let Self { conclusion, reasons, why_no_consensus, disagreements, dissent, reservations, .. } = self;
        let mut texts = vec![conclusion, reasons];
        texts.extend(why_no_consensus);
        for one in disagreements {
            texts.push(&mut one.issue);
            texts.extend(one.sides.iter_mut().flat_map(|side| [&mut side.view, &mut side.why]));
        }
        texts.extend(
            dissent.iter_mut().chain(reservations).flat_map(|one| [&mut one.reason, &mut one.position]),
        );
        texts.extend(self.actions.iter_mut().map(|action| &mut action.what));
        texts.extend(self.missing.iter_mut().map(|missing| &mut missing.text));
        let votes = self.ballots.iter_mut().flat_map(|ballot| &mut ballot.votes);
        texts.extend(votes.map(|vote| &mut vote.reason));
        texts.extend(self.artifacts.iter_mut().map(|artifact| &mut artifact.text));
        texts
    }
}
