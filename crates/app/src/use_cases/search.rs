//! Full-text search over messages.

use std::collections::BTreeMap;

use quorate_contract::{Event, MeetingId, MessageId, Timestamp, clean};
use quorate_engine::{JournalError, Record};
use quorate_store::{EventFilter, EventLines, Page, SearchFilter, SearchHit, StoreError};

use super::App;
use crate::error::ServiceError;
use crate::operation::callers_seat::speaker_at;
use crate::operation::perform::BlindRound;
use crate::operation::principal::Principal;

impl App {
    /// The messages that contain these words, and the number of events that are not indexed yet.
    ///
    /// # Errors
    /// When the words or the cursor cannot be used.
    pub async fn search(
        &self,
        filter: SearchFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<(Page<SearchHit>, u64), StoreError> {
        // Asked first: what is not in the index by then may be missing among the hits.
        let lag = self.store().search_lag().await?;
        Ok((self.store().search(filter, cursor, limit).await?, lag))
    }

    /// The hits without what was said at meetings in whose open blind round the principal has a seat.
    ///
    /// # Errors
    /// When one of the meetings cannot be read.
    pub async fn without_blind_rounds(
        &self,
        principal: &Principal,
        mut hits: Vec<SearchHit>,
    ) -> Result<Vec<SearchHit>, ServiceError> {
        let mut blind: BTreeMap<MeetingId, bool> = BTreeMap::new();
        for hit in &hits {
            if !blind.contains_key(&hit.meeting) {
                let round = self.blind_round_of(principal, &hit.meeting).await?;
                blind.insert(hit.meeting.clone(), round == Some(BlindRound::Open));
            }
        }
        hits.retain(|hit| !blind[&hit.meeting]);
        Ok(hits)
    }

    /// The lines of a log that a filter asks for, from wherever the log lies; of a damaged one, those before the damage.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn events_page(&self, id: &MeetingId, filter: EventFilter) -> Result<EventLines, ServiceError> {
        if !self.is_off_record(id) {
            match self.store().events_page(id, filter.clone()).await {
                Err(JournalError::Damaged { .. }) => {}
                page => return Ok(page?),
            }
        }
        let records = self.records(id, filter.after.unwrap_or(0)).await?;
        Ok(page_of(&records, &filter))
    }

    /// The lines of a stored log after a sequence number, as they are streamed to a client.
    ///
    /// # Errors
    /// When the meeting does not exist.
    pub async fn event_lines(
        &self,
        id: &MeetingId,
        after: u64,
        limit: u32,
    ) -> Result<EventLines, JournalError> {
        self.store().event_lines(id, after, limit).await
    }

    /// Whether a request with this header has been answered for this meeting.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn is_answered(&self, meeting: &MeetingId, header: (&str, &str)) -> Result<bool, StoreError> {
        self.store().is_answered(meeting, header).await
    }

    /// What a principal has said since a moment in these words, when no other request was answered with it: the number of
    /// its event, and the message. `place` makes the address under which such a request was answered.
    ///
    /// # Errors
    /// When the meeting cannot be read.
    pub async fn said_since(
        &self,
        principal: &Principal,
        id: &MeetingId,
        since: Timestamp,
        (content, reply_to): (&str, Option<MessageId>),
        place: impl Fn(MessageId) -> String,
    ) -> Result<Option<(u64, MessageId)>, ServiceError> {
        let (meeting, content) = (self.load(id).await?, clean(content));
        let Some(by) = speaker_at(&meeting, principal) else { return Ok(None) };
        let late = meeting.said.partition_point(|said| said.at < since);
        for said in &meeting.said[late..] {
            let same = said.speaker == by && said.content == content && said.reply_to == reply_to;
            if same && !self.is_answered(id, ("location", &place(said.id))).await? {
                return Ok(Some((said.seq, said.id)));
            }
        }
        Ok(None)
    }
}

/// The lines of these events, which come after the filter's `after`, that it asks for.
fn page_of(records: &[Record], filter: &EventFilter) -> EventLines {
    let is_asked_for = |record: &&Record| {
        let Event { seq, body, .. } = &*record.event;
        filter.before.is_none_or(|before| *seq < before)
            && (filter.kinds.is_empty() || filter.kinds.iter().any(|kind| kind == body.kind()))
    };
    let line = |record: &Record| (record.event.seq, record.line.to_string());
    let one_more = filter.limit as usize + 1;
    let mut lines: Vec<(u64, String)> = match filter.newest_first {
        true => records.iter().rev().filter(is_asked_for).take(one_more).map(line).collect(),
        false => records.iter().filter(is_asked_for).take(one_more).map(line).collect(),
    };
    let more = lines.len() == one_more;
    lines.truncate(filter.limit as usize);
    EventLines { lines, more }
}
