//! Links to the results of meetings, which anybody reads without signing in.

use std::process::ExitCode;

use quorate_app::ResultLink;
use quorate_messages::text;
use reqwest::Method;
use serde_json::{Value, json};

use super::access::at;
use super::print;
use crate::args::{AddLinkArgs, LinksTask, ListLinksArgs, RemoveLinkArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Writer, part};

/// Does what was asked about links.
pub(crate) async fn links(place: &Place, task: LinksTask, speech: Speech) -> Result<ExitCode, CliError> {
    match task {
        LinksTask::Add(args) => add(place, args, speech).await,
        LinksTask::List(args) => list(place, args, speech).await,
        LinksTask::Remove(args) => remove(place, args, speech).await,
    }
}

async fn add(place: &Place, args: AddLinkArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let meeting = store.find(&args.meeting).await?;
    let made = match &writer {
        Writer::Here(store) => {
            let created = store.create_result_link(&meeting, args.days).await?;
            let mut made = as_json(&created.link);
            made["link"] = format!("/shared/{}", created.code).into();
            made["code"] = created.code.into();
            made
        }
        Writer::Server(server, _) => {
            let path = format!("/meetings/{}/result-links", part(meeting.as_str()));
            let body = json!({ "expires_in_days": args.days });
            let mut made: Value = server.ask(Method::POST, &path, Some(&body)).await?;
            // A server that does not know its public address gives a path.
            if let Some(path) = made["link"].as_str().filter(|link| link.starts_with('/')) {
                made["link"] = format!("{}{path}", server.url()).into();
            }
            made
        }
    };
    match args.json {
        true => print(&made.to_string()),
        false => {
            anstream::eprintln!("{}", text!(speech, "cli-links-shown-once"));
            if matches!(writer, Writer::Here(_)) {
                let serve = place.command("serve");
                anstream::eprintln!("{}", text!(speech, "cli-links-needs-server", %serve));
            }
            print(made["link"].as_str().unwrap_or_default());
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(place: &Place, args: ListLinksArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let meeting = store.find(&args.meeting).await?;
    let links = store.result_links(&meeting).await?;
    if links.is_empty() && !args.json {
        let text = text!(speech, "cli-links-none");
        anstream::eprintln!("{text}{}", place.command(&format!("links add {meeting}")));
    }
    for link in &links {
        print(&match args.json {
            true => as_json(link).to_string(),
            false => {
                let until = link.expires_ms.map_or_else(
                    || text!(speech, "cli-links-until-revoked").to_owned(),
                    |end| text!(speech, "cli-links-until", when = at(end)),
                );
                let reads = text!(speech, "cli-links-reads", reads = link.reads);
                format!("{}  {}  {until}  {reads}  {}", link.id, at(link.created_ms), link.by)
            }
        });
    }
    Ok(ExitCode::SUCCESS)
}

async fn remove(place: &Place, args: RemoveLinkArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let meeting = store.find(&args.meeting).await?;
    match &writer {
        Writer::Here(store) => store.revoke_result_link(&meeting, &args.id).await?,
        Writer::Server(server, _) => {
            let path = format!("/meetings/{}/result-links/{}", part(meeting.as_str()), part(&args.id));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    match args.json {
        true => print(&json!({ "link": args.id, "removed": true }).to_string()),
        false => anstream::eprintln!("{}{}", text!(speech, "cli-links-revoked"), args.id),
    }
    Ok(ExitCode::SUCCESS)
}

/// A link as the interface shows it.
fn as_json(link: &ResultLink) -> Value {
    let ResultLink { id, meeting: _, by, created_ms, expires_ms, reads, read_ms } = link;
    json!({
        "id": id, "by": by, "created_at": created_ms, "expires_at": expires_ms, "reads": reads, "last_read_at": read_ms,
    })
}
