//! One folded meeting, with what only its log knows, on its way into files.

use std::collections::BTreeMap;

use quorate_contract::{
    AgendaChange, AgendaId, Author, Event, EventBody, FailureKind, MessageId, ParticipantId, SkipReason,
    Timestamp, TurnId,
};
use quorate_core::{Meeting, Speaker, apply};

use super::{Layout, export_meeting, export_room, names, time};

/// Both layouts of the meeting that this log tells, from its first event on. An empty log has none.
pub fn export(log: &[Event]) -> Layout {
    let Some(tale) = Tale::of(log) else { return Layout::default() };
    let meeting = export_meeting::meeting(&tale);
    let mut agents = meeting.participants.clone();
    agents.sort_by(|a, b| a.id.cmp(&b.id));
    let id = tale.meeting.id.to_string();
    Layout {
        agents,
        meetings: vec![meeting],
        room_agents: export_room::agents(&tale),
        rooms: vec![export_room::room(&tale)],
        messages: BTreeMap::from([(id, export_room::messages(&tale))]),
    }
}

/// What was said, or let go by, in the order of the log.
pub(super) enum Entry {
    /// The message at this place of [`Meeting::said`].
    Said(usize),
    /// A turn.
    Passed { turn: TurnId, participant: ParticipantId, at: Timestamp, because: SkipReason },
}

/// When a round began, and with which entry, counted from 1.
pub(super) struct Begun {
    pub(super) number: u32,
    pub(super) first: usize,
    pub(super) at: Timestamp,
}

/// A meeting, and what only its log knows.
pub(super) struct Tale {
    pub(super) meeting: Meeting,
    pub(super) entries: Vec<Entry>,
    pub(super) rounds: Vec<Begun>,
    pub(super) created_by: String,
    /// The name that it had where it was imported from.
    pub(super) name: String,
    pub(super) agenda_at: BTreeMap<AgendaId, Timestamp>,
    pub(super) announced_at: Option<Timestamp>,
    pub(super) active_at: BTreeMap<ParticipantId, Timestamp>,
}

impl Tale {
    fn of(log: &[Event]) -> Option<Self> {
        let first = log.first()?;
        let mut tale = Self {
            meeting: Meeting::blank(first.meeting_id.clone(), first.run_id.clone()),
            entries: Vec::new(),
            rounds: Vec::new(),
            created_by: String::new(),
            name: String::new(),
            agenda_at: BTreeMap::new(),
            announced_at: None,
            active_at: BTreeMap::new(),
        };
        for event in log {
            apply(&mut tale.meeting, event);
            tale.hear(event);
        }
        Some(tale)
    }

    fn hear(&mut self, event: &Event) {
        let at = event.ts_ms;
        match &event.body {
            EventBody::MeetingCreated { by, .. } => self.created_by.clone_from(by),
            EventBody::MeetingImported { name, .. } => self.name.clone_from(name),
            EventBody::ParticipantJoined { participant, .. } => _ = self.active_at.insert(participant.id, at),
            EventBody::AgendaChanged { change: AgendaChange::Added { item }, .. } => {
                self.agenda_at.insert(item.id, at);
            }
            EventBody::AnnouncementPublished { .. } => self.announced_at = Some(at),
            EventBody::RoundStarted { round, .. } => {
                self.rounds.push(Begun { number: *round, first: self.entries.len() + 1, at });
            }
            EventBody::AgentMessage { participant, .. } => {
                self.active_at.insert(*participant, at);
                self.entries.push(Entry::Said(self.meeting.said.len() - 1));
            }
            EventBody::UserMessage { .. } | EventBody::FacilitationWritten { .. } => {
                self.entries.push(Entry::Said(self.meeting.said.len() - 1));
            }
            EventBody::TurnSkipped { turn, participant, because } => {
                self.passed(*turn, *participant, at, *because);
            }
            EventBody::TurnFailed { turn, participant, kind: FailureKind::TimedOut, .. } => {
                self.passed(*turn, *participant, at, SkipReason::TimedOut);
            }
            _ => {}
        }
    }

    fn passed(&mut self, turn: TurnId, participant: ParticipantId, at: Timestamp, because: SkipReason) {
        self.active_at.insert(participant, at);
        self.entries.push(Entry::Passed { turn, participant, at, because });
    }

    /// A message's id in files.
    pub(super) fn message_id(&self, id: MessageId) -> String {
        super::message_uuid(&self.meeting.id, id)
    }

    /// A participant's id in files.
    pub(super) fn agent_id(&self, id: ParticipantId) -> String {
        self.meeting.seat(id).map_or_else(|| id.to_string(), |seat| names::agent(&seat.participant))
    }

    /// A speaker's id in files.
    pub(super) fn speaker_id(&self, speaker: &Speaker) -> String {
        match speaker {
            Speaker::Participant(id) => self.agent_id(*id),
            Speaker::Person(by) => person(by).to_owned(),
            Speaker::Facilitator => FACILITATOR.to_owned(),
        }
    }

    /// An author's id in files.
    pub(super) fn author_id(&self, author: Author, by: &str) -> String {
        match author {
            Author::Participant(id) => self.agent_id(id),
            Author::Facilitator => FACILITATOR.to_owned(),
            Author::Rules => RULES.to_owned(),
            Author::Person if by.is_empty() => "user".to_owned(),
            Author::Person => person(by).to_owned(),
        }
    }
}

/// The facilitator's id in files.
pub(super) const FACILITATOR: &str = "facilitator";
/// The id in files of what the rules wrote.
pub(super) const RULES: &str = "rules";

/// A person in files: `owner` for `user:owner`.
pub(super) fn person(by: &str) -> &str {
    by.strip_prefix("user:").unwrap_or(by)
}

pub(super) fn iso(at: Timestamp) -> Option<String> {
    Some(time::iso(at))
}
