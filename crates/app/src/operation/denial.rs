//! Denials: answers of [`crate::App::perform`] itself, before a use case begins.

use quorate_contract::{MeetingId, Wording};
use quorate_messages::{Message, message};

use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::Scope;
use crate::operation::use_case::UseCase;

/// The reason why a call was denied. Each variant is a situation in which the caller does something different
/// next.
#[derive(Debug, Clone)]
pub enum Denial {
    /// The caller has not signed in.
    NotSignedIn,
    /// The meeting does not exist, or the caller may not see it.
    NoSuchMeeting(MeetingId),
    /// The scope of the caller is too narrow.
    Forbidden {
        /// The least scope that is wide enough.
        needed: Option<Scope>,
    },
    /// An agent takes part in its own name alone, and this is what a person does.
    OfPerson,
    /// The meeting asks for its password.
    Locked,
    /// The calling agent has a seat in a blind round that is not over.
    BlindRound,
    /// The caller has a seat, and a ballot is open.
    OpenBallot,
    /// The caller has called too often.
    TooManyCalls {
        /// After how many seconds it may call again.
        retry_after: u64,
    },
    /// There were too many attempts to sign in, to join or to enter.
    TooManyAttempts {
        /// After how many seconds the next one may come.
        retry_after: u64,
    },
    /// The limit of running meetings is reached.
    TooManyMeetings {
        /// The number of running meetings.
        running: u64,
    },
    /// The account that created the meeting has as many running ones as it may.
    TooManyOfAccount {
        /// The account.
        account: String,
        /// The number of its running meetings.
        running: u64,
    },
    /// The idempotency key came with another request before.
    KeyReused,
    /// The first request with this idempotency key is not answered yet.
    StillRunning,
    /// The process stopped during the first request with this idempotency key.
    Interrupted {
        /// The use case.
        use_case: UseCase,
        /// The meeting.
        meeting: Option<MeetingId>,
    },
    /// The program itself did not do its part.
    Failed(Box<ServiceError>),
}

impl Denial {
    /// The message and the hint. Hints that hold for one transport only, such as where to sign in, are added
    /// there.
    pub fn in_both(&self) -> (Wording, Wording) {
        let of = |message: Message, hint: Message| (message.into(), hint.into());
        match self {
            Self::NotSignedIn => of(message!("app-not-signed-in"), message!("app-sign-in-first")),
            Self::NoSuchMeeting(id) => {
                of(message!("app-no-meeting-for-you", %id), message!("app-meeting-list-hint"))
            }
            Self::Forbidden { .. } => of(message!("app-forbidden"), message!("app-forbidden-hint")),
            Self::OfPerson => of(message!("app-of-person"), message!("app-of-person-hint")),
            Self::Locked => of(message!("app-locked"), message!("app-locked-hint")),
            Self::BlindRound => of(message!("app-blind-round"), message!("app-blind-round-hint")),
            Self::OpenBallot => of(message!("app-open-ballot"), message!("app-open-ballot-hint")),
            Self::TooManyCalls { retry_after } => of(message!("app-too-many-calls"), wait(*retry_after)),
            Self::TooManyAttempts { retry_after } => {
                of(message!("app-too-many-attempts"), wait(*retry_after))
            }
            Self::TooManyMeetings { running } => of(
                message!("app-too-many-meetings", running = *running),
                message!("app-too-many-meetings-hint"),
            ),
            Self::TooManyOfAccount { account, running } => of(
                message!("app-too-many-of-account", account = account.clone(), running = *running),
                message!("app-too-many-of-account-hint"),
            ),
            Self::KeyReused => of(message!("app-key-reused"), message!("app-key-reused-hint")),
            Self::StillRunning => of(message!("app-still-running"), message!("app-still-running-hint")),
            Self::Interrupted { use_case, meeting } => interrupted(*use_case, meeting.as_ref()),
            Self::Failed(error) => error.in_both(),
        }
    }
}

/// The hint for a caller beyond its limit.
fn wait(seconds: u64) -> Message {
    message!("app-wait", %seconds)
}

impl From<ServiceError> for Denial {
    fn from(error: ServiceError) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<Denial> for ServiceError {
    fn from(denial: Denial) -> Self {
        let kind = match denial {
            Denial::Failed(error) => return *error,
            Denial::NoSuchMeeting(ref id) => {
                let (message, hint) = denial.in_both();
                return Self::new(message, hint).not_found("meeting", id.as_str());
            }
            Denial::NotSignedIn
            | Denial::Forbidden { .. }
            | Denial::OfPerson
            | Denial::Locked
            | Denial::BlindRound
            | Denial::OpenBallot => ErrorKind::Permission,
            Denial::TooManyCalls { .. }
            | Denial::TooManyAttempts { .. }
            | Denial::TooManyMeetings { .. }
            | Denial::TooManyOfAccount { .. }
            | Denial::StillRunning
            | Denial::Interrupted { .. } => ErrorKind::MeetingState,
            Denial::KeyReused => ErrorKind::Validation,
        };
        let (message, hint) = denial.in_both();
        Self::new(message, hint).of(kind)
    }
}

/// The error when a process stopped during a request with a key: what may have been done, and where it shows.
/// The key can be used again afterwards.
fn interrupted(use_case: UseCase, meeting: Option<&MeetingId>) -> (Wording, Wording) {
    let here = meeting.map(|id| format!("/api/v1/meetings/{id}")).unwrap_or_default();
    let view = || message!("app-look-meeting", %here);
    let newest = message!("app-look-meetings");
    let turns = message!("app-look-turns");
    let part = |name: &str| message!("app-look-part", %here, %name);
    let list = |name: &str| message!("app-look-list", %name);
    let in_log = |kind: &str| message!("app-look-log", %here, %kind);
    let (what, look) = match use_case {
        UseCase::RequestSpeaker => (message!("app-perhaps-called-up"), in_log("speaker_requested")),
        UseCase::AddParticipant => (message!("app-perhaps-joined"), part("participants")),
        UseCase::AddAgendaItem => (message!("app-perhaps-on-agenda"), part("agenda")),
        UseCase::WriteMinutes => (message!("app-perhaps-minutes"), in_log("minutes_requested")),
        UseCase::WriteArtifact => (message!("app-perhaps-artifact"), in_log("artifact_requested")),
        UseCase::CreateAgent => (message!("app-perhaps-agent"), list("agents")),
        UseCase::CreateTemplate => (message!("app-perhaps-template"), list("templates")),
        UseCase::ForkMeeting => (message!("app-perhaps-forked"), newest),
        UseCase::Import => (message!("app-perhaps-imported"), newest),
        UseCase::PermitAction => (message!("app-perhaps-permitted"), in_log("agent_action")),
        UseCase::StartMeeting => (message!("app-perhaps-started"), view()),
        UseCase::PauseMeeting => (message!("app-perhaps-paused"), view()),
        UseCase::ResumeMeeting => (message!("app-perhaps-resumed"), view()),
        UseCase::EndMeeting => (message!("app-perhaps-ending"), view()),
        UseCase::AdvanceMeeting => (message!("app-perhaps-advanced"), view()),
        UseCase::AnswerTurn => (message!("app-perhaps-answered"), turns),
        UseCase::SkipTurn => (message!("app-perhaps-skipped"), turns),
        UseCase::Arrive => (message!("app-perhaps-arrived"), part("people")),
        UseCase::Depart => (message!("app-perhaps-left"), part("people")),
        UseCase::HandOver => (message!("app-perhaps-handed-over"), part("people")),
        UseCase::Say => (message!("app-perhaps-said"), part("messages")),
        _ => (message!("app-perhaps-created"), newest),
    };
    (message!("app-interrupted", what).into(), message!("app-interrupted-hint", look).into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_use_case_that_is_done_once_says_what_may_have_come_of_it() {
        let id = MeetingId::new("m1");
        let everywhere = [
            UseCase::CreateMeeting,
            UseCase::ForkMeeting,
            UseCase::Import,
            UseCase::CreateAgent,
            UseCase::CreateTemplate,
            UseCase::AnswerTurn,
            UseCase::SkipTurn,
        ];
        let mut told = BTreeSet::new();
        for use_case in UseCase::ALL.iter().filter(|one| one.definition().idempotent) {
            let (detail, hint) = interrupted(*use_case, Some(&id));
            let hint = hint.english();
            assert!(hint.starts_with("GET /api/v1/"), "{use_case:?}: {hint}");
            assert_eq!(hint.contains("/m1"), !everywhere.contains(use_case), "{use_case:?}: {hint}");
            assert!(told.insert(detail.english().to_owned()), "{use_case:?}: {}", detail.english());
        }
    }
}
