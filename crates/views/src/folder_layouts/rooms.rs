//! The files of the `rooms` layout: agents, rooms, and the messages of each room.

use serde::{Deserialize, Serialize};

use super::{MessageExtension, RoomExtension, secrets};

/// An entry of `agents.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomAgent {
    /// The id.
    pub agent_id: String,
    /// The name.
    pub name: String,
    /// The role.
    #[serde(default)]
    pub introduce: String,
    /// The rooms that it is in.
    #[serde(default)]
    pub rooms: Vec<String>,
    /// Whether it can be asked.
    #[serde(default)]
    pub status: MemberStatus,
    /// Time in ISO 8601.
    #[serde(default)]
    pub last_active: Option<String>,
    /// Its role, and what answers for it.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Unused.
    #[serde(default)]
    pub skip_list: Vec<String>,
    /// Supported languages.
    #[serde(default)]
    pub language_support: Vec<String>,
    /// The one it speaks best.
    #[serde(default = "chinese")]
    pub preferred_language: String,
    /// The time zone.
    #[serde(default = "shanghai")]
    pub timezone: String,
}

/// The presence of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// The member is asked in its turn.
    #[default]
    Online,
    /// The member is not asked.
    Offline,
    /// The member is speaking.
    Busy,
}

/// An entry of `rooms.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Its id, and the name of its file of messages.
    pub room_id: String,
    /// Its name, in English.
    pub room_name: String,
    /// 10 characters of Chinese or 30 of English.
    #[serde(default)]
    pub room_description: String,
    /// Time in ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
    /// The creator.
    #[serde(default = "user")]
    pub created_by: String,
    /// Never written; of what is read only stays whether there was one.
    #[serde(default, serialize_with = "secrets::as_null", deserialize_with = "secrets::forget")]
    pub password: bool,
    /// Who gives the floor.
    #[serde(default)]
    pub interaction_mode: InteractionMode,
    /// Whether people may send messages.
    #[serde(default = "yes")]
    pub user_participation: bool,
    /// Whether the room is active.
    #[serde(default)]
    pub system_status: SystemStatus,
    /// The language, `zh-CN` or `en`.
    #[serde(default = "chinese")]
    pub language: String,
    /// The time zone of its people.
    #[serde(default = "shanghai")]
    pub timezone: String,
    /// The members.
    pub members: Vec<Member>,
    /// The announcement to all members.
    #[serde(default)]
    pub announcement: Option<RoomAnnouncement>,
    /// The round that runs, or ran last.
    #[serde(default)]
    pub current_round: Option<CurrentRound>,
    /// The rounds that are over.
    #[serde(default)]
    pub history_rounds: Vec<String>,
    /// The display of times.
    #[serde(default)]
    pub settings: RoomSettings,
    /// What the other fields have no place for; absent in rooms of other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quorate: Option<RoomExtension>,
}

/// The way of giving the floor in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InteractionMode {
    /// The order of the round.
    #[default]
    Default,
    /// By the host.
    Host,
}

/// The state of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemStatus {
    /// The room is active.
    #[default]
    Active,
    /// The room is paused or ended.
    Paused,
}

/// The role of a member in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberRole {
    /// A participant.
    AiAgent,
    /// A person.
    User,
    /// The facilitator, or the room itself.
    System,
}

/// A member of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The name.
    pub name: String,
    /// The role in the room.
    pub role: MemberRole,
    /// The role in the discussion.
    #[serde(default)]
    pub introduce: String,
    /// Whether it can be asked.
    #[serde(default)]
    pub status: MemberStatus,
    /// Time in ISO 8601.
    #[serde(default)]
    pub last_active: Option<String>,
    /// Whether it is the host.
    #[serde(default)]
    pub is_host: bool,
    /// Unused.
    #[serde(default)]
    pub skip_list: Vec<String>,
    /// The language.
    #[serde(default = "chinese")]
    pub language_preference: String,
    /// The time zone.
    #[serde(default = "shanghai")]
    pub timezone_preference: String,
}

/// The announcement to all members of a room.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomAnnouncement {
    /// The last one that a person published; may be empty.
    pub user_announcement: String,
    /// The publisher.
    pub announcement_publisher: String,
    /// Time in ISO 8601.
    pub timestamp: Option<String>,
    /// The topic where the description has no room for it, and the background.
    pub system_announcement: String,
}

/// A round of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentRound {
    /// The id: `r2-5` is round 2, which begins with the fifth message.
    pub round_id: String,
    /// Time in ISO 8601.
    #[serde(default)]
    pub start_time: Option<String>,
    /// The number of members that have been asked.
    #[serde(default)]
    pub current_agent_index: u32,
    /// The names of the members that are asked, in order.
    #[serde(default)]
    pub agent_queue: Vec<String>,
    /// Whether the round has ended.
    #[serde(default)]
    pub completed: bool,
}

/// The display of times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomSettings {
    /// `12h` or `24h`.
    pub display_time_format: String,
    /// A pattern such as `yyyy-MM-dd`.
    pub display_date_format: String,
}

impl Default for RoomSettings {
    fn default() -> Self {
        Self { display_time_format: "24h".to_owned(), display_date_format: "yyyy-MM-dd".to_owned() }
    }
}

/// `messages/{message_id}.json`, and an entry of `room_messages/{room_id}.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomMessage {
    /// A UUID.
    pub message_id: String,
    /// The room.
    pub room_id: String,
    /// Time in ISO 8601.
    pub timestamp: String,
    /// The sender's name.
    pub sender: String,
    /// The sender's role.
    pub role: MemberRole,
    /// The text.
    pub text_content: String,
    /// Unused.
    #[serde(default)]
    pub text_content_i18n: Option<serde_json::Value>,
    /// The language, `zh-CN` or `en`.
    #[serde(default = "chinese")]
    pub source_language: String,
    /// A file that came with it; empty when none did.
    #[serde(default)]
    pub file_url: String,
    /// The media type.
    #[serde(default)]
    pub file_type: String,
    /// Whom it mentions, by name.
    #[serde(default)]
    pub mentions: Vec<String>,
    /// Whether people see it; skipped turns are hidden.
    #[serde(default = "yes")]
    pub visible: bool,
    /// Whether the room has processed it.
    #[serde(default)]
    pub processed: bool,
    /// The message that called for it.
    #[serde(default)]
    pub response_to: Option<String>,
    /// The time zone of its readers.
    #[serde(default = "shanghai")]
    pub display_timezone: String,
    /// What the other fields have no place for; absent in messages of other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quorate: Option<MessageExtension>,
}

/// The text of a skipped turn in a room: part of the format, whatever the language of the room.
pub const SKIPPED: &str = "跳过";
/// The text of a turn that timed out; part of the format as well.
pub const TIMED_OUT: &str = "超时跳过";
/// The text of a turn for which a participant was not asked, by its skip list.
pub const NOT_ASKED: &str = "按跳过列表跳过";

pub(super) fn chinese() -> String {
    "zh-CN".to_owned()
}
pub(super) fn shanghai() -> String {
    "Asia/Shanghai".to_owned()
}
fn user() -> String {
    "user".to_owned()
}
fn yes() -> bool {
    true
}
