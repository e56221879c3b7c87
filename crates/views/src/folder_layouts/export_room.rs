//! Export of a meeting into the `rooms` layout.

use quorate_contract::{
    Actor, FloorMode, Language, Moderator, ParticipantId, Presence, SkipReason, TaskId, Timestamp, TurnId,
    TurnReason,
};
use quorate_core::{Round, Seat, Turn, TurnState, actor_name};
use quorate_messages::text;

use super::export::{DetailedMeeting, Entry, RoundStart, iso};
use super::rooms::{NOT_ASKED, SKIPPED, TIMED_OUT};
use super::{
    CurrentRound, InteractionMode, Member, MemberRole, MemberStatus, Room, RoomAgent, RoomAnnouncement,
    RoomExtension, RoomMessage, SystemStatus, names, sources, time,
};

/// The separator between topic and background when the announcement holds both.
pub(super) const RULE: &str = "\n———\n";

pub(super) fn agents(detailed: &DetailedMeeting) -> Vec<RoomAgent> {
    let m = &detailed.meeting;
    let agents = m.seats.iter().map(|seat| {
        let participant = &seat.participant;
        RoomAgent {
            agent_id: names::agent(participant),
            name: participant.name.clone(),
            introduce: participant.role.description.clone(),
            rooms: vec![m.id.to_string()],
            status: status(detailed, seat),
            last_active: active(detailed, participant.id),
            capabilities: vec![participant.role.name.clone(), participant.runner.public_label()],
            skip_list: participant.skip_list.clone(),
            language_support: vec![language(detailed)],
            preferred_language: language(detailed),
            timezone: extension(detailed).timezone(),
        }
    });
    agents.collect()
}

pub(super) fn room(detailed: &DetailedMeeting) -> Room {
    let m = &detailed.meeting;
    let last = detailed.rounds.last().zip(m.round());
    let over = |round: &Round| round.ended_seq.is_some() || m.is_over();
    let open = last.is_some_and(|(_, round)| !over(round));
    let history = &detailed.rounds[..detailed.rounds.len() - usize::from(open)];
    let own = extension(detailed);
    Room {
        room_id: m.id.to_string(),
        room_name: match own.title.is_empty() && !detailed.name.is_empty() {
            true => detailed.name.clone(),
            false => own.room_name(),
        },
        room_description: own.room_description(),
        created_at: iso(m.settings.created_at),
        created_by: detailed.actor_id(&detailed.created_by),
        password: false,
        interaction_mode: match m.rules().turns.floor {
            FloorMode::Rotation => InteractionMode::Default,
            FloorMode::Host => InteractionMode::Host,
        },
        user_participation: m.rules().turns.people_may_speak,
        system_status: match m.is_over() || m.is_paused() {
            true => SystemStatus::Paused,
            false => SystemStatus::Active,
        },
        language: language(detailed),
        timezone: own.timezone(),
        members: members(detailed),
        announcement: Some(announcement(detailed)),
        current_round: last.map(|(begun, round)| current(detailed, begun, round, over(round))),
        history_rounds: history.iter().map(round_id).collect(),
        settings: own.settings(),
        quorate: Some(own),
    }
}

/// What the fields of a room have no place for.
fn extension(detailed: &DetailedMeeting) -> RoomExtension {
    RoomExtension::of(&detailed.meeting.settings.topic, &detailed.meeting.details())
}

/// The id of a round: `r2-5` is round 2, which begins with the fifth message.
fn round_id(begun: &RoundStart) -> String {
    format!("r{}-{}", begun.number, begun.first)
}

fn current(detailed: &DetailedMeeting, begun: &RoundStart, round: &Round, completed: bool) -> CurrentRound {
    let asked = round.turns.iter().map(|turn| turn.participant);
    let waiting = round.queue.iter().map(|(id, _)| *id).filter(|_| !completed);
    let done = round.turns.iter().filter(|turn| turn.state != TurnState::Open).count();
    CurrentRound {
        round_id: round_id(begun),
        start_time: iso(begun.at),
        current_agent_index: u32::try_from(done).unwrap_or(u32::MAX),
        agent_queue: asked.chain(waiting).map(|id| detailed.meeting.name_of(id)).collect(),
        completed,
    }
}

/// Participants, then people, as they joined or were first heard of.
fn members(detailed: &DetailedMeeting) -> Vec<Member> {
    let m = &detailed.meeting;
    let hosted = m.rules().turns.floor == FloorMode::Host;
    let host = |id: ParticipantId| hosted && m.settings.moderator == Moderator::Agent { id };
    let mut members: Vec<Member> = m
        .seats
        .iter()
        .map(|seat| Member {
            introduce: seat.participant.role.description.clone(),
            status: status(detailed, seat),
            last_active: active(detailed, seat.participant.id),
            is_host: host(seat.participant.id),
            skip_list: seat.participant.skip_list.clone(),
            ..member(detailed, &seat.participant.name, MemberRole::AiAgent)
        })
        .collect();
    let people = people(detailed);
    let leads = hosted && m.settings.moderator == Moderator::User;
    let host = m.host_person.as_ref().map(|host| m.person_name(&host.id, &host.name));
    let host = host.filter(|host| people.iter().any(|one| one.name == *host));
    let host = host.or(people.first().map(|one| one.name)).filter(|_| leads);
    if leads && people.is_empty() {
        let name = text!(m.language(), "views-export-room-user");
        let last_active = iso(m.settings.created_at);
        members.push(Member { last_active, is_host: true, ..member(detailed, name, MemberRole::User) });
    }
    for one in &people {
        members.push(Member {
            status: if one.is_present { MemberStatus::Online } else { MemberStatus::Offline },
            last_active: iso(one.last_active),
            is_host: host == Some(one.name),
            ..member(detailed, one.name, MemberRole::User)
        });
    }
    members
}

/// A person who was at the table, spoke or was mentioned.
struct PersonInRoom<'a> {
    name: &'a str,
    last_active: Timestamp,
    is_present: bool,
}

/// The people in the order in which they were first heard of. In logs of older versions nobody leaves.
fn people(detailed: &DetailedMeeting) -> Vec<PersonInRoom<'_>> {
    let m = &detailed.meeting;
    let mut people: Vec<PersonInRoom<'_>> = Vec::new();
    let mut note = |name, at| match people.iter_mut().find(|one| one.name == name) {
        Some(one) => one.last_active = one.last_active.max(at),
        None => people.push(PersonInRoom { name, last_active: at, is_present: true }),
    };
    let mut joined = detailed.people.iter().peekable();
    for said in &m.said {
        while let Some((person, at)) = joined.next_if(|(_, at)| *at <= said.at) {
            note(person.name.as_str(), *at);
        }
        if said.speaker.is_person() {
            note(said.name.as_str(), said.at);
        }
        said.mentioned_people.iter().for_each(|person| note(person.name.as_str(), said.at));
    }
    joined.for_each(|(person, at)| note(person.name.as_str(), *at));
    for one in &mut people {
        let came = detailed.people.iter().any(|(person, _)| person.name == one.name);
        one.is_present = !came || m.people_present().any(|person| person.name == one.name);
    }
    people
}

fn member(detailed: &DetailedMeeting, name: &str, role: MemberRole) -> Member {
    Member {
        name: name.to_owned(),
        role,
        introduce: String::new(),
        status: MemberStatus::Online,
        last_active: None,
        is_host: false,
        skip_list: Vec::new(),
        language_preference: language(detailed),
        timezone_preference: extension(detailed).timezone(),
    }
}

fn status(detailed: &DetailedMeeting, seat: &Seat) -> MemberStatus {
    let m = &detailed.meeting;
    let speaks = |task: &TaskId| matches!(task, TaskId::Speak(turn) if m.turn(*turn).is_some_and(|turn| turn.participant == seat.participant.id));
    match seat.presence {
        _ if !seat.present => MemberStatus::Offline,
        Presence::Offline => MemberStatus::Offline,
        Presence::Online if m.calls.keys().any(speaks) => MemberStatus::Busy,
        Presence::Online => MemberStatus::Online,
    }
}

fn active(detailed: &DetailedMeeting, id: ParticipantId) -> Option<String> {
    detailed.active_at.get(&id).map(|at| time::iso(*at))
}

pub(super) fn language(detailed: &DetailedMeeting) -> String {
    match detailed.meeting.language() {
        Language::Zh => "zh-CN",
        Language::En => "en",
    }
    .to_owned()
}

fn announcement(detailed: &DetailedMeeting) -> RoomAnnouncement {
    let m = &detailed.meeting;
    let (topic, background) = (&m.settings.topic, &m.settings.background);
    let fits = m.settings.details.description.is_empty() && names::description(topic) == *topic;
    let system_announcement = match (fits, background.is_empty()) {
        (true, _) => background.clone(),
        (false, true) => topic.clone(),
        (false, false) => format!("{topic}{RULE}{background}"),
    };
    match m.announcements.last() {
        None => RoomAnnouncement { system_announcement, ..RoomAnnouncement::default() },
        Some(last) => RoomAnnouncement {
            user_announcement: last.text.clone(),
            announcement_publisher: detailed.actor_id(&last.by),
            timestamp: detailed.announced_at.map(time::iso),
            system_announcement,
        },
    }
}

pub(super) fn messages(detailed: &DetailedMeeting) -> Vec<RoomMessage> {
    detailed.entries.iter().map(|entry| message(detailed, entry)).collect()
}

fn message(detailed: &DetailedMeeting, entry: &Entry) -> RoomMessage {
    let m = &detailed.meeting;
    match entry {
        Entry::Said(place) => {
            let said = &m.said[*place];
            RoomMessage {
                mentions: m.names_mentioned(said).map(|name| name.into_owned()).collect(),
                response_to: match said.turn {
                    Some(turn) => called_by(detailed, turn),
                    None => said.reply_to.map(|id| detailed.message_id(id)),
                },
                role: match said.speaker {
                    Actor::Participant { .. } => MemberRole::AiAgent,
                    Actor::Person { .. } => MemberRole::User,
                    Actor::Facilitator | Actor::System => MemberRole::System,
                },
                quorate: sources::of(said, &detailed.tools),
                ..blank(
                    detailed,
                    detailed.message_id(said.id),
                    said.at,
                    said.speaker_name(m.language()).to_owned(),
                    said.text(m.language()).into_owned(),
                )
            }
        }
        Entry::Attached { file, by, at } => RoomMessage {
            role: MemberRole::User,
            file_url: format!("/{}", super::upload_path(&m.id, file)),
            file_type: file.media_type.clone(),
            ..blank(detailed, super::file_uuid(&m.id, file.id), *at, actor_name(m, by), file.name.clone())
        },
        Entry::Passed { turn, participant, at, reason } => {
            let text = match reason {
                SkipReason::Chosen => SKIPPED,
                SkipReason::TimedOut => TIMED_OUT,
                SkipReason::SkipList => NOT_ASKED,
            };
            let id = super::passed_uuid(&m.id, *turn);
            RoomMessage {
                visible: false,
                response_to: called_by(detailed, *turn),
                ..blank(detailed, id, *at, m.name_of(*participant), text.to_owned())
            }
        }
    }
}

/// The message that called a participant to a turn.
fn called_by(detailed: &DetailedMeeting, turn: TurnId) -> Option<String> {
    match detailed.meeting.turn(turn).map(|turn: &Turn| &turn.reason) {
        Some(TurnReason::Mentioned { by }) => Some(detailed.message_id(*by)),
        Some(TurnReason::Rotation | TurnReason::Requested) | None => None,
    }
}

fn blank(
    detailed: &DetailedMeeting,
    message_id: String,
    at: Timestamp,
    sender: String,
    text_content: String,
) -> RoomMessage {
    RoomMessage {
        message_id,
        room_id: detailed.meeting.id.to_string(),
        timestamp: time::iso(at),
        sender,
        role: MemberRole::AiAgent,
        text_content,
        text_content_i18n: None,
        source_language: language(detailed),
        file_url: String::new(),
        file_type: String::new(),
        mentions: Vec::new(),
        visible: true,
        processed: true,
        response_to: None,
        display_timezone: extension(detailed).timezone(),
        quorate: None,
    }
}
