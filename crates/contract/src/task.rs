//! What the outside owes a meeting, what it is given to answer with, and what it can bring back.
//!
//! Everybody who can answer (a provider's model, a simulation, later a person or an agent of
//! its own) is handed a [`Prompt`] and returns an [`Outcome`]. Nothing here knows how.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::event::PrivateMemory;
use crate::ids::{ArtifactKind, ParticipantId, TaskId, Timestamp};
use crate::language::Language;
use crate::participant::RunnerSpec;

/// Something the outside owes the meeting.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Somebody is to answer.
    Call(Call),
    /// The meeting wants to be told when this moment has come (a wall-time budget).
    Wake(Timestamp),
}

/// One answer that is owed.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Which task.
    pub id: TaskId,
    /// Counted from 1; a repeated call after a crash or a malformed answer has the next number.
    pub attempt: u32,
    /// Who answers; `None` is the facilitator.
    pub participant: Option<ParticipantId>,
    /// What answers for them.
    pub runner: RunnerSpec,
    /// How long the answer may take once the call is under way.
    pub timeout_ms: u64,
}

/// The role of one message to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// What others said, and the task.
    User,
    /// What the reader itself said before.
    Assistant,
}

/// One message to a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptMessage {
    /// Who speaks.
    pub role: PromptRole,
    /// The words.
    pub content: String,
}

/// The shape in which an answer is wanted.
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
    /// What was said, append-only from call to call, and the task last.
    pub messages: Vec<PromptMessage>,
    /// Where in the last message the task begins, in bytes. Everything before it the same reader will
    /// read again at its next call, so that a provider's cache can be told to end there.
    pub task_at: usize,
    /// The shape of the answer, when prose is not enough.
    pub schema: Option<AnswerSchema>,
    /// The most tokens of the answer.
    pub max_tokens: u32,
    /// The data from which the task was written, for those who answer without reading prose.
    pub brief: Arc<Brief>,
}

/// One named point that the speaker is asked to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefTarget {
    /// The claim's id, such as `c4`.
    pub claim: String,
    /// Who holds it.
    pub owner: String,
    /// What it says.
    pub text: String,
    /// Whether its owner holds another position than the reader.
    pub disagrees: bool,
}

/// One participant's standing as others may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefVoice {
    /// The participant's name.
    pub name: String,
    /// What it holds now, or nothing when it has not spoken.
    pub position: Option<String>,
    /// The score of its last vote, 0-100.
    pub score: Option<u8>,
    /// The reason of its last vote.
    pub vote_reason: Option<String>,
}

/// What kind of answer a task wants.
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
    /// Why a ballot failed. JSON: disagreements, `proposed_patch`, `next_focus`.
    Facilitate,
    /// The conclusion. JSON: conclusion, disagreements, actions, and the best ideas if any.
    Conclude,
    /// A turn in a discussion in a schema. JSON: statement, recommendation, risks, …
    Contribute,
    /// What is missing before a round. JSON: questions.
    Intake,
    /// Who is to come before a round. JSON: candidates.
    Team,
    /// How everybody did. JSON: marks.
    Evaluate,
    /// Somebody made of a sentence. JSON: one candidate.
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
    /// Who said it.
    pub by: String,
    /// The words.
    pub text: String,
}

/// One idea on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefIdea {
    /// Its id, such as `c4`.
    pub id: String,
    /// Whose.
    pub by: String,
    /// What it says.
    pub text: String,
    /// How many others build on it.
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
    /// What it is about; may be empty.
    pub description: String,
    /// Whether it is done.
    pub completed: bool,
}

/// A model that a newcomer can be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BriefOffer {
    /// The name by which it is chosen.
    pub name: String,
    /// What it is good at; may be empty.
    pub good_at: String,
}

/// How much of what was said a reader is given (requirement 001 §F).
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
    /// What is wanted.
    pub kind: BriefKind,
    /// The language of the meeting.
    pub language: Language,
    /// The question on the table.
    pub topic: String,
    /// What was known about it from the beginning; may be empty.
    pub background: String,
    /// The reader's name; empty for the facilitator.
    pub name: String,
    /// The reader's role; empty for the facilitator.
    pub role: String,
    /// The current round; 0 is the blind one.
    pub round: u32,
    /// The last round that may take place.
    pub last_round: u32,
    /// Whether the reader may pass.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<BriefTarget>,
    /// Everybody at the table in order, the reader included.
    pub voices: Vec<BriefVoice>,
    /// The draft that lies on the table.
    pub draft: Option<String>,
    /// Whether that draft was accepted: then it is the conclusion, word for word, and only reasons are written
    /// beside it.
    #[serde(default)]
    pub accepted: bool,
    /// What this round is to look at.
    pub focus: Vec<String>,
    /// The last message of a person, if any.
    pub steering: Option<String>,
    /// Whether the reader leads the meeting.
    pub moderates: bool,
    /// Whether the reader alone decides who speaks, by mentioning them.
    pub hosts: bool,
    /// The agenda.
    pub agenda: Vec<BriefItem>,
    /// Whether ideas are asked for.
    pub wants_ideas: bool,
    /// The ideas so far.
    pub ideas: Vec<BriefIdea>,
    /// How much of what was said the prompt holds.
    #[serde(default)]
    pub context_mode: ContextMode,
    /// The reader's own notes, when it keeps any; no other reader's brief holds them.
    pub memory: Option<PrivateMemory>,
    /// Which artifact is wanted.
    pub artifact: Option<ArtifactKind>,
    /// What an artifact, minutes or marks can rest on: what was said, shortened, the latest last.
    /// Empty for other tasks.
    pub messages: Vec<BriefMessage>,
    /// The risks that were raised, each with the message that it stands in. Empty for other tasks.
    pub risks: Vec<BriefMessage>,
    /// How many newcomers are wanted at the most.
    pub seats: u32,
    /// The models that newcomers can be given.
    pub models: Vec<BriefOffer>,
    /// Who is wanted, in a person's sentence; or what a person wants to be different.
    pub request: Option<String>,
    /// How many questions may be asked, or ideas named.
    pub most: u32,
    /// What was wrong with the answer before, when this is the repair of one.
    pub repair: Option<String>,
    /// The meeting's seed mixed with the task: the same for every attempt at the same task.
    pub seed: u64,
    /// How fast somebody who only pretends to think is to answer.
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
