//! Mentions of a person: the messages that call them, and how far they have read.

use quorate_contract::{MeetingId, MessageId, Timestamp};
use quorate_messages::message;
use quorate_store::{MentionFilter, Page, StoredMention};
use serde::Serialize;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::{Principal, PrincipalKind};
use crate::use_cases::App;

/// The length of an excerpt, in characters.
const EXCERPT_CHARS: usize = 160;
/// How many characters of it stand before the mention.
const BEFORE_CHARS: usize = 60;

/// A message that mentions the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MentionEntry {
    /// The meeting.
    pub meeting: MeetingId,
    /// Its topic.
    pub topic: String,
    /// The event of the message, by its sequence number.
    pub seq: u64,
    /// The message.
    pub message_id: MessageId,
    /// The name of the speaker at this table.
    pub by: String,
    /// The words around the mention, as they were written.
    pub excerpt: String,
    /// When it was said.
    pub said_at: Timestamp,
    /// Whether the caller has not read it.
    pub is_unread: bool,
}

impl App {
    /// A page of the messages that mention the caller, the newest first.
    ///
    /// # Errors
    /// When the caller is no person, or the cursor belongs to another list.
    pub async fn mentions(
        &self,
        principal: &Principal,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<MentionEntry>, ServiceError> {
        let page = self.store().mentions(filter_of(principal)?, cursor, limit).await?;
        let mut blind = BlindMeetings::default();
        let mut items = Vec::with_capacity(page.items.len());
        for one in page.items {
            let may_be_withheld = one.is_by_participant && one.is_seated;
            if !may_be_withheld || !blind.holds(self, principal, &one.meeting).await? {
                items.push(entry(one));
            }
        }
        Ok(Page { items, next: page.next })
    }

    /// How many of the caller's newest mentions are unread.
    ///
    /// # Errors
    /// When the caller is no person.
    pub async fn unread_mentions(&self, principal: &Principal) -> Result<u32, ServiceError> {
        let mut blind = BlindMeetings::default();
        let mut count = 0;
        for at in self.store().unread_mentions(filter_of(principal)?).await? {
            let may_be_withheld = at.is_by_participant && at.is_seated;
            if !may_be_withheld || !blind.holds(self, principal, &at.meeting).await? {
                count += at.count;
            }
        }
        Ok(count)
    }

    /// Notes that the caller has read what mentions them: at one meeting, up to an event where one is named, or at all
    /// meetings. What a blind round withholds stays unread.
    ///
    /// # Errors
    /// When the caller is no person, or may not see the meeting.
    pub async fn mark_mentions_read(
        &self,
        principal: &Principal,
        meeting: Option<MeetingId>,
        up_to: Option<u64>,
    ) -> Result<(), ServiceError> {
        let filter = filter_of(principal)?;
        let bound = filter.meeting.is_some();
        let meeting = match (filter.meeting, meeting) {
            (Some(own), Some(named)) if own != named => {
                return Err(quorate_engine::JournalError::NoSuchMeeting(named).into());
            }
            (own, named) => named.or(own),
        };
        if let Some(named) = meeting.as_ref().filter(|_| !bound)
            && self.is_shut(principal, named).await?
        {
            return Err(quorate_engine::JournalError::NoSuchMeeting(named.clone()).into());
        }
        let mut except = Vec::new();
        for at in self.store().unread_mentions(filter_of(principal)?).await? {
            let may_be_withheld = at.is_by_participant && at.is_seated;
            if may_be_withheld && self.is_blind_at(principal, &at.meeting).await? {
                except.push(at.meeting);
            }
        }
        if meeting.as_ref().is_some_and(|named| except.contains(named)) {
            return Ok(());
        }
        let filter = MentionFilter { meeting, ..filter_of(principal)? };
        Ok(self.store().mark_mentions_read(filter, up_to, except).await?)
    }

    /// Whether the answers of the others at a meeting are withheld from the caller.
    async fn is_blind_at(&self, principal: &Principal, id: &MeetingId) -> Result<bool, ServiceError> {
        Ok(self.viewer(principal, id).await?.is_blind())
    }
}

/// Meetings in whose open blind round a caller has a seat, each looked at once.
#[derive(Default)]
struct BlindMeetings(Vec<(MeetingId, bool)>);

impl BlindMeetings {
    async fn holds(
        &mut self,
        app: &App,
        principal: &Principal,
        id: &MeetingId,
    ) -> Result<bool, ServiceError> {
        if let Some((_, is_blind)) = self.0.iter().find(|(known, _)| known == id) {
            return Ok(*is_blind);
        }
        let is_blind = app.is_blind_at(principal, id).await?;
        self.0.push((id.clone(), is_blind));
        Ok(is_blind)
    }
}

/// The mentions that a caller may see. Agents read of theirs in the context of a meeting.
fn filter_of(principal: &Principal) -> Result<MentionFilter, ServiceError> {
    match principal.kind {
        PrincipalKind::Owner | PrincipalKind::Account | PrincipalKind::Guest | PrincipalKind::Token => {}
        PrincipalKind::ResultLink | PrincipalKind::Agent | PrincipalKind::Webhook => {
            let (message, hint) =
                (message!("app-mentions-of-people"), message!("app-mentions-of-people-hint"));
            return Err(ServiceError::new(message, hint).of(ErrorKind::Permission));
        }
    }
    Ok(MentionFilter {
        person: principal.person().id,
        meeting: principal.meeting.clone(),
        locked: principal.sees_all(),
    })
}

fn entry(one: StoredMention) -> MentionEntry {
    MentionEntry {
        excerpt: excerpt(&one.content),
        meeting: one.meeting,
        topic: one.topic,
        seq: one.seq,
        message_id: one.message,
        by: one.who,
        said_at: one.at,
        is_unread: one.is_unread,
    }
}

/// The words of a message around its first mention, on one line.
fn excerpt(content: &str) -> String {
    let text: Vec<char> = content.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    if text.len() <= EXCERPT_CHARS {
        return text.into_iter().collect();
    }
    let mention = text.iter().position(|one| *one == '@').unwrap_or(0);
    let from = mention.saturating_sub(BEFORE_CHARS).min(text.len() - EXCERPT_CHARS);
    let to = from + EXCERPT_CHARS;
    let mut shown: String = text[from..to].iter().collect();
    if from > 0 {
        shown.insert(0, '…');
    }
    if to < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_short_and_shows_the_mention() {
        assert_eq!(excerpt("@林 看\n\n这里"), "@林 看 这里");
        let long = format!("{} @Lin please read {}", "word ".repeat(100), "more ".repeat(100));
        let shown = excerpt(&long);
        assert!(
            shown.contains("@Lin please read") && shown.starts_with('…') && shown.ends_with('…'),
            "{shown}"
        );
        assert_eq!(shown.chars().count(), EXCERPT_CHARS + 2);
        let none = "字".repeat(1_000);
        assert_eq!(excerpt(&none), format!("{}…", "字".repeat(EXCERPT_CHARS)));
    }
}
