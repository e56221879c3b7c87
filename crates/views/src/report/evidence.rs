//! The results of tools that messages and claims cite.

use quorate_contract::{ClaimId, Evidence, MessageId};
use quorate_core::Meeting;
use serde::Serialize;

/// The most citations of a report.
const EVIDENCE_MAX: usize = 200;

/// A citation of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReportEvidence {
    /// The cited lines or result.
    pub evidence: Evidence,
    /// The same as text: `src/main.rs#L10-L20`.
    pub text: String,
    /// The address of the page of the web that is cited, `http` or `https`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The name of who cites it.
    pub by: String,
    /// The message; `null` when a vote cites it.
    pub message: Option<MessageId>,
    /// The claim whose evidence it is; `null` when the message cites it outside of a claim.
    pub claim: Option<ClaimId>,
}

/// What is cited, in the order of the log; at most 200.
pub(super) fn evidence(m: &Meeting) -> Vec<ReportEvidence> {
    let row = |evidence: &Evidence, by: String, message, claim| ReportEvidence {
        evidence: evidence.clone(),
        text: evidence.to_string(),
        address: evidence.address().map(str::to_owned),
        by,
        message,
        claim,
    };
    let claims = m.claims.iter().flat_map(|record| {
        let (message, claim) = (record.message, Some(record.claim.id));
        let by = m.name_of(record.owner);
        record.claim.evidence.iter().map(move |one| row(one, by.clone(), message, claim))
    });
    let in_claims: Vec<ReportEvidence> = claims.collect();
    let is_of_claim = |one: &Evidence, message| {
        in_claims.iter().any(|known| known.evidence == *one && known.message == Some(message))
    };
    let in_messages = m.said.iter().flat_map(|said| {
        let own = said.evidence.iter().filter(|one| !is_of_claim(one, said.id));
        let by = said.speaker_name(m.language());
        own.map(|one| row(one, by.to_owned(), Some(said.id), None)).collect::<Vec<_>>()
    });
    let mut all: Vec<ReportEvidence> = in_messages.chain(in_claims.iter().cloned()).collect();
    all.sort_by_key(|one| one.message.map_or(u32::MAX, |message| message.0));
    all.truncate(EVIDENCE_MAX);
    all
}
