//! A server and its client, for tests of access.

use std::net::IpAddr;
use std::sync::Arc;

use quorate_contract::{
    Actor, ContractVersion, Event, EventBody, Format, Language, MeetingId, Participant, ParticipantId, Role,
    RunId, RunnerSpec, Temperament, Timestamp,
};
use quorate_engine::{Journal, Record};
use quorate_server::{Access, AccessOptions, AccessSecrets, ServeOptions, ServerState, router, serve_with};
use quorate_store::Store;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub const PASSWORD: &str = "correct horse battery";

/// A server whose owner signs in. Dropping it stops it.
pub struct App {
    pub url: String,
    pub address: std::net::SocketAddr,
    pub client: Client,
    pub store: Store,
    /// The application behind the server, as a command on this machine uses it.
    pub service: quorate_app::App,
    pub server: ServerState,
    pub running: JoinHandle<std::io::Result<()>>,
    pub stop: Option<oneshot::Sender<()>>,
    folder: Arc<tempfile::TempDir>,
}

/// A response.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    /// Which sort of problem it tells.
    pub fn sort(&self) -> &str {
        self.body["type"].as_str().and_then(|kind| kind.strip_prefix("/api/v1/problems#")).unwrap_or("")
    }

    pub fn text(&self, field: &str) -> String {
        self.body[field].as_str().unwrap_or_else(|| panic!("{field}: {}", self.body)).to_owned()
    }
}

impl App {
    /// A server that can be reached from elsewhere.
    pub async fn open(options: AccessOptions) -> Self {
        Self::at([0, 0, 0, 0].into(), options, &password()).await
    }

    /// A server for the person at this machine, who needs no token.
    pub async fn alone(options: AccessOptions) -> Self {
        Self::at_this_machine(AccessOptions { no_token: true, ..options }, None).await
    }

    /// A server for the person at this machine, with a configured token.
    pub async fn at_this_machine(options: AccessOptions, token: Option<&str>) -> Self {
        let secrets = AccessSecrets { token: token.map(str::to_owned), ..AccessSecrets::default() };
        Self::at([127, 0, 0, 1].into(), options, &secrets).await
    }

    /// A server with this text in the operator's configuration.
    pub async fn configured(options: AccessOptions, config: &str) -> Self {
        Self::with([0, 0, 0, 0].into(), options, &password(), config).await
    }

    async fn at(address: IpAddr, options: AccessOptions, secrets: &AccessSecrets) -> Self {
        Self::with(address, options, secrets, "").await
    }

    async fn with(address: IpAddr, options: AccessOptions, secrets: &AccessSecrets, text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("config.toml"), text).expect("written");
        let store = Store::open(folder.path().join("meetings.db")).expect("a database");
        Self::over(Arc::new(folder), store, address, options, secrets).await
    }

    /// Another server over the same database, which has not opened any meeting yet: as after a restart.
    pub async fn again(&self, options: AccessOptions) -> Self {
        let (folder, store) = (Arc::clone(&self.folder), self.store.clone());
        Self::over(folder, store, [0, 0, 0, 0].into(), options, &password()).await
    }

    async fn over(
        folder: Arc<tempfile::TempDir>,
        store: Store,
        address: IpAddr,
        options: AccessOptions,
        secrets: &AccessSecrets,
    ) -> Self {
        quorate_runners::install_tls();
        let config = quorate_app::AppOptions::new(folder.path().join("config.toml"));
        let app = quorate_app::App::open(store.clone(), config).await.expect("an app");
        let limits = options.limits.clone();
        let access = Access::open(app.clone(), options, address, secrets).await.expect("open access");
        let server = ServerState::guarded(app.clone(), access);
        let kept = server.clone();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let options = ServeOptions { limits, ..ServeOptions::default() };
            serve_with(listener, router(server), options, async move { _ = stopped.await }).await
        });
        let (url, client) = (format!("http://{address}"), Client::new());
        Self { url, address, client, store, service: app, server: kept, running, stop: Some(stop), folder }
    }

    /// Sends a request with headers.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        // What an operator looks at lies beside the interface.
        let base = if ["/healthz", "/readyz", "/metrics"].contains(&path) { "" } else { "/api/v1" };
        let mut request = self.client.request(method, format!("{}{base}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let text = match status.is_success()
            && headers
                .get("content-type")
                .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
        {
            true => String::new(),
            false => response.text().await.expect("a body"),
        };
        Answer { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }
    }

    /// The same request with this token.
    pub async fn by(&self, token: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers: &[(&str, &str)] = if token.is_empty() { &[] } else { &[("authorization", &bearer)] };
        self.ask(method, path, headers, body).await
    }

    /// The owner signs in as a program does; returns the answer with both tokens.
    pub async fn owner(&self) -> Answer {
        let body = json!({ "name": "owner", "password": PASSWORD, "tokens": true });
        let answer = self.ask(Method::POST, "/sessions", &[], Some(body)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer
    }

    /// A token of a program.
    pub async fn token(&self, owner: &str, body: Value) -> Answer {
        let answer = self.by(owner, Method::POST, "/tokens", Some(body)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer
    }

    /// A meeting with one participant, Ben.
    pub async fn meeting(&self, id: &str) {
        let id = MeetingId::new(id);
        if !self.store.read(id.clone(), 0).await.unwrap_or_default().is_empty() {
            return;
        }
        let record = |seq, body| {
            Record::of(Event {
                version: ContractVersion,
                seq,
                meeting_id: id.clone(),
                run_id: RunId::new("run-1"),
                ts_ms: Timestamp(1000),
                actor: Actor::owner(),
                cause: "test".to_owned(),
                body,
            })
        };
        let created = EventBody::MeetingCreated {
            topic: "Is SQLite enough?".to_owned(),
            background: String::new(),
            details: Default::default(),
            language: Language::En,
            format: Format::Consensus,
            rules: Box::new(Format::Consensus.rules()),
            seed: 7,
            facilitator: None,
            moderator: Default::default(),
            models: Vec::new(),
            by: Actor::owner(),
        };
        let ben = Participant {
            id: ParticipantId(1),
            name: "Ben".to_owned(),
            role: Role {
                name: "sceptic".to_owned(),
                description: "asks".to_owned(),
                system_prompt: String::new(),
            },
            runner: RunnerSpec::Simulated { temperament: Temperament::Stubborn },
            skip_list: Vec::new(),
        };
        let joined = EventBody::ParticipantJoined {
            participant: ben,
            by: Actor::owner(),
            reason: Default::default(),
            invitation: None,
        };
        let records = vec![record(1, created), record(2, joined)];
        self.store.append(id.clone(), 0, records).await.expect("a meeting");
    }
}

/// The password in the environment of a server with an owner.
pub fn password() -> AccessSecrets {
    AccessSecrets { owner_password: Some(PASSWORD.to_owned()), ..AccessSecrets::default() }
}
