//! Names and numbers that cannot be taken for one another.
//!
//! Everything inside a meeting is numbered by the meeting itself, in the order of its log, so
//! that an id means the same thing on every machine that folds the log.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An id was not written the way this kind of id is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {kind}; it should look like {example}")]
pub struct BadId {
    /// The text that was given.
    pub text: String,
    /// The kind of id that was expected, with its article.
    pub kind: &'static str,
    /// An example of a valid id.
    pub example: &'static str,
}

/// Says to whom it may concern that a type is written as text.
macro_rules! text_schema {
    ($name:ident) => {
        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .into()
            }
        }
        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}
    };
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        text_schema!($name);

        impl $name {
            /// Takes the text as it is. The caller keeps ids unique.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// One meeting, unique everywhere.
    MeetingId
}
text_id! {
    /// One execution of a meeting; a fork starts a new one from a prefix of the log.
    RunId
}
text_id! {
    /// One agent of the library, which can take part in many meetings. Unique everywhere.
    AgentId
}

macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $kind:literal, $example:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                text.strip_prefix($letter)
                    .and_then(|digits| digits.parse().ok())
                    .map(Self)
                    .ok_or_else(|| BadId { text: text.to_owned(), kind: $kind, example: $example })
            }
        }
        as_text!($name);
    };
}

/// Serializes a type by its `Display` and reads it back by its `FromStr`.
macro_rules! as_text {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
        text_schema!($name);
    };
}

numbered_id! {
    /// An agent's or a person's place at one meeting, numbered in the order of joining: `p1`.
    ParticipantId, "p", "a participant", "p1"
}
numbered_id! {
    /// A message, numbered in the order of the log: `m1`.
    MessageId, "m", "a message", "m1"
}
numbered_id! {
    /// A claim, fact or objection that a participant raised and others can be asked to answer: `c1`.
    ClaimId, "c", "a claim", "c1"
}
numbered_id! {
    /// A point of the agenda, numbered in the order of the log: `a1`.
    AgendaId, "a", "an agenda item", "a1"
}
numbered_id! {
    /// A version of an artifact, counted from 1: `v1`.
    ArtifactVersion, "v", "a version", "v1"
}
numbered_id! {
    /// A vote of all participants on one draft: `b1`.
    BallotId, "b", "a ballot", "b1"
}
numbered_id! {
    /// A file that is attached to the meeting, numbered in the order of the log: `f1`.
    FileId, "f", "a file", "f1"
}
numbered_id! {
    /// A call of a tool, numbered in the order of the log: `t1`.
    ToolCallId, "t", "a call of a tool", "t1"
}

/// One participant's chance to speak: the round and its place in it, `r1t2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId {
    /// The number of the round; 0 is the blind round.
    pub round: u32,
    /// Counted from 1 in the order in which turns were given.
    pub place: u32,
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}t{}", self.round, self.place)
    }
}
impl FromStr for TurnId {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let parse = || {
            let (round, place) = text.strip_prefix('r')?.split_once('t')?;
            Some(TurnId { round: round.parse().ok()?, place: place.parse().ok()? })
        };
        parse().ok_or_else(|| BadId { text: text.to_owned(), kind: "a turn", example: "r1t2" })
    }
}
as_text!(TurnId);

/// A kind of artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum ArtifactKind {
    /// An architecture decision record.
    Adr,
    /// A list of tasks with their owners.
    Tasks,
    /// A list of risks with their mitigations.
    Risks,
    /// The minutes.
    Minutes,
    /// A summary on one page.
    Summary,
}

impl ArtifactKind {
    /// All kinds.
    pub const ALL: [ArtifactKind; 5] = [Self::Adr, Self::Tasks, Self::Risks, Self::Minutes, Self::Summary];

    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Adr => "ADR",
            Self::Tasks => "TASKS",
            Self::Risks => "RISKS",
            Self::Minutes => "MINUTES",
            Self::Summary => "SUMMARY",
        }
    }
}

impl fmt::Display for ArtifactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ArtifactKind {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let kind = Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text));
        kind.ok_or_else(|| BadId { text: text.to_owned(), kind: "an artifact", example: "ADR" })
    }
}

/// A call that is owed to the meeting: `speak:r1t2`, `vote:b1:p3`, `summarize:r1`.
///
/// A task keeps its id across crashes and repeated attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskId {
    /// A participant has the floor.
    Speak(TurnId),
    /// A participant is asked for its vote on the draft.
    Vote(BallotId, ParticipantId),
    /// The facilitator summarizes a round and updates the draft.
    Summarize(u32),
    /// The facilitator says why a ballot failed and what to talk about next.
    Facilitate(BallotId),
    /// The facilitator writes the conclusion.
    Conclude,
    /// The facilitator says what is missing before a round.
    Intake(u32),
    /// The facilitator proposes who is to come before a round.
    Team(u32),
    /// The facilitator marks all participants after a round.
    Evaluate(u32),
    /// The facilitator makes a participant of a sentence.
    Invite(u32),
    /// The facilitator, or a participant who was asked to, writes this version of the minutes.
    Minutes(u32),
    /// The facilitator writes this version of an artifact.
    Artifact(ArtifactKind, ArtifactVersion),
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Speak(turn) => write!(f, "speak:{turn}"),
            Self::Vote(ballot, voter) => write!(f, "vote:{ballot}:{voter}"),
            Self::Summarize(round) => write!(f, "summarize:r{round}"),
            Self::Facilitate(ballot) => write!(f, "facilitate:{ballot}"),
            Self::Conclude => f.write_str("conclude"),
            Self::Intake(round) => write!(f, "intake:r{round}"),
            Self::Team(round) => write!(f, "team:r{round}"),
            Self::Evaluate(round) => write!(f, "evaluate:r{round}"),
            Self::Invite(number) => write!(f, "invite:{number}"),
            Self::Minutes(version) => write!(f, "minutes:v{version}"),
            Self::Artifact(kind, version) => write!(f, "artifact:{kind}:{version}"),
        }
    }
}
impl FromStr for TaskId {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let parse = || {
            if text == "conclude" {
                return Some(Self::Conclude);
            }
            let (verb, rest) = text.split_once(':')?;
            match verb {
                "speak" => Some(Self::Speak(rest.parse().ok()?)),
                "vote" => {
                    let (ballot, voter) = rest.split_once(':')?;
                    Some(Self::Vote(ballot.parse().ok()?, voter.parse().ok()?))
                }
                "summarize" => Some(Self::Summarize(rest.strip_prefix('r')?.parse().ok()?)),
                "facilitate" => Some(Self::Facilitate(rest.parse().ok()?)),
                "intake" => Some(Self::Intake(rest.strip_prefix('r')?.parse().ok()?)),
                "team" => Some(Self::Team(rest.strip_prefix('r')?.parse().ok()?)),
                "evaluate" => Some(Self::Evaluate(rest.strip_prefix('r')?.parse().ok()?)),
                "invite" => Some(Self::Invite(rest.parse().ok()?)),
                "minutes" => Some(Self::Minutes(rest.strip_prefix('v')?.parse().ok()?)),
                "artifact" => {
                    let (kind, version) = rest.split_once(':')?;
                    Some(Self::Artifact(kind.parse().ok()?, version.parse().ok()?))
                }
                _ => None,
            }
        };
        parse().ok_or_else(|| BadId { text: text.to_owned(), kind: "a task", example: "speak:r1t2" })
    }
}
as_text!(TaskId);

/// A point in time, in RFC 3339 and UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime, examples("2026-03-01T08:30:00.000Z")))]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment `ms` milliseconds later.
    pub fn plus_ms(self, ms: u64) -> Timestamp {
        Timestamp(self.0.saturating_add_unsigned(ms))
    }
    /// Milliseconds from `earlier` to this moment, 0 when it is not later.
    pub fn since_ms(self, earlier: Timestamp) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}
