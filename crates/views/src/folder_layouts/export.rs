//! A folded meeting together with details of its log, for an export into files.

use std::collections::BTreeMap;

use quorate_contract::{
    Actor, AgendaChange, AgendaId, AttachedFile, Event, EventBody, FailureKind, MessageId, ParticipantId,
    Person, SkipReason, Timestamp, ToolCallId, TurnId,
};
use quorate_core::{Meeting, apply};

use super::{Layout, export_meeting, export_room, names, time};

/// Both layouts of the meeting in this log. An empty log has none.
pub fn export(log: &[Event]) -> Layout {
    let Some(detailed) = DetailedMeeting::of(log) else { return Layout::default() };
    let meeting = export_meeting::meeting(&detailed);
    let mut agents = meeting.participants.clone();
    agents.sort_by(|a, b| a.id.cmp(&b.id));
    let id = detailed.meeting.id.to_string();
    Layout {
        agents,
        meetings: vec![meeting],
        room_agents: export_room::agents(&detailed),
        rooms: vec![export_room::room(&detailed)],
        messages: BTreeMap::from([(id, export_room::messages(&detailed))]),
    }
}

/// A message or a skipped turn, in the order of the log.
pub(super) enum Entry {
    /// The message at this place of [`Meeting::said`].
    Said(usize),
    /// A file that was attached.
    Attached { file: AttachedFile, by: Actor, at: Timestamp },
    /// A skipped turn.
    Passed { turn: TurnId, participant: ParticipantId, at: Timestamp, reason: SkipReason },
}

/// The start of a round: its time, and its first entry, counted from 1.
pub(super) struct RoundStart {
    pub(super) number: u32,
    pub(super) first: usize,
    pub(super) at: Timestamp,
}

/// A meeting with details that only its log holds.
pub(super) struct DetailedMeeting {
    pub(super) meeting: Meeting,
    pub(super) entries: Vec<Entry>,
    pub(super) rounds: Vec<RoundStart>,
    pub(super) created_by: Actor,
    /// The name that it had where it was imported from.
    pub(super) name: String,
    pub(super) agenda_at: BTreeMap<AgendaId, Timestamp>,
    pub(super) announced_at: Option<Timestamp>,
    pub(super) active_at: BTreeMap<ParticipantId, Timestamp>,
    /// The names of the tools that were called.
    pub(super) tools: BTreeMap<ToolCallId, String>,
    /// The people who came to the table, and when.
    pub(super) people: Vec<(Person, Timestamp)>,
}

impl DetailedMeeting {
    fn of(log: &[Event]) -> Option<Self> {
        let first = log.first()?;
        let mut detailed = Self {
            meeting: Meeting::blank(first.meeting_id.clone(), first.run_id.clone()),
            entries: Vec::new(),
            rounds: Vec::new(),
            created_by: Actor::System,
            name: String::new(),
            agenda_at: BTreeMap::new(),
            announced_at: None,
            active_at: BTreeMap::new(),
            tools: BTreeMap::new(),
            people: Vec::new(),
        };
        for event in log {
            apply(&mut detailed.meeting, event);
            detailed.hear(event);
        }
        Some(detailed)
    }

    fn hear(&mut self, event: &Event) {
        let at = event.ts_ms;
        match &event.body {
            EventBody::MeetingCreated { by, .. } => self.created_by.clone_from(by),
            EventBody::MeetingImported { name, .. } => self.name.clone_from(name),
            EventBody::ParticipantJoined { participant, .. } => _ = self.active_at.insert(participant.id, at),
            EventBody::PersonJoined { person } => self.people.push((person.clone(), at)),
            EventBody::AgendaChanged { change: AgendaChange::Added { item }, .. } => {
                self.agenda_at.insert(item.id, at);
            }
            EventBody::FileAttached { file, by } => {
                self.entries.push(Entry::Attached { file: file.clone(), by: by.clone(), at });
            }
            EventBody::ToolCalled { call, tool, .. } => {
                self.tools.insert(*call, tool.clone());
            }
            EventBody::AnnouncementPublished { .. } => self.announced_at = Some(at),
            EventBody::RoundStarted { round, .. } => {
                self.rounds.push(RoundStart { number: *round, first: self.entries.len() + 1, at });
            }
            EventBody::AgentMessage { participant, .. } => {
                self.active_at.insert(*participant, at);
                self.entries.push(Entry::Said(self.meeting.said.len() - 1));
            }
            EventBody::UserMessage { .. } | EventBody::FacilitationWritten { .. } => {
                self.entries.push(Entry::Said(self.meeting.said.len() - 1));
            }
            EventBody::TurnSkipped { turn, participant, reason, .. } => {
                self.passed(*turn, *participant, at, *reason);
            }
            EventBody::TurnFailed { turn, participant, kind: FailureKind::TimedOut, .. } => {
                self.passed(*turn, *participant, at, SkipReason::TimedOut);
            }
            _ => {}
        }
    }

    fn passed(&mut self, turn: TurnId, participant: ParticipantId, at: Timestamp, reason: SkipReason) {
        self.active_at.insert(participant, at);
        self.entries.push(Entry::Passed { turn, participant, at, reason });
    }

    /// A message's id in files.
    pub(super) fn message_id(&self, id: MessageId) -> String {
        super::message_uuid(&self.meeting.id, id)
    }

    /// A participant's id in files.
    pub(super) fn agent_id(&self, id: ParticipantId) -> String {
        self.meeting.seat(id).map_or_else(|| id.to_string(), |seat| names::agent(&seat.participant))
    }

    /// An actor's id in files.
    pub(super) fn actor_id(&self, actor: &Actor) -> String {
        match actor {
            Actor::Participant { id } => self.agent_id(*id),
            Actor::Facilitator => FACILITATOR.to_owned(),
            Actor::System => RULES.to_owned(),
            Actor::Person { id, .. } if id.is_empty() => "user".to_owned(),
            Actor::Person { id, .. } => id.clone(),
        }
    }
}

/// The facilitator's id in files.
pub(super) const FACILITATOR: &str = "facilitator";
/// The id in files of what the rules wrote.
pub(super) const RULES: &str = "rules";

pub(super) fn iso(at: Timestamp) -> Option<String> {
    Some(time::iso(at))
}
