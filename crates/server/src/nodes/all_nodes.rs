//! What has to be asked of all nodes, because each knows only of the meetings that it runs.

use std::time::Duration;

use axum::http::HeaderMap;
use futures::future::BoxFuture;
use serde_json::Value;

use crate::access::Client;
use crate::state::ServerState;

/// How long a node may take to answer, beside the time that it is asked to wait.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

impl ServerState {
    /// Asks each other node that serves for a list, for the sender of a request. A node that does not answer has none: the
    /// meetings that it ran go on elsewhere soon.
    pub(crate) async fn lists_elsewhere(
        &self,
        client: &Client,
        headers: &HeaderMap,
        target: &str,
        wait: Duration,
    ) -> Vec<BoxFuture<'static, Vec<Value>>> {
        let (Some(_), Ok(nodes)) = (self.forwarder(), self.app().nodes().await) else { return Vec::new() };
        let others =
            nodes.into_iter().filter(|node| node.alive && !node.here).filter_map(|node| node.address);
        others
            .map(|address| {
                let (server, client, headers) = (self.clone(), client.clone(), headers.clone());
                let target = target.to_owned();
                Box::pin(async move {
                    let Some(forwarder) = server.forwarder() else { return Vec::new() };
                    let list = forwarder.list(&address, &target, &client, headers);
                    let list = tokio::time::timeout(wait + ANSWER_WITHIN, list).await;
                    list.ok().flatten().unwrap_or_default()
                }) as BoxFuture<'static, Vec<Value>>
            })
            .collect()
    }
}
