//! The events of a meeting: the public, stable contract.
//!
//! The same shape is stored, streamed and replayed. Each line says in which version of the contract it was
//! written (`version.rs`), and the store reads lines of older versions as the present version would have
//! written them.

mod call;
mod end;
mod kind;
mod message;
mod pause;
mod people;
mod records;
mod source;
mod turn;
mod version;
mod vote;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::actor::{Actor, Person};
use crate::ids::{
    ArtifactKind, ArtifactVersion, BallotId, MeetingId, MessageId, ParticipantId, RunId, TaskId, Timestamp,
    TurnId,
};
use crate::outcome::{FailureKind, StopReason, Usage};
use crate::participant::{Facilitator, Participant};
use crate::phrase::Phrase;
use crate::rules::{Format, Rules};
use crate::verdict::Verdict;
use quorate_messages::Language;

pub use call::*;
pub use end::*;
pub use message::*;
pub use pause::*;
pub use people::*;
pub use records::*;
pub use source::*;
pub use turn::*;
pub use version::{CONTRACT_VERSION, ContractVersion, UnreadableEvent};
pub use vote::*;

/// One event with its envelope: its place in the log, its time, its actor and its cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// The version of the contract that the line is written in; always the present one.
    #[cfg_attr(feature = "openapi", schema(value_type = u32))]
    pub version: ContractVersion,
    /// Dense from 1 within the meeting.
    pub seq: u64,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The execution of the meeting.
    pub run_id: RunId,
    /// The time, in milliseconds since 1970 UTC.
    #[serde(with = "crate::timestamp::milliseconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub ts_ms: Timestamp,
    /// The actor.
    pub actor: Actor,
    /// The command or task that led to it: `say`, `speak:r1t2#1`.
    pub cause: String,
    /// The type and the payload.
    #[serde(flatten)]
    pub body: EventBody,
}

impl Event {
    /// The event as one line of JSON, the same bytes each time.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only text keys and finite numbers")
    }
    /// Reads a line written by [`to_json`](Self::to_json) in this version of the contract. The store reads
    /// lines of older versions and upcasts them.
    ///
    /// # Errors
    /// When the line is no event, or one of another version, which the error names.
    pub fn from_json(line: &str) -> Result<Self, UnreadableEvent> {
        serde_json::from_str(line).map_err(|error| UnreadableEvent::of(line, &error))
    }
}

/// The type and the payload of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventBody {
    /// A meeting exists, as a draft.
    MeetingCreated {
        /// The question, 1-200 characters.
        topic: String,
        /// What a reader has to know to answer the question; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        background: String,
        /// The language of the meeting.
        language: Language,
        /// The preset that its rules began with.
        format: Format,
        /// The rules that hold.
        rules: Box<Rules>,
        /// From which random orders and ties are drawn.
        seed: u64,
        /// The model that writes summaries and facilitates; `None` for a meeting without one.
        facilitator: Option<Facilitator>,
        /// The moderator.
        #[serde(default)]
        moderator: Moderator,
        /// The models that a team can be given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        models: Vec<ModelOffer>,
        /// The actor who created the meeting.
        by: Actor,
    },
    /// The meeting was imported from files; the events that follow repeat it, with the times in the files.
    MeetingImported {
        /// The layout of the imported files.
        layout: LayoutKind,
        /// The meeting's id in these files.
        from: String,
        /// Its name there, when it had one beside its topic.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// What the files did not contain, or what was not imported, each in a sentence for people.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Phrase>,
        /// The actor who imported the meeting.
        by: Actor,
    },
    /// A new meeting was made from the beginning of another; the events before this one are its.
    MeetingForked {
        /// The meeting that was forked.
        from: MeetingId,
        /// The last event that was taken over.
        at: u64,
        /// The actor who forked the meeting.
        by: Actor,
        /// The title of the fork.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// The state that the fork begins with. Forks of older versions have none: they declared the calls in
        /// flight lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<Carried>,
    },
    /// A participant joined.
    ParticipantJoined {
        /// The participant.
        participant: Participant,
        /// The actor who added the participant.
        by: Actor,
        /// The reason, when one was given.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        reason: Phrase,
        /// The invitation that led to it, when there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<u32>,
    },
    /// A participant left. Its messages stay in the log.
    ParticipantLeft {
        /// The participant.
        participant: ParticipantId,
        /// The actor who removed the participant.
        by: Actor,
        /// The reason, when one was given.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        reason: Phrase,
    },
    /// A participant was invited by a description in one sentence. The facilitator fills in the rest.
    ParticipantInvited {
        /// The number of the invitation, counted from 1.
        invitation: u32,
        /// The description.
        description: String,
        /// The actor who invited the participant.
        by: Actor,
    },
    /// Whether a participant can be asked has changed.
    PresenceChanged {
        /// The participant.
        participant: ParticipantId,
        /// The new presence.
        presence: Presence,
        /// The actor who changed it.
        by: Actor,
    },
    /// Something about a participant has changed; what is not given stays.
    ParticipantChanged {
        /// The participant.
        participant: ParticipantId,
        /// Its skip list from now on, as in [`Newcomer::skip_list`](crate::Newcomer::skip_list); empty for none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skip_list: Option<Vec<String>>,
        /// The actor who changed it.
        by: Actor,
    },
    /// A person is at the table. What people say there is shown under this name.
    PersonJoined {
        /// The person, with the name that they have at this table: no other person has it there.
        person: Person,
    },
    /// A person is at the table no longer. Their messages stay in the log.
    PersonLeft {
        /// The person, with the name that they had there.
        person: Person,
        /// The actor: the person, or who sent them away.
        by: Actor,
    },
    /// A person hosts the meeting from now on: where the host gives the floor, theirs is the word that does.
    HostChanged {
        /// The new host.
        host: Person,
        /// The actor who handed it over.
        by: Actor,
    },
    /// The meeting started.
    MeetingStarted {
        /// The actor who started it.
        by: Actor,
        /// The longest time between two events that counts as running time, in milliseconds. A longer one means
        /// that the clock was set or the machine slept. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silence_max_ms: Option<u64>,
    },
    /// The rules changed; they hold from the next turn on.
    RulesChanged {
        /// All of them, as they are now.
        rules: Box<Rules>,
        /// The actor who changed the rules.
        by: Actor,
        /// The longest time between two events that counts as running time from now on, in milliseconds, as in
        /// `meeting_started`. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silence_max_ms: Option<u64>,
    },
    /// The question changed.
    TopicChanged {
        /// The new topic, 1-200 characters.
        topic: String,
        /// The actor who changed it.
        by: Actor,
    },
    /// The agenda changed.
    AgendaChanged {
        /// The change.
        #[serde(flatten)]
        change: AgendaChange,
        /// The actor who changed the agenda: a person or the moderator.
        by: Actor,
    },
    /// An announcement to all participants was published.
    AnnouncementPublished {
        /// 1-2000 characters; the last one holds.
        text: String,
        /// The actor who published it.
        by: Actor,
    },
    /// A password is needed to open the meeting from now on, or no longer.
    AccessChanged {
        /// Whether a password is needed. The password itself is not part of the log.
        locked: bool,
        /// The actor who changed it.
        by: Actor,
    },
    /// Something is to be done before a round begins: questions to a person, a team, or both.
    PreparationStarted {
        /// The round.
        round: u32,
    },
    /// The questions that a person is asked before a round were written.
    IntakeWritten {
        /// The round that follows.
        round: u32,
        /// The author.
        by: Actor,
        /// The questions; empty when nothing is missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
    },
    /// Candidates and departures were proposed before a round.
    TeamProposed {
        /// The round that follows.
        round: u32,
        /// The author of the proposal.
        by: Actor,
        /// The candidates.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<Candidate>,
        /// The participants who are to leave.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        departures: Vec<Departure>,
    },
    /// A person answered whether the proposed changes of the team are wanted.
    TeamReviewed {
        /// The round that follows.
        round: u32,
        /// The person.
        by: Actor,
        /// The decision, with its fields.
        #[serde(flatten)]
        decision: TeamDecision,
    },
    /// All participants of a round were evaluated. The evaluation is hidden from the participants.
    EvaluationWritten {
        /// The round.
        round: u32,
        /// The author.
        by: Actor,
        /// One mark for each participant who had a turn.
        marks: Vec<Mark>,
    },
    /// A round started.
    RoundStarted {
        /// 0 is the blind one.
        round: u32,
        /// How the turns of the round run.
        kind: RoundKind,
        /// The speakers, in this order unless mentions change it.
        order: Vec<ParticipantId>,
        /// Questions that the round should concentrate on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        focus: Vec<String>,
        /// The first message that speakers read in full from now on; absent where that is the same as before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context_from: Option<MessageId>,
    },
    /// A participant was given the floor.
    SpeakerSelected {
        /// The turn.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// The reason.
        #[serde(flatten)]
        reason: TurnReason,
        /// Whether the participant may skip the turn.
        can_skip: bool,
        /// The points it is to answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reply_targets: Vec<ReplyTarget>,
    },
    /// A person asked for a participant to speak next.
    SpeakerRequested {
        /// The participant.
        participant: ParticipantId,
        /// The person.
        by: Actor,
    },
    /// The participants who still wait for a turn in the present round are others, or wait in another order. Taking
    /// a turn, leaving and going offline end a wait without this event.
    QueueChanged {
        /// All who wait, the next speaker first.
        queue: Vec<QueuedTurn>,
        /// The reason.
        reason: QueueReason,
    },
    /// A call is about to be made, and this much of the budget is held back for it.
    CallStarted {
        /// The task of the call.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The part of the budget that is reserved for the call.
        reserved: Reserve,
        /// The model that answers in place of the one that could not, as `provider/model`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fallback: Option<String>,
        /// For an artifact: the last message that it will cover. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// A request within a call brought no answer and is sent again: it was not carried out, or the provider
    /// did not accept its form.
    CallRetried {
        /// The task of the call.
        task: TaskId,
        /// Which attempt it belongs to.
        attempt: u32,
        /// Which request of the attempt failed, counted from 1.
        request: u32,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// The time until the next request, in milliseconds.
        wait_ms: u64,
        /// The usage of the failed request.
        usage: Usage,
        /// Its cost in millionths; `None` when the price is not known.
        cost_micros: Option<u64>,
    },
    /// A call is over.
    CallEnded {
        /// The task of the call.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// How the call ended.
        #[serde(flatten)]
        end: CallEnd,
        /// The usage; the reserve when it is not known.
        usage: Usage,
        /// The cost in millionths; `None` when the price is not known.
        cost_micros: Option<u64>,
        /// From the request to the end.
        latency_ms: u64,
        /// The provider's id of the last request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        /// In which way the task is tried once more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<FailureAction>,
        /// Repairs that were needed before the answer could be read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mended: Vec<Mend>,
        /// The context window that the prompt did not fit, as the server named it, or how the server counted
        /// what it read within a small one; later prompts for the same model are kept below it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<WindowMet>,
        /// What the call has shown about whether its model can be reached; absent where it has shown nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reach: Option<Reach>,
        /// Whether the next attempt counts as the repetition that a task has, as after `then: again`: the call was
        /// lost, and whether the work was done is unknown.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        counts_as_repetition: bool,
        /// Whether the next attempt has only what this one has left of its time limit; otherwise it has all of it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shares_time: bool,
        /// Whether the next attempt is still to repair the answer that could not be read.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repair_open: bool,
    },
    /// An answer could not be read; it is asked for once more.
    AnswerMalformed {
        /// The task of the call.
        task: TaskId,
        /// The attempt.
        attempt: u32,
        /// What was wrong with the answer.
        problem: Phrase,
        /// The beginning of the answer.
        excerpt: String,
    },
    /// A participant sent a message.
    AgentMessage {
        /// The id of the message.
        message_id: MessageId,
        /// The round.
        round: u32,
        /// The turn that it ended.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// The message.
        message: Message,
        /// The participant's stance, when it stated one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stance: Option<Stance>,
        /// The mentioned participants.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// The mentioned people, who have no turns by it unless they hold a seat.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentioned_people: Vec<Person>,
        /// The length of the message in characters before it was cut; `None` when it was not cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut_from_chars: Option<u32>,
        /// The model's reasoning, shortened. No participant ever sees it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
        /// Why the message was cut off: the answer reached its token limit, or the provider withheld the
        /// rest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ended_early: Option<StopReason>,
    },
    /// A person sent a message, or an agent outside of its turn.
    UserMessage {
        /// The id of the message.
        message_id: MessageId,
        /// The round that was running.
        round: u32,
        /// The person, or the participant.
        by: Actor,
        /// The message.
        message: Message,
        /// The mentioned participants.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// The mentioned people, who have no turns by it unless they hold a seat.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentioned_people: Vec<Person>,
        /// The message that this one replies to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<MessageId>,
    },
    /// A participant let its turn go by.
    TurnSkipped {
        /// The turn.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// The reason.
        #[serde(default)]
        reason: SkipReason,
        /// With the reason `skip_list`, the phrases of its skip list that were said, each once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        phrases: Vec<String>,
    },
    /// A participant updated its private memory. No other participant reads it.
    MemoryWritten {
        /// The participant.
        participant: ParticipantId,
        /// All of them, as they are now.
        memory: PrivateMemory,
    },
    /// A turn failed; the meeting goes on.
    TurnFailed {
        /// The turn.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do about it; may be empty.
        hint: Phrase,
    },
    /// All turns of a round have ended.
    RoundEnded {
        /// The round.
        round: u32,
    },
    /// The summary of a round was written.
    SummaryWritten {
        /// The round.
        round: u32,
        /// The author.
        by: Actor,
        /// At most as long as the rules allow.
        text: String,
        /// Every position that is held, with who holds it.
        positions: Vec<Position>,
        /// Participants whose position the facilitator left out twice and the rules restored.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        restored: Vec<ParticipantId>,
        /// Open questions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        open_questions: Vec<String>,
        /// Remaining disagreements.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        disagreements: Vec<String>,
    },
    /// The convergence of the meeting after a round.
    Metric {
        /// The round.
        round: u32,
        /// Questions that are still open.
        open_questions_count: u32,
        /// Disagreements that are left.
        disagreements_count: u32,
        /// 0 (no agreement) to 100 (no open points).
        convergence_score: u8,
        /// The number of consecutive rounds in which no recommendation changed.
        stable_rounds: u32,
    },
    /// A new version of the draft was written.
    DraftRevised {
        /// The version of the draft, counted from 1.
        version: u32,
        /// The complete text.
        text: String,
        /// The author.
        by: Actor,
    },
    /// A ballot was opened.
    BallotOpened {
        /// The ballot.
        ballot: BallotId,
        /// The round before the ballot.
        round: u32,
        /// On which version of the draft.
        draft_version: u32,
        /// The participants who are asked to vote.
        voters: Vec<ParticipantId>,
    },
    /// A participant voted.
    VoteCast {
        /// The ballot.
        ballot: BallotId,
        /// The participant.
        participant: ParticipantId,
        /// The vote.
        vote: Vote,
        /// The objection that it raises, when it does not pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        objection: Option<Claim>,
    },
    /// A participant did not vote, by choice or because its vote failed. An abstention never counts as
    /// assent.
    VoteAbstained {
        /// The ballot.
        ballot: BallotId,
        /// The participant.
        participant: ParticipantId,
        /// Whether the participant abstained, or its vote failed.
        kind: AbstentionKind,
        /// A one-line description for people.
        detail: Phrase,
        /// The kind of failure, when the vote failed. Older logs do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<FailureKind>,
        /// What a person can do about it, when the vote failed.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        hint: Phrase,
    },
    /// A steering message ended the ballot; its votes do not count.
    BallotInterrupted {
        /// The ballot.
        ballot: BallotId,
        /// The steering message that interrupted it.
        by: MessageId,
    },
    /// The votes are counted.
    BallotClosed {
        /// The ballot.
        ballot: BallotId,
        /// Each clause, what it needed and what it got.
        verdict: Verdict,
    },
    /// The facilitator explained why a ballot failed, proposed the smallest change that could mend it, and
    /// asked what to discuss next.
    FacilitationWritten {
        /// The ballot.
        ballot: BallotId,
        /// The facilitation is also a message of the stream; this is its id.
        message_id: MessageId,
        /// The message.
        message: Message,
        /// The disagreements, 1-3.
        disagreements: Vec<String>,
        /// The smallest change to the draft.
        proposed_patch: String,
        /// Questions for the next round, 1-2.
        next_focus: Vec<String>,
    },
    /// A pause was requested. The current speaker may finish.
    PauseRequested {
        /// The actor who requested it.
        by: Actor,
        /// How far the meeting runs before it pauses; `None`: until the current turn ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Stride>,
    },
    /// The meeting paused.
    Pause {
        /// The reason.
        pause_reason: PauseReason,
        /// The token that a resume command has to carry.
        resume_token: String,
        /// Questions for a person.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
        /// The suggested next step, as a code for programs.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        suggested_next: String,
        /// The actor, when the pause was requested.
        by: Actor,
        /// The budget that is used up, when the pause is because of one. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<BudgetKind>,
    },
    /// The meeting was resumed.
    Resume {
        /// The actor who resumed the meeting.
        by: Actor,
        /// The answers to the pause's questions, including defaults for questions that were not answered.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        answers: BTreeMap<String, serde_json::Value>,
        /// The keys of those that took their default.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        defaults: Vec<String>,
        /// What follows from it. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<Resumption>,
    },
    /// Minutes were requested.
    MinutesRequested {
        /// Which version they will be.
        version: u32,
        /// The writer; the facilitator when `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        writer: Option<ParticipantId>,
        /// What the writer should pay attention to; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
        /// The actor who requested them.
        by: Actor,
        /// The last message that they will cover. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// The minutes have a new version.
    MinutesWritten {
        /// The version of the minutes, counted from 1.
        version: u32,
        /// The author.
        author: Actor,
        /// The last message that it covers; readers continue from there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
        /// The minutes.
        minutes: Minutes,
    },
    /// An artifact was requested before the end.
    ArtifactRequested {
        /// The kind of artifact.
        artifact_type: ArtifactKind,
        /// Which version it will be.
        version: ArtifactVersion,
        /// The actor who requested it.
        by: Actor,
    },
    /// An artifact passed the gate.
    ArtifactWritten {
        /// The kind of artifact.
        artifact_type: ArtifactKind,
        /// Counted from 1, `v1`.
        version: ArtifactVersion,
        /// By the schema of its kind.
        content: serde_json::Value,
        /// The author.
        author: Actor,
        /// The last message that it covers. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// The meeting was interrupted: another process took it over, and calls in flight were lost. Or the clock
    /// was set, or the machine slept.
    Recovered {
        /// The part of the time since the last event by which the clock was set forward or the machine slept,
        /// in milliseconds. The calls are still in flight. `None` when another process took over the meeting.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idle_ms: Option<u64>,
    },
    /// A call does not fit into what is left of a budget.
    BudgetReached {
        /// The budget.
        budget: BudgetKind,
        /// The limit.
        limit: u64,
        /// What has been spent.
        spent: u64,
        /// What the next call would have needed, or 0.
        needed: u64,
    },
    /// The meeting began to wait: no provider that could answer is reachable. The failed calls are held, and
    /// one of them is tried again at intervals.
    ProviderWaitStarted {
        /// The unreachable providers or models: `ollama`, `openai/gpt-5`.
        waiting_for: Vec<String>,
        /// The kind of the last failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do about it; may be empty.
        hint: Phrase,
        /// The number of attempts so far.
        tries: u32,
        /// The time of the next attempt.
        next_try_at: Timestamp,
        /// The time until which the meeting waits before it pauses.
        gives_up_at: Timestamp,
    },
    /// The meeting waits for its providers no longer.
    ProviderWaitEnded {
        /// The reason.
        reason: WaitEnd,
    },
    /// A task of the meeting failed; the meeting goes on.
    Error {
        /// The task that failed.
        task: TaskId,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do about it; may be empty.
        hint: Phrase,
        /// What follows from it. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<AfterFailure>,
    },
    /// A person ended the meeting; calls in flight are cancelled.
    EndRequested {
        /// The actor who ended the meeting.
        by: Actor,
        /// The reason in the person's words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// The discussion is over; the conclusion is being written.
    MeetingClosing {
        /// The outcome that the meeting will end with.
        #[serde(flatten)]
        outcome: MeetingOutcome,
        /// Tasks that had failed and are asked for once more. Logs before version 4 do not have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked_again: Option<Vec<TaskId>>,
    },
    /// The conclusion was written.
    ConclusionWritten {
        /// The author. For an accepted draft, the author of the draft.
        by: Actor,
        /// In Markdown. When a ballot was passed, the draft that was voted on, word for word.
        conclusion: String,
        /// The facilitator's account of how an accepted draft came about, and why. It was not voted on.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reasons: String,
        /// Remaining disagreements and who holds which side.
        disagreements: Vec<Disagreement>,
        /// Action items.
        actions: Vec<ActionItem>,
        /// The best ideas, the best first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        best: Vec<Pick>,
        /// An idea that may be worth more than it looks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wildcard: Option<Pick>,
    },
    /// The meeting is over; always the last event.
    Finished {
        /// The outcome.
        #[serde(flatten)]
        outcome: MeetingOutcome,
        /// Discussion rounds that took place.
        rounds: u32,
        /// The usage of all calls.
        usage: Usage,
        /// The cost of all calls in millionths; `None` when a price is not known.
        cost_micros: Option<u64>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_read_as_it_was_written() {
        // A reader that is one bit off makes the folded log another state than the live one.
        for quorum in [0.45599999999999996, 2.0 / 3.0, 83.33333333333333 / 100.0, 0.1 + 0.2] {
            let mut rules = Rules::default();
            rules.decision.quorum = quorum;
            let line = serde_json::to_string(&rules).expect("rules are plain");
            let read: Rules = serde_json::from_str(&line).expect("it was just written");
            assert_eq!(read.decision.quorum.to_bits(), quorum.to_bits());
        }
    }
}
