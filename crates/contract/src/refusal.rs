//! Refusals: why a command cannot become an event, and what would help.

use quorate_messages::{message, text};
use serde::{Deserialize, Serialize};

use crate::ids::{ArtifactKind, MessageId, ParticipantId, TaskId};
use crate::localized::Wording;
use crate::phrase::Phrase;

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
    /// An item of the agenda prevents it.
    Agenda,
}

/// The reason why the floor cannot be given to a participant now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CannotCallUp {
    /// The participant is offline.
    Offline,
    /// All participants speak at once.
    Parallel,
    /// A ballot is open.
    Ballot,
    /// The round is being prepared.
    Preparation,
    /// The round is being summed up.
    Summary,
}

/// A command that was refused. The meeting is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A field of the input is invalid.
    Invalid {
        /// Which field, as a path such as `participants[1].name`.
        field: String,
        /// What is wrong with the field.
        problem: Wording,
        /// What would be valid.
        hint: Wording,
    },
    /// The meeting does not exist yet.
    NotCreated,
    /// The meeting exists already.
    AlreadyCreated,
    /// The meeting has not started.
    NotStarted,
    /// The meeting has already started.
    AlreadyStarted,
    /// The meeting is over or closing.
    MeetingIsOver,
    /// The meeting is paused.
    IsPaused,
    /// The meeting is not paused.
    NotPaused,
    /// The resume token belongs to another pause.
    WrongResumeToken,
    /// No participant has this name.
    NoSuchParticipant {
        /// The name or id that was given.
        name: String,
        /// The names of the participants.
        present: Vec<String>,
    },
    /// The name is taken.
    NameTaken {
        /// The name.
        name: String,
    },
    /// The task has an answer, was given up, or was started again since.
    TurnIsOver {
        /// The task.
        task: TaskId,
    },
    /// A participant that was asked something in particular cannot skip.
    CannotSkip {
        /// The participant.
        participant: ParticipantId,
        /// The message that asked, when it was one.
        by: Option<MessageId>,
    },
    /// The floor cannot be given to this participant now.
    CannotCallUp {
        /// Why not.
        because: CannotCallUp,
    },
    /// No item of the agenda has this id.
    NoSuchAgendaItem {
        /// The id or title that was given.
        item: String,
        /// The ids of the existing items.
        known: Vec<String>,
    },
    /// No file of the meeting has this id.
    NoSuchFile {
        /// The id that was given.
        file: String,
        /// The ids and names of the attached files, at most twenty.
        known: Vec<String>,
    },
    /// The rules let agents talk among themselves.
    PeopleMayNotSpeak,
    /// Only the host may do it.
    NotTheHost {
        /// The name of the host.
        host: String,
    },
    /// No person with this id is at the table.
    NoSuchPerson {
        /// The id that was given.
        person: String,
        /// The names of the people at the table.
        present: Vec<String>,
    },
    /// As many people are at the table as it has room for.
    TooManyPeople {
        /// The number of people.
        most: usize,
    },
    /// A question has to be answered before the meeting can be resumed.
    AnswerMissing {
        /// By which key it is answered.
        key: String,
        /// The question.
        ask: Phrase,
    },
    /// An answer does not fit the question.
    BadAnswer {
        /// The key of the question.
        key: String,
        /// What is wrong with the answer.
        problem: Wording,
        /// What would be valid.
        hint: Wording,
    },
    /// An answer to a question that was not asked.
    NotAsked {
        /// The key that was given.
        key: String,
        /// The keys that there are.
        known: Vec<String>,
    },
    /// There is nothing to record, because no message was sent yet.
    NothingToRecord,
    /// The record has already been requested and is being written.
    AlreadyRequested {
        /// The kind of artifact; `None` for minutes.
        artifact: Option<ArtifactKind>,
    },
    /// The minutes were edited by another person in the meantime.
    MinutesOutdated {
        /// The version that was edited.
        based_on: u32,
        /// The current version.
        current: Option<u32>,
    },
    /// A fork after the end of a meeting is not possible.
    ForkAfterEnd,
}

impl Refusal {
    /// The same refusal about a field within `part` of the input: `limits.tokens` in `rules` is
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
            Self::PeopleMayNotSpeak | Self::NotTheHost { .. } => RefusalKind::Permission,
            Self::NoSuchParticipant { .. } | Self::NoSuchPerson { .. } | Self::NoSuchFile { .. } => {
                RefusalKind::NotFound
            }
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
            | Self::TooManyPeople { .. }
            | Self::NothingToRecord
            | Self::AlreadyRequested { .. }
            | Self::ForkAfterEnd => RefusalKind::MeetingState,
        }
    }

    /// What happened, in every language.
    pub fn problem(&self) -> Wording {
        match self {
            Self::Invalid { field, problem, .. } | Self::BadAnswer { key: field, problem, .. } => {
                Wording::in_each(|language| {
                    text!(language, "refusal-is-invalid", field, problem = problem.for_reader(language))
                })
            }
            Self::NotCreated => message!("refusal-not-created").into(),
            Self::AlreadyCreated => message!("refusal-already-created").into(),
            Self::NotStarted => message!("refusal-not-started").into(),
            Self::AlreadyStarted => message!("refusal-already-started").into(),
            Self::MeetingIsOver => message!("refusal-meeting-is-over").into(),
            Self::IsPaused => message!("refusal-is-paused").into(),
            Self::NotPaused => message!("refusal-not-paused").into(),
            Self::WrongResumeToken => message!("refusal-wrong-resume-token").into(),
            Self::NoSuchParticipant { name, .. } => message!("refusal-no-such-participant", name).into(),
            Self::NameTaken { name } => message!("refusal-name-taken", name).into(),
            Self::TurnIsOver { task } => message!("refusal-turn-is-over", %task).into(),
            Self::CannotSkip { participant, .. } => message!("refusal-cannot-skip", %participant).into(),
            Self::CannotCallUp { because } => match because {
                CannotCallUp::Offline => message!("refusal-called-up-is-offline").into(),
                CannotCallUp::Parallel => message!("refusal-called-up-in-parallel").into(),
                CannotCallUp::Ballot => message!("refusal-called-up-in-ballot").into(),
                CannotCallUp::Preparation => message!("refusal-called-up-in-preparation").into(),
                CannotCallUp::Summary => message!("refusal-called-up-in-summary").into(),
            },
            Self::NoSuchAgendaItem { item, .. } => message!("refusal-no-such-agenda-item", item).into(),
            Self::NoSuchFile { file, .. } => message!("refusal-no-such-file", file).into(),
            Self::PeopleMayNotSpeak => message!("refusal-people-may-not-speak").into(),
            Self::NotTheHost { host } => message!("refusal-not-the-host", host).into(),
            Self::NoSuchPerson { person, .. } => message!("refusal-no-such-person", person).into(),
            Self::TooManyPeople { most } => message!("refusal-too-many-people", %most).into(),
            Self::AnswerMissing { key, ask } => Wording::in_each(|language| {
                text!(language, "refusal-answer-missing", key, ask = &*ask.in_language(language))
            }),
            Self::NotAsked { key, .. } => message!("refusal-not-asked", key).into(),
            Self::NothingToRecord => message!("refusal-nothing-to-record").into(),
            Self::AlreadyRequested { artifact: None } => message!("refusal-minutes-already-requested").into(),
            Self::AlreadyRequested { artifact: Some(artifact) } => {
                message!("refusal-artifact-already-requested", %artifact).into()
            }
            Self::MinutesOutdated { based_on, .. } => {
                message!("refusal-minutes-outdated", based_on = *based_on).into()
            }
            Self::ForkAfterEnd => message!("refusal-fork-after-end").into(),
        }
    }

    /// What to do about it, in every language.
    pub fn hint(&self) -> Wording {
        match self {
            Self::Invalid { hint, .. } | Self::BadAnswer { hint, .. } => hint.clone(),
            Self::NotCreated => message!("refusal-not-created-hint").into(),
            Self::AlreadyCreated => message!("refusal-already-created-hint").into(),
            Self::NotStarted => message!("refusal-not-started-hint").into(),
            Self::AlreadyStarted => message!("refusal-already-started-hint").into(),
            Self::MeetingIsOver => Wording::from(message!("refusal-meeting-is-over-hint"))
                .at_terminal(message!("refusal-meeting-is-over-hint-terminal")),
            Self::IsPaused => message!("refusal-is-paused-hint").into(),
            Self::NotPaused => message!("refusal-not-paused-hint").into(),
            Self::WrongResumeToken => message!("refusal-wrong-resume-token-hint").into(),
            Self::NoSuchParticipant { present, .. } => Wording::in_each(|language| {
                let present = present.join(text!(language, "common-list-separator"));
                text!(language, "refusal-no-such-participant-hint", present)
            }),
            Self::NameTaken { .. } => message!("refusal-name-taken-hint").into(),
            Self::TurnIsOver { .. } => message!("refusal-turn-is-over-hint").into(),
            Self::CannotSkip { .. } => message!("refusal-cannot-skip-hint").into(),
            Self::CannotCallUp { .. } => message!("refusal-cannot-call-up-hint").into(),
            Self::NoSuchAgendaItem { known, .. } if known.is_empty() => {
                message!("refusal-agenda-is-empty").into()
            }
            Self::NoSuchAgendaItem { known, .. } => Wording::in_each(|language| {
                let known = known.join(text!(language, "common-semicolon"));
                text!(language, "refusal-no-such-agenda-item-hint", known)
            }),
            Self::NoSuchFile { known, .. } if known.is_empty() => message!("refusal-no-files-hint").into(),
            Self::NoSuchFile { known, .. } => Wording::in_each(|language| {
                let known = known.join(text!(language, "common-semicolon"));
                text!(language, "refusal-no-such-file-hint", known)
            }),
            Self::PeopleMayNotSpeak => Wording::from(message!("refusal-people-may-not-speak-hint"))
                .at_terminal(message!("refusal-people-may-not-speak-hint-terminal")),
            Self::NotTheHost { host } => message!("refusal-not-the-host-hint", host).into(),
            Self::NoSuchPerson { present, .. } if present.is_empty() => {
                message!("refusal-nobody-at-the-table").into()
            }
            Self::NoSuchPerson { present, .. } => Wording::in_each(|language| {
                let present = present.join(text!(language, "common-list-separator"));
                text!(language, "refusal-no-such-person-hint", present)
            }),
            Self::TooManyPeople { .. } => message!("refusal-too-many-people-hint").into(),
            Self::AnswerMissing { key, .. } => message!("refusal-answer-missing-hint", key).into(),
            Self::NotAsked { known, .. } if known.is_empty() => message!("refusal-nothing-asked-hint").into(),
            Self::NotAsked { known, .. } => Wording::in_each(|language| {
                let known = known.join(text!(language, "common-list-separator"));
                text!(language, "refusal-not-asked-hint", known)
            }),
            Self::NothingToRecord => message!("refusal-nothing-to-record-hint").into(),
            Self::AlreadyRequested { .. } => message!("refusal-already-requested-hint").into(),
            Self::MinutesOutdated { current, .. } => {
                message!("refusal-minutes-outdated-hint", current = current.unwrap_or(0)).into()
            }
            Self::ForkAfterEnd => message!("refusal-fork-after-end-hint").into(),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.problem().english())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use quorate_messages::Language;

    use super::*;

    #[test]
    fn a_kind_is_named_as_programs_read_it() {
        let kinds =
            [Refusal::MeetingIsOver, Refusal::WrongResumeToken, Refusal::ForkAfterEnd].map(|r| r.kind());
        let names = serde_json::to_value(kinds).expect("names");
        assert_eq!(names, serde_json::json!(["meeting_state", "validation", "meeting_state"]));
    }

    #[test]
    fn a_refusal_is_told_in_the_language_of_its_reader() {
        let gone = Refusal::NoSuchParticipant {
            name: "Zoe".into(),
            present: vec!["林晚".into(), "周默".into()],
        };
        let told = |language| [gone.problem(), gone.hint()].map(|text| text.for_reader(language).to_owned());
        assert_eq!(told(Language::Zh), ["会上没有参会者“Zoe”", "在场的有：林晚、周默"]);
        assert_eq!(
            told(Language::En),
            ["there is no participant \"Zoe\" at the table", "at the table: 林晚, 周默"]
        );
    }

    #[test]
    fn who_is_offline_cannot_be_called_up_and_that_is_what_is_said() {
        let offline = Refusal::CannotCallUp { because: CannotCallUp::Offline };
        assert_eq!(offline.problem().for_reader(Language::Zh), "对方不在线，现在不能请其发言");
        assert_eq!(offline.to_string(), "nobody can be called up while they are offline");
    }
}
