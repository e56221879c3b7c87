//! Deletes a meeting, with all that was said at it.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use quorate_app::{Pace, Programs, UseCase};
use quorate_messages::text;
use reqwest::Method;
use serde_json::Value;

use super::print;
use super::run::app_over;
use crate::args::DeleteArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::password;
use crate::place::Place;
use crate::remote::{Writer, part};
use crate::setup::runners;

/// Deletes a meeting. A person is asked first; without one, `--yes` has to say so.
pub(crate) async fn delete(place: &Place, args: DeleteArgs, speech: Speech) -> Result<ExitCode, CliError> {
    // Opened to write from the beginning: a meeting that runs elsewhere is not even asked about.
    if !place.has_database() {
        return Err(quorate_app::StoreError::NoDatabase { path: place.db.clone() }.into());
    }
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let id = store.find(&args.id).await?;
    password::ask(store, &id).await?;
    let mut offset = 0;
    let row = loop {
        let page = store.meetings(100, offset).await?;
        match page.iter().find(|row| row.id == id) {
            Some(row) => break Some(row.clone()),
            None if page.is_empty() => break None,
            None => offset += 100,
        }
    };
    let topic = row.map(|row| row.topic).unwrap_or_default();
    if !args.yes && !agrees(&format!("{id}  {topic}"), args.json, speech)? {
        anstream::eprintln!("{}", text!(speech, "cli-delete-nothing-deleted"));
        return Ok(ExitCode::FAILURE);
    }
    match &writer {
        Writer::Here(store) => {
            let app =
                app_over(place, store.clone(), runners([], Programs::default(), None, [], Pace::Instant)?)
                    .await?;
            let (here, meeting) = (app.clone(), id.clone());
            let action = async move { here.delete(&meeting).await };
            app.perform_here(UseCase::DeleteMeeting, Some(id.clone()), action).await?;
        }
        Writer::Server(server, _) => {
            server.ask::<Value>(Method::DELETE, &format!("/meetings/{}", part(id.as_str())), None).await?;
        }
    }
    match args.json {
        true => print(&serde_json::json!({ "meeting_id": id, "deleted": true }).to_string()),
        false => anstream::eprintln!("{}{id}  {topic}", text!(speech, "cli-delete-deleted")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks the person in front of the terminal.
fn agrees(what: &str, json: bool, speech: Speech) -> Result<bool, CliError> {
    if json || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(CliError::usage(
            text!(speech, "cli-delete-nobody-can-asked-here-before"),
            text!(speech, "cli-delete-add-yes-delete-all-same"),
        )
        .with("field", "yes"));
    }
    let question = text!(speech, "cli-delete-delete-meeting-all-said-at", %what);
    anstream::eprint!("{question}");
    _ = std::io::stderr().flush();
    let mut answer = String::new();
    // What cannot be read is no consent.
    _ = std::io::stdin().read_line(&mut answer);
    // An answer is taken in either language.
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "是" | "好"))
}
