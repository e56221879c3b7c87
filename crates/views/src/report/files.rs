//! The attached files in a report, with what was cited of them.

use quorate_contract::{Citation, ClaimId, FileId, MessageId, Minutes};
use quorate_core::{Meeting, MeetingMessage, actor_name, citations_in};
use serde::Serialize;

use crate::folder_layouts::upload_path;

/// The most citations of one file.
const CITATIONS_MAX: usize = 100;

/// An attached file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportFile {
    /// The id.
    pub id: FileId,
    /// The name.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// The number of lines; `null` for a file without text.
    pub lines: Option<u32>,
    /// The sequence number of the event that attached it.
    pub seq: u64,
    /// Of an image, where its content lies in an export as files: `data/uploads/MEETING/f3-chart.png`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What was cited of it, in the order of the log; at most 100.
    pub citations: Vec<ReportCitation>,
}

/// A citation of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportCitation {
    /// The cited lines.
    pub citation: Citation,
    /// The same as text: `f1#12-20`.
    pub text: String,
    /// The name of who cites it.
    pub by: String,
    /// The message; `null` when a vote, the minutes or the conclusion cites it.
    pub message: Option<MessageId>,
    /// The claim whose evidence it is; `null` when the message cites it outside of a claim.
    pub claim: Option<ClaimId>,
}

pub(super) fn files(m: &Meeting) -> Vec<ReportFile> {
    let in_claims: Vec<ReportCitation> = m
        .claims
        .iter()
        .flat_map(|record| {
            record.claim.citations.iter().map(|citation| ReportCitation {
                citation: *citation,
                text: citation.to_string(),
                by: m.name_of(record.owner),
                message: record.message,
                claim: Some(record.claim.id),
            })
        })
        .collect();
    let in_messages = m.said.iter().flat_map(|said| {
        let is_of_claim = |citation: &Citation| {
            in_claims.iter().any(|known| known.citation == *citation && known.message == Some(said.id))
        };
        let own = said.citations.iter().filter(move |citation| !is_of_claim(citation));
        own.map(|citation| of_message(m, said, *citation))
    });
    let all: Vec<ReportCitation> =
        in_messages.chain(in_claims.iter().cloned()).chain(in_records(m)).collect();
    let row = |record: &std::sync::Arc<quorate_core::FileRecord>| {
        let file = &record.file;
        let mut citations: Vec<_> = all.iter().filter(|one| one.citation.file == file.id).cloned().collect();
        citations.sort_by_key(|one| one.message.map_or(u32::MAX, |message| message.0));
        citations.truncate(CITATIONS_MAX);
        ReportFile {
            id: file.id,
            name: file.name.clone(),
            size: file.size,
            sha256: file.sha256.clone(),
            lines: file.text.as_ref().map(|text| text.lines),
            seq: record.seq,
            path: file.image.map(|_| format!("data/{}", upload_path(&m.id, file))),
            citations,
        }
    };
    m.files.iter().map(row).collect()
}

/// What the current minutes and the conclusion cite.
fn in_records(m: &Meeting) -> Vec<ReportCitation> {
    let minutes = m.minutes.last().map(|version| {
        let Minutes { content, summary, decisions, actions, risks } = &version.minutes;
        let items = [decisions, actions, risks].into_iter().flatten().map(|item| item.text.as_str());
        (&version.author, [content.as_str(), summary].into_iter().chain(items).collect::<Vec<_>>().join("\n"))
    });
    let conclusion = m.conclusion.iter().map(|one| (&one.by, format!("{}\n{}", one.text, one.reasons)));
    minutes
        .into_iter()
        .chain(conclusion)
        .flat_map(|(by, text)| {
            citations_in(m, &text).into_iter().map(|citation| ReportCitation {
                citation,
                text: citation.to_string(),
                by: actor_name(m, by),
                message: None,
                claim: None,
            })
        })
        .collect()
}

fn of_message(m: &Meeting, said: &MeetingMessage, citation: Citation) -> ReportCitation {
    ReportCitation {
        citation,
        text: citation.to_string(),
        by: said.speaker_name(m.language()).to_owned(),
        message: Some(said.id),
        claim: None,
    }
}
