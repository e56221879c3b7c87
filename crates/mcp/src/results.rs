//! What the tools answer.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::standing::MeetingPause;

/// The registered agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RegisteredAgent {
    /// The id of the agent.
    pub(crate) agent_id: String,
    /// The name of the agent. A participant with the model `agent/NAME` is answered for by it.
    pub(crate) name: String,
    /// What to do next.
    pub(crate) next: String,
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ItemList {
    /// The items.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) items: Vec<Value>,
    /// The value for `cursor` to get the next page; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A page of hits.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchedMessages {
    /// The hits, each with its meeting, sequence number (`seq`), speaker and a snippet.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) items: Vec<Value>,
    /// The value for `cursor` to get the next page; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
    /// The number of recent events that are not yet searchable. If it is not 0, search again in a moment.
    pub(crate) lag: u64,
}

/// The seat of an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JoinedMeeting {
    /// The id of the meeting.
    pub(crate) meeting: String,
    /// Your name at the meeting.
    pub(crate) participant: String,
    /// What to do next.
    pub(crate) next: String,
}

/// A meeting as an agent reads it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingContext {
    /// The topic, background, format and state, who hosts, and who speaks next.
    pub(crate) meeting: Value,
    /// The participants.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) participants: Vec<Value>,
    /// The people of the meeting who have no seat, by the names by which they are mentioned.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) people: Vec<Value>,
    /// The attached files, with their number of lines; read them with get_file.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) files: Vec<Value>,
    /// The messages, oldest first. One of more than 40,000 characters has `is_cut`; get_full_message returns it whole.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) messages: Vec<Value>,
    /// Whether there are more messages; `next` says how to get them.
    pub(crate) has_more: bool,
    /// The value for `after` in a later call that is to return exactly the messages that follow this page.
    pub(crate) cursor: u64,
    /// Your open turns at this meeting; wait_for_turn returns what they ask.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) open_turns: Vec<Value>,
    /// What to do next.
    pub(crate) next: String,
}

/// A turn, when there is one.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WaitedTurn {
    /// The turn, with its ticket, kind, instructions, messages, `answer_schema`, `can_skip` and deadline; `null` if no turn
    /// opened in time. Of a long meeting it has the newest messages; `messages_left_out` says how many older ones get_context
    /// returns.
    pub(crate) turn: Option<Value>,
    /// The state of the meeting that was named, when no turn is open; `null` otherwise. When it is `ended`, no turn will come.
    pub(crate) state: Option<String>,
    /// What to do next.
    pub(crate) next: String,
}

/// The receipt for an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnReceipt {
    /// The id of the meeting.
    pub(crate) meeting: String,
    /// The sequence number of the last event that resulted from the answer. It is stored.
    pub(crate) seq: u64,
    /// Whether the answer could not be read and the turn is offered again.
    pub(crate) asked_again: bool,
    /// What is wrong with the answer, if the turn is offered again; otherwise `null`.
    pub(crate) problem: Option<String>,
    /// What to do next.
    pub(crate) next: String,
}

/// A message with all its fields.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FullMessage {
    /// The message.
    pub(crate) message: Value,
}

/// Lines of a file. An image has none: it is the content of the result.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LinesOfFile {
    /// The id of the file.
    pub(crate) file: String,
    /// Its name.
    pub(crate) name: String,
    /// The number of lines of the file.
    pub(crate) lines: u64,
    /// The first line that was read; 0 when the file is empty.
    pub(crate) first: u64,
    /// The last line that was read; 0 when the file is empty.
    pub(crate) last: u64,
    /// The text of these lines.
    pub(crate) text: String,
    /// The `first` of the next call; `null` at the end of the file.
    pub(crate) next: Option<u64>,
}

/// An export.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExportedHistory {
    /// The exported content for Markdown and JSON; `null` for HTML and PDF.
    pub(crate) content: Option<Value>,
    /// The path of the file on the server, to be requested with the same access token.
    pub(crate) download: String,
}

/// The state of a meeting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingState {
    /// The id of the meeting.
    pub(crate) meeting: String,
    /// The state: `draft`, `preparation`, `discussion`, `ballot`, `closing`, `paused` or `ended`.
    pub(crate) state: String,
    /// The pause with its questions; `null` when the meeting is not paused.
    pub(crate) pause: Option<MeetingPause>,
    /// What to do next.
    pub(crate) next: String,
}

/// The result of a meeting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingResult {
    /// The id of the meeting.
    pub(crate) meeting: String,
    /// The state of the meeting; the result is final when it is `ended`.
    pub(crate) state: String,
    /// The pause with its questions; `null` when the meeting is not paused.
    pub(crate) pause: Option<MeetingPause>,
    /// The conclusion, dissent, votes with reasons, and actions, as far as they are known.
    pub(crate) report: Value,
    /// What to do next.
    pub(crate) next: String,
}
