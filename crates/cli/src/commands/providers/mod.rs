//! Providers of models: who can be asked, with which key, and how. Keys are never shown.

mod add;
mod key;
mod list;
mod test;

use std::collections::BTreeMap;
use std::process::ExitCode;

use quorate_app::{Credential, StoreError, no_such_provider};
use quorate_messages::text;
use reqwest::Method;
use serde_json::{Value, json};

use super::print;
use crate::args::{ProviderArgs, ProvidersTask, RotateArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Writer, part};
use crate::setup::{
    CreateMeetingRequest, FoundProvider, Source, UserFile, found_providers, stored_credentials,
};

pub(super) use key::key;

/// Does what was asked about providers.
pub(crate) async fn providers(
    place: &Place,
    task: ProvidersTask,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    match task {
        ProvidersTask::Add(args) => add::add(place, *args, speech).await,
        ProvidersTask::List(args) => list::list(place, args, speech).await,
        ProvidersTask::Models(args) => list::models(place, args, speech).await,
        ProvidersTask::Test(args) => test::test(place, args, speech).await,
        ProvidersTask::Remove(args) => remove(place, args, speech).await,
        ProvidersTask::Rotate(args) => rotate(place, args, speech).await,
    }
}

async fn remove(place: &Place, args: ProviderArgs, speech: Speech) -> Result<ExitCode, CliError> {
    existing(place)?;
    match Writer::find(place)? {
        Writer::Here(store) => store.delete_provider(&args.provider).await?,
        Writer::Server(server, _) => {
            let path = format!("/providers/{}", part(&args.provider));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    if args.json {
        print(&json!({ "provider": args.provider, "deleted": true }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    anstream::eprintln!("{}{}", text!(speech, "cli-providers-forgotten"), args.provider);
    // What is left of it is worth a note, but is no error.
    let left = all(place, &[], false).await.ok().and_then(|mut found| found.remove(&args.provider));
    if let Some(FoundProvider { source, .. }) = left.filter(|found| found.source != Source::Preset) {
        let from = source.in_words(speech);
        anstream::eprintln!("{}", text!(speech, "cli-providers-can-still-used", %from));
    }
    Ok(ExitCode::SUCCESS)
}

async fn rotate(place: &Place, args: RotateArgs, speech: Speech) -> Result<ExitCode, CliError> {
    existing(place)?;
    let resealed = match Writer::find(place)? {
        Writer::Here(store) => store.rotate_keys().await?,
        Writer::Server(server, _) => {
            let answer: Value = server.ask(Method::POST, "/keys/rotate", None).await?;
            let names = answer["providers"].as_array().into_iter().flatten();
            names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
        }
    };
    if args.json {
        print(&json!({ "resealed": resealed }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let text = match resealed.is_empty() {
        true => text!(speech, "cli-providers-no-keys-stored-there-nothing").to_owned(),
        false => text!(speech, "cli-providers-resealed", resealed),
    };
    anstream::eprintln!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// Every provider that would be used here.
async fn all(
    place: &Place,
    credentials: &[Credential],
    ask: bool,
) -> Result<BTreeMap<String, FoundProvider>, CliError> {
    let user = UserFile::read(&place.config)?;
    found_providers(&CreateMeetingRequest::default(), &user, credentials, ask).await
}

/// The provider of this name, ready to be asked.
async fn one(place: &Place, name: &str) -> Result<FoundProvider, CliError> {
    let mut all = all(place, &stored_credentials(place).await?, true).await?;
    if let Some(found) = all.remove(name) {
        return Ok(found);
    }
    Err(no_such_provider(name, all.keys().map(String::as_str)))
}

/// A database that is not there is not made only to find nothing in it.
fn existing(place: &Place) -> Result<(), CliError> {
    match place.has_database() {
        true => Ok(()),
        false => Err(StoreError::NoDatabase { path: place.db.clone() }.into()),
    }
}
