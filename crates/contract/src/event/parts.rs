//! The parts of which events of the discussion are made.

use serde::{Deserialize, Serialize};

use crate::ids::{BallotId, ClaimId, MessageId, ParticipantId, TaskId};
use crate::outcome::FailureKind;

/// Words as they were said, in the shape of requirement 001 §C1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Message {
    /// `assistant` for participants, `user` for people, `system` for the facilitator.
    pub role: MessageRole,
    /// Who said it.
    pub name: String,
    /// Markdown; never empty.
    pub content: String,
}

/// The role of a message at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// The facilitator or the meeting itself.
    System,
    /// A person.
    User,
    /// A participant.
    Assistant,
}

/// Something raised that others can be asked to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Claim {
    /// Its id.
    pub id: ClaimId,
    /// What it is.
    pub kind: ClaimKind,
    /// What it says.
    pub text: String,
    /// The claims that it builds on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds_on: Vec<ClaimId>,
}

/// What a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// A reason for a position.
    Claim,
    /// A fact that others may not have.
    Fact,
    /// Why somebody did not let a draft pass.
    Objection,
    /// An idea that others can build on (requirement 004).
    Idea,
    /// What could go wrong (requirement 001).
    Risk,
}

/// Where a participant stands after it spoke.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Stance {
    /// What it holds, in a sentence or two.
    pub position: String,
    /// How sure it says it is, 0-100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// What would change its mind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_change_my_mind: Option<String>,
    /// Whether it gave up the position it had before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// The claim that moved it, when it names one; a change without is unevidenced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_by: Option<ClaimId>,
    /// What it raised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The claims of others that it answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<ClaimId>,
    /// What it says is still open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
}

/// Why a participant has the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum TurnReason {
    /// It is its turn.
    Rotation,
    /// Somebody mentioned it.
    Mentioned {
        /// The message that did.
        by: MessageId,
    },
    /// The user asked for it.
    Requested,
}

/// One named point that a speaker is to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplyTarget {
    /// The point.
    pub claim: ClaimId,
    /// Whether whoever holds it stands elsewhere than the speaker.
    pub disagrees: bool,
}

/// How the turns of a round run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundKind {
    /// Everybody at once, without sight of each other.
    Blind,
    /// One after the other.
    Serial,
    /// Everybody at once, in sight of the rounds before.
    Parallel,
}

/// One position that is held at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Position {
    /// What it says.
    pub text: String,
    /// Who holds it.
    pub holders: Vec<ParticipantId>,
}

/// One participant's vote on a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Vote {
    /// 0-100.
    pub score: u8,
    /// Whether the meeting may end with this draft.
    pub pass: bool,
    /// At most 300 characters.
    pub reason: String,
    /// What information, experiment or evidence is still missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// From this score on a vote lets the draft pass, by the scale that voters are given.
pub const SCORE_PASSES_FROM: u8 = 80;
/// Below this score a vote does not let the draft pass. Between the two it is the voter's choice.
pub const SCORE_FAILS_BELOW: u8 = 70;

impl Vote {
    /// Whether score and pass say opposite things: 6 points with pass, or 94 without. It counts as it was cast, and
    /// is shown as one that contradicts itself.
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

/// Why a meeting ended without having decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum AbortReason {
    /// The last round is over and no ballot has passed.
    RoundLimit,
    /// A budget was reached.
    Budget {
        /// Which.
        budget: BudgetKind,
    },
    /// The user ended it.
    User {
        /// In the user's words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// Nobody was left at the table.
    NobodyLeft,
}

/// How a meeting ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MeetingOutcome {
    /// A ballot passed.
    Accepted {
        /// Which.
        ballot: BallotId,
    },
    /// The rounds that were wanted have taken place; there was nothing to vote on.
    Completed,
    /// The table has converged.
    Converged {
        /// By which of the conditions.
        by: ConvergenceTest,
    },
    /// It ended without a decision; the best available conclusion stands.
    Aborted(AbortReason),
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum CallEnd {
    /// An answer came.
    Answered,
    /// It failed.
    Failed {
        /// How.
        kind: FailureKind,
    },
    /// The meeting no longer wanted it.
    Cancelled,
    /// The process that had started it is gone, and with it the answer.
    Lost,
}

/// What is done about a call that failed, in this order; each at most once for a task, but for `shorter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureAction {
    /// It is asked once more: it is not known whether the work was done, and it may be paid twice.
    Again,
    /// The same model is asked with a shorter context, until it fits or nothing is left to cut.
    Shorter,
    /// Another model is asked.
    Fallback,
    /// It is asked again when its provider can be reached; until then the meeting waits.
    Wait,
}

/// A model's context window, and a prompt that met it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WindowMet {
    /// The most tokens that prompt and answer may have together, as the server says.
    pub tokens: u64,
    /// How many tokens the prompt had, as the server counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// How many it had as they are estimated here.
    pub estimated_tokens: u64,
}

/// What was done to an answer before it could be read as an object.
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
    /// Its syntax was mended: commas, quotes, comments, bare line ends.
    Syntax,
    /// A value of another type was read as the one that was asked for.
    Types,
}

/// Why somebody did not vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AbstentionKind {
    /// It said so.
    Chosen,
    /// Its vote could not be read, twice.
    Malformed,
    /// No vote came.
    Failed,
}

/// What a budget has to hold back for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Reserve {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money in millionths; 0 when the price is not known.
    pub cost_micros: u64,
}

/// Why the table counts as converged (requirement 001 §G2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceTest {
    /// The artifacts have been written and passed the gate.
    Artifacts,
    /// Few questions and disagreements are left.
    FewOpenPoints,
    /// Nobody has changed its recommendation for some rounds.
    StableRecommendation,
}

/// Why a turn was let go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The participant passed.
    #[default]
    Chosen,
    /// It took too long (requirement 002).
    TimedOut,
}

/// How the files of a meeting are laid out beside this program's own database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// `agents/*.json` and `meetings/*.json` (requirement 000).
    Meetings,
    /// `agents.json`, `rooms.json`, `room_messages/` and `messages/` (requirement 002).
    Rooms,
}

/// What a fork takes over from the meeting that it was made of, besides what was said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Carried {
    /// Tokens, read and written, that count towards its budget.
    pub tokens: u64,
    /// Money in millionths that counts towards its budget; `None` when it is not known.
    pub cost_micros: Option<u64>,
    /// How long the other meeting had run, in milliseconds.
    pub ran_ms: u64,
    /// Calls that had ended.
    pub calls: u32,
    /// What was being asked at that moment. It is asked anew when the fork goes on, and is not charged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_anew: Vec<TaskId>,
}
