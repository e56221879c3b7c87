//! The parts of which facts are made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::{AgendaId, BadId, BallotId, ClaimId, MessageId, ParticipantId};
use crate::participant::{Newcomer, RunnerSpec};
use crate::task::FailureKind;

/// Words as they were said, in the shape of requirement 001 §C1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct ReplyTarget {
    /// The point.
    pub claim: ClaimId,
    /// Whether whoever holds it stands elsewhere than the speaker.
    pub disagrees: bool,
}

/// How the turns of a round run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct Position {
    /// What it says.
    pub text: String,
    /// Who holds it.
    pub holders: Vec<ParticipantId>,
}

/// One participant's vote on a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// One disagreement that is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// What it is about.
    pub issue: String,
    /// Who stands where, and why.
    pub sides: Vec<Side>,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// What this side holds.
    pub view: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Who stands here.
    pub holders: Vec<ParticipantId>,
}

/// Something to be done after the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionItem {
    /// What.
    pub what: String,
    /// Who, when the table said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The messages that it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
}

/// Which budget was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Why somebody did not vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(default)]
pub struct Reserve {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money in millionths; 0 when the price is not known.
    pub cost_micros: u64,
}

/// Who wrote a text of the meeting's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The facilitator's model.
    Facilitator,
    /// The rules themselves, from what was said, without a model.
    Rules,
    /// A participant.
    Participant(ParticipantId),
    /// A person.
    Person,
}

/// Why a meeting rests (requirement 001 §H).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// Somebody asked for it.
    UserRequest,
    /// Everybody who had a turn in the round failed.
    NobodyAnswered,
    /// Something that matters is not known.
    MissingInfo,
    /// Before a round: whether the topic still fits, and what is missing.
    CheckIn,
    /// A person is to approve of who comes and goes.
    NeedApproval,
    /// The host is to say who speaks.
    AwaitingHost,
    /// Agents talk among themselves and say nothing new, or have done so for long.
    NothingNew,
    /// An artifact did not pass the gate.
    GateFailed,
    /// A budget is used up.
    BudgetLimit,
}

/// Something that a person is asked (requirement 001 §H).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// By which it is answered; letters, digits and underscores.
    pub key: String,
    /// The question.
    pub ask: String,
    /// What depends on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Whether the meeting cannot go on without an answer, unless it is told to take defaults.
    #[serde(default)]
    pub required: bool,
    /// What answers it.
    #[serde(default)]
    pub kind: QuestionKind,
    /// What holds when it is not answered; without one, that it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
}

/// What answers a question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// Words.
    #[default]
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of these.
    Choice {
        /// What there is to choose from.
        choices: Vec<String>,
    },
}

/// Why the table counts as converged (requirement 001 §G2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceTest {
    /// The artifacts have been written and passed the gate.
    Artifacts,
    /// Few questions and disagreements are left.
    FewOpenPoints,
    /// Nobody has changed its recommendation for some rounds.
    StableRecommendation,
}

/// Who leads the meeting (requirement 000, properties 31 to 33).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Moderator {
    /// The person who asks.
    #[default]
    User,
    /// A participant.
    Agent {
        /// Which.
        id: ParticipantId,
    },
}

/// One point of the agenda (requirement 000, properties 34 to 37).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgendaItem {
    /// Its id.
    pub id: AgendaId,
    /// 1-200 characters.
    pub title: String,
    /// At most 2000 characters; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether it is done.
    pub completed: bool,
}

/// What happens to the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum AgendaChange {
    /// A new item, at the end.
    Added {
        /// It.
        item: AgendaItem,
    },
    /// An item is done.
    Completed {
        /// Which.
        item: AgendaId,
    },
    /// An item is not done after all.
    Reopened {
        /// Which.
        item: AgendaId,
    },
    /// An item is gone.
    Removed {
        /// Which.
        item: AgendaId,
    },
}

/// Whether a participant can be asked (requirement 002).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It is asked in its turn.
    #[default]
    Online,
    /// It keeps its seat and is not asked.
    Offline,
}

/// A model that a team can be given, and what it is good at (requirement 004).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelOffer {
    /// The name by which it is chosen, 1-200 characters.
    pub name: String,
    /// What answers.
    pub runner: RunnerSpec,
    /// What it is good at, for whoever chooses; at most 500 characters, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub good_at: String,
}

/// Somebody who is proposed for the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Who.
    pub newcomer: Newcomer,
    /// What it is to look at, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub focus: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Somebody who is to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// Who.
    pub participant: ParticipantId,
    /// Why.
    pub reason: String,
}

/// A hidden mark (requirement 004); no participant ever reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Whose.
    pub participant: ParticipantId,
    /// 0-10.
    pub score: u8,
    /// Why.
    pub reason: String,
}

/// What a participant keeps for itself (requirement 001 §F2); nobody else reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PrivateMemory {
    /// What it takes to be so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// What it wants to check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_verify: Vec<String>,
    /// What it prefers, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// Risks that it has not voiced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Whatever else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A typed deliverable (requirement 001 §C3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ArtifactKind {
    /// An architecture decision record.
    Adr,
    /// What is to be done, by whom.
    Tasks,
    /// What could go wrong, and what is done about it.
    Risks,
    /// The minutes.
    Minutes,
    /// The whole in a page.
    Summary,
}

impl ArtifactKind {
    /// All kinds.
    pub const ALL: [ArtifactKind; 5] = [Self::Adr, Self::Tasks, Self::Risks, Self::Minutes, Self::Summary];

    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Adr => "ADR",
            Self::Tasks => "TASKS",
            Self::Risks => "RISKS",
            Self::Minutes => "MINUTES",
            Self::Summary => "SUMMARY",
        }
    }
}

impl fmt::Display for ArtifactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ArtifactKind {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let kind = Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text));
        kind.ok_or_else(|| BadId { text: text.to_owned(), kind: "an artifact", example: "ADR" })
    }
}

/// One line of minutes, with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MinutesItem {
    /// What was decided, is to be done, or may go wrong.
    pub text: String,
    /// Who is to do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// The messages that it rests on; at least one unless a person wrote it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<MessageId>,
    /// Words out of one of these messages, as they stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// Minutes (requirement 000, properties 47 to 54).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Minutes {
    /// The course of the meeting, in Markdown, 1-20,000 characters.
    pub content: String,
    /// What the meeting holds now, in a few sentences.
    pub summary: String,
    /// What was decided.
    pub decisions: Vec<MinutesItem>,
    /// What is to be done.
    pub actions: Vec<MinutesItem>,
    /// What may go wrong.
    pub risks: Vec<MinutesItem>,
}

/// One of the ideas that the meeting puts forward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// The idea.
    pub idea: ClaimId,
    /// Why.
    pub why: String,
}

/// Why a turn was let go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// `agents/*.json` and `meetings/*.json` (requirement 000).
    Meetings,
    /// `agents.json`, `rooms.json`, `room_messages/` and `messages/` (requirement 002).
    Rooms,
}
