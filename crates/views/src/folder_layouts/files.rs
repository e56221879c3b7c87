//! Between a layout and the texts of its files. Reading and writing files is done elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use quorate_messages::{decoding_problem, message};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Layout, LayoutError, Room, RoomAgent, RoomMessage, names};

/// Texts by their path in the folder, with `/` between its parts.
pub type Files = BTreeMap<String, String>;

/// The longest file that is read.
pub const FILE_MAX_BYTES: u64 = 8 * 1024 * 1024;
/// The most meetings, agents, or rooms of a folder.
const ENTRIES_MAX: usize = 10_000;

/// The files of a layout.
pub fn files(layout: &Layout) -> Files {
    let mut files = Files::new();
    for agent in &layout.agents {
        files.insert(format!("agents/{}.json", agent.id), json(agent));
    }
    for meeting in &layout.meetings {
        files.insert(format!("meetings/{}.json", meeting.id), json(meeting));
    }
    if !layout.rooms.is_empty() {
        files.insert("agents.json".to_owned(), json(&layout.room_agents));
        files.insert("rooms.json".to_owned(), json(&layout.rooms));
    }
    for (room, messages) in &layout.messages {
        files.insert(format!("room_messages/{room}.json"), json(messages));
        for message in messages {
            files.insert(format!("messages/{}.json", message.message_id), json(message));
        }
    }
    files
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("a file has only text keys and finite numbers") + "\n"
}

/// The layout with those agents and rooms added that `agents.json` and `rooms.json` of the folder hold
/// already; what is there under the same id gives way.
///
/// # Errors
/// When one of the two cannot be read.
pub fn merge(layout: &mut Layout, there: &Files) -> Result<(), LayoutError> {
    let agents: Vec<RoomAgent> = list(there, "agents.json")?;
    let rooms: Vec<Room> = list(there, "rooms.json")?;
    let mine = std::mem::take(&mut layout.room_agents);
    layout.room_agents = agents;
    for mut agent in mine {
        match layout.room_agents.iter_mut().find(|other| other.agent_id == agent.agent_id) {
            Some(other) => {
                let more: Vec<_> = agent.rooms.drain(..).filter(|room| !other.rooms.contains(room)).collect();
                let rooms = std::mem::take(&mut other.rooms);
                let last_active = agent.last_active.clone().max(other.last_active.take());
                *other = RoomAgent { rooms: rooms.into_iter().chain(more).collect(), last_active, ..agent };
            }
            None => layout.room_agents.push(agent),
        }
    }
    let mine = std::mem::take(&mut layout.rooms);
    layout.rooms = rooms;
    for room in mine {
        match layout.rooms.iter_mut().find(|other| other.room_id == room.room_id) {
            Some(other) => *other = room,
            None => layout.rooms.push(room),
        }
    }
    Ok(())
}

/// Reads the files of a folder. What belongs to neither layout is passed over.
///
/// # Errors
/// The first file that is not what its place says.
pub fn read(files: &Files) -> Result<Layout, LayoutError> {
    let mut layout = Layout::default();
    for (path, text) in files {
        match path.split_once('/').map(|(folder, rest)| (folder, rest.strip_suffix(".json"))) {
            Some(("agents", Some(_))) => {
                layout.agents.push(parse(path, text)?);
            }
            Some(("meetings", Some(_))) => {
                layout.meetings.push(parse(path, text)?);
            }
            Some(_) | None => {}
        }
    }
    once("agents", layout.agents.iter().map(|agent| agent.id.as_str()))?;
    once("meetings", layout.meetings.iter().map(|meeting| meeting.id.as_str()))?;
    layout.room_agents = list(files, "agents.json")?;
    layout.rooms = list(files, "rooms.json")?;
    for room in &layout.rooms {
        let messages = messages(files, &room.room_id)?;
        if layout.messages.insert(room.room_id.clone(), messages).is_some() {
            let problem = message!("views-layout-room-twice", room = &room.room_id);
            return Err(LayoutError::new("rooms.json", "", problem, message!("views-layout-ids-hint")));
        }
    }
    Ok(layout)
}

fn list<T: DeserializeOwned>(files: &Files, path: &str) -> Result<Vec<T>, LayoutError> {
    let list: Vec<T> = files.get(path).map(|text| parse(path, text)).transpose()?.unwrap_or_default();
    match list.len() <= ENTRIES_MAX {
        true => Ok(list),
        false => {
            let problem = message!("views-layout-too-many", count = list.len());
            Err(LayoutError::new(path, "", problem, message!("views-layout-divide")))
        }
    }
}

/// The messages of a room: complete in its own file, or by their ids; without such a file, those that name
/// the room, by time.
fn messages(files: &Files, room: &str) -> Result<Vec<RoomMessage>, LayoutError> {
    let path = format!("room_messages/{room}.json");
    let Some(text) = files.get(&path).filter(|_| names::is_id(room)) else {
        let mut own = Vec::new();
        for (path, text) in
            files.range("messages/".to_owned()..).take_while(|(path, _)| path.starts_with("messages/"))
        {
            let message: RoomMessage = parse(path, text)?;
            if message.room_id == room {
                own.push(message);
            }
        }
        own.sort_by(|a, b| a.timestamp.cmp(&b.timestamp));
        return Ok(own);
    };
    let entries: Vec<serde_json::Value> = parse(&path, text)?;
    let mut messages = Vec::with_capacity(entries.len());
    for (place, entry) in entries.into_iter().enumerate() {
        messages.push(match entry.as_str() {
            Some(id) => {
                let beside = format!("messages/{id}.json");
                let Some(text) = files.get(&beside).filter(|_| names::is_id(id)) else {
                    let shown: String = id.chars().take(60).collect();
                    let problem = message!("views-layout-missing", file = format!("messages/{shown}.json"));
                    return Err(LayoutError::new(
                        &path,
                        format!("[{place}]"),
                        problem,
                        message!("views-layout-missing-hint"),
                    ));
                };
                parse(&beside, text)?
            }
            None => serde_json::from_value(entry).map_err(|error| {
                let problem = decoding_problem(&error.to_string());
                LayoutError::new(&path, format!("[{place}]"), problem, message!("views-layout-message-hint"))
            })?,
        });
    }
    Ok(messages)
}

fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, LayoutError> {
    if text.len() as u64 > FILE_MAX_BYTES {
        let problem = message!("views-layout-file-long", bytes = %text.len(), most = %FILE_MAX_BYTES);
        return Err(LayoutError::new(path, "", problem, message!("views-layout-shorten")));
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| LayoutError::json(path, text, &error))
}

/// Checks that ids are unique and could name a file.
fn once<'a>(folder: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), LayoutError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        let shown: String = id.chars().take(60).collect();
        let path = format!("{folder}/{shown}.json");
        if !names::is_id(id) {
            let problem = message!("views-layout-no-id", text = shown);
            return Err(LayoutError::new(folder, "id", problem, message!("views-layout-no-id-hint")));
        }
        if !seen.insert(id) {
            let problem = message!("views-layout-twice", name = shown);
            return Err(LayoutError::new(&path, "id", problem, message!("views-layout-ids-hint")));
        }
    }
    Ok(())
}
