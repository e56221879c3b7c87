//! Export of a meeting into the `meetings/` layout.

use quorate_contract::{
    Actor, MinutesItem, ModelParameters, Moderator, Participant, ROUNDS_MAX, RunnerSpec, SpeakingOrder, Style,
};
use quorate_core::{MeetingMessage, MinutesVersion, Seat};

use super::export::{DetailedMeeting, iso};
use super::export_room::language;
use super::{
    AgendaFile, AgentFile, ConfigFile, MeetingFile, MentionFile, MessageFile, MinutesFile, ModelConfigFile,
    ModeratorType, OrderFile, ParametersFile, RoleFile, StatusFile, names, sources, time,
};

/// From this length on a message counts as not limited.
pub(super) const NO_LIMIT_CHARS: u32 = 100_000;

pub(super) fn meeting(detailed: &DetailedMeeting) -> MeetingFile {
    let m = &detailed.meeting;
    let (moderator_type, moderator_id) = match m.settings.moderator {
        Moderator::User => (ModeratorType::User, "user".to_owned()),
        Moderator::Agent { id } => (ModeratorType::Agent, detailed.agent_id(id)),
    };
    let minutes: Vec<_> = m.minutes.iter().map(|version| minutes(detailed, version)).collect();
    MeetingFile {
        id: m.id.to_string(),
        topic: m.settings.topic.clone(),
        language: Some(language(detailed)),
        participants: m.seats.iter().map(|seat| agent(&seat.participant)).collect(),
        moderator_id,
        moderator_type,
        agenda: agenda(detailed),
        messages: m.said.iter().map(|said| message(detailed, said)).collect(),
        current_minutes: minutes.last().cloned(),
        minutes_history: minutes,
        config: config(detailed),
        status: match (m.is_over(), m.is_paused()) {
            (true, _) => StatusFile::Ended,
            (false, true) => StatusFile::Paused,
            (false, false) => StatusFile::Active,
        },
        created_at: iso(m.settings.created_at),
        updated_at: iso(m.updated_at),
    }
}

fn agent(participant: &Participant) -> AgentFile {
    let role = &participant.role;
    let (provider, model_name, parameters) = match &participant.runner {
        RunnerSpec::Model { provider, model, parameters, .. } => {
            let ModelParameters { temperature, top_p, max_tokens, effort, thinking_tokens, context_tokens } =
                *parameters;
            let given = *parameters != ModelParameters::default();
            let parameters = given.then_some(ParametersFile {
                temperature,
                max_tokens,
                top_p,
                effort,
                thinking_tokens,
                context_tokens,
            });
            (provider.clone(), model.clone(), parameters)
        }
        RunnerSpec::Simulated { temperament } => {
            let name = serde_json::to_value(temperament).ok();
            let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or_default();
            ("simulated".to_owned(), name.to_owned(), None)
        }
        RunnerSpec::Process { name } => ("process".to_owned(), name.clone(), None),
        RunnerSpec::Acp { name, folder } => ("acp".to_owned(), [name.as_str(), folder].join("/"), None),
        RunnerSpec::External { via, name } => (via.as_str().to_owned(), name.clone(), None),
    };
    AgentFile {
        id: names::agent(participant),
        name: participant.name.clone(),
        role: RoleFile {
            name: role.name.clone(),
            description: role.description.clone(),
            system_prompt: role.system_prompt.clone(),
        },
        model_config: ModelConfigFile { provider, model_name, api_key: false, parameters },
    }
}

fn agenda(detailed: &DetailedMeeting) -> Vec<AgendaFile> {
    let items = detailed.meeting.agenda.iter().map(|item| AgendaFile {
        id: item.id.to_string(),
        title: item.title.clone(),
        description: item.description.clone(),
        completed: item.completed,
        created_at: detailed.agenda_at.get(&item.id).map(|at| time::iso(*at)),
    });
    items.collect()
}

fn message(detailed: &DetailedMeeting, said: &MeetingMessage) -> MessageFile {
    let id = detailed.message_id(said.id);
    let mentions = said.mentions.iter().map(|mentioned| MentionFile {
        mentioned_participant_id: detailed.agent_id(*mentioned),
        mentioned_participant_name: detailed.meeting.name_of(*mentioned),
        message_id: id.clone(),
        mentioned_participant_type: None,
    });
    let people = said.mentioned_people.iter().map(|person| MentionFile {
        mentioned_participant_id: person.id.clone(),
        mentioned_participant_name: person.name.clone(),
        message_id: id.clone(),
        mentioned_participant_type: Some(ModeratorType::User),
    });
    MessageFile {
        mentions: Some(mentions.chain(people).collect()),
        speaker_id: detailed.actor_id(&said.speaker),
        speaker_name: said.speaker_name(detailed.meeting.language()).to_owned(),
        speaker_type: match said.speaker {
            Actor::Participant { .. } | Actor::Facilitator | Actor::System => ModeratorType::Agent,
            Actor::Person { .. } => ModeratorType::User,
        },
        content: said.text(detailed.meeting.language()).into_owned(),
        timestamp: time::iso(said.at),
        round_number: said.round,
        quorate: sources::of(said, &detailed.tools),
        id,
    }
}

fn minutes(detailed: &DetailedMeeting, version: &MinutesVersion) -> MinutesFile {
    let lines = |items: &[MinutesItem]| items.iter().map(line).collect();
    let minutes = &version.minutes;
    MinutesFile {
        id: names::uuid(&["minutes", detailed.meeting.id.as_str(), &version.version.to_string()]),
        content: minutes.content.clone(),
        summary: minutes.summary.clone(),
        key_decisions: lines(&minutes.decisions),
        action_items: lines(&minutes.actions),
        created_at: iso(version.at),
        created_by: detailed.actor_id(&version.author),
        version: version.version,
    }
}

fn line(item: &MinutesItem) -> String {
    match &item.who {
        Some(who) => format!("{} — {who}", item.text),
        None => item.text.clone(),
    }
}

fn config(detailed: &DetailedMeeting) -> ConfigFile {
    let m = &detailed.meeting;
    let rules = m.rules();
    let by_name = |seat: &Seat| {
        let length = rules.talk.lengths.get(&seat.participant.name)?;
        Some((names::agent(&seat.participant), *length))
    };
    let max_chars = rules.turns.max_message_chars;
    ConfigFile {
        max_rounds: Some(rules.limits.max_rounds).filter(|rounds| *rounds < ROUNDS_MAX),
        max_message_length: Some(max_chars).filter(|chars| *chars < NO_LIMIT_CHARS),
        speaking_order: match rules.turns.order {
            SpeakingOrder::Sequential | SpeakingOrder::Rotating => OrderFile::Sequential,
            SpeakingOrder::Random => OrderFile::Random,
        },
        discussion_style: Some(rules.talk.style.unwrap_or(Style::Formal)),
        speaking_length_preferences: Some(m.seats.iter().filter_map(|seat| by_name(seat)).collect()),
    }
}
