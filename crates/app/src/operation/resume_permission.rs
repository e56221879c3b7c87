//! Permission to resume a meeting, for all transports.
//!
//! A principal that manages may always resume. A principal that may only speak can answer the questions, but
//! not do by an answer what it may not do directly: change the topic, the budget or the team, or end the
//! meeting. It cannot end a pause that a person has asked for either.

use std::collections::BTreeMap;

use quorate_contract::{Command, MeetingId, PauseReason, Question};
use quorate_core::{Meeting, RunState, answer_text};
use quorate_messages::{Message, message};
use serde_json::Value;

use crate::error::{ErrorKind, ServiceError};
use crate::operation::principal::{Permission, Principal};

/// Whether a command has to be checked against the pause, because the principal may not manage the meeting.
pub(crate) fn looks_at(principal: &Principal, id: &MeetingId, command: &Command) -> bool {
    matches!(command, Command::Resume { .. }) && !principal.may(Permission::Manage, Some(id.as_str()))
}

/// Restricts a resume command of a principal that may only speak; all other commands stay as they are.
///
/// # Errors
/// When the principal may not resume the meeting like this.
pub(crate) fn within(meeting: &Meeting, command: Command) -> Result<Command, ServiceError> {
    match command {
        Command::Resume { by, token, answers, take_defaults } => {
            let token = Some(only_speaks(meeting, token, &answers, take_defaults)?);
            Ok(Command::Resume { by, token, answers, take_defaults })
        }
        other => Ok(other),
    }
}

/// The token of the pause that the answers are for, when they do no more than speaking does. With it, they
/// never reach another pause that came meanwhile.
fn only_speaks(
    meeting: &Meeting,
    token: Option<String>,
    answers: &BTreeMap<String, Value>,
    take_defaults: bool,
) -> Result<String, ServiceError> {
    let RunState::Paused { reason, token: now, questions, .. } = &meeting.run_state else {
        if meeting.planned_pause.is_some() || meeting.run_state != RunState::Running {
            return Err(theirs());
        }
        return Ok(token.unwrap_or_default());
    };
    // As the meeting reads them: what is no text is an answer, too.
    let given = |key: &str| answers.get(key).and_then(answer_text);
    // Pauses of earlier logs end the meeting by default.
    let ends = |question: &Question| {
        question.key == "next" && question.default.as_ref().and_then(Value::as_str) == Some("end")
    };
    let ends_by_default = take_defaults && given("next").is_none() && questions.iter().any(ends);
    match reason {
        PauseReason::CheckIn if given("topic").is_some_and(|topic| topic != meeting.settings.topic) => {
            Err(beyond(
                "answers.topic",
                message!("app-may-not-change-topic"),
                message!("app-may-not-change-topic-hint"),
            ))
        }
        PauseReason::BudgetLimit => Err(beyond("answers.budget", message!("app-may-not-set-budget"), host())),
        PauseReason::NeedApproval => Err(beyond("answers.team", message!("app-may-not-decide-team"), host())),
        PauseReason::ToolApproval => Err(beyond("answers", message!("app-may-not-allow-tool"), host())),
        PauseReason::NothingNew if given("next").as_deref() == Some("end") || ends_by_default => {
            Err(beyond("answers.next", message!("app-may-not-end"), message!("app-may-not-end-hint")))
        }
        PauseReason::UserRequest => Err(theirs()),
        PauseReason::CheckIn | PauseReason::MissingInfo | PauseReason::AwaitingHost => {
            Ok(token.unwrap_or_else(|| now.clone()))
        }
        PauseReason::NothingNew | PauseReason::NobodyAnswered | PauseReason::GateFailed => {
            Ok(token.unwrap_or_else(|| now.clone()))
        }
    }
}

/// The error for a pause that the organizer has asked for.
fn theirs() -> ServiceError {
    let detail = message!("app-paused-by-host");
    ServiceError::new(detail, message!("app-paused-by-host-hint")).of(ErrorKind::Permission)
}

/// The hint for what only the host may answer.
fn host() -> Message {
    message!("app-host-answers")
}

fn beyond(field: &str, detail: Message, hint: Message) -> ServiceError {
    ServiceError::new(detail, hint).of(ErrorKind::Permission).with("field", field)
}
