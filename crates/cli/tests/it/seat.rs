//! People who hold seats in their terminals, and programs that do so by lines of JSON.

use serde_json::{Value, json};

use crate::app::{App, of_type};
use crate::served::Served;
use crate::terminal_session::TerminalSession;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// An answer to a turn, of the kind that is wanted.
fn answer(turn: &Value) -> Value {
    let ticket = &turn["payload"]["ticket"];
    match turn["payload"]["kind"].as_str().expect("a kind") {
        "blind" => json!({ "ticket": ticket, "fields": {
            "position": "SQLite", "claims": ["one file is enough"], "confidence": 70,
            "would_change_my_mind": "", "unshared_facts": [],
        } }),
        "vote" => json!({ "ticket": ticket, "fields": {
            "score": 90, "pass": true, "reason": "it holds", "missing": [],
        } }),
        _ => json!({ "ticket": ticket, "text": "One file is enough for us." }),
    }
}

#[test]
fn a_program_holds_a_seat_by_lines_of_json() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "-p",
        "Ada,Ben",
        "--simulate",
        "--seed",
        "3",
        "--rounds",
        "1",
        "--json",
        "--seat",
        "Lin",
    ];
    let mut run = app.start(&args);
    let mut answered = Vec::new();
    loop {
        let line =
            run.hears_that("a turn, or the end", |line| line["type"] == "turn" || line["type"] == "finished");
        if line["type"] == "finished" {
            break;
        }
        let turn = &line["payload"];
        assert_eq!((&turn["participant"], turn["can_skip"].is_boolean()), (&json!("Lin"), true), "{turn}");
        answered.push(turn["kind"].as_str().expect("a kind").to_owned());
        if answered.len() == 1 {
            run.types(r#"{"vote":1}"#);
            let refused = run.hears("turn_refused");
            assert_eq!(refused["payload"]["problem"], "invalid");
        }
        run.types(&answer(&line).to_string());
        let taken = run.hears("turn_answered");
        assert_eq!(
            (&taken["payload"]["ticket"], &taken["payload"]["asked_again"]),
            (&turn["ticket"], &json!(false))
        );
    }
    let ended = run.end().ok();
    assert_eq!(answered, ["blind", "speak", "vote"], "{ended}");
    let lines = ended.events();
    let place = |kind: &str| lines.iter().position(|line| line["type"] == kind).expect("it happened");
    let blind_over = place("round_ended");
    for line in &lines[..blind_over] {
        if line["type"] == "agent_message" && line["payload"]["participant"] != "p3" {
            assert_eq!(line["payload"]["message"]["content"], "…", "{line}");
            assert!(line["payload"].get("stance").is_none_or(Value::is_null), "{line}");
        }
    }
    let counted = place("ballot_closed");
    for line in &lines[blind_over..counted] {
        assert!(line["type"] != "vote_cast" || line["payload"]["withheld"] == true, "{line}");
    }
    // What was withheld is printed once more, whole, when it may be seen.
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    for event in of_type(&log, "agent_message").into_iter().chain(of_type(&log, "vote_cast")) {
        assert!(lines.contains(event), "{event}");
    }
    assert_eq!(log.last().expect("an event")["type"], "finished");
}

#[test]
fn an_answer_that_comes_late_is_refused_by_name() {
    let app = App::new();
    let file = app.write("meeting.toml", "format = \"room\"\n[rules.turns]\ntimeout_ms = 300\n");
    let args = ["run", TOPIC, "-c", &file, "-p", "1", "--simulate", "--seed", "3", "--json", "--seat", "Lin"];
    let mut run = app.start(&args);
    let turn = run.hears("turn");
    run.hears("turn_over");
    run.types(&answer(&turn).to_string());
    let refused = run.hears("turn_refused");
    assert_eq!(refused["payload"]["problem"], "turn-is-over", "{refused}");
    assert_eq!(refused["payload"]["ticket"], turn["payload"]["ticket"]);
    run.types(r#"{"say":"One file is enough for us."}"#);
    drop(run);
}

fn in_terminal(app: &App, args: &[&str]) -> TerminalSession {
    let mut command = app.command(args);
    command.env("TERM", "xterm-256color");
    TerminalSession::of_person(command, args)
}

#[test]
fn a_person_is_asked_field_by_field_and_in_words() {
    let app = App::new();
    let args = ["run", TOPIC, "-p", "Ada,Ben", "--simulate", "--seed", "3", "--rounds", "1", "--seat", "Lin"];
    let mut run = in_terminal(&app, &args);
    run.notes("It is your turn · Lin");
    run.notes("Answer on your own");
    run.notes("This turn cannot be skipped");
    run.notes("Your position (at most 400 characters)");
    run.types("");
    run.notes("an answer is needed");
    run.types("/skip");
    run.notes("This turn cannot be skipped");
    run.types("SQLite");
    run.notes("Your claims 1");
    run.types("one file is enough");
    run.notes("Your claims 2 (at most 300 characters; an empty line ends the list)");
    run.types("");
    run.notes("How sure you are (0–100)");
    run.types("very");
    run.notes("enter a number");
    run.types("170");
    run.notes("enter 100 or less");
    run.types("70");
    run.notes("What would change your mind");
    run.types("");
    run.notes("Facts the others may not know 1");
    run.types("");
    run.notes("How sure you are: 70");
    run.notes("Enter sends this answer");
    run.types("/undo");
    run.notes("Facts the others may not know 1");
    run.types("we have 40 GB");
    run.notes("Facts the others may not know 2");
    run.types("");
    run.notes("Enter sends this answer");
    run.types("");
    run.notes("your answer is recorded; the others see it when all have answered");
    run.notes("Say what you think");
    run.types("One file is enough for us,\\");
    run.types("and a backup is a copy.");
    run.notes("your answer is recorded");
    run.notes("It is your turn to vote");
    run.notes("The draft to vote on:");
    run.notes("Score of the draft (0–100)");
    run.types("90");
    run.notes("Do you accept the draft? (yes or no)");
    run.types("yes");
    run.notes("Your reason");
    run.types("it holds");
    run.notes("What the draft lacks 1");
    run.types("");
    run.notes("Enter sends this answer");
    run.types("");
    run.notes("your vote is recorded; it is counted when the ballot closes");
    let ended = run.end().ok();
    // The bell, and the title of the window.
    assert!(ended.err.contains("\u{7}\u{1b}[22;2t\u{1b}]2;It is your turn"), "{ended}");
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    let own =
        of_type(&log, "agent_message").into_iter().filter(|event| event["payload"]["participant"] == "p3");
    let own: Vec<&str> = own.filter_map(|event| event["payload"]["message"]["content"].as_str()).collect();
    assert_eq!(own.last(), Some(&"One file is enough for us,\nand a backup is a copy."), "{ended}");
    let votes = of_type(&log, "vote_cast");
    let vote = votes.iter().find(|event| event["payload"]["participant"] == "p3").expect("a vote");
    assert_eq!(vote["payload"]["vote"]["score"], 90);
    // Nobody's words stood on the screen before all had answered.
    let blind =
        of_type(&log, "agent_message").into_iter().find(|event| event["payload"]["participant"] == "p1");
    let blind =
        blind.expect("a first answer")["payload"]["message"]["content"].as_str().expect("words").to_owned();
    let first: String = blind.lines().next().unwrap_or_default().chars().take(30).collect();
    let (before, after) =
        ended.err.split_once("your answer is recorded; the others see it").expect("it was said");
    assert!(!before.contains(&first), "{first}: {ended}");
    assert!(after.contains(&first), "{first}: {ended}");
}

#[test]
fn what_is_blind_stays_so_in_other_commands() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "-p",
        "Ada,Ben",
        "--simulate",
        "--seed",
        "3",
        "--rounds",
        "1",
        "--json",
        "--seat",
        "Lin",
    ];
    let mut run = app.start(&args);
    let turn = run.hears("turn");
    assert_eq!(turn["payload"]["kind"], "blind");
    let told: &[&[&str]] = &[
        &["show", "last"],
        &["show", "last", "--health"],
        &["show", "last", "--marks"],
        &["show", "last", "--salvage"],
        &["minutes", "last"],
        &["whatif", "last"],
        &["export", "last"],
    ];
    for command in told {
        app.quorate(command).fails(1, &["the answers of a blind round are shown when it is over"]);
    }
    // The log says that somebody has answered, as it does over HTTP.
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    for answer in of_type(&log, "agent_message") {
        assert_eq!(answer["payload"]["message"]["content"], "…", "{answer}");
    }
    app.quorate(&["search", "the", "and"]).ok();
    drop(run);
}

/// Plays until somebody else has voted, unseen, and the person at the terminal is asked for their vote; gives that turn.
fn plays_to_the_vote(session: &mut TerminalSession) -> Value {
    let (mut own, mut is_another_cast) = (None, false);
    loop {
        let line = session
            .hears_that("a turn, or a vote", |line| line["type"] == "turn" || line["type"] == "vote_cast");
        if line["type"] == "vote_cast" {
            assert_eq!(line["payload"]["withheld"], true, "{line}");
            is_another_cast = true;
        } else if line["payload"]["kind"] == "vote" {
            own = Some(line);
        } else {
            session.types(&answer(&line).to_string());
        }
        if let Some(turn) = own.take_if(|_| is_another_cast) {
            return turn;
        }
    }
}

/// The events of an export as JSON.
fn exported(app: &App) -> Value {
    app.quorate(&["export", "last", "--format", "json"]).ok().json()
}

/// Whether a score stands anywhere in it, also in a line that it repeats.
fn says_a_score(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| (name == "score" && value.is_number()) || says_a_score(value))
        }
        Value::Array(items) => items.iter().any(says_a_score),
        Value::String(text) => text.contains("\"score\":"),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[test]
fn votes_of_an_open_ballot_stay_hidden_in_other_commands_from_whoever_votes() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "-p",
        "Ada,Ben",
        "--simulate",
        "--seed",
        "3",
        "--rounds",
        "1",
        "--json",
        "--seat",
        "Lin",
    ];
    let mut run = app.start(&args);
    let turn = plays_to_the_vote(&mut run);
    let replayed = app.quorate(&["replay", "last", "--json"]).ok();
    let lines = replayed.events();
    let votes = of_type(&lines, "vote_cast");
    assert!(!votes.is_empty(), "{replayed}");
    assert!(votes.iter().all(|vote| vote["payload"]["withheld"] == true), "{replayed}");
    assert!(votes.iter().all(|vote| vote["payload"].get("vote").is_none()), "{replayed}");
    let whole = exported(&app);
    assert!(!says_a_score(&whole), "{whole}");
    let events = whole["events"].as_array().expect("events");
    let chain = whole["chain"].as_array().expect("a chain");
    for (event, entry) in events.iter().zip(chain) {
        let is_vote = event["type"] == "vote_cast";
        assert_eq!(is_vote, event["payload"]["withheld"] == true, "{event}");
        assert!(!is_vote || entry["line"].is_null(), "{entry}");
    }
    for format in ["md", "html"] {
        app.quorate(&["export", "last", "--format", format]).ok();
    }
    let shown = app.quorate(&["show", "last", "--json"]).ok();
    assert!(!says_a_score(&shown.json()), "{shown}");
    let refusal = ["the votes of an open ballot are shown when it closes"];
    app.quorate(&["export", "last", "--format", "jsonl"]).fails(1, &refusal);
    app.quorate(&["export", "last", "--format", "json", "--with-marks"]).fails(1, &refusal);
    app.quorate(&["export", "last", "--format", "files", "--out", "folder"]).fails(1, &refusal);
    app.quorate(&["show", "last", "--marks"]).fails(1, &refusal);
    app.quorate(&["replay", "last"]).ok();
    run.types(&answer(&turn).to_string());
    run.hears("ballot_closed");
    run.end().ok();
    // Everything is there when the ballot is closed.
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert!(of_type(&log, "vote_cast").iter().all(|vote| vote["payload"]["vote"]["score"].is_number()));
    assert!(says_a_score(&exported(&app)));
}

#[test]
fn votes_stay_hidden_when_the_process_is_gone_and_are_not_copied() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "-p",
        "Ada,Ben",
        "--simulate",
        "--seed",
        "3",
        "--rounds",
        "1",
        "--json",
        "--seat",
        "Lin",
    ];
    let mut run = app.start(&args);
    plays_to_the_vote(&mut run);
    run.kill();
    app.quorate(&["fork", "last"]).fails(1, &["the votes of an open ballot are shown when it closes"]);
    let lines = app.quorate(&["replay", "last", "--json"]).ok().events();
    let votes = of_type(&lines, "vote_cast");
    assert!(!votes.is_empty() && votes.iter().all(|vote| vote["payload"]["withheld"] == true), "{votes:?}");
}

/// Answers every turn until the meeting is over, and gives the kinds of the turns.
fn plays(session: &mut TerminalSession) -> Vec<String> {
    let mut kinds = Vec::new();
    loop {
        let line = session
            .hears_that("a turn, or the end", |line| line["type"] == "turn" || line["type"] == "finished");
        if line["type"] == "finished" {
            return kinds;
        }
        kinds.push(line["payload"]["kind"].as_str().expect("a kind").to_owned());
        session.types(&answer(&line).to_string());
        session.hears("turn_answered");
    }
}

/// The token of an account.
fn token(app: &App, account: &str) -> String {
    let args = ["tokens", "add", "terminal", "--scope", "speak", "--by", account, "--json"];
    let added = app.quorate(&args).ok().json();
    added["token"].as_str().expect("a token").to_owned()
}

#[test]
fn two_people_in_two_terminals_sit_at_one_table() {
    let app = App::new();
    for (name, scope) in [("owner", "owner"), ("ada", "speak"), ("ben", "speak")] {
        let args = ["accounts", "add", name, "--scope", scope, "--password-stdin", "--json"];
        app.quorate_reading(&args, "correct horse, battery").ok();
    }
    let tokens = [token(&app, "ada"), token(&app, "ben")];
    let mut command = app.command(&["serve", "--port", "0", "--log", "warning", "--pace", "instant"]);
    command.stdin(std::process::Stdio::piped());
    let mut server = TerminalSession::of(command, &["serve"]);
    let line = server.notes("quorate is ready");
    let url = line.split_whitespace().find(|word| word.starts_with("http")).expect("an address").to_owned();
    let url = url.split('?').next().expect("an address").trim_end_matches('/').to_owned();
    let body = json!({
        "topic": TOPIC, "format": "consensus", "simulate": true, "seed": 3,
        "participants": [{ "name": "Cid" }], "rules": { "limits": { "max_rounds": 1 } },
    });
    let made = app.quorate(&["api", "POST", "/meetings", "--data", &body.to_string()]).ok().json();
    let id = made["id"].as_str().expect("an id").to_owned();
    let sits = |token: &String, name: &str| {
        let args = ["join", id.as_str(), "--json", "--after", "0", "--role", "Architect", "--server", &url];
        let mut command = app.command(&args);
        command.env("QUORATE_TOKEN", token).stdin(std::process::Stdio::piped());
        let mut session = TerminalSession::of(command, &args);
        session.hears_that("the person sits", |line| line["payload"]["participant"]["name"] == name);
        session
    };
    let mut sat = [sits(&tokens[0], "ada"), sits(&tokens[1], "ben")];
    app.quorate(&["api", "POST", &format!("/meetings/{id}/start")]).ok();
    let kinds: Vec<Vec<String>> = std::thread::scope(|scope| {
        let plays = sat.each_mut().map(|one| scope.spawn(move || plays(one)));
        plays.map(|one| one.join().expect("they take part")).into()
    });
    assert_eq!(kinds, [["blind", "speak", "vote"], ["blind", "speak", "vote"]]);
    for (one, other) in sat.into_iter().zip(["ben", "ada"]) {
        let ended = one.end().ok();
        let lines = ended.events();
        let blind_over = lines.iter().position(|line| line["type"] == "round_ended").expect("a round");
        let seat = lines.iter().find(|line| line["payload"]["participant"]["name"] == other);
        let seat = seat.map_or(json!("p2"), |line| line["payload"]["participant"]["id"].clone());
        for line in lines[..blind_over].iter().filter(|line| line["type"] == "agent_message") {
            let own = line["payload"]["participant"] != seat && line["payload"]["participant"] != "p1";
            assert!(own || line["payload"]["message"]["content"] == "…", "{line}");
        }
    }
    drop(server);
}

#[test]
fn whoever_leaves_keeps_the_seat_until_it_is_given_up() {
    let app = App::new();
    let served = Served::start(&app, &["--pace", "live"]);
    let body = json!({ "topic": TOPIC, "simulate": true, "seed": 3, "participants": [{ "name": "Cid" }, { "name": "Dan" }] });
    let made = served.post("/meetings", &[], &body);
    let id = made.body["id"].as_str().expect("an id").to_owned();
    let args = ["join", id.as_str(), "--name", "Lin"];
    let mut joined = in_terminal(&app, &args);
    joined.notes("you have a seat as Lin");
    joined.types("Hello from the terminal.");
    joined.notes("Hello from the terminal.");
    joined.types("/skiplist Cid: ok | /status");
    joined.notes("need not be asked about: ok, /status");
    joined.types("/quit");
    joined.end().ok().says(&["the meeting has not started, and you keep your seat", "quorate join"]);
    let table = format!("/meetings/{id}/participants/Lin");
    assert_eq!(served.see(&table)["present"], true);
    assert_eq!(
        served.see(&format!("/meetings/{id}/participants/Cid"))["participant"]["skip_list"],
        json!(["ok", "/status"])
    );
    app.quorate(&["join", &id, "--leave"]).ok().says(&["you gave up your seat"]);
    assert_eq!(served.see(&table)["present"], false);
    served.stop().ok();
}

#[test]
fn whoever_quits_in_their_own_turn_leaves_at_once() {
    let app = App::new();
    let args = ["run", TOPIC, "-p", "Ada,Ben", "--simulate", "--seed", "3", "--rounds", "1", "--seat", "Lin"];
    let mut run = in_terminal(&app, &args);
    run.notes("Your position (at most 400 characters)");
    run.types("/quit");
    // The time of the turn, minutes, is not waited for.
    run.end().ends(3);
    let log = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(of_type(&log, "pause").len(), 1, "the meeting rests, and can be resumed");
    assert!(of_type(&log, "finished").is_empty());
}

#[test]
fn without_a_server_one_is_told_how_to_sit() {
    let app = App::new();
    app.quorate(&["join", "last"])
        .fails(1, &["no server runs on this database", "quorate resume last --seat NAME"]);
    app.quorate(&["run", TOPIC, "--seat", "Lin", "--yes"]).ends(2);
    let taken = ["run", TOPIC, "-p", "Ada,Ben", "--simulate", "--seat", "Ada"];
    app.quorate(&taken).fails(2, &["Ada"]);
    assert_eq!(app.quorate(&["list", "--json"]).ok().out, "", "no draft is left behind");
}
