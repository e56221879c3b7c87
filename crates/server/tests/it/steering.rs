//! Permission to pause, resume or end a meeting: the same over every transport.

use futures::{SinkExt, StreamExt};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::access::generous;
use crate::access_server::App;

/// The state of a meeting when a command arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Paused after a turn by a user who manages it.
    Paused,
    /// Paused with questions before a round.
    Asks,
}

/// The commands: the last part of the route, and the body.
const DEEDS: [(&str, &str); 3] = [("pause", "{}"), ("resume", r#"{"take_defaults":true}"#), ("end", "{}")];

/// Whether a scope permits it: by the rules of access.
fn may(scope: &str, standing: Standing, deed: &str) -> bool {
    match (scope, deed) {
        ("manage" | "owner", _) => true,
        ("speak" | "guest", "resume") => standing == Standing::Asks,
        _ => false,
    }
}

async fn meeting(app: &App, owner: &str, standing: Standing) -> String {
    let rules = match standing {
        Standing::Asks => json!({ "intake": { "when": "each_round" }, "limits": { "max_rounds": 3 } }),
        Standing::Paused => json!({ "limits": { "max_rounds": 3 } }),
    };
    let format = match standing {
        Standing::Asks => "brainstorm",
        Standing::Paused => "discussion",
    };
    let new = json!({ "topic": "Is it?", "format": format, "simulate": true, "rules": rules });
    let made = app.by(owner, Method::POST, "/meetings", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let id = made.text("id");
    let path = format!("/meetings/{id}");
    let stopped = match standing {
        Standing::Asks => "asked",
        Standing::Paused => "made",
    };
    let until = Some(json!({ "until": "turn" }));
    let rests = app.by(owner, Method::POST, &format!("{path}/advance"), until).await;
    assert_eq!(rests.body["stopped"], stopped, "{}", rests.body);
    id
}

/// Over REST: the status.
async fn by_rest(app: &App, token: &str, id: &str, deed: &str, body: &str) -> u64 {
    let body = serde_json::from_str(body).expect("JSON");
    let path = format!("/meetings/{id}/{deed}");
    u64::from(app.by(token, Method::POST, &path, Some(body)).await.status.as_u16())
}

/// Over a WebSocket: the status of the problem, or 200.
async fn by_socket(app: &App, token: &str, id: &str, deed: &str, body: &str) -> u64 {
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    let bearer = format!("Bearer {token}").parse().expect("a header");
    request.headers_mut().insert("authorization", bearer);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
    let mut command: Value = serde_json::from_str(body).expect("JSON");
    (command["type"], command["meeting"]) = (json!(deed), json!(id));
    socket.send(Message::text(command.to_string())).await.expect("sent");
    loop {
        let Message::Text(text) = socket.next().await.expect("an answer").expect("it is there") else {
            continue;
        };
        let said: Value = serde_json::from_str(&text).expect("JSON");
        return match said["type"].as_str() {
            Some("ack") => 200,
            Some("problem") => said["problem"]["status"].as_u64().expect("a status"),
            _ => continue,
        };
    }
}

#[tokio::test]
async fn the_same_may_pause_resume_and_end_at_every_way_in() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let mut tokens = vec![("owner", owner.clone())];
    for scope in ["read", "speak", "manage"] {
        let made = app.token(&owner, json!({ "name": scope, "scope": scope })).await;
        tokens.push((scope, made.text("token")));
    }
    let mut wrong = Vec::new();
    for standing in [Standing::Paused, Standing::Asks] {
        for (deed, body) in DEEDS {
            for scope in ["read", "speak", "guest", "manage", "owner"] {
                for admission in ["rest", "socket"] {
                    let id = meeting(&app, &owner, standing).await;
                    let token = match tokens.iter().find(|(name, _)| *name == scope) {
                        Some((_, token)) => token.clone(),
                        None => {
                            let invite = Some(json!({ "scope": "speak" }));
                            let path = format!("/meetings/{id}/invitations");
                            let code = app.by(&owner, Method::POST, &path, invite).await.text("code");
                            let join = json!({ "code": code, "name": "A guest", "tokens": true });
                            app.ask(Method::POST, "/join", &[], Some(join)).await.text("access_token")
                        }
                    };
                    let status = match admission {
                        "rest" => by_rest(&app, &token, &id, deed, body).await,
                        _ => by_socket(&app, &token, &id, deed, body).await,
                    };
                    // A permitted command may still be impossible: a paused meeting cannot be paused.
                    if (status != 403) != may(scope, standing, deed) {
                        wrong.push(format!("{standing:?} {deed} as {scope} by {admission}: {status}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    app.store.audit_written().await.expect("written");
    let noted = app.by(&owner, Method::GET, "/audit?action=meetings.pause.post&limit=200", None).await.body;
    assert!(noted.to_string().contains("websocket"), "what is done over a WebSocket is noted, too");
}
