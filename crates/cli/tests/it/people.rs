//! Access to the server, from the terminal: accounts, tokens, and who did what.

use reqwest::Method;
use serde_json::json;

use crate::app::App;
use crate::served::Served;
use crate::terminal_session::TerminalSession;

const PASSWORD: &str = "correct horse, battery";

#[test]
fn the_first_account_is_the_owner_s_and_its_password_is_kept_nowhere() {
    let app = App::new();
    app.quorate(&["accounts", "list"]).ok().says(&["accounts add owner"]);
    let add = |name: &str, more: &[&str], password: &str| {
        let args = [&["accounts", "add", name, "--password-stdin", "--json"], more].concat();
        app.quorate_reading(&args, password)
    };
    let read = ["accounts", "add", "ada", "--password-stdin", "--scope", "read"];
    app.quorate(&read).fails(2, &["the first account must be the owner's"]);
    add("ada", &[], "1234567").fails(2, &["7 characters"]);
    add("ada", &[], "password123").fails(2, &["easy to guess"]);
    assert_eq!(add("ada", &[], PASSWORD).ok().json()["scope"], "owner");
    assert_eq!(add("ben", &[], PASSWORD).ok().json()["scope"], "speak");
    let again = app.quorate(&["accounts", "add", "ADA", "--password-stdin"]);
    again.fails(2, &["there is already an account", "accounts password"]);
    add("system", &[], PASSWORD).fails(2, &["reserved"]);
    add("Ba\u{200b}z", &[], PASSWORD).fails(2, &["U+200B"]);
    add("bеn", &[], PASSWORD).fails(2, &["mixes scripts"]);
    assert_eq!(app.files_with(PASSWORD), Vec::<std::path::PathBuf>::new(), "only hashes are kept");
    let listed = app.quorate(&["accounts", "list"]).ok().out;
    assert_eq!(listed, "ada  owner\nben  speak\n");
    app.quorate(&["accounts", "remove", "ada"]).fails(2, &["the only owner"]);
    app.quorate(&["accounts", "remove", "ben"]).ok();
    app.quorate(&["accounts", "remove", "ben"]).fails(1, &["there is no account"]);
    app.quorate(&["accounts", "remove", "ada"]).ok();
}

#[test]
fn a_password_is_typed_twice() {
    let app = App::new();
    let args = ["accounts", "add", "owner"];
    let mut add = TerminalSession::of_person(app.command(&args), &args);
    add.types(PASSWORD);
    add.types(PASSWORD);
    add.end().ok().says(&["account created"]);
    let args = ["accounts", "password", "owner"];
    let mut change = TerminalSession::of_person(app.command(&args), &args);
    change.types("another password");
    change.types("another passwort");
    change.end().fails(2, &["not the same"]);
    app.quorate(&["accounts", "password", "owner"]).fails(2, &["--password-stdin"]);
}

#[test]
fn a_token_is_shown_once_and_taken_back() {
    let app = App::new();
    let added =
        app.quorate(&["tokens", "add", "build", "--scope", "manage", "--days", "7", "--json"]).ok().json();
    let shown = added["token"].as_str().expect("a token").to_owned();
    assert!(shown.starts_with("qt_") && shown.len() == 67, "{shown}");
    assert_eq!(app.files_with(&shown), Vec::<std::path::PathBuf>::new(), "only its fingerprint is kept");
    let listed = app.quorate(&["tokens", "list"]).ok().out;
    assert!(listed.contains("manage") && listed.contains("build") && !listed.contains(&shown), "{listed}");
    app.quorate(&["tokens", "add", "x", "--by", "nobody"]).fails(1, &["there is no account"]);
    app.quorate(&["tokens", "add", "x", "--meeting", "m9"]).fails(1, &["m9"]);
    let id = added["id"].as_str().expect("an id");
    app.quorate(&["tokens", "remove", id]).ok();
    app.quorate(&["tokens", "remove", id]).fails(1, &["there is no token", "tokens list"]);
    let noted = app.quorate(&["audit", "--json"]).ok();
    let actions: Vec<String> =
        noted.events().iter().filter_map(|entry| entry["action"].as_str().map(str::to_owned)).collect();
    assert_eq!(actions, ["tokens.delete", "tokens.post"], "{noted}");
    assert!(noted.out.contains("build") && noted.out.contains("local") && !noted.out.contains(&shown));
}

#[test]
fn with_an_account_it_is_reached_from_elsewhere_and_who_came_in_is_noted() {
    let app = App::new();
    app.quorate_reading(&["accounts", "add", "owner", "--password-stdin"], PASSWORD).ok();
    let token = app.quorate(&["tokens", "add", "build", "--scope", "manage", "--json"]).ok().json();
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    let served = Served::start(&app, &["--host", "0.0.0.0"]);
    let caller = served.here();
    let status = |headers: &[(&str, &str)]| {
        caller.try_send(Method::GET, "/meetings", headers, None).expect("an answer").status
    };
    assert_eq!((status(&[]), status(&[("authorization", "Bearer qt_nonsense")])), (401, 401));
    assert_eq!(status(&[("authorization", &bearer)]), 200);
    assert_eq!(caller.text("/healthz").0, 200, "whoever looks after it need not sign in");
    let sign_in = |password: &str| {
        let body = json!({ "name": "owner", "password": password, "tokens": true });
        caller.post("/sessions", &[], &body)
    };
    assert_eq!(sign_in("a wrong guess").status, 401);
    let session = sign_in(PASSWORD).body;
    let own = format!("Bearer {}", session["access_token"].as_str().expect("a session"));
    assert_eq!(status(&[("authorization", &own)]), 200);
    let meeting = json!({ "topic": "SQLite?", "simulate": true });
    assert_eq!(caller.post("/meetings", &[("authorization", &bearer)], &meeting).status, 201);

    // The server is the one writer, and is asked; to read goes beside it.
    app.quorate_reading(&["accounts", "add", "ben", "--password-stdin"], PASSWORD).ok();
    app.quorate_reading(&["accounts", "add", "BEN", "--password-stdin"], PASSWORD).fails(2, &["already"]);
    assert_eq!(app.quorate(&["accounts", "list"]).ok().out, "ben    speak\nowner  owner\n");
    app.quorate(&["accounts", "remove", "ben"]).ok();
    app.quorate(&["tokens", "remove", token["id"].as_str().expect("an id")]).ok();
    assert_eq!(status(&[("authorization", &bearer)]), 401, "at once");
    let noted = app.quorate(&["audit", "--json"]).ok();
    let of = |action: &str| noted.events().iter().filter(|entry| entry["action"] == action).count();
    assert_eq!((of("sign_in.accepted"), of("sign_in.refused")), (1, 1), "{noted}");
    assert_eq!(of("meetings.post"), 1, "{noted}");
    for secret in [PASSWORD, "a wrong guess", &bearer["Bearer ".len()..], &own["Bearer ".len()..]] {
        assert!(!noted.out.contains(secret), "{noted}");
    }
    let some = app.quorate(&["audit", "--action", "sign_in.", "--limit", "1"]).ok();
    assert_eq!(some.lines().len(), 1);
    assert!(some.err.contains("more entries: --cursor "), "{some}");
    app.quorate(&["audit", "--by", "user:nobody"]).ok().says(&["no entries"]);
    let stopped = served.stop().ok();
    assert!(!stopped.err.contains(PASSWORD), "{stopped}");
}

#[test]
fn what_a_command_does_on_a_database_of_its_own_is_noted() {
    let app = App::new();
    let run = app.quorate(&["run", "Is it?", "--simulate", "--seed=5", "--json"]).ok();
    let id = run.events()[0]["meeting_id"].as_str().expect("a meeting").to_owned();
    let fork = app.quorate(&["fork", &id, "--json"]).ok().json()["meeting_id"].clone();
    let fork = fork.as_str().expect("a meeting");
    app.quorate(&["say", fork, "What of backups?", "--json"]).ok();
    app.quorate(&["fork", &id, "--at", "9999"]).fails(2, &["9999"]);
    app.quorate(&["delete", &id, "--yes"]).ok();
    let noted = app.quorate(&["audit", "--json"]).ok().events();
    let lines: Vec<(&str, u64)> = noted
        .iter()
        .map(|line| {
            (line["action"].as_str().expect("an action"), line["detail"]["status"].as_u64().unwrap_or(0))
        })
        .collect();
    let expected = [
        ("meetings.delete", 200),
        ("meetings.fork.post", 422),
        ("meetings.messages.post", 200),
        ("meetings.fork.post", 200),
        ("meetings.start.post", 200),
        ("meetings.post", 200),
    ];
    assert_eq!(lines, expected);
    for line in &noted {
        assert_eq!((&line["by"], &line["address"]), (&json!("user:owner"), &json!("local")));
        assert_eq!(line["detail"]["via"], "command_line");
    }
}
