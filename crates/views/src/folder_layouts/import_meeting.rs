//! Import of a meeting from the `meetings/` layout, without trust in its contents.

use std::collections::BTreeSet;

use quorate_contract::{
    Actor, Format, LayoutKind, MeetingDetails, Minutes, MinutesItem, ModelParameters, Moderator, Newcomer,
    ParticipantId, Person, Phrase, ROUNDS_MAX, Role, Rules, RunnerSpec, SpeakingOrder, TOPIC_MAX_CHARS,
    Timestamp, TurnDelivery,
};
use quorate_messages::{Language, message};

use super::check::{MESSAGES_MAX, Reader};
use super::export::{FACILITATOR, RULES};
use super::export_meeting::NO_LIMIT_CHARS;
use super::import::{Entry, EntryAuthor, ImportedMeeting, Plan, SideEntry};
use super::{
    AgentFile, Layout, LayoutError, MeetingFile, MessageFile, MinutesFile, ModeratorType, OrderFile,
    StatusFile, check, sources,
};

/// The most agenda items, versions of the minutes, or lines of one of them.
const LIST_MAX: usize = 1000;

pub(super) fn read(
    layout: &Layout,
    file: &MeetingFile,
    now: Timestamp,
    by: &Actor,
) -> Result<ImportedMeeting, LayoutError> {
    let path = format!("meetings/{}.json", file.id);
    let r = Reader { file: &path, now };
    r.id("id", &file.id)?;
    let topic = r.text("topic", &file.topic, 1, TOPIC_MAX_CHARS)?;
    let language = match file.language.as_deref() {
        Some(named) if named.starts_with("zh") => Language::Zh,
        Some(named) if named.starts_with("en") => Language::En,
        Some(_) | None => check::language(&topic),
    };
    let seats = seats(&r, file)?;
    let created_at = r.time_if("created_at", file.created_at.as_ref())?;
    let entries = messages(&r, file, by)?;
    let created_at = created_at.or(entries.first().map(|entry| entry.at)).unwrap_or(now);
    let rounds = rounds(&r, file, &entries)?;
    let mut beside = agenda(&r, file, created_at)?;
    beside.extend(minutes(&r, file, by, &entries)?);
    beside.sort_by_key(|(at, _)| *at);
    let ended = file.status == StatusFile::Ended;
    Ok(ImportedMeeting {
        kind: LayoutKind::Meetings,
        from: file.id.clone(),
        name: String::new(),
        details: MeetingDetails::default(),
        background: String::new(),
        language,
        format: Format::Discussion,
        rules: rules(&r, file)?,
        moderator: moderator(&r, file)?,
        offline: Vec::new(),
        created_by: by.clone(),
        created_at,
        updated_at: r.time_if("updated_at", file.updated_at.as_ref())?.unwrap_or(created_at),
        beside,
        open: !ended && !rounds.is_empty(),
        entries,
        rounds,
        ended,
        notes: notes(layout, file),
        topic,
        seats,
        file: path.clone(),
    })
}

fn notes(layout: &Layout, file: &MeetingFile) -> Vec<Phrase> {
    let keys = |agents: &[AgentFile]| agents.iter().any(|agent| agent.model_config.api_key);
    let mut notes = Vec::new();
    if keys(&file.participants) || keys(&layout.agents) {
        notes.push(message!("note-keys-not-imported").into());
    }
    if file.status == StatusFile::Active {
        notes.push(message!("note-rests-until-resumed").into());
    }
    notes
}

/// The agents of a folder, as they can be taken into the library, each with its file.
///
/// # Errors
/// The first one that cannot sit at a table.
pub fn newcomers(layout: &Layout) -> Result<Vec<Newcomer>, LayoutError> {
    let mut all: Vec<Newcomer> = Vec::new();
    for agent in &layout.agents {
        let path = format!("agents/{}.json", agent.id);
        let r = Reader { file: &path, now: Timestamp(0) };
        r.id("id", &agent.id)?;
        let newcomer = newcomer(&r, "agent", agent)?;
        r.table("agent", std::slice::from_ref(&newcomer))?;
        if !all.contains(&newcomer) {
            all.push(newcomer);
        }
    }
    Ok(all)
}

fn seats(r: &Reader<'_>, file: &MeetingFile) -> Result<Vec<Newcomer>, LayoutError> {
    let mut seats = Vec::new();
    for (place, agent) in file.participants.iter().enumerate() {
        let field = format!("participants[{place}]");
        r.id(&format!("{field}.id"), &agent.id)?;
        if file.participants[..place].iter().any(|other| other.id == agent.id) {
            let problem = message!("views-layout-twice", name = &agent.id);
            return Err(r.wrong(format!("{field}.id"), problem, message!("views-layout-ids-hint")));
        }
        seats.push(newcomer(r, &field, agent)?);
    }
    r.table("participants", &seats)?;
    Ok(seats)
}

fn newcomer(r: &Reader<'_>, field: &str, agent: &AgentFile) -> Result<Newcomer, LayoutError> {
    let config = &agent.model_config;
    let runner = match config.provider.as_str() {
        "simulated" => {
            let temperament = serde_json::from_value(config.model_name.as_str().into());
            let Ok(temperament) = temperament else {
                let problem = message!("views-layout-no-temperament", name = &config.model_name);
                let field = format!("{field}.model_config.model_name");
                return Err(r.wrong(field, problem, message!("views-layout-no-temperament-hint")));
            };
            RunnerSpec::Simulated { temperament }
        }
        "process" => RunnerSpec::Process { name: config.model_name.clone() },
        "acp" => RunnerSpec::acp(&config.model_name),
        "agent" => RunnerSpec::External { via: TurnDelivery::Agent, name: config.model_name.clone() },
        "webhook" => RunnerSpec::External { via: TurnDelivery::Webhook, name: config.model_name.clone() },
        "person" => RunnerSpec::External { via: TurnDelivery::Person, name: config.model_name.clone() },
        _ => {
            let given = config.parameters.unwrap_or_default();
            let provider = r.text(&format!("{field}.model_config.provider"), &config.provider, 1, 50)?;
            r.id(&format!("{field}.model_config.provider"), &provider)?;
            RunnerSpec::Model {
                provider,
                model: config.model_name.clone(),
                parameters: ModelParameters {
                    temperature: given.temperature,
                    top_p: given.top_p,
                    max_tokens: given.max_tokens,
                    effort: given.effort,
                    thinking_tokens: given.thinking_tokens,
                    context_tokens: given.context_tokens,
                },
                price: None,
                fallback: None,
            }
        }
    };
    let role = &agent.role;
    Ok(Newcomer {
        name: agent.name.clone(),
        role: Role {
            name: role.name.clone(),
            description: role.description.clone(),
            system_prompt: role.system_prompt.clone(),
        },
        runner,
        skip_list: Vec::new(),
    })
}

fn moderator(r: &Reader<'_>, file: &MeetingFile) -> Result<Moderator, LayoutError> {
    match file.moderator_type {
        ModeratorType::User => Ok(Moderator::User),
        ModeratorType::Agent => {
            let id = r.seat("moderator_id", &file.moderator_id, ids(file))?;
            Ok(Moderator::Agent { id })
        }
    }
}

fn ids(file: &MeetingFile) -> impl Iterator<Item = &str> {
    file.participants.iter().map(|agent| agent.id.as_str())
}

fn rules(r: &Reader<'_>, file: &MeetingFile) -> Result<Rules, LayoutError> {
    let mut rules = Format::Discussion.rules();
    let config = &file.config;
    let within = |field: &str, value: u32, min: u32, max: u32| match (min..=max).contains(&value) {
        true => Ok(value),
        false => Err(r.wrong(
            format!("config.{field}"),
            message!("views-layout-number-is", %value),
            message!("views-layout-number-or-null", %min, %max),
        )),
    };
    let chars = config.max_message_length.unwrap_or(NO_LIMIT_CHARS);
    rules.limits.max_rounds = within("max_rounds", config.max_rounds.unwrap_or(ROUNDS_MAX), 1, ROUNDS_MAX)?;
    rules.turns.max_message_chars = within("max_message_length", chars, 50, NO_LIMIT_CHARS)?;
    rules.turns.order = match config.speaking_order {
        OrderFile::Sequential => SpeakingOrder::Sequential,
        OrderFile::Random => SpeakingOrder::Random,
    };
    if config.discussion_style.is_some() {
        rules.talk.style = config.discussion_style;
    }
    for (id, length) in config.speaking_length_preferences.iter().flatten() {
        let seat = r.seat("config.speaking_length_preferences", id, ids(file))?;
        let agent = &file.participants[seat.0 as usize - 1];
        rules.talk.lengths.insert(agent.name.clone(), *length);
    }
    Ok(rules)
}

fn agenda(
    r: &Reader<'_>,
    file: &MeetingFile,
    created_at: Timestamp,
) -> Result<Vec<(Timestamp, SideEntry)>, LayoutError> {
    r.few("agenda", file.agenda.len(), LIST_MAX)?;
    let (mut items, mut seen, mut latest) = (Vec::new(), BTreeSet::new(), created_at);
    for (place, item) in file.agenda.iter().enumerate() {
        let field = |name: &str| format!("agenda[{place}].{name}");
        unique(r, &field("id"), &item.id, &mut seen)?;
        let title = r.text(&field("title"), &item.title, 1, 200)?;
        let description = r.text(&field("description"), &item.description, 0, 2000)?;
        // Items keep the order of the file, independent of their times.
        latest = latest.max(r.time_if(&field("created_at"), item.created_at.as_ref())?.unwrap_or(latest));
        items.push((latest, SideEntry::Agenda { title, description, completed: item.completed }));
    }
    Ok(items)
}

fn unique<'a>(
    r: &Reader<'_>,
    field: &str,
    id: &'a str,
    seen: &mut BTreeSet<&'a str>,
) -> Result<(), LayoutError> {
    match seen.insert(r.id(field, id)?) {
        true => Ok(()),
        false => {
            let problem = message!("views-layout-twice", name = id);
            Err(r.wrong(field, problem, message!("views-layout-ids-hint")))
        }
    }
}

fn messages(r: &Reader<'_>, file: &MeetingFile, by: &Actor) -> Result<Vec<Entry>, LayoutError> {
    r.few("messages", file.messages.len(), MESSAGES_MAX)?;
    let (mut entries, mut seen, mut latest) = (Vec::new(), BTreeSet::new(), Timestamp(0));
    for (place, message) in file.messages.iter().enumerate() {
        unique(r, &format!("messages[{place}].id"), &message.id, &mut seen)?;
        let mut entry = said(r, file, place, message, by)?;
        latest = latest.max(entry.at);
        entry.at = latest;
        entries.push(entry);
    }
    Ok(entries)
}

fn said(
    r: &Reader<'_>,
    file: &MeetingFile,
    place: usize,
    message: &MessageFile,
    by: &Actor,
) -> Result<Entry, LayoutError> {
    let field = |name: &str| format!("messages[{place}].{name}");
    let (who, name) = match message.speaker_type {
        ModeratorType::User => {
            let name = r.text(&field("speaker_name"), &message.speaker_name, 0, 50)?;
            let name = if name.is_empty() { "User".to_owned() } else { name };
            (EntryAuthor::Person(check::by(&message.speaker_id, by)), name)
        }
        ModeratorType::Agent
            if message.speaker_id == FACILITATOR && !ids(file).any(|id| id == FACILITATOR) =>
        {
            (EntryAuthor::Facilitator, r.text(&field("speaker_name"), &message.speaker_name, 1, 50)?)
        }
        ModeratorType::Agent => {
            let id = r.seat(&field("speaker_id"), &message.speaker_id, ids(file))?;
            (EntryAuthor::Seat(id), file.participants[id.0 as usize - 1].name.clone())
        }
    };
    let (mut mentions, mut people) = (Vec::new(), Vec::new());
    for mention in message.mentions.iter().flatten() {
        if !ids(file).any(|id| id == mention.mentioned_participant_id)
            && mention.mentioned_participant_id == "user"
        {
            continue; // nobody in particular
        }
        if mention.mentioned_participant_type == Some(ModeratorType::User) {
            let named = r.text(&field("mentions"), &mention.mentioned_participant_name, 0, 100)?;
            let person = check::by(&mention.mentioned_participant_id, by).as_person();
            let person = person.map(|known| match named.is_empty() {
                true => known,
                false => Person { name: named, ..known },
            });
            people.extend(person.filter(|person| !people.contains(person)));
            continue;
        }
        let id = r.seat(&field("mentions"), &mention.mentioned_participant_id, ids(file))?;
        if !mentions.contains(&id) {
            mentions.push(id);
        }
    }
    let content = r.text(&field("content"), &message.content, 1, NO_LIMIT_CHARS as usize + 100)?;
    let at = r.time(&field("timestamp"), &message.timestamp)?;
    let sources = sources::read(message.quorate.as_ref());
    Ok(Entry { at, who, name, content, mentions, people, answers: None, sources })
}

/// A round begins with the first message that bears its number, unless only people spoke before it.
fn rounds(r: &Reader<'_>, file: &MeetingFile, entries: &[Entry]) -> Result<Vec<Plan>, LayoutError> {
    let mut plans: Vec<Plan> = Vec::new();
    let mut number = 0;
    for (place, message) in file.messages.iter().enumerate() {
        let field = format!("messages[{place}].round_number");
        if message.round_number < number {
            let problem =
                message!("views-layout-round-order", round = %message.round_number, before = %number);
            return Err(r.wrong(field, problem, message!("views-layout-round-order-hint")));
        }
        if message.round_number > ROUNDS_MAX {
            let problem = message!("views-layout-number-is", value = %message.round_number);
            let hint = message!("views-layout-number", min = "0", max = %ROUNDS_MAX);
            return Err(r.wrong(field, problem, hint));
        }
        number = message.round_number;
        let begun = plans.last().is_some_and(|plan| plan.number == number);
        if !begun && (number > 0 || entries[place].who.seat().is_some()) {
            plans.push(Plan { number, first: place, at: None, order: Vec::new() });
        }
    }
    Ok(plans)
}

fn minutes(
    r: &Reader<'_>,
    file: &MeetingFile,
    by: &Actor,
    entries: &[Entry],
) -> Result<Vec<(Timestamp, SideEntry)>, LayoutError> {
    let mut history: Vec<&MinutesFile> = file.minutes_history.iter().collect();
    if let Some(current) = &file.current_minutes {
        match history.last() {
            Some(last) if last.version == current.version && *last == current => {}
            Some(last) if last.version >= current.version => {
                let problem = message!("views-layout-not-last-minutes");
                return Err(r.wrong(
                    "current_minutes",
                    problem,
                    message!("views-layout-not-last-minutes-hint"),
                ));
            }
            Some(_) | None => history.push(current),
        }
    }
    r.few("minutes_history", history.len(), LIST_MAX)?;
    let (mut all, mut version, mut latest) = (Vec::new(), 0, Timestamp(0));
    for (place, one) in history.into_iter().enumerate() {
        let field = |name: &str| format!("minutes_history[{place}].{name}");
        if one.version <= version || one.version > 1_000_000 {
            let problem = message!("views-layout-version-order", version = %one.version, before = %version);
            return Err(r.wrong(field("version"), problem, message!("views-layout-version-order-hint")));
        }
        version = one.version;
        let lines = |name: &str, lines: &[String]| {
            r.few(&field(name), lines.len(), LIST_MAX)?;
            let items = lines.iter().map(|line| {
                let text = r.text(&field(name), line, 1, 2000)?;
                Ok(MinutesItem { text, ..MinutesItem::default() })
            });
            items.collect::<Result<Vec<_>, LayoutError>>()
        };
        let minutes = Minutes {
            content: r.text(&field("content"), &one.content, 1, 20_000)?,
            summary: r.text(&field("summary"), &one.summary, 0, 20_000)?,
            decisions: lines("key_decisions", &one.key_decisions)?,
            actions: lines("action_items", &one.action_items)?,
            risks: Vec::new(),
        };
        let seat = ids(file).position(|id| id == one.created_by);
        let author = match (seat, one.created_by.as_str()) {
            (Some(seat), _) => Actor::participant(ParticipantId(quorate_core::number_after(seat))),
            (None, FACILITATOR) => Actor::Facilitator,
            (None, RULES) => Actor::System,
            (None, person) => check::by(person, by),
        };
        let at = r.time_if(&field("created_at"), one.created_at.as_ref())?;
        latest = latest.max(at.or(entries.last().map(|entry| entry.at)).unwrap_or(latest));
        all.push((latest, SideEntry::Minutes { version, author, minutes }));
    }
    Ok(all)
}
