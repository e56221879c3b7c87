//! Failures of a process.

use std::io;

use quorate_contract::{FailureKind, Phrase};
use quorate_messages::{Message, message};

use super::config::ProcessConfig;
use super::worker::ProcessLoss;

/// A call without an answer.
#[derive(Debug)]
pub(crate) struct ProcessFailure {
    pub(crate) kind: FailureKind,
    pub(crate) detail: Phrase,
    pub(crate) hint: Phrase,
    /// Whether the process said itself what is wrong; what it wrote to stderr then says no more.
    pub(crate) stated: bool,
}

impl ProcessFailure {
    pub(crate) fn new(kind: FailureKind, detail: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        Self { kind, detail: detail.into(), hint: hint.into(), stated: false }
    }

    /// The same, in the words of the process.
    pub(crate) fn stated(self) -> Self {
        Self { stated: true, ..self }
    }
}

/// The process could not be started.
pub(crate) fn not_started(config: &ProcessConfig, error: &io::Error) -> ProcessFailure {
    let (name, program) = (&config.name, config.command.first().map_or("", String::as_str));
    let hint = || message!("remedy-install-program", %program, %name);
    match error.kind() {
        io::ErrorKind::NotFound if config.find_program().is_none() => {
            ProcessFailure::new(FailureKind::NotConfigured, message!("failure-no-program", program), hint())
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            let detail = message!("failure-no-folder");
            let hint = message!("remedy-check-cwd", %name);
            ProcessFailure::new(FailureKind::NotConfigured, detail, hint)
        }
        _ => ProcessFailure::new(
            FailureKind::NotConfigured,
            message!("failure-not-started", program, %error),
            hint(),
        ),
    }
}

/// The failure of a lost process. `begun`: fragments of an answer had come.
pub(super) fn lost(config: &ProcessConfig, loss: ProcessLoss, begun: bool) -> ProcessFailure {
    let name = &config.name;
    let protocol = message!("remedy-one-line-per-event");
    if loss.too_long {
        return ProcessFailure::new(FailureKind::Malformed, message!("failure-line-too-long"), protocol);
    }
    let how = match loss.status {
        Some(status) => describe(status),
        None => message!("failure-stdout-closed"),
    };
    let well = loss.status.is_some_and(|status| status.success());
    let failure = match begun {
        true => message!("failure-ended-within-answer", how),
        false => message!("failure-ended-without-answer", how),
    };
    let failure = match loss.garbage {
        0 => failure,
        count => message!("failure-garbage", failure, count),
    };
    let kind = match (well, begun, loss.garbage > 0) {
        (_, true, _) | (false, false, _) => FailureKind::AgentFailed,
        (true, false, true) => FailureKind::Malformed,
        (true, false, false) => FailureKind::Empty,
    };
    let hint = match kind {
        FailureKind::AgentFailed => message!("remedy-run-by-hand", %name),
        _ => message!("remedy-end-with-message"),
    };
    ProcessFailure::new(kind, failure, hint)
}

#[cfg(unix)]
pub(crate) fn describe(status: std::process::ExitStatus) -> Message {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => message!("failure-exit-code", code),
        (None, Some(signal)) => message!("failure-signal", signal),
        (None, None) => message!("failure-ended"),
    }
}

#[cfg(not(unix))]
pub(crate) fn describe(status: std::process::ExitStatus) -> Message {
    match status.code() {
        Some(code) => message!("failure-exit-code", code),
        None => message!("failure-ended"),
    }
}

/// The failure of a process that did not answer in time.
pub(super) fn too_late(config: &ProcessConfig, ms: u64, own_limit: bool) -> ProcessFailure {
    let hint = match own_limit {
        true => message!("remedy-raise-process-time", name = &config.name),
        false => message!("remedy-raise-turn-time-for-process"),
    };
    let detail = message!("failure-no-answer-within", seconds = ms.div_ceil(1000));
    ProcessFailure::new(FailureKind::TimedOut, detail, hint)
}

/// One line of at most `max` characters, without control characters. A longer text keeps its end, where
/// programs report errors. Secrets must be redacted before.
pub(crate) fn last_of(text: &str, max: usize) -> String {
    let line = cleaned(text);
    let chars = line.chars().count();
    match chars > max {
        true => format!("…{}", line.chars().skip(chars - max).collect::<String>()),
        false => line,
    }
}

/// The same, of a longer text the beginning.
pub(crate) fn first_of(text: &str, max: usize) -> String {
    let line = cleaned(text);
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn cleaned(text: &str) -> String {
    let text = uncoloured(text);
    let words = text.split_whitespace().map(|word| {
        let direction =
            |c: &char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}');
        word.chars().filter(|c| !c.is_control() && !direction(c)).collect::<String>()
    });
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Without the sequences that colour a terminal.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain.push_str(
            part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').get(1..).unwrap_or(""),
        );
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_left_out_and_what_is_cut_says_so() {
        assert_eq!(first_of("\u{1b}[1;31mError\u{1b}[0m:\r\n\u{202e}no\u{7} key", 50), "Error: no key");
        assert_eq!(first_of("\u{1b}[众议", 50), "");
        assert_eq!(first_of("先做试点", 2), "先做…");
        assert_eq!(last_of("先做试点", 2), "…试点");
    }
}
