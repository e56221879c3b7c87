//! Many meetings over one WebSocket.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use futures::future::join_all;
use futures::{SinkExt, StreamExt};
use quorate_contract::{Actor, Command, Event, Format, MeetingId};
use quorate_server::LiveOptions;
use quorate_views::folder_layouts;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::running_server::{SOON, Stage, Talker, short, talk};

/// The client's end.
struct Line(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Line {
    async fn open(stage: &Stage) -> Self {
        let (socket, _) =
            connect_async(format!("ws://{}/api/v1/ws", stage.address)).await.expect("a connection");
        Self(socket)
    }

    async fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.expect("sent");
    }

    /// The next message; the code when it was closed.
    async fn hear(&mut self) -> Result<Value, u16> {
        loop {
            match timeout(SOON, self.0.next()).await.expect("something comes in time") {
                Some(Ok(Message::Text(text))) => {
                    let message = serde_json::from_str(&text).expect("JSON");
                    is_documented(&message);
                    return Ok(message);
                }
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |frame| frame.code.into())),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(0),
            }
        }
    }

    /// The next message for which something holds.
    async fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear().await.expect("it stays open");
            if holds(&message) {
                return message;
            }
        }
    }

    /// Says something, and hears its answer.
    async fn ask(&mut self, mut message: Value) -> Value {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        message["id"] = id.into();
        self.say(message).await;
        self.until(|heard| heard["id"] == id).await
    }
}

/// Whether a message of the server is one that the AsyncAPI document describes, with the fields that it has there.
fn is_documented(message: &Value) {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(quorate_server::asyncapi);
    let name = message["type"].as_str().expect("a type");
    let described = &DOCUMENT["components"]["messages"][name]["payload"]["$ref"];
    let described = described.as_str().unwrap_or_else(|| panic!("{name} is not described: {message}"));
    let schema = DOCUMENT.pointer(&described[1..]).expect("a schema");
    assert_eq!(schema["properties"]["type"]["const"], name);
    for field in message.as_object().expect("an object").keys() {
        assert!(schema["properties"][field].is_object(), "{name}.{field} is not described: {message}");
    }
    for field in schema["required"].as_array().expect("required fields").iter().filter_map(Value::as_str) {
        assert!(message.get(field).is_some(), "{name}.{field} is always there: {message}");
    }
}

fn is(message: &Value, kind: &str, meeting: &str) -> bool {
    message["type"] == kind && message["meeting"] == meeting
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_meetings_are_told_over_one_socket() {
    let stage = Stage::brisk().await;
    let mut line = Line::open(&stage).await;
    let mut handles = Vec::new();
    for id in ["one", "two"] {
        handles.push(stage.draft(id, short(Format::Consensus)).await);
        line.say(json!({ "type": "subscribe", "meeting": id })).await;
    }
    for handle in &handles {
        handle.execute(Command::Start { by: Actor::owner() }).await.expect("it starts");
    }
    let listening = async {
        let (mut logs, mut over, mut tokens, mut acks) = ([Vec::new(), Vec::new()], 0, 0, 0);
        while over < 2 {
            let message = line.hear().await.expect("it stays open");
            let which = usize::from(message["meeting"] == "two");
            match message["type"].as_str().expect("a type") {
                "event" => logs[which].push(message["event"].clone()),
                "token" => tokens += 1,
                "ack" => acks += 1,
                "finished" => {
                    over += 1;
                    assert_eq!(message["last_seq"], logs[which].len());
                }
                other => panic!("{other}: {message}"),
            }
        }
        assert!(tokens > 0 && acks == 2);
        logs
    };
    let (logs, (), ()) =
        tokio::join!(listening, stage.to_the_end(&handles[0]), stage.to_the_end(&handles[1]));
    for (id, heard) in ["one", "two"].into_iter().zip(logs) {
        let log: Vec<Value> =
            stage.log(id).await.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(heard, log);
    }
}

#[tokio::test]
async fn a_meeting_is_steered_over_a_socket() {
    let words = (0..2000).map(|n| format!("word{n} "));
    let stage = Stage::start(Talker::new(words, Duration::from_millis(5)), LiveOptions::default()).await;
    let handle = stage.started("one", talk(&["Ada", "Ben"])).await;
    let mut line = Line::open(&stage).await;
    line.ask(json!({ "type": "subscribe", "meeting": "one", "fragments": false })).await;

    let said = line.ask(json!({ "type": "say", "meeting": "one", "content": "@Ben what of backups?" })).await;
    assert_eq!(said["type"], "ack", "{said}");
    let seq = said["seq"].as_u64().expect("a number");
    // What is acknowledged is in the log.
    assert!(stage.log("one").await[..seq as usize].iter().any(|line| line.contains("what of backups?")));
    let asked = line.ask(json!({ "type": "request_speaker", "meeting": "one", "participant": "Ben" })).await;
    assert_eq!(asked["type"], "ack", "{asked}");
    let paused = line.ask(json!({ "type": "pause", "meeting": "one", "at_once": true })).await;
    assert_eq!(paused["type"], "ack", "{paused}");
    assert!(handle.look().await.expect("it runs").is_paused());

    let again = line.ask(json!({ "type": "pause", "meeting": "one", "at_once": true })).await;
    assert_eq!(
        (&again["type"], &again["problem"]["type"]),
        (&"problem".into(), &"/api/v1/problems#is-paused".into())
    );
    let wrong = line.ask(json!({ "type": "resume", "meeting": "one", "token": "stale" })).await;
    assert_eq!(
        (&wrong["problem"]["status"], &wrong["problem"]["errors"][0]["pointer"]),
        (&409.into(), &"/token".into())
    );
    let resumed = line.ask(json!({ "type": "resume", "meeting": "one", "take_defaults": true })).await;
    assert_eq!(resumed["type"], "ack", "{resumed}");
    let ended = line.ask(json!({ "type": "end", "meeting": "one", "note": "enough" })).await;
    assert_eq!(ended["type"], "ack", "{ended}");
    line.until(|message| is(message, "finished", "one")).await;
    let late = line.ask(json!({ "type": "say", "meeting": "one", "content": "and?" })).await;
    assert_eq!(late["problem"]["type"], "/api/v1/problems#meeting-is-over", "{late}");
}

#[tokio::test]
async fn what_breaks_the_protocol_ends_the_connection_with_its_code() {
    let stage = Stage::brisk().await;
    let text = |bytes: &'static [u8], code| Message::Frame(Frame::message(bytes, OpCode::Data(code), true));
    for (frame, expected) in [(text(b"\xff\xfe", Data::Text), 1007), (text(b"{}", Data::Continue), 1002)] {
        let mut line = Line::open(&stage).await;
        line.0.send(frame).await.expect("sent");
        assert_eq!(line.hear().await, Err(expected));
    }
}

#[tokio::test]
async fn errors_are_told_in_the_language_of_the_connection() {
    let stage = Stage::brisk().await;
    for (query, header, is_chinese) in
        [("?lang=zh", "en", true), ("", "zh-CN", true), ("?lang=en", "zh", false)]
    {
        let address = format!("ws://{}/api/v1/ws{query}", stage.address);
        let mut request = address.into_client_request().expect("a request");
        request.headers_mut().insert("accept-language", header.parse().expect("a header"));
        let (socket, _) = connect_async(request).await.expect("a connection");
        let refused = Line(socket).ask(json!({ "type": "unsubscribe", "meeting": "nowhere" })).await;
        let detail = refused["problem"]["detail"].as_str().expect("a detail");
        let chinese = detail.chars().any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter));
        assert_eq!(chinese, is_chinese, "{query} {header}: {detail}");
    }
}

#[tokio::test]
async fn what_cannot_be_done_is_said_and_the_socket_stays() {
    let stage = Stage::brisk().await;
    stage.draft("one", talk(&["Ada"])).await;
    let mut line = Line::open(&stage).await;
    for (message, status) in [
        (json!({ "type": "subscribe", "meeting": "nowhere" }), 404),
        (json!({ "type": "say", "meeting": "nowhere", "content": "x" }), 404),
        (json!({ "type": "subscribe", "meeting": "one", "after": 99 }), 422),
        (json!({ "type": "say", "meeting": "one", "content": "" }), 422),
        (json!({ "type": "unsubscribe", "meeting": "one" }), 404),
        (json!({ "type": "shout", "meeting": "one" }), 422),
        (json!({ "type": "say", "meeting": 7, "content": [] }), 422),
    ] {
        let problem = line.ask(message.clone()).await;
        assert_eq!(
            (&problem["type"], &problem["problem"]["status"]),
            (&"problem".into(), &status.into()),
            "{message}"
        );
        assert!(!problem["problem"]["hint"].as_str().unwrap_or_default().is_empty(), "{problem}");
    }
    for garbage in ["", "{", "nonsense", "[1,2]", "\u{0}", &"[".repeat(1000)] {
        line.0.send(Message::text(garbage)).await.expect("sent");
        assert_eq!(line.hear().await.expect("it stays open")["problem"]["status"], 400, "{garbage:?}");
    }
    line.0.send(Message::binary(vec![0xff, 0xfe])).await.expect("sent");
    assert_eq!(line.hear().await.expect("it stays open")["problem"]["status"], 400);
    assert_eq!(line.ask(json!({ "type": "ping" })).await["type"], "pong");

    assert_eq!(line.ask(json!({ "type": "subscribe", "meeting": "one" })).await["type"], "ack");
    let twice = line.ask(json!({ "type": "subscribe", "meeting": "one" })).await;
    assert_eq!(twice["problem"]["status"], 409);
    assert_eq!(line.ask(json!({ "type": "unsubscribe", "meeting": "one" })).await["type"], "ack");
    assert_eq!(line.ask(json!({ "type": "subscribe", "meeting": "one" })).await["type"], "ack");
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_connection() {
    let stage = Stage::brisk().await;
    let mut line = Line::open(&stage).await;
    let most = json!({ "type": "ping", "id": "x" }).to_string();
    line.0.send(Message::text(format!("{most}{}", " ".repeat(64 * 1024 - most.len())))).await.expect("sent");
    assert_eq!(line.hear().await.expect("64 KiB are taken")["type"], "pong");
    // The other end may have hung up in the middle of it.
    _ = line.0.send(Message::text("x".repeat(65 * 1024))).await;
    assert_eq!(line.hear().await, Err(1009));
}

#[tokio::test]
async fn a_socket_of_which_nothing_is_heard_is_cut_and_one_that_answers_pings_is_not() {
    let options = LiveOptions {
        ping: Duration::from_millis(50),
        write_timeout: Duration::from_millis(600),
        ..LiveOptions::default()
    };
    let stage = Stage::start(Talker::new(["Hm.".to_owned()], Duration::ZERO), options).await;
    let mut lively = Line::open(&stage).await;
    let mut silent = Line::open(&stage).await;
    // A client that reads answers pings; one that does not is silent.
    let reading = timeout(Duration::from_millis(1500), lively.hear()).await;
    assert!(reading.is_err(), "it stays open and nothing is said: {reading:?}");
    let (mut pings, mut closed) = (0, None);
    while let Some(message) = timeout(SOON, silent.0.next()).await.expect("in time") {
        match message {
            Ok(Message::Ping(_)) => pings += 1,
            Ok(Message::Close(frame)) => closed = frame.map(|frame| u16::from(frame.code)),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    // The line may be gone before the last word is read.
    assert!(closed.is_none_or(|code| code == 1001), "{closed:?} after {pings} pings");
    assert!(pings >= 2, "{pings}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_meetings_fit_on_one_socket_and_no_more() {
    let stage = Stage::brisk().await;
    let names: Vec<String> = (0..=1000).map(|n| format!("m{n}")).collect();
    for some in names.chunks(100) {
        join_all(some.iter().map(|id| stage.draft(id, talk(&["Ada"])))).await;
    }
    let mut line = Line::open(&stage).await;
    for id in &names[..1000] {
        // What has happened before is told in between.
        let ack = line.ask(json!({ "type": "subscribe", "meeting": id, "after": 2 })).await;
        assert_eq!(ack["type"], "ack", "{ack}");
    }
    let refused = line.ask(json!({ "type": "subscribe", "meeting": "m1000" })).await;
    assert_eq!(refused["problem"]["status"], 429, "{refused}");
    let content = "Everybody, please.";
    let mut told = BTreeSet::new();
    for id in names.iter().take(1000).step_by(100) {
        let handle = stage.engine.open(&MeetingId::new(id.as_str())).await.expect("a meeting");
        handle.execute(Command::Say { by: Actor::owner(), content: content.to_owned() }).await.expect("said");
        told.insert(id.clone());
    }
    while !told.is_empty() {
        let message = line.until(|message| message["event"]["type"] == "user_message").await;
        told.remove(message["meeting"].as_str().expect("a meeting"));
    }
    let freed = line.ask(json!({ "type": "unsubscribe", "meeting": "m0" })).await;
    assert_eq!(freed["type"], "ack");
    assert_eq!(line.ask(json!({ "type": "subscribe", "meeting": "m1000" })).await["type"], "ack");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_meeting_is_a_room_of_requirement_002() {
    let stage = Stage::brisk().await;
    let handle = stage.draft("one", short(Format::Room)).await;
    let mut line = Line::open(&stage).await;
    line.ask(json!({ "type": "subscribe", "meeting": "one", "view": "room" })).await;
    handle.execute(Command::Start { by: Actor::owner() }).await.expect("it starts");
    let content = "@Ben what of backups?".to_owned();
    handle.execute(Command::Say { by: Actor::owner(), content }).await.expect("said");
    let listening = async {
        let mut heard = Vec::new();
        loop {
            let message = line.hear().await.expect("it stays open");
            if message["type"] == "finished" {
                return heard;
            }
            heard.push(message);
        }
    };
    let (heard, ()) = tokio::join!(listening, async {
        let participant = "Cid".to_owned();
        let by = Actor::owner();
        handle.execute(Command::Leave { by, participant }).await.expect("Cid leaves");
        stage.to_the_end(&handle).await;
    });
    let names: BTreeSet<&str> = heard.iter().filter_map(|message| message["type"].as_str()).collect();
    let all = [
        "agent_turn",
        "member_join",
        "member_leave",
        "member_status_change",
        "message_new",
        "message_update",
        "round_end",
        "round_start",
    ];
    assert_eq!(names, BTreeSet::from(all));

    // The same messages, with the same ids, as in the files that are exported.
    let log: Vec<Event> =
        stage.log("one").await.iter().map(|line| Event::from_json(line).expect("ours")).collect();
    let files = folder_layouts::export(&log).messages.remove("one").expect("a room");
    let new = heard.iter().filter(|message| message["type"] == "message_new").map(|message| {
        let mut data = message["data"].clone();
        data.as_object_mut().expect("a message").remove("turn");
        data
    });
    assert_eq!(new.collect::<Vec<_>>(), files.iter().map(|file| json!(file)).collect::<Vec<_>>());
    let start = heard.iter().find(|message| message["type"] == "round_start").expect("a round");
    assert_eq!(
        (&start["data"]["agent_queue"][0], &start["data"]["completed"]),
        (&"Ada".into(), &false.into())
    );

    // A later client gets new events, in the same words.
    let half = log.len() as u64 / 2;
    let mut late = Line::open(&stage).await;
    late.ask(json!({ "type": "subscribe", "meeting": "one", "view": "room", "after": half })).await;
    let mut again = Vec::new();
    loop {
        let message = late.hear().await.expect("it stays open");
        if message["type"] == "finished" {
            break;
        }
        again.push(message);
    }
    let new = heard.into_iter().filter(|message| message["seq"].as_u64() > Some(half));
    assert_eq!(again, new.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_page_elsewhere_cannot_connect() {
    let stage = Stage::brisk().await;
    let mut request = format!("ws://{}/api/v1/ws", stage.address).into_client_request().expect("a request");
    request.headers_mut().insert("origin", "https://evil.example".parse().expect("an origin"));
    match connect_async(request).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 403),
        other => panic!("{other:?}"),
    }
    let plain = stage.client.get(format!("{}/api/v1/ws", stage.url)).send().await.expect("an answer");
    assert_eq!(plain.status(), 400);
}

#[tokio::test]
async fn sockets_are_hung_up_when_the_service_stops() {
    let stage = Stage::brisk().await;
    stage.draft("one", talk(&["Ada"])).await;
    let mut line = Line::open(&stage).await;
    line.ask(json!({ "type": "subscribe", "meeting": "one" })).await;
    stage.server.stop();
    let closed = loop {
        if let Err(code) = line.hear().await {
            break code;
        }
    };
    assert_eq!(closed, 1001);
}
