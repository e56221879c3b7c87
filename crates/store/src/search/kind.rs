//! The kinds of search hits.

use serde::Serialize;

/// The kind of a hit.
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
    /// The topic of a meeting, with its background.
    Topic,
}

impl SearchKind {
    /// The complete rules.
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
