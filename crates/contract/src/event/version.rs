//! The version of the contract of events: each line of a log begins with it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The version in which events are written. A change that older readers or older lines do not fit raises it, and has an
/// upcast in the store (docs/events.md).
pub const CONTRACT_VERSION: u32 = 5;

/// The version in each event, and in each line of a log as [`CONTRACT_VERSION`]. A line of another version is
/// not read as an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContractVersion;

impl Serialize for ContractVersion {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u32(CONTRACT_VERSION)
    }
}

impl<'de> Deserialize<'de> for ContractVersion {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u32::deserialize(from)? {
            CONTRACT_VERSION => Ok(Self),
            other => Err(de::Error::custom(UnreadableEvent::OtherVersion { written: Some(other) })),
        }
    }
}

/// A line of a log that cannot be read as an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnreadableEvent {
    /// The line is written in another version of the contract.
    OtherVersion {
        /// The version; `None` for a line from before versions were written.
        written: Option<u32>,
    },
    /// The line is no event.
    Malformed(String),
}

impl UnreadableEvent {
    /// Finds out why a line could not be read.
    pub(super) fn of(line: &str, error: &serde_json::Error) -> Self {
        /// The fields that every line has in every version, among them the version itself.
        #[derive(Deserialize)]
        struct Envelope {
            #[serde(rename = "seq")]
            _seq: u64,
            version: Option<u32>,
        }
        match serde_json::from_str::<Envelope>(line) {
            Ok(Envelope { version, .. }) if version != Some(CONTRACT_VERSION) => {
                Self::OtherVersion { written: version }
            }
            _ => Self::Malformed(error.to_string()),
        }
    }
}

impl fmt::Display for UnreadableEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion { written: Some(written) } => {
                write!(
                    f,
                    "it is written in version {written} of the contract of events, and this quorate knows version {CONTRACT_VERSION}"
                )
            }
            Self::OtherVersion { written: None } => {
                f.write_str("it is older than the first version of the contract of events")
            }
            Self::Malformed(detail) => f.write_str(detail),
        }
    }
}

impl std::error::Error for UnreadableEvent {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, Event, EventBody, MeetingId, RunId, Timestamp};

    #[test]
    fn a_line_says_first_in_which_version_it_is_written_and_another_version_is_named() {
        let event = Event {
            version: ContractVersion,
            seq: 1,
            meeting_id: MeetingId::new("m"),
            run_id: RunId::new("r"),
            ts_ms: Timestamp(1),
            actor: Actor::System,
            cause: "start".to_owned(),
            body: EventBody::MeetingStarted { by: Actor::System, silence_max_ms: None },
        };
        let line = event.to_json();
        let version = format!("{{\"version\":{CONTRACT_VERSION},");
        assert!(line.starts_with(&version), "{line}");
        assert_eq!(Event::from_json(&line), Ok(event));
        let newer = line.replace(&version, "{\"version\":9999,");
        assert_eq!(Event::from_json(&newer), Err(UnreadableEvent::OtherVersion { written: Some(9999) }));
        let old = line.replace(&version, "{");
        let refused = Event::from_json(&old).expect_err("nothing says how to read it");
        assert_eq!(refused, UnreadableEvent::OtherVersion { written: None });
        assert!(matches!(Event::from_json("{"), Err(UnreadableEvent::Malformed(_))));
        assert!(matches!(
            Event::from_json(&format!("{version}\"seq\":1}}")),
            Err(UnreadableEvent::Malformed(_))
        ));
    }
}
