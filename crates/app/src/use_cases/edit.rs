//! Changes of a meeting's title, topic, rules, announcement and password, also when several people edit it.
//!
//! An editor who names the version that they looked at is refused when what they change has been changed since. The check
//! and the change are one step: editors of a meeting wait for one another.

use std::hash::{DefaultHasher, Hash, Hasher};

use quorate_contract::{Command, EventBody, MeetingDetails, MeetingId, Rules, clean_within};
use quorate_core::{Meeting, decide};
use quorate_engine::JournalError;
use quorate_messages::{Message, decoding_problem, message};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use tokio::sync::{Mutex, MutexGuard};

use super::App;
use crate::error::{ErrorKind, ServiceError};
use crate::meeting_file::display::DisplayEntry;
use crate::operation::principal::Principal;

/// The locks of editors; two meetings rarely share one.
static EDITS: [Mutex<()>; 64] = [const { Mutex::const_new(()) }; 64];

/// Changes of a meeting. Fields that are left out keep their value.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct MeetingChange {
    /// The question.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
    pub topic: Option<String>,
    /// The title; `null` shows the topic instead. It can be changed after the end, too.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 200))]
    pub title: Option<Option<String>>,
    /// The purpose of the meeting in one line; `null` removes it.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 200))]
    pub description: Option<Option<String>>,
    /// The tags by which people find the meeting again, in place of those that it has; at most 10 of at most 40 characters. They can
    /// be changed after the end, too.
    #[cfg_attr(feature = "openapi", schema(max_items = 10))]
    pub tags: Option<Vec<String>>,
    /// How times of the meeting are displayed: fields that are left out keep their value, and `null` leaves it to each reader.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DisplayEntry>))]
    pub display: Option<Map<String, Value>>,
    /// Changes of the rules: fields that are left out keep their value, and `null` removes an optional rule.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub rules: Option<Map<String, Value>>,
    /// An announcement for all participants.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 2000))]
    pub announcement: Option<String>,
    /// A password for the meeting; `null` removes it.
    #[serde(deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, min_length = 1, max_length = 200))]
    pub password: Option<Option<String>>,
}

impl MeetingChange {
    /// Whether nothing is changed.
    fn is_empty(&self) -> bool {
        let Self { topic, title, description, tags, display, rules, announcement, password } = self;
        topic.is_none()
            && title.is_none()
            && description.is_none()
            && tags.is_none()
            && display.is_none()
            && rules.is_none()
            && announcement.is_none()
            && password.is_none()
    }
}

/// What is changed beside the log.
struct LabelChange {
    title: Option<String>,
    tags: Option<Vec<String>>,
}

impl LabelChange {
    fn is_empty(&self) -> bool {
        self.title.is_none() && self.tags.is_none()
    }
}

/// The most tags of a meeting.
const TAGS_MAX: usize = 10;
/// The most characters of a tag.
const TAG_MAX_CHARS: usize = 40;

/// Tags as they are kept: on one line each, and none twice.
fn checked_tags(given: Vec<String>) -> Result<Vec<String>, ServiceError> {
    let mut tags: Vec<String> = Vec::new();
    for (place, tag) in given.into_iter().enumerate() {
        let Some(tag) = clean_within(&tag, 1, TAG_MAX_CHARS) else {
            let problem = message!("app-tag-length", most = TAG_MAX_CHARS);
            let error = ServiceError::usage(problem, message!("app-tag-length-hint"));
            return Err(error.with("field", format!("tags[{place}]")));
        };
        let tag = tag.split_whitespace().collect::<Vec<_>>().join(" ");
        if !tags.iter().any(|known| known.to_lowercase() == tag.to_lowercase()) {
            tags.push(tag);
        }
    }
    if tags.len() > TAGS_MAX {
        let problem = message!("app-too-many-tags", most = TAGS_MAX);
        return Err(ServiceError::usage(problem, message!("app-too-many-tags-hint")).with("field", "tags"));
    }
    Ok(tags)
}

/// Tells `null` from a field that is left out.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Why a change was not made.
#[derive(Debug)]
pub enum EditError {
    /// What it changes has been changed since the version that its editor looked at.
    Outdated {
        /// What has changed.
        what: Message,
        /// The last event of the meeting.
        last_seq: u64,
    },
    /// Everything else.
    Service(ServiceError),
}

impl<E: Into<ServiceError>> From<E> for EditError {
    fn from(error: E) -> Self {
        Self::Service(error.into())
    }
}

impl App {
    /// Applies all changes or none, and returns the meeting after them. `seen` is the last event that the editor knew.
    ///
    /// # Errors
    /// When something of it was changed after `seen`, a change is refused, or there is no such meeting.
    pub async fn change_meeting(
        &self,
        principal: &Principal,
        id: &MeetingId,
        mut change: MeetingChange,
        seen: Option<u64>,
    ) -> Result<Meeting, EditError> {
        let _turn = one_at_a_time(id).await;
        let meeting = self.load(id).await?;
        let labels = self.labels_of_change(&meeting, &mut change)?;
        if change.is_empty() && !labels.is_empty() {
            self.put_labels(id, labels).await?;
            return Ok(self.load(id).await?);
        }
        self.check_seen(&meeting, seen, message!("server-meeting-changed"), touches(&change)).await?;
        let details = details(&change, &meeting)?;
        let rules = change.rules.map(|given| laid_over(meeting.rules(), &given)).transpose()?.map(Box::new);
        let MeetingChange { topic, announcement, password, .. } = change;
        let locked = password.as_ref().map(Option::is_some);
        let by = principal.actor();
        let command = Command::ChangeMeeting { by, topic, details, rules, announcement, locked };
        // What would be refused is refused before a password is hashed. No event is made, so the moment does not matter.
        decide(&meeting, command.clone(), meeting.updated_at)?;
        self.change(id, command, password.as_ref().map(Option::as_deref)).await?;
        self.put_labels(id, labels).await?;
        Ok(self.load(id).await?)
    }

    /// Takes out of a change what stands beside the log: the tags, and the title of a meeting that has ended.
    fn labels_of_change(
        &self,
        meeting: &Meeting,
        change: &mut MeetingChange,
    ) -> Result<LabelChange, ServiceError> {
        let is_off_record = self.is_off_record(&meeting.id);
        let tags = change.tags.take().map(checked_tags).transpose()?;
        if tags.is_some() && is_off_record {
            let (message, hint) =
                (message!("app-no-tags-off-record"), message!("app-no-tags-off-record-hint"));
            let error = ServiceError::new(message, hint).of(ErrorKind::MeetingState);
            return Err(error.with("current_state", "off_record"));
        }
        let title = match change.title.take_if(|_| meeting.is_over() && !is_off_record) {
            None => None,
            Some(title) => {
                let details =
                    MeetingDetails { title: title.unwrap_or_default(), ..MeetingDetails::default() };
                let given = details.checked()?.title;
                Some(if given.is_empty() { meeting.settings.topic.clone() } else { given })
            }
        };
        Ok(LabelChange { title, tags })
    }

    async fn put_labels(&self, id: &MeetingId, labels: LabelChange) -> Result<(), ServiceError> {
        if labels.is_empty() {
            return Ok(());
        }
        let LabelChange { title, tags } = labels;
        match self.store().label_meeting(id, title, tags).await? {
            true => Ok(()),
            false => Err(JournalError::NoSuchMeeting(id.clone()).into()),
        }
    }

    /// Replaces the rules of a meeting, and returns the meeting after it.
    ///
    /// # Errors
    /// As [`Self::change_meeting`].
    pub async fn replace_rules(
        &self,
        principal: &Principal,
        id: &MeetingId,
        rules: Rules,
        seen: Option<u64>,
    ) -> Result<Meeting, EditError> {
        let _turn = one_at_a_time(id).await;
        let meeting = self.load(id).await?;
        let touched = |body: &EventBody| matches!(body, EventBody::RulesChanged { .. });
        self.check_seen(&meeting, seen, message!("server-rules-changed"), touched).await?;
        let command = Command::ChangeRules { by: principal.actor(), rules: Box::new(rules) };
        self.command(principal, id, command).await?;
        Ok(self.load(id).await?)
    }

    async fn check_seen(
        &self,
        meeting: &Meeting,
        seen: Option<u64>,
        what: Message,
        touched: impl Fn(&EventBody) -> bool,
    ) -> Result<(), EditError> {
        let Some(seen) = seen else { return Ok(()) };
        let last_seq = meeting.seq;
        if seen == 0 || seen > last_seq {
            return Err(EditError::Outdated { what, last_seq });
        }
        let since = self.records(&meeting.id, seen).await?;
        match since.iter().any(|record| touched(&record.event.body)) {
            true => Err(EditError::Outdated { what, last_seq }),
            false => Ok(()),
        }
    }
}

async fn one_at_a_time(id: &MeetingId) -> MutexGuard<'static, ()> {
    let mut hasher = DefaultHasher::new();
    id.as_str().hash(&mut hasher);
    let place = hasher.finish() as usize % EDITS.len();
    EDITS[place].lock().await
}

fn touches_details(change: &MeetingChange) -> bool {
    change.title.is_some() || change.description.is_some() || change.display.is_some()
}

/// The events that change the same as `change`.
fn touches(change: &MeetingChange) -> impl Fn(&EventBody) -> bool + use<> {
    let (topic, rules, password) =
        (change.topic.is_some(), change.rules.is_some(), change.password.is_some());
    let details = touches_details(change);
    move |body| match body {
        EventBody::TopicChanged { .. } => topic,
        EventBody::DetailsChanged { .. } => details,
        EventBody::RulesChanged { .. } => rules,
        EventBody::AccessChanged { .. } => password,
        _ => false,
    }
}

/// The details with the changes; `None` when there is none.
fn details(change: &MeetingChange, meeting: &Meeting) -> Result<Option<MeetingDetails>, ServiceError> {
    if !touches_details(change) {
        return Ok(None);
    }
    let mut details = meeting.details();
    if let Some(title) = &change.title {
        details.title = title.clone().unwrap_or_default();
    }
    if let Some(description) = &change.description {
        details.description = description.clone().unwrap_or_default();
    }
    if let Some(given) = &change.display {
        let mut all = serde_json::to_value(&details.display).unwrap_or_default();
        if let Some(all) = all.as_object_mut() {
            lay_over(all, given);
        }
        let entry: DisplayEntry = serde_path_to_error::deserialize(all)
            .map_err(|error| unreadable("display", &error, message!("server-display-hint")))?;
        details.display = entry.checked()?;
    }
    Ok(Some(details))
}

/// The rules with `given` over them.
fn laid_over(rules: &Rules, given: &Map<String, Value>) -> Result<Rules, ServiceError> {
    let mut all = serde_json::to_value(rules).unwrap_or_default();
    if let Some(all) = all.as_object_mut() {
        lay_over(all, given);
    }
    serde_path_to_error::deserialize(all)
        .map_err(|error| unreadable("rules", &error, message!("server-rules-hint")))
}

/// Puts every value of `over` in place of the one below it.
fn lay_over(below: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, value) in over {
        match (below.get_mut(key), value) {
            (Some(Value::Object(below)), Value::Object(over)) => lay_over(below, over),
            _ => _ = below.insert(key.clone(), value.clone()),
        }
    }
}

fn unreadable(
    root: &str,
    error: &serde_path_to_error::Error<serde_json::Error>,
    hint: Message,
) -> ServiceError {
    let field = match error.path().to_string() {
        path if path == "." => root.to_owned(),
        path => format!("{root}.{path}"),
    };
    let problem = decoding_problem(&error.inner().to_string());
    ServiceError::usage(message!("app-in-field", field = &field, problem), hint).with("field", field)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn over(given: Value) -> Result<Rules, ServiceError> {
        laid_over(&Rules::default(), given.as_object().expect("an object"))
    }

    #[test]
    fn what_is_not_given_stays() {
        let rules = over(json!({"limits": {"max_rounds": 2, "tokens": null}})).expect("sound");
        let mut expected = Rules::default();
        (expected.limits.max_rounds, expected.limits.tokens) = (2, None);
        assert_eq!(rules, expected);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let error = over(json!({"turns": {"timeout_ms": "soon"}})).expect_err("no number");
        assert_eq!(error.details()["field"], "rules.turns.timeout_ms");
    }
}
