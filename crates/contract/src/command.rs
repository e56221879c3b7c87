//! The commands of a meeting.

use std::collections::BTreeMap;

use crate::actor::{Actor, Person};
use crate::details::MeetingDetails;
use crate::event::{
    Action, ActionItem, AnswerRepair, Candidate, Disagreement, EvaluationMark, IdeaPick, Minutes, ModelOffer,
    Presence, PrivateMemory, Question, Stride, SummaryPosition, Vote,
};
use crate::file::NewFile;
use crate::ids::{
    AgendaId, ArtifactKind, ArtifactVersion, BallotId, ClaimId, FileId, MeetingId, MessageId, ParticipantId,
    TaskId, ToolCallId, TurnId,
};
use crate::outcome::{ContextWindow, FailureKind, Retry, StopReason, Usage};
use crate::participant::{Facilitator, Newcomer};
use crate::phrase::Phrase;
use crate::rules::{Format, LimitChanges, Rules};
use crate::tool::{ToolGrant, ToolOutcome, ToolRequests};
use crate::web::WebFindings;
use quorate_messages::Language;

/// All that a new meeting begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct MeetingSpec {
    /// The question, 1-200 characters.
    pub topic: String,
    /// What a reader has to know to answer the question, at most 20,000 characters; may be empty.
    pub background: String,
    /// What the meeting is called, and how its times are shown.
    pub details: MeetingDetails,
    /// The language of the meeting.
    pub language: Language,
    /// The preset that the rules began with.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// From which random orders and ties are drawn.
    pub seed: u64,
    /// The model that writes summaries and facilitates; `None` for a meeting without one.
    pub facilitator: Option<Facilitator>,
    /// The moderator: a participant's name, or the person who asks when `None`.
    pub moderator: Option<String>,
    /// The agenda, in order: title (1-200 characters) and description (up to 2000).
    pub agenda: Vec<(String, String)>,
    /// The models that a team can be given, when the rules assemble one.
    pub models: Vec<ModelOffer>,
    /// The sources of tools that participants may call.
    pub tools: Vec<ToolGrant>,
    /// The participants, at least one unless the rules assemble a team.
    pub participants: Vec<Newcomer>,
}

/// A command. `by` is who commands it.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Let there be a meeting.
    Create {
        /// The actor of the command.
        by: Actor,
        /// The specification of the new meeting.
        spec: Box<MeetingSpec>,
    },
    /// Continues from the prefix of another meeting's log, which this one now holds.
    Fork {
        /// The actor of the command.
        by: Actor,
        /// The meeting that is forked.
        from: MeetingId,
        /// The title of the fork; when empty, the topic with a mark.
        title: String,
        /// Which limits are to be otherwise from here on.
        limits: LimitChanges,
        /// Whether the fork allows no tools, because what they reach is not the actor's.
        without_tools: bool,
    },
    /// Starts the meeting.
    Start {
        /// The actor of the command.
        by: Actor,
    },
    /// A person sends a message.
    Say {
        /// The person.
        by: Actor,
        /// The message, 1-10,000 characters.
        content: String,
    },
    /// A person answers something that was said.
    Reply {
        /// The person.
        by: Actor,
        /// The message that is answered.
        to: MessageId,
        /// The reply, 1-10,000 characters.
        content: String,
    },
    /// Asks for a participant to speak next.
    RequestSpeaker {
        /// The actor of the command.
        by: Actor,
        /// A participant's name or id.
        participant: String,
    },
    /// Adds a participant.
    Join {
        /// The actor of the command.
        by: Actor,
        /// The participant to add.
        newcomer: Box<Newcomer>,
    },
    /// Removes a participant. Its messages stay in the log.
    Leave {
        /// The actor of the command.
        by: Actor,
        /// A participant's name or id.
        participant: String,
    },
    /// Invites a participant that is described in a sentence.
    Invite {
        /// The actor of the command.
        by: Actor,
        /// The sentence, 1-2000 characters.
        description: String,
    },
    /// Changes whether a participant can be asked.
    SetPresence {
        /// The actor of the command.
        by: Actor,
        /// A participant's name or id.
        participant: String,
        /// The new presence.
        presence: Presence,
    },
    /// Changes a participant at the table; what is not given stays.
    ChangeParticipant {
        /// The actor of the command.
        by: Actor,
        /// A participant's name or id.
        participant: String,
        /// The new presence.
        presence: Option<Presence>,
        /// The new skip list, as in [`Newcomer::skip_list`](crate::Newcomer::skip_list); empty for none.
        skip_list: Option<Vec<String>>,
    },
    /// A person comes to the table.
    Arrive {
        /// The person.
        by: Actor,
    },
    /// A person leaves the table, or is sent away. A guest gives up their seat with it.
    Depart {
        /// The actor of the command.
        by: Actor,
        /// The id of the person who leaves.
        person: String,
    },
    /// Hands the host's part over to a person at the table.
    HandOver {
        /// The actor of the command: the host, unless they are absent.
        by: Actor,
        /// The id of the new host.
        to: String,
        /// Whether the actor may manage the meeting, and so appoint a host in the place of one who is absent.
        manages: bool,
    },
    /// Let other rules hold from the next turn on.
    ChangeRules {
        /// The actor of the command.
        by: Actor,
        /// The complete new rules.
        rules: Box<Rules>,
    },
    /// Let the question be another.
    ChangeTopic {
        /// The actor of the command.
        by: Actor,
        /// The new topic, 1-200 characters.
        topic: String,
    },
    /// Put something on the agenda.
    AddAgendaItem {
        /// The actor of the command.
        by: Actor,
        /// The new title, 1-200 characters.
        title: String,
        /// At most 2000 characters; may be empty.
        description: String,
    },
    /// An item of the agenda is done, or is not after all.
    CompleteAgendaItem {
        /// The actor of the command.
        by: Actor,
        /// Its id or title.
        item: String,
        /// Whether the item is done.
        completed: bool,
    },
    /// Take something off the agenda.
    RemoveAgendaItem {
        /// The actor of the command.
        by: Actor,
        /// Its id or title.
        item: String,
    },
    /// Publishes an announcement to all participants.
    Announce {
        /// The actor of the command.
        by: Actor,
        /// The text, 1-2000 characters.
        text: String,
    },
    /// Let a password be needed, or no longer.
    SetAccess {
        /// The actor of the command.
        by: Actor,
        /// Whether a password is needed.
        locked: bool,
    },
    /// Several of these at once: all of them are done, or none is. What is `None` stays as it is.
    ChangeMeeting {
        /// The actor of the command.
        by: Actor,
        /// A new topic, 1-200 characters.
        topic: Option<String>,
        /// New details, all of them.
        details: Option<MeetingDetails>,
        /// New rules.
        rules: Option<Box<Rules>>,
        /// A new announcement, 1-2000 characters.
        announcement: Option<String>,
        /// Whether a password is needed.
        locked: Option<bool>,
    },
    /// Requests minutes, or an update of them.
    WriteMinutes {
        /// The actor of the command.
        by: Actor,
        /// A participant's name or id; the facilitator when `None`.
        writer: Option<String>,
        /// What the writer should pay attention to; may be empty.
        note: String,
    },
    /// Replaces the minutes with a person's edited version.
    EditMinutes {
        /// The person.
        by: Actor,
        /// The version that was edited; refused when there is a newer one by now.
        based_on: Option<u32>,
        /// The complete minutes.
        minutes: Box<Minutes>,
    },
    /// Let an artifact be written before the end.
    WriteArtifact {
        /// The actor of the command.
        by: Actor,
        /// The kind of artifact.
        kind: ArtifactKind,
    },
    /// Pauses the meeting, after the current turn or at once.
    Pause {
        /// The actor of the command.
        by: Actor,
        /// Whether calls in flight are cancelled; they are made again after the pause.
        at_once: bool,
    },
    /// Resumes a paused meeting.
    Resume {
        /// The actor of the command.
        by: Actor,
        /// The token of the pause; `None` takes the present one.
        token: Option<String>,
        /// Answers to the pause's questions.
        answers: BTreeMap<String, serde_json::Value>,
        /// Whether unanswered questions take their default instead of being asked again.
        take_defaults: bool,
    },
    /// Starts or resumes the meeting, and pauses it again after a stride.
    Advance {
        /// The actor of the command.
        by: Actor,
        /// How far the meeting runs; to the end when `None`.
        until: Option<Stride>,
        /// The token of the pause; `None` takes the present one.
        token: Option<String>,
        /// Answers to the pause's questions.
        answers: BTreeMap<String, serde_json::Value>,
        /// Whether unanswered questions take their default instead of being asked again.
        take_defaults: bool,
    },
    /// End with the best available conclusion.
    End {
        /// The actor of the command.
        by: Actor,
        /// The reason; may be empty.
        note: String,
    },
    /// Attaches a file, whose content is stored already. The same name with the same content is attached once.
    AttachFile {
        /// The actor of the command.
        by: Actor,
        /// The file.
        file: Box<NewFile>,
    },
    /// Removes a file.
    RemoveFile {
        /// The actor of the command.
        by: Actor,
        /// The file.
        file: FileId,
    },
    /// Delivers the result of a call.
    Deliver(Box<Delivery>),
    /// A tool returned a result, or none.
    ReturnTool {
        /// The turn in which it was called.
        turn: TurnId,
        /// The call.
        call: ToolCallId,
        /// How it ended.
        outcome: ToolOutcome,
        /// The time from the start of the tool to its end, in milliseconds.
        latency_ms: u64,
    },
    /// A request within a call is sent again.
    NoteRetry {
        /// The task of the call.
        task: TaskId,
        /// The attempt at the task.
        attempt: u32,
        /// The request that failed.
        retry: Box<Retry>,
    },
    /// An agent reports what it reads or runs within a call.
    NoteAction {
        /// The task of the call.
        task: TaskId,
        /// The attempt at the task.
        attempt: u32,
        /// The action.
        action: Box<Action>,
    },
    /// A person answers whether an agent may do what it asks for.
    PermitAction {
        /// The person.
        by: Person,
        /// The task of the call.
        task: TaskId,
        /// The attempt at the task.
        attempt: u32,
        /// The number of the action within the call.
        number: u32,
        /// Whether it may.
        allowed: bool,
    },
    /// The clock was set forward, or the machine slept, since the last event.
    NoteIdle {
        /// How long the process was idle, in milliseconds.
        idle_ms: u64,
    },
    /// Tells the meeting that time has passed, so that deadlines can take effect.
    Tick,
}

impl Command {
    /// The event's `cause`.
    pub fn cause(&self) -> String {
        match self {
            Self::Create { .. } => "create".into(),
            Self::Fork { .. } => "fork".into(),
            Self::NoteIdle { .. } => "recover".into(),
            Self::Start { .. } => "start".into(),
            Self::Say { .. } => "say".into(),
            Self::Reply { .. } => "reply".into(),
            Self::RequestSpeaker { .. } => "request_speaker".into(),
            Self::Join { .. } => "join".into(),
            Self::Leave { .. } => "leave".into(),
            Self::Invite { .. } => "invite".into(),
            Self::SetPresence { .. } => "set_presence".into(),
            Self::ChangeParticipant { .. } => "change_participant".into(),
            Self::Arrive { .. } => "arrive".into(),
            Self::Depart { .. } => "depart".into(),
            Self::HandOver { .. } => "hand_over".into(),
            Self::ChangeRules { .. } => "change_rules".into(),
            Self::ChangeTopic { .. } => "change_topic".into(),
            Self::AddAgendaItem { .. } => "add_agenda_item".into(),
            Self::CompleteAgendaItem { .. } => "complete_agenda_item".into(),
            Self::RemoveAgendaItem { .. } => "remove_agenda_item".into(),
            Self::Announce { .. } => "announce".into(),
            Self::SetAccess { .. } => "set_access".into(),
            Self::ChangeMeeting { .. } => "change_meeting".into(),
            Self::WriteMinutes { .. } => "write_minutes".into(),
            Self::EditMinutes { .. } => "edit_minutes".into(),
            Self::WriteArtifact { .. } => "write_artifact".into(),
            Self::Pause { .. } => "pause".into(),
            Self::Resume { .. } => "resume".into(),
            Self::Advance { .. } => "advance".into(),
            Self::End { .. } => "end".into(),
            Self::AttachFile { .. } => "attach_file".into(),
            Self::RemoveFile { .. } => "remove_file".into(),
            Self::Deliver(delivery) => format!("{}#{}", delivery.what.task(), delivery.attempt),
            Self::ReturnTool { call, .. } => format!("tool:{call}"),
            Self::NoteRetry { task, attempt, .. } => format!("{task}#{attempt}"),
            Self::NoteAction { task, attempt, .. } => format!("{task}#{attempt}"),
            Self::PermitAction { .. } => "permit_action".into(),
            Self::Tick => "tick".into(),
        }
    }
}

/// The result of a call, decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// The attempt at the task.
    pub attempt: u32,
    /// The usage; `None` when it is not known.
    pub usage: Option<Usage>,
    /// From the request to the end.
    pub latency_ms: u64,
    /// The provider's own name for the request.
    pub request_id: Option<String>,
    /// Repairs that were needed before the answer could be read.
    pub mended: Vec<AnswerRepair>,
    /// The model's context window as the server named it when the prompt did not fit.
    pub window: Option<ContextWindow>,
    /// How long the circuit breaker of the provider refuses calls, in milliseconds, when the call failed;
    /// `None` when it accepts them.
    pub retry_after_ms: Option<u64>,
    /// What the provider's own web search found.
    pub web: WebFindings,
    /// The content of the delivery.
    pub what: Delivered,
}

/// The content of a delivery, together with the task that it answers. An answer to a task of another kind
/// cannot be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivered {
    /// A participant calls tools before it speaks.
    CalledTools(TurnId, Box<ToolUse>),
    /// A participant's message.
    Said(TurnId, Box<SpokenAnswer>),
    /// A participant skips its turn.
    Skipped(TurnId),
    /// A vote.
    Voted(BallotId, ParticipantId, Vote),
    /// No vote, because the participant abstained or because its vote could not be read.
    Abstained {
        /// The ballot.
        ballot: BallotId,
        /// The participant.
        voter: ParticipantId,
        /// Whether the vote could not be read.
        malformed: bool,
        /// A one-line description for people.
        detail: Phrase,
    },
    /// A summary of a round.
    Summarized(u32, SummaryForm),
    /// A facilitation after a ballot.
    Facilitated(BallotId, FacilitationForm),
    /// A conclusion.
    Concluded(ConclusionForm),
    /// The questions to ask a person before a round.
    Asked(u32, Vec<Question>),
    /// The candidates proposed before a round.
    Proposed(u32, Vec<Candidate>),
    /// A participant made from a sentence, with the number of the invitation.
    Invited(u32, Box<Candidate>),
    /// Marks after a round.
    Evaluated(u32, Vec<EvaluationMark>),
    /// A version of the minutes.
    Minuted(u32, Box<Minutes>),
    /// A version of an artifact that passed the gate.
    Drawn(ArtifactKind, ArtifactVersion, serde_json::Value),
    /// The answer could not be read and is asked for once more.
    Malformed {
        /// The task.
        task: TaskId,
        /// What was wrong with the answer.
        problem: Phrase,
        /// The text of the answer.
        text: String,
    },
    /// The call failed: no answer came, or none that could be read.
    Failed {
        /// The task.
        task: TaskId,
        /// The kind of failure.
        kind: FailureKind,
        /// A one-line description for people.
        detail: Phrase,
        /// What a person can do about it.
        hint: Phrase,
        /// Whether it is unknown if the provider did the work. A second attempt may help.
        doubtful: bool,
    },
}

impl Delivered {
    /// The task that it answers.
    pub fn task(&self) -> TaskId {
        match self {
            Self::Said(turn, _) | Self::Skipped(turn) | Self::CalledTools(turn, _) => TaskId::Speak(*turn),
            Self::Voted(ballot, voter, _) | Self::Abstained { ballot, voter, .. } => {
                TaskId::Vote(*ballot, *voter)
            }
            Self::Summarized(round, _) => TaskId::Summarize(*round),
            Self::Facilitated(ballot, _) => TaskId::Facilitate(*ballot),
            Self::Concluded(_) => TaskId::Conclude,
            Self::Asked(round, _) => TaskId::Intake(*round),
            Self::Proposed(round, _) => TaskId::Team(*round),
            Self::Invited(number, _) => TaskId::Invite(*number),
            Self::Evaluated(round, _) => TaskId::Evaluate(*round),
            Self::Minuted(version, _) => TaskId::Minutes(*version),
            Self::Drawn(kind, version, _) => TaskId::Artifact(*kind, *version),
            Self::Malformed { task, .. } | Self::Failed { task, .. } => *task,
        }
    }
}

/// A participant's calls of tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolUse {
    /// What it said before the calls; may be empty.
    pub text: String,
    /// The calls.
    pub requests: ToolRequests,
}

/// A participant's words, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpokenAnswer {
    /// Markdown; empty when the answer came in parts and is to be written down from them.
    pub content: String,
    /// Why the text was cut off; `None` when it is complete.
    pub ended_early: Option<StopReason>,
    /// The speaker's position; `None` when it did not state one.
    pub position: Option<String>,
    /// The speaker's confidence, 0-100.
    pub confidence: Option<u8>,
    /// What would change the speaker's mind.
    pub would_change_my_mind: Option<String>,
    /// The claim that moved it.
    pub changed_by: Option<ClaimId>,
    /// Claims that the message raises.
    pub claims: Vec<String>,
    /// Facts that other participants may not know.
    pub facts: Vec<String>,
    /// Ideas, each with the claims that it builds on.
    pub ideas: Vec<(String, Vec<ClaimId>)>,
    /// Risks that the message raises.
    pub risks: Vec<String>,
    /// Open questions.
    pub open_questions: Vec<String>,
    /// The speaker's private memory, when it was updated.
    pub memory: Option<PrivateMemory>,
    /// Items of the agenda that are done, when the speaker is the moderator.
    pub agenda_done: Vec<AgendaId>,
    /// The model's reasoning.
    pub reasoning: Option<String>,
}

/// A decoded summary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SummaryForm {
    /// What the round added to the discussion.
    pub summary: String,
    /// The positions and their holders.
    pub positions: Vec<SummaryPosition>,
    /// The draft; empty when none came.
    pub draft: String,
    /// Open questions.
    pub open_questions: Vec<String>,
    /// Remaining disagreements.
    pub disagreements: Vec<String>,
}

/// A decoded facilitation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FacilitationForm {
    /// The disagreements, 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change to the draft that could make it pass.
    pub proposed_patch: String,
    /// Questions for the next round, 1-2.
    pub next_focus: Vec<String>,
}

/// A decoded conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConclusionForm {
    /// Markdown. Where a ballot was passed the draft is the conclusion, and these are the reasons beside it.
    pub conclusion: String,
    /// Remaining disagreements.
    pub disagreements: Vec<Disagreement>,
    /// Action items.
    pub actions: Vec<ActionItem>,
    /// The best ideas, the best first.
    pub best: Vec<IdeaPick>,
    /// An idea that may be worth more than it looks.
    pub wildcard: Option<IdeaPick>,
}
