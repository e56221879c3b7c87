//! Agents and people that answer for their own seats.

use std::time::{Duration, Instant};

use futures::{SinkExt, StreamExt};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::access::generous;
use crate::access_server::{Answer, App};

/// A token of the agent `name`.
pub async fn agent(app: &App, owner: &str, name: &str) -> String {
    app.token(owner, json!({ "name": name, "scope": "speak", "agent": name })).await.text("token")
}

/// A meeting of these rules that has started, with one seat for each model.
pub async fn meeting(app: &App, owner: &str, format: &str, rules: Value, seats: &[(&str, &str)]) -> String {
    let participants: Vec<Value> = seats
        .iter()
        .map(|(name, answers)| match answers.split_once('/') {
            Some(("simulated", temperament)) => json!({ "name": name, "temperament": temperament }),
            _ => json!({ "name": name, "model": answers }),
        })
        .collect();
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "format": format, "rules": rules,
        "participants": participants, "facilitator": { "enabled": false },
    });
    let made = app.by(owner, Method::POST, "/meetings", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let id = made.text("id");
    let started = app.by(owner, Method::POST, &format!("/meetings/{id}/start"), None).await;
    assert_eq!(started.status, StatusCode::OK, "{}", started.body);
    id
}

/// The open turns of a token, waited for.
pub async fn turns(app: &App, token: &str, seconds: u64) -> Vec<Value> {
    let answer = app.by(token, Method::GET, &format!("/turns?wait_seconds={seconds}"), None).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body["items"].as_array().expect("a list").clone()
}

pub async fn answer(app: &App, token: &str, turn: &Value, body: Value) -> Answer {
    let ticket = turn["ticket"].as_str().expect("a ticket");
    app.by(token, Method::POST, &format!("/turns/{ticket}/answer"), Some(body)).await
}

/// The messages of a meeting: speaker and text.
pub async fn said(app: &App, owner: &str, id: &str) -> Vec<(String, String)> {
    let page = app.by(owner, Method::GET, &format!("/meetings/{id}/messages"), None).await;
    let text = |item: &Value, field: &str| item[field].as_str().unwrap_or_default().to_owned();
    let items = page.body["items"].as_array().expect("messages").clone();
    items.iter().map(|item| (text(item, "name"), text(item, "content"))).collect()
}

/// The events of a meeting.
async fn log(app: &App, owner: &str, id: &str) -> Vec<Value> {
    let read = app.by(owner, Method::GET, &format!("/meetings/{id}/log"), None).await;
    let lines = read.body.as_str().expect("lines").lines();
    lines.map(|line| serde_json::from_str(line).expect("an event")).collect()
}

fn two_rounds() -> Value {
    json!({ "limits": { "max_rounds": 2 } })
}

#[tokio::test]
async fn two_agents_hold_a_whole_discussion() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let (ada, ben) = (agent(&app, &owner, "ada").await, agent(&app, &owner, "林").await);
    let id =
        meeting(&app, &owner, "discussion", two_rounds(), &[("Ada", "agent/ada"), ("Ben", "agent/林")]).await;
    let mut words = Vec::new();
    for number in 0..4 {
        let token = if number % 2 == 0 { &ada } else { &ben };
        let open = turns(&app, token, 20).await;
        assert_eq!(open.len(), 1, "{open:?}");
        let other = if number % 2 == 0 { &ben } else { &ada };
        assert!(turns(&app, other, 0).await.is_empty(), "one speaks at a time");
        let turn = &open[0];
        assert_eq!(turn["meeting"], id.as_str());
        assert_eq!(turn["participant"], if number % 2 == 0 { "Ada" } else { "Ben" });
        assert!(turn["messages"].to_string().contains("Is SQLite enough?"), "{turn}");
        if let Some(last) = words.last() {
            assert!(turn["messages"].to_string().contains(last), "the word before is read: {turn}");
        }
        let word = format!("word {number} of the discussion");
        // The other agent cannot answer for this one.
        let stolen = answer(&app, other, turn, json!({ "text": "mine" })).await;
        assert_eq!((stolen.status, stolen.sort()), (StatusCode::CONFLICT, "turn-is-over"));
        let taken = answer(&app, token, turn, json!({ "text": word })).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
        assert_eq!(taken.body["asked_again"], false);
        // What was acknowledged is in the log.
        assert!(said(&app, &owner, &id).await.iter().any(|(_, said)| *said == word), "{word}");
        // A second answer is refused by name.
        let again = answer(&app, token, turn, json!({ "text": "once more" })).await;
        assert_eq!((again.status, again.sort()), (StatusCode::CONFLICT, "turn-is-over"), "{}", again.body);
        assert_eq!(again.body["open_turns"], json!([]));
        words.push(word);
    }
    assert!(turns(&app, &ada, 0).await.is_empty() && turns(&app, &ben, 0).await.is_empty());
    for (agent, held) in [("ada", 1), ("林", 1), ("Ada", 0), ("eve", 0), ("", 0)] {
        let list = app.by(&owner, Method::GET, &format!("/meetings?agent={agent}"), None).await;
        assert_eq!(list.body["items"].as_array().map(Vec::len), Some(held), "{agent}: {}", list.body);
    }
    let report = app.by(&owner, Method::GET, &format!("/meetings/{id}"), None).await;
    assert_eq!(report.body["state"], "ended", "{}", report.body);
    let said = said(&app, &owner, &id).await;
    for (number, word) in words.iter().enumerate() {
        let times = said.iter().filter(|(_, text)| text == word).count();
        assert_eq!(times, 1, "word {number}: {said:?}");
    }
}

#[tokio::test]
async fn an_answer_that_comes_before_the_meeting_is_opened_after_a_restart_is_accepted() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let [ada, ben] = [agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await];
    let seats = [("Ada", "agent/ada"), ("Ben", "agent/ben")];
    let id = meeting(&app, &owner, "discussion", two_rounds(), &seats).await;
    let turn = turns(&app, &ada, 20).await.remove(0);
    let again = app.again(generous()).await;
    let foreign = answer(&again, &ben, &turn, json!({ "text": "Not mine." })).await;
    assert_eq!(foreign.sort(), "turn-is-over", "{}", foreign.body);
    let taken = answer(&again, &ada, &turn, json!({ "text": "One file is enough." })).await;
    assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    let late = answer(&again, &ada, &turn, json!({ "text": "Once more." })).await;
    assert_eq!(late.sort(), "turn-is-over", "{}", late.body);
    assert_eq!(said(&again, &owner, &id).await, [("Ada".to_owned(), "One file is enough.".to_owned())]);
}

#[tokio::test]
async fn an_agent_does_nothing_in_the_name_of_whoever_made_its_token() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let [ada, eve] = [agent(&app, &owner, "ada").await, agent(&app, &owner, "eve").await];
    let seats = [("Ada", "agent/ada"), ("Ben", "simulated/balanced")];
    let id = meeting(&app, &owner, "discussion", two_rounds(), &seats).await;
    let here = format!("/meetings/{id}");
    let tried = [
        (Method::POST, format!("{here}/resume"), json!({ "answers": { "message": "@Ben go on" } })),
        (Method::POST, format!("{here}/speaker"), json!({ "participant": "Ben" })),
        (Method::PUT, format!("{here}/host"), json!({ "person": "eve" })),
        (Method::PUT, format!("{here}/people/self"), json!({})),
        (Method::DELETE, format!("{here}/people/self"), json!({})),
        (Method::PATCH, "/me/settings".to_owned(), json!({ "lang": "zh" })),
    ];
    for (token, (method, path, body)) in
        [&ada, &eve].into_iter().flat_map(|token| tried.iter().map(move |one| (token, one)))
    {
        let refused = app.by(token, method.clone(), path, Some(body.clone())).await;
        assert_eq!(
            (refused.status, refused.sort()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{path}: {}",
            refused.body
        );
        assert!(
            refused.body["detail"].as_str().is_some_and(|detail| detail.contains("agent")),
            "{}",
            refused.body
        );
    }
    let word = json!({ "content": "@Ben what about backups?" });
    let say = format!("{here}/messages");
    let unseated = app.by(&eve, Method::POST, &say, Some(word.clone())).await;
    assert_eq!(unseated.status, StatusCode::CONFLICT, "{}", unseated.body);
    let heard = app.by(&ada, Method::POST, &say, Some(word)).await;
    assert_eq!(heard.status, StatusCode::ACCEPTED, "{}", heard.body);
    assert!(
        said(&app, &owner, &id).await.contains(&("Ada".to_owned(), "@Ben what about backups?".to_owned()))
    );
}

#[tokio::test]
async fn where_models_are_simulated_agents_and_people_still_answer_for_themselves() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let new = |simulate: bool, models: [&str; 3]| {
        let participants: Vec<Value> =
            models.iter().map(|model| json!({ "name": model.replace('/', " "), "model": model })).collect();
        json!({ "topic": "Is SQLite enough?", "lang": "en", "simulate": simulate, "participants": participants })
    };
    let made = app
        .by(&owner, Method::POST, "/meetings", Some(new(true, ["agent/ada", "person/lin", "openai/gpt"])))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let path = format!("/meetings/{}/participants", made.text("id"));
    let seated = app.by(&owner, Method::GET, &path, None).await;
    let kinds: Vec<&str> = seated.body["items"]
        .as_array()
        .expect("seats")
        .iter()
        .filter_map(|seat| seat["participant"]["runner"]["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["external", "external", "simulated"], "{}", seated.body);
    // A person is never made to write the summaries, wherever the seat stands.
    let made = app
        .by(&owner, Method::POST, "/meetings", Some(new(false, ["person/lin", "agent/ada", "webhook/ben"])))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    let created = &log(&app, &owner, &made.text("id")).await[0];
    assert_eq!(created["payload"]["facilitator"]["runner"]["name"], "ada", "{created}");
}

#[tokio::test]
async fn a_fork_allows_tools_only_when_the_owner_makes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::configured(generous(), &format!("[tools.repo]\nfolder = {:?}\n", folder.path())).await;
    let owner = app.owner().await.text("access_token");
    let manager = app.token(&owner, json!({ "name": "bot", "scope": "manage" })).await.text("token");
    let new = json!({
        "topic": "Is SQLite enough?", "lang": "en", "simulate": true, "tools": [{ "name": "repo" }],
        "participants": [{ "name": "Ada" }],
    });
    let refused = app.by(&manager, Method::POST, "/meetings", Some(new.clone())).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let made = app.by(&owner, Method::POST, "/meetings", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    for (token, left) in [(&manager, 0), (&owner, 1)] {
        let path = format!("/meetings/{}/fork", made.text("id"));
        let fork = app.by(token, Method::POST, &path, Some(json!({}))).await;
        assert_eq!(fork.status, StatusCode::CREATED, "{}", fork.body);
        let log = log(&app, &owner, &fork.text("id")).await;
        let allowed = log.iter().rfind(|event| event["type"] == "tools_allowed").expect("it is said");
        assert_eq!(allowed["payload"]["tools"].as_array().expect("a list").len(), left, "{allowed}");
    }
}

#[tokio::test]
async fn whoever_waits_with_a_token_that_is_revoked_is_told_at_once_and_gets_no_turn() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let new = json!({ "name": "ada", "scope": "speak", "agent": "ada" });
    let token = app.token(&owner, new).await;
    let (id, ada) = (token.text("id"), token.text("token"));
    let waits = async {
        let began = Instant::now();
        (app.by(&ada, Method::GET, "/turns?wait_seconds=20", None).await, began.elapsed())
    };
    let revokes = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let revoked = app.by(&owner, Method::DELETE, &format!("/tokens/{id}"), None).await;
        assert_eq!(revoked.status, StatusCode::NO_CONTENT, "{}", revoked.body);
    };
    let ((answer, waited), ()) = tokio::join!(waits, revokes);
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", answer.body);
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[tokio::test]
async fn a_turn_that_waits_is_told_at_once() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let ada = agent(&app, &owner, "ada").await;
    let waits = async {
        let began = Instant::now();
        (turns(&app, &ada, 20).await, began.elapsed())
    };
    let begins = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        meeting(
            &app,
            &owner,
            "discussion",
            two_rounds(),
            &[("Ada", "agent/ada"), ("Ben", "simulated/balanced")],
        )
        .await
    };
    let ((open, waited), _) = tokio::join!(waits, begins);
    assert_eq!(open.len(), 1);
    assert!(waited < Duration::from_secs(10), "{waited:?}");
}

#[tokio::test]
async fn a_vote_that_cannot_be_read_is_asked_for_once_more_under_another_ticket() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let tokens = [agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await];
    let rules = json!({ "limits": { "max_rounds": 1 } });
    let id = meeting(&app, &owner, "consensus", rules, &[("Ada", "agent/ada"), ("Ben", "agent/ben")]).await;
    let mut asked_again = 0;
    for _ in 0..40 {
        let mut idle = true;
        for token in &tokens {
            for turn in turns(&app, token, 0).await {
                idle = false;
                let body = match (turn["kind"].as_str().expect("a kind"), &turn["problem"]) {
                    ("blind", _) => json!({ "fields": {
                        "position": "Yes", "claims": ["One file is enough"], "confidence": 80,
                        "would_change_my_mind": "many writers", "unshared_facts": [],
                    } }),
                    ("vote", Value::Null) => json!({ "text": "I rather like it" }),
                    ("vote", _) => {
                        json!({ "fields": { "score": 90, "pass": true, "reason": "it holds", "missing": [] } })
                    }
                    _ => json!({ "text": "I agree with the others." }),
                };
                assert!(turn["kind"] != "vote" || turn["answer_schema"].is_object(), "{turn}");
                let taken = answer(&app, token, &turn, body).await;
                assert_eq!(taken.status, StatusCode::OK, "{} to {turn}", taken.body);
                if taken.body["asked_again"] == true {
                    asked_again += 1;
                    let next = turns(&app, token, 10).await;
                    assert_ne!(next[0]["ticket"], turn["ticket"]);
                    assert_eq!(next[0]["problem"], taken.body["problem"]);
                }
            }
        }
        let state = app.by(&owner, Method::GET, &format!("/meetings/{id}"), None).await.text("state");
        if state == "ended" {
            break;
        }
        if idle {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let ballots = app.by(&owner, Method::GET, &format!("/meetings/{id}/ballots"), None).await;
    assert_eq!(asked_again, 2, "{}", ballots.body);
    assert!(ballots.body.to_string().contains("it holds"), "{}", ballots.body);
}

#[tokio::test]
async fn a_turn_is_skipped_where_it_may_be_and_passes_when_its_time_is_up() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let ada = agent(&app, &owner, "ada").await;
    let rules = json!({ "turns": { "timeout_ms": 10_000 }, "limits": { "rounds_stale": 0 } });
    let id = meeting(&app, &owner, "room", rules, &[("Ada", "agent/ada"), ("Ben", "agent/ben")]).await;
    let open = turns(&app, &ada, 10).await;
    assert_eq!(open[0]["can_skip"], true);
    let path = format!("/turns/{}/skip", open[0]["ticket"].as_str().expect("a ticket"));
    let skipped = app.by(&ada, Method::POST, &path, None).await;
    assert_eq!(skipped.status, StatusCode::OK, "{}", skipped.body);
    // Ben never comes: his time is up, and Ada has the next turn.
    let next = turns(&app, &ada, 25).await;
    assert_eq!(next.len(), 1, "{next:?}");
    let late = app.by(&ada, Method::POST, &path, None).await;
    assert_eq!((late.status, late.sort()), (StatusCode::CONFLICT, "turn-is-over"));
    assert_eq!(late.body["open_turns"], json!([next[0]["ticket"]]), "{}", late.body);
    let log = app.by(&owner, Method::GET, &format!("/meetings/{id}/log"), None).await;
    assert!(log.body.to_string().contains("timed_out"), "{}", log.body);
}

#[tokio::test]
async fn a_person_holds_a_seat() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let seats = [("Lin", "person/owner"), ("Ben", "simulated/balanced")];
    let id = meeting(&app, &owner, "discussion", two_rounds(), &seats).await;
    for _ in 0..2 {
        let open = turns(&app, &owner, 20).await;
        assert_eq!(open[0]["participant"], "Lin");
        let taken = answer(&app, &owner, &open[0], json!({ "text": "A person's own word." })).await;
        assert_eq!(taken.status, StatusCode::OK, "{}", taken.body);
    }
    let said = said(&app, &owner, &id).await;
    assert_eq!(said.iter().filter(|(_, text)| text == "A person's own word.").count(), 2, "{said:?}");
}

#[tokio::test]
async fn garbage_is_refused_with_what_to_do() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let ada = agent(&app, &owner, "ada").await;
    meeting(&app, &owner, "discussion", two_rounds(), &[("Ada", "agent/ada"), ("Ben", "agent/ben")]).await;
    let turn = turns(&app, &ada, 10).await[0].clone();
    for body in
        [json!({}), json!({ "text": " " }), json!({ "text": "a", "fields": {} }), json!({ "words": "a" })]
    {
        let refused = answer(&app, &ada, &turn, body.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", refused.body);
        assert!(!refused.text("hint").is_empty());
    }
    for ticket in ["turn_0", "%00", "..", "ünïcode", &"x".repeat(2_000)] {
        let refused = app
            .by(&ada, Method::POST, &format!("/turns/{ticket}/answer"), Some(json!({ "text": "a" })))
            .await;
        assert!(refused.status.is_client_error(), "{ticket}: {} {}", refused.status, refused.body);
    }
    let long = app.by(&ada, Method::GET, "/turns?wait_seconds=26", None).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", long.body);
    // The turn is as open as before.
    assert_eq!(turns(&app, &ada, 0).await[0]["ticket"], turn["ticket"]);
    // One that only reads takes no turn.
    let reads =
        app.token(&owner, json!({ "name": "r", "scope": "read", "agent": "ada" })).await.text("token");
    let refused = app.by(&reads, Method::GET, "/turns", None).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
}

/// The statuses with which an agent reads a meeting, by path.
async fn reading(app: &App, token: &str, id: &str) -> Vec<(String, StatusCode)> {
    let parts = [
        "",
        "/messages",
        "/log",
        "/report",
        "/claims",
        "/participants",
        "/export?format=md",
        "/usage",
        "/deliberation-health",
    ];
    let mut statuses = Vec::new();
    for part in parts {
        let path = format!("/meetings/{id}{part}");
        statuses.push((part.to_owned(), app.by(token, Method::GET, &path, None).await.status));
    }
    statuses
}

async fn context(app: &App, token: &str, id: &str, after: Option<u64>) -> (Vec<String>, u64) {
    let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let read = app.by(token, Method::GET, &format!("/meetings/{id}/context{after}"), None).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    assert_eq!(read.body["has_more"], false, "{}", read.body);
    let items = read.body["messages"].as_array().expect("messages").iter();
    let texts = items.map(|said| said["content"].as_str().expect("a text").to_owned()).collect();
    (texts, read.body["cursor"].as_u64().expect("a number"))
}

#[tokio::test]
async fn a_blind_answer_is_read_by_no_other_agent_until_the_round_is_over() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let names = ["ada", "ben", "cai"];
    let mut tokens = Vec::new();
    for name in names {
        tokens.push(agent(&app, &owner, name).await);
    }
    let rules = json!({ "turns": { "blind_round": true }, "limits": { "max_rounds": 1 } });
    let seats = [("Ada", "agent/ada"), ("Ben", "agent/ben"), ("Cai", "agent/cai")];
    let id = meeting(&app, &owner, "consensus", rules, &seats).await;
    let blind_answer = |name: &str| {
        json!({
            "position": format!("The secret of {name}."), "claims": [format!("The claim of {name}.")],
            "confidence": 60, "would_change_my_mind": "A measurement.", "unshared_facts": [],
        })
    };
    let mut cursors: Vec<u64> = Vec::new();
    let mut read: Vec<Vec<String>> = vec![Vec::new(); 3];
    let mut unasked: Vec<Vec<String>> = vec![Vec::new(); 3];
    for token in &tokens {
        cursors.push(context(&app, token, &id, Some(0)).await.1);
    }
    for (number, token) in tokens.iter().enumerate() {
        let open = turns(&app, token, 20).await;
        assert_eq!(open.len(), 1, "{open:?}");
        let given = answer(&app, token, &open[0], json!({ "fields": blind_answer(names[number]) })).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.body);
        if number == 2 {
            break;
        }
        for (reader, token) in tokens.iter().enumerate() {
            for (part, status) in reading(&app, token, &id).await {
                assert_eq!(status, StatusCode::FORBIDDEN, "{part} is open to {}", names[reader]);
            }
            let found = app.by(token, Method::GET, "/search?q=secret", None).await;
            assert_eq!(found.body["items"], json!([]), "{}", found.body);
            let (texts, cursor) = context(&app, token, &id, Some(cursors[reader])).await;
            cursors[reader] = cursor;
            read[reader].extend(texts);
            let next = app.by(token, Method::GET, &format!("/meetings/{id}/context"), None).await.body;
            let said = next["messages"].as_array().expect("messages").iter();
            unasked[reader].extend(said.map(|said| said["content"].as_str().expect("a text").to_owned()));
            let whole = next.to_string();
            for (other, name) in names.iter().enumerate().filter(|(other, _)| *other != reader) {
                assert!(!whole.contains(&format!("of {name}")), "{} reads {other}: {whole}", names[reader]);
            }
        }
        let owner_reads = app.by(&owner, Method::GET, &format!("/meetings/{id}/messages"), None).await;
        assert_eq!(owner_reads.status, StatusCode::OK);
    }
    // When the round is over everything is read: with the cursor nothing is missing and nothing comes twice.
    let deadline = Instant::now() + Duration::from_secs(20);
    let messages = format!("/meetings/{id}/messages");
    while app.by(&tokens[0], Method::GET, &messages, None).await.status != StatusCode::OK {
        assert!(Instant::now() < deadline, "the round is not over");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    for (reader, token) in tokens.iter().enumerate() {
        let (texts, _) = context(&app, token, &id, Some(cursors[reader])).await;
        read[reader].extend(texts);
        // Without a cursor of its own, what it was not given yet.
        unasked[reader].extend(context(&app, token, &id, None).await.0);
        for name in names {
            let secret = format!("The secret of {name}.");
            let times = |texts: &[String]| texts.iter().filter(|text| text.contains(&secret)).count();
            assert_eq!(times(&read[reader]), 1, "{} reads {name}: {:?}", names[reader], read[reader]);
            assert_eq!(
                times(&unasked[reader]),
                1,
                "{} is given {name}: {:?}",
                names[reader],
                unasked[reader]
            );
        }
    }
}

/// What a WebSocket tells of a meeting, as it comes.
async fn follow(app: &App, token: &str, id: &str) -> std::sync::Arc<std::sync::Mutex<String>> {
    let mut request = format!("ws://{}/api/v1/ws", app.address).into_client_request().expect("a request");
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.expect("a WebSocket");
    let subscribe = json!({ "type": "subscribe", "meeting": id }).to_string();
    socket.send(Message::text(subscribe)).await.expect("sent");
    let told = std::sync::Arc::<std::sync::Mutex<String>>::default();
    let writes = told.clone();
    tokio::spawn(async move {
        while let Some(Ok(message)) = socket.next().await {
            writes.lock().expect("whole").push_str(&message.into_text().unwrap_or_default());
        }
    });
    told
}

/// The same over server-sent events.
async fn streamed(app: &App, token: &str, id: &str) -> std::sync::Arc<std::sync::Mutex<String>> {
    let url = format!("{}/api/v1/meetings/{id}/events?snapshot=true", app.url);
    let response = app.client.get(url).bearer_auth(token).send().await.expect("a stream");
    assert_eq!(response.status(), StatusCode::OK);
    let told = std::sync::Arc::<std::sync::Mutex<String>>::default();
    let writes = told.clone();
    tokio::spawn(async move {
        let mut bytes = response.bytes_stream();
        while let Some(Ok(piece)) = bytes.next().await {
            writes.lock().expect("whole").push_str(&String::from_utf8_lossy(&piece));
        }
    });
    told
}

#[tokio::test]
async fn a_blind_answer_is_read_by_no_person_with_a_seat_until_the_round_is_over() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let (ada, ben) = (agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await);
    let rules = json!({ "turns": { "blind_round": true }, "limits": { "max_rounds": 1 } });
    let seats = [("Lin", "person/owner"), ("Ada", "agent/ada"), ("Ben", "agent/ben")];
    let id = meeting(&app, &owner, "consensus", rules, &seats).await;
    let invited = app
        .by(&owner, Method::POST, &format!("/meetings/{id}/invitations"), Some(json!({ "scope": "read" })))
        .await;
    let join = json!({ "code": invited.text("code"), "name": "Mei", "tokens": true });
    let watcher = app.ask(Method::POST, "/join", &[], Some(join)).await.text("access_token");
    let early = [follow(&app, &owner, &id).await, streamed(&app, &owner, &id).await];
    let blind = |name: &str| {
        json!({ "fields": {
            "position": format!("The secret of {name}."), "claims": [format!("The claim of {name}.")],
            "confidence": 60, "would_change_my_mind": "A measurement.", "unshared_facts": [],
        } })
    };
    for (token, name) in [(&ada, "ada"), (&owner, "lin")] {
        let open = turns(&app, token, 20).await;
        assert_eq!(answer(&app, token, &open[0], blind(name)).await.status, StatusCode::OK);
    }
    let read = async |token: &str, part: &str| {
        app.by(token, Method::GET, &format!("/meetings/{id}{part}"), None).await
    };
    // What is said is shown to who only watches, and found.
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let found = app.by(&watcher, Method::GET, "/search?q=secret", None).await;
        if found.body["items"].as_array().is_some_and(|items| items.len() > 1) {
            break;
        }
        assert!(Instant::now() < deadline, "{}", found.body);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let late = [follow(&app, &owner, &id).await, streamed(&app, &owner, &id).await];
    for part in ["", "/messages", "/log"] {
        let (own, others) = (read(&owner, part).await, read(&watcher, part).await);
        assert_eq!((own.status, others.status), (StatusCode::OK, StatusCode::OK), "{part}");
        let (own, others) = (own.body.to_string(), others.body.to_string());
        assert!(others.contains("secret of ada") && others.contains("secret of lin"), "{part}: {others}");
        assert!(own.contains("secret of lin") && own.contains('…'), "{part}: {own}");
        assert!(!own.contains("of ada"), "{part}: {own}");
    }
    for part in
        ["/report", "/claims", "/participants", "/export?format=md", "/messages/m1", "/deliberation-health"]
    {
        let refused = read(&owner, part).await;
        assert_eq!((refused.status, refused.sort()), (StatusCode::FORBIDDEN, "blind-round"), "{part}");
    }
    let found = app.by(&owner, Method::GET, "/search?q=secret", None).await;
    assert_eq!(found.body["items"], json!([]), "{}", found.body);
    // It may act all the same.
    assert_eq!(read(&owner, "/rules").await.status, StatusCode::OK);
    let paused = app.by(&owner, Method::POST, &format!("/meetings/{id}/pause"), None).await;
    assert_eq!(paused.status, StatusCode::OK, "{}", paused.body);
    assert!(!read(&owner, "").await.body.to_string().contains("of ada"), "a pause shows nothing");
    let resumed = app.by(&owner, Method::POST, &format!("/meetings/{id}/resume"), Some(json!({}))).await;
    assert_eq!(resumed.status, StatusCode::OK, "{}", resumed.body);
    let open = turns(&app, &ben, 20).await;
    for told in early.iter().chain(&late) {
        let told = told.lock().expect("whole").clone();
        assert!(told.contains("secret of lin") && told.contains('…') && !told.contains("of ada"), "{told}");
    }
    assert_eq!(answer(&app, &ben, &open[0], blind("ben")).await.status, StatusCode::OK);
    let deadline = Instant::now() + Duration::from_secs(20);
    while read(&owner, "/report").await.status != StatusCode::OK {
        assert!(Instant::now() < deadline, "the round is not over");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for part in ["", "/messages", "/log"] {
        let whole = read(&owner, part).await.body.to_string();
        assert!(whole.contains("secret of ada") && whole.contains("secret of ben"), "{part}: {whole}");
    }
}

#[tokio::test]
async fn an_agent_lists_answers_and_skips_its_turns_over_a_websocket() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let [ada, ben] = [agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await];
    let seats = [("Ada", "agent/ada"), ("Ben", "agent/ben")];
    let id = meeting(&app, &owner, "room", json!({ "limits": { "rounds_stale": 0 } }), &seats).await;
    let url = format!("{}/api/v1/ws", app.url.replacen("http", "ws", 1));
    let connect = async |token: &str| {
        let mut request = url.as_str().into_client_request().expect("a request");
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
        tokio_tungstenite::connect_async(request).await.expect("connected").0
    };
    let (mut of_ada, mut of_ben) = (connect(&ada).await, connect(&ben).await);
    macro_rules! hear {
        ($socket:expr) => {
            loop {
                let next = tokio::time::timeout(Duration::from_secs(20), $socket.next()).await;
                if let Message::Text(text) = next.expect("in time").expect("a message").expect("it is there")
                {
                    break serde_json::from_str::<Value>(&text).expect("JSON");
                }
            }
        };
    }
    macro_rules! ask {
        ($socket:expr, $message:expr) => {{
            $socket.send(Message::text($message.to_string())).await.expect("sent");
            hear!($socket)
        }};
    }
    turns(&app, &ada, 20).await;
    let none = ask!(of_ben, json!({ "type": "turns", "id": 1 }));
    assert_eq!((&none["type"], &none["id"], &none["items"]), (&json!("turns"), &json!(1), &json!([])));
    let open = ask!(of_ada, json!({ "type": "turns", "id": 2, "meeting": id }));
    let ticket = open["items"][0]["ticket"].as_str().expect("a ticket").to_owned();
    let about = ask!(of_ada, json!({ "type": "context", "id": 10, "meeting": id }));
    assert_eq!(about["context"]["meeting"]["topic"], "Is SQLite enough?", "{about}");
    assert_eq!(about["context"]["messages"], json!([]), "{about}");
    let beyond = ask!(of_ada, json!({ "type": "context", "id": 11, "meeting": id, "after": 99_999 }));
    assert_eq!((&beyond["type"], &beyond["id"]), (&json!("problem"), &json!(11)), "{beyond}");
    let unknown = ask!(of_ada, json!({ "type": "context", "id": 12, "meeting": "nowhere" }));
    assert_eq!(unknown["problem"]["status"], 404, "{unknown}");
    let foreign = ask!(of_ben, json!({ "type": "answer", "id": 3, "ticket": ticket, "text": "Not mine." }));
    assert_eq!(foreign["problem"]["type"], "/api/v1/problems#turn-is-over", "{foreign}");
    let empty = ask!(of_ada, json!({ "type": "answer", "id": 4, "ticket": ticket, "text": " " }));
    assert_eq!(empty["problem"]["status"], 422, "{empty}");
    let answer =
        json!({ "type": "answer", "id": 5, "ticket": ticket, "text": "One file.", "idempotency_key": "a" });
    let taken = ask!(of_ada, answer);
    assert_eq!((&taken["type"], &taken["meeting"]), (&json!("answered"), &json!(id)), "{taken}");
    assert_eq!(ask!(of_ada, answer), taken, "once for one key");
    // Ben is told without asking again.
    let told = hear!(of_ben);
    assert_eq!((&told["type"], &told["turn"]["participant"]), (&json!("turn"), &json!("Ben")), "{told}");
    let skipped = ask!(of_ben, json!({ "type": "skip", "id": 6, "ticket": told["turn"]["ticket"] }));
    assert_eq!(skipped["type"], "answered", "{skipped}");
    assert_eq!(hear!(of_ada)["turn"]["participant"], "Ada");
    // What it has not been given yet comes once, as over REST, which goes on where this ended.
    let given_over_socket = ask!(of_ben, json!({ "type": "context", "id": 13, "meeting": id }));
    assert_eq!(given_over_socket["context"]["messages"][0]["content"], "One file.", "{given_over_socket}");
    let deadline = Instant::now() + Duration::from_secs(10);
    while given(&app, &ben, &id, "?limit=0").await.1 {
        assert!(Instant::now() < deadline, "it does not count as given");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let again = ask!(of_ben, json!({ "type": "context", "id": 14, "meeting": id }));
    assert_eq!(again["context"]["messages"], json!([]), "{again}");
    assert_eq!(said(&app, &owner, &id).await, [("Ada".to_owned(), "One file.".to_owned())]);
}

/// What a caller is given without saying where it is: the ids of the messages, and whether there are more.
async fn given(app: &App, token: &str, id: &str, query: &str) -> (Vec<String>, bool) {
    let read = app.by(token, Method::GET, &format!("/meetings/{id}/context{query}"), None).await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    let items = read.body["messages"].as_array().expect("messages").iter();
    let ids = items.map(|said| said["id"].as_str().expect("an id").to_owned()).collect();
    (ids, read.body["has_more"] == true)
}

#[tokio::test]
async fn an_agent_is_given_each_message_once_also_after_a_restart() {
    let app = App::open(generous()).await;
    let owner = app.owner().await.text("access_token");
    let [ada, ben] = [agent(&app, &owner, "ada").await, agent(&app, &owner, "ben").await];
    let id = meeting(&app, &owner, "room", json!({}), &[("Ada", "agent/ada"), ("Ben", "agent/ben")]).await;
    let say = async |app: &App, numbers: std::ops::Range<usize>| {
        for number in numbers {
            let content = json!({ "content": format!("Word {number} of the host.") });
            let path = format!("/meetings/{id}/messages");
            let said = app.by(&owner, Method::POST, &path, Some(content)).await;
            assert!(said.status.is_success(), "{}", said.body);
        }
    };
    let ids = |numbers: std::ops::Range<usize>| -> Vec<String> { numbers.map(|n| format!("m{n}")).collect() };
    say(&app, 1..6).await;
    assert_eq!(given(&app, &ada, &id, "?limit=2").await, (ids(1..3), true));
    // Where it says itself where it is, nothing counts as given.
    for query in ["?after=0", "?from_start=true", "?from_start=true&after=3"] {
        assert_eq!(given(&app, &ada, &id, query).await, (ids(1..6), false), "{query}");
    }
    assert_eq!(given(&app, &ada, &id, "?limit=0").await, (ids(1..1), true));
    assert_eq!(given(&app, &ada, &id, "?limit=2").await, (ids(3..5), true));
    assert_eq!(given(&app, &ada, &id, "").await, (ids(5..6), false));
    assert_eq!(given(&app, &ada, &id, "").await, (ids(6..6), false));
    // Each agent has a cursor of its own; whole messages up to a size.
    assert_eq!(given(&app, &ben, &id, "?max_characters=1").await, (ids(1..2), true));
    say(&app, 6..8).await;
    // It is stored a moment after it was given.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let again = app.again(generous()).await;
    assert_eq!(given(&again, &ada, &id, "").await, (ids(6..8), false));
    assert_eq!(given(&again, &ben, &id, "?max_characters=100000").await, (ids(2..8), false));
    assert_eq!(given(&again, &ben, &id, "").await, (ids(8..8), false));
    let wrong = again.by(&ada, Method::GET, &format!("/meetings/{id}/context?limit=201"), None).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.body);
    // A person reads on from its own last message, as before.
    assert_eq!(given(&again, &owner, &id, "").await, (ids(8..8), false));
}
