//! Turns that are open at other nodes: whoever waits for turns over a connection to this node is told of them, too.
//!
//! Each node asks each other one who has open turns there, and is answered when that changes. So what is asked for a client
//! is asked of those nodes alone at which somebody waits for its answer.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use quorate_app::asked_as;
use quorate_messages::Language;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::asked::AskedThere;
use super::{Forwarded, NodeMessage};
use crate::access::{Client, Principal};
use crate::problem::Problem;
use crate::state::ServerState;

const TARGET: &str = "/internal/turns";
/// How long a node waits for a change before it answers.
const CHANGE_WITHIN: Duration = Duration::from_secs(20);
/// How long it may take beside that.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// How often it is looked which other nodes there are.
const LOOK_EVERY: Duration = Duration::from_secs(3);

/// What only other nodes may ask for; no part of the public interface.
pub(super) fn routes() -> Router<ServerState> {
    Router::new().route(TARGET, get(asked_here))
}

#[derive(Debug, Deserialize)]
struct AskedQuery {
    after: u64,
}

/// Answers when a turn opens after version `after`, or after a while.
async fn asked_here(
    State(server): State<ServerState>,
    node: Option<Extension<Forwarded>>,
    Query(query): Query<AskedQuery>,
    request: Request,
) -> Response {
    if node.is_none() {
        return Problem::no_route(request.uri().path()).into_response();
    }
    let mut offers = server.app().turn_offers();
    let mut stopping = server.live().stopping();
    tokio::select! {
        _ = timeout(CHANGE_WITHIN, offers.wait_for(|version| *version != query.after)) => {}
        // Whoever asks would ask again at once.
        _ = stopping.wait_for(|stopping| *stopping) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
    let version = *offers.borrow();
    Json(AskedThere { version, asked: server.app().asked_here() }).into_response()
}

/// Keeps up who is asked at the other nodes, for as long as it is polled.
pub(crate) async fn follow_turns(server: ServerState) {
    let (mut followed, mut tasks) = (BTreeSet::new(), JoinSet::new());
    loop {
        while let Some(ended) = tasks.try_join_next() {
            if let Ok(address) = ended {
                followed.remove(&address);
            }
        }
        if let Ok(nodes) = server.app().nodes().await {
            let others = nodes.into_iter().filter(|node| node.alive && !node.here);
            for address in others.filter_map(|node| node.address) {
                if followed.insert(address.clone()) {
                    tasks.spawn(follow(server.clone(), address));
                }
            }
        }
        sleep(LOOK_EVERY).await;
    }
}

/// Keeps up who is asked at one node, until it does not answer; gives its address.
async fn follow(server: ServerState, address: String) -> String {
    let mut version = 0;
    while let Some(there) = ask(&server, &address, version).await {
        version = there.version;
        server.turns_elsewhere().send_if_modified(|known| {
            let is_new = known.get(&address) != Some(&there);
            known.insert(address.clone(), there);
            is_new
        });
    }
    server.turns_elsewhere().send_if_modified(|known| known.remove(&address).is_some());
    address
}

async fn ask(server: &ServerState, address: &str, after: u64) -> Option<AskedThere> {
    let target = format!("{TARGET}?after={after}");
    let asking = async { server.forwarder()?.ask(address, &target).await.ok()?.json().await.ok() };
    timeout(CHANGE_WITHIN + ANSWER_WITHIN, asking).await.ok().flatten()
}

/// The open turns of a client at the other nodes, in whose name the message says. A node that does not answer has none.
pub(crate) async fn turns_elsewhere(
    server: &ServerState,
    principal: &Principal,
    client: &Client,
    credential: &str,
    language: Language,
) -> Vec<Value> {
    let Some(forwarder) = server.forwarder() else { return Vec::new() };
    let names = asked_as(principal);
    let is_asked = |there: &AskedThere| names.iter().any(|name| there.asked.contains(name));
    let nodes: Vec<String> = {
        let known = server.turns_elsewhere().borrow();
        known.iter().filter(|(_, there)| is_asked(there)).map(|(address, _)| address.clone()).collect()
    };
    let mut turns = Vec::new();
    for address in nodes {
        let text = json!({ "type": "turns" }).to_string();
        let message = NodeMessage { credential: credential.to_owned(), language, text };
        let answer = timeout(ANSWER_WITHIN, forwarder.ask_in_name(&address, client, &message)).await;
        let answer =
            answer.ok().and_then(Result::ok).and_then(|text| serde_json::from_str::<Value>(&text).ok());
        turns.extend(answer.and_then(|answer| answer["items"].as_array().cloned()).unwrap_or_default());
    }
    turns
}
