//! What the tools answer.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The registered agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RegisteredAgent {
    /// Its id.
    pub(crate) agent_id: String,
    /// The name by which seats are held for it: `agent/NAME`.
    pub(crate) name: String,
    /// What to do next.
    pub(crate) next: String,
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ItemList {
    /// The items.
    pub(crate) items: Vec<Value>,
    /// What to send as `cursor` for the next page; `null` on the last one.
    pub(crate) next_cursor: Option<String>,
}

/// A page of hits.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchedMessages {
    /// The hits, each with its meeting, its `seq`, who said it, and a snippet.
    pub(crate) items: Vec<Value>,
    /// What to send as `cursor` for the next page; `null` on the last one.
    pub(crate) next_cursor: Option<String>,
    /// How many of the latest events cannot be found yet. Search again in a moment when it is not 0.
    pub(crate) lag: u64,
}

/// The seat of an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JoinedMeeting {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The agent's name at the table.
    pub(crate) participant: String,
    /// What to do next.
    pub(crate) next: String,
}

/// What an agent has to know about a meeting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingContext {
    /// Topic, background, format, state and rules.
    pub(crate) meeting: Value,
    /// Everyone at the table.
    pub(crate) participants: Vec<Value>,
    /// What was said, the oldest first.
    pub(crate) messages: Vec<Value>,
    /// Whether there is more; call again with `after` set to `cursor`.
    pub(crate) has_more: bool,
    /// Send it as `after` for what is said later: nothing is missed, and nothing is seen twice.
    pub(crate) cursor: u64,
    /// Your open turns at this meeting.
    pub(crate) open_turns: Vec<Value>,
}

/// A turn, when there is one.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WaitedTurn {
    /// The turn: its ticket, instructions, messages, answer schema, whether it may be skipped, and its deadline. `null`
    /// when none came in time.
    pub(crate) turn: Option<Value>,
    /// What to do next.
    pub(crate) next: String,
}

/// What became of an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnReceipt {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// The last event that followed from it, by its sequence number. It is durable.
    pub(crate) seq: u64,
    /// Whether the turn is offered once more, because the answer could not be read.
    pub(crate) asked_again: bool,
    /// What was wrong with the answer, when it is asked for once more.
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

/// An export.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExportedHistory {
    /// The content, for Markdown and JSON.
    pub(crate) content: Option<Value>,
    /// Where it is downloaded, below the address of the server.
    pub(crate) download: String,
}

/// A meeting as it stands.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingState {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// Where it is: `draft`, `running`, `paused`, `ended`, …
    pub(crate) state: String,
    /// What to do next.
    pub(crate) next: String,
}

/// The result of a meeting.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MeetingResult {
    /// The meeting's id.
    pub(crate) meeting: String,
    /// Where it is: `ended` when the result is final.
    pub(crate) state: String,
    /// Conclusion, dissent, votes with reasons, actions: what can be traced so far.
    pub(crate) report: Value,
    /// What to do next.
    pub(crate) next: String,
}
