//! Tools: what the meeting allows, the calls of turns in progress, and what results have shown.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quorate_contract::{
    AllowedTools, ParticipantId, ToolCallId, ToolDecision, ToolOutcome, ToolSource, TurnId,
};
use serde::{Deserialize, Serialize};

/// The tools of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeetingTools {
    /// The sources that participants may call.
    pub allowed: Vec<AllowedTools>,
    /// The tools with effects that a person has allowed for the whole meeting.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) approved: BTreeSet<String>,
    /// The number of calls so far.
    pub called: u32,
    /// The calls of turns in progress: the answers that made them, in their order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) turns: BTreeMap<TurnId, Vec<ToolAnswer>>,
    /// What results have shown, in the order of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Arc<ToolResultRecord>>,
}

impl MeetingTools {
    /// Whether no tool was ever allowed or called.
    pub fn is_unused(&self) -> bool {
        *self == Self::default()
    }

    /// Takes out the calls of turns in progress, in which reasoning can stand.
    pub fn take_open_calls(&mut self) {
        self.turns.clear();
    }
}

/// An answer that called tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolAnswer {
    /// What was said before the calls.
    pub text: String,
    /// What the vendor wants back verbatim.
    pub continuation: String,
    /// The calls.
    pub calls: Vec<Arc<ToolCallRecord>>,
}

/// A call of a turn in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolCallRecord {
    /// The id.
    pub id: ToolCallId,
    /// The participant.
    pub participant: ParticipantId,
    /// The name of the tool.
    pub tool: String,
    /// The arguments.
    pub arguments: String,
    /// Whether it can change something.
    pub effects: bool,
    /// The longest result, in characters.
    pub max_chars: u32,
    /// What a person has answered, when it has effects.
    pub decision: Option<ToolDecision>,
    /// How it ended; `None` while it runs or waits for a person.
    pub outcome: Option<ToolOutcome>,
}

/// What the result of a call has shown, for those who cite it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolResultRecord {
    /// The call.
    pub call: ToolCallId,
    /// The sequence number of its event.
    pub seq: u64,
    /// Its turn.
    pub turn: TurnId,
    /// The participant who called.
    pub participant: ParticipantId,
    /// The name of the tool.
    pub tool: String,
    /// The number of lines of the result.
    pub lines: u32,
    /// The lines of files that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<ToolSource>,
}
