//! Failures of a process.

use std::io;

use quorate_contract::{FailureKind, Wording};
use quorate_messages::message;

use super::config::ProcessConfig;
use super::worker::Loss;

/// A call without an answer.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) kind: FailureKind,
    pub(super) detail: String,
    pub(super) hint: Wording,
}

impl Trouble {
    pub(super) fn new(kind: FailureKind, detail: impl Into<String>, hint: impl Into<Wording>) -> Self {
        Self { kind, detail: detail.into(), hint: hint.into() }
    }
}

/// The process could not be started.
pub(super) fn not_started(config: &ProcessConfig, error: &io::Error) -> Trouble {
    let (name, program) = (&config.name, config.command.first().map_or("", String::as_str));
    let hint = || {
        let general = message!("runners-trouble-install-change-command-processes", %program, %name);
        Wording::from(general)
    };
    match error.kind() {
        io::ErrorKind::NotFound if config.find_program().is_none() => {
            Trouble::new(FailureKind::NotConfigured, format!("the program {program:?} was not found"), hint())
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            let detail = "the folder it is to run in, or the interpreter of its program, was not found";
            let hint = message!("runners-trouble-check-cwd-processes", %name);
            Trouble::new(FailureKind::NotConfigured, detail, hint)
        }
        _ => Trouble::new(
            FailureKind::NotConfigured,
            format!("{program:?} cannot be started: {error}"),
            hint(),
        ),
    }
}

/// The trouble of a lost process. `begun`: fragments of an answer had come.
pub(super) fn lost(config: &ProcessConfig, loss: Loss, begun: bool) -> Trouble {
    let name = &config.name;
    let protocol = message!("runners-trouble-write-each-event-as-one");
    if loss.too_long {
        return Trouble::new(FailureKind::Malformed, "it wrote a line of more than 1 MB", protocol);
    }
    let how = match loss.status {
        Some(status) => describe(status),
        None => "it closed its stdout".to_owned(),
    };
    let well = loss.status.is_some_and(|status| status.success());
    let garbage = match loss.garbage {
        0 => String::new(),
        1 => "; one line on its stdout was no event".to_owned(),
        count => format!("; {count} lines on its stdout were no events"),
    };
    let (kind, what) = match (well, begun, loss.garbage > 0) {
        (_, true, _) => (FailureKind::Network, "in the middle of its answer"),
        (false, false, _) => (FailureKind::Network, "without an answer"),
        (true, false, true) => (FailureKind::Malformed, "without an answer"),
        (true, false, false) => (FailureKind::Empty, "without an answer"),
    };
    let hint = match kind {
        FailureKind::Network => message!("runners-trouble-run-command-processes-by-hand", %name),
        _ => message!("runners-trouble-end-each-call-agent-message"),
    };
    Trouble::new(kind, format!("{how} {what}{garbage}"), hint)
}

#[cfg(unix)]
fn describe(status: std::process::ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => "it ended".to_owned(),
    }
}

#[cfg(not(unix))]
fn describe(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it ended with exit code {code}"),
        None => "it ended".to_owned(),
    }
}

/// The trouble of a process that did not answer in time.
pub(super) fn too_late(config: &ProcessConfig, ms: u64, own_limit: bool) -> Trouble {
    let setting = match own_limit {
        true => format!("timeout_ms in [processes.{}]", config.name),
        false => "`turns.timeout_ms`".to_owned(),
    };
    let chinese = match own_limit {
        true => format!("[processes.{}] 的 timeout_ms", config.name),
        false => "`turns.timeout_ms`".to_owned(),
    };
    let hint = (
        format!("raise {setting}; does it read one line only, and flush what it writes?"),
        format!("调大 {chinese}；并确认程序每次只读一行，写完会刷新输出"),
    );
    Trouble::new(FailureKind::TimedOut, format!("no answer within {} s", ms.div_ceil(1000)), hint)
}

/// One line of at most `max` characters, without control characters. A longer text keeps its end, where
/// programs report errors. Secrets must be redacted before.
pub(super) fn last_of(text: &str, max: usize) -> String {
    let line = cleaned(text);
    let chars = line.chars().count();
    match chars > max {
        true => format!("…{}", line.chars().skip(chars - max).collect::<String>()),
        false => line,
    }
}

/// The same, of a longer text the beginning.
pub(super) fn first_of(text: &str, max: usize) -> String {
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
