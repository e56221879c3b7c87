//! The example folders of the requirements, without their comments.

use quorate_contract::*;
use quorate_core::*;
use quorate_views::folder_layouts::*;

use super::round_trip::keeps_the_invariants;
use super::{folded, imported, log};

pub fn meetings() -> Files {
    Files::from([
        ("agents/agent-1.json".into(), include_str!("fixtures/agent-1.json").into()),
        ("meetings/meeting-1.json".into(), include_str!("fixtures/meeting-1.json").into()),
    ])
}

pub fn rooms() -> Files {
    Files::from([
        ("agents.json".into(), include_str!("fixtures/agents.json").into()),
        ("rooms.json".into(), include_str!("fixtures/rooms.json").into()),
        ("room_messages/tea-room-1.json".into(), include_str!("fixtures/tea-room-1.json").into()),
    ])
}

fn noted(imported: &Imported) -> String {
    imported.notes.iter().map(|note| note.in_language(Language::Zh)).collect()
}

#[test]
fn a_meeting_file_of_the_document_becomes_a_meeting() {
    let layout = read(&meetings()).expect("it is read");
    let all = imported(&layout).expect("it is imported");
    assert!(noted(&all[0]).contains("密钥"), "{}", noted(&all[0]));
    let events = log(&all[0], "m");
    keeps_the_invariants(&events).expect("the invariants hold");
    assert!(!events.iter().any(|event| event.to_json().contains("sk-planted")), "a key is in no event");
    let m = folded(&events);
    assert_eq!((m.settings.topic.as_str(), m.settings.format), ("该用哪种数据库？", Format::Discussion));
    assert_eq!(m.rules().limits.max_rounds, 5);
    assert_eq!(m.rules().talk.lengths.get("林晚"), Some(&SpeakingLength::Brief));
    let told: Vec<_> =
        m.said.iter().map(|said| (said.round, said.name.as_str(), said.content.as_str())).collect();
    assert_eq!(
        told,
        [
            (1, "用户", "@林晚 先说说"),
            (1, "林晚", "先用 SQLite。"),
            (1, "Ben", "同意，但要有备份。"),
            (2, "林晚", "备份每晚一次。"),
        ]
    );
    assert_eq!(m.said[0].mentions, [ParticipantId(1)]);
    assert_eq!(m.said[1].at, Timestamp(1_772_353_860_000));
    assert_eq!(
        m.agenda.iter().map(|item| (item.title.as_str(), item.completed)).collect::<Vec<_>>(),
        [("备份", true)]
    );
    let minutes = m.current_minutes().expect("there are minutes");
    assert_eq!((minutes.covers, minutes.author.clone()), (3, Actor::Participant { id: ParticipantId(2) }));
    assert!(m.is_paused(), "it was active, and can be resumed");
    assert_eq!(newcomers(&layout).expect("an agent")[0].name, "林晚");
}

#[test]
fn a_room_of_the_document_becomes_a_meeting() {
    let layout = read(&rooms()).expect("it is read");
    let all = imported(&layout).expect("it is imported");
    for word in ["密码", "文件没有读入", "进程"] {
        assert!(noted(&all[0]).contains(word), "{word}: {}", noted(&all[0]));
    }
    let events = log(&all[0], "r");
    keeps_the_invariants(&events).expect("the invariants hold");
    assert!(!events.iter().any(|event| event.to_json().contains("opensesame")), "a password is in no event");
    let m = folded(&events);
    assert_eq!((m.settings.topic.as_str(), m.settings.format), ("茶水间", Format::Room));
    assert_eq!(m.settings.background, "欢迎大家");
    assert_eq!(m.title(), "tea-room", "its name");
    let display = &m.settings.details.display;
    assert_eq!(display.time_zone.as_ref().map(TimeZoneName::as_str), Some("Asia/Shanghai"));
    assert_eq!(display.time_format, Some(TimeFormat::TwentyFourHours));
    let told: Vec<_> =
        m.said.iter().map(|said| (said.round, said.name.as_str(), said.content.as_str())).collect();
    assert_eq!(
        told,
        [(1, "Ada", "早上好"), (1, "老王", "@Ben 你呢"), (1, "Ben", "也早"), (2, "Ben", "再来一轮")]
    );
    let round = m.round().expect("a round");
    assert_eq!(
        round.turns.iter().map(|turn| turn.state).collect::<Vec<_>>(),
        [TurnState::Skipped, TurnState::Said(MessageId(4))]
    );
    let called = m.turn(TurnId { round: 1, place: 2 }).expect("Ben's turn");
    assert_eq!(called.reason, TurnReason::Mentioned { by: MessageId(2) });
    assert_eq!(m.announcements.last().expect("one").text, "周五休息");
}

/// Messages may lie in a room's file by their ids, or only in files of their own.
#[test]
fn messages_are_found_wherever_they_lie() {
    let whole = read(&rooms()).expect("it is read");
    let mut texts = files(&whole);
    let ids: Vec<_> =
        whole.messages["tea-room-1"].iter().map(|message| message.message_id.as_str()).collect();
    let by_id = serde_json::to_string(&ids).expect("ids");
    texts.insert("room_messages/tea-room-1.json".into(), by_id);
    assert_eq!(read(&texts).expect("by id").messages, whole.messages);
    texts.remove("room_messages/tea-room-1.json");
    assert_eq!(read(&texts).expect("by room").messages, whole.messages);
}

#[test]
fn rooms_of_several_exports_gather_in_one_folder() {
    let mut first = export(&log(&imported(&read(&rooms()).unwrap()).unwrap()[0], "one"));
    let second = export(&log(&imported(&read(&rooms()).unwrap()).unwrap()[0], "two"));
    let mut folder = files(&first);
    for layout in [second.clone(), second] {
        let mut layout = layout;
        merge(&mut layout, &folder).expect("it is merged");
        folder.extend(files(&layout));
    }
    let both = read(&folder).expect("it is read");
    assert_eq!(both.rooms.iter().map(|room| room.room_id.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(both.room_agents[0].rooms, ["one", "two"]);
    assert_eq!(both.room_agents.len(), first.room_agents.len());
    first.messages.extend(both.messages.clone());
    assert_eq!(first.messages, both.messages);
}

/// What another program edits in the fields of the document holds over what stands beside them.
#[test]
fn an_edited_field_of_a_room_holds() {
    let room = |edit: &dyn Fn(&mut Room)| {
        let mut layout = read(&rooms()).expect("it is read");
        let mut events = log(&imported(&layout).expect("it is imported")[0], "one");
        let EventBody::MeetingCreated { details, .. } = &mut events[0].body else { panic!("created") };
        (details.title, details.description) = ("茶水间的事".into(), "每周五下午大家一起聊聊".into());
        layout = export(&events);
        layout.meetings.clear();
        edit(&mut layout.rooms[0]);
        let again = imported(&layout).expect("it is imported").remove(0);
        (folded(&log(&again, "again")).settings.details.clone(), noted(&again))
    };
    let (whole, _) = room(&|room| assert_eq!(room.room_description, "每周五下午大家一起…"));
    assert_eq!((whole.title.as_str(), whole.description.as_str()), ("茶水间的事", "每周五下午大家一起聊聊"));
    let (edited, _) = room(&|room| {
        room.room_name = "friday".into();
        room.room_description = "每周五".into();
        room.timezone = "Europe/Berlin".into();
        room.settings.display_date_format = "dd.MM.yyyy".into();
    });
    assert_eq!((edited.title.as_str(), edited.description.as_str()), ("friday", "每周五"));
    assert_eq!(edited.display.time_zone.expect("a zone").as_str(), "Europe/Berlin");
    assert_eq!(edited.display.date_format.expect("a pattern").as_str(), "dd.MM.yyyy");
    let (unknown, notes) = room(&|room| room.timezone = "Mars/Olympus".into());
    assert_eq!(unknown.display.time_zone, None);
    assert!(notes.contains("Mars/Olympus"), "{notes}");
}
