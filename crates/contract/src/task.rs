//! Tasks that are owed to a meeting, their prompts, and their outcomes.
//!
//! Every runner (a provider's model, a simulation, a process, an agent) is handed a [`Prompt`] and returns an
//! [`Outcome`]. Nothing here knows how a runner works.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::brief::Brief;
use crate::file::ImageSize;
use crate::ids::{FileId, ParticipantId, TaskId, Timestamp};
use crate::participant::RunnerSpec;
use crate::tool::{PromptTools, ToolRun};

/// A task that is owed to the meeting.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// A call of a runner.
    Call(Call),
    /// A call of a tool.
    Tool(ToolRun),
    /// The meeting has to be woken at this moment (a time budget).
    Wake(Timestamp),
}

/// One answer that is owed.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The id of the task.
    pub id: TaskId,
    /// Counted from 1; a repeated call after a crash or a malformed answer has the next number.
    pub attempt: u32,
    /// The participant who answers; `None` is the facilitator.
    pub participant: Option<ParticipantId>,
    /// The runner that answers.
    pub runner: RunnerSpec,
    /// The time limit of the answer once the call is in flight, in milliseconds.
    pub timeout_ms: u64,
}

/// The role of a message of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// Messages of others, and the task.
    User,
    /// The reader's own earlier messages.
    Assistant,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptMessage {
    /// The role of the message.
    pub role: PromptRole,
    /// The text.
    pub content: String,
    /// The images that belong to the text, in its order. Each stands behind the text before its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<PromptImage>,
}

impl PromptMessage {
    /// A message without images.
    pub fn text(role: PromptRole, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), images: Vec::new() }
    }
}

/// An image in a prompt: which file it is and where it stands. Its content is not here; who is to be shown it fetches it
/// by the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptImage {
    /// The place in the text of the message: the number of bytes before it, in UTF-8.
    pub offset: usize,
    /// The file.
    pub file: FileId,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The width of the image in pixels.
    pub width: u32,
    /// The height of the image in pixels.
    pub height: u32,
}

impl PromptImage {
    /// The size of the image.
    pub fn image(&self) -> ImageSize {
        ImageSize { width: self.width, height: self.height }
    }
}

/// The schema of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerSchema {
    /// A short name of letters and underscores, such as `vote`.
    pub name: &'static str,
    /// JSON Schema; every string in it is bounded by `maxLength`.
    pub schema: Arc<serde_json::Value>,
}

/// All that a participant, or the facilitator, reads before it answers.
///
/// `messages` alternate strictly between user and assistant, begin and end with a user one.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The instruction: rules and role. The same over the whole meeting for the same reader.
    pub system: String,
    /// The messages, append-only from call to call, with the task last.
    pub messages: Vec<PromptMessage>,
    /// The byte offset in the last message at which the task begins. The same reader's next prompt repeats
    /// all that comes before it, so a provider's cache can end there.
    pub task_at: usize,
    /// The shape of the answer, when prose is not enough.
    pub schema: Option<AnswerSchema>,
    /// The most tokens of the answer.
    pub max_tokens: u32,
    /// The data from which the task was written, for those who answer without reading prose.
    pub brief: Arc<Brief>,
    /// The tools that the reader may call, and its calls so far.
    pub tools: PromptTools,
}

impl Prompt {
    /// The images in it, in their order.
    pub fn images(&self) -> impl Iterator<Item = &PromptImage> {
        self.messages.iter().flat_map(|message| &message.images)
    }

    /// Whether every provider takes it: it begins and ends with the words of a user, and the roles take turns.
    pub fn is_well_formed(&self) -> bool {
        let is_user =
            |message: Option<&PromptMessage>| message.is_some_and(|message| message.role == PromptRole::User);
        let takes_turns = self.messages.windows(2).all(|pair| pair[0].role != pair[1].role);
        is_user(self.messages.first()) && is_user(self.messages.last()) && takes_turns
    }
}
