//! A line that is open ends soon when the right to it ends, and says why.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use quorate_contract::MeetingId;
use quorate_store::hash_password;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::access_server::{App, PASSWORD};

/// Well before the next heartbeat.
const SOON: Duration = Duration::from_secs(5);

/// Listens to `m1` both ways.
struct Ears {
    stream: Response,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Ears {
    async fn open(app: &App, token: &str) -> Self {
        let address = format!("{}/api/v1/meetings/m1/events", app.url);
        let stream = app.client.get(address).header("authorization", format!("Bearer {token}"));
        let stream = stream.send().await.expect("an answer");
        assert_eq!(stream.status(), StatusCode::OK);
        let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
        let bearer = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        let (mut socket, _) = connect_async(request).await.expect("a connection");
        socket
            .send(Message::text(json!({"type": "subscribe", "meeting": "m1"}).to_string()))
            .await
            .expect("sent");
        let mut this = Self { stream, socket };
        while this.hear().await.is_some_and(|message| message["event"]["seq"] != 2) {}
        this
    }

    /// The next message of the socket, when there is one.
    async fn hear(&mut self) -> Option<Value> {
        match timeout(SOON, self.socket.next()).await.expect("in time") {
            Some(Ok(Message::Text(text))) => Some(serde_json::from_str(&text).expect("JSON")),
            _ => None,
        }
    }

    /// The rest of the stream up to its end.
    async fn last_of_stream(&mut self) -> String {
        let mut text = String::new();
        let reading = async {
            while let Some(piece) = self.stream.chunk().await.expect("it holds") {
                text.push_str(&String::from_utf8_lossy(&piece));
            }
        };
        timeout(SOON, reading).await.expect("it ends soon");
        text
    }

    /// With which code and why the socket is closed.
    async fn closed(&mut self) -> (u16, String) {
        loop {
            match timeout(SOON, self.socket.next()).await.expect("it ends soon") {
                Some(Ok(Message::Close(Some(frame)))) => {
                    return (frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(_)) => {}
                other => panic!("it ended without a word: {other:?}"),
            }
        }
    }

    async fn are_signed_out(mut self, why: &str) {
        let text = self.last_of_stream().await;
        assert!(text.ends_with(": signed out\n\n"), "{why}: {text}");
        assert_eq!(self.closed().await, (1008, "signed out".to_owned()), "{why}");
    }
}

#[tokio::test]
async fn whoever_is_out_hears_nothing_more() {
    let app = App::open(crate::access::generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let token = app.token(&owner, json!({"name": "t", "scope": "read"})).await;
    let ears = Ears::open(&app, &token.text("token")).await;
    let path = format!("/tokens/{}", token.text("id"));
    assert_eq!(app.by(&owner, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    ears.are_signed_out("its token was taken back").await;

    let session = app.owner().await.text("access_token");
    let ears = Ears::open(&app, &session).await;
    assert_eq!(app.by(&session, Method::DELETE, "/sessions", None).await.status, StatusCode::NO_CONTENT);
    ears.are_signed_out("they signed out").await;

    let invited =
        app.by(&owner, Method::POST, "/meetings/m1/invitations", Some(json!({"scope": "speak"}))).await;
    let join = json!({"code": invited.text("code"), "name": "Cid", "tokens": true});
    let guest = app.ask(Method::POST, "/join", &[], Some(join)).await;
    let ears = Ears::open(&app, &guest.text("access_token")).await;
    let path = format!("/meetings/m1/guests/{}", guest.body["session"]["id"].as_str().expect("an id"));
    assert_eq!(app.by(&owner, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    ears.are_signed_out("the guest was sent away").await;

    let add = json!({"name": "ada", "password": "first password of ada", "scope": "read"});
    assert_eq!(app.by(&owner, Method::POST, "/accounts", Some(add)).await.status, StatusCode::CREATED);
    let sign_in = |password: &str| {
        let body = json!({"name": "ada", "password": password, "tokens": true});
        app.ask(Method::POST, "/sessions", &[], Some(body))
    };
    let ada = sign_in("first password of ada").await.text("access_token");
    let ears = Ears::open(&app, &ada).await;
    let other = Some(json!({"password": "second password of ada"}));
    let changed = app.by(&owner, Method::PUT, "/accounts/ada/password", other).await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.body);
    ears.are_signed_out("the password was changed").await;

    let ada = sign_in("second password of ada").await;
    let ears = Ears::open(&app, &ada.text("access_token")).await;
    let (refresh, again) = (json!({"refresh_token": ada.text("refresh_token")}), app.owner().await);
    for status in [StatusCode::OK, StatusCode::UNAUTHORIZED] {
        let renewed = app.ask(Method::POST, "/sessions/refresh", &[], Some(refresh.clone())).await;
        assert_eq!(renewed.status, status);
    }
    ears.are_signed_out("a refresh token came twice").await;
    let ears = Ears::open(&app, &again.text("access_token")).await;
    let ada = sign_in("second password of ada").await.text("access_token");
    let own = Ears::open(&app, &ada).await;
    assert_eq!(app.by(&owner, Method::DELETE, "/accounts/ada", None).await.status, StatusCode::NO_CONTENT);
    own.are_signed_out("the account is gone").await;
    // Others hear on.
    let mut ears = ears;
    let still = json!({"type": "ping", "id": 1}).to_string();
    ears.socket.send(Message::text(still)).await.expect("sent");
    assert_eq!(ears.hear().await.expect("an answer")["type"], "pong");
}

#[tokio::test]
async fn a_meeting_that_is_locked_or_deleted_is_told_no_more() {
    let app = App::open(crate::access::generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let reader = app.token(&owner, json!({"name": "r", "scope": "read"})).await.text("token");
    let (mut readers, mut owners) = (Ears::open(&app, &reader).await, Ears::open(&app, &owner).await);
    let lock = Some(json!({"password": "open sesame"}));
    let locked = app.by(&owner, Method::PATCH, "/meetings/m1", lock).await;
    assert_eq!(locked.status, StatusCode::OK, "{}", locked.body);
    let text = readers.last_of_stream().await;
    assert!(text.ends_with(": the meeting asks for a password\n\n"), "{text}");
    let told = readers.hear().await.expect("a word");
    assert_eq!(
        (&told["type"], &told["reason"], &told["problem"]["status"]),
        (&json!("unsubscribed"), &json!("password_required"), &json!(403))
    );
    let again = json!({"type": "subscribe", "meeting": "m1", "id": 1}).to_string();
    readers.socket.send(Message::text(again)).await.expect("sent");
    assert_eq!(readers.hear().await.expect("an answer")["problem"]["status"], 403);
    assert_eq!(owners.hear().await.expect("an event")["event"]["type"], "access_changed");

    assert_eq!(app.by(&owner, Method::DELETE, "/meetings/m1", None).await.status, StatusCode::NO_CONTENT);
    let text = owners.last_of_stream().await;
    assert!(text.contains(": the meeting does not run here any more"), "{text}");
    let mut told = owners.hear().await.expect("a word");
    if told["type"] == "problem" {
        told = owners.hear().await.expect("a word");
    }
    assert_eq!(told["type"], "unsubscribed", "{told}");
}

#[tokio::test]
async fn whoever_sat_at_this_machine_alone_signs_in_from_the_first_account_on() {
    let app = App::alone(crate::access::generous()).await;
    app.meeting("m1").await;
    let address = format!("{}/api/v1/meetings/m1/events", app.url);
    let mut stream = app.client.get(address).send().await.expect("an answer");
    assert!(stream.chunk().await.expect("it holds").is_some());
    let add = json!({"name": "owner", "password": PASSWORD, "scope": "owner"});
    assert_eq!(app.ask(Method::POST, "/accounts", &[], Some(add)).await.status, StatusCode::CREATED);
    let mut text = String::new();
    while let Some(piece) = timeout(SOON, stream.chunk()).await.expect("it ends soon").expect("it holds") {
        text.push_str(&String::from_utf8_lossy(&piece));
    }
    assert!(text.ends_with(": signed out\n\n"), "{text}");
}

#[tokio::test]
async fn a_token_whose_time_is_over_is_good_for_nothing() {
    let options = quorate_server::AccessOptions { access_seconds: 1, ..crate::access::generous() };
    let app = App::open(options).await;
    app.meeting("m1").await;
    let hash = hash_password("open sesame").expect("a hash");
    app.store.set_password_hash(&MeetingId::new("m1"), Some(hash)).await.expect("kept");
    let owner = app.owner().await.text("access_token");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(app.by(&owner, Method::GET, "/me", None).await.status, StatusCode::UNAUTHORIZED);
    let listening = app.by(&owner, Method::GET, "/meetings/m1/events", None).await;
    assert_eq!(listening.status, StatusCode::UNAUTHORIZED);
}
