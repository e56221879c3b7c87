//! Reads a provider's key and address from the terminal, a file or a pipe. A key is never shown.

use std::io::{BufRead, IsTerminal, Read};

use quorate_app::Secret;
use quorate_messages::{Message, message, text};

use crate::args::KeyArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::password::unseen;

/// The largest length of a key.
const KEY_MAX_BYTES: u64 = 16 << 10;

/// The key that the arguments name; `None` when they name none.
pub(in crate::commands) fn key(
    provider: &str,
    args: &KeyArgs,
    speech: Speech,
) -> Result<Option<Secret>, CliError> {
    let refused =
        |problem: Message, hint: Message| Err(CliError::usage(problem, hint).with("field", "api_key"));
    let text = if let Some(variable) = &args.api_key_env {
        match std::env::var(variable) {
            Ok(text) => text,
            Err(_) => {
                return refused(message!("cli-key-not-set", variable), message!("cli-key-not-set-hint"));
            }
        }
    } else if args.api_key_stdin {
        match read_key(provider, speech) {
            Ok(text) => text,
            Err(error) => {
                let problem = message!("cli-key-unreadable", %error);
                return refused(problem, message!("cli-key-unreadable-hint"));
            }
        }
    } else {
        return Ok(None);
    };
    let key = Secret::new(text);
    match key == Secret::new("") {
        true => refused(message!("cli-key-empty"), message!("store-credentials-key-hint")),
        false => Ok(Some(key)),
    }
}

/// Reads one line from a terminal, everything from a file or a pipe.
fn read_key(provider: &str, speech: Speech) -> std::io::Result<String> {
    let stdin = std::io::stdin().lock();
    let terminal = stdin.is_terminal();
    let mut text = String::new();
    let mut limited = stdin.take(KEY_MAX_BYTES);
    if terminal {
        anstream::eprint!("{}", text!(speech, "cli-key-key", %provider));
        unseen(|| limited.read_line(&mut text))?;
        anstream::eprintln!();
    } else {
        limited.read_to_string(&mut text)?;
    }
    Ok(text)
}
