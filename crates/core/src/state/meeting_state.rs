//! The one enum of states of a meeting.

use serde::Serialize;

use super::{Meeting, Phase, RunState};

/// The state of a meeting, with the same values in lists, filters and views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeetingState {
    /// The meeting has not started.
    Draft,
    /// Preparation before a round: questions to a person, or assembling a team.
    Preparation,
    /// Its rounds run, or are being summed up.
    Discussion,
    /// A ballot is open, or has just failed.
    Ballot,
    /// The conclusion is being written.
    Closing,
    /// The meeting is paused, in any of the other phases.
    Paused,
    /// The meeting has ended.
    Ended,
}

impl MeetingState {
    /// All states, in the order in which a meeting reaches them.
    pub const ALL: [Self; 7] = [
        Self::Draft,
        Self::Preparation,
        Self::Discussion,
        Self::Ballot,
        Self::Closing,
        Self::Paused,
        Self::Ended,
    ];

    /// Its name in JSON and in lists.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Preparation => "preparation",
            Self::Discussion => "discussion",
            Self::Ballot => "ballot",
            Self::Closing => "closing",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }

    /// The state of a meeting.
    pub fn of(meeting: &Meeting) -> Self {
        match (&meeting.phase, &meeting.run_state) {
            (Phase::Ended { .. }, _) => Self::Ended,
            (_, RunState::Paused { .. }) => Self::Paused,
            (Phase::Blank | Phase::Draft, _) => Self::Draft,
            (Phase::Preparation, _) => Self::Preparation,
            (Phase::Discussion | Phase::Summary, _) => Self::Discussion,
            (Phase::Ballot | Phase::Facilitation, _) => Self::Ballot,
            (Phase::Closing { .. }, _) => Self::Closing,
        }
    }

    /// Whether the meeting runs: it makes progress without a command from outside.
    pub fn is_under_way(self) -> bool {
        match self {
            Self::Preparation | Self::Discussion | Self::Ballot | Self::Closing => true,
            Self::Draft | Self::Paused | Self::Ended => false,
        }
    }

    /// The state of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}
