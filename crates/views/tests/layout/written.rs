//! Files of other programs come back as they were, with ids of this program.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::Config;
use quorate_contract::*;
use quorate_views::folder_layouts::*;

use super::round_trip::keeps_the_invariants;
use super::{fails, imported, log};
use crate::support::any;

/// The year 2026, and a time of day for each number.
fn at(ms: u64) -> String {
    let (minute, second) = (ms / 60_000 % 60, ms / 1000 % 60);
    format!("2026-03-01T{:02}:{minute:02}:{second:02}.{:03}Z", 8 + ms / 3_600_000, ms % 1000)
}

fn an_agent(place: usize, name: &str, text: &str) -> AgentFile {
    AgentFile {
        id: format!("agent-{place}-x"),
        name: name.to_owned(),
        role: RoleFile {
            name: "Keeper".into(),
            description: text.to_owned(),
            system_prompt: text.to_owned(),
        },
        model_config: ModelConfigFile {
            provider: ["openai", "anthropic", "google", "glm", "simulated", "elsewhere"][place % 6].into(),
            model_name: "stubborn".into(),
            api_key: false,
            parameters: (place % 6 < 2).then_some(ParametersFile {
                temperature: Some(0.5),
                max_tokens: None,
                top_p: Some(0.9),
                effort: (place % 6 == 1).then_some(Effort::Low),
                thinking_tokens: None,
                context_tokens: None,
            }),
        },
    }
}

prop_compose! {
    fn a_meeting()(
        names in any::names(1..=6),
        topic in any::plain_words(60),
        texts in prop::collection::vec(any::plain_words(40), 1..25),
        steps in prop::collection::vec((0usize..8, 0u64..5000, any::<bool>(), 0usize..6), 1..25),
        (led, random, status) in (any::<bool>(), any::<bool>(), 0u8..3),
        (rounds, chars) in (prop::option::of(1u32..20), prop::option::of(50u32..9000)),
        (items, versions) in (0usize..4, 0usize..4),
    ) -> MeetingFile {
        let text = |n: usize| texts[n % texts.len()].clone();
        let participants: Vec<_> =
            names.iter().enumerate().map(|(place, name)| an_agent(place, name, &text(place))).collect();
        let (mut now, mut round_number) = (5000, 1);
        let messages: Vec<_> = steps.iter().enumerate().map(|(n, (who, ms, next, mentioned))| {
            now += ms;
            round_number += u32::from(*next);
            let id = format!("message-{n}-x");
            let mentions = (mentioned % 3 == 0).then(|| &participants[mentioned % participants.len()]);
            let agent = participants.get(*who);
            let person = (mentioned % 3 == 1).then(|| MentionFile {
                mentioned_participant_id: "guest:7".to_owned(),
                mentioned_participant_name: "小梅".to_owned(),
                message_id: id.clone(),
                mentioned_participant_type: Some(ModeratorType::User),
            });
            MessageFile {
                speaker_id: agent.map_or("owner".to_owned(), |agent| agent.id.clone()),
                speaker_name: agent.map_or("老王".to_owned(), |agent| agent.name.clone()),
                speaker_type: if agent.is_some() { ModeratorType::Agent } else { ModeratorType::User },
                content: text(n),
                timestamp: at(now),
                round_number,
                mentions: Some(mentions.into_iter().map(|agent| MentionFile {
                    mentioned_participant_id: agent.id.clone(),
                    mentioned_participant_name: agent.name.clone(),
                    message_id: id.clone(),
                    mentioned_participant_type: None,
                }).chain(person).collect()),
                id,
                quorate: None,
            }
        }).collect();
        let agenda = (0..items).map(|n| AgendaFile {
            id: format!("item-{n}-x"),
            title: text(n),
            description: text(n + 1),
            completed: n % 2 == 0,
            created_at: Some(at(n as u64 * 3000)),
        }).collect();
        let authors = ["user", "facilitator", "rules", "agent-0-x"];
        let minutes_history: Vec<_> = (0..versions).map(|n| MinutesFile {
            id: format!("minutes-{n}-x"),
            content: text(n),
            summary: text(n + 2),
            key_decisions: vec![text(n), text(n + 1)],
            action_items: vec![text(n)],
            created_at: Some(at(6000 + n as u64 * 4000)),
            created_by: authors[(n + usize::from(led)) % 4].into(),
            version: n as u32 + 1,
        }).collect();
        MeetingFile {
            id: "meeting-x".into(),
            language: Some(if topic.is_ascii() { "en" } else { "zh-CN" }.into()),
            topic,
            moderator_id: if led { "agent-0-x".into() } else { "user".into() },
            moderator_type: if led { ModeratorType::Agent } else { ModeratorType::User },
            agenda,
            messages,
            current_minutes: minutes_history.last().cloned(),
            minutes_history,
            config: ConfigFile {
                max_rounds: rounds,
                max_message_length: chars,
                speaking_order: if random { OrderFile::Random } else { OrderFile::Sequential },
                discussion_style: Some([Style::Formal, Style::Casual, Style::Debate][texts.len() % 3]),
                speaking_length_preferences: Some(BTreeMap::from([("agent-0-x".into(), SpeakingLength::Brief)])),
            },
            status: [StatusFile::Active, StatusFile::Paused, StatusFile::Ended][usize::from(status)],
            created_at: Some(at(0)),
            updated_at: Some(at(3_500_000)),
            participants,
        }
    }
}

prop_compose! {
    fn a_room()(
        names in any::names(1..=5),
        topic in any::plain_words(60),
        background in prop_oneof![Just(String::new()), any::plain_words(40)],
        texts in prop::collection::vec(any::plain_words(40), 1..25),
        rounds in prop::collection::vec((0usize..=5, 0u64..5000, any::<bool>()), 0..6),
        (completed, people, english, announced) in any::<(bool, bool, bool, bool)>(),
        asleep in any::<bool>(),
    ) -> Layout {
        let language = if english { "en" } else { "zh-CN" };
        let room_id = "room-x".to_owned();
        let mut clock = 1000;
        let mut messages: Vec<RoomMessage> = Vec::new();
        let mut active: Vec<String> = names.iter().map(|_| at(0)).collect();
        let mut ids = Vec::new();
        let mut current = None;
        let mut spoke = None;
        let count = rounds.len();
        for (round, (speakers, ms, skips)) in rounds.into_iter().enumerate() {
            let last = round + 1 == count;
            let speakers = if last && !completed { speakers.min(names.len()) } else { names.len() };
            let id = format!("r{}-{}", round + 1, messages.len() + 1);
            let start = at(clock);
            for (seat, name) in names.iter().enumerate().take(speakers) {
                let n = messages.len();
                clock += ms;
                active[seat] = at(clock);
                let visible = !(skips && n.is_multiple_of(3));
                let passed = if n.is_multiple_of(2) { "跳过" } else { "超时跳过" };
                messages.push(a_message(n, name, clock, language, if visible {
                    texts[n % texts.len()].clone()
                } else {
                    passed.to_owned()
                }, visible));
            }
            if people && (!last || completed) {
                let n = messages.len();
                clock += 1;
                spoke = Some(at(clock));
                let text = texts[n % texts.len()].clone();
                messages.push(RoomMessage { role: MemberRole::User, ..a_message(n, "老王", clock, language, text, true) });
            }
            let open = last && !completed;
            if !open { ids.push(id.clone()); }
            current = Some(CurrentRound {
                round_id: id,
                start_time: Some(start),
                current_agent_index: speakers as u32,
                agent_queue: names.iter().map(|name| (*name).to_owned()).collect(),
                completed: !open,
            });
        }
        let all_done = current.as_ref().is_none_or(|round| round.completed);
        let status = |seat: usize| match asleep && all_done && seat > 0 {
            true => MemberStatus::Offline,
            false => MemberStatus::Online,
        };
        let mut members: Vec<Member> = names.iter().enumerate().map(|(seat, name)| Member {
            introduce: texts[seat % texts.len()].clone(),
            status: status(seat),
            last_active: Some(active[seat].clone()),
            ..a_member(name, MemberRole::AiAgent, language)
        }).collect();
        if let Some(last) = spoke {
            members.push(Member { last_active: Some(last), ..a_member("老王", MemberRole::User, language) });
        }
        let room_agents = members.iter().take(names.len()).enumerate().map(|(seat, member)| RoomAgent {
            agent_id: format!("agent-{seat}-x"),
            name: member.name.clone(),
            introduce: member.introduce.clone(),
            rooms: vec![room_id.clone()],
            status: member.status,
            last_active: member.last_active.clone(),
            capabilities: vec!["Keeper".into(), ["lab/talker", "simulated (stubborn)", "process/reviewer"][seat % 3].into()],
            skip_list: Vec::new(),
            language_support: vec![language.into()],
            preferred_language: language.into(),
            timezone: "Asia/Shanghai".into(),
        }).collect();
        let short: String = topic.chars().take(10).collect::<String>().trim().to_owned();
        let announcement = match announced {
            true => RoomAnnouncement {
                user_announcement: texts[0].clone(),
                announcement_publisher: "老王".into(),
                timestamp: Some(at(500)),
                system_announcement: background,
            },
            false => RoomAnnouncement { system_announcement: background, ..RoomAnnouncement::default() },
        };
        let room = Room {
            room_id: room_id.clone(),
            room_name: "tea-room".into(),
            room_description: short,
            created_at: Some(at(0)),
            created_by: "老王".into(),
            password: false,
            interaction_mode: InteractionMode::Default,
            user_participation: people,
            system_status: SystemStatus::Paused,
            language: language.into(),
            timezone: "Asia/Shanghai".into(),
            members,
            announcement: Some(announcement),
            current_round: current,
            history_rounds: ids,
            settings: RoomSettings::default(),
            quorate: None,
        };
        Layout {
            room_agents,
            rooms: vec![room],
            messages: BTreeMap::from([(room_id, messages)]),
            ..Layout::default()
        }
    }
}

fn a_message(n: usize, sender: &str, ms: u64, language: &str, text: String, visible: bool) -> RoomMessage {
    RoomMessage {
        message_id: format!("message-{n}-x"),
        room_id: "room-x".into(),
        timestamp: at(ms),
        sender: sender.to_owned(),
        role: MemberRole::AiAgent,
        text_content: text,
        text_content_i18n: None,
        source_language: language.into(),
        file_url: String::new(),
        file_type: String::new(),
        mentions: Vec::new(),
        visible,
        processed: true,
        response_to: None,
        display_timezone: "Asia/Shanghai".into(),
        quorate: None,
    }
}

fn a_member(name: &str, role: MemberRole, language: &str) -> Member {
    Member {
        name: name.to_owned(),
        role,
        introduce: String::new(),
        status: MemberStatus::Online,
        last_active: None,
        is_host: false,
        skip_list: Vec::new(),
        language_preference: language.into(),
        timezone_preference: "Asia/Shanghai".into(),
    }
}

/// One layout with the ids of another, place by place.
fn renamed(layout: &Layout, ids: Vec<(String, String)>) -> Result<Layout, TestCaseError> {
    let mut texts: Files = files(layout);
    for text in texts.values_mut() {
        for (before, after) in &ids {
            *text = text.replace(&format!("\"{before}\""), &format!("\"{after}\""));
        }
    }
    read(&texts).map_err(fails)
}

proptest! {
    #![proptest_config(Config { cases: 128, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_meeting_file_comes_back_as_it_was(file in a_meeting()) {
        let layout = Layout { agents: file.participants.clone(), meetings: vec![file], ..Layout::default() };
        let all = imported(&layout).map_err(fails)?;
        let events = log(&all[0], "meeting-x");
        keeps_the_invariants(&events)?;
        let again = export(&events);
        let (before, after) = (&layout.meetings[0], &again.meetings[0]);
        let mut ids: Vec<(String, String)> = Vec::new();
        ids.extend(before.participants.iter().zip(&after.participants).map(|(b, a)| (b.id.clone(), a.id.clone())));
        ids.extend(before.messages.iter().zip(&after.messages).map(|(b, a)| (b.id.clone(), a.id.clone())));
        ids.extend(before.agenda.iter().zip(&after.agenda).map(|(b, a)| (b.id.clone(), a.id.clone())));
        ids.extend(
            before.minutes_history.iter().zip(&after.minutes_history).map(|(b, a)| (b.id.clone(), a.id.clone())),
        );
        let mut expected = renamed(&layout, ids)?;
        expected.agents.sort_by(|a, b| a.id.cmp(&b.id));
        if expected.meetings[0].status == StatusFile::Active {
            expected.meetings[0].status = StatusFile::Paused; // until it is resumed
        }
        prop_assert_eq!(&expected.meetings, &again.meetings);
        prop_assert_eq!(&expected.agents, &again.agents);
    }

    #[test]
    fn a_room_comes_back_as_it_was(layout in a_room()) {
        let all = imported(&layout).map_err(fails)?;
        let events = log(&all[0], "room-x");
        keeps_the_invariants(&events)?;
        let mut again = export(&events);
        let mut ids: Vec<(String, String)> = Vec::new();
        let (before, after) = (&layout.messages["room-x"], &again.messages["room-x"]);
        ids.extend(before.iter().zip(after).map(|(b, a)| (b.message_id.clone(), a.message_id.clone())));
        let agents = layout.room_agents.iter().zip(&again.room_agents);
        ids.extend(agents.map(|(b, a)| (b.agent_id.clone(), a.agent_id.clone())));
        (again.agents, again.meetings) = Default::default();
        again.rooms[0].quorate = None;
        prop_assert_eq!(renamed(&layout, ids)?, again);
    }
}
