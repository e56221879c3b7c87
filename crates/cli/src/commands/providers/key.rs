//! Reads a provider's key and address from the terminal, a file or a pipe. A key is never shown.

use std::io::{BufRead, IsTerminal, Read};

use quorate_app::Secret;
use quorate_messages::text;

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
    let refused = |message: String, hint: &str| Err(CliError::usage(message, hint).with("field", "api_key"));
    let text = if let Some(variable) = &args.api_key_env {
        match std::env::var(variable) {
            Ok(text) => text,
            Err(_) => {
                return refused(format!("{variable} is not set"), "set it, or use --api-key-stdin");
            }
        }
    } else if args.api_key_stdin {
        match read_key(provider, speech) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("the key cannot be read from standard input: {error}");
                return refused(message, "give it as text: quorate providers add … --api-key-stdin < FILE");
            }
        }
    } else {
        return Ok(None);
    };
    let key = Secret::new(text);
    match key == Secret::new("") {
        true => refused("the key is empty".to_owned(), "give the key that the provider issued"),
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
