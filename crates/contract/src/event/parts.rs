//! The parts of which events of the discussion are made.

use serde::{Deserialize, Serialize};

use crate::ids::{BallotId, ClaimId, MessageId, ParticipantId, TaskId};
use crate::outcome::FailureKind;

/// A message as it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// `assistant` for participants, `user` for people, `system` for the facilitator.
    pub role: MessageRole,
    /// The name of the speaker.
    pub name: String,
    /// The text in Markdown; never empty.
    pub content: String,
}

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// The facilitator or the meeting itself.
    System,
    /// A person.
    User,
    /// A participant of the meeting.
    Assistant,
}

/// Something raised that others can be asked to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claim {
    /// Its id.
    pub id: ClaimId,
    /// The kind of claim.
    pub kind: ClaimKind,
    /// The text of the claim.
    pub text: String,
    /// The claims that it builds on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds_on: Vec<ClaimId>,
}

/// The kind of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// A reason for a position.
    Claim,
    /// A fact that others may not have.
    Fact,
    /// A reason against letting a draft pass.
    Objection,
    /// An idea that others can build on.
    Idea,
    /// A risk.
    Risk,
}

/// A participant's stance after its message.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Stance {
    /// The position, in a sentence or two.
    pub position: String,
    /// The participant's own confidence, 0-100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// What would change the participant's mind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_change_my_mind: Option<String>,
    /// Whether the participant gave up its previous position.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// The claim that moved it, when it names one; a change without is unevidenced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<ClaimId>,
    /// Claims that the participant raised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The claims of others that it answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<ClaimId>,
    /// Questions that the participant considers open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
}

/// The reason why a participant has the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum TurnReason {
    /// The speaking order.
    Rotation,
    /// A mention.
    Mentioned {
        /// The message that did.
        by: MessageId,
    },
    /// The user asked for it.
    Requested,
}

/// A participant who waits for a turn in the present round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueuedTurn {
    /// The participant.
    pub participant: ParticipantId,
    /// The reason for its turn.
    #[serde(flatten)]
    pub reason: TurnReason,
}

/// The reason why the queue of a round changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum QueueReason {
    /// A message mentions participants, who speak next.
    Mentioned,
    /// A participant who was mentioned answered, and by the rules that ends the rotation.
    MentionAnswered,
    /// The person who hosts spoke, and the next round is theirs.
    HostSpoke,
    /// A person asked for a participant.
    Requested,
    /// Everyone failed, and the turns are offered again.
    OfferedAgain,
}

/// A named claim that a speaker has to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplyTarget {
    /// The claim.
    pub claim: ClaimId,
    /// Whether the owner of the claim holds another position than the speaker.
    pub disagrees: bool,
}

/// The way in which the turns of a round run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundKind {
    /// All participants at once, without seeing each other's messages.
    Blind,
    /// One participant after the other.
    Serial,
    /// All participants at once, with the messages of earlier rounds in view.
    Parallel,
}

/// One position and its holders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Position {
    /// The position.
    pub text: String,
    /// The participants who hold it.
    pub holders: Vec<ParticipantId>,
}

/// One participant's vote on a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vote {
    /// The score, 0-100.
    pub score: u8,
    /// Whether the meeting may end with this draft.
    pub pass: bool,
    /// At most 300 characters.
    pub reason: String,
    /// Information, experiments or evidence that are still missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// From this score on a vote lets the draft pass, by the scale that voters are given.
pub const SCORE_PASSES_FROM: u8 = 80;
/// Below this score a vote does not let the draft pass. Between the two it is the voter's choice.
pub const SCORE_FAILS_BELOW: u8 = 70;

impl Vote {
    /// Whether score and pass contradict each other: 6 points with a pass, or 94 without. Such a vote counts
    /// as it was cast, and views mark it.
    pub fn contradicts_itself(&self) -> bool {
        match self.pass {
            true => self.score < SCORE_FAILS_BELOW,
            false => self.score >= SCORE_PASSES_FROM,
        }
    }
}

/// Which budget was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BudgetKind {
    /// Tokens read and written.
    Tokens,
    /// Money, in millionths.
    Cost,
    /// Wall time, in milliseconds.
    WallTime,
}

/// The reason why a meeting ended without a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum AbortReason {
    /// The last round is over and no ballot has passed.
    RoundLimit,
    /// A budget was reached.
    Budget {
        /// The budget.
        budget: BudgetKind,
    },
    /// The user ended it.
    User {
        /// In the user's words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// No participant was left.
    NobodyLeft,
}

/// The outcome of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MeetingOutcome {
    /// A ballot passed.
    Accepted {
        /// The ballot.
        ballot: BallotId,
    },
    /// All rounds have taken place; there was no ballot.
    Completed,
    /// The meeting has converged.
    Converged {
        /// By which of the conditions.
        by: ConvergenceTest,
    },
    /// The meeting ended without a decision; the best available conclusion stands.
    Aborted(AbortReason),
}

/// The way in which a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum CallEnd {
    /// An answer came.
    Answered,
    /// It failed.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
    },
    /// The meeting no longer needed it.
    Cancelled,
    /// The process that had started it is gone, and with it the answer.
    Lost,
}

/// An action of the failure policy after a failed call, in the order in which they are tried. Each is taken
/// at most once for a task, except `shorter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureAction {
    /// Asks the same model again. It is unknown whether the first request did the work, so it may be paid
    /// twice.
    Again,
    /// The same model is asked with a shorter context, until it fits or nothing is left to cut.
    Shorter,
    /// Asks the fallback model.
    Fallback,
    /// Asks again when the provider is reachable; until then the meeting waits.
    Wait,
}

/// A model's context window, and a prompt that met it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WindowMet {
    /// The most tokens that prompt and answer may have together, as the server says.
    pub tokens: u64,
    /// The number of tokens in the prompt, as counted by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// The number of tokens in the prompt, as estimated here.
    pub estimated_tokens: u64,
    /// The number of tokens that the server is expected to count where a thousand are estimated here. Logs before
    /// version 4 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_mille: Option<u64>,
}

/// What a call has shown about whether its model can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// The provider answered, if only with a refusal.
    Reached,
    /// The provider cannot be reached.
    ProviderUnreachable,
    /// The provider has no capacity for this model.
    ModelUnreachable,
}

/// What follows from the failure of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterFailure {
    /// It is not asked for again by itself: the rules do the work, or a person decides.
    GivenUp,
    /// The request is withdrawn. It can be made again.
    Withdrawn,
    /// The invitation is closed: no seat is left.
    Closed,
}

/// A repair that was needed before an answer could be read as an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mend {
    /// Prose or a code fence around the object was left out.
    Surroundings,
    /// Thinking that stood before the object was left out.
    Thinking,
    /// The last of several objects was taken.
    SeveralObjects,
    /// Its syntax was repaired: commas, quotes, comments, bare line ends.
    Syntax,
    /// A value of another type was read as the one that was asked for.
    Types,
}

/// The reason why a participant did not vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AbstentionKind {
    /// The participant abstained.
    Chosen,
    /// Its vote could not be read, twice.
    Malformed,
    /// The vote failed.
    Failed,
}

/// The part of a budget that is reserved for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Reserve {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money in millionths; 0 when the price is not known.
    pub cost_micros: u64,
}

/// The test by which a meeting counts as converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceTest {
    /// The artifacts have been written and passed the gate.
    Artifacts,
    /// Few questions and disagreements are left.
    FewOpenPoints,
    /// No recommendation has changed for a number of rounds.
    StableRecommendation,
}

/// The reason why a turn was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The participant skipped it.
    #[default]
    Chosen,
    /// The turn timed out.
    TimedOut,
    /// Since its last word only phrases of its skip list were said, so it was not asked.
    SkipList,
}

/// A layout of meeting files outside the database, for import and export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// `agents/*.json` and `meetings/*.json`.
    Meetings,
    /// `agents.json`, `rooms.json`, `room_messages/` and `messages/`.
    Rooms,
}

/// The state that a fork takes over from the original meeting besides the messages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Carried {
    /// Tokens, read and written, that count towards its budget.
    pub tokens: u64,
    /// Money in millionths that counts towards its budget; `None` when it is not known.
    pub cost_micros: Option<u64>,
    /// How long the original meeting had run, in milliseconds.
    pub ran_ms: u64,
    /// Calls that had ended.
    pub calls: u32,
    /// The tasks that were in flight. They are asked again when the fork continues, and the lost attempts are
    /// not charged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_anew: Vec<TaskId>,
}
