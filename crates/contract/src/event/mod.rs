//! The events of a meeting: the public, stable contract.
//!
//! What is stored, streamed and replayed is this one shape, and each line says in which version of it it was written
//! (`version.rs`). The store reads lines of older versions as the present one would have written them. Names that
//! requirement 001 gives are kept.

mod kind;
mod parts;
mod pause;
mod people;
mod records;
mod version;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::ids::{
    ArtifactKind, ArtifactVersion, BallotId, MeetingId, MessageId, ParticipantId, RunId, TaskId, Timestamp,
    TurnId,
};
use crate::language::Language;
use crate::outcome::{FailureKind, StopReason, Usage};
use crate::participant::{Facilitator, Participant};
use crate::rules::{Format, Rules};
use crate::verdict::Verdict;

pub use parts::*;
pub use pause::*;
pub use people::*;
pub use records::*;
pub use version::{CONTRACT_VERSION, ContractVersion, UnreadableEvent};

/// One event, with where and when it became one.
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
    /// When, in milliseconds since 1970 UTC.
    #[serde(with = "crate::timestamp::milliseconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub ts_ms: Timestamp,
    /// Who.
    pub actor: Actor,
    /// The command or task that led to it: `say`, `speak:r1t2#1`.
    pub cause: String,
    /// What.
    #[serde(flatten)]
    pub body: EventBody,
}

impl Event {
    /// The event as one line of JSON, the same bytes each time.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has only text keys and finite numbers")
    }
    /// Reads a line written by [`to_json`](Self::to_json) in this version of the contract. Lines of older versions are
    /// read by the store, which brings them up to date.
    ///
    /// # Errors
    /// When it is no event, or one of another version, which the error names.
    pub fn from_json(line: &str) -> Result<Self, UnreadableEvent> {
        serde_json::from_str(line).map_err(|error| UnreadableEvent::of(line, &error))
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", content = "payload", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum EventBody {
    /// A meeting exists, as a draft.
    MeetingCreated {
        /// The question on the table, 1-200 characters.
        topic: String,
        /// What one has to know to answer it; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        background: String,
        /// Its language.
        language: Language,
        /// The preset that its rules began with.
        format: Format,
        /// The rules that hold.
        rules: Box<Rules>,
        /// From which random orders and ties are drawn.
        seed: u64,
        /// Who sums up and facilitates; nobody when `None`.
        facilitator: Option<Facilitator>,
        /// Who leads it.
        #[serde(default)]
        moderator: Moderator,
        /// The models that a team can be given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        models: Vec<ModelOffer>,
        /// Who created it.
        by: Actor,
    },
    /// The meeting was held elsewhere and read from files; what follows tells it again, with the
    /// times that stand there.
    MeetingImported {
        /// How the files were laid out.
        layout: LayoutKind,
        /// Its id there.
        from: String,
        /// Its name there, when it had one beside its topic.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// What the files did not hold, or what was not taken over, for people.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
        /// Who imported it.
        by: Actor,
    },
    /// A new meeting was made from the beginning of another; the events before this one are its.
    MeetingForked {
        /// The other meeting.
        from: MeetingId,
        /// The last event that was taken over.
        at: u64,
        /// Who forked it.
        by: Actor,
        /// What it is called.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// What the new meeting begins with. Forks of older versions do not say it: they declared the calls
        /// under way lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<Carried>,
    },
    /// Somebody took a place.
    ParticipantJoined {
        /// Who.
        participant: Participant,
        /// Who asked for it.
        by: Actor,
        /// Why, when a reason was given.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
        /// The invitation that led to it, when there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<u32>,
    },
    /// Somebody left; its words stay.
    ParticipantLeft {
        /// Who.
        participant: ParticipantId,
        /// Who asked for it.
        by: Actor,
        /// Why, when a reason was given.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// Somebody is wanted at the table who was described in a sentence; the facilitator fills in
    /// the rest.
    ParticipantInvited {
        /// Counted from 1.
        invitation: u32,
        /// The sentence.
        description: String,
        /// Who asked for it.
        by: Actor,
    },
    /// Whether a participant can be asked has changed.
    PresenceChanged {
        /// Who.
        participant: ParticipantId,
        /// How it is now.
        presence: Presence,
        /// Who says so.
        by: Actor,
    },
    /// The meeting began.
    MeetingStarted {
        /// Who started it.
        by: Actor,
    },
    /// The rules changed; they hold from the next turn on.
    RulesChanged {
        /// All of them, as they are now.
        rules: Box<Rules>,
        /// Who changed them.
        by: Actor,
    },
    /// The question on the table changed.
    TopicChanged {
        /// As it is now, 1-200 characters.
        topic: String,
        /// Who changed it.
        by: Actor,
    },
    /// The agenda changed.
    AgendaChanged {
        /// How.
        #[serde(flatten)]
        change: AgendaChange,
        /// Who changed it: a person, or the moderator's name.
        by: Actor,
    },
    /// There is something that everybody is to know (requirement 002).
    AnnouncementPublished {
        /// 1-2000 characters; the last one holds.
        text: String,
        /// Who published it.
        by: Actor,
    },
    /// A password is needed to open the meeting from now on, or no longer.
    AccessChanged {
        /// Whether it is needed. The password itself is kept elsewhere.
        locked: bool,
        /// Who changed it.
        by: Actor,
    },
    /// Something is to be done before a round begins: questions to a person, a team, or both.
    PreparationStarted {
        /// The round.
        round: u32,
    },
    /// What a person is to be asked before the round.
    IntakeWritten {
        /// Before which round.
        round: u32,
        /// Who wrote it.
        by: Actor,
        /// None when nothing is missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
    },
    /// Who is to come and go before the round.
    TeamProposed {
        /// Before which round.
        round: u32,
        /// Who proposed the newcomers.
        by: Actor,
        /// Who is to come.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<Candidate>,
        /// Who is to leave.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        departures: Vec<Departure>,
    },
    /// How everybody did in a round; hidden from the table.
    EvaluationWritten {
        /// Which round.
        round: u32,
        /// Who wrote it.
        by: Actor,
        /// One for each who had a turn.
        marks: Vec<Mark>,
    },
    /// A round began.
    RoundStarted {
        /// 0 is the blind one.
        round: u32,
        /// How its turns run.
        kind: RoundKind,
        /// Who speaks, in this order unless mentions change it.
        order: Vec<ParticipantId>,
        /// What it is to look at.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        focus: Vec<String>,
    },
    /// Somebody was given the floor.
    SpeakerSelected {
        /// The turn.
        turn: TurnId,
        /// Who.
        participant: ParticipantId,
        /// Why.
        #[serde(flatten)]
        reason: TurnReason,
        /// Whether it may pass.
        can_skip: bool,
        /// The points it is to answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reply_targets: Vec<ReplyTarget>,
    },
    /// The user asked for somebody to speak next.
    SpeakerRequested {
        /// Who.
        participant: ParticipantId,
        /// Who asked.
        by: Actor,
    },
    /// A call is about to be made, and this much of the budget is held back for it.
    CallStarted {
        /// What for.
        task: TaskId,
        /// Counted from 1.
        attempt: u32,
        /// What is held back.
        reserved: Reserve,
        /// The model that answers in place of the one that could not, as `provider/model`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fallback: Option<String>,
    },
    /// A request within a call brought no answer and is sent again: nothing was done, or it was not
    /// worded as the provider takes it.
    CallRetried {
        /// What for.
        task: TaskId,
        /// Which attempt it belongs to.
        attempt: u32,
        /// Which request of the attempt failed, counted from 1.
        request: u32,
        /// What kind of trouble it was.
        kind: FailureKind,
        /// One line for people.
        detail: String,
        /// How long until the next request.
        wait_ms: u64,
        /// What it used all the same.
        usage: Usage,
        /// What it cost in millionths; `None` when the price is not known.
        cost_micros: Option<u64>,
    },
    /// A call is over.
    CallEnded {
        /// What for.
        task: TaskId,
        /// Counted from 1.
        attempt: u32,
        /// How.
        #[serde(flatten)]
        end: CallEnd,
        /// What it used; the reserve when that is not known.
        usage: Usage,
        /// What it cost in millionths; `None` when the price is not known.
        cost_micros: Option<u64>,
        /// From the request to the end.
        latency_ms: u64,
        /// The provider's own name for the last request (003 §8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        /// In which way the task is tried once more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<FailureAction>,
        /// What was mended in the answer before it could be read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mended: Vec<Mend>,
        /// The context window that the prompt did not fit, as the server named it, or how the server counted
        /// what it read within a small one; later prompts for the same model are kept below it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<WindowMet>,
    },
    /// An answer could not be read; it is asked for once more.
    AnswerMalformed {
        /// Of which task.
        task: TaskId,
        /// Which attempt.
        attempt: u32,
        /// What was wrong with it.
        problem: String,
        /// How it began.
        excerpt: String,
    },
    /// A participant spoke.
    AgentMessage {
        /// The message.
        message_id: MessageId,
        /// The round.
        round: u32,
        /// The turn that it ended.
        turn: TurnId,
        /// Who.
        participant: ParticipantId,
        /// The words.
        message: Message,
        /// Where it stands now, when it said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stance: Option<Stance>,
        /// Whom it mentioned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// How many characters the message had before it was cut, if it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut_from_chars: Option<u32>,
        /// What the model thought on the way, shortened; never shown to any participant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
        /// Why the words end before their end: the most tokens of an answer were reached, or the provider
        /// withheld the rest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ended_early: Option<StopReason>,
    },
    /// A person spoke.
    UserMessage {
        /// The message.
        message_id: MessageId,
        /// The round that was running.
        round: u32,
        /// Who.
        by: Actor,
        /// The words.
        message: Message,
        /// Whom it mentioned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mentions: Vec<ParticipantId>,
        /// What it answers, when it answers something in particular.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<MessageId>,
    },
    /// A participant let its turn go by.
    TurnSkipped {
        /// The turn.
        turn: TurnId,
        /// Who.
        participant: ParticipantId,
        /// Why.
        #[serde(default)]
        reason: SkipReason,
    },
    /// A participant brought its own notes up to date; nobody else reads them.
    MemoryWritten {
        /// Whose.
        participant: ParticipantId,
        /// All of them, as they are now.
        memory: PrivateMemory,
    },
    /// A turn brought nothing; the meeting goes on.
    TurnFailed {
        /// The turn.
        turn: TurnId,
        /// Who.
        participant: ParticipantId,
        /// What kind of trouble.
        kind: FailureKind,
        /// One line for people.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// Everybody had a chance.
    RoundEnded {
        /// Which round.
        round: u32,
    },
    /// What a round added.
    SummaryWritten {
        /// Which round.
        round: u32,
        /// Who wrote it.
        by: Actor,
        /// At most as long as the rules allow.
        text: String,
        /// Every position that is held, with who holds it.
        positions: Vec<Position>,
        /// Those whose position the facilitator left out twice and the rules put back.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        restored: Vec<ParticipantId>,
        /// What is still open.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        open_questions: Vec<String>,
        /// Where the table is still divided.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        disagreements: Vec<String>,
    },
    /// How far the table has come together (requirement 001 §G).
    Metric {
        /// After which round.
        round: u32,
        /// Questions that are still open.
        open_questions_count: u32,
        /// Disagreements that are left.
        disagreements_count: u32,
        /// 0 (nobody agrees) to 100 (nothing is left to talk about).
        convergence_score: u8,
        /// For how many rounds in a row nobody has changed its recommendation.
        stable_rounds: u32,
    },
    /// The draft on the table has a new version.
    DraftRevised {
        /// Counted from 1.
        version: u32,
        /// The whole draft.
        text: String,
        /// Who wrote it.
        by: Actor,
    },
    /// The table votes.
    BallotOpened {
        /// The ballot.
        ballot: BallotId,
        /// After which round.
        round: u32,
        /// On which version of the draft.
        draft_version: u32,
        /// Who is asked.
        voters: Vec<ParticipantId>,
    },
    /// A vote.
    VoteCast {
        /// In which ballot.
        ballot: BallotId,
        /// Whose.
        participant: ParticipantId,
        /// The vote.
        vote: Vote,
        /// The objection that it raises, when it does not pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        objection: Option<Claim>,
    },
    /// Somebody did not vote, by choice or because its vote failed; that is never assent.
    VoteAbstained {
        /// In which ballot.
        ballot: BallotId,
        /// Who.
        participant: ParticipantId,
        /// Whether it abstained, or its vote failed.
        kind: AbstentionKind,
        /// One line for people.
        detail: String,
        /// What kind of trouble, when its vote failed. Older logs do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<FailureKind>,
        /// What to do about it, when its vote failed.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        hint: String,
    },
    /// A steering message ended the ballot; its votes do not count.
    BallotInterrupted {
        /// Which.
        ballot: BallotId,
        /// The message.
        by: MessageId,
    },
    /// The votes are counted.
    BallotClosed {
        /// Which.
        ballot: BallotId,
        /// Each clause, what it needed and what it got.
        verdict: Verdict,
    },
    /// Why a ballot failed, the smallest change that could mend it, and what to talk about next.
    FacilitationWritten {
        /// The ballot.
        ballot: BallotId,
        /// It is a message of the stream, too.
        message_id: MessageId,
        /// The words.
        message: Message,
        /// 1-3.
        disagreements: Vec<String>,
        /// The smallest change to the draft.
        proposed_patch: String,
        /// 1-2 questions.
        next_focus: Vec<String>,
    },
    /// Somebody asked for a pause; who has the floor may finish.
    PauseRequested {
        /// Who.
        by: Actor,
        /// How far it is to go on before; `None`: until whoever has the floor is done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Stride>,
    },
    /// The meeting rests.
    Pause {
        /// Why.
        pause_reason: PauseReason,
        /// What has to be brought along to go on.
        resume_token: String,
        /// What it asks of a person.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question>,
        /// What would help, in a word for programs.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        suggested_next: String,
        /// Who, when somebody asked for it.
        by: Actor,
    },
    /// The meeting goes on.
    Resume {
        /// Who.
        by: Actor,
        /// Answers to the pause's questions, those included that nobody gave and that took their
        /// default.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        answers: BTreeMap<String, serde_json::Value>,
        /// The keys of those that took their default.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        defaults: Vec<String>,
    },
    /// Somebody asked for minutes.
    MinutesRequested {
        /// Which version they will be.
        version: u32,
        /// Who is to write them; the facilitator when `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        writer: Option<ParticipantId>,
        /// What they are to look at; may be empty.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
        /// Who asked.
        by: Actor,
    },
    /// The minutes have a new version.
    MinutesWritten {
        /// Counted from 1.
        version: u32,
        /// Who wrote it.
        author: Actor,
        /// The last message that it covers; readers go on from there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covers: Option<MessageId>,
        /// The minutes.
        minutes: Minutes,
    },
    /// Somebody asked for an artifact before the end.
    ArtifactRequested {
        /// Which.
        artifact_type: ArtifactKind,
        /// Which version it will be.
        version: ArtifactVersion,
        /// Who asked.
        by: Actor,
    },
    /// An artifact passed the gate.
    ArtifactWritten {
        /// Which.
        artifact_type: ArtifactKind,
        /// Counted from 1, `v1`.
        version: ArtifactVersion,
        /// By the schema of its kind.
        content: serde_json::Value,
        /// Who wrote it.
        author: Actor,
    },
    /// The meeting was interrupted: another process took it up, and calls under way before are lost. Or the
    /// clock was set, or the machine slept.
    Recovered {
        /// How much of the time since the last event the clock was set forward or the machine slept, in
        /// milliseconds; calls are still under way. Not there when another process took the meeting up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idle_ms: Option<u64>,
    },
    /// A call does not fit into what is left of a budget.
    BudgetReached {
        /// Which.
        budget: BudgetKind,
        /// The limit.
        limit: u64,
        /// What has been spent.
        spent: u64,
        /// What the next call needed, or 0.
        needed: u64,
    },
    /// Nobody who could go on can be reached. The calls that failed are held, and one of them is made again then.
    ProviderWaitStarted {
        /// Who cannot be reached: providers, or models of theirs, `ollama`, `openai/gpt-5`.
        waiting_for: Vec<String>,
        /// How the last call failed.
        kind: FailureKind,
        /// One line for people.
        detail: String,
        /// What to do about it.
        hint: String,
        /// How often it has been tried by now.
        tries: u32,
        /// When it is tried again.
        next_try_at: Timestamp,
        /// Until when the meeting waits before it rests.
        gives_up_at: Timestamp,
    },
    /// The meeting waits for its providers no longer.
    ProviderWaitEnded {
        /// Why.
        reason: WaitEnd,
    },
    /// Something of the meeting's own went wrong; it goes on.
    Error {
        /// At what.
        task: TaskId,
        /// What kind of trouble.
        kind: FailureKind,
        /// One line for people.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// The user ended the meeting; what is under way is cancelled.
    EndRequested {
        /// Who.
        by: Actor,
        /// Why, in their words; may be empty.
        #[serde(default)]
        note: String,
    },
    /// Nothing more is discussed; what is left is the conclusion.
    MeetingClosing {
        /// How it will end.
        #[serde(flatten)]
        outcome: MeetingOutcome,
    },
    /// The conclusion.
    ConclusionWritten {
        /// Who wrote it: of an accepted draft, who wrote that draft.
        by: Actor,
        /// In Markdown. When a ballot was passed, the draft that was voted on, word for word.
        conclusion: String,
        /// What the facilitator writes beside a draft that was accepted: how it came about, and why. Nobody voted
        /// on it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reasons: String,
        /// What is left open between whom.
        disagreements: Vec<Disagreement>,
        /// What is to be done.
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
        /// How it ended.
        #[serde(flatten)]
        outcome: MeetingOutcome,
        /// Discussion rounds that took place.
        rounds: u32,
        /// What all calls used.
        usage: Usage,
        /// What they cost in millionths; `None` when a price is not known.
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
