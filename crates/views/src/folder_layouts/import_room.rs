//! Import of a meeting from the `rooms` layout, without trust in its contents.

use std::collections::BTreeMap;

use quorate_contract::{
    ANNOUNCEMENT_MAX_CHARS, Actor, FloorMode, Format, Language, LayoutKind, ModelParameters, Moderator,
    Newcomer, ParticipantId, Phrase, ROUNDS_MAX, Role, Rules, RunnerSpec, SKIP_LIST_MAX,
    SKIP_PHRASE_MAX_CHARS, SkipReason, TOPIC_MAX_CHARS, TimeZoneName, Timestamp, TurnDelivery, clean,
};
use quorate_core::number_after;
use quorate_messages::{message, text};

use super::check::{MESSAGES_MAX, Reader};
use super::export_meeting::NO_LIMIT_CHARS;
use super::import::{Entry, EntryAuthor, ImportedMeeting, Plan, SideEntry};
use super::rooms::{NOT_ASKED, TIMED_OUT};
use super::uploads::{UploadedFile, Uploads, number_of, upload_of};
use super::{
    InteractionMode, Layout, LayoutError, Member, MemberRole, MemberStatus, Room, RoomAgent, RoomMessage,
    check, names, room_details, sources,
};

pub(super) fn read(
    layout: &Layout,
    room: &Room,
    now: Timestamp,
    by: &Actor,
    is_zone: &dyn Fn(&TimeZoneName) -> bool,
    uploads: &Uploads,
) -> Result<ImportedMeeting, LayoutError> {
    let r = Reader { file: "rooms.json", now };
    r.id("room_id", &room.room_id)?;
    let members: Vec<&Member> =
        room.members.iter().filter(|member| member.role == MemberRole::AiAgent).collect();
    let language = match room.language.starts_with("en") {
        true => Language::En,
        false => Language::Zh,
    };
    let mine = |member: &Member| {
        let same = |agent: &&RoomAgent| agent.name == member.name;
        let here = |agent: &&RoomAgent| agent.rooms.contains(&room.room_id);
        let agents = || layout.room_agents.iter().filter(same);
        agents().find(here).or_else(|| agents().next())
    };
    let seats: Vec<_> = members.iter().map(|member| newcomer(member, mine(member), language)).collect();
    r.table("members", &seats)?;
    let (topic, background) = room_details::topic(&r, room)?;
    let file = format!("room_messages/{}.json", room.room_id);
    let none = Vec::new();
    let messages = layout.messages.get(&room.room_id).unwrap_or(&none);
    let mut notes = notes(room, messages, &seats, uploads);
    let details = room_details::details(&r, room, &topic, is_zone, &mut notes)?;
    let entries = entries(&Reader { file: &file, now }, room, &members, messages, uploads)?;
    let created_at = r.time_if("created_at", room.created_at.as_ref())?;
    let created_at = created_at.or(entries.first().map(|entry| entry.at)).unwrap_or(now);
    let named = |member: &str| members.iter().position(|one| one.name == member);
    let queue = room.current_round.iter().flat_map(|round| &round.agent_queue);
    let queue: Vec<ParticipantId> =
        queue.filter_map(|name| named(name)).map(|seat| ParticipantId(number_after(seat))).collect();
    let (rounds, open) = rounds(&r, room, &entries, queue)?;
    let offline = members.iter().enumerate().filter(|(_, member)| member.status == MemberStatus::Offline);
    let offline = offline.map(|(place, _)| ParticipantId(number_after(place))).collect();
    let created_by = check::by(&room.created_by, by);
    Ok(ImportedMeeting {
        kind: LayoutKind::Rooms,
        from: room.room_id.clone(),
        name: r.text("room_name", &room.room_name, 1, TOPIC_MAX_CHARS)?,
        topic,
        background,
        details,
        language,
        format: Format::Room,
        rules: rules(room),
        moderator: moderator(room, &members),
        offline,
        beside: announced(&r, room, created_at, &created_by)?,
        created_by,
        created_at,
        updated_at: created_at,
        notes,
        seats,
        entries,
        rounds,
        open,
        ended: false,
        file,
    })
}

fn notes(room: &Room, messages: &[RoomMessage], seats: &[Newcomer], uploads: &Uploads) -> Vec<Phrase> {
    let mut notes: Vec<Phrase> = Vec::new();
    if room.password {
        notes.push(message!("note-password-not-imported").into());
    }
    notes.extend(notes_on_files(messages, uploads));
    if seats.iter().any(|seat| matches!(seat.runner, RunnerSpec::Process { .. } | RunnerSpec::Acp { .. })) {
        notes.push(message!("note-runners-not-in-files").into());
    }
    notes
}

/// The details of a meeting's file, which has no place for them, from the room of the same meeting.
pub(super) fn describe(
    story: &mut ImportedMeeting,
    room: &Room,
    now: Timestamp,
    is_zone: &dyn Fn(&TimeZoneName) -> bool,
) -> Result<(), LayoutError> {
    let r = Reader { file: "rooms.json", now };
    story.details = room_details::details(&r, room, &story.topic, is_zone, &mut story.notes)?;
    Ok(())
}

/// Which files of messages are not taken over, each with the reason where there is one.
fn notes_on_files(messages: &[RoomMessage], uploads: &Uploads) -> Vec<Phrase> {
    let named = messages.iter().filter(|message| !message.file_url.is_empty());
    let missing =
        named.filter(|message| !upload_of(message).is_some_and(|path| uploads.files.contains_key(&path)));
    let (mut notes, mut unknown) = (Vec::new(), false);
    for message in missing {
        match upload_of(message).and_then(|path| uploads.left_out.get(&path)) {
            Some(why) if notes.len() < NOTES_MAX && !notes.contains(why) => notes.push(why.clone()),
            Some(_) => {}
            None => unknown = true,
        }
    }
    if unknown {
        notes.push(message!("note-files-not-imported").into());
    }
    notes
}

/// The most notes on files.
const NOTES_MAX: usize = 20;

/// The files of a meeting's room, which the meeting's own file has no place for.
pub(super) fn attach(
    story: &mut ImportedMeeting,
    layout: &Layout,
    room: &Room,
    now: Timestamp,
    uploads: &Uploads,
) -> Result<(), LayoutError> {
    let Some(messages) = layout.messages.get(&room.room_id) else { return Ok(()) };
    let file = format!("room_messages/{}.json", room.room_id);
    let r = Reader { file: &file, now };
    let mut latest = story.created_at;
    for (place, message) in messages.iter().enumerate() {
        let Some(file) = upload_of(message).and_then(|path| uploads.files.get(&path)) else { continue };
        latest = latest.max(r.time(&format!("messages[{place}].timestamp"), &message.timestamp)?);
        let by = check::by(&message.sender, &story.created_by);
        let file = UploadedFile { id: number_of(&message.file_url), file: file.clone() };
        story.beside.push((latest, SideEntry::Attached { file: Box::new(file), by }));
    }
    story.beside.sort_by_key(|(at, _)| *at);
    story.notes.extend(notes_on_files(messages, uploads));
    Ok(())
}

/// A room does not say what answers for its members; the agents' list may.
fn newcomer(member: &Member, agent: Option<&RoomAgent>, language: Language) -> Newcomer {
    let capabilities = agent.map(|agent| agent.capabilities.as_slice()).unwrap_or_default();
    let introduced = [member.introduce.as_str(), agent.map_or("", |agent| agent.introduce.as_str())];
    let introduced = introduced.into_iter().find(|text| !text.trim().is_empty());
    let runner = capabilities.iter().find_map(|text| runner(text));
    let role = capabilities.first().filter(|text| self::runner(text).is_none() && text.chars().count() <= 50);
    let role = role.map(String::as_str).filter(|text| !text.trim().is_empty());
    Newcomer {
        name: member.name.clone(),
        role: Role {
            name: role.unwrap_or(text!(language, "views-import-room-member")).to_owned(),
            description: introduced
                .unwrap_or(text!(language, "views-import-room-no-introduction"))
                .to_owned(),
            system_prompt: String::new(),
        },
        runner: runner.unwrap_or(RunnerSpec::Process { name: member.name.clone() }),
        skip_list: skip_list(member, agent),
    }
}

/// The skip list of the member, or else of the agent; what is longer than a skip list may be is left out.
fn skip_list(member: &Member, agent: Option<&RoomAgent>) -> Vec<String> {
    let of_agent = agent.map(|agent| agent.skip_list.as_slice()).unwrap_or_default();
    let phrases = if member.skip_list.is_empty() { of_agent } else { &member.skip_list };
    let phrases = phrases.iter().map(|phrase| clean(phrase).trim().to_owned());
    let fits = |phrase: &String| !phrase.is_empty() && phrase.chars().count() <= SKIP_PHRASE_MAX_CHARS;
    phrases.filter(fits).take(SKIP_LIST_MAX).collect()
}

/// Reads what [`RunnerSpec::label`] writes.
fn runner(label: &str) -> Option<RunnerSpec> {
    if let Some(name) = label.strip_prefix("simulated (").and_then(|rest| rest.strip_suffix(')')) {
        let temperament = serde_json::from_value(name.into()).ok()?;
        return Some(RunnerSpec::Simulated { temperament });
    }
    let (provider, model) = label.split_once('/').filter(|(provider, _)| names::is_id(provider))?;
    match provider {
        "process" => Some(RunnerSpec::Process { name: model.to_owned() }),
        "acp" => Some(RunnerSpec::acp(model)),
        "agent" => Some(RunnerSpec::External { via: TurnDelivery::Agent, name: model.to_owned() }),
        "webhook" => Some(RunnerSpec::External { via: TurnDelivery::Webhook, name: model.to_owned() }),
        "person" => Some(RunnerSpec::External { via: TurnDelivery::Person, name: model.to_owned() }),
        _ => Some(RunnerSpec::Model {
            provider: provider.to_owned(),
            model: model.to_owned(),
            parameters: ModelParameters::default(),
            price: None,
            fallback: None,
        }),
    }
}

fn rules(room: &Room) -> Rules {
    let mut rules = Format::Room.rules();
    rules.turns.people_may_speak = room.user_participation;
    rules.turns.floor = match room.interaction_mode {
        InteractionMode::Default => FloorMode::Rotation,
        InteractionMode::Host => FloorMode::Host,
    };
    rules
}

fn moderator(room: &Room, members: &[&Member]) -> Moderator {
    let host = members.iter().position(|member| member.is_host);
    match host.filter(|_| room.interaction_mode == InteractionMode::Host) {
        Some(seat) => Moderator::Agent { id: ParticipantId(number_after(seat)) },
        None => Moderator::User,
    }
}

fn announced(
    r: &Reader<'_>,
    room: &Room,
    created_at: Timestamp,
    owner: &Actor,
) -> Result<Vec<(Timestamp, SideEntry)>, LayoutError> {
    let Some(one) = room.announcement.as_ref().filter(|one| !one.user_announcement.trim().is_empty()) else {
        return Ok(Vec::new());
    };
    let field = "announcement.user_announcement";
    let text = r.text(field, &one.user_announcement, 1, ANNOUNCEMENT_MAX_CHARS)?;
    let at = r.time_if("announcement.timestamp", one.timestamp.as_ref())?.unwrap_or(created_at);
    Ok(vec![(at, SideEntry::Announced { text, by: check::by(&one.announcement_publisher, owner) })])
}

fn entries(
    r: &Reader<'_>,
    room: &Room,
    members: &[&Member],
    messages: &[RoomMessage],
    uploads: &Uploads,
) -> Result<Vec<Entry>, LayoutError> {
    r.few("messages", messages.len(), MESSAGES_MAX)?;
    let seats = || members.iter().map(|member| member.name.as_str());
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let all: BTreeMap<&str, usize> =
        messages.iter().enumerate().map(|(place, message)| (message.message_id.as_str(), place)).collect();
    let (mut entries, mut latest) = (Vec::new(), Timestamp(0));
    for (place, message) in messages.iter().enumerate() {
        let field = |name: &str| format!("messages[{place}].{name}");
        let id = r.id(&field("message_id"), &message.message_id)?;
        let answers = called_by(r, &field("response_to"), message, &places, &all)?;
        if places.insert(id, place).is_some() {
            let hint = message!("views-layout-ids-hint");
            return Err(r.wrong(field("message_id"), message!("views-layout-twice", name = id), hint));
        }
        if message.room_id != room.room_id {
            let problem = message!("views-layout-other-room", room = &message.room_id);
            return Err(r.wrong(field("room_id"), problem, message!("views-layout-other-room-hint")));
        }
        let name = r.text(&field("sender"), &message.sender, 1, 50)?;
        let passed =
            match message.text_content.contains(TIMED_OUT) || message.text_content.contains("timed out") {
                true => SkipReason::TimedOut,
                false if message.text_content.starts_with(NOT_ASKED) => SkipReason::SkipList,
                false => SkipReason::Chosen,
            };
        let upload = upload_of(message).and_then(|path| uploads.files.get(&path));
        let who = match (message.role, upload) {
            (_, Some(file)) => {
                let by = check::by(&name, &Actor::person("user", "user"));
                let file = UploadedFile { id: number_of(&message.file_url), file: file.clone() };
                EntryAuthor::Attached(Box::new(file), by)
            }
            (MemberRole::AiAgent, None) if message.visible => {
                EntryAuthor::Seat(r.seat(&field("sender"), &name, seats())?)
            }
            (MemberRole::AiAgent, None) => {
                EntryAuthor::Passed(r.seat(&field("sender"), &name, seats())?, passed)
            }
            (MemberRole::User, None) => EntryAuthor::Person(check::by(&name, &Actor::person("user", "user"))),
            (MemberRole::System, None) => EntryAuthor::Facilitator,
        };
        if !message.visible && who.seat().is_none() {
            let hint = message!("views-layout-hidden-hint");
            return Err(r.wrong(field("visible"), message!("views-layout-hidden"), hint));
        }
        let (mut mentions, mut people) = (Vec::new(), Vec::new());
        for name in &message.mentions {
            let is_person = |member: &Member| member.name == *name && member.role == MemberRole::User;
            let is_other = |member: &Member| member.name == *name && member.role == MemberRole::System;
            if !seats().any(|seat| seat == name) {
                if room.members.iter().any(is_person) {
                    let person = check::by(name, &Actor::person("user", "user")).as_person();
                    people.extend(person.filter(|person| !people.contains(person)));
                    continue;
                }
                if room.members.iter().any(is_other) {
                    continue; // the room itself is called in vain
                }
            }
            let id = r.seat(&field("mentions"), name, seats())?;
            if !mentions.contains(&id) {
                mentions.push(id);
            }
        }
        let content =
            r.text(&field("text_content"), &message.text_content, 1, NO_LIMIT_CHARS as usize + 100)?;
        latest = latest.max(r.time(&field("timestamp"), &message.timestamp)?);
        let sources = sources::read(message.quorate.as_ref());
        entries.push(Entry { at: latest, who, name, content, mentions, people, answers, sources });
    }
    Ok(entries)
}

/// The place of the earlier message that called for this one.
fn called_by(
    r: &Reader<'_>,
    field: &str,
    message: &RoomMessage,
    before: &BTreeMap<&str, usize>,
    all: &BTreeMap<&str, usize>,
) -> Result<Option<usize>, LayoutError> {
    let Some(id) = message.response_to.as_deref().filter(|id| !id.is_empty()) else { return Ok(None) };
    let shown: String = id.chars().take(60).collect();
    match (before.get(id), all.contains_key(id)) {
        (Some(place), _) => Ok(Some(*place)),
        (None, true) => Err(r.wrong(
            field,
            message!("views-layout-not-before", id = shown),
            message!("views-layout-not-before-hint"),
        )),
        (None, false) => {
            let problem = message!("views-layout-no-message", id = shown);
            Err(r.wrong(field, problem, message!("views-layout-no-message-hint")))
        }
    }
}

/// The rounds, and whether the last one still runs.
fn rounds(
    r: &Reader<'_>,
    room: &Room,
    entries: &[Entry],
    queue: Vec<ParticipantId>,
) -> Result<(Vec<Plan>, bool), LayoutError> {
    let current = room.current_round.as_ref();
    let mut ids: Vec<&str> = room.history_rounds.iter().map(String::as_str).collect();
    ids.extend(current.map(|round| round.round_id.as_str()));
    ids.dedup();
    r.few("history_rounds", ids.len(), 2 * ROUNDS_MAX as usize)?;
    let mut plans = match stated(&ids, entries) {
        Some(plans) => plans,
        None => inferred(room, entries),
    };
    let Some(current) = current else {
        let open = !plans.is_empty();
        return Ok((plans, open));
    };
    let started = r.time_if("current_round.start_time", current.start_time.as_ref())?;
    if let Some(last) = plans.last_mut() {
        last.at = started;
        last.order = queue;
    } else if !current.completed {
        plans.push(Plan { number: 1, first: entries.len(), at: started, order: queue });
    }
    Ok((plans, !current.completed))
}

/// The rounds by their ids, when all entries have one.
fn stated(ids: &[&str], entries: &[Entry]) -> Option<Vec<Plan>> {
    let mut plans: Vec<Plan> = Vec::new();
    for id in ids {
        let (number, first) = id.strip_prefix('r')?.split_once('-')?;
        let (number, first): (u32, usize) = (number.parse().ok()?, first.parse().ok()?);
        let first = first.checked_sub(1).filter(|first| *first <= entries.len())?;
        let later = plans.last().is_none_or(|last| last.number < number && last.first <= first);
        if !later || number > ROUNDS_MAX {
            return None;
        }
        plans.push(Plan { number, first, at: None, order: Vec::new() });
    }
    let begins = plans.first().map_or(entries.len(), |plan| plan.first);
    let outside = entries[..begins].iter().any(|entry| entry.who.seat().is_some());
    (!outside).then_some(plans)
}

/// The rounds inferred from the messages: a second turn of a participant begins another round, unless it was
/// called for; with a host, each message of the host begins one.
fn inferred(room: &Room, entries: &[Entry]) -> Vec<Plan> {
    let hosted = room.interaction_mode == InteractionMode::Host;
    let hosts = |entry: &Entry| {
        let host = |member: &Member| member.is_host && member.name == entry.name;
        !matches!(entry.who, EntryAuthor::Facilitator) && room.members.iter().any(host)
    };
    let mut plans: Vec<Plan> = Vec::new();
    let mut heard: Vec<ParticipantId> = Vec::new();
    for (first, entry) in entries.iter().enumerate() {
        let seat = entry.who.seat();
        let again = seat.is_some_and(|id| heard.contains(&id) && entry.answers.is_none());
        let next = match hosted {
            true => hosts(entry) || (plans.is_empty() && seat.is_some()),
            false => seat.is_some() && (plans.is_empty() || again),
        };
        if next && plans.len() < ROUNDS_MAX as usize {
            let number = number_after(plans.len());
            plans.push(Plan { number, first, at: None, order: Vec::new() });
            heard.clear();
        }
        heard.extend(seat);
    }
    plans
}
