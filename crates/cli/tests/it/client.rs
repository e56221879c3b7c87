//! Commands while a server holds the database: they ask it, and the server refuses requests without its
//! token.

use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::app::{App, of_type};

/// A server that was started as a person does, and its address without the token.
pub(crate) fn started(app: &App) -> (crate::terminal_session::TerminalSession, String) {
    quorate_runners::install_tls();
    let mut server = app.start(&["serve", "--port", "0", "--log", "warning", "--pace", "brisk"]);
    let line = server.notes("quorate is ready");
    let url = line.split_whitespace().find(|word| word.starts_with("http")).expect("it says its address");
    let (base, token) = url.split_once("/?token=").expect("the address holds the token");
    assert!(token.len() >= 16, "{url}");
    (server, base.to_owned())
}

#[test]
fn the_server_says_its_token_to_this_user_alone() {
    let app = App::new();
    app.quorate(&["url"]).fails(1, &["no server uses the database", "quorate serve"]);
    let (server, base) = started(&app);
    let said: Value = serde_json::from_str(&app.quorate(&["url", "--json"]).ok().out).expect("JSON");
    assert_eq!(said["url"], base);
    let page = app.quorate(&["url"]).ok().out;
    assert_eq!(page.trim(), said["page"]);
    let file = app.db().with_extension("db.server");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    }
    let client = Client::new();
    let ask = |token: Option<&str>| {
        let request = client.get(format!("{base}/api/v1/meetings"));
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        request.send().expect("an answer").status().as_u16()
    };
    assert_eq!((ask(None), ask(Some("wrong")), ask(said["token"].as_str())), (401, 401, 200));
    // What a reverse proxy with default settings hands on is no more than that.
    let proxied = client.post(format!("{base}/api/v1/meetings")).json(&json!({ "topic": "x" })).send();
    assert_eq!(proxied.expect("an answer").status().as_u16(), 401);
    server.signal(rustix::process::Signal::TERM);
    server.end().ok();
    assert!(!file.exists(), "nobody is told of a server that is gone");
}

#[test]
fn a_set_token_is_the_one_that_is_asked_for() {
    let app = App::new().with("QUORATE_TOKEN", "0123456789abcdef0123");
    let (server, base) = started(&app);
    let me = Client::new()
        .get(format!("{base}/api/v1/me"))
        .bearer_auth("0123456789abcdef0123")
        .send()
        .expect("an answer");
    assert_eq!(me.status().as_u16(), 200);
    server.kill();
    App::new()
        .with("QUORATE_TOKEN", "short")
        .quorate(&["serve", "--port", "0"])
        .fails(1, &["QUORATE_TOKEN", "16 to 256 characters", "openssl"]);
}

#[test]
fn whatever_changes_something_is_done_by_the_server_that_holds_the_database() {
    let app = App::new();
    let (server, _) = started(&app);

    let held = app.quorate(&["run", "SQLite or PostgreSQL?", "--simulate", "--seed", "5", "--json"]).ok();
    let events = held.events();
    assert_eq!(of_type(&events, "finished").len(), 1, "followed to its end");
    crate::app::check_whole(&held.out);
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, held.out, "byte for byte");
    app.quorate(&["run", "Which?", "--simulate", "--set", "nothing=1"]).ends(2);

    let id = crate::app::meeting_of(&held.out);
    let forked = app.quorate(&["fork", &id, "--at", "12"]).ok();
    let fork = forked.out.trim().to_owned();
    assert!(forked.err.contains(&format!("resume {fork}")), "{forked}");
    app.quorate(&["say", &fork, "Mind the costs.", "/rounds 2"]).ok();
    let resumed = app.quorate(&["resume", &fork, "--json", "--yes"]).ok();
    assert_eq!(of_type(&resumed.events(), "finished").len(), 1);
    let log = app.quorate(&["replay", &fork, "--json"]).ok();
    let said = of_type(&log.events(), "user_message")[0]["payload"]["message"]["content"].clone();
    assert_eq!(said, "Mind the costs.");
    app.quorate(&["say", &fork, "Too late."]).fails(1, &["over"]);
    app.quorate(&["delete", &fork, "--yes"]).ok();
    app.quorate(&["show", &fork]).ends(1);
    app.quorate(&["say", "no-such-meeting", "x"]).ends(1);

    let agent = [
        "agents",
        "create",
        "--name",
        "Ada",
        "--role",
        "Lawyer",
        "--description",
        "Looks at contracts.",
        "--temperament",
        "stubborn",
    ];
    app.quorate(&agent).ok().says(&["Ada"]);
    app.quorate(&agent).ends(2);
    app.quorate(&["agents", "update", "Ada", "--role", "Judge"]).ok();
    assert!(app.quorate(&["agents", "list"]).ok().out.contains("Judge"));
    app.quorate(&["agents", "delete", "Ada"]).ok();
    let provider = ["providers", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--api-key-stdin"];
    app.quorate_reading(&provider, "sk-secret-of-the-lab\n").ok();
    assert!(app.quorate(&["providers", "list"]).ok().out.contains("lab"));
    app.quorate(&["providers", "remove", "lab"]).ok();

    let token = app.quorate(&["tokens", "add", "build", "--scope", "read"]).ok().out;
    assert!(token.starts_with("qt_"), "{token}");
    let account = ["accounts", "add", "ada", "--password-stdin"];
    app.quorate_reading(&account, "correct horse battery\n").ok();
    // From now on people sign in; commands of this user still find the server.
    app.quorate_reading(&["accounts", "add", "ben", "--password-stdin"], "correct horse battery\n").ok();
    app.quorate(&["accounts", "remove", "ben"]).ok();
    app.quorate(&["verify"]).ok();
    server.signal(rustix::process::Signal::TERM);
    server.end().ok();
    // A file that a killed server left behind has no effect.
    let app = App::new();
    let (server, _) = started(&app);
    server.kill();
    app.quorate(&["run", "SQLite?", "--simulate", "--rounds", "1", "--json"]).ok();
}

#[test]
fn a_meeting_is_followed_on_when_the_token_changes_and_refused_when_the_server_is_gone() {
    let app = App::new();
    let (server, _) = started(&app);
    let slow = ["run", "SQLite or PostgreSQL?", "--simulate", "--seed", "5", "--json", "--pace", "live"];
    let mut followed = app.start(&slow);
    followed.hears("agent_message");
    // With the first account the token of this machine changes, and every open stream is cut off.
    app.quorate_reading(&["accounts", "add", "owner", "--password-stdin"], "correct horse battery").ok();
    followed.hears("agent_message");
    server.kill();
    let ended = followed.end().ends(1);
    assert!(ended.err.contains("does not answer"), "{ended}");
}

#[test]
fn folders_keys_and_tokens_of_others_go_through_the_server_and_a_restore_says_that_it_cannot() {
    let other = App::new();
    other.quorate(&["run", "SQLite?", "--simulate", "--seed", "5", "--rounds", "1", "--json"]).ok();
    other.quorate(&["export", "last", "--format", "files", "--out", "out"]).ok();
    other.quorate(&["backup", "copy.db"]).ok();
    let [folder, backup] = ["out", "copy.db"].map(|name| other.path(name).display().to_string());

    let app = App::new();
    let (server, _) = started(&app);
    let imported = app.quorate(&["import", &folder, "--agents", "--json"]).ok();
    let line: Value = serde_json::from_str(imported.out.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&line["topic"], &line["state"]), (&json!("SQLite?"), &json!("ended")));
    let id = line["meeting_id"].as_str().expect("an id");
    assert!(app.quorate(&["show", id]).ok().out.contains("SQLite?"));

    let provider = ["providers", "add", "lab", "--base-url", "http://127.0.0.1:9/v1", "--api-key-stdin"];
    app.quorate_reading(&provider, "sk-secret-of-the-lab\n").ok();
    app.quorate(&["providers", "rotate"]).ok().says(&["lab"]);
    assert!(app.quorate(&["providers", "list"]).ok().out.contains("lab"), "the key can still be read");

    for account in
        [["accounts", "add", "ada", "--password-stdin"], ["accounts", "add", "ben", "--password-stdin"]]
    {
        app.quorate_reading(&account, "correct horse battery\n").ok();
    }
    let token = app.quorate(&["tokens", "add", "build", "--scope", "read", "--by", "ben"]).ok().out;
    assert!(token.starts_with("qt_"), "{token}");
    assert!(app.quorate(&["audit", "--json"]).ok().out.contains("\"by\":\"ben\""));
    app.quorate(&["tokens", "add", "build", "--scope", "owner", "--by", "ben"])
        .fails(2, &["more than that account may do"]);
    app.quorate(&["tokens", "add", "build", "--by", "nobody"]).ends(1);

    app.quorate(&["restore", &backup, "--force"])
        .fails(1, &["in use", "stop the process", "then repeat this"]);
    server.signal(rustix::process::Signal::TERM);
    server.end().ok();
    app.quorate(&["restore", &backup, "--force"]).ok();
}

#[test]
fn what_has_no_command_of_its_own_is_asked_of_the_interface() {
    let app = App::new();
    app.quorate(&["api", "GET", "/templates"]).fails(1, &["no server uses the database", "quorate serve"]);
    let (server, url) = started(&app);
    let template = r#"{ "name": "weekly", "body": { "topic": "What now?" } }"#;
    let made = app.quorate(&["api", "post", "/templates", "--data", template]).ok().json();
    assert_eq!(made["name"], "weekly");
    let from_stdin = template.replace("weekly", "monthly");
    app.quorate_reading(&["api", "POST", "/api/v1/templates", "--data", "@-"], &from_stdin).ok();
    let list = app.quorate(&["api", "GET", "/templates"]).ok().json();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2), "{list}");

    app.quorate(&["run", "SQLite or PostgreSQL?", "--simulate", "--rounds", "1", "--json"]).ok();
    let new = r#"{ "topic": "What does it cost?", "simulate": true }"#;
    let draft = app.quorate(&["api", "POST", "/meetings", "--data", new]).ok().json();
    let id = draft["id"].as_str().expect("an id").to_owned();
    let costs = app.write("costs.csv", "item,cost\ndisk,40\n");
    let uploads = format!("/meetings/{id}/files");
    let upload = format!("{uploads}?name=costs.csv");
    let uploaded = app.quorate(&["api", "POST", &upload, "--file", &costs]).ok().json();
    let download = format!("{uploads}/{}", uploaded["id"].as_str().expect("an id"));
    let back = app.path("back.csv");
    app.quorate(&["api", "GET", &download, "--out", back.to_str().expect("text")]).ok();
    assert_eq!(std::fs::read(&back).expect("a file"), std::fs::read(&costs).expect("a file"));
    let lines = app.quorate(&["api", "GET", &format!("{download}/lines?first=2")]).ok().json();
    assert_eq!((&lines["text"], &lines["next"]), (&json!("disk,40"), &Value::Null));
    app.quorate(&["api", "DELETE", &download]).ok();
    let none = app.quorate(&["api", "DELETE", &format!("/meetings/{id}")]).ok();
    assert_eq!(none.out, "", "an answer without a body is nothing");

    app.quorate(&["api", "GET", &download]).ends(1);
    app.quorate(&["api", "GET", "templates"]).fails(2, &["begin with /"]);
    app.quorate(&["api", "POST", "/templates", "--data", "{"]).fails(2, &["no JSON"]);
    app.quorate(&["api", "POST", "/templates", "--data", "{}"]).ends(2);
    app.quorate(&["api", "GET", "/templates", "--header", "nonsense"]).fails(2, &["NAME: VALUE"]);
    app.quorate(&["api", "HEAD", "/templates"]).ends(2);

    let said: Value = serde_json::from_str(&app.quorate(&["url", "--json"]).ok().out).expect("JSON");
    let elsewhere = App::new().with("QUORATE_TOKEN", said["token"].as_str().expect("a token"));
    let there = elsewhere.quorate(&["api", "GET", "/templates", "--server", &url]).ok().json();
    assert_eq!(there, list);
    drop(server);
}
