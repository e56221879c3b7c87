//! What people put on meetings: tags, and another title.

use std::process::ExitCode;

use quorate_app::MeetingChange;
use quorate_contract::MeetingId;
use quorate_messages::text;
use reqwest::Method;
use serde_json::{Value, json};

use super::print;
use crate::args::{RenameArgs, TagArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Writer, part};

/// Shows or sets the tags of a meeting.
pub(crate) async fn tag(place: &Place, args: TagArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let id = if args.tags.is_empty() && !args.clear {
        place.read()?.find(&args.id).await?
    } else {
        let change = MeetingChange { tags: Some(args.tags), ..MeetingChange::default() };
        let body = json!({ "tags": change.tags });
        self::change(place, &args.id, change, &body).await?
    };
    let tags = place.read()?.labels(&id).await?.tags;
    match args.json {
        true => print(&json!({ "id": id, "tags": tags }).to_string()),
        false if tags.is_empty() => anstream::eprintln!("{}", text!(speech, "cli-labels-no-tags")),
        false => tags.iter().for_each(|tag| print(tag)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives a meeting another title.
pub(crate) async fn rename(place: &Place, args: RenameArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let change = MeetingChange { title: Some(Some(args.title.clone())), ..MeetingChange::default() };
    let body = json!({ "title": args.title });
    let id = self::change(place, &args.id, change, &body).await?;
    match args.json {
        true => print(&json!({ "id": id, "title": args.title }).to_string()),
        false if args.title.trim().is_empty() => {
            anstream::eprintln!("{}", text!(speech, "cli-labels-title-removed"));
        }
        false => anstream::eprintln!("{}{}", text!(speech, "cli-labels-renamed"), args.title),
    }
    Ok(ExitCode::SUCCESS)
}

/// Changes a meeting here, or at the server that holds the database.
async fn change(place: &Place, id: &str, change: MeetingChange, body: &Value) -> Result<MeetingId, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let id = store.find(id).await?;
    match &writer {
        Writer::Here(store) => store.change_meeting(&id, change).await?,
        Writer::Server(server, _) => {
            let path = format!("/meetings/{}", part(id.as_str()));
            server.ask::<Value>(Method::PATCH, &path, Some(body)).await?;
        }
    }
    Ok(id)
}
