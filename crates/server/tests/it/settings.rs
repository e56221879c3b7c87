//! Settings of the running server, and after a restart.

use std::sync::{Arc, Mutex};

use quorate_app::{App, AppOptions};
use quorate_server::{
    Access, AccessOptions, AccessSecrets, LogLevels, Metrics, Options, ServerState, router, serve,
};
use quorate_store::Store;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A server that notes what its log is set to.
struct Set {
    url: String,
    levels: Arc<Mutex<Vec<String>>>,
    _stop: oneshot::Sender<()>,
}

impl Set {
    async fn start(store: &Store, options: Options) -> Self {
        quorate_runners::install_tls();
        let (store, config) = (store.clone(), AppOptions::new(store.path().with_file_name("config.toml")));
        let app = App::open(store.clone(), config).await.expect("an app");
        let alone = AccessOptions { no_token: true, ..options.access.clone() };
        let access = Access::open(app.clone(), alone, options.host, &AccessSecrets::default())
            .await
            .expect("open access");
        let levels = Arc::new(Mutex::new(Vec::new()));
        let log = LogLevels::new({
            let levels = Arc::clone(&levels);
            move |wanted| match wanted {
                "loud" => Err("there is no such level".into()),
                wanted => {
                    levels.lock().expect("no panic").push(wanted.to_owned());
                    Ok(())
                }
            }
        });
        let server = ServerState::new(app, access, options, Arc::new(Metrics::default()), log)
            .await
            .expect("a service");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(serve(listener, router(server), async move { _ = stopped.await }));
        Self { url, levels, _stop: stop }
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let request = Client::new().request(method, format!("{}/api/v1{path}", self.url));
        let request = if let Some(body) = &body { request.json(body) } else { request };
        let answer = request.send().await.expect("an answer");
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    async fn change(&self, body: Value) -> (StatusCode, Value) {
        self.ask(Method::PATCH, "/settings", Some(body)).await
    }

    async fn see(&self) -> Value {
        self.ask(Method::GET, "/settings", None).await.1
    }

    fn log(&self) -> Option<String> {
        self.levels.lock().expect("no panic").last().cloned()
    }
}

#[tokio::test]
async fn what_is_changed_holds_at_once_and_until_it_is_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    {
        let set = Set::start(&store, Options::default()).await;
        assert_eq!((set.see().await["log"].as_str(), set.log()), (Some("info"), None));
        let body = json!({"log": "debug", "limits": {"live_lines": 7, "request_seconds": 9}});
        let (status, now) = set.change(body).await;
        assert_eq!((status, &now["limits"]["live_lines"]), (StatusCode::OK, &json!(7)), "{now}");
        assert_eq!(set.log().as_deref(), Some("debug"));
        assert_eq!(set.see().await, now);
    }
    {
        let set = Set::start(&store, Options::default()).await;
        assert_eq!(set.log().as_deref(), Some("debug"), "it is kept");
        let (_, now) = set.change(json!({"limits": {"live_lines": null}})).await;
        let usual = json!(Options::default().access.limits.live_lines);
        assert_eq!((&now["limits"]["live_lines"], &now["limits"]["request_seconds"]), (&usual, &json!(9)));
        assert_eq!(now["log"], "debug");
        let (_, now) = set.change(json!({"log": null, "limits": null})).await;
        assert_eq!((&now["log"], &now["limits"]["request_seconds"]), (&json!("info"), &json!(60)));
        assert_eq!(set.log().as_deref(), Some("info"));
    }
    let set = Set::start(&store, Options::default()).await;
    assert_eq!((set.see().await["log"].as_str(), set.log()), (Some("info"), None));
}

#[tokio::test]
async fn whoever_starts_the_server_has_the_last_word_on_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    Set::start(&store, Options::default()).await.change(json!({"log": "debug"})).await;
    let flag = Options { log: "error".to_owned(), log_is_fixed: true, ..Options::default() };
    let set = Set::start(&store, flag).await;
    assert_eq!(set.see().await["log"], "error");
    let file = Options { log: "error".to_owned(), ..Options::default() };
    let set = Set::start(&store, file).await;
    assert_eq!(set.see().await["log"], "debug", "a file has not");
}

#[tokio::test]
async fn what_is_wrong_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    let set = Set::start(&store, Options::default()).await;
    let before = set.see().await;
    for (wrong, pointer) in [
        (json!({"log": "loud", "limits": {"live_lines": 3}}), "/log"),
        (json!({"limits": {"live_lines": 0}}), "/limits/live_lines"),
        (json!({"limits": {"requests_per_minute_alone": 1}}), "/limits/requests_per_minute_alone"),
        (json!({"limits": {"requests_per_minute": 59}}), "/limits/requests_per_minute"),
        (json!({"limits": {"attempts_per_minute": 1}}), "/limits/attempts_per_minute"),
        (json!({"limits": {"connections": 1}}), "/limits/connections"),
        (json!({"limits": {"request_seconds": 1}}), "/limits/request_seconds"),
        (json!({"limits": {"head_seconds": 1}}), "/limits/head_seconds"),
        (json!({"limits": {"head_seconds": 100000}}), "/limits/head_seconds"),
        (json!({"limits": {"live_lines": -1}}), "/limits/live_lines"),
        (json!({"limits": {"live_lines": "many"}, "log": "debug"}), "/limits/live_lines"),
        (json!({"limits": {"live_lines": 4294967296u64}}), "/limits/live_lines"),
        (json!({"limits": {"lines": 3}}), "/limits/lines"),
        (json!({"limits": 3}), "/limits"),
        (json!({"port": 1}), "/port"),
    ] {
        let (status, problem) = set.change(wrong.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{wrong}: {problem}");
    }
    assert_eq!((set.see().await, set.log()), (before, None));
}

#[tokio::test]
async fn other_limits_hold_from_the_next_request_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("meetings.db")).expect("a database");
    let set = Set::start(&store, Options::default()).await;
    let (status, made) =
        set.ask(Method::POST, "/meetings", Some(json!({"topic": "x", "simulate": true}))).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    set.change(json!({"limits": {"live_lines_alone": 1}})).await;
    let address = format!("{}/api/v1/meetings/{}/events", set.url, made["id"].as_str().expect("an id"));
    let listen = || async { Client::new().get(&address).send().await.expect("an answer") };
    let first = listen().await;
    assert_eq!(first.status(), StatusCode::OK);
    let second = listen().await;
    assert_eq!(second.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(second.headers()["retry-after"], "5");
    set.change(json!({"limits": {"live_lines_alone": 2}})).await;
    assert_eq!(listen().await.status(), StatusCode::OK, "and those that are open count on");
    let refused = set.change(json!({"limits": {"requests_per_minute_alone": 2}})).await.1;
    assert!(refused["hint"].as_str().is_some_and(|hint| hint.contains("at least 60")), "{refused}");
    set.change(json!({"limits": {"requests_per_minute_alone": 60}})).await;
    let mut last = StatusCode::OK;
    for _ in 0..62 {
        last = set.ask(Method::GET, "/me", None).await.0;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}
