//! A server on this machine, and its client.

use std::sync::Arc;
use std::time::Duration;

use quorate_app::{App, AppOptions};
use quorate_page::Page;
use quorate_runners::Pace;
use quorate_server::{Access, LogLevels, Metrics, Options, ServerState, router, serve};
use quorate_store::{Disk, Store};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A server with a database of its own. Dropping it stops it.
pub struct Rig {
    pub url: String,
    pub client: Client,
    _app: ServerState,
    store: Store,
    folder: tempfile::TempDir,
    _stop: oneshot::Sender<()>,
}

/// A response.
#[derive(Debug)]
pub struct Answered {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answered {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The sort of a problem: `is-paused`.
    pub fn sort(&self) -> &str {
        self.body["type"].as_str().and_then(|kind| kind.strip_prefix("/api/v1/problems#")).unwrap_or("")
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        quorate_test_database::keep(self.folder.path());
    }
}

impl Rig {
    /// Starts one whose simulated participants answer at once.
    pub async fn start() -> Self {
        Self::with_pace(Pace::Instant).await
    }

    /// Starts one whose simulated participants take their time.
    pub async fn with_pace(pace: Pace) -> Self {
        Self::over(tempfile::tempdir().expect("a folder"), pace).await
    }

    /// Starts one over what lies in a folder.
    pub async fn over(folder: tempfile::TempDir, pace: Pace) -> Self {
        quorate_runners::install_tls();
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        let config = folder.path().join("config.toml");
        let app =
            App::open(store.clone(), AppOptions { pace, ..AppOptions::new(config) }).await.expect("an app");
        Self::of(folder, ServerState::alone(app, Arc::new(Metrics::default())), store).await
    }

    /// Starts one whose database lies on this disk.
    pub async fn on_disk(disk: Arc<dyn Disk>) -> Self {
        quorate_runners::install_tls();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("meetings.db");
        drop(Store::open(&path).expect("a database"));
        let store = Store::open_in_line(&path, disk).expect("the same database");
        let options =
            AppOptions { pace: Pace::Instant, ..AppOptions::new(folder.path().join("config.toml")) };
        let app = App::open(store.clone(), options).await.expect("an app");
        Self::of(folder, ServerState::alone(app, Arc::new(Metrics::default())), store).await
    }

    /// Starts one that shows another page than the one of this build.
    pub async fn showing(page: Page) -> Self {
        quorate_runners::install_tls();
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        let options = AppOptions::new(folder.path().join("config.toml"));
        let app = App::open(store.clone(), options).await.expect("an app");
        Self::of(folder, ServerState::with_page(app, Arc::new(Metrics::default()), page), store).await
    }

    /// Starts one that is set like this, for the person at this machine.
    pub async fn with_options(options: Options) -> Self {
        quorate_runners::install_tls();
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        let app_options =
            AppOptions { pace: Pace::Instant, ..AppOptions::new(folder.path().join("config.toml")) };
        let app = App::open(store.clone(), app_options).await.expect("an app");
        let access = Access::alone(app.clone());
        let server =
            ServerState::new(app, access, options, Arc::new(Metrics::default()), LogLevels::fixed()).await;
        Self::of(folder, server.expect("settings can be read"), store).await
    }

    async fn of(folder: tempfile::TempDir, server: ServerState, store: Store) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let router = router(server.clone());
        tokio::spawn(serve(listener, router, async move { _ = stopped.await }));
        Self { url, client: Client::new(), _app: server, store, folder, _stop: stop }
    }

    /// Its database.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Asks for something under `/api/v1`, with headers.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answered {
        let mut request = self.client.request(method, format!("{}/api/v1{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Answered { status, headers, body }
    }

    /// Asks for something under `/api/v1`; returns the status and the body.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let answered = self.send(method, path, &[], body).await;
        (answered.status, answered.body)
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.ask(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// Asks for something that there is.
    pub async fn see(&self, path: &str) -> Value {
        let (status, body) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    /// Commands something that is granted.
    pub async fn execute(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    /// A new meeting of simulated participants; its path.
    pub async fn meeting(&self, body: Value) -> String {
        let mut all = json!({"topic": "Is SQLite enough?", "simulate": true, "seed": 7});
        let both = all.as_object_mut().zip(body.as_object());
        both.map(|(all, own)| all.extend(own.clone())).expect("objects");
        let created = self.execute("/meetings", all).await;
        format!("/meetings/{}", created["id"].as_str().expect("an id"))
    }

    /// Waits until a meeting is in a state; returns its view.
    pub async fn until(&self, meeting: &str, state: &str) -> Value {
        for _ in 0..2000 {
            let view = self.see(&format!("{meeting}?messages=500")).await;
            if view["state"] == state {
                return view;
            }
            assert_ne!(view["state"], "ended", "it ended instead: {}", view["outcome"]);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{meeting} never came to {state}");
    }

    /// Runs a meeting to its end, through all its pauses; returns the view.
    pub async fn to_the_end(&self, meeting: &str) -> Value {
        for _ in 0..50 {
            let advanced = self
                .execute(&format!("{meeting}/advance"), json!({"until": "end", "take_defaults": true}))
                .await;
            if advanced["stopped"] == "over" {
                return self.see(&format!("{meeting}?messages=500")).await;
            }
        }
        panic!("{meeting} does not end");
    }
}
