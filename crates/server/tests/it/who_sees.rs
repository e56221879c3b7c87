//! Who sees what: one log with every kind of secret, read as every kind of reader over every way out, compared with one
//! table. What a webhook is sent is in `webhooks.rs`; the tools of the Model Context Protocol send the requests of this
//! table (`docs/decisions/0016`).

use futures::{SinkExt, StreamExt};
use quorate_contract::{ContractVersion, Event, EventBody, MeetingId, RunId, Timestamp};
use quorate_engine::{Journal, Record};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::access::generous;
use crate::access_server::{App, PASSWORD};

const GET: Method = Method::GET;
const POST: Method = Method::POST;

/// What somebody may see or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secret {
    Memory,
    Reasoning,
    Mark,
    /// The reason for a departure by the rules.
    Departure,
    /// The beginning of an answer that could not be read.
    Excerpt,
    /// The reason of a vote, while the ballot is open.
    Vote,
    /// Ben's answer in the blind round.
    Blind,
    Skip,
    Token,
}

use Secret::{Blind, Departure, Excerpt, Mark, Memory, Reasoning, Skip, Token, Vote};

impl Secret {
    const ALL: [Self; 9] = [Memory, Reasoning, Mark, Departure, Excerpt, Vote, Blind, Skip, Token];

    /// The words by which it is found anywhere.
    fn words(self) -> &'static str {
        match self {
            Memory => "zebramemory",
            Reasoning => "zebrareasoning",
            Mark => "zebramark",
            Departure => "zebradeparture",
            Excerpt => "zebraexcerpt",
            Vote => "zebravote",
            Blind => "zebrablind",
            Skip => "zebraskip",
            Token => "zebratoken",
        }
    }
}

/// A moment at which the meeting rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Ben has answered in the blind round, Ada and Lin have not.
    BlindRound,
    /// Ben has voted, Ada and Lin have not, and Kit has given up the seat since the ballot opened.
    Ballot,
}

impl Moment {
    const ALL: [Self; 2] = [Self::BlindRound, Self::Ballot];

    fn meeting(self) -> &'static str {
        match self {
            Self::BlindRound => "in-the-blind-round",
            Self::Ballot => "in-the-ballot",
        }
    }
}

/// Somebody who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Owner,
    /// An account with `manage` and no seat.
    Manager,
    /// Accounts with less.
    Speaker,
    Reader,
    /// A token that is bound to the meeting.
    Token,
    Guest,
    /// Lin, who has a seat, and `manage`.
    Seated,
    /// Kit, who has a seat when the ballot opens, and `manage`.
    Leaving,
    /// Ada, whose seat an agent answers for.
    Agent,
}

impl Who {
    const ALL: [Self; 9] = [
        Self::Owner,
        Self::Manager,
        Self::Speaker,
        Self::Reader,
        Self::Token,
        Self::Guest,
        Self::Seated,
        Self::Leaving,
        Self::Agent,
    ];

    fn manages(self) -> bool {
        matches!(self, Self::Owner | Self::Manager) || self.has_had_seat()
    }

    /// Whether it is a person who has a seat, or had one when the ballot opened.
    fn has_had_seat(self) -> bool {
        matches!(self, Self::Seated | Self::Leaving)
    }
}

/// The table: whether a reader may see a secret at a moment, by any way.
fn may_see(who: Who, moment: Moment, secret: Secret) -> bool {
    let is_blind = moment == Moment::BlindRound && (who.has_had_seat() || who == Who::Agent);
    // Who holds a seat, or held one when the ballot opened, sees as little as every other reader while it is open.
    let votes = moment == Moment::Ballot && who.has_had_seat();
    match secret {
        Memory | Reasoning | Mark | Departure | Excerpt | Vote => who.manages() && !is_blind && !votes,
        Blind => !is_blind,
        Skip | Token => true,
    }
}

/// A way out: what it shows of a meeting to somebody who may see it, and to whom it is open at all.
struct Way {
    path: &'static str,
    shows: &'static [Secret],
    /// For those alone who may see everything.
    for_all: bool,
    /// Shut for people with a seat while a ballot is open.
    waits_for_ballot: bool,
    /// Open to people with a seat in a blind round, and to agents.
    in_blind_round: (bool, bool),
}

const fn way(path: &'static str, shows: &'static [Secret]) -> Way {
    Way { path, shows, for_all: false, waits_for_ballot: false, in_blind_round: (false, false) }
}

const fn people(way: Way) -> Way {
    Way { in_blind_round: (true, false), ..way }
}

const fn for_all(way: Way) -> Way {
    Way { for_all: true, ..way }
}

/// The same, and not for somebody who holds a seat while a ballot is open.
const fn whole(way: Way) -> Way {
    Way { waits_for_ballot: true, ..for_all(way) }
}

const EVERYTHING: &[Secret] = &Secret::ALL;
const PUBLIC_EXPORT: &[Secret] = &[Blind, Skip, Token];

/// Every request that answers with something of a meeting. `context` leaves out blind answers for everybody.
const WAYS: &[Way] = &[
    people(way("?messages=500", &[Memory, Mark, Vote, Blind, Token])),
    people(way("/log?limit=1000", EVERYTHING)),
    people(way("/log?limit=1000&order=desc", EVERYTHING)),
    people(way("/messages?limit=200", &[Blind])),
    way("/messages/m1", &[Blind, Reasoning]),
    Way { in_blind_round: (true, true), ..way("/context?after=0", &[]) },
    way("/report", &[]),
    way("/report/markdown", &[]),
    way("/claims?limit=500", &[]),
    way("/deliberation-health", &[]),
    way("/participants", &[Memory]),
    way("/participants/p2", &[Memory]),
    way("/ballots", &[Vote]),
    way("/usage", &[]),
    way("/export?format=markdown", &[Blind]),
    way("/export?format=json", PUBLIC_EXPORT),
    way("/export?format=html", PUBLIC_EXPORT),
    whole(way("/evaluations", &[Mark])),
    whole(way("/export?format=json&with_marks=true", EVERYTHING)),
    whole(way("/export?format=html&with_marks=true", EVERYTHING)),
    whole(way("/export?format=jsonl", EVERYTHING)),
];

/// The log up to a moment.
fn log(moment: Moment) -> Vec<EventBody> {
    let participant = |number: u32, name: &str, runner: Value| {
        let role = json!({ "name": "r", "description": "d" });
        let participant = json!({ "id": format!("p{number}"), "name": name, "role": role, "runner": runner });
        json!({ "type": "participant_joined", "payload": { "participant": participant, "by": by() } })
    };
    let external = |via: &str, name: &str| json!({ "kind": "external", "via": via, "name": name });
    let message =
        |name: &str, content: &str| json!({ "role": "assistant", "name": name, "content": content });
    let pause = json!({ "type": "pause", "payload": {
        "pause_reason": "user_request", "resume_token": Token.words(), "suggested_next": "resume", "by": by(),
    } });
    let mut rules = serde_json::to_value(quorate_contract::Format::Consensus.rules()).expect("rules");
    rules["turns"]["blind_round"] = json!(true);
    let mut events = vec![
        json!({ "type": "meeting_created", "payload": {
            "topic": "Is SQLite enough?", "language": "en", "format": "consensus", "rules": rules, "seed": 7,
            "facilitator": null, "by": by(),
        } }),
        participant(1, "Ada", external("agent", "ada")),
        participant(2, "Ben", external("agent", "ben")),
        participant(3, "Lin", external("person", "lin")),
        participant(4, "Cid", external("agent", "cid")),
        participant(5, "Kit", external("person", "kit")),
        json!({ "type": "meeting_started", "payload": { "by": by() } }),
        json!({ "type": "round_started", "payload": {
            "round": 0, "kind": "blind", "order": ["p1", "p2", "p3", "p4", "p5"],
        } }),
        json!({ "type": "speaker_selected", "payload": {
            "turn": "r0t1", "participant": "p2", "why": "rotation", "can_skip": false,
        } }),
        json!({ "type": "agent_message", "payload": {
            "message_id": "m1", "round": 0, "turn": "r0t1", "participant": "p2", "message": message("Ben", Blind.words()),
            "stance": { "position": Blind.words() }, "reasoning": Reasoning.words(),
        } }),
        json!({ "type": "speaker_selected", "payload": {
            "turn": "r0t2", "participant": "p4", "why": "rotation", "can_skip": false,
        } }),
        json!({ "type": "turn_skipped", "payload": {
            "turn": "r0t2", "participant": "p4", "reason": "skip_list", "phrases": [Skip.words()],
        } }),
        json!({ "type": "memory_written", "payload": {
            "participant": "p2", "memory": { "notes": [Memory.words()] },
        } }),
        json!({ "type": "answer_malformed", "payload": {
            "task": "speak:r0t3", "attempt": 1, "problem": { "text": "no object" }, "excerpt": Excerpt.words(),
        } }),
    ];
    if moment == Moment::Ballot {
        events.extend([
            json!({ "type": "round_ended", "payload": { "round": 0 } }),
            json!({ "type": "evaluation_written", "payload": {
                "round": 0, "by": { "kind": "facilitator" },
                "marks": [{ "participant": "p4", "score": 3, "reason": { "text": Mark.words() } }],
            } }),
            json!({ "type": "participant_left", "payload": {
                "participant": "p4", "by": { "kind": "system" }, "reason": { "text": Departure.words() },
            } }),
            json!({ "type": "draft_revised", "payload": { "version": 1, "text": "d", "by": { "kind": "system" } } }),
            json!({ "type": "ballot_opened", "payload": {
                "ballot": "b1", "round": 0, "draft_version": 1, "voters": ["p1", "p2", "p3", "p5"],
            } }),
            json!({ "type": "vote_cast", "payload": {
                "ballot": "b1", "participant": "p2", "vote": { "score": 10, "pass": false, "reason": Vote.words() },
                "objection": { "id": "c1", "kind": "objection", "text": Vote.words() },
            } }),
            json!({ "type": "participant_left", "payload": {
                "participant": "p5", "by": { "kind": "person", "id": "kit", "name": "kit" },
            } }),
        ]);
    }
    events.push(pause);
    let read = |event: Value| {
        serde_json::from_value(event.clone()).unwrap_or_else(|error| panic!("{error}: {event}"))
    };
    events.into_iter().map(read).collect()
}

fn by() -> Value {
    json!({ "kind": "person", "id": "owner", "name": "owner" })
}

/// Writes the log up to a moment; gives its last number.
async fn write(app: &App, moment: Moment) -> u64 {
    let id = MeetingId::new(moment.meeting());
    let record = |(place, body): (usize, EventBody)| {
        Record::of(Event {
            version: ContractVersion,
            seq: place as u64 + 1,
            meeting_id: id.clone(),
            run_id: RunId::new("run-1"),
            ts_ms: Timestamp(1_000),
            actor: quorate_contract::Actor::owner(),
            cause: "test".to_owned(),
            body,
        })
    };
    let records: Vec<Record> = log(moment).into_iter().enumerate().map(record).collect();
    let last = records.len() as u64;
    app.store.append(id.clone(), 0, records).await.expect("written");
    last
}

async fn credential(app: &App, owner: &str, who: Who, moment: Moment) -> String {
    let account = async |name: &str, scope: &str| {
        let body = json!({ "name": name, "password": PASSWORD, "scope": scope });
        let made = app.by(owner, POST, "/accounts", Some(body)).await;
        assert!([StatusCode::CREATED, StatusCode::CONFLICT].contains(&made.status), "{}", made.body);
        let body = json!({ "name": name, "password": PASSWORD, "tokens": true });
        app.ask(POST, "/sessions", &[], Some(body)).await.text("access_token")
    };
    match who {
        Who::Owner => owner.to_owned(),
        Who::Manager => account("mia", "manage").await,
        Who::Speaker => account("sam", "speak").await,
        Who::Reader => account("rea", "read").await,
        Who::Seated => account("lin", "manage").await,
        Who::Leaving => account("kit", "manage").await,
        Who::Token => {
            let body = json!({ "name": moment.meeting(), "scope": "read", "meeting": moment.meeting() });
            app.token(owner, body).await.text("token")
        }
        Who::Guest => {
            let path = format!("/meetings/{}/invitations", moment.meeting());
            let invited = app.by(owner, POST, &path, Some(json!({ "scope": "speak" }))).await;
            let join = json!({ "code": invited.text("code"), "name": "Mei", "tokens": true });
            app.ask(POST, "/join", &[], Some(join)).await.text("access_token")
        }
        Who::Agent => {
            app.token(owner, json!({ "name": "ada", "scope": "speak", "agent": "ada" })).await.text("token")
        }
    }
}

/// Checks a text that somebody was given against the table.
fn check(who: Who, moment: Moment, way: &str, shows: &[Secret], text: &str) {
    for secret in Secret::ALL {
        let is_there = text.contains(secret.words());
        if !may_see(who, moment, secret) {
            assert!(!is_there, "{who:?} reads {secret:?} in {way}, {moment:?}: {text}");
        } else if shows.contains(&secret) && log(moment).iter().any(|body| holds(body, secret)) {
            assert!(is_there, "{who:?} does not read {secret:?} in {way}, {moment:?}: {text}");
        }
    }
}

fn holds(body: &EventBody, secret: Secret) -> bool {
    serde_json::to_string(body).expect("plain").contains(secret.words())
}

/// What a stream of server-sent events tells up to an event.
async fn streamed(app: &App, token: &str, path: &str, last: u64) -> Result<String, StatusCode> {
    let response = app.client.get(format!("{}/api/v1{path}", app.url)).bearer_auth(token).send().await;
    let response = response.expect("an answer");
    if response.status() != StatusCode::OK {
        return Err(response.status());
    }
    let mut bytes = response.bytes_stream();
    let mut told = String::new();
    while !told.contains(&format!("id: {last}\n")) || !told.ends_with("\n\n") {
        let piece = bytes.next().await.expect("it goes on").expect("a piece");
        told.push_str(&String::from_utf8_lossy(&piece));
    }
    Ok(told)
}

/// The same over a WebSocket; `None` when it is refused.
async fn over_socket(app: &App, token: &str, meeting: &str, view: &str, last: u64) -> Option<String> {
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
    let subscribe = json!({ "type": "subscribe", "meeting": meeting, "view": view }).to_string();
    socket.send(Message::text(subscribe)).await.expect("sent");
    let mut told = String::new();
    // A room is told no event by its number: the skipped turn is the last that it speaks of in both moments.
    let end = if view == "room" { "\"visible\":false".to_owned() } else { format!("\"seq\":{last},") };
    while !told.contains(&end) {
        let message = socket.next().await.expect("it goes on").expect("a message");
        let text = message.into_text().unwrap_or_default();
        if text.contains("\"type\":\"problem\"") {
            return None;
        }
        told.push_str(&text);
    }
    Some(told)
}

#[tokio::test]
async fn every_reader_sees_over_every_way_what_the_table_says() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    for moment in Moment::ALL {
        let (meeting, last) = (moment.meeting(), write(&app, moment).await);
        for who in Who::ALL {
            let token = credential(&app, &owner, who, moment).await;
            let waits = |way: &Way| match (moment, who) {
                (Moment::BlindRound, Who::Seated | Who::Leaving) => !way.in_blind_round.0,
                (Moment::BlindRound, Who::Agent) => !way.in_blind_round.1,
                (Moment::Ballot, Who::Seated | Who::Leaving) => way.waits_for_ballot,
                _ => false,
            };
            for way in WAYS {
                let answer = app.by(&token, GET, &format!("/meetings/{meeting}{}", way.path), None).await;
                let text = answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned);
                check(who, moment, way.path, &[], &text);
                match waits(way) || (way.for_all && !who.manages()) {
                    true => {
                        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{who:?} {} {moment:?}", way.path)
                    }
                    false => {
                        assert_eq!(answer.status, StatusCode::OK, "{who:?} {} {moment:?}: {text}", way.path);
                        check(who, moment, way.path, way.shows, &text);
                    }
                }
            }
            let follows = people(way("", EVERYTHING));
            let streams = [("events?after=0", EVERYTHING), ("events?snapshot=true", WAYS[0].shows)];
            for (path, shows) in streams {
                let told = streamed(&app, &token, &format!("/meetings/{meeting}/{path}"), last).await;
                assert_eq!(told.is_err(), waits(&follows), "{who:?} {path} {moment:?}");
                if let Ok(told) = told {
                    check(who, moment, path, shows, &told);
                }
            }
            for (view, shows) in [("events", EVERYTHING), ("room", &[Blind] as &[Secret])] {
                let told = over_socket(&app, &token, meeting, view, last).await;
                assert_eq!(told.is_none(), waits(&follows), "{who:?} {view} {moment:?}");
                if let Some(told) = told {
                    check(who, moment, view, shows, &told);
                    let says_so = told.contains("\"withheld\":true");
                    assert!(may_see(who, moment, Blind) || says_so, "{who:?} {view}: {told}");
                }
            }
        }
    }
    found(&app, &owner).await;
}

/// What is found: the words of messages, and nothing of what is hidden from anybody.
async fn found(app: &App, owner: &str) {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    let hits = async |token: &str, secret: Secret| {
        let page = app.by(token, GET, &format!("/search?q={}", secret.words()), None).await.body;
        let hits = page["items"].as_array().expect("hits").clone();
        hits.iter().map(|hit| hit["meeting"].as_str().expect("a meeting").to_owned()).collect::<Vec<_>>()
    };
    while hits(owner, Blind).await.len() < 2 {
        assert!(tokio::time::Instant::now() < deadline, "the answers are found");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    for who in [Who::Owner, Who::Manager, Who::Speaker, Who::Reader, Who::Seated, Who::Leaving, Who::Agent] {
        let token = credential(app, owner, who, Moment::BlindRound).await;
        for secret in Secret::ALL {
            let found = hits(&token, secret).await;
            for moment in Moment::ALL {
                let is_found = found.iter().any(|id| id == moment.meeting());
                let expected = secret == Blind && may_see(who, moment, secret);
                assert_eq!(is_found, expected, "{who:?} finds {secret:?}, {moment:?}: {found:?}");
            }
        }
    }
}
