//! Subscriptions to resources, with the Rust client of the Model Context Protocol.

use std::process::Stdio;
use std::time::Duration;

use rmcp::model::{ProtocolVersion, ServerNotification, SubscriptionFilter};
use rmcp::service::{ClientLifecycleMode, RunningService, Subscription, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::app::App;
use crate::client::started;
use crate::mcp_client::{Mcp, agent, owner};

/// Longer than a stream of events that was refused is left alone.
const SOON: Duration = Duration::from_secs(40);

/// A client that hands on what it is told.
struct Told(mpsc::UnboundedSender<String>);

impl ClientHandler for Told {
    async fn on_resource_updated(
        &self,
        params: rmcp::model::ResourceUpdatedNotificationParam,
        _context: rmcp::service::NotificationContext<RoleClient>,
    ) {
        _ = self.0.send(params.uri);
    }
}

fn modern() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

async fn over_http(base: &str, token: &str) -> RunningService<RoleClient, ()> {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("{base}/mcp")).auth_header(token);
    let transport = StreamableHttpClientTransport::from_config(config);
    serve_client_with_lifecycle((), transport, modern()).await.expect("a connection")
}

fn to(uris: &[String]) -> SubscriptionFilter {
    SubscriptionFilter::builder().resource_subscriptions(uris.iter().cloned()).build()
}

/// The address that is told of next; `None` when the subscription ends.
async fn updated(subscription: &mut Subscription) -> Option<String> {
    match timeout(SOON, subscription.next()).await.expect("in time").ok().flatten()? {
        ServerNotification::ResourceUpdatedNotification(update) => Some(update.params.uri),
        other => panic!("{other:?}"),
    }
}

fn draft(host: &Mcp) -> String {
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": "discussion", "language": "en", "simulate": true,
        "rules": { "limits": { "max_rounds": 1 }, "closing": { "artifacts": ["ADR"] }, "turns": { "pace": "instant" } },
    });
    host.tool("create_meeting", new).expect("a meeting")["meeting"].as_str().expect("an id").to_owned()
}

fn on_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().expect("it is done"))
}

#[test]
fn a_client_is_told_of_the_result_and_the_artifacts_of_a_meeting() {
    let app = App::new();
    let (server, base) = started(&app);
    let host = agent(&app, &base, "host", "manage");
    let owner = owner(&app, &base);
    let meeting = draft(&host);
    let own = format!("quorate://meetings/{meeting}");
    let (report, adr) = (format!("{own}/report"), format!("{own}/artifacts/ADR"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let client = over_http(&base, &host.token).await;
        // The record and what is no resource are left out of what is accepted.
        let asked = [report.clone(), adr.clone(), format!("{own}/record"), "file:///etc/passwd".to_owned()];
        let mut subscription = client.listen(to(&asked)).await.expect("a subscription");
        let mut accepted = subscription.acknowledged().resource_subscriptions.clone().expect("some");
        accepted.sort();
        let mut wanted = vec![adr.clone(), report.clone()];
        wanted.sort();
        assert_eq!(accepted, wanted);
        on_a_thread(|| host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts"));
        let mut told = std::collections::BTreeSet::new();
        while told.len() < 2 {
            told.insert(updated(&mut subscription).await.expect("it goes on"));
        }
        assert_eq!(told.into_iter().collect::<Vec<_>>(), wanted);
        let read = on_a_thread(|| host.ask("resources/read", json!({ "uri": adr })));
        assert!(read["contents"][0]["text"].as_str().is_some_and(|text| text.len() > 20), "{read}");
        subscription.cancel().await.expect("cancelled");

        // More than one client may follow are cut; what may not be seen is refused.
        let many: Vec<String> = (0..40).map(|n| format!("{own}/artifacts/K{n}")).collect();
        let subscription = client.listen(to(&many)).await.expect("a subscription");
        assert_eq!(subscription.acknowledged().resource_subscriptions.as_ref().map(Vec::len), Some(16));
        drop(subscription);
        let mut refused = client.listen(to(&["quorate://meetings/nowhere/report".to_owned()])).await;
        if let Ok(subscription) = &mut refused {
            assert!(
                timeout(SOON, subscription.next()).await.expect("in time").is_err(),
                "there is no such meeting"
            );
        }

        // Whoever may not see the meeting any more is told nothing: the subscription ends.
        let other = on_a_thread(|| draft(&host));
        let made = on_a_thread(|| owner.rest("POST", "/tokens", json!({ "name": "eve", "scope": "read" })));
        let eve = over_http(&base, made["token"].as_str().expect("a token")).await;
        let uris = [format!("quorate://meetings/{other}/report")];
        let mut subscription = eve.listen(to(&uris)).await.expect("a subscription");
        on_a_thread(|| {
            let id = made["id"].as_str().expect("an id");
            let request = owner.client.delete(format!("{base}/api/v1/tokens/{id}")).bearer_auth(&owner.token);
            assert!(request.send().expect("an answer").status().is_success());
            host.tool("start_meeting", json!({ "meeting": other })).expect("it starts");
        });
        assert_eq!(updated(&mut subscription).await, None, "nothing is told");
    });
    server.kill();
}

#[test]
fn a_client_of_an_older_version_subscribes_to_each_resource_over_standard_input() {
    let app = App::new();
    let (server, base) = started(&app);
    let host = agent(&app, &base, "host", "manage");
    let meeting = draft(&host);
    let report = format!("quorate://meetings/{meeting}/report");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let mut child = tokio::process::Command::new(env!("CARGO_BIN_EXE_quorate"))
            .arg("--db")
            .arg(app.db())
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let pipes = (child.stdout.take().expect("stdout"), child.stdin.take().expect("stdin"));
        let (sender, mut told) = mpsc::unbounded_channel();
        let client = serve_client_with_lifecycle(Told(sender), pipes, ClientLifecycleMode::Initialize)
            .await
            .expect("a connection");
        let info = serde_json::to_value(client.peer_info().as_deref()).expect("plain");
        assert_eq!(info["capabilities"]["resources"], json!({ "subscribe": true, "listChanged": true }));
        let ask = async |method: &str, uri: &str| -> Result<(), String> {
            use rmcp::model::{SubscribeRequestParams, UnsubscribeRequestParams};
            #[expect(deprecated, reason = "the older versions have it")]
            let done = match method {
                "subscribe" => client.subscribe(SubscribeRequestParams::new(uri)).await,
                _ => client.unsubscribe(UnsubscribeRequestParams::new(uri)).await,
            };
            done.map_err(|error| error.to_string())
        };
        for uri in [
            "file:///etc/passwd",
            &format!("quorate://meetings/{meeting}/record"),
            "quorate://meetings/no/report",
        ] {
            assert!(ask("subscribe", uri).await.is_err(), "{uri}");
        }
        ask("subscribe", &report).await.expect("subscribed");
        for n in 1..16 {
            ask("subscribe", &format!("quorate://meetings/{meeting}/artifacts/K{n}"))
                .await
                .expect("subscribed");
        }
        let over = ask("subscribe", &format!("quorate://meetings/{meeting}/minutes")).await;
        assert!(over.is_err_and(|told| told.contains("16")), "one client follows so many");
        on_a_thread(|| host.tool("start_meeting", json!({ "meeting": meeting })).expect("it starts"));
        assert_eq!(timeout(SOON, told.recv()).await.expect("in time"), Some(report.clone()));
        ask("unsubscribe", &report).await.expect("unsubscribed");
        ask("subscribe", &format!("quorate://meetings/{meeting}/minutes"))
            .await
            .expect("there is a place again");
        client.cancel().await.expect("it ends");
    });

    // Over HTTP the older versions have no sessions here: none is promised.
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let info = host.ask("initialize", params);
    assert_eq!(info["capabilities"]["resources"], json!({}));
    let message =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": report } });
    let refused: Value = host.send(&message, &[]).json().expect("JSON");
    assert!(
        refused["error"]["message"].as_str().is_some_and(|told| told.contains("subscriptions/listen")),
        "{refused}"
    );
    server.kill();
}
