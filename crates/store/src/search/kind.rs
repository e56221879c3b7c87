//! What can be found.

use serde::Serialize;

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// Something that an agent or a person said.
    Message,
    /// A version of the minutes.
    Minutes,
    /// A version of an artifact.
    Artifact,
    /// The conclusion of a meeting.
    Conclusion,
    /// What a meeting is about, with its background.
    Topic,
}

impl SearchKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Message, Self::Minutes, Self::Artifact, Self::Conclusion, Self::Topic];

    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Minutes => "minutes",
            Self::Artifact => "artifact",
            Self::Conclusion => "conclusion",
            Self::Topic => "topic",
        }
    }
}
