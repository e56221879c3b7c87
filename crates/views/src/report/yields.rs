//! Products of a meeting in a report: ideas, minutes, artifacts, and, after the end, marks.

use quorate_contract::{ArtifactKind, ArtifactVersion, ClaimId, IdeaPick, MessageId, Minutes, ParticipantId};
use quorate_core::{ClaimRecord, Meeting, actor_name};
use serde::Serialize;

/// The minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportMinutes {
    /// The version, counted from 1.
    pub version: u32,
    /// The author, as text.
    pub author: String,
    /// The last message that the minutes cover.
    pub covers: Option<MessageId>,
    /// The sequence number of their event.
    pub seq: u64,
    /// The minutes.
    #[serde(flatten)]
    pub minutes: Minutes,
}

/// An artifact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportArtifact {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: ArtifactKind,
    /// The version, counted from 1.
    pub version: ArtifactVersion,
    /// The author, as text.
    pub author: String,
    /// The sequence number of its event; the source of lines that cite no message.
    pub seq: u64,
    /// The content; its schema depends on the kind.
    pub content: serde_json::Value,
}

/// An idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportIdea {
    /// The id.
    pub id: ClaimId,
    /// The author.
    pub by: String,
    /// The text.
    pub text: String,
    /// Raised in which round.
    pub round: u32,
    /// The message in which it was raised.
    pub source: Option<MessageId>,
    /// The ideas that it builds on.
    pub builds_on: Vec<ClaimId>,
    /// The ideas that build on it, each with its participant.
    pub built_on_by: Vec<(String, ClaimId)>,
}

/// An idea that the conclusion recommends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportBestIdea {
    /// The idea.
    pub idea: ClaimId,
    /// The author.
    pub by: String,
    /// The text.
    pub text: String,
    /// The reason.
    pub why: String,
}

/// The evaluation of one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportEvaluation {
    /// The round.
    pub round: u32,
    /// The author, as text.
    pub author: String,
    /// The marks.
    pub marks: Vec<ReportMark>,
}

/// The mark of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportMark {
    /// The participant.
    pub name: String,
    /// The mark, 0-10.
    pub score: u8,
    /// The reason.
    pub reason: String,
}

pub(super) fn minutes(m: &Meeting) -> Option<ReportMinutes> {
    m.current_minutes().map(|version| ReportMinutes {
        version: version.version,
        author: actor_name(m, &version.author),
        covers: m.said[..version.covers.min(m.said.len())].last().map(|said| said.id),
        seq: version.seq,
        minutes: version.minutes.clone(),
    })
}

pub(super) fn artifacts(m: &Meeting) -> Vec<ReportArtifact> {
    let current = ArtifactKind::ALL.into_iter().filter_map(|kind| m.artifact(kind));
    let row = |artifact: &quorate_core::Artifact| ReportArtifact {
        kind: artifact.kind,
        version: artifact.version,
        author: actor_name(m, &artifact.author),
        seq: artifact.seq,
        content: artifact.content.clone(),
    };
    current.map(row).collect()
}

pub(super) fn ideas(m: &Meeting) -> Vec<ReportIdea> {
    let row = |record: &ClaimRecord| {
        let id = record.claim.id;
        let built = m.ideas().filter(|other| other.claim.builds_on.contains(&id));
        ReportIdea {
            id,
            by: m.name_of(record.owner),
            text: record.claim.text.clone(),
            round: record.round,
            source: record.message,
            builds_on: record.claim.builds_on.clone(),
            built_on_by: built.map(|other| (m.name_of(other.owner), other.claim.id)).collect(),
        }
    };
    m.ideas().map(row).collect()
}

pub(super) fn best(m: &Meeting) -> Vec<ReportBestIdea> {
    let best = m.conclusion.iter().flat_map(|conclusion| &conclusion.best);
    best.filter_map(|pick| pick_row(m, pick)).collect()
}

pub(super) fn wildcard(m: &Meeting) -> Option<ReportBestIdea> {
    pick_row(m, m.conclusion.as_ref()?.wildcard.as_ref()?)
}

fn pick_row(m: &Meeting, pick: &IdeaPick) -> Option<ReportBestIdea> {
    let record = m.claim(pick.idea)?;
    let (by, text) = (m.name_of(record.owner), record.claim.text.clone());
    Some(ReportBestIdea { idea: pick.idea, by, text, why: pick.why.in_language(m.language()).into_owned() })
}

/// Marks are hidden while the meeting runs.
pub(super) fn evaluations(m: &Meeting) -> Vec<ReportEvaluation> {
    let shown = m.evaluations.iter().filter(|_| m.is_over());
    let name = |id: ParticipantId| m.name_of(id);
    let row = |evaluation: &std::sync::Arc<quorate_core::Evaluation>| ReportEvaluation {
        round: evaluation.round,
        author: actor_name(m, &evaluation.by),
        marks: evaluation
            .marks
            .iter()
            .map(|mark| ReportMark {
                name: name(mark.participant),
                score: mark.score,
                reason: mark.reason.in_language(m.language()).into_owned(),
            })
            .collect(),
    };
    shown.map(row).collect()
}
