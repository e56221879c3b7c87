//! The files of requirement 002: agents, rooms, and the messages of each room.

use serde::{Deserialize, Serialize};

use super::secrets;

/// An entry of `agents.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomAgent {
    /// Its id.
    pub agent_id: String,
    /// Its name.
    pub name: String,
    /// What it looks at.
    #[serde(default)]
    pub introduce: String,
    /// The rooms that it is in.
    #[serde(default)]
    pub rooms: Vec<String>,
    /// Whether it can be asked.
    #[serde(default)]
    pub status: MemberStatus,
    /// ISO 8601.
    #[serde(default)]
    pub last_active: Option<String>,
    /// Its role, and what answers for it.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Not used.
    #[serde(default)]
    pub skip_list: Vec<String>,
    /// Languages it speaks.
    #[serde(default)]
    pub language_support: Vec<String>,
    /// The one it speaks best.
    #[serde(default = "chinese")]
    pub preferred_language: String,
    /// Where it is.
    #[serde(default = "shanghai")]
    pub timezone: String,
}

/// Whether somebody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// It is asked in its turn.
    #[default]
    Online,
    /// It is not asked.
    Offline,
    /// It is speaking.
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
    /// ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
    /// Whoever created it.
    #[serde(default = "user")]
    pub created_by: String,
    /// Never written; of what is read only stays whether there was one.
    #[serde(default, serialize_with = "secrets::as_null", deserialize_with = "secrets::forget")]
    pub password: bool,
    /// Who gives the floor.
    #[serde(default)]
    pub interaction_mode: InteractionMode,
    /// Whether people may speak.
    #[serde(default = "yes")]
    pub user_participation: bool,
    /// Whether it goes on.
    #[serde(default)]
    pub system_status: SystemStatus,
    /// `zh-CN` or `en`.
    #[serde(default = "chinese")]
    pub language: String,
    /// Where its people are.
    #[serde(default = "shanghai")]
    pub timezone: String,
    /// Who is in it.
    pub members: Vec<Member>,
    /// What everybody is to know.
    #[serde(default)]
    pub announcement: Option<RoomAnnouncement>,
    /// The round that runs, or ran last.
    #[serde(default)]
    pub current_round: Option<CurrentRound>,
    /// The rounds that are over.
    #[serde(default)]
    pub history_rounds: Vec<String>,
    /// How times are shown.
    #[serde(default)]
    pub settings: RoomSettings,
}

/// Who gives the floor in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InteractionMode {
    /// The order of the round.
    #[default]
    Default,
    /// The host.
    Host,
}

/// Whether a room goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemStatus {
    /// It does.
    #[default]
    Active,
    /// It rests, or is over.
    Paused,
}

/// What somebody is in a room.
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

/// Somebody in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it is.
    pub role: MemberRole,
    /// What it looks at.
    #[serde(default)]
    pub introduce: String,
    /// Whether it can be asked.
    #[serde(default)]
    pub status: MemberStatus,
    /// ISO 8601.
    #[serde(default)]
    pub last_active: Option<String>,
    /// Whether it gives the floor.
    #[serde(default)]
    pub is_host: bool,
    /// Not used.
    #[serde(default)]
    pub skip_list: Vec<String>,
    /// Its language.
    #[serde(default = "chinese")]
    pub language_preference: String,
    /// Where it is.
    #[serde(default = "shanghai")]
    pub timezone_preference: String,
}

/// What everybody in a room is to know.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomAnnouncement {
    /// The last one that a person published; may be empty.
    pub user_announcement: String,
    /// Who did.
    pub announcement_publisher: String,
    /// ISO 8601.
    pub timestamp: Option<String>,
    /// The topic where the description has no room for it, and the background.
    pub system_announcement: String,
}

/// A round of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentRound {
    /// `r2-5` is round 2, which begins with the fifth message.
    pub round_id: String,
    /// ISO 8601.
    #[serde(default)]
    pub start_time: Option<String>,
    /// How many have been asked.
    #[serde(default)]
    pub current_agent_index: u32,
    /// Who is asked, by name.
    #[serde(default)]
    pub agent_queue: Vec<String>,
    /// Whether everybody had a chance.
    #[serde(default)]
    pub completed: bool,
}

/// How times are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomSettings {
    /// `12h` or `24h`.
    pub display_time_format: String,
    /// Such as `yyyy-MM-dd`.
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
    /// ISO 8601.
    pub timestamp: String,
    /// The sender's name.
    pub sender: String,
    /// What the sender is.
    pub role: MemberRole,
    /// The words.
    pub text_content: String,
    /// Not used.
    #[serde(default)]
    pub text_content_i18n: Option<serde_json::Value>,
    /// `zh-CN` or `en`.
    #[serde(default = "chinese")]
    pub source_language: String,
    /// A file that came with it; empty when none did.
    #[serde(default)]
    pub file_url: String,
    /// Its type.
    #[serde(default)]
    pub file_type: String,
    /// Whom it mentions, by name.
    #[serde(default)]
    pub mentions: Vec<String>,
    /// Whether people see it; a turn that was let go by is not seen.
    #[serde(default = "yes")]
    pub visible: bool,
    /// Whether the room has taken note of it.
    #[serde(default)]
    pub processed: bool,
    /// The message that called for it.
    #[serde(default)]
    pub response_to: Option<String>,
    /// Where its readers are.
    #[serde(default = "shanghai")]
    pub display_timezone: String,
}

/// What a turn that was let go by says in a room.
pub(super) const SKIPPED: &str = "跳过";
/// What a turn says that took too long.
pub(super) const TIMED_OUT: &str = "超时跳过";

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
