//! Lists the processes that share the database.

use std::process::ExitCode;

use quorate_app::{Node, OwnerChange};
use quorate_contract::clean;
use quorate_messages::text;
use reqwest::Method;
use serde::Deserialize;

use super::access::at;
use super::print;
use crate::args::NodesArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::Remote;

/// The most changes of owners that are listed.
const CHANGES: u32 = 100;

/// Lists the nodes of the database, or of the server that was named.
pub(crate) async fn nodes(place: &Place, args: NodesArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if args.changes {
        return owner_changes(place, args.json, speech).await;
    }
    let nodes: Vec<Node> = match Remote::named(place)? {
        Some(server) => server.ask::<ItemList<Node>>(Method::GET, "/nodes", None).await?.items,
        None => place.read()?.nodes().await?,
    };
    if args.json {
        print(&serde_json::to_string(&nodes).expect("a list has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    if nodes.is_empty() {
        anstream::eprintln!("{}", text!(speech, "cli-nodes-none"));
    }
    for node in &nodes {
        let state = match (node.alive, node.draining) {
            (false, _) => text!(speech, "cli-nodes-gone"),
            (true, true) => text!(speech, "cli-nodes-draining"),
            (true, false) => text!(speech, "cli-nodes-alive"),
        };
        let (meetings, takeovers) = (node.meetings, node.takeovers);
        let counts = text!(speech, "cli-nodes-counts", meetings, %takeovers);
        let address = node.address.as_deref().unwrap_or("–");
        print(&format!("{}  {state}  {address}  {}  {counts}", node.id, node.version));
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the newest changes of owners.
async fn owner_changes(place: &Place, as_json: bool, speech: Speech) -> Result<ExitCode, CliError> {
    let changes: Vec<OwnerChange> = match Remote::named(place)? {
        Some(server) => {
            let path = format!("/nodes/owner-changes?limit={CHANGES}");
            server.ask::<ItemList<OwnerChange>>(Method::GET, &path, None).await?.items
        }
        None => place.read()?.owner_changes(None, CHANGES).await?,
    };
    if as_json {
        print(&serde_json::to_string(&changes).expect("a list has only text keys"));
        return Ok(ExitCode::SUCCESS);
    }
    if changes.is_empty() {
        anstream::eprintln!("{}", text!(speech, "cli-nodes-no-changes"));
    }
    for change in &changes {
        let (from, to) = (clean(&change.from), clean(&change.to));
        let line = text!(speech, "cli-nodes-change", %from, %to, epoch = change.epoch);
        print(&format!("{}  {}  {line}", at(change.changed_at), change.meeting));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Deserialize)]
struct ItemList<T> {
    items: Vec<T>,
}
