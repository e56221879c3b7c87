//! What the tools are called with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How an agent introduces itself.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RegisterAgent {
    /// What you are good at and how you look at things, 1-2000 characters. Others at the table read it.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) introduction: String,
    /// Your role in a word or two, 1-50 characters; `Agent` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 50))]
    pub(crate) role: Option<String>,
    /// What you can do: `rust`, `code review`.
    #[serde(default)]
    pub(crate) capabilities: Vec<String>,
    /// The language that you prefer, as a BCP 47 tag: `zh-CN`, `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    /// Your time zone, as an IANA name: `Asia/Shanghai`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_zone: Option<String>,
    /// What you need not be asked about: when everything that was said since your last word is one of these phrases, your
    /// turn is skipped: `ok`, `收到`. A phrase that begins with `/` or `!` is a command, whatever follows it: `/status`. At
    /// most 50, of 1-200 characters each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50))]
    pub(crate) skip_list: Vec<String>,
}

/// Which meetings are listed.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListMeetings {
    /// Only those in this state: `draft`, `running`, `paused`, `ended`.
    #[serde(default)]
    pub(crate) state: Option<String>,
    /// The `next_cursor` of the page before.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

/// A meeting.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct OneMeeting {
    /// The meeting's id.
    pub(crate) meeting: String,
}

/// From where on a meeting is read.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GetContext {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The `cursor` of an earlier call. When left out, everything since your own last message is returned.
    #[serde(default)]
    pub(crate) after: Option<u64>,
}

/// For how long a turn is waited for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WaitForTurn {
    /// Only turns at this meeting.
    #[serde(default)]
    pub(crate) meeting: Option<String>,
    /// Seconds to wait, 0-25; 25 when left out.
    #[serde(default)]
    #[schemars(range(min = 0, max = 25))]
    pub(crate) wait_seconds: Option<u32>,
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SendMessage {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// Your words in Markdown; for a turn with an answer_schema, the JSON that it describes. `@Name` mentions a
    /// participant.
    #[schemars(length(min = 1))]
    pub(crate) content: String,
    /// The turn that it answers; your oldest open turn at this meeting when left out.
    #[serde(default)]
    pub(crate) ticket: Option<String>,
}

/// A turn that is skipped.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SkipResponse {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The turn; your oldest open turn at this meeting when left out.
    #[serde(default)]
    pub(crate) ticket: Option<String>,
}

/// A vote.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CastVote {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// How good the draft is, 0-100.
    #[schemars(range(min = 0, max = 100))]
    pub(crate) score: u8,
    /// Whether it can be accepted as it is.
    pub(crate) pass: bool,
    /// Why, in a sentence or two.
    pub(crate) reason: String,
    /// What is missing.
    #[serde(default)]
    pub(crate) missing: Vec<String>,
    /// The ballot's turn; your oldest open turn of the kind `vote` at this meeting when left out.
    #[serde(default)]
    pub(crate) ticket: Option<String>,
}

/// What is searched for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchMessages {
    /// Words that all have to be there; Chinese ones of two characters and more.
    #[schemars(length(min = 1))]
    pub(crate) query: String,
    /// Only at this meeting.
    #[serde(default)]
    pub(crate) meeting: Option<String>,
    /// The most hits, 1-100; 20 when left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub(crate) limit: Option<u32>,
    /// The `next_cursor` of the page before.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

/// A message.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GetFullMessage {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The message's id, such as `m7`.
    pub(crate) message_id: String,
}

/// The format of an export.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExportFormat {
    /// Markdown, in the answer itself.
    #[default]
    Markdown,
    /// JSON with all events, in the answer itself.
    Json,
    /// A page that needs nothing else; by its download link.
    Html,
    /// A PDF; by its download link.
    Pdf,
}

/// What is exported.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExportChatHistory {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The format; Markdown when left out.
    #[serde(default)]
    pub(crate) format: ExportFormat,
}

/// A participant of a new meeting.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct NewParticipant {
    /// Unique at the table, 1-50 characters; left out for an agent of the library.
    #[serde(default)]
    pub(crate) name: String,
    /// An agent of the library, by name; then nothing else is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    /// What answers: `provider/model`, `agent/NAME` for an agent that fetches its turns, `person/NAME` for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// The role; one is chosen when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<NewRole>,
    /// What it need not be asked about: when everything that was said since its last word is one of these phrases, its
    /// turn is skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50))]
    pub(crate) skip_list: Vec<String>,
}

/// The role of a participant: what it looks at, and how.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct NewRole {
    /// Its name, 1-50 characters: `Security engineer`.
    pub(crate) name: String,
    /// What it looks at and how, 1-2000 characters.
    pub(crate) description: String,
}

/// A new meeting.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CreateMeeting {
    /// The question, 1-200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub(crate) topic: String,
    /// What one has to know to answer it.
    #[serde(default)]
    pub(crate) background: Option<String>,
    /// `discussion`, `decision`, `room`, `consensus` (when left out) or `brainstorm`.
    #[serde(default)]
    pub(crate) format: Option<String>,
    /// The language in which it is held: `zh` or `en`.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// Who takes part; chosen among the configured models when left out.
    #[serde(default)]
    pub(crate) participants: Vec<NewParticipant>,
    /// Lets everyone without a model of their own be simulated, at no cost.
    #[serde(default)]
    pub(crate) simulate: Option<bool>,
    /// Rules that differ from the format's, as in the HTTP API.
    #[serde(default)]
    pub(crate) rules: Option<Map<String, Value>>,
}
