//! Keeps the keys and addresses of providers, and never shows a key.

use std::io::{BufRead, IsTerminal, Read};
use std::process::ExitCode;

use quorate_engine::{Clock, SystemClock};
use quorate_runners::{ModelRunner, ProviderConfig, Secret};
use quorate_store::{Credential, SqliteStore, StoreError};
use serde_json::{Value, json};

use super::print;
use crate::args::{CredentialsTask, KeyArgs};
use crate::error::CliError;
use crate::password::unseen;
use crate::place::Place;
use crate::setup::address_of;
use crate::speech::Speech;

/// No key is longer than this.
const KEY_MAX_BYTES: u64 = 16 << 10;

/// Stores, lists or forgets credentials.
pub(crate) async fn credentials(
    place: &Place,
    task: CredentialsTask,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    match task {
        CredentialsTask::Set(args) => {
            let Some(given) = given(&args.provider, &args.key, speech)? else {
                return Err(nothing_given());
            };
            let store = place.open()?;
            let credential = store.save_credential(given, SystemClock.now()).await?;
            match args.json {
                true => print(&shown(&credential).to_string()),
                false => {
                    anstream::eprintln!(
                        "{} {}",
                        speech.pick("已加密存放：", "stored, sealed:"),
                        args.provider
                    );
                }
            }
        }
        CredentialsTask::Delete(args) => {
            existing(place)?;
            place.open()?.delete_credential(&args.provider).await?;
            match args.json {
                true => print(&json!({ "provider": args.provider, "deleted": true }).to_string()),
                false => anstream::eprintln!("{} {}", speech.pick("已删除：", "forgotten:"), args.provider),
            }
        }
        CredentialsTask::List(args) => {
            let stored = match place.db.exists() {
                true => list(&place.read()?).await?,
                false => Vec::new(),
            };
            if stored.is_empty() && !args.json {
                let none = speech.pick("没有存放任何凭证", "no credentials are stored");
                anstream::eprintln!("{none}");
            }
            for credential in stored {
                match args.json {
                    true => print(&shown(&credential).to_string()),
                    false => print(&line(&credential, speech)),
                }
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(store: &SqliteStore) -> Result<Vec<Credential>, CliError> {
    Ok(store.credentials().await?)
}

/// A database that is not there is not made only to find nothing in it.
fn existing(place: &Place) -> Result<(), CliError> {
    match place.db.exists() {
        true => Ok(()),
        false => Err(StoreError::NoDatabase { path: place.db.clone() }.into()),
    }
}

fn line(credential: &Credential, speech: Speech) -> String {
    let key = match credential.key {
        Some(_) => speech.pick("有密钥", "with a key"),
        None => speech.pick("没有密钥", "without a key"),
    };
    format!("{}  {}  {key}", credential.provider, without_query(credential))
}

/// As programs see it.
fn shown(credential: &Credential) -> Value {
    let base_url = match without_query(credential) {
        url if url == "-" => Value::Null,
        url => url.into(),
    };
    json!({ "provider": credential.provider, "base_url": base_url, "key": credential.key.is_some() })
}

/// The address as it may be shown: a query can hold what nobody should read.
fn without_query(credential: &Credential) -> String {
    match address_of(credential) {
        Ok(Some(url)) => ProviderConfig::new(&credential.provider, url).shown_url(),
        Ok(None) | Err(_) => "-".to_owned(),
    }
}

/// There is nothing in the arguments that could be stored.
pub(super) fn nothing_given() -> CliError {
    CliError::usage(
        "there is nothing to change",
        "give what is to change; a key by --api-key-stdin or --api-key-env VARIABLE",
    )
}

/// What the arguments say about a provider, checked as far as it can be without asking it; nothing
/// when they say nothing.
pub(super) fn given(provider: &str, args: &KeyArgs, speech: Speech) -> Result<Option<Credential>, CliError> {
    let key = key(provider, args, speech)?;
    if key.is_none() && args.base_url.is_none() {
        return Ok(None);
    }
    let credential = Credential { provider: provider.to_owned(), base_url: args.base_url.clone(), key };
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

fn key(provider: &str, args: &KeyArgs, speech: Speech) -> Result<Option<Secret>, CliError> {
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
                return refused(message, "give it as text: quorate credentials set … --api-key-stdin < FILE");
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
