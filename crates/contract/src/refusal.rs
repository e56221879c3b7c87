//! Refusals: why a command cannot become an event, and what would help.

use serde::{Deserialize, Serialize};

use crate::ids::{MessageId, ParticipantId, TaskId};
use crate::wording::Wording;

/// The category of a refusal, for programs that act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// An input is invalid.
    Validation,
    /// Something that was named does not exist.
    NotFound,
    /// The command is valid, but not in the present state of the meeting.
    MeetingState,
    /// The actor may not do it.
    Permission,
    /// An item of the agenda stands in the way.
    Agenda,
}

/// A command that was refused. The meeting is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A field of the input is invalid.
    #[error("{field}: {problem}")]
    Invalid {
        /// Which field, as a path such as `participants[1].name`.
        field: String,
        /// What is wrong with the field.
        problem: Wording,
        /// What would be valid.
        hint: Wording,
    },
    /// The meeting does not exist yet.
    #[error("the meeting does not exist yet")]
    NotCreated,
    /// The meeting exists already.
    #[error("the meeting exists already")]
    AlreadyCreated,
    /// The meeting has not started.
    #[error("the meeting has not started")]
    NotStarted,
    /// The meeting has already started.
    #[error("the meeting has already started")]
    AlreadyStarted,
    /// The meeting is over or closing.
    #[error("the meeting is over")]
    MeetingIsOver,
    /// The meeting is paused.
    #[error("the meeting is paused")]
    IsPaused,
    /// The meeting is not paused.
    #[error("the meeting is not paused")]
    NotPaused,
    /// The resume token belongs to another pause.
    #[error("the resume token belongs to another pause")]
    WrongResumeToken,
    /// No participant has this name.
    #[error("there is no participant {name:?} at the table")]
    NoSuchParticipant {
        /// The name or id that was given.
        name: String,
        /// The names of the participants.
        present: Vec<String>,
    },
    /// The name is taken.
    #[error("there is already a participant {name:?}")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The task has an answer, was given up, or was started again since.
    #[error("{task} is over")]
    TurnIsOver {
        /// The task.
        task: TaskId,
    },
    /// A participant that was asked something in particular cannot skip.
    #[error("{participant} was asked something and cannot pass")]
    CannotSkip {
        /// The participant.
        participant: ParticipantId,
        /// The message that asked, when it was one.
        by: Option<MessageId>,
    },
    /// The floor cannot be given to this participant now.
    #[error("nobody can be called up while {phase}")]
    CannotCallUp {
        /// The present phase of the meeting.
        phase: &'static str,
    },
    /// No item of the agenda has this id.
    #[error("there is no item {item:?} on the agenda")]
    NoSuchAgendaItem {
        /// The id or title that was given.
        item: String,
        /// The ids of the existing items.
        known: Vec<String>,
    },
    /// The rules let agents talk among themselves.
    #[error("people may not speak in this meeting")]
    PeopleMayNotSpeak,
    /// A question has to be answered before the meeting goes on.
    #[error("{key} is not answered: {ask}")]
    AnswerMissing {
        /// By which key it is answered.
        key: String,
        /// The question.
        ask: String,
    },
    /// An answer is not what the question wants.
    #[error("{key}: {problem}")]
    BadAnswer {
        /// The key of the question.
        key: String,
        /// What is wrong with the answer.
        problem: Wording,
        /// What would be valid.
        hint: Wording,
    },
    /// An answer to a question that was not asked.
    #[error("{key:?} was not asked")]
    NotAsked {
        /// The key that was given.
        key: String,
        /// The keys that there are.
        known: Vec<String>,
    },
    /// There is nothing to record, because no message was sent yet.
    #[error("nothing has been said that could be written down")]
    NothingToRecord,
    /// The record has already been requested and is being written.
    #[error("{what} has been asked for already")]
    AlreadyRequested {
        /// The record.
        what: String,
    },
    /// The minutes were edited by another person in the meantime.
    #[error("version {based_on} of the minutes is not the last one")]
    MinutesOutdated {
        /// The version that was edited.
        based_on: u32,
        /// The current version.
        current: Option<u32>,
    },
    /// The prefix of a log that ends after the meeting ended cannot go on.
    #[error("a fork after the end has nothing to go on with")]
    ForkAfterEnd,
}

impl Refusal {
    /// The same about a field that lies under `part` of what was given: `limits.tokens` in `rules` is
    /// `rules.limits.tokens`.
    #[must_use]
    pub fn within(self, part: &str) -> Self {
        match self {
            Self::Invalid { field, problem, hint } => {
                Self::Invalid { field: format!("{part}.{field}"), problem, hint }
            }
            other => other,
        }
    }

    /// Which sort of refusal it is.
    pub fn kind(&self) -> RefusalKind {
        match self {
            Self::Invalid { .. }
            | Self::WrongResumeToken
            | Self::NameTaken { .. }
            | Self::AnswerMissing { .. }
            | Self::BadAnswer { .. }
            | Self::NotAsked { .. }
            | Self::MinutesOutdated { .. } => RefusalKind::Validation,
            Self::NoSuchAgendaItem { .. } => RefusalKind::Agenda,
            Self::PeopleMayNotSpeak => RefusalKind::Permission,
            Self::NoSuchParticipant { .. } => RefusalKind::NotFound,
            Self::NotCreated
            | Self::AlreadyCreated
            | Self::NotStarted
            | Self::AlreadyStarted
            | Self::MeetingIsOver
            | Self::IsPaused
            | Self::NotPaused
            | Self::TurnIsOver { .. }
            | Self::CannotSkip { .. }
            | Self::CannotCallUp { .. }
            | Self::NothingToRecord
            | Self::AlreadyRequested { .. }
            | Self::ForkAfterEnd => RefusalKind::MeetingState,
        }
    }

    /// What the reader can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Invalid { hint, .. } | Self::BadAnswer { hint, .. } => hint.to_string(),
            Self::NotCreated => "create it first".into(),
            Self::AlreadyCreated => "start it, or create another".into(),
            Self::NotStarted => "start it first".into(),
            Self::AlreadyStarted => "say something, pause it, or create another".into(),
            Self::MeetingIsOver => "fork it at an earlier event to go on from there".into(),
            Self::IsPaused => "resume it first".into(),
            Self::NotPaused => "there is nothing to resume; it runs".into(),
            Self::WrongResumeToken => "take the token of the last `pause` event".into(),
            Self::NoSuchParticipant { present, .. } => {
                format!("at the table: {}", present.join(", "))
            }
            Self::NameTaken { .. } => "choose another name".into(),
            Self::TurnIsOver { .. } => "nothing is needed; the first answer counts".into(),
            Self::CannotSkip { .. } => "answer in a sentence, then pass next time".into(),
            Self::CannotCallUp { .. } => "mention them with @name; they read it next time".into(),
            Self::NoSuchAgendaItem { known, .. } if known.is_empty() => "the agenda is empty".into(),
            Self::NoSuchAgendaItem { known, .. } => format!("on the agenda: {}", known.join("; ")),
            Self::PeopleMayNotSpeak => {
                "set `turns.people_may_speak` to true, or let the moderator speak".into()
            }
            Self::AnswerMissing { key, .. } => format!("answer it with {key}=…, or let defaults hold"),
            Self::NotAsked { known, .. } if known.is_empty() => {
                "nothing was asked; say it to the table instead".into()
            }
            Self::NotAsked { known, .. } => format!("the questions are {}", known.join(", ")),
            Self::NothingToRecord => "wait until somebody has spoken".into(),
            Self::AlreadyRequested { .. } => "it comes when it is written".into(),
            Self::MinutesOutdated { current, .. } => {
                format!("look at version {} and edit that", current.unwrap_or(0))
            }
            Self::ForkAfterEnd => "choose an event before `finished`".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_named_as_programs_read_it() {
        let kinds =
            [Refusal::MeetingIsOver, Refusal::WrongResumeToken, Refusal::ForkAfterEnd].map(|r| r.kind());
        let names = serde_json::to_value(kinds).expect("names");
        assert_eq!(names, serde_json::json!(["meeting_state", "validation", "meeting_state"]));
    }
}
