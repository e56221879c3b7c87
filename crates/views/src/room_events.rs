//! A meeting in the eight event names of a chat room, made of our events. The one place where that is
//! said; docs/live.md has the table.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::folder_layouts::{
    CurrentRound, Member, MemberRole, MemberStatus, NOT_ASKED, RoomMessage, SKIPPED, TIMED_OUT, iso,
    message_uuid, passed_uuid,
};
use quorate_contract::{
    Actor, Event, EventBody, FailureKind, FloorMode, Language, MeetingId, MessageId, Moderator,
    ParticipantId, Presence, RunId, RunnerSpec, SkipReason, TaskId, Timestamp, TurnDelivery, TurnId,
    TurnReason,
};
use quorate_core::{Meeting, MeetingMessage, apply};
use serde_json::{Value, json};

/// A room as it stands, and what happens in it.
pub struct Room {
    meeting: Meeting,
    /// How many messages there were, those of turns that were let go by included.
    messages: usize,
    /// The names of the people who are known to be there.
    people: BTreeSet<String>,
    /// The round that runs: its id and when it began.
    round: (String, Timestamp),
    /// What was told last of the presence of each member.
    statuses: BTreeMap<String, Value>,
}

impl Room {
    /// A room in which nothing has happened yet.
    pub fn new(id: MeetingId) -> Self {
        let meeting = Meeting::blank(id, RunId::new("room"));
        let round = (String::new(), Timestamp(0));
        Self { meeting, messages: 0, people: BTreeSet::new(), round, statuses: BTreeMap::new() }
    }

    /// The meeting, as far as its events were heard.
    pub fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// What is told of the presence of a member, by name, that its events do not say: whether whoever answers for it is
    /// there. Nothing where that was told already, or the room has no such member.
    pub fn notice(&mut self, name: &str, status: &Value, at: Timestamp) -> Option<String> {
        let known = self.statuses.get_mut(name).filter(|known| *known != status)?;
        known.clone_from(status);
        let data = json!({ "name": name, "status": status });
        Some(self.frame_at("member_status_change", self.meeting.seq, at, &data))
    }

    /// What an event is in a room; nothing when a room does not speak of it. Each event once, from the first. `is_withheld`
    /// says that it is a blind answer without its words.
    pub fn hear(&mut self, event: &Event, is_withheld: bool) -> Vec<String> {
        apply(&mut self.meeting, event);
        let mut told = self.told(event);
        if let Some((_, message)) = told.last_mut().filter(|_| is_withheld) {
            message["withheld"] = json!(true);
        }
        for (kind, data) in &told {
            let name = data["name"].as_str().unwrap_or_default();
            match *kind {
                "member_join" | "member_status_change" => {
                    _ = self.statuses.insert(name.to_owned(), data["status"].clone());
                }
                "member_leave" => _ = self.statuses.remove(name),
                _ => {}
            }
        }
        told.into_iter().map(|(name, data)| self.frame(name, event, &data)).collect()
    }

    fn told(&mut self, event: &Event) -> Vec<(&'static str, Value)> {
        let at = event.ts_ms;
        match &event.body {
            EventBody::ParticipantJoined { participant, .. } => {
                vec![("member_join", json!(self.member(participant.id, at)))]
            }
            EventBody::ParticipantLeft { participant, reason, .. } => {
                // A person without a seat is still in the room.
                match self.is_person_there(*participant) {
                    true => Vec::new(),
                    false => {
                        let name = self.meeting.name_of(*participant);
                        let reason = reason.in_language(self.meeting.language());
                        vec![("member_leave", json!({ "name": name, "reason": reason }))]
                    }
                }
            }
            // Whoever has a seat is a member by it, and leaves with it.
            EventBody::PersonJoined { person } => match self.seat_of(&person.id) {
                Some(seat) => {
                    self.people.insert(person.name.clone());
                    vec![self.status(seat, MemberStatus::Online)]
                }
                None => self.welcome(&person.id, &person.name, at),
            },
            EventBody::PersonLeft { person, .. } => {
                self.people.remove(&person.name);
                match self.seat_of(&person.id) {
                    Some(seat) => vec![self.status(seat, MemberStatus::Offline)],
                    None => vec![("member_leave", json!({ "name": person.name, "reason": "" }))],
                }
            }
            EventBody::PresenceChanged { participant, presence, .. } => {
                let status = match presence {
                    Presence::Online => MemberStatus::Online,
                    Presence::Offline => MemberStatus::Offline,
                };
                vec![self.status(*participant, status)]
            }
            EventBody::CallStarted { task: TaskId::Speak(turn), .. } => {
                self.of_speaker(*turn, MemberStatus::Busy)
            }
            EventBody::CallEnded { task: TaskId::Speak(turn), .. } => {
                self.of_speaker(*turn, MemberStatus::Online)
            }
            EventBody::RoundStarted { round, order, .. } => {
                self.round = (format!("r{round}-{}", self.messages + 1), at);
                vec![("round_start", json!(self.round(order, false)))]
            }
            EventBody::RoundEnded { .. } => vec![("round_end", json!(self.round(&[], true)))],
            EventBody::SpeakerSelected { turn, participant, can_skip, .. } => {
                let data = json!({
                    "name": self.meeting.name_of(*participant),
                    "turn": turn,
                    "round_id": self.round.0,
                    "can_skip": can_skip,
                    "timeout_ms": self.meeting.rules().turns.timeout_ms,
                    "response_to": self.called_by(*turn).map(|id| self.message_id(id)),
                });
                vec![("agent_turn", data)]
            }
            EventBody::AgentMessage { .. }
            | EventBody::UserMessage { .. }
            | EventBody::FacilitationWritten { .. } => self.said(at),
            EventBody::TurnSkipped { turn, participant, reason, .. } => {
                self.passed(*turn, *participant, *reason, at)
            }
            EventBody::TurnFailed { turn, participant, kind: FailureKind::TimedOut, .. } => {
                self.passed(*turn, *participant, SkipReason::TimedOut, at)
            }
            _ => Vec::new(),
        }
    }

    fn seat_of(&self, person: &str) -> Option<ParticipantId> {
        self.meeting.seat_of_person(person).map(|seat| seat.participant.id)
    }

    /// Whether a person answers for a seat and is at the table.
    fn is_person_there(&self, participant: ParticipantId) -> bool {
        let Some(RunnerSpec::External { via: TurnDelivery::Person, name }) =
            self.meeting.seat(participant).map(|seat| &seat.participant.runner)
        else {
            return false;
        };
        self.meeting.people.iter().any(|one| one.person.id == *name)
    }

    /// A piece of the message of a turn that runs: these bytes of its answer.
    pub fn update(
        &self,
        turn: &str,
        participant: Option<ParticipantId>,
        bytes: Range<usize>,
        text: &str,
    ) -> String {
        let data = json!({
            "turn": turn,
            "sender": participant.map(|id| self.meeting.name_of(id)),
            "role": MemberRole::AiAgent,
            "offset": bytes.start,
            "end": bytes.end,
            "text_content": text,
        });
        let meeting = &self.meeting.id;
        json!({ "type": "message_update", "meeting": meeting, "data": data }).to_string()
    }

    fn frame(&self, name: &str, event: &Event, data: &Value) -> String {
        self.frame_at(name, event.seq, event.ts_ms, data)
    }

    fn frame_at(&self, name: &str, seq: u64, at: Timestamp, data: &Value) -> String {
        let (meeting, at) = (&self.meeting.id, iso(at));
        json!({ "type": name, "meeting": meeting, "seq": seq, "timestamp": at, "data": data }).to_string()
    }

    /// The last message; before it, a person who speaks here for the first time.
    fn said(&mut self, at: Timestamp) -> Vec<(&'static str, Value)> {
        self.messages += 1;
        let Some(said) = self.meeting.said.last().cloned() else { return Vec::new() };
        // In logs of older versions nobody joins before they speak.
        let mut told = match &said.speaker {
            Actor::Person { id, .. } if !self.people.contains(&said.name) => self.welcome(id, &said.name, at),
            Actor::Person { .. } | Actor::Participant { .. } | Actor::Facilitator | Actor::System => {
                Vec::new()
            }
        };
        let mut message = json!(self.message(&said));
        message["turn"] = json!(said.turn);
        told.push(("message_new", message));
        told
    }

    /// A person who is new in the room.
    fn welcome(&mut self, id: &str, name: &str, at: Timestamp) -> Vec<(&'static str, Value)> {
        self.people.insert(name.to_owned());
        let hosted = self.meeting.rules().turns.floor == FloorMode::Host;
        let is_host = hosted && self.meeting.is_host(&Actor::person(id, name));
        let member = Member { is_host, ..self.blank_member(name, MemberRole::User, at) };
        vec![("member_join", json!(member))]
    }

    fn message(&self, said: &MeetingMessage) -> RoomMessage {
        let role = match said.speaker {
            Actor::Participant { .. } => MemberRole::AiAgent,
            Actor::Person { .. } => MemberRole::User,
            Actor::Facilitator | Actor::System => MemberRole::System,
        };
        let response_to = said.turn.and_then(|turn| self.called_by(turn)).map(|id| self.message_id(id));
        RoomMessage {
            role,
            response_to,
            mentions: self.meeting.names_mentioned(said).map(|name| name.into_owned()).collect(),
            ..self.blank(
                self.message_id(said.id),
                said.at,
                said.speaker_name(self.meeting.language()),
                &said.text(self.meeting.language()),
            )
        }
    }

    /// A skipped turn is an invisible message.
    fn passed(
        &mut self,
        turn: TurnId,
        who: ParticipantId,
        reason: SkipReason,
        at: Timestamp,
    ) -> Vec<(&'static str, Value)> {
        self.messages += 1;
        let text = match reason {
            SkipReason::Chosen => SKIPPED,
            SkipReason::TimedOut => TIMED_OUT,
            SkipReason::SkipList => NOT_ASKED,
        };
        let message = RoomMessage {
            visible: false,
            response_to: self.called_by(turn).map(|id| self.message_id(id)),
            ..self.blank(passed_uuid(&self.meeting.id, turn), at, &self.meeting.name_of(who), text)
        };
        let mut message = json!(message);
        message["turn"] = json!(turn);
        vec![("message_new", message)]
    }

    fn blank(&self, message_id: String, at: Timestamp, sender: &str, text: &str) -> RoomMessage {
        RoomMessage {
            message_id,
            room_id: self.meeting.id.to_string(),
            timestamp: iso(at),
            sender: sender.to_owned(),
            role: MemberRole::AiAgent,
            text_content: text.to_owned(),
            text_content_i18n: None,
            source_language: self.language(),
            file_url: String::new(),
            file_type: String::new(),
            mentions: Vec::new(),
            visible: true,
            processed: true,
            response_to: None,
            display_timezone: ZONE.to_owned(),
            quorate: None,
        }
    }

    fn message_id(&self, id: MessageId) -> String {
        message_uuid(&self.meeting.id, id)
    }

    /// The message whose mention led to a turn.
    fn called_by(&self, turn: TurnId) -> Option<MessageId> {
        match self.meeting.turn(turn)?.reason {
            TurnReason::Mentioned { by } => Some(by),
            TurnReason::Rotation | TurnReason::Requested => None,
        }
    }

    fn status(&self, who: ParticipantId, status: MemberStatus) -> (&'static str, Value) {
        ("member_status_change", json!({ "name": self.meeting.name_of(who), "status": status }))
    }

    fn of_speaker(&self, turn: TurnId, status: MemberStatus) -> Vec<(&'static str, Value)> {
        self.meeting.turn(turn).map(|turn| self.status(turn.participant, status)).into_iter().collect()
    }

    fn round(&self, order: &[ParticipantId], completed: bool) -> CurrentRound {
        let asked = self.meeting.round().map(|round| round.turns.as_slice()).unwrap_or_default();
        let queue: Vec<ParticipantId> = match order {
            [] => asked.iter().map(|turn| turn.participant).collect(),
            order => order.to_vec(),
        };
        CurrentRound {
            round_id: self.round.0.clone(),
            start_time: Some(iso(self.round.1)),
            current_agent_index: if completed { u32::try_from(asked.len()).unwrap_or(u32::MAX) } else { 0 },
            agent_queue: queue.into_iter().map(|id| self.meeting.name_of(id)).collect(),
            completed,
        }
    }

    fn member(&self, id: ParticipantId, at: Timestamp) -> Member {
        let seated = self.meeting.seat(id).map(|seat| &seat.participant);
        let name = seated.map_or("", |one| one.name.as_str());
        let introduce = seated.map(|one| one.role.description.clone()).unwrap_or_default();
        let skip_list = seated.map(|one| one.skip_list.clone()).unwrap_or_default();
        let is_host = self.meeting.rules().turns.floor == FloorMode::Host
            && self.meeting.settings.moderator == Moderator::Agent { id };
        Member { introduce, is_host, skip_list, ..self.blank_member(name, MemberRole::AiAgent, at) }
    }

    fn blank_member(&self, name: &str, role: MemberRole, at: Timestamp) -> Member {
        Member {
            name: name.to_owned(),
            role,
            introduce: String::new(),
            status: MemberStatus::Online,
            last_active: Some(iso(at)),
            is_host: false,
            skip_list: Vec::new(),
            language_preference: self.language(),
            timezone_preference: ZONE.to_owned(),
        }
    }

    fn language(&self) -> String {
        match self.meeting.language() {
            Language::Zh => "zh-CN",
            Language::En => "en",
        }
        .to_owned()
    }
}

/// The time zone of readers.
const ZONE: &str = "Asia/Shanghai";
