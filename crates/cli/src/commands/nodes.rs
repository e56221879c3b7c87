//! Lists the processes that share the database.

use std::process::ExitCode;

use quorate_app::Node;
use quorate_messages::text;
use reqwest::Method;
use serde::Deserialize;

use super::print;
use crate::args::NodesArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::Remote;

/// Lists the nodes of the database, or of the server that was named.
pub(crate) async fn nodes(place: &Place, args: NodesArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let nodes: Vec<Node> = match Remote::named(place)? {
        Some(server) => server.ask::<NodeList>(Method::GET, "/nodes", None).await?.items,
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

#[derive(Deserialize)]
struct NodeList {
    items: Vec<Node>,
}
