//! What anybody can command of a meeting.

use std::collections::BTreeMap;

use crate::actor::Actor;
use crate::event::{
    ActionItem, Candidate, Disagreement, Mark, Mend, Minutes, ModelOffer, Pick, Position, Presence,
    PrivateMemory, Question, Stride, Vote,
};
use crate::ids::{
    AgendaId, ArtifactKind, ArtifactVersion, BallotId, ClaimId, MeetingId, MessageId, ParticipantId, TaskId,
    TurnId,
};
use crate::language::Language;
use crate::outcome::{ContextWindow, FailureKind, Retry, StopReason, Usage};
use crate::participant::{Facilitator, Newcomer};
use crate::rules::{Format, LimitChanges, Rules};

/// All that a new meeting begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct MeetingSpec {
    /// The question, 1-200 characters.
    pub topic: String,
    /// What one has to know to answer it, at most 20,000 characters; may be empty.
    pub background: String,
    /// Its language.
    pub language: Language,
    /// The preset that the rules began with.
    pub format: Format,
    /// The rules.
    pub rules: Rules,
    /// From which random orders and ties are drawn.
    pub seed: u64,
    /// Who sums up and facilitates; nobody when `None`.
    pub facilitator: Option<Facilitator>,
    /// Who leads the meeting: a participant's name, or the person who asks when `None`.
    pub moderator: Option<String>,
    /// What is to be talked about, in order: title (1-200 characters) and description (up to 2000).
    pub agenda: Vec<(String, String)>,
    /// The models that a team can be given, when the rules assemble one.
    pub models: Vec<ModelOffer>,
    /// Who sits at the table, at least one unless the rules assemble a team.
    pub participants: Vec<Newcomer>,
}

/// A command. `by` is who commands it.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Let there be a meeting.
    Create {
        /// Who commands it.
        by: Actor,
        /// What it begins with.
        spec: Box<MeetingSpec>,
    },
    /// Go on from the prefix of another meeting's log, which this one now holds.
    Fork {
        /// Who commands it.
        by: Actor,
        /// The other meeting.
        from: MeetingId,
        /// What the new one is called; its topic with a mark when empty.
        title: String,
        /// Which limits are to be otherwise from here on.
        limits: LimitChanges,
    },
    /// Begin.
    Start {
        /// Who commands it.
        by: Actor,
    },
    /// A person speaks.
    Say {
        /// Who.
        by: Actor,
        /// 1-10,000 characters.
        content: String,
    },
    /// A person answers something that was said.
    Reply {
        /// Who.
        by: Actor,
        /// What is answered.
        to: MessageId,
        /// 1-10,000 characters.
        content: String,
    },
    /// Let somebody speak next (property 20).
    RequestSpeaker {
        /// Who commands it.
        by: Actor,
        /// A participant's name or id.
        participant: String,
    },
    /// Let somebody join.
    Join {
        /// Who commands it.
        by: Actor,
        /// Who.
        newcomer: Box<Newcomer>,
    },
    /// Let somebody leave; its words stay.
    Leave {
        /// Who commands it.
        by: Actor,
        /// A participant's name or id.
        participant: String,
    },
    /// Let somebody join who is described in a sentence.
    Invite {
        /// Who commands it.
        by: Actor,
        /// The sentence, 1-2000 characters.
        description: String,
    },
    /// Somebody can be asked, or not.
    SetPresence {
        /// Who says so.
        by: Actor,
        /// A participant's name or id.
        participant: String,
        /// How it is.
        presence: Presence,
    },
    /// Let other rules hold from the next turn on.
    ChangeRules {
        /// Who commands it.
        by: Actor,
        /// All of them.
        rules: Box<Rules>,
    },
    /// Let the question be another.
    ChangeTopic {
        /// Who commands it.
        by: Actor,
        /// 1-200 characters.
        topic: String,
    },
    /// Put something on the agenda.
    AddAgendaItem {
        /// Who commands it.
        by: Actor,
        /// 1-200 characters.
        title: String,
        /// At most 2000 characters; may be empty.
        description: String,
    },
    /// An item of the agenda is done, or is not after all.
    CompleteAgendaItem {
        /// Who commands it.
        by: Actor,
        /// Its id or title.
        item: String,
        /// Whether it is done.
        completed: bool,
    },
    /// Take something off the agenda.
    RemoveAgendaItem {
        /// Who commands it.
        by: Actor,
        /// Its id or title.
        item: String,
    },
    /// Let everybody know something.
    Announce {
        /// Who commands it.
        by: Actor,
        /// 1-2000 characters.
        text: String,
    },
    /// Let a password be needed, or no longer.
    SetAccess {
        /// Who commands it.
        by: Actor,
        /// Whether it is needed.
        locked: bool,
    },
    /// Several of these at once: all of them are done, or none is. What is `None` stays as it is.
    ChangeMeeting {
        /// Who commands it.
        by: Actor,
        /// Another question, 1-200 characters.
        topic: Option<String>,
        /// Other rules.
        rules: Option<Box<Rules>>,
        /// What everybody is to know, 1-2000 characters.
        announcement: Option<String>,
        /// Whether a password is needed.
        locked: Option<bool>,
    },
    /// Let minutes be written, or brought up to date.
    WriteMinutes {
        /// Who commands it.
        by: Actor,
        /// A participant's name or id; the facilitator when `None`.
        writer: Option<String>,
        /// What they are to look at; may be empty.
        note: String,
    },
    /// These are the minutes, as a person has edited them.
    EditMinutes {
        /// Who.
        by: Actor,
        /// The version that was edited; refused when there is a newer one by now.
        based_on: Option<u32>,
        /// All of them.
        minutes: Box<Minutes>,
    },
    /// Let an artifact be written before the end.
    WriteArtifact {
        /// Who commands it.
        by: Actor,
        /// Which.
        kind: ArtifactKind,
    },
    /// Rest, after whoever has the floor, or at once.
    Pause {
        /// Who commands it.
        by: Actor,
        /// Cancels what is under way; it is asked again after the pause.
        at_once: bool,
    },
    /// Go on.
    Resume {
        /// Who commands it.
        by: Actor,
        /// The token of the pause; `None` takes the present one.
        token: Option<String>,
        /// Answers to the pause's questions.
        answers: BTreeMap<String, serde_json::Value>,
        /// Whether questions that are not answered take their default instead of being asked again.
        take_defaults: bool,
    },
    /// Begin or go on, and rest again after a stride.
    Advance {
        /// Who commands it.
        by: Actor,
        /// How far; to the end when `None`.
        until: Option<Stride>,
        /// The token of the pause, when it rests; `None` takes the present one.
        token: Option<String>,
        /// Answers to the pause's questions.
        answers: BTreeMap<String, serde_json::Value>,
        /// Whether questions that are not answered take their default instead of being asked again.
        take_defaults: bool,
    },
    /// End with the best available conclusion.
    End {
        /// Who commands it.
        by: Actor,
        /// Why; may be empty.
        note: String,
    },
    /// What came back from a call.
    Deliver(Box<Delivery>),
    /// A request within a call is sent again.
    NoteRetry {
        /// For which task.
        task: TaskId,
        /// In which attempt.
        attempt: u32,
        /// What happened.
        retry: Box<Retry>,
    },
    /// Calls that were under way are not any more: their process is gone.
    Recover,
    /// The clock was set forward, or the machine slept, since the last event.
    NoteIdle {
        /// For how long.
        idle_ms: u64,
    },
    /// Time has passed.
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
            Self::Deliver(delivery) => format!("{}#{}", delivery.what.task(), delivery.attempt),
            Self::NoteRetry { task, attempt, .. } => format!("{task}#{attempt}"),
            Self::Recover => "recover".into(),
            Self::Tick => "tick".into(),
        }
    }
}

/// What came back from a call, read and understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// Of which attempt at the task.
    pub attempt: u32,
    /// What it used; `None` when nobody knows.
    pub usage: Option<Usage>,
    /// From the request to the end.
    pub latency_ms: u64,
    /// The provider's own name for the request.
    pub request_id: Option<String>,
    /// What was mended before it could be read.
    pub mended: Vec<Mend>,
    /// The model's context window as the server named it when the prompt did not fit.
    pub window: Option<ContextWindow>,
    /// How long whoever answers would not even be asked, when it failed too often; `None` when it would.
    pub retry_after_ms: Option<u64>,
    /// What it was.
    pub what: Delivered,
}

/// What a delivery holds, and which task it answers: an answer of another kind cannot be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivered {
    /// A participant spoke.
    Said(TurnId, Box<Speech>),
    /// A participant passes.
    Skipped(TurnId),
    /// A vote.
    Voted(BallotId, ParticipantId, Vote),
    /// No vote, by choice or because it could not be read.
    Abstained {
        /// In which ballot.
        ballot: BallotId,
        /// Who.
        voter: ParticipantId,
        /// Whether it could not be read.
        malformed: bool,
        /// One line for people.
        detail: String,
    },
    /// A summary of a round.
    Summarized(u32, SummaryForm),
    /// A facilitation after a ballot.
    Facilitated(BallotId, FacilitationForm),
    /// A conclusion.
    Concluded(ConclusionForm),
    /// What is to be asked before a round.
    Asked(u32, Vec<Question>),
    /// Who is to come before a round.
    Proposed(u32, Vec<Candidate>),
    /// Somebody made of a sentence, by the number of the invitation.
    Invited(u32, Box<Candidate>),
    /// Marks after a round.
    Evaluated(u32, Vec<Mark>),
    /// A version of the minutes.
    Minuted(u32, Box<Minutes>),
    /// A version of an artifact that passed the gate.
    Drawn(ArtifactKind, ArtifactVersion, serde_json::Value),
    /// It could not be read; it is worth asking once more.
    Malformed {
        /// For which task.
        task: TaskId,
        /// What was wrong.
        problem: String,
        /// What came.
        text: String,
    },
    /// Nothing came, or nothing that could be read.
    Failed {
        /// For which task.
        task: TaskId,
        /// What kind of trouble.
        kind: FailureKind,
        /// One line for people.
        detail: String,
        /// What to do about it.
        hint: String,
        /// Whether it is not known if the work was done, and asking once more may help.
        doubtful: bool,
    },
}

impl Delivered {
    /// The task that it answers.
    pub fn task(&self) -> TaskId {
        match self {
            Self::Said(turn, _) | Self::Skipped(turn) => TaskId::Speak(*turn),
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

/// A participant's words, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Speech {
    /// Markdown; empty when the answer came in parts and is to be written down from them.
    pub content: String,
    /// Why the words end before their end, when they do.
    pub ended_early: Option<StopReason>,
    /// What it holds now; `None` when it did not say.
    pub position: Option<String>,
    /// 0-100.
    pub confidence: Option<u8>,
    /// What would change its mind.
    pub would_change_my_mind: Option<String>,
    /// The claim that moved it.
    pub changed_by: Option<ClaimId>,
    /// What it raises.
    pub claims: Vec<String>,
    /// What it knows that others may not.
    pub facts: Vec<String>,
    /// Ideas, each with the claims that it builds on.
    pub ideas: Vec<(String, Vec<ClaimId>)>,
    /// What could go wrong.
    pub risks: Vec<String>,
    /// What is still open.
    pub open_questions: Vec<String>,
    /// Its notes, when it brought them up to date.
    pub memory: Option<PrivateMemory>,
    /// Items of the agenda that are done, when the speaker is the moderator.
    pub agenda_done: Vec<AgendaId>,
    /// What the model thought on the way.
    pub reasoning: Option<String>,
}

/// A summary, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SummaryForm {
    /// What the round added.
    pub summary: String,
    /// Who holds what.
    pub positions: Vec<Position>,
    /// The draft; empty when none came.
    pub draft: String,
    /// What is still open.
    pub open_questions: Vec<String>,
    /// Where the table is still divided.
    pub disagreements: Vec<String>,
}

/// A facilitation, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FacilitationForm {
    /// 1-3.
    pub disagreements: Vec<String>,
    /// The smallest change.
    pub proposed_patch: String,
    /// 1-2.
    pub next_focus: Vec<String>,
}

/// A conclusion, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConclusionForm {
    /// Markdown. Where a ballot was passed the draft is the conclusion, and these are the reasons beside it.
    pub conclusion: String,
    /// What is left open.
    pub disagreements: Vec<Disagreement>,
    /// What is to be done.
    pub actions: Vec<ActionItem>,
    /// The best ideas, the best first.
    pub best: Vec<Pick>,
    /// An idea that may be worth more than it looks.
    pub wildcard: Option<Pick>,
}
