//! What a meeting is made of: seats, rounds, turns, what was said and claimed, ballots, drafts.

use std::collections::BTreeMap;

use quorate_contract::{
    AbstentionKind, ActionItem, Actor, ArtifactKind, ArtifactVersion, BallotId, Candidate, Claim, ClaimId,
    DecisionRules, Departure, Disagreement, Facilitator, FailureKind, Format, Language, Mark, MeetingOutcome,
    MessageId, Minutes, ModelOffer, Moderator, Participant, ParticipantId, PauseReason, Pick, Position,
    Presence, PrivateMemory, Question, ReplyTarget, Reserve, RoundKind, Rules, Stance, Stride, Timestamp,
    TurnId, TurnReason, Usage, Verdict, Vote,
};
use serde::{Deserialize, Serialize};

/// What a meeting was created with, and what of it has changed since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Charter {
    /// The question.
    pub topic: String,
    /// What one has to know to answer it.
    pub background: String,
    /// Its language.
    pub language: Language,
    /// The preset.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// The seed.
    pub seed: u64,
    /// Who sums up and facilitates.
    pub facilitator: Option<Facilitator>,
    /// Who leads it.
    pub moderator: Moderator,
    /// The models that a team can be given.
    pub models: Vec<ModelOffer>,
    /// When.
    pub created_at: Timestamp,
}

/// Where a meeting is in its life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Not created yet.
    Blank,
    /// Created, not started.
    Draft,
    /// Something is done before a round begins: questions to a person, a team.
    Preparation,
    /// Turns are taken.
    Discussion,
    /// The round is over and being summed up.
    Summary,
    /// Votes are cast.
    Ballot,
    /// A ballot failed and the facilitator says why.
    Facilitation,
    /// The conclusion is being written.
    Closing {
        /// How it will end.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
    /// Over.
    Ended {
        /// How.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
}

/// Whether a meeting runs; this lies across all phases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "rest", rename_all = "snake_case")]
pub enum RunState {
    /// It runs.
    Running,
    /// It will rest when whoever has the floor is done.
    PauseRequested {
        /// Who asked.
        by: Actor,
    },
    /// It rests.
    Paused {
        /// Why.
        reason: PauseReason,
        /// What has to be brought along to go on.
        token: String,
        /// What is asked of a person.
        questions: Vec<Question>,
        /// Since when.
        since: Timestamp,
    },
}

/// Until when a meeting goes on before it rests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Halt {
    /// Who asked.
    pub by: Actor,
    /// How far it goes.
    pub after: Stride,
    /// How many such strides had been made when they asked.
    pub since: usize,
}

/// For whom a meeting waits, while nobody who could go on can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderWait {
    /// Providers, or models of theirs: `ollama`, `openai/gpt-5`.
    pub waiting_for: Vec<String>,
    /// How the last call failed.
    pub kind: FailureKind,
    /// Since when.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
    /// When it was tried last.
    pub tried_at: Timestamp,
    /// How often it was tried.
    pub tries: u32,
    /// When it is tried again.
    pub next_try_at: Timestamp,
}

/// A participant's place and how it has stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seat {
    /// Who.
    pub participant: Participant,
    /// Whether it is still at the table.
    pub present: bool,
    /// Whether it can be asked.
    pub presence: Presence,
    /// Its own notes, which nobody else reads.
    pub memory: Option<PrivateMemory>,
    /// The round in which it last changed its position.
    pub changed_in: Option<u32>,
    /// Where it stood after its first words.
    pub first: Option<Stance>,
    /// Where it stands now.
    pub stance: Option<Stance>,
    /// How often it changed its position, and how often without naming what moved it.
    pub changes: Changes,
    /// What its calls used.
    pub spent: Spent,
    /// Why its last turn that failed did. Not there in older states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<SeatFailure>,
}

/// How often a position was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Changes {
    /// Moved by a claim that it names.
    pub evidenced: u32,
    /// Moved by nothing that it names.
    pub unevidenced: u32,
}

/// Somebody gave up the position that it had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shift {
    /// Who.
    pub participant: ParticipantId,
    /// In which round.
    pub round: u32,
    /// The event that says so.
    pub seq: u64,
    /// What it held before.
    pub from: String,
    /// What it holds since.
    pub to: String,
    /// The claim that it names as what moved it.
    pub by: Option<ClaimId>,
}

/// What calls used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Spent {
    /// Tokens.
    pub usage: Usage,
    /// Money in millionths, as far as prices are known.
    pub cost_micros: u64,
    /// Calls whose price is not known.
    pub unpriced_calls: u32,
    /// Calls.
    pub calls: u32,
    /// Requests that brought no answer and were sent again within their call.
    pub retries: u32,
    /// Calls that were made of a fallback model.
    pub fallbacks: u32,
}

impl Spent {
    /// The cost, or `None` when some of it is not known.
    pub fn known_cost_micros(&self) -> Option<u64> {
        (self.unpriced_calls == 0).then_some(self.cost_micros)
    }
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Said {
    /// Its id.
    pub id: MessageId,
    /// The event that it is.
    pub seq: u64,
    /// In which round.
    pub round: u32,
    /// When.
    #[serde(rename = "said_at")]
    pub at: Timestamp,
    /// By whom.
    pub speaker: Actor,
    /// The speaker's name.
    pub name: String,
    /// The words.
    pub content: String,
    /// Whom it mentions.
    pub mentions: Vec<ParticipantId>,
    /// The turn that it ended.
    pub turn: Option<TurnId>,
    /// The claims that it raised.
    pub claims: Vec<ClaimId>,
    /// What it answers, when a person answers something in particular. Not there in older states, so not
    /// in their hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClaimRecord {
    /// The claim.
    pub claim: Claim,
    /// Whose.
    pub owner: ParticipantId,
    /// Raised in which round.
    pub round: u32,
    /// In which message; an objection stands in a vote.
    pub message: Option<MessageId>,
    /// The event that raised it.
    pub seq: u64,
    /// Who has answered it.
    pub answered_by: Vec<ParticipantId>,
    /// How often somebody was asked to answer it.
    pub targeted: u32,
}

/// How a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its participant has the floor.
    Open,
    /// It ended with a message.
    Said(MessageId),
    /// It was let go by.
    Skipped,
    /// It brought nothing.
    Failed(FailureKind),
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// The event that gave it; its speaker was asked with what had been said until then.
    pub seq: u64,
    /// Whose.
    pub participant: ParticipantId,
    /// Why.
    pub reason: TurnReason,
    /// Whether it may be let go by.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<ReplyTarget>,
    /// How it stands.
    pub state: TurnState,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Round {
    /// 0 is the blind one.
    pub number: u32,
    /// How its turns run.
    pub kind: RoundKind,
    /// The order it began with.
    pub order: Vec<ParticipantId>,
    /// What it looks at.
    pub focus: Vec<String>,
    /// Who is still to speak, and why.
    pub queue: Vec<(ParticipantId, TurnReason)>,
    /// The turns that were given.
    pub turns: Vec<Turn>,
    /// How often everybody failed and the turns were offered again.
    pub offered_again: u32,
    /// The event with which everybody had had a chance.
    pub ended_seq: Option<u64>,
}

/// What somebody did in a ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cast {
    /// A vote.
    Vote(Vote),
    /// None, by choice.
    Abstained(AbstentionKind),
    /// None: it was asked, and its vote failed.
    Failed(SeatFailure),
}

/// Why a turn or a vote of somebody brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatFailure {
    /// What kind of trouble; `None` where an older log does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// One line for people.
    pub detail: String,
    /// What to do about it, in a line; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
    /// The event that says so.
    pub seq: u64,
}

/// How a ballot stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BallotState {
    /// Votes are cast.
    Open,
    /// A steering message ended it.
    Interrupted(MessageId),
    /// Counted.
    Closed(Verdict),
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ballot {
    /// Its id.
    pub id: BallotId,
    /// After which round.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// Who is asked.
    pub voters: Vec<ParticipantId>,
    /// What they did.
    pub cast: BTreeMap<ParticipantId, Cast>,
    /// How it stands.
    pub state: BallotState,
    /// The event that counted it.
    pub closed_seq: Option<u64>,
    /// What all calls of the meeting had used when it was counted.
    pub spent: Spent,
    /// The rules that it was counted by; `None` while it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<CountedBy>,
}

/// The rules that held when a ballot was counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountedBy {
    /// When a draft is accepted.
    pub decision: DecisionRules,
    /// The most rounds of discussion.
    pub max_rounds: u32,
}

impl Ballot {
    /// The votes that were cast, in the order of the table.
    pub fn votes(&self) -> impl Iterator<Item = (ParticipantId, &Vote)> {
        self.cast.iter().filter_map(|(id, cast)| match cast {
            Cast::Vote(vote) => Some((*id, vote)),
            Cast::Abstained(_) | Cast::Failed(_) => None,
        })
    }
}

/// A version of the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    /// Counted from 1.
    pub version: u32,
    /// The event that it is.
    pub seq: u64,
    /// The words.
    pub text: String,
    /// Who wrote it.
    pub by: Actor,
}

/// A round's summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// Which round.
    pub round: u32,
    /// The event that it is.
    pub seq: u64,
    /// The words.
    pub text: String,
    /// Who holds what.
    pub positions: Vec<Position>,
    /// What is still open.
    pub open_questions: Vec<String>,
    /// Where the table is still divided.
    pub disagreements: Vec<String>,
    /// Who wrote it.
    pub by: Actor,
}

/// A facilitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facilitation {
    /// After which ballot.
    pub ballot: BallotId,
    /// 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change.
    pub proposed_patch: String,
    /// 1-2.
    pub next_focus: Vec<String>,
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conclusion {
    /// The event that it is.
    pub seq: u64,
    /// Who wrote it.
    pub by: Actor,
    /// The words; of an accepted draft, those that were voted on.
    pub text: String,
    /// What the facilitator wrote beside an accepted draft. Not there in older states.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasons: String,
    /// What is left open.
    pub disagreements: Vec<Disagreement>,
    /// What is to be done.
    pub actions: Vec<ActionItem>,
    /// The best ideas, the best first.
    pub best: Vec<Pick>,
    /// An idea that may be worth more than it looks.
    pub wildcard: Option<Pick>,
}

/// A person ended the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EndedBy {
    /// Who.
    pub by: Actor,
    /// Why, in their words; may be empty.
    pub note: String,
    /// The event that says so.
    pub seq: u64,
}

/// What is done before a round begins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preparation {
    /// Before which round.
    pub round: u32,
    /// What a person is to be asked; `None` while nobody has said.
    pub questions: Option<Vec<Question>>,
    /// Whether a person has been asked.
    pub asked: bool,
    /// Who is to come and go; `None` while nobody has said.
    pub proposal: Option<Proposal>,
    /// What a person said about the proposal.
    pub approved: Option<bool>,
    /// What a person wants to be different in another proposal.
    pub note: String,
}

/// Who is to come and go.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// Who is to come.
    pub candidates: Vec<Candidate>,
    /// Who is to leave.
    pub departures: Vec<Departure>,
}

/// What a person answered to the questions of a pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answers {
    /// The event that it is.
    pub seq: u64,
    /// Who.
    pub by: Actor,
    /// Each question with its answer; an answer that is not known is null.
    pub given: Vec<(String, serde_json::Value)>,
}

/// Something that everybody is to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Announcement {
    /// The event that it is.
    pub seq: u64,
    /// The words.
    pub text: String,
    /// Who published it.
    pub by: Actor,
}

/// Minutes that were asked for and are not written yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesRequest {
    /// Who writes them; the facilitator when `None`.
    pub writer: Option<ParticipantId>,
    /// What they are to look at.
    pub note: String,
    /// How many messages they cover.
    pub covers: usize,
}

/// A version of the minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesVersion {
    /// Counted from 1.
    pub version: u32,
    /// The event that it is.
    pub seq: u64,
    /// When.
    #[serde(rename = "written_at")]
    pub at: Timestamp,
    /// Who wrote it.
    pub author: Actor,
    /// How many messages it covers, counted from the first.
    pub covers: usize,
    /// The minutes.
    pub minutes: Minutes,
}

/// A version of an artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// Which.
    pub kind: ArtifactKind,
    /// Counted from 1 for each kind.
    pub version: ArtifactVersion,
    /// The event that it is.
    pub seq: u64,
    /// How many messages it was drawn from, counted from the first.
    pub covers: usize,
    /// By the schema of its kind.
    pub content: serde_json::Value,
    /// Who wrote it.
    pub author: Actor,
}

/// Marks of a round; no participant ever reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evaluation {
    /// Which round.
    pub round: u32,
    /// Who wrote it.
    pub by: Actor,
    /// One for each who had a turn.
    pub marks: Vec<Mark>,
}

/// How far the table had come together after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Metric {
    /// After which round.
    pub round: u32,
    /// Questions that were still open.
    pub open_questions_count: u32,
    /// Disagreements that were left.
    pub disagreements_count: u32,
    /// 0-100.
    pub convergence_score: u8,
    /// For how many rounds in a row nobody had changed its recommendation.
    pub stable_rounds: u32,
}

/// Somebody who was asked for in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invitation {
    /// Counted from 1.
    pub number: u32,
    /// The sentence.
    pub description: String,
    /// Who asked.
    pub by: Actor,
    /// Whether it has led to somebody, or has been given up.
    pub done: bool,
}

/// Why a task brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trouble {
    /// What kind of trouble.
    pub kind: FailureKind,
    /// One line for people.
    pub detail: String,
}

/// A call that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallUnderWay {
    /// Counted from 1.
    pub attempt: u32,
    /// What is held back for it.
    pub reserved: Reserve,
    /// Since when.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
}

/// What was done about failures of a task (`accounting/failure_policy.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FailureActions {
    /// It was asked once more, not knowing whether the work was done.
    pub again: bool,
    /// How often its context was shortened.
    pub shorter: u32,
    /// Another model is asked.
    pub fallback: bool,
    /// What attempts by the present model took that share one time with the next, in milliseconds.
    pub took_ms: u64,
}

/// What is known of a model's context window (`rules/windows.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Window {
    /// The most tokens that prompt and answer may have together.
    pub tokens: u64,
    /// How many tokens the server counts where a thousand are estimated here.
    pub per_mille: u64,
}

/// What has to be said again, because it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repair {
    /// What was wrong.
    pub problem: String,
    /// What came.
    pub excerpt: String,
}
