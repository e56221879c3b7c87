//! A server on this machine, and somebody who asks it.

use std::sync::Arc;

use quorate_engine::{Engine, SystemClock, observe_journal, observe_runners};
use quorate_runners::{Directory, Pace, SimulatedRunner};
use quorate_server::{App, Metrics, router, serve};
use quorate_store::SqliteStore;
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A server with a database of its own. Dropping it stops it.
pub struct Rig {
    pub url: String,
    pub client: Client,
    pub app: App,
    _folder: tempfile::TempDir,
    _stop: oneshot::Sender<()>,
}

impl Rig {
    /// Starts one whose simulated participants answer at once.
    pub async fn start() -> Self {
        quorate_runners::install_tls();
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(folder.path().join("meetings.db")).expect("a database");
        let runners = Directory::open([], Arc::new(SimulatedRunner::new(Pace::Instant))).expect("runners");
        let metrics = Arc::new(Metrics::default());
        let journal = observe_journal(Arc::new(store.clone()), metrics.clone());
        let runners = observe_runners(Arc::new(runners), metrics.clone());
        let engine = Engine::new(journal, runners, Arc::new(SystemClock));
        let app = App::new(engine, store, metrics);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let router = router(app.clone());
        tokio::spawn(serve(listener, router, async move { _ = stopped.await }));
        Self { url, client: Client::new(), app, _folder: folder, _stop: stop }
    }

    /// Asks for something under `/api/v1`; returns the status and the body.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.url));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("an answer");
        let status = response.status();
        let text = response.text().await.expect("a body");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.ask(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.ask(Method::POST, path, Some(body)).await
    }
}
