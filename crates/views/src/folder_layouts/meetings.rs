//! The files of the `meetings/` layout: one per agent, and one per meeting.

use std::collections::BTreeMap;

use quorate_contract::{Effort, SpeakingLength, Style};
use serde::{Deserialize, Serialize};

use super::{MessageExtension, secrets};

/// `agents/{id}.json`, and an entry of a meeting's `participants`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentFile {
    /// The id.
    pub id: String,
    /// The name, 1-50 characters.
    pub name: String,
    /// The role.
    pub role: RoleFile,
    /// The model.
    pub model_config: ModelConfigFile,
}

/// `Role`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleFile {
    /// The name, 1-50 characters.
    pub name: String,
    /// The description, 1-2000 characters.
    pub description: String,
    /// Further instruction; may be empty.
    #[serde(default)]
    pub system_prompt: String,
}

/// `ModelConfig`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelConfigFile {
    /// A provider, or `simulated`, or `process`.
    pub provider: String,
    /// The model, the temperament, or the process's name.
    pub model_name: String,
    /// Written as an empty text; of what is read only stays whether there was one.
    #[serde(default, serialize_with = "secrets::as_text", deserialize_with = "secrets::forget")]
    pub api_key: bool,
    /// The sampling parameters.
    #[serde(default)]
    pub parameters: Option<ParametersFile>,
}

/// `ModelParameters`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ParametersFile {
    /// The temperature, 0.0-2.0.
    pub temperature: Option<f64>,
    /// The most tokens of one answer.
    pub max_tokens: Option<u32>,
    /// The nucleus sampling threshold, 0.0-1.0.
    pub top_p: Option<f64>,
    /// How much the model thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The token limit of thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
    /// The most tokens of a prompt and its answer together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u32>,
}

/// `meetings/{id}.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingFile {
    /// The id.
    pub id: String,
    /// The topic, 1-200 characters.
    pub topic: String,
    /// The language, `zh` or `en`; without it, that of the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// All participants, past and present.
    pub participants: Vec<AgentFile>,
    /// `user`, or an agent's id.
    #[serde(default = "user")]
    pub moderator_id: String,
    /// Which of the two.
    #[serde(default)]
    pub moderator_type: ModeratorType,
    /// The agenda.
    #[serde(default)]
    pub agenda: Vec<AgendaFile>,
    /// All that was said, the oldest first.
    #[serde(default)]
    pub messages: Vec<MessageFile>,
    /// All versions of the minutes, the oldest first.
    #[serde(default)]
    pub minutes_history: Vec<MinutesFile>,
    /// The version that holds.
    #[serde(default)]
    pub current_minutes: Option<MinutesFile>,
    /// The settings of the meeting.
    #[serde(default)]
    pub config: ConfigFile,
    /// The state.
    #[serde(default)]
    pub status: StatusFile,
    /// Time in ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
    /// Time in ISO 8601.
    #[serde(default)]
    pub updated_at: Option<String>,
}

fn user() -> String {
    "user".to_owned()
}

/// The kind of moderator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeratorType {
    /// The person who asks.
    #[default]
    User,
    /// A participant.
    Agent,
}

/// `AgendaItem`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgendaFile {
    /// The id.
    pub id: String,
    /// The title, 1-200 characters.
    pub title: String,
    /// At most 2000 characters.
    #[serde(default)]
    pub description: String,
    /// Whether the item is done.
    #[serde(default)]
    pub completed: bool,
    /// Time in ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
}

/// `MeetingMinutes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinutesFile {
    /// The id.
    pub id: String,
    /// The text, 1-20,000 characters.
    pub content: String,
    /// The summary.
    #[serde(default)]
    pub summary: String,
    /// Decisions.
    #[serde(default)]
    pub key_decisions: Vec<String>,
    /// Action items.
    #[serde(default)]
    pub action_items: Vec<String>,
    /// Time in ISO 8601.
    #[serde(default)]
    pub created_at: Option<String>,
    /// An agent's id, `facilitator`, `rules`, or a person.
    #[serde(default = "user")]
    pub created_by: String,
    /// The version, counted from 1.
    pub version: u32,
}

/// `MeetingConfig`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfigFile {
    /// The largest number of rounds; `None` for no limit.
    pub max_rounds: Option<u32>,
    /// The largest length of a message in characters; `None` for no limit.
    pub max_message_length: Option<u32>,
    /// The order of turns.
    pub speaking_order: OrderFile,
    /// The style.
    pub discussion_style: Option<Style>,
    /// The speaking length of each participant, by an agent's id.
    pub speaking_length_preferences: Option<BTreeMap<String, SpeakingLength>>,
}

/// `SpeakingOrder`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderFile {
    /// In the order of the list.
    #[default]
    Sequential,
    /// Shuffled.
    Random,
}

/// `MeetingStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusFile {
    /// Not started, or running.
    #[default]
    Active,
    /// Paused.
    Paused,
    /// Ended.
    Ended,
}

/// `Message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageFile {
    /// The id.
    pub id: String,
    /// An agent's id, `facilitator`, or a person.
    pub speaker_id: String,
    /// The speaker's name.
    #[serde(default)]
    pub speaker_name: String,
    /// Which of the two.
    pub speaker_type: ModeratorType,
    /// The text.
    pub content: String,
    /// Time in ISO 8601.
    pub timestamp: String,
    /// The round.
    #[serde(default)]
    pub round_number: u32,
    /// The mentioned participants.
    #[serde(default)]
    pub mentions: Option<Vec<MentionFile>>,
    /// What the other fields have no place for; absent in messages of other programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quorate: Option<MessageExtension>,
}

/// `Mention`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionFile {
    /// The id of the agent or the person.
    pub mentioned_participant_id: String,
    /// Its name.
    #[serde(default)]
    pub mentioned_participant_name: String,
    /// The message that mentions it.
    #[serde(default)]
    pub message_id: String,
    /// `user` for a person; absent for an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentioned_participant_type: Option<ModeratorType>,
}
