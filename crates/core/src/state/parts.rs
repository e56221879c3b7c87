//! The parts of a meeting: seats, rounds, turns, messages and claims, ballots, drafts.

use std::collections::BTreeMap;

use quorate_contract::{
    AbstentionKind, ActionItem, Actor, ArtifactKind, ArtifactVersion, BallotId, BudgetKind, Candidate, Claim,
    ClaimId, DecisionRules, Departure, Disagreement, Facilitator, FailureKind, Format, Language, Mark,
    MeetingOutcome, MessageId, Minutes, ModelOffer, Moderator, Participant, ParticipantId, PauseReason,
    Person, Phrase, Pick, Position, Presence, PrivateMemory, Question, ReplyTarget, Reserve, RoundKind,
    Rules, Stance, Stride, Timestamp, TurnId, TurnReason, Usage, Verdict, Vote,
};
use serde::{Deserialize, Serialize};

/// The settings that a meeting was created with, with later changes applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Charter {
    /// The question.
    pub topic: String,
    /// The background of the question.
    pub background: String,
    /// The language.
    pub language: Language,
    /// The format.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// The seed.
    pub seed: u64,
    /// The facilitator.
    pub facilitator: Option<Facilitator>,
    /// The moderator.
    pub moderator: Moderator,
    /// The models that a team can be given.
    pub models: Vec<ModelOffer>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The phase of a meeting.
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
        /// The outcome that it will end with.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
    /// The meeting has ended.
    Ended {
        /// The outcome.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
}

/// The run state of a meeting, across all phases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "rest", rename_all = "snake_case")]
pub enum RunState {
    /// The meeting is running.
    Running,
    /// The meeting will pause after the current turn.
    PauseRequested {
        /// The actor who requested it.
        by: Actor,
    },
    /// The meeting is paused.
    Paused {
        /// The reason.
        reason: PauseReason,
        /// The resume token.
        token: String,
        /// Questions for a person.
        questions: Vec<Question>,
        /// When it paused.
        since: Timestamp,
        /// The budget that is used up, when it paused because of one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<BudgetKind>,
    },
}

/// The stride after which the meeting pauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Halt {
    /// The actor who requested it.
    pub by: Actor,
    /// The length of the stride.
    pub after: Stride,
    /// The number of completed strides of that length at the time of the request.
    pub since: usize,
}

/// A wait for providers, while none that could go on is reachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderWait {
    /// Providers, or models of theirs: `ollama`, `openai/gpt-5`.
    pub waiting_for: Vec<String>,
    /// The kind of the last failure.
    pub kind: FailureKind,
    /// When the wait began.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
    /// When the last attempt was made.
    pub tried_at: Timestamp,
    /// The number of attempts.
    pub tries: u32,
    /// When the next attempt is made.
    pub next_try_at: Timestamp,
}

/// A participant's place and how it has stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seat {
    /// The participant.
    pub participant: Participant,
    /// Whether it is present.
    pub present: bool,
    /// Whether it can be asked.
    pub presence: Presence,
    /// Its private memory, which no other participant reads.
    pub memory: Option<PrivateMemory>,
    /// The round in which it last changed its position.
    pub changed_in: Option<u32>,
    /// Its stance after its first message.
    pub first: Option<Stance>,
    /// Its present stance.
    pub stance: Option<Stance>,
    /// How often it changed its position, and how often without naming what moved it.
    pub changes: Changes,
    /// The usage of its calls.
    pub spent: Spent,
    /// The failure of its last failed turn. Absent in older states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<SeatFailure>,
    /// How many messages had been said when it joined. Absent in older states and at the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joined_after: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Seat {
    /// The seat of a participant who has just joined, after this many messages.
    pub(crate) fn taken_by(participant: Participant, joined_after: u32) -> Self {
        Self {
            participant,
            present: true,
            presence: Presence::Online,
            memory: None,
            changed_in: None,
            first: None,
            stance: None,
            changes: Changes::default(),
            spent: Spent::default(),
            failure: None,
            joined_after,
        }
    }
}

/// Counts of changes of position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Changes {
    /// Moved by a claim that it names.
    pub evidenced: u32,
    /// Moved by nothing that it names.
    pub unevidenced: u32,
}

/// A change of position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shift {
    /// The participant.
    pub participant: ParticipantId,
    /// The round.
    pub round: u32,
    /// The event that says so.
    pub seq: u64,
    /// The position before.
    pub from: String,
    /// The position since.
    pub to: String,
    /// The claim that it names as what moved it.
    pub by: Option<ClaimId>,
}

/// The usage of calls.
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
    /// Failed requests that were sent again within their call.
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
    /// The id.
    pub id: MessageId,
    /// The event that it is.
    pub seq: u64,
    /// The round.
    pub round: u32,
    /// The time.
    #[serde(rename = "said_at")]
    pub at: Timestamp,
    /// The speaker.
    pub speaker: Actor,
    /// The speaker's name.
    pub name: String,
    /// The text.
    pub content: String,
    /// The mentioned participants.
    pub mentions: Vec<ParticipantId>,
    /// The mentioned people. Absent in older states, so not in their hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned_people: Vec<Person>,
    /// The turn that it ended.
    pub turn: Option<TurnId>,
    /// The claims that it raised.
    pub claims: Vec<ClaimId>,
    /// The message that a person replied to. Absent in older states, so not in their hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<MessageId>,
}

/// A claim and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClaimRecord {
    /// The claim.
    pub claim: Claim,
    /// The owner.
    pub owner: ParticipantId,
    /// Raised in which round.
    pub round: u32,
    /// Its message; `None` for an objection, which stands in a vote.
    pub message: Option<MessageId>,
    /// The event that raised it.
    pub seq: u64,
    /// The participants who have answered it.
    pub answered_by: Vec<ParticipantId>,
    /// How often it was a reply target.
    pub targeted: u32,
}

/// The state of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its participant has the floor.
    Open,
    /// The turn ended with a message.
    Said(MessageId),
    /// The turn was skipped.
    Skipped,
    /// The turn failed.
    Failed(FailureKind),
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Turn {
    /// The id.
    pub id: TurnId,
    /// The event that gave it; its speaker was asked with what had been said until then.
    pub seq: u64,
    /// The participant.
    pub participant: ParticipantId,
    /// The reason.
    pub reason: TurnReason,
    /// Whether it may be skipped.
    pub can_skip: bool,
    /// The points to answer.
    pub targets: Vec<ReplyTarget>,
    /// The state.
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
    /// Its focus.
    pub focus: Vec<String>,
    /// The participants who are still to speak, and why.
    pub queue: Vec<(ParticipantId, TurnReason)>,
    /// The turns that were given.
    pub turns: Vec<Turn>,
    /// How often all turns failed and were offered again.
    pub offered_again: u32,
    /// The event that ended the round.
    pub ended_seq: Option<u64>,
}

impl Round {
    /// Whether all turns were skipped.
    pub(crate) fn is_skipped(&self) -> bool {
        !self.turns.is_empty() && self.turns.iter().all(|turn| turn.state == TurnState::Skipped)
    }
}

/// The result of a voter in a ballot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cast {
    /// A vote.
    Vote(Vote),
    /// No vote, by choice.
    Abstained(AbstentionKind),
    /// No vote: the voter was asked, and its vote failed.
    Failed(SeatFailure),
}

/// The failure of a participant's turn or vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatFailure {
    /// The kind of failure; `None` where an older log does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// A one-line description for people.
    pub detail: Phrase,
    /// What a person can do about it, in a line; may be empty.
    #[serde(default, skip_serializing_if = "Phrase::is_empty")]
    pub hint: Phrase,
    /// The event that says so.
    pub seq: u64,
}

/// The state of a ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BallotState {
    /// Votes are cast.
    Open,
    /// A steering message ended it.
    Interrupted(MessageId),
    /// The ballot was counted.
    Closed(Verdict),
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ballot {
    /// The id.
    pub id: BallotId,
    /// The round before it.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// The voters.
    pub voters: Vec<ParticipantId>,
    /// Their results.
    pub cast: BTreeMap<ParticipantId, Cast>,
    /// The state.
    pub state: BallotState,
    /// The event that counted it.
    pub closed_seq: Option<u64>,
    /// The usage of all calls of the meeting when it was counted.
    pub spent: Spent,
    /// The rules that it was counted by; `None` while it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<CountedBy>,
}

/// The rules that held when a ballot was counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountedBy {
    /// The rules of decision that apply to it.
    pub decision: DecisionRules,
    /// The most rounds of discussion.
    pub max_rounds: u32,
}

impl Ballot {
    /// The votes, in the order of the participants.
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
    /// The version, counted from 1.
    pub version: u32,
    /// The event that it is.
    pub seq: u64,
    /// The text.
    pub text: String,
    /// The author.
    pub by: Actor,
}

/// A round's summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Summary {
    /// The round.
    pub round: u32,
    /// The event that it is.
    pub seq: u64,
    /// The text.
    pub text: String,
    /// The positions and their holders.
    pub positions: Vec<Position>,
    /// Open questions.
    pub open_questions: Vec<String>,
    /// Remaining disagreements.
    pub disagreements: Vec<String>,
    /// The author.
    pub by: Actor,
}

/// A facilitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facilitation {
    /// The ballot before it.
    pub ballot: BallotId,
    /// The disagreements, 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change to the draft that could make it pass.
    pub proposed_patch: String,
    /// Questions for the next round, 1-2.
    pub next_focus: Vec<String>,
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conclusion {
    /// The event that it is.
    pub seq: u64,
    /// The author.
    pub by: Actor,
    /// The words; of an accepted draft, those that were voted on.
    pub text: String,
    /// The facilitator's text beside an accepted draft. Absent in older states.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasons: String,
    /// Remaining disagreements.
    pub disagreements: Vec<Disagreement>,
    /// Action items.
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
    /// The actor.
    pub by: Actor,
    /// The reason in the actor's words; may be empty.
    pub note: String,
    /// The event that says so.
    pub seq: u64,
}

/// The preparation of a round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preparation {
    /// The round that follows.
    pub round: u32,
    /// The questions to a person; `None` until they are written.
    pub questions: Option<Vec<Question>>,
    /// Whether a person has been asked.
    pub asked: bool,
    /// The proposed candidates and departures; `None` until they are written.
    pub proposal: Option<Proposal>,
    /// The decision of a person about the proposal.
    pub approved: Option<bool>,
    /// What a person wants to be different in another proposal.
    pub note: String,
}

/// Proposed candidates and departures.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Proposal {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The participants who are to leave.
    pub departures: Vec<Departure>,
}

/// A person's answers to the questions of a pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answers {
    /// The event that it is.
    pub seq: u64,
    /// The person.
    pub by: Actor,
    /// Each question with its answer; an answer that is not known is null.
    pub given: Vec<(Phrase, serde_json::Value)>,
}

/// An announcement to all participants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Announcement {
    /// The event that it is.
    pub seq: u64,
    /// The text.
    pub text: String,
    /// The actor who published it.
    pub by: Actor,
}

/// Minutes that were asked for and are not written yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesRequest {
    /// The writer; the facilitator when `None`.
    pub writer: Option<ParticipantId>,
    /// What the writer should pay attention to.
    pub note: String,
    /// The number of messages that they cover.
    pub covers: usize,
}

/// A version of the minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MinutesVersion {
    /// The version, counted from 1.
    pub version: u32,
    /// The event that it is.
    pub seq: u64,
    /// The time.
    #[serde(rename = "written_at")]
    pub at: Timestamp,
    /// The author.
    pub author: Actor,
    /// The number of messages that it covers, counted from the first.
    pub covers: usize,
    /// The minutes.
    pub minutes: Minutes,
}

/// A version of an artifact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// The kind.
    pub kind: ArtifactKind,
    /// Counted from 1 for each kind.
    pub version: ArtifactVersion,
    /// The event that it is.
    pub seq: u64,
    /// The number of messages that it covers, counted from the first.
    pub covers: usize,
    /// By the schema of its kind.
    pub content: serde_json::Value,
    /// The author.
    pub author: Actor,
}

/// Marks of a round; no participant ever reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Evaluation {
    /// The round.
    pub round: u32,
    /// The author.
    pub by: Actor,
    /// One mark for each participant who had a turn.
    pub marks: Vec<Mark>,
}

/// The convergence after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Metric {
    /// The round.
    pub round: u32,
    /// Questions that were still open.
    pub open_questions_count: u32,
    /// Disagreements that were left.
    pub disagreements_count: u32,
    /// The score, 0-100.
    pub convergence_score: u8,
    /// The number of consecutive rounds in which no recommendation changed.
    pub stable_rounds: u32,
}

/// An invitation by a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Invitation {
    /// The number, counted from 1.
    pub number: u32,
    /// The sentence.
    pub description: String,
    /// The actor who made it.
    pub by: Actor,
    /// Whether it has led to a participant, or was given up.
    pub done: bool,
}

/// The failure of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trouble {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A one-line description for people.
    pub detail: Phrase,
}

/// A call in flight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallUnderWay {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The reserve.
    pub reserved: Reserve,
    /// When it started.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
}

/// The actions of the failure policy that were taken for a task (`accounting/failure_policy.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FailureActions {
    /// Whether it was asked again, without knowing whether the work was done.
    pub again: bool,
    /// How often its context was shortened.
    pub shorter: u32,
    /// Whether the fallback model is asked.
    pub fallback: bool,
    /// The time of the present model's attempts that share one limit with the next, in milliseconds.
    pub took_ms: u64,
}

/// The known properties of a model's context window (`prompt/windows.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Window {
    /// The most tokens that prompt and answer may have together.
    pub tokens: u64,
    /// The number of tokens that the server counts where a thousand are estimated here.
    pub per_mille: u64,
}

/// The repair of an unreadable answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repair {
    /// What was wrong.
    pub problem: Phrase,
    /// The beginning of the answer.
    pub excerpt: String,
}

/// A person who is at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PersonAtTable {
    /// The person, with the name that they have at this table.
    #[serde(flatten)]
    pub person: Person,
    /// When they came.
    pub joined_at: Timestamp,
}
