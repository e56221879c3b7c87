//! A room of two agents, a webhook, a model, a process and two people, through mentions, skips, a time-out, kills of the
//! server and an absence: every turn ends once, every message is there once, and everybody is named rightly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::app::{App, check_whole, events, of_type};
use crate::client::started;
use crate::mcp_client::{Mcp, again, agent, owner, read_on};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Heard, Vendor};
use crate::webhook_receiver::{Delivered, WebhookReceiver, call_back};

/// The messages of people while an agent is away: more than one page of its context holds.
const WHILE_AWAY: usize = 210;
/// The time for a turn: long enough for every answer here, and short enough to wait for its end.
const LONG_MS: u64 = 120_000;
const SHORT_MS: u64 = 1_500;

/// People who speak without a turn, and the name that readers see: the owner has that of their seat.
const PEOPLE: [(&str, &str); 2] = [("owner", "Olga"), ("Lin", "Lin")];

/// A message: whose it is, as its reader names them, and the words.
type Message = (String, String);

/// A room, and everybody in it who is not in the server.
struct Room {
    app: App,
    server: Option<TerminalSession>,
    meeting: String,
    ada: Mcp,
    ben: Mcp,
    olga: Mcp,
    lin: Mcp,
    /// What was said, in order.
    said: Vec<Message>,
    /// Each turn that was offered, by its ticket, and to whom.
    offered: BTreeMap<String, &'static str>,
}

impl Room {
    /// Kills the server and starts it again on the same database.
    fn kill(&mut self) {
        let server = self.server.take().expect("it runs");
        let restarted = again(&self.app, server, &mut [&mut self.ada, &mut self.ben, &mut self.lin]);
        self.olga = owner(&self.app, &self.ada.base);
        self.server = Some(restarted);
    }

    fn who(&self, name: &str) -> &Mcp {
        match name {
            "Ada" => &self.ada,
            "Ben" => &self.ben,
            "Olga" => &self.olga,
            "Lin" => &self.lin,
            other => panic!("{other} is not driven by the test"),
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/meetings/{}{rest}", self.meeting)
    }

    /// Waits until somebody has a turn: an agent over MCP, a person over HTTP.
    #[track_caller]
    fn turn(&mut self, name: &'static str) -> Value {
        let (who, meeting) = (self.who(name), &self.meeting);
        let turn = match name {
            "Ada" | "Ben" => {
                who.tool("wait_for_turn", json!({ "meeting": meeting })).expect("an answer")["turn"].clone()
            }
            _ => {
                let open = who.rest("GET", &format!("/turns?meeting={meeting}&wait_seconds=25"), Value::Null);
                open["items"][0].clone()
            }
        };
        assert_eq!(turn["participant"], name, "{turn}");
        self.offered.insert(ticket(&turn), name);
        turn
    }

    /// Answers a turn; what is refused says why.
    fn answer(&self, name: &str, turn: &Value, words: &str) -> Result<(), String> {
        let who = self.who(name);
        match name {
            "Ada" | "Ben" => {
                let answer = json!({ "meeting": self.meeting, "ticket": turn["ticket"], "content": words });
                who.tool("send_message", answer).map(|_| ())
            }
            _ => {
                taken(&who.rest("POST", &format!("/turns/{}/answer", ticket(turn)), json!({ "text": words })))
            }
        }
    }

    /// Answers a turn with words that are new.
    #[track_caller]
    fn says(&mut self, name: &str, turn: &Value, words: &str) {
        self.answer(name, turn, words).expect("it is taken");
        self.heard(name, words);
    }

    fn skip(&self, name: &str, turn: &Value) -> Result<(), String> {
        let who = self.who(name);
        match name {
            "Ada" | "Ben" => {
                let skip = json!({ "meeting": self.meeting, "ticket": turn["ticket"] });
                who.tool("skip_response", skip).map(|_| ())
            }
            _ => taken(&who.rest("POST", &format!("/turns/{}/skip", ticket(turn)), json!({}))),
        }
    }

    /// Notes what somebody said who was not driven from here.
    fn heard(&mut self, name: &str, words: &str) {
        self.said.push((name.to_owned(), words.to_owned()));
    }

    /// The model speaks, and the process takes its words up.
    fn model_and_process_speak(&mut self, number: usize) {
        let words = format!("Word {number} of the model.");
        self.heard("Mo", &words);
        self.heard("Pia", &format!("I take up what was said: {words}"));
    }

    /// The time that a turn has from the next one on.
    fn set_timeout(&self, timeout_ms: u64) {
        let rules = json!({ "rules": { "turns": { "timeout_ms": timeout_ms } } });
        let changed = self.olga.rest("PATCH", &self.path(""), rules);
        assert_eq!(changed["state"], "discussion", "{changed}");
    }

    fn set_presence(&self, presence: &str) {
        let changed =
            self.olga.rest("PATCH", &self.path("/participants/p2"), json!({ "presence": presence }));
        assert!(changed["seq"].is_u64(), "{changed}");
    }

    /// A turn that was pushed to the webhook.
    #[track_caller]
    fn pushed(&mut self, delivered: &Delivered, secret: &str) -> Value {
        assert!(delivered.is_signed_with(secret), "{delivered:?}");
        assert!(!delivered.is_signed_with("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"), "by nobody else");
        assert_eq!(delivered.body["type"], "turn.requested", "{delivered:?}");
        let turn = delivered.body["data"].clone();
        assert_eq!(turn["participant"], "Wes", "{turn}");
        self.offered.insert(ticket(&turn), "Wes");
        turn
    }

    fn log(&self) -> String {
        self.app.quorate(&["replay", "last", "--json"]).ok().out
    }
}

fn ticket(turn: &Value) -> String {
    turn["ticket"].as_str().unwrap_or_else(|| panic!("no ticket: {turn}")).to_owned()
}

fn taken(answered: &Value) -> Result<(), String> {
    if answered["seq"].is_u64() { Ok(()) } else { Err(answered.to_string()) }
}

/// The room, before it has started. The guest comes by an invitation that offers a seat.
fn room(vendor: &Vendor, receiver: &WebhookReceiver) -> (Room, Value) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/runner/echo_agent.py");
    let mut app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let config = format!("[processes.echo]\ncommand = [\"python3\", {example:?}]\n");
    let config = app.write("config.toml", &config);
    app.set("QUORATE_CONFIG", config);
    let (server, base) = started(&app);
    let olga = owner(&app, &base);
    let (ada, ben) = (agent(&app, &base, "ada", "speak"), agent(&app, &base, "ben", "speak"));
    let hook = olga.rest("POST", "/webhooks", json!({ "url": receiver.url, "agent": "wes" }));
    let new = json!({
        "topic": "SQLite or PostgreSQL?", "format": "room", "lang": "en", "facilitator": { "enabled": false },
        "participants": [
            { "name": "Ada", "model": "agent/ada" }, { "name": "Ben", "model": "agent/ben" },
            { "name": "Mo", "model": "openai/talker" }, { "name": "Pia", "model": "process/echo" },
            { "name": "Wes", "model": "agent/wes" }, { "name": "Olga", "model": "person/owner" },
        ],
        "rules": { "turns": { "timeout_ms": LONG_MS } },
    });
    let made = olga.rest("POST", "/meetings", new);
    let meeting = made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    let link = json!({ "scope": "speak", "name": "Lin", "seat": { "role": "Architect" } });
    let invited = olga.rest("POST", &format!("/meetings/{meeting}/invitations"), link);
    let nobody = Mcp { token: String::new(), base: base.clone(), client: olga.client.clone() };
    let joined = nobody.rest("POST", "/join", json!({ "code": invited["code"], "tokens": true }));
    assert_eq!(joined["seat"], json!({ "name": "Lin", "problem": null }), "{joined}");
    let lin = Mcp { token: joined["access_token"].as_str().expect("a session").to_owned(), ..nobody };
    let (said, offered) = (Vec::new(), BTreeMap::new());
    (Room { app, server: Some(server), meeting, ada, ben, olga, lin, said, offered }, hook)
}

#[test]
fn a_room_of_everybody_loses_nothing_and_doubles_nothing() {
    let words = AtomicUsize::new(0);
    let vendor = Vendor::of(move |_| {
        Answer::Whole(format!("Word {} of the model.", words.fetch_add(1, Ordering::SeqCst) + 1))
    });
    // The webhook answers in the response, or accepts a turn and answers later.
    let (later, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(BTreeMap::new())));
    let receiver = {
        let (later, answered) = (Arc::clone(&later), Arc::clone(&answered));
        WebhookReceiver::start(move |message| {
            if later.load(Ordering::SeqCst) {
                return (202, Value::Null);
            }
            // A message that comes twice has the same answer.
            let mut answered = answered.lock().expect("no panic");
            let number = answered.len() + 1;
            let text: &String = answered
                .entry(message.id.clone())
                .or_insert_with(|| format!("Response {number} of the webhook."));
            (200, json!({ "text": text }))
        })
    };
    let (mut room, hook) = room(&vendor, &receiver);
    let (hook_id, secret) = (hook["id"].as_str().expect("an id"), hook["secret"].as_str().expect("a secret"));
    let started = room.olga.rest("POST", &room.path("/start"), json!({}));
    assert_eq!(started["state"], "discussion", "{started}");

    // Round 1: whoever is mentioned is asked next, and answers in the response; that ends the round.
    let turn = room.turn("Ada");
    room.says("Ada", &turn, "First word of Ada: what does it cost, @Wes?");
    let mentioned = room.pushed(&receiver.next("the mention"), secret);
    assert_eq!(mentioned["can_skip"], false, "{mentioned}");
    room.heard("Wes", "Response 1 of the webhook.");

    // Round 2 begins with those who had no turn. Ben skips and goes; the server is killed while Olga writes.
    let turn = room.turn("Ben");
    room.skip("Ben", &turn).expect("an agent may skip");
    let (read, cursor) = read_on(&room.ben, &room.meeting, 0);
    let mut held: Vec<String> = read.into_iter().map(|(_, content)| content).collect();
    room.model_and_process_speak(1);
    let turn = room.turn("Olga");
    room.kill();
    assert_eq!(room.turn("Olga")["ticket"], turn["ticket"], "the ticket still stands");
    room.says("Olga", &turn, "First word of Olga: who looks after it, @Lin?");
    let turn = room.turn("Lin");
    let refused = room.skip("Lin", &turn).expect_err("whoever is mentioned answers");
    assert!(refused.contains("cannot-skip"), "{refused}");
    room.says("Lin", &turn, "First word of Lin: I do.");

    // Round 3: the server is killed between the acceptance of a turn and its call-back.
    later.store(true, Ordering::SeqCst);
    let turn = room.turn("Ada");
    room.skip("Ada", &turn).expect("an agent may skip");
    let delivered = receiver.next("a turn of the webhook");
    let turn = room.pushed(&delivered, secret);
    room.kill();
    room.set_timeout(SHORT_MS);
    let answer = json!({ "ticket": turn["ticket"], "text": "Call-back of the webhook." });
    let (status, body) = call_back(&room.ada.base, hook_id, secret, "first", &answer);
    assert_eq!(status, 200, "{body}");
    room.heard("Wes", "Call-back of the webhook.");
    for (id, problem) in [("first", "replayed"), ("second", "turn-is-over")] {
        let (status, body) = call_back(&room.ada.base, hook_id, secret, id, &answer);
        assert_eq!((status, &body["type"]), (409, &json!(format!("/api/v1/problems#{problem}"))), "{body}");
    }

    // Ben has a turn and does not come: his time is up, and what he says then is late.
    let missed = room.turn("Ben");
    room.set_timeout(LONG_MS);
    room.model_and_process_speak(2);
    let turn = room.turn("Olga");
    let late = room.answer("Ben", &missed, "Late word of Ben.").expect_err("his time is up");
    assert!(late.contains("over"), "{late}");
    room.set_presence("offline");
    room.says("Olga", &turn, "Second word of Olga.");
    let turn = room.turn("Lin");
    room.skip("Lin", &turn).expect("nobody asked her");

    // Round 4 goes on without Ben; people speak without having a turn.
    later.store(false, Ordering::SeqCst);
    let turn = room.turn("Ada");
    for number in 0..WHILE_AWAY {
        let [owner, guest] = PEOPLE.map(|(_, shown)| shown);
        let (who, shown, name) =
            if number % 2 == 0 { (&room.olga, owner, "Olga") } else { (&room.lin, guest, "Lin") };
        let words = format!("Note {number} of {name}.");
        let noted = who.rest("POST", &room.path("/messages"), json!({ "content": words }));
        assert!(noted["seq"].is_u64(), "{noted}");
        room.heard(shown, &words);
    }
    room.says("Ada", &turn, "Second word of Ada.");
    room.model_and_process_speak(3);
    // What was accepted may have come once more after the kill, under its own id.
    let next = loop {
        let next = receiver.next("a turn of the webhook");
        if next.id != delivered.id {
            break next;
        }
        assert_eq!(next.body["data"]["ticket"], delivered.body["data"]["ticket"]);
    };
    room.pushed(&next, secret);
    room.heard("Wes", "Response 2 of the webhook.");
    let turn = room.turn("Olga");

    // Ben comes back and reads on from his cursor: nothing is lost, and nothing comes twice.
    room.set_presence("online");
    let (read, last) = read_on(&room.ben, &room.meeting, cursor);
    held.extend(read.into_iter().map(|(_, content)| content));
    let said: Vec<&String> = room.said.iter().map(|(_, content)| content).collect();
    assert_eq!(held.iter().collect::<Vec<_>>(), said);
    assert_eq!(read_on(&room.ben, &room.meeting, last).0, [], "there is no more");
    room.says("Olga", &turn, "Third word of Olga.");
    let turn = room.turn("Lin");
    room.skip("Lin", &turn).expect("nobody asked her");

    // Round 5: he has his turn again, and the room ends while a turn is open.
    let turn = room.turn("Ada");
    room.skip("Ada", &turn).expect("an agent may skip");
    let turn = room.turn("Ben");
    room.says("Ben", &turn, "First word of Ben.");
    room.model_and_process_speak(4);
    let next = receiver.next("a turn of the webhook");
    room.pushed(&next, secret);
    room.heard("Wes", "Response 3 of the webhook.");
    let unanswered = room.turn("Olga");
    let ended = room.olga.rest("POST", &room.path("/end"), json!({}));
    assert_eq!(ended["state"], "ended", "{ended}");

    // No ticket takes a second answer.
    for (ticket, name) in &room.offered {
        let turn = json!({ "ticket": ticket });
        let refused = match *name {
            "Wes" => {
                let answer = json!({ "ticket": ticket, "text": "Once more." });
                call_back(&room.ada.base, hook_id, secret, ticket, &answer).1.to_string()
            }
            name => room.answer(name, &turn, "Once more.").expect_err("it is over"),
        };
        assert!(refused.contains("over"), "{name}: {refused}");
    }
    let log = room.log();
    the_log_holds_each_once(&log, &room, &ticket(&unanswered));
    everybody_is_named_in_prompts(&vendor.heard(), &room.said);
    everybody_is_named_in_views(&room, &log);
    assert!(receiver.rest().iter().all(|message| room.offered.contains_key(&ticket(&message.body["data"]))));
    room.server.take().expect("it runs").kill();
    room.app.quorate(&["verify"]).ok();
}

/// The messages of a log, as it names their speakers.
fn messages(events: &[Value]) -> Vec<Message> {
    let spoken =
        events.iter().filter(|event| event["type"] == "agent_message" || event["type"] == "user_message");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    spoken
        .map(|event| &event["payload"]["message"])
        .map(|said| (text(&said["name"]), text(&said["content"])))
        .collect()
}

fn the_log_holds_each_once(log: &str, room: &Room, unanswered: &str) {
    check_whole(log);
    let events = events(log);
    assert_eq!(messages(&events), room.said, "each message once, in order, by its speaker");
    // People who speak without a turn are told apart, whatever they are called.
    for event in of_type(&events, "user_message") {
        let (by, content) = (&event["payload"]["by"], event["payload"]["message"]["content"].as_str());
        assert_eq!(&event["actor"], by, "{event}");
        let expected = if content.is_some_and(|words| words.ends_with("of Lin.")) { "Lin" } else { "owner" };
        assert_eq!(by["name"], expected, "{event}");
    }
    // Every turn ends once; the last one had no end but the meeting's.
    let turns = |kinds: &[&str]| -> Vec<String> {
        let of_kind = events.iter().filter(|event| kinds.contains(&event["type"].as_str().expect("a type")));
        of_kind.map(|event| event["payload"]["turn"].as_str().expect("a turn").to_owned()).collect()
    };
    let (offered, over) =
        (turns(&["speaker_selected"]), turns(&["agent_message", "turn_skipped", "turn_failed"]));
    let distinct: BTreeSet<&String> = offered.iter().collect();
    assert_eq!(distinct.len(), offered.len(), "each turn is offered once: {offered:?}");
    let open: Vec<&String> = offered.iter().filter(|turn| !over.contains(turn)).collect();
    assert_eq!(open, [offered.last().expect("a turn")], "and all but the last one are over");
    assert_eq!(room.offered[unanswered], "Olga");
    // The model and the process have answered four turns each; each other turn had a ticket of its own.
    assert_eq!(room.offered.len() + 8, offered.len(), "{:?}", room.offered);
    let timed_out = of_type(&events, "turn_skipped");
    let timed_out: Vec<&&Value> =
        timed_out.iter().filter(|event| event["payload"]["reason"] == "timed_out").collect();
    assert_eq!(timed_out.len(), 1, "{timed_out:?}");
    assert_eq!(timed_out[0]["payload"]["participant"], "p2");
    assert_eq!(of_type(&events, "turn_failed").len(), 0);
    assert_eq!(of_type(&events, "recovered").len(), 2);
}

/// What a model reads: each message once, by its speaker, and all of them in the end.
fn everybody_is_named_in_prompts(heard: &[Heard], said: &[Message]) {
    assert_eq!(heard.len(), 4, "each turn of the model is one request");
    let mut read = BTreeSet::new();
    for request in heard {
        let words = request.words();
        let mut shown: Vec<Message> = Vec::new();
        for part in words.split("<message id=").skip(1) {
            let (head, rest) = part.split_once(">\n").expect("a frame");
            let (content, _) = rest.split_once("\n</message>").expect("it ends");
            let name = head.split("from=\"").nth(1).and_then(|from| from.split('"').next()).expect("a name");
            // People are marked as people, with a seat or without one.
            let (name, is_person) = name.strip_suffix(" (person)").map_or((name, false), |name| (name, true));
            assert_eq!(
                is_person,
                content.starts_with("Note ") || ["Olga", "Lin"].contains(&name),
                "{name}: {content}"
            );
            shown.push((name.to_owned(), content.to_owned()));
        }
        let distinct: BTreeSet<&Message> = shown.iter().collect();
        assert_eq!(distinct.len(), shown.len(), "each message once");
        for message in &shown {
            assert!(said.contains(message), "{message:?}");
        }
        read.extend(shown);
    }
    let last = said.iter().rposition(|(name, _)| name == "Mo").expect("it spoke");
    for message in said[..last].iter().filter(|(name, _)| name != "Mo") {
        assert!(read.contains(message), "{message:?} was not read");
    }
}

/// What people read, on the page and in files.
fn everybody_is_named_in_views(room: &Room, log: &str) {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = room.olga.rest("GET", &room.path(&format!("/messages?limit=100{cursor}")), Value::Null);
        let items = page["items"].as_array().unwrap_or_else(|| panic!("{page}"));
        listed.extend(items.iter().map(|item| (text(&item["name"]), text(&item["content"]))));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    listed.reverse();
    assert_eq!(listed, room.said, "as the page lists them");
    let view = room.olga.rest("GET", &room.path(""), Value::Null);
    assert_eq!(view["messages_total"], room.said.len(), "{view}");
    let seats: Vec<&Value> = view["participants"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| &seat["participant"]["name"])
        .collect();
    assert_eq!(seats, ["Ada", "Ben", "Mo", "Pia", "Wes", "Olga", "Lin"]);

    let export = |format: &str| {
        let url = format!("{}/api/v1{}", room.olga.base, room.path(&format!("/export?format={format}")));
        let response = room.olga.client.get(url).bearer_auth(&room.olga.token).send().expect("an answer");
        assert_eq!(response.status(), 200, "{format}");
        response.text().expect("a file")
    };
    let markdown = export("md");
    let (_, record) = markdown.split_once("## Record\n").expect("a record");
    let mut written = Vec::new();
    let mut lines = record.lines();
    while let Some(line) = lines.next() {
        if let Some((name, _)) = line.strip_prefix("**").and_then(|rest| rest.split_once("** [m")) {
            let words = lines.nth(1).and_then(|line| line.strip_prefix("> ")).expect("its words, quoted");
            written.push((name.to_owned(), words.to_owned()));
        }
    }
    assert_eq!(written, room.said, "in Markdown");
    let exported: Value = serde_json::from_str(&export("json")).expect("JSON");
    assert_eq!(exported["events"], json!(events(log)), "in JSON");
    let page = export("html");
    for (name, content) in &room.said {
        assert!(page.contains(name) && page.contains(content), "{name}: {content}");
    }
}
