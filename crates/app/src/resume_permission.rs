//! Permission to resume a meeting, for all transports.
//!
//! A principal that manages may always resume. A principal that may only speak can answer the questions, but
//! not do by an answer what it may not do directly: change the topic, the budget or the team, or end the
//! meeting. It cannot end a pause that a person has asked for either.

use std::collections::BTreeMap;

use quorate_contract::{Command, MeetingId, PauseReason};
use quorate_core::{Meeting, RunState};
use serde_json::Value;

use crate::error::{ErrorKind, ServiceError};
use crate::principal::{Permission, Principal};

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
    let RunState::Paused { reason, token: now, .. } = &meeting.run_state else {
        if meeting.halt.is_some() || meeting.run_state != RunState::Running {
            return Err(theirs());
        }
        return Ok(token.unwrap_or_default());
    };
    let given =
        |key: &str| answers.get(key).and_then(Value::as_str).map(str::trim).filter(|it| !it.is_empty());
    match reason {
        PauseReason::CheckIn if given("topic").is_some_and(|topic| topic != meeting.charter.topic) => {
            Err(beyond(
                "answers.topic",
                ("you may speak, but not change the topic", "你可以发言，但不能改主题"),
                (
                    "leave the topic as it is and send your other answers again; nothing was taken over yet",
                    "把主题留空，再提交其余回答；这次的回答都还没有采用",
                ),
            ))
        }
        PauseReason::BudgetLimit => Err(beyond(
            "answers.budget",
            ("you may speak, but not set the budget", "你可以发言，但不能改预算"),
            HOST,
        )),
        PauseReason::NeedApproval => Err(beyond(
            "answers.team",
            ("you may speak, but not decide who comes and goes", "你可以发言，但不能决定谁加入、谁离开"),
            HOST,
        )),
        PauseReason::NothingNew
            if given("next") == Some("end") || (take_defaults && given("next").is_none()) =>
        {
            Err(beyond(
                "answers.next",
                ("you may speak, but not end the meeting", "你可以发言，但不能结束会议"),
                (
                    "answer continue, or ask whoever holds the meeting to end it",
                    "请回答 continue（继续），或请主持会议的人来结束",
                ),
            ))
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
    let detail = ("whoever holds the meeting has paused it", "会议是主持者暂停的");
    ServiceError::new(detail, ("ask them to resume it", "请主持会议的人来恢复")).of(ErrorKind::Permission)
}

const HOST: (&str, &str) = ("ask whoever holds the meeting to answer this", "请主持会议的人来回答这个问题");

fn beyond(
    field: &str,
    detail: (&'static str, &'static str),
    hint: (&'static str, &'static str),
) -> ServiceError {
    ServiceError::new(detail, hint).of(ErrorKind::Permission).with("field", field)
}
