//! Failures of a coding agent, told apart by what a person can do.

use quorate_contract::{FailureKind, Phrase};
use quorate_messages::{Message, message};

use super::config::AcpConfig;
use super::wire::{AuthMethod, RpcError};
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
        let by_hand = || Phrase::from(message!("remedy-acp-run-by-hand", %name));
        let protocol = || Phrase::from(message!("remedy-acp-is-it-an-agent", %name));
        let of = |kind, failure: Message, hint: Phrase| (kind, Phrase::from(failure), hint);
        match self {
            Self::NotStarted(ProcessFailure { kind, detail, hint: _, stated: _ }) => {
                let program = config.command.first().map_or("", String::as_str);
                (kind, detail, message!("remedy-acp-install-program", %program, %name).into())
            }
            Self::NoFolder => of(
                FailureKind::NotConfigured,
                message!("failure-acp-folder-gone"),
                message!("remedy-acp-folder-gone", %name).into(),
            ),
            Self::Folder { problem, hint } => of(FailureKind::NotConfigured, problem, hint.into()),
            Self::Gone { status, spoke, garbage } => {
                let how = status.map_or_else(|| message!("failure-stdout-closed"), describe_exit);
                match (spoke, garbage) {
                    (true, _) => {
                        of(FailureKind::Network, message!("failure-acp-ended-within-turn", how), by_hand())
                    }
                    (false, 0) => {
                        of(FailureKind::Network, message!("failure-acp-ended-at-start", how), by_hand())
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
                message!("remedy-acp-version", %name).into(),
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
                let command = config.command.join(" ");
                of(
                    FailureKind::Authentication,
                    failure,
                    message!("remedy-acp-sign-in", %name, command).into(),
                )
            }
            Self::NotReady { seconds } => {
                of(FailureKind::TimedOut, message!("failure-acp-not-ready", seconds), by_hand())
            }
            Self::TooLate { ms, own_limit } => of(
                FailureKind::TimedOut,
                message!("failure-no-answer-within", seconds = ms.div_ceil(1000)),
                match own_limit {
                    true => message!("remedy-acp-raise-time", %name).into(),
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
                of(FailureKind::Network, failure, by_hand())
            }
            Self::Refused => of(
                FailureKind::ContentRefused,
                message!("failure-acp-refused"),
                message!("remedy-word-differently").into(),
            ),
            Self::CancelledItself | Self::Unwanted => of(
                FailureKind::Network,
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
                message!("remedy-acp-too-many-questions", %name).into(),
            ),
        }
    }
}
