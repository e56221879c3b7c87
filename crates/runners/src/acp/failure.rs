//! Failures of a coding agent, told apart by what a person can do.

use quorate_contract::{FailureKind, Phrase};
use quorate_messages::{Message, message};

use super::config::AcpConfig;
use super::wire::{AuthMethod, RpcError};
use crate::model::refusal::kind_by_words;
use crate::process::{ProcessFailure, describe_exit};

/// A turn without an answer.
#[derive(Debug)]
pub(super) enum AcpError {
    /// The program cannot be started.
    NotStarted(ProcessFailure),
    /// The folder of the seat is not there.
    NoFolder,
    /// The configuration has no such folder.
    Folder { problem: Message, hint: Message },
    /// It has ended.
    Gone { status: Option<std::process::ExitStatus>, spoke: bool, garbage: u32 },
    /// What it writes is no message of the protocol.
    NotAcp { garbage: u32 },
    /// It wrote a line without an end.
    LineTooLong,
    /// It speaks another version of the protocol.
    Version(u64),
    /// It wants a sign-in.
    SignIn(Vec<AuthMethod>),
    /// It does not get ready.
    NotReady { seconds: u64 },
    /// It did not answer in time.
    TooLate { ms: u64, own_limit: bool },
    /// It does not take the mode that is configured.
    Mode { mode: String, said: RpcError },
    /// It answers with an error.
    Reported(RpcError),
    /// It refuses to answer.
    Refused,
    /// It has cancelled its own turn.
    CancelledItself,
    /// Its answer cannot be read.
    Unreadable,
    /// Its answer is empty.
    Empty,
    /// It wrote more than is taken.
    Flood,
    /// It did more than is recorded.
    TooManyActions,
    /// It asked for permissions without an end.
    TooManyQuestions,
    /// Nobody waits for the answer any more.
    Unwanted,
}

impl AcpError {
    /// Whether the agent can go on with its next turn.
    pub(super) fn leaves_agent_usable(&self) -> bool {
        match self {
            Self::Reported(_)
            | Self::Mode { .. }
            | Self::Refused
            | Self::CancelledItself
            | Self::Empty
            | Self::Unwanted
            | Self::TooLate { .. } => true,
            Self::NotStarted(_)
            | Self::NoFolder
            | Self::Folder { .. }
            | Self::Gone { .. }
            | Self::NotAcp { .. }
            | Self::LineTooLong
            | Self::Version(_)
            | Self::SignIn(_)
            | Self::NotReady { .. }
            | Self::Unreadable
            | Self::Flood
            | Self::TooManyActions
            | Self::TooManyQuestions => false,
        }
    }

    /// Whether what it wrote to stderr can say more. An agent that says what is wrong needs no log beside it.
    pub(super) fn asks_stderr(&self) -> bool {
        matches!(self, Self::Gone { .. } | Self::NotAcp { .. } | Self::NotReady { .. } | Self::LineTooLong)
    }

    /// The kind, the words, and what helps.
    pub(super) fn told(self, config: &AcpConfig) -> (FailureKind, Phrase, Phrase) {
        let name = &config.name;
        // What the command line has given is changed there.
        let flag = config.of_command_line;
        let command = || config.command.join(" ");
        let either = |of_flag: Message, of_file: Message| Phrase::from(if flag { of_flag } else { of_file });
        let by_hand = || {
            let of_flag = message!("remedy-acp-flag-run-by-hand", command = command());
            either(of_flag, message!("remedy-acp-run-by-hand", %name))
        };
        let protocol = || {
            either(message!("remedy-acp-flag-is-it-an-agent"), message!("remedy-acp-is-it-an-agent", %name))
        };
        let sign_in = || {
            let of_flag = message!("remedy-acp-flag-sign-in", command = command());
            either(of_flag, message!("remedy-acp-sign-in", %name, command = command()))
        };
        let of = |kind, failure: Message, hint: Phrase| (kind, Phrase::from(failure), hint);
        match self {
            Self::NotStarted(ProcessFailure { kind, detail, hint: _, stated: _ }) => {
                let program = config.command.first().map_or("", String::as_str);
                let of_flag = message!("remedy-acp-flag-install-program", %program);
                (kind, detail, either(of_flag, message!("remedy-acp-install-program", %program, %name)))
            }
            Self::NoFolder => of(
                FailureKind::NotConfigured,
                message!("failure-acp-folder-gone"),
                either(message!("remedy-acp-flag-folder-gone"), message!("remedy-acp-folder-gone", %name)),
            ),
            Self::Folder { problem, hint } => of(FailureKind::NotConfigured, problem, hint.into()),
            Self::Gone { status, spoke, garbage } => {
                let how = status.map_or_else(|| message!("failure-stdout-closed"), describe_exit);
                match (spoke, garbage) {
                    (true, _) => of(
                        FailureKind::AgentFailed,
                        message!("failure-acp-ended-within-turn", how),
                        by_hand(),
                    ),
                    (false, 0) => {
                        of(FailureKind::AgentFailed, message!("failure-acp-ended-at-start", how), by_hand())
                    }
                    (false, count) => of(
                        FailureKind::Malformed,
                        message!(
                            "failure-garbage",
                            failure = message!("failure-acp-ended-at-start", how),
                            count
                        ),
                        protocol(),
                    ),
                }
            }
            Self::NotAcp { garbage } => {
                of(FailureKind::Malformed, message!("failure-acp-no-protocol", count = garbage), protocol())
            }
            Self::LineTooLong => of(FailureKind::Malformed, message!("failure-line-too-long"), protocol()),
            Self::Version(version) => of(
                FailureKind::BadRequest,
                message!("failure-acp-version", %version),
                either(message!("remedy-acp-flag-version"), message!("remedy-acp-version", %name)),
            ),
            Self::SignIn(methods) => {
                let named = |method: &AuthMethod| {
                    let named = match method.name.is_empty() {
                        true => method.id.clone(),
                        false => format!("{} ({})", method.name, method.id),
                    };
                    match method.description.is_empty() {
                        true => named,
                        false => format!("{named}: {}", method.description),
                    }
                };
                let methods: Vec<String> = methods.iter().take(10).map(named).collect();
                let failure = match methods.is_empty() {
                    true => message!("failure-acp-sign-in"),
                    false => message!("failure-acp-sign-in-by", methods),
                };
                of(FailureKind::Authentication, failure, sign_in())
            }
            Self::NotReady { seconds } => {
                of(FailureKind::TimedOut, message!("failure-acp-not-ready", seconds), by_hand())
            }
            Self::TooLate { ms, own_limit } => of(
                FailureKind::TimedOut,
                message!("failure-no-answer-within", seconds = ms.div_ceil(1000)),
                match own_limit {
                    true => either(
                        message!("remedy-acp-flag-raise-time", %name),
                        message!("remedy-acp-raise-time", %name),
                    ),
                    false => message!("remedy-acp-raise-turn-time").into(),
                },
            ),
            Self::Mode { mode, said } => of(
                FailureKind::NotConfigured,
                message!("failure-acp-mode", mode, said = said.said()),
                message!("remedy-acp-mode", %name).into(),
            ),
            Self::Reported(error) => {
                let said = error.said();
                let failure = match said.trim().is_empty() {
                    true => message!("failure-reports-error"),
                    false => message!("failure-acp-reported", said),
                };
                let kind = kind_by_words(&error.words()).unwrap_or(FailureKind::AgentFailed);
                let hint = match kind {
                    FailureKind::ModelUnknown => {
                        either(message!("remedy-acp-flag-model"), message!("remedy-acp-model", %name))
                    }
                    FailureKind::RateLimit | FailureKind::Overloaded => {
                        message!("remedy-later-or-another-model").into()
                    }
                    FailureKind::Quota => message!("remedy-acp-quota").into(),
                    FailureKind::ContextTooLong => message!("remedy-longer-context").into(),
                    FailureKind::ContentRefused => message!("remedy-word-differently").into(),
                    FailureKind::Authentication => sign_in(),
                    _ => by_hand(),
                };
                of(kind, failure, hint)
            }
            Self::Refused => of(
                FailureKind::ContentRefused,
                message!("failure-acp-refused"),
                message!("remedy-word-differently").into(),
            ),
            Self::CancelledItself | Self::Unwanted => of(
                FailureKind::AgentFailed,
                message!("failure-acp-cancelled"),
                message!("remedy-try-again").into(),
            ),
            Self::Unreadable => of(FailureKind::Malformed, message!("failure-acp-unreadable"), protocol()),
            Self::Empty => {
                of(FailureKind::Empty, message!("failure-empty"), message!("remedy-try-again").into())
            }
            Self::Flood => of(FailureKind::Malformed, message!("failure-acp-flood"), by_hand()),
            Self::TooManyActions => {
                of(FailureKind::Malformed, message!("failure-acp-too-many-actions"), by_hand())
            }
            Self::TooManyQuestions => of(
                FailureKind::Malformed,
                message!("failure-acp-too-many-questions"),
                either(
                    message!("remedy-acp-flag-too-many-questions"),
                    message!("remedy-acp-too-many-questions", %name),
                ),
            ),
        }
    }
}
