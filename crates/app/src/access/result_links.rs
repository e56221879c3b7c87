//! Links to the result of a meeting, with which anybody reads it without signing in.
//!
//! A link is made for a meeting that has ended. Its code is random, shown once, and only its fingerprint is stored. Whoever
//! has it is a principal of its own kind, which reads that one result and nothing else.

use std::net::IpAddr;

use quorate_contract::MeetingId;
use quorate_core::Meeting;
use quorate_messages::message;
use quorate_store::{ResultLink, fingerprint};
use serde_json::{Value, json};

use super::error::IdentityError;
use super::{Identity, secret};
use crate::clock::now;
use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::Principal;
use crate::operation::rate_limits::Attempt;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// The longest lifetime of a link in days; ten years.
const DAYS_MAX: u32 = 3650;
/// The largest number of links to one result.
const LINKS_OF_ONE: usize = 50;
/// The random bytes of a code.
const CODE_BYTES: usize = 32;
/// The characters of a code; others are not looked up.
const CODE_CHARS: usize = 2 * CODE_BYTES;

/// A new link, and its code, which is shown once.
pub struct CreatedResultLink {
    /// What is stored of it.
    pub link: ResultLink,
    /// The code at the end of the link.
    pub code: String,
}

impl CreatedResultLink {
    /// What the audit log tells of it.
    pub fn audit_detail(&self) -> Value {
        json!({ "link": self.link.id, "expires_at": self.link.expires_ms })
    }
}

impl Identity {
    /// The links to the result of a meeting that are good, newest first.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn result_links(&self, meeting: &MeetingId) -> Result<Vec<ResultLink>, IdentityError> {
        self.app().load_whole(meeting).await?;
        Ok(self.app().store().result_links(meeting, now()).await?)
    }

    /// Creates a link to the result of a meeting, which is good for `days`, or until it is revoked.
    ///
    /// # Errors
    /// When the meeting has not ended or is off the record, there are too many links, or the lifetime is out of bounds.
    pub async fn create_result_link(
        &self,
        principal: &Principal,
        meeting: &MeetingId,
        days: Option<u32>,
    ) -> Result<CreatedResultLink, IdentityError> {
        if !days.is_none_or(|days| (1..=DAYS_MAX).contains(&days)) {
            let (problem, hint) = (message!("app-token-days"), message!("app-result-link-days-hint"));
            return Err(IdentityError::Invalid { field: "expires_in_days", problem, hint });
        }
        let whole = self.app().load_whole(meeting).await?;
        self.check_linkable(&whole)?;
        let at = now();
        if self.app().store().result_links(meeting, at).await?.len() >= LINKS_OF_ONE {
            return Err(IdentityError::TooMany {
                problem: message!("app-too-many-result-links", most = LINKS_OF_ONE),
                hint: message!("app-too-many-result-links-hint").into(),
            });
        }
        let code = secret("", CODE_BYTES)?;
        let link = ResultLink {
            id: secret("", 8)?,
            meeting: meeting.clone(),
            by: principal.name.clone(),
            created_ms: at,
            expires_ms: days.map(|days| at.plus_ms(u64::from(days) * DAY_MS)),
            reads: 0,
            read_ms: None,
        };
        match self.app().store().add_result_link(link.clone(), fingerprint(&code)).await? {
            true => Ok(CreatedResultLink { link, code }),
            false => Err(IdentityError::not_found("meeting", meeting.as_str())),
        }
    }

    fn check_linkable(&self, meeting: &Meeting) -> Result<(), IdentityError> {
        let state = match (self.app().is_off_record(&meeting.id), meeting.is_over()) {
            (true, _) => "off_record",
            (false, false) => "not_ended",
            (false, true) => return Ok(()),
        };
        let (problem, hint) = match state {
            "off_record" => {
                (message!("app-no-result-link-off-record"), message!("app-no-result-link-off-record-hint"))
            }
            _ => (message!("app-no-result-link-yet"), message!("app-no-result-link-yet-hint")),
        };
        let error = ServiceError::new(problem, hint).of(ErrorKind::MeetingState);
        Err(error.with("current_state", state).into())
    }

    /// Revokes a link: from then on its code finds nothing.
    ///
    /// # Errors
    /// When the meeting has no such link.
    pub async fn revoke_result_link(&self, meeting: &MeetingId, id: &str) -> Result<(), IdentityError> {
        match self.app().store().remove_result_link(meeting, id).await? {
            true => Ok(()),
            false => Err(IdentityError::not_found("result link", id)),
        }
    }

    /// Whoever reads the result that a code opens, as a principal of the meeting that it is bound to.
    ///
    /// # Errors
    /// When the code opens nothing, for whatever reason, or there were too many attempts.
    pub async fn reader_of_result(
        &self,
        code: &str,
        address: IpAddr,
    ) -> Result<(Principal, MeetingId), IdentityError> {
        let _counted = self.app().attempt(address, Attempt::Result)?;
        if code.len() != CODE_CHARS {
            return Err(IdentityError::ResultLinkOver);
        }
        let found = self.app().store().result_link(fingerprint(code), now()).await?;
        let link = found.ok_or(IdentityError::ResultLinkOver)?;
        let meeting = link.meeting.clone();
        Ok((Principal::of_result_link(&link.id, link.meeting), meeting))
    }

    /// Counts that a result was read by a link. Whoever reads is not kept waiting by a disk that is full.
    pub async fn count_result_read(&self, reader: &Principal) {
        if let Err(error) = self.app().store().count_result_read(&reader.id, now()).await {
            tracing::warn!(%error, "it could not be counted that a result was read by its link");
        }
    }
}
