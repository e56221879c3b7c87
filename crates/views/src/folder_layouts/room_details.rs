//! What a room is called and how its times are shown, in both directions.
//!
//! The layout's own fields hold less than a meeting does: an English name, a description of 10 or 30 characters, always a
//! time zone. What they have no place for stands in an object of our own beside them, which other programs ignore. Where a
//! field no longer says what that object implies, somebody has edited it, and the field holds.

use quorate_contract::{
    BACKGROUND_MAX_CHARS, DESCRIPTION_MAX_CHARS, DateFormat, MeetingDetails, Phrase, Refusal,
    TITLE_MAX_CHARS, TOPIC_MAX_CHARS, TimeDisplay, TimeFormat, TimeZoneName,
};
use quorate_messages::message;
use serde::{Deserialize, Serialize};

use super::check::Reader;
use super::export_room::RULE;
use super::rooms::shanghai;
use super::{LayoutError, Room, RoomSettings, names};

/// What the fields of a room have no place for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomExtension {
    /// The whole topic.
    pub topic: String,
    /// The title; empty when the meeting has none of its own.
    pub title: String,
    /// The whole description.
    pub description: String,
    /// How times are shown, as far as that was chosen.
    pub display: RoomDisplay,
}

/// How the times of a room are shown, as texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomDisplay {
    /// The time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// `12h` or `24h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_format: Option<String>,
    /// A pattern such as `yyyy-MM-dd`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
}

impl RoomExtension {
    pub(super) fn of(topic: &str, details: &MeetingDetails) -> Self {
        let MeetingDetails { title, description, display } = details.clone();
        let display = RoomDisplay {
            time_zone: display.time_zone.map(Into::into),
            time_format: display.time_format.map(|format| format.as_str().to_owned()),
            date_format: display.date_format.map(Into::into),
        };
        Self { topic: topic.to_owned(), title, description, display }
    }

    /// The English name of the room.
    pub(super) fn room_name(&self) -> String {
        match (self.title.is_ascii(), self.title.as_str()) {
            (_, "") => names::room(&self.topic),
            (true, title) => title.to_owned(),
            (false, title) => names::room(title),
        }
    }

    /// The description of the room: its own, or the topic.
    pub(super) fn room_description(&self) -> String {
        names::description(if self.description.is_empty() { &self.topic } else { &self.description })
    }

    /// The time zone of the room, which always has one.
    pub(super) fn timezone(&self) -> String {
        self.display.time_zone.clone().unwrap_or_else(shanghai)
    }

    /// How the room shows times, which it always says.
    pub(super) fn settings(&self) -> RoomSettings {
        let otherwise = RoomSettings::default();
        RoomSettings {
            display_time_format: self.display.time_format.clone().unwrap_or(otherwise.display_time_format),
            display_date_format: self.display.date_format.clone().unwrap_or(otherwise.display_date_format),
        }
    }
}

/// The topic of a room and its background. Without our own object the topic is the description, or its beginning when
/// the announcement continues it.
pub(super) fn topic(r: &Reader<'_>, room: &Room) -> Result<(String, String), LayoutError> {
    let announced = room.announcement.as_ref().map_or("", |one| one.system_announcement.as_str());
    let own = room.quorate.as_ref().filter(|own| !own.description.is_empty() && !own.topic.trim().is_empty());
    let (head, rest) = announced.split_once(RULE).unwrap_or((announced, ""));
    let described = room.room_description.as_str();
    let (field, topic, background) = if let Some(own) = own {
        let background = if head == own.topic { rest } else { announced };
        ("quorate.topic", own.topic.as_str(), background)
    } else if head != described && names::description(head) == described {
        ("announcement.system_announcement", head, rest)
    } else if !described.trim().is_empty() {
        ("room_description", described, announced)
    } else {
        ("room_name", room.room_name.as_str(), announced)
    };
    let background = r.text("announcement.system_announcement", background, 0, BACKGROUND_MAX_CHARS)?;
    Ok((r.text(field, topic, 1, TOPIC_MAX_CHARS)?, background))
}

/// What the room is called, and how its times are shown. What is not known is left out, with a note.
pub(super) fn details(
    r: &Reader<'_>,
    room: &Room,
    topic: &str,
    is_zone: &dyn Fn(&TimeZoneName) -> bool,
    notes: &mut Vec<Phrase>,
) -> Result<MeetingDetails, LayoutError> {
    let own = room.quorate.as_ref();
    let title = match own.filter(|own| own.room_name() == room.room_name) {
        Some(own) => r.text("quorate.title", &own.title, 0, TITLE_MAX_CHARS)?,
        None if room.room_name == names::room(topic) => String::new(),
        None => r.text("room_name", &room.room_name, 1, TITLE_MAX_CHARS)?,
    };
    let description = match own {
        Some(own) if own.description.is_empty() || own.room_description() == room.room_description => {
            r.text("quorate.description", &own.description, 0, DESCRIPTION_MAX_CHARS)?
        }
        Some(_) => r.text("room_description", &room.room_description, 0, DESCRIPTION_MAX_CHARS)?,
        None => String::new(),
    };
    let RoomSettings { display_time_format, display_date_format } = &room.settings;
    let exported = own.map(|own| (own.display.clone(), own.timezone(), own.settings()));
    // What stands as it was exported was chosen, or left open; anything else was written by hand.
    let chosen = |field: &String, as_exported: Option<(Option<String>, String)>| match as_exported {
        Some((chosen, written)) if written == *field => chosen,
        Some(_) | None => Some(field.clone()),
    };
    let zone = chosen(
        &room.timezone,
        exported.as_ref().map(|(display, zone, _)| (display.time_zone.clone(), zone.clone())),
    );
    let time = chosen(
        display_time_format,
        exported.as_ref().map(|(display, _, settings)| {
            (display.time_format.clone(), settings.display_time_format.clone())
        }),
    );
    let date = chosen(
        display_date_format,
        exported.as_ref().map(|(display, _, settings)| {
            (display.date_format.clone(), settings.display_date_format.clone())
        }),
    );
    let display = TimeDisplay {
        time_zone: known(zone, notes, |text| {
            TimeZoneName::read("timezone", text).and_then(|zone| match is_zone(&zone) {
                true => Ok(zone),
                false => Err(TimeZoneName::unknown("timezone", text)),
            })
        }),
        time_format: known(time, notes, |text| TimeFormat::read("settings.display_time_format", text)),
        date_format: known(date, notes, |text| DateFormat::read("settings.display_date_format", text)),
    };
    let given = MeetingDetails { title, description, display };
    given.checked().map_err(|refusal| LayoutError::refused(r.file, "room", &refusal))
}

/// A value when the text means one. One that is not known is noted.
fn known<T>(
    text: Option<String>,
    notes: &mut Vec<Phrase>,
    read: impl Fn(&str) -> Result<T, Refusal>,
) -> Option<T> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    let read = read(&text);
    if read.is_err() {
        let given: String = text.chars().take(64).collect();
        notes.push(message!("note-time-display-not-imported", given = given.as_str()).into());
    }
    read.ok()
}
