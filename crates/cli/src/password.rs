//! Meetings that ask for a password: how one is set, and asked for before a meeting is opened.
//!
//! The store keeps a hash beside the catalogue; the log only says that a password is needed.

use std::io::{BufRead, IsTerminal};
use std::sync::Mutex;

use quorate_app::LocalDatabase;
use quorate_contract::MeetingId;
use quorate_messages::{message, text};

use crate::error::{CliError, ErrorKind};
use crate::language::Speech;

/// The variable that holds a password, where no person can type one.
pub(crate) const VARIABLE: &str = "QUORATE_PASSWORD";

/// The meetings that this process has been let into.
static LET_IN: Mutex<Vec<MeetingId>> = Mutex::new(Vec::new());

/// Asks for the meeting's password, when it has one.
///
/// # Errors
/// When it is wrong, or there is no person to ask.
pub(crate) async fn ask(store: &LocalDatabase, id: &MeetingId) -> Result<(), CliError> {
    if !store.is_locked(id).await? || LET_IN.lock().is_ok_and(|let_in| let_in.contains(id)) {
        return Ok(());
    }
    let speech = crate::language::current();
    let given = match std::env::var(VARIABLE) {
        Ok(password) => password,
        Err(_) if std::io::stdin().is_terminal() => {
            anstream::eprint!("{}", text!(speech, "cli-password-password-meeting"));
            typed()?
        }
        Err(_) => {
            return Err(CliError::new(
                text!(speech, "cli-password-password-needed-open-meeting"),
                text!(speech, "cli-password-type-terminal-set", variable = %VARIABLE),
            )
            .of(ErrorKind::Permission)
            .with("required_role", "password"));
        }
    };
    if !store.opens(id, &given).await? {
        return Err(CliError::new(
            text!(speech, "cli-password-password-wrong"),
            text!(speech, "cli-password-try-again-password-taken-before", variable = %VARIABLE),
        )
        .of(ErrorKind::Permission)
        .with("required_role", "password"));
    }
    if let Ok(mut let_in) = LET_IN.lock() {
        let_in.push(id.clone());
    }
    Ok(())
}

/// The password that a new meeting is to have: from stdin when `stdin` says so, or from the variable.
pub(crate) fn wanted(stdin: bool) -> Result<Option<String>, CliError> {
    match stdin {
        true => one_line().map(Some),
        false => Ok(std::env::var(VARIABLE).ok().filter(|password| !password.is_empty())),
    }
}

/// A new password for a meeting, typed twice in a terminal, read once elsewhere; empty removes it.
pub(crate) fn another(speech: Speech) -> Result<Option<String>, CliError> {
    if !std::io::stdin().is_terminal() {
        return one_line().map(|password| Some(password).filter(|password| !password.is_empty()));
    }
    anstream::eprint!("{}", text!(speech, "cli-password-new-password-empty-takes-away"));
    let first = typed()?;
    if first.is_empty() {
        return Ok(None);
    }
    anstream::eprint!("{}", text!(speech, "cli-password-once-more"));
    match typed()? == first {
        true => Ok(Some(first)),
        false => Err(CliError::usage(
            text!(speech, "cli-password-two-not-same"),
            text!(speech, "cli-password-nothing-changed-try-again"),
        )),
    }
}

/// A password that is chosen: typed twice, or the first line of stdin when `stdin` says so.
pub(crate) fn chosen(stdin: bool, speech: Speech) -> Result<String, CliError> {
    if stdin {
        return one_line();
    }
    if !std::io::stdin().is_terminal() {
        return Err(CliError::usage(
            text!(speech, "cli-password-there-no-terminal-here-type"),
            text!(speech, "cli-password-add-password-stdin-read-from"),
        )
        .with("field", "password_stdin"));
    }
    anstream::eprint!("{}", text!(speech, "cli-password-password-at-least-8-characters"));
    let first = typed()?;
    anstream::eprint!("{}", text!(speech, "cli-password-once-more"));
    match typed()? == first {
        true => Ok(first),
        false => Err(CliError::usage(
            text!(speech, "cli-password-two-not-same"),
            text!(speech, "cli-password-nothing-changed-try-again"),
        )),
    }
}

/// Notes that this process made a meeting, and so needs no password for it.
pub(crate) fn let_in(id: &MeetingId) {
    if let Ok(mut let_in) = LET_IN.lock() {
        let_in.push(id.clone());
    }
}

/// Reads one line that the terminal does not show.
fn typed() -> Result<String, CliError> {
    let line = unseen(one_line);
    anstream::eprintln!();
    line
}

fn one_line() -> Result<String, CliError> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| {
        CliError::usage(message!("cli-password-unreadable", %error), message!("cli-write-utf-8"))
    })?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

/// Reads while the terminal does not show what is typed.
#[cfg(unix)]
pub(crate) fn unseen<T>(read: impl FnOnce() -> T) -> T {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let terminal = std::io::stdin();
    let before = tcgetattr(&terminal).ok();
    if let Some(before) = &before {
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        // A terminal that cannot hide what is typed is still one to type at.
        _ = tcsetattr(&terminal, OptionalActions::Now, &hidden);
    }
    let done = read();
    if let Some(before) = &before {
        _ = tcsetattr(&terminal, OptionalActions::Now, before);
    }
    done
}

#[cfg(not(unix))]
pub(crate) fn unseen<T>(read: impl FnOnce() -> T) -> T {
    read()
}
