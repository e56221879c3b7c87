//! The data from which a task was written, for those who answer without reading prose.

use quorate_messages::Language;
use serde::{Deserialize, Serialize};

use crate::event::PrivateMemory;
use crate::ids::ArtifactKind;
use crate::rules::SimulatedPace;

/// The data behind a prompt: what every task knows of the meeting, and what only this kind of task has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Brief {
    /// What is asked for.
    #[serde(flatten)]
    pub task: BriefTask,
    /// The language of the meeting.
    pub language: Language,
    /// The question.
    pub topic: String,
    /// The reader's name; empty for the facilitator.
    pub name: String,
    /// The reader's role; empty for the facilitator.
    pub role: String,
    /// The current round; 0 is the blind one.
    pub round: u32,
    /// All participants in order, the reader included.
    pub participants: Vec<BriefParticipant>,
    /// The present draft.
    pub draft: Option<String>,
    /// The agenda.
    pub agenda: Vec<BriefItem>,
    /// What was wrong with the previous answer, when this call repairs one.
    pub repair: Option<String>,
    /// The meeting's seed mixed with the task: the same for every attempt at the same task.
    pub seed: u64,
    /// How fast a simulated participant answers.
    #[serde(skip)]
    pub pace: Option<SimulatedPace>,
}

impl Brief {
    /// A brief of this task in a meeting of which nothing else is known yet.
    pub fn new(task: BriefTask, language: Language, topic: impl Into<String>) -> Self {
        Self {
            task,
            language,
            topic: topic.into(),
            name: String::new(),
            role: String::new(),
            round: 0,
            participants: Vec::new(),
            draft: None,
            agenda: Vec::new(),
            repair: None,
            seed: 0,
            pace: None,
        }
    }

    /// The kind of answer.
    pub fn kind(&self) -> AnswerKind {
        self.task.kind()
    }
}

/// One kind of task with the data that only it has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BriefTask {
    /// See [`AnswerKind::Blind`].
    Blind(BriefBlind),
    /// See [`AnswerKind::Speak`].
    Speak(BriefTurn),
    /// See [`AnswerKind::Vote`].
    Vote,
    /// See [`AnswerKind::Summarize`].
    Summarize(BriefSummary),
    /// See [`AnswerKind::Facilitate`].
    Facilitate,
    /// See [`AnswerKind::Conclude`].
    Conclude(BriefConclusion),
    /// See [`AnswerKind::Contribute`].
    Contribute(BriefTurn),
    /// See [`AnswerKind::Intake`].
    Intake(BriefIntake),
    /// See [`AnswerKind::Team`].
    Team(BriefTeam),
    /// See [`AnswerKind::Evaluate`].
    Evaluate(BriefEvaluation),
    /// See [`AnswerKind::Invite`].
    Invite(BriefInvitation),
    /// See [`AnswerKind::Minutes`].
    Minutes(BriefMinutes),
    /// See [`AnswerKind::Artifact`].
    Artifact(BriefArtifact),
}

impl BriefTask {
    /// The kind of answer.
    pub fn kind(&self) -> AnswerKind {
        match self {
            Self::Blind(_) => AnswerKind::Blind,
            Self::Speak(_) => AnswerKind::Speak,
            Self::Vote => AnswerKind::Vote,
            Self::Summarize(_) => AnswerKind::Summarize,
            Self::Facilitate => AnswerKind::Facilitate,
            Self::Conclude(_) => AnswerKind::Conclude,
            Self::Contribute(_) => AnswerKind::Contribute,
            Self::Intake(_) => AnswerKind::Intake,
            Self::Team(_) => AnswerKind::Team,
            Self::Evaluate(_) => AnswerKind::Evaluate,
            Self::Invite(_) => AnswerKind::Invite,
            Self::Minutes(_) => AnswerKind::Minutes,
            Self::Artifact(_) => AnswerKind::Artifact,
        }
    }

    /// The turn in a discussion, in prose or in a schema.
    pub fn turn(&self) -> Option<&BriefTurn> {
        match self {
            Self::Speak(turn) | Self::Contribute(turn) => Some(turn),
            Self::Blind(_)
            | Self::Vote
            | Self::Summarize(_)
            | Self::Facilitate
            | Self::Conclude(_)
            | Self::Intake(_)
            | Self::Team(_)
            | Self::Evaluate(_)
            | Self::Invite(_)
            | Self::Minutes(_)
            | Self::Artifact(_) => None,
        }
    }

    /// The messages that an answer can cite.
    pub fn messages(&self) -> &[BriefMessage] {
        match self {
            Self::Evaluate(round) => &round.messages,
            Self::Minutes(minutes) => &minutes.sources.messages,
            Self::Artifact(artifact) => &artifact.sources.messages,
            Self::Blind(_)
            | Self::Speak(_)
            | Self::Vote
            | Self::Summarize(_)
            | Self::Facilitate
            | Self::Conclude(_)
            | Self::Contribute(_)
            | Self::Intake(_)
            | Self::Team(_)
            | Self::Invite(_) => &[],
        }
    }

    /// Whether the reader may skip its turn.
    pub fn can_skip(&self) -> bool {
        match self {
            Self::Blind(blind) => blind.can_skip,
            other => other.turn().is_some_and(|turn| turn.can_skip),
        }
    }

    /// The reader's own notes, when it keeps any; no other reader's brief holds them.
    pub fn memory(&self) -> Option<&PrivateMemory> {
        match self {
            Self::Blind(blind) => blind.memory.as_ref(),
            other => other.turn().and_then(|turn| turn.memory.as_ref()),
        }
    }
}

/// The kind of answer that a task asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
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

/// A first answer, without sight of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefBlind {
    /// Whether the reader may skip its turn.
    pub can_skip: bool,
    /// The reader's own notes, when it keeps any.
    pub memory: Option<PrivateMemory>,
}

/// A turn in a discussion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefTurn {
    /// The last round that may take place.
    pub last_round: u32,
    /// Whether the reader may skip its turn.
    pub can_skip: bool,
    /// The claims that the speaker must answer.
    pub targets: Vec<BriefTarget>,
    /// The last claim of each other participant that the reader knows, its owner and its id, such as `c4`: where nobody has
    /// to answer a claim, it can still be what changes a mind.
    #[serde(skip)]
    pub last_claims: Vec<(String, String)>,
    /// Questions that this round should concentrate on.
    pub focus: Vec<String>,
    /// The last message of a person, if any.
    pub steering: Option<String>,
    /// The number of messages of the reader in this round so far.
    #[serde(skip)]
    pub spoken: u32,
    /// Whether the reader moderates the meeting.
    pub moderates: bool,
    /// Whether the reader alone decides who speaks, by mentioning them.
    pub hosts: bool,
    /// Whether ideas are asked for.
    pub wants_ideas: bool,
    /// The ideas so far.
    pub ideas: Vec<BriefIdea>,
    /// The reader's own notes, when it keeps any.
    pub memory: Option<PrivateMemory>,
}

/// A round's summary.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefSummary {
    /// The ideas so far, where ideas are asked for.
    pub ideas: Option<Vec<BriefIdea>>,
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefConclusion {
    /// Whether the draft was accepted. Then it is the conclusion, word for word, and only reasons are written
    /// beside it.
    pub accepted: bool,
    /// The largest number of best ideas; 0 where none are named.
    pub best_ideas: u32,
    /// The ideas so far.
    pub ideas: Vec<BriefIdea>,
    /// What the conclusion can cite.
    pub sources: BriefSources,
}

/// Questions to a person before a round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefIntake {
    /// The background that was given at the start; may be empty.
    pub background: String,
    /// The largest number of questions.
    pub max_questions: u32,
    /// The ideas so far, where ideas are asked for.
    pub ideas: Option<Vec<BriefIdea>>,
}

/// Candidates before a round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefTeam {
    /// The largest number of newcomers.
    pub seats: u32,
    /// The models that newcomers can be given.
    pub models: Vec<BriefOffer>,
    /// What should be different from the candidates before, in a person's words.
    pub request: Option<String>,
}

/// Marks for all participants.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefEvaluation {
    /// The ideas so far.
    pub ideas: Vec<BriefIdea>,
    /// The messages of the round, shortened, the latest last.
    pub messages: Vec<BriefMessage>,
}

/// A participant made from a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefInvitation {
    /// The participant to add, in a person's words.
    pub request: String,
    /// The models that it can be given.
    pub models: Vec<BriefOffer>,
}

/// What a record can cite.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefSources {
    /// The latest messages, shortened, the latest last.
    pub messages: Vec<BriefMessage>,
    /// The risks that were raised, each with its message.
    pub risks: Vec<BriefMessage>,
}

/// The minutes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct BriefMinutes {
    /// What the minutes can cite.
    pub sources: BriefSources,
    /// What should be different, in a person's words.
    pub request: Option<String>,
}

/// An artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefArtifact {
    /// The kind of artifact.
    pub artifact: ArtifactKind,
    /// What the artifact can cite.
    pub sources: BriefSources,
}

/// A named claim that the speaker is asked to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefTarget {
    /// The claim's id, such as `c4`.
    pub claim: String,
    /// The owner of the claim.
    pub owner: String,
    /// The text of the claim.
    pub text: String,
    /// Whether the owner of the claim holds a different position.
    pub disagrees: bool,
}

/// A participant's position as other participants may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefParticipant {
    /// The participant's name.
    pub name: String,
    /// The position, or `None` when the participant has not spoken.
    pub position: Option<String>,
    /// The score of its last vote, 0-100.
    pub score: Option<u8>,
    /// The reason of its last vote.
    pub vote_reason: Option<String>,
}

/// Something that was said, for those who answer without reading prose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefMessage {
    /// Its id, such as `m7`.
    pub id: String,
    /// The speaker.
    pub by: String,
    /// The round in which it was said; 0 is the blind one.
    pub round: u32,
    /// The text.
    pub text: String,
}

/// One idea on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefOffer {
    /// The name by which it is chosen.
    pub name: String,
    /// What the model is good at; may be empty.
    pub good_at: String,
}
