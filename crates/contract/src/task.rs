//! Tasks that are owed to a meeting, their prompts, and their outcomes.
//!
//! Every runner (a provider's model, a simulation, a process, an agent) is handed a [`Prompt`] and returns an
//! [`Outcome`]. Nothing here knows how a runner works.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::event::PrivateMemory;
use crate::ids::{ArtifactKind, ParticipantId, TaskId, Timestamp};
use crate::participant::RunnerSpec;
use quorate_messages::Language;

/// A task that is owed to the meeting.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// A call of a runner.
    Call(Call),
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

/// The role of one message to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// Messages of others, and the task.
    User,
    /// The reader's own earlier messages.
    Assistant,
}

/// One message to a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptMessage {
    /// The role of the message.
    pub role: PromptRole,
    /// The text.
    pub content: String,
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
}

/// A named claim that the speaker is asked to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefTarget {
    /// The claim's id, such as `c4`.
    pub claim: String,
    /// The owner of the claim.
    pub owner: String,
    /// The text of the claim.
    pub text: String,
    /// Whether its owner holds another position than the reader.
    pub disagrees: bool,
}

/// A participant's position as other participants may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefVoice {
    /// The participant's name.
    pub name: String,
    /// The position, or `None` when the participant has not spoken.
    pub position: Option<String>,
    /// The score of its last vote, 0-100.
    pub score: Option<u8>,
    /// The reason of its last vote.
    pub vote_reason: Option<String>,
}

/// The kind of answer that a task asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BriefKind {
    /// A first answer, without sight of the others. JSON: position, claims, confidence, …
    Blind,
    /// A turn in a discussion. Prose, closed by a fenced JSON trailer.
    Speak,
    /// A vote. JSON: score, pass, reason, missing.
    Vote,
    /// A round's summary. JSON: summary, positions with holders, draft.
    Summarize,
    /// The reasons why a ballot failed. JSON: disagreements, `proposed_patch`, `next_focus`.
    Facilitate,
    /// The conclusion. JSON: conclusion, disagreements, actions, and the best ideas if any.
    Conclude,
    /// A turn in a discussion in a schema. JSON: statement, recommendation, risks, …
    Contribute,
    /// Questions to a person before a round. JSON: questions.
    Intake,
    /// Candidates before a round. JSON: candidates.
    Team,
    /// Marks for all participants. JSON: marks.
    Evaluate,
    /// A participant made from a sentence. JSON: one candidate.
    Invite,
    /// The minutes. JSON: content, summary, decisions, actions, risks.
    Minutes,
    /// An artifact, by the schema of its kind.
    Artifact,
}

/// Something that was said, for those who answer without reading prose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefMessage {
    /// Its id, such as `m7`.
    pub id: String,
    /// The speaker.
    pub by: String,
    /// The text.
    pub text: String,
}

/// One idea on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefIdea {
    /// Its id, such as `c4`.
    pub id: String,
    /// The author of the idea.
    pub by: String,
    /// The text of the idea.
    pub text: String,
    /// The number of ideas that build on it.
    pub built_on: u32,
}

/// One item of the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefItem {
    /// Its id, such as `a1`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The description; may be empty.
    pub description: String,
    /// Whether the item is done.
    pub completed: bool,
}

/// A model that a newcomer can be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefOffer {
    /// The name by which it is chosen.
    pub name: String,
    /// What the model is good at; may be empty.
    pub good_at: String,
}

/// How much of the discussion a reader is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContextMode {
    /// The messages themselves.
    #[default]
    Shared,
    /// Summary, positions and quotes in place of the messages, and the reader's own notes.
    Layered,
}

/// The data behind a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Brief {
    /// The kind of answer.
    pub kind: BriefKind,
    /// The language of the meeting.
    pub language: Language,
    /// The question.
    pub topic: String,
    /// The background that was given at the start; may be empty.
    pub background: String,
    /// The reader's name; empty for the facilitator.
    pub name: String,
    /// The reader's role; empty for the facilitator.
    pub role: String,
    /// The current round; 0 is the blind one.
    pub round: u32,
    /// The last round that may take place.
    pub last_round: u32,
    /// Whether the reader may skip its turn.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<BriefTarget>,
    /// All participants in order, the reader included.
    pub voices: Vec<BriefVoice>,
    /// The present draft.
    pub draft: Option<String>,
    /// Whether the draft was accepted. Then it is the conclusion, word for word, and only reasons are written
    /// beside it.
    #[serde(default)]
    pub accepted: bool,
    /// Questions that this round should concentrate on.
    pub focus: Vec<String>,
    /// The last message of a person, if any.
    pub steering: Option<String>,
    /// Whether the reader moderates the meeting.
    pub moderates: bool,
    /// Whether the reader alone decides who speaks, by mentioning them.
    pub hosts: bool,
    /// The agenda.
    pub agenda: Vec<BriefItem>,
    /// Whether ideas are asked for.
    pub wants_ideas: bool,
    /// The ideas so far.
    pub ideas: Vec<BriefIdea>,
    /// How much of the discussion the prompt holds.
    #[serde(default)]
    pub context_mode: ContextMode,
    /// The reader's own notes, when it keeps any; no other reader's brief holds them.
    pub memory: Option<PrivateMemory>,
    /// The kind of artifact.
    pub artifact: Option<ArtifactKind>,
    /// The messages that an artifact, minutes or marks can cite, shortened, the latest last. Empty for other
    /// tasks.
    pub messages: Vec<BriefMessage>,
    /// The risks that were raised, each with its message. Empty for other tasks.
    pub risks: Vec<BriefMessage>,
    /// The largest number of newcomers.
    pub seats: u32,
    /// The models that newcomers can be given.
    pub models: Vec<BriefOffer>,
    /// A person's sentence: the participant to add, or what should be different.
    pub request: Option<String>,
    /// The largest number of questions or ideas.
    pub most: u32,
    /// What was wrong with the previous answer, when this call repairs one.
    pub repair: Option<String>,
    /// The meeting's seed mixed with the task: the same for every attempt at the same task.
    pub seed: u64,
    /// How fast a simulated participant answers.
    #[serde(skip)]
    pub pace: Option<crate::rules::SimulatedPace>,
}

impl Brief {
    /// A brief of this kind that holds nothing else yet.
    pub fn blank(kind: BriefKind, language: Language, topic: impl Into<String>) -> Self {
        Self {
            kind,
            language,
            topic: topic.into(),
            background: String::new(),
            name: String::new(),
            role: String::new(),
            round: 0,
            last_round: 0,
            can_skip: false,
            targets: Vec::new(),
            voices: Vec::new(),
            draft: None,
            accepted: false,
            focus: Vec::new(),
            steering: None,
            moderates: false,
            hosts: false,
            agenda: Vec::new(),
            pace: None,
            wants_ideas: false,
            ideas: Vec::new(),
            context_mode: ContextMode::Shared,
            memory: None,
            artifact: None,
            messages: Vec::new(),
            risks: Vec::new(),
            seats: 0,
            models: Vec::new(),
            request: None,
            most: 0,
            repair: None,
            seed: 0,
        }
    }
}
