//! The events of a meeting: the public, stable contract.
//!
//! The same shape is stored, streamed and replayed. Each line says in which version of the contract it was
//! written (`version.rs`), and the store reads lines of older versions as the present version would have
//! written them.

mod action;
mod call;
mod end;
mod kind;
mod message;
mod pause;
mod people;
mod reading;
mod records;
mod source;
mod turn;
mod version;
mod vote;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::actor::{Actor, Person};
use crate::details::MeetingDetails;
use crate::file::AttachedFile;
use crate::ids::{
    ArtifactKind, ArtifactVersion, BallotId, FileId, MeetingId, MessageId, ParticipantId, RunId, TaskId,
    Timestamp, ToolCallId, TurnId,
};
use crate::outcome::{FailureKind, StopReason, Usage};
use crate::participant::{Facilitator, Participant};
use crate::phrase::Phrase;
use crate::rules::{Format, Rules};
use crate::tool::{AllowedTools, ToolDecision, ToolOutcome};
use crate::verdict::Verdict;
use quorate_messages::Language;

pub use action::*;
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

/// An event with its envelope: its place in the log, time, actor and cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Event {
    /// The version of the event contract in which the line is written; always the current one.
    #[cfg_attr(feature = "openapi", schema(value_type = u32))]
    pub version: ContractVersion,
    /// The sequence number: 1 for the first event of the meeting, one more for each event that follows.
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
    /// A meeting was created, as a draft.
    MeetingCreated {
        /// The question, 1-200 characters.
        topic: String,
        /// The background: what is needed to answer the question; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        background: String,
        /// What the meeting is called, and how its times are shown; absent where nothing of it is set.
        #[serde(default, skip_serializing_if = "MeetingDetails::is_default")]
        details: MeetingDetails,
        /// The language of the meeting.
        language: Language,
        /// The format of the meeting, which set the defaults of its rules.
        format: Format,
        /// The current rules.
        rules: Box<Rules>,
        /// The seed of random orders and ties.
        seed: u64,
        /// The facilitator; `null` for a meeting without one.
        facilitator: Option<Facilitator>,
        /// The moderator.
        #[serde(default)]
        moderator: Moderator,
        /// The models that an assembled team can choose from.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        models: Vec<ModelOffer>,
        /// The actor who created the meeting.
        by: Actor,
    },
    /// The meeting was imported from files. The events that follow repeat it, with the times from the files.
    MeetingImported {
        /// The layout of the imported files.
        layout: LayoutKind,
        /// The meeting's id in these files.
        from: String,
        /// The meeting's name in these files; empty when it has only a topic.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// What the files did not contain or what was not imported, one text per entry.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Phrase>,
        /// The actor who imported the meeting.
        by: Actor,
    },
    /// The meeting is a fork: the events before this one come from another meeting.
    MeetingForked {
        /// The meeting that was forked.
        from: MeetingId,
        /// The sequence number of the last event that was taken over.
        at: u64,
        /// The actor who forked the meeting.
        by: Actor,
        /// The title of the fork.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// What the fork takes over besides the events. Absent in forks of older versions, which declared the
        /// calls in progress lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<CarriedSpending>,
    },
    /// A participant joined.
    ParticipantJoined {
        /// The participant.
        participant: Participant,
        /// The actor who added the participant.
        by: Actor,
        /// The reason; empty when none was given.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        reason: Phrase,
        /// The invitation that the participant joined by; `null` when there was none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<u32>,
    },
    /// A participant left. Its messages stay in the log.
    ParticipantLeft {
        /// The participant.
        participant: ParticipantId,
        /// The actor who removed the participant.
        by: Actor,
        /// The reason; empty when none was given.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        reason: Phrase,
        /// Whether the participant left the queue of the round with this event. Only in logs before version 5;
        /// later ones say it in `queue_changed`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        leaves_queue: bool,
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
    /// The presence of a participant changed.
    PresenceChanged {
        /// The participant.
        participant: ParticipantId,
        /// The new presence.
        presence: Presence,
        /// The actor who changed it.
        by: Actor,
        /// Whether the participant left the queue of the round with this event. Only in logs before version 5;
        /// later ones say it in `queue_changed`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        leaves_queue: bool,
    },
    /// A participant changed. Fields that are left out keep their value.
    ParticipantChanged {
        /// The participant.
        participant: ParticipantId,
        /// The skip list from now on; empty for none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skip_list: Option<Vec<String>>,
        /// The actor who changed it.
        by: Actor,
    },
    /// A person joined the table. Messages of the person are shown under this name.
    PersonJoined {
        /// The person, with the display name at this table, which is unique there.
        person: Person,
    },
    /// A person left the table. The person's messages stay in the log.
    PersonLeft {
        /// The person, with the display name at this table.
        person: Person,
        /// Who did it: the person, or whoever removed the person.
        by: Actor,
    },
    /// The meeting has a new host. If the host gives the floor, only this person can give it.
    HostChanged {
        /// The new host.
        host: Person,
        /// The actor who changed the host.
        by: Actor,
    },
    /// The meeting started.
    MeetingStarted {
        /// The actor who started it.
        by: Actor,
        /// The longest time between two events that counts as running time, in milliseconds. A longer time
        /// means that the clock was set or the machine slept. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silence_max_ms: Option<u64>,
    },
    /// The rules changed, with effect from the next turn.
    RulesChanged {
        /// All rules, as they are now.
        rules: Box<Rules>,
        /// The actor who changed the rules.
        by: Actor,
        /// The longest time between two events that counts as running time from now on, in milliseconds, as
        /// in `meeting_started`. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silence_max_ms: Option<u64>,
    },
    /// The topic of the meeting changed.
    TopicChanged {
        /// The new topic, 1-200 characters.
        topic: String,
        /// The actor who changed it.
        by: Actor,
    },
    /// What the meeting is called, or how its times are shown, changed.
    DetailsChanged {
        /// All of it, as it is now.
        details: MeetingDetails,
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
        /// The text, 1-2000 characters. The latest announcement replaces earlier ones.
        text: String,
        /// The actor who published it.
        by: Actor,
    },
    /// A file was attached to the meeting.
    FileAttached {
        /// The file.
        file: AttachedFile,
        /// The actor who attached it.
        by: Actor,
    },
    /// A file is no longer part of the meeting: from the next turn on, nobody reads it. Its content is deleted.
    FileRemoved {
        /// The file.
        file: FileId,
        /// The actor who removed it.
        by: Actor,
    },
    /// A password was set for the meeting, or removed.
    AccessChanged {
        /// Whether a password is needed. The password itself is not part of the log.
        locked: bool,
        /// The actor who changed it.
        by: Actor,
    },
    /// Preparation before a round started: questions to a person, assembling a team, or both.
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
        /// The questions; empty when no information is missing.
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
    /// A person decided on the proposed changes of the team.
    TeamReviewed {
        /// The round that follows.
        round: u32,
        /// The person.
        by: Actor,
        /// The decision, with its fields.
        #[serde(flatten)]
        decision: TeamDecision,
    },
    /// The participants of a round were evaluated. Participants never see the evaluation.
    EvaluationWritten {
        /// The round.
        round: u32,
        /// The author.
        by: Actor,
        /// The marks, one for each participant who had a turn.
        marks: Vec<EvaluationMark>,
    },
    /// A round started.
    RoundStarted {
        /// The number of the round; 0 is the blind round.
        round: u32,
        /// How the turns of the round run.
        kind: RoundKind,
        /// The speaking order, which mentions can change.
        order: Vec<ParticipantId>,
        /// Questions that the round should concentrate on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        focus: Vec<String>,
        /// The first message that speakers read in full from now on; absent when it does not change.
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
        /// The claims that the participant must answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reply_targets: Vec<ReplyTarget>,
    },
    /// A person asked a participant to speak next.
    SpeakerRequested {
        /// The participant.
        participant: ParticipantId,
        /// The person.
        by: Actor,
    },
    /// The queue of the current round changed: who waits for a turn, or in which order. When a participant
    /// takes its turn, its wait ends without this event.
    QueueChanged {
        /// The participants in the queue, the next speaker first.
        queue: Vec<QueuedTurn>,
        /// The reason.
        reason: QueueReason,
    },
    /// A call is about to be made, and a part of the budget is reserved for it.
    CallStarted {
        /// The task of the call.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The part of the budget that is reserved for the call.
        reserved: Reserve,
        /// The fallback model that answers instead, as `provider/model`; `null` when the own model is called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fallback: Option<String>,
        /// For an artifact: the last message that it will cover. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// A request of a call failed and is sent again: it was not carried out, or the provider did not accept
    /// its form.
    CallRetried {
        /// The task of the call.
        task: TaskId,
        /// The attempt that the request belongs to.
        attempt: u32,
        /// The number of the failed request within the attempt, counted from 1.
        request: u32,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// The time until the next request, in milliseconds.
        wait_ms: u64,
        /// The usage of the failed request.
        usage: Usage,
        /// The cost of the failed request in millionths of the currency; `null` when the price is not known.
        cost_micros: Option<u64>,
    },
    /// An agent reported what it reads or runs while it answers, or a person answered whether it may. The same
    /// action is reported again when more is known of it; the latest report holds. Tools of the meeting that cannot
    /// be used are reported like an action that failed.
    AgentAction {
        /// The participant; `null` for the facilitator.
        participant: Option<ParticipantId>,
        /// The task of the call.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The action.
        action: Action,
    },
    /// A call ended.
    CallEnded {
        /// The task of the call.
        task: TaskId,
        /// The attempt, counted from 1.
        attempt: u32,
        /// How the call ended.
        #[serde(flatten)]
        end: CallEnd,
        /// The token usage; the reserve when the usage is not known.
        usage: Usage,
        /// The cost in millionths of the currency; `null` when the price is not known.
        cost_micros: Option<u64>,
        /// The time from the request to the end of the call, in milliseconds.
        latency_ms: u64,
        /// The provider's id of the last request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        /// How the task is tried again; `null` when it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<FailureAction>,
        /// Repairs that were needed before the answer could be read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mended: Vec<AnswerRepair>,
        /// What the call showed about the model's context window: the window that the prompt exceeded, as the
        /// provider reported it, or how the provider counted the tokens of a small one. Later prompts for the
        /// same model are kept below it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<ContextWindowObservation>,
        /// What the call showed about whether its model is reachable; absent when it showed nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reach: Option<ModelReachability>,
        /// Whether the next attempt uses up the one repetition of the task, as after `then: again`: the call
        /// was lost, and it is unknown whether the work was done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        counts_as_repetition: bool,
        /// Whether the next attempt has only the rest of this attempt's time limit; otherwise it has the
        /// whole limit.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shares_time: bool,
        /// Whether the next attempt asks again to repair the answer that could not be read.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repair_open: bool,
    },
    /// An answer could not be read; the task is asked once more.
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
        /// The message, without a mark of what is missing: `cut_from_chars` and `ended_early` say it.
        message: Message,
        /// The participant's stance, when it stated one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stance: Option<Stance>,
        /// The mentioned participants.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// The mentioned people. A mention gives them a turn only if they have a seat.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentioned_people: Vec<Person>,
        /// The length of the message in characters before it was cut; `null` when it was not cut.
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
        /// The number of the round in progress.
        round: u32,
        /// The person, or the participant.
        by: Actor,
        /// The message.
        message: Message,
        /// The mentioned participants.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// The mentioned people. A mention gives them a turn only if they have a seat.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentioned_people: Vec<Person>,
        /// The message that this one replies to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<MessageId>,
    },
    /// Participants may call tools of these sources.
    ToolsAllowed {
        /// The sources.
        tools: Vec<AllowedTools>,
        /// The actor who allowed them.
        by: Actor,
    },
    /// A participant called a tool in its turn. The turn goes on when the result is there.
    ToolCalled {
        /// The id of the call.
        call: ToolCallId,
        /// The turn.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// Which answer of the turn made the call, counted from 1. One answer may make several calls.
        step: u32,
        /// The name of the tool, which begins with the name of its source: `repo__read_file`.
        tool: String,
        /// The arguments as the model wrote them: JSON, unless it wrote something else.
        arguments: String,
        /// Whether the tool can change something, so that a person has to allow the call.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        effects: bool,
        /// The longest result that there is room for, in characters.
        max_chars: u32,
        /// With the first call of an answer, what was said before the calls; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        /// With the first call of an answer, what the vendor wants back with the results; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        continuation: String,
    },
    /// A person answered whether a tool with effects may be called.
    ToolReviewed {
        /// The call.
        call: ToolCallId,
        /// The answer.
        decision: ToolDecision,
        /// The person.
        by: Actor,
    },
    /// A tool returned a result, or none.
    ToolReturned {
        /// The call.
        call: ToolCallId,
        /// The turn.
        turn: TurnId,
        /// The participant who called.
        participant: ParticipantId,
        /// How the call ended.
        #[serde(flatten)]
        outcome: ToolOutcome,
        /// The time from the start of the tool to its end, in milliseconds.
        latency_ms: u64,
    },
    /// A participant skipped its turn.
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
        /// The complete private memory after the update.
        memory: PrivateMemory,
    },
    /// A turn failed; the meeting continues.
    TurnFailed {
        /// The turn.
        turn: TurnId,
        /// The participant.
        participant: ParticipantId,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do to resolve it; may be empty.
        hint: Phrase,
    },
    /// A round ended: all of its turns have ended.
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
        /// The text of the summary, at most as long as the rules allow.
        text: String,
        /// All positions and their holders.
        positions: Vec<SummaryPosition>,
        /// The participants whose position the facilitator left out twice and the rules restored.
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
        /// The number of open questions.
        open_questions_count: u32,
        /// The number of remaining disagreements.
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
        /// The complete text of the draft.
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
        /// The version of the draft that the ballot is about.
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
        /// The objection of a vote that does not pass; `null` for one that does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        objection: Option<Claim>,
    },
    /// A participant did not vote, by choice or because its vote failed. An abstention never counts as a
    /// pass.
    VoteAbstained {
        /// The ballot.
        ballot: BallotId,
        /// The participant.
        participant: ParticipantId,
        /// Whether the participant abstained, or its vote failed.
        kind: AbstentionKind,
        /// A one-line description for people.
        detail: Phrase,
        /// The kind of failure, when the vote failed. Absent in older logs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<FailureKind>,
        /// How to resolve it, when the vote failed.
        #[serde(default, skip_serializing_if = "Phrase::is_empty")]
        hint: Phrase,
    },
    /// A steering message interrupted the ballot; its votes do not count.
    BallotInterrupted {
        /// The ballot.
        ballot: BallotId,
        /// The steering message that interrupted it.
        by: MessageId,
    },
    /// A ballot was counted.
    BallotClosed {
        /// The ballot.
        ballot: BallotId,
        /// The result of each clause: the required and the actual value.
        verdict: Verdict,
    },
    /// The facilitator explained why a ballot failed, proposed the smallest change that could resolve it, and
    /// named the questions for the next round.
    FacilitationWritten {
        /// The ballot.
        ballot: BallotId,
        /// The id of the message with the same content.
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
    /// A pause was requested. The current speaker finishes first.
    PauseRequested {
        /// The actor who requested it.
        by: Actor,
        /// How far the meeting continues before it pauses; `null` until the current turn ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Stride>,
        /// With `after`: how many strides of this length were complete; the pause begins when one more is.
        /// Absent in logs before version 5.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        completed: Option<u32>,
    },
    /// The meeting paused.
    Pause {
        /// The reason.
        pause_reason: PauseReason,
        /// The resume token: it names this pause. A resume command that carries it ends this pause and no other. It grants no
        /// permission.
        resume_token: String,
        /// Questions for a person.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
        /// The suggested next step; absent when the log of another program names none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "openapi", schema(value_type = SuggestedStep))]
        suggested_next: String,
        /// Who requested the pause; `null` when nobody did.
        by: Actor,
        /// The budget that was reached, for a pause because of a budget. Absent in logs before version 4.
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
        /// The keys of the questions that took their default.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        defaults: Vec<String>,
        /// The consequence of the failure. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<Resumption>,
    },
    /// Minutes were requested.
    MinutesRequested {
        /// The version that they will be.
        version: u32,
        /// The participant who writes them; `null` for the facilitator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        writer: Option<ParticipantId>,
        /// An instruction for the writer; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
        /// The actor who requested them.
        by: Actor,
        /// The last message that the minutes will cover. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// The minutes have a new version.
    MinutesWritten {
        /// The version of the minutes, counted from 1.
        version: u32,
        /// The author.
        author: Actor,
        /// The last message that the minutes cover; participants read the messages after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
        /// The minutes.
        minutes: Minutes,
    },
    /// An artifact was requested before the end.
    ArtifactRequested {
        /// The kind of artifact.
        artifact_type: ArtifactKind,
        /// The version that it will be.
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
        /// The content; its schema depends on the kind.
        content: serde_json::Value,
        /// The author.
        author: Actor,
        /// The last message that it covers. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
    },
    /// The meeting was interrupted: another process took it over, and calls in progress were lost; or the
    /// clock was set, or the machine slept.
    Recovered {
        /// By how much the clock was set forward or how long the machine slept, in milliseconds; the calls
        /// are still in progress. `null` when another process took over the meeting.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idle_ms: Option<u64>,
    },
    /// The next call does not fit into the rest of a budget.
    BudgetReached {
        /// The budget.
        budget: BudgetKind,
        /// The limit.
        limit: u64,
        /// What was spent.
        spent: u64,
        /// What the next call would have needed; 0 when unknown.
        needed: u64,
    },
    /// The meeting started to wait, because no provider is reachable. Failed calls are kept, and one of them
    /// is tried again at intervals.
    ProviderWaitStarted {
        /// The unreachable providers or models: `ollama`, `openai/gpt-5`.
        waiting_for: Vec<String>,
        /// The kind of the last failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do to resolve it; may be empty.
        hint: Phrase,
        /// The number of attempts so far.
        tries: u32,
        /// The time of the next attempt.
        next_try_at: Timestamp,
        /// The time until which the meeting waits before it pauses.
        gives_up_at: Timestamp,
    },
    /// The meeting stopped waiting for its providers.
    ProviderWaitEnded {
        /// The reason.
        reason: ProviderWaitEndReason,
    },
    /// A task of the meeting failed; the meeting continues.
    Error {
        /// The task that failed.
        task: TaskId,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do to resolve it; may be empty.
        hint: Phrase,
        /// The consequence of the failure. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<TaskFailureConsequence>,
    },
    /// A person ended the meeting. Calls in progress are cancelled.
    EndRequested {
        /// The actor who ended the meeting.
        by: Actor,
        /// The reason in the person's words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// The discussion ended; the conclusion is being written.
    MeetingClosing {
        /// The outcome that the meeting will end with.
        #[serde(flatten)]
        outcome: MeetingOutcome,
        /// Failed tasks that are asked again. Absent in logs before version 4.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked_again: Option<Vec<TaskId>>,
    },
    /// The conclusion was written.
    ConclusionWritten {
        /// The author. For an accepted draft, the author of the draft.
        by: Actor,
        /// The conclusion in Markdown. After a passed ballot, the draft that was voted on, word for word.
        conclusion: String,
        /// The facilitator's explanation of how an accepted draft came about. It was not voted on.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reasons: String,
        /// Remaining disagreements and who holds which side.
        disagreements: Vec<Disagreement>,
        /// Action items.
        actions: Vec<ActionItem>,
        /// The best ideas, best first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        best: Vec<IdeaPick>,
        /// An unusual idea that may be worth more than it seems.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wildcard: Option<IdeaPick>,
    },
    /// The meeting ended. Always the last event.
    Finished {
        /// The outcome.
        #[serde(flatten)]
        outcome: MeetingOutcome,
        /// The number of discussion rounds that took place.
        rounds: u32,
        /// The usage of all calls.
        usage: Usage,
        /// The cost of all calls in millionths of the currency; `null` when a price is not known.
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
