//! Reads a provider's key and address from where somebody gives them. A key is never shown.

use std::io::{BufRead, IsTerminal, Read};

use quorate_runners::{ModelRunner, ProviderConfig, Secret};
use quorate_store::Credential;

use crate::args::KeyArgs;
use crate::error::CliError;
use crate::password::unseen;
use crate::setup::address_of;
use crate::speech::Speech;

/// No key is longer than this.
const KEY_MAX_BYTES: u64 = 16 << 10;

/// There is nothing in the arguments that could be stored.
pub(in crate::commands) fn nothing_given() -> CliError {
    CliError::usage(
        "there is nothing to change",
        "give what is to change; a key by --api-key-stdin or --api-key-env VARIABLE",
    )
}

/// What the arguments say about a provider, checked as far as it can be without asking it; nothing
/// when they say nothing.
pub(in crate::commands) fn given(
    provider: &str,
    args: &KeyArgs,
    speech: Speech,
) -> Result<Option<Credential>, CliError> {
    let key = key(provider, args, speech)?;
    if key.is_none() && args.base_url.is_none() {
        return Ok(None);
    }
    let credential = Credential { base_url: args.base_url.clone(), key, ..Credential::blank(provider) };
    // Whatever no request could be made with is refused before it is stored.
    let url = match address_of(&credential)? {
        Some(url) => url,
        None => "https://localhost".parse().expect("this is an address"),
    };
    let mut config = ProviderConfig::new(provider, url);
    config.key.clone_from(&credential.key);
    ModelRunner::new(config)?;
    Ok(Some(credential))
}

pub(super) fn key(provider: &str, args: &KeyArgs, speech: Speech) -> Result<Option<Secret>, CliError> {
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

/// One line from a terminal, everything from a file or a pipe.
fn read_key(provider: &str, speech: Speech) -> std::io::Result<String> {
    let stdin = std::io::stdin().lock();
    let terminal = stdin.is_terminal();
    let mut text = String::new();
    let mut limited = stdin.take(KEY_MAX_BYTES);
    if terminal {
        anstream::eprint!("{}", speech.pick(format!("{provider} 的密钥："), format!("key of {provider}: ")));
        unseen(|| limited.read_line(&mut text))?;
        anstream::eprintln!();
    } else {
        limited.read_to_string(&mut text)?;
    }
    Ok(text)
}
