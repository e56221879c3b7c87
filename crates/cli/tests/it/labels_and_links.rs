//! What is done with meetings after their end: tags, another title, links to the result.

use serde_json::{Value, json};

use crate::app::App;
use crate::client::started;

#[test]
fn a_meeting_that_has_ended_is_tagged_renamed_and_found_here_and_at_a_server() {
    let app = App::new();
    for topic in ["SQLite?", "PostgreSQL?"] {
        app.quorate(&["run", topic, "--simulate", "--seed", "5", "--rounds", "1", "--json"]).ok();
    }
    let served = |app: &App| {
        let tagged = app.quorate(&["tag", "last", "Road map", "q3", "--json"]).ok().json();
        assert_eq!(tagged["tags"], json!(["Road map", "q3"]));
        assert_eq!(app.quorate(&["tag", "last"]).ok().lines(), ["Road map", "q3"]);
        app.quorate(&["rename", "last", "Which store"]).ok();
        let found = app.quorate(&["list", "--tag", "ROAD MAP", "--json"]).ok();
        let row: Value = serde_json::from_str(found.lines()[0]).expect("a row");
        assert_eq!((found.lines().len(), &row["title"]), (1, &json!("Which store")));
        app.quorate(&["list", "--tag", "q3"]).ok().says_out(&["Which store", "#Road-map", "#q3"]);
        assert!(app.quorate(&["show", "last"]).ok().out.contains("Which store"));
        assert!(app.quorate(&["export", "last"]).ok().out.starts_with("# Which store\n"));
        app.quorate(&["tag", "last", &"x".repeat(41)]).fails(2, &["40"]);
        app.quorate(&["tag", "last", "--clear"]).ok();
        assert_eq!(app.quorate(&["list", "--tag", "q3"]).ok().out, "");
    };
    served(&app);
    let (server, _) = started(&app);
    served(&app);
    server.signal(rustix::process::Signal::TERM);
    server.end().ok();
    app.quorate(&["verify"]).ok();
}

#[test]
fn a_link_to_a_result_is_made_listed_and_revoked_here_and_at_a_server() {
    let app = App::new();
    app.quorate(&["run", "SQLite?", "--simulate", "--seed", "5", "--rounds", "1", "--json"]).ok();
    let made = app.quorate(&["links", "add", "last", "--days", "7", "--json"]).ok().json();
    let code = made["code"].as_str().expect("a code");
    assert_eq!(made["link"], json!(format!("/shared/{code}")));
    let listed = app.quorate(&["links", "list", "last", "--json"]).ok().json();
    assert_eq!((&listed["id"], &listed["reads"]), (&made["id"], &json!(0)));
    assert!(app.files_with(code).is_empty(), "only its fingerprint is stored");

    let (server, url) = started(&app);
    let read = |code: &str| {
        let path = format!("{url}/api/v1/shared/{code}");
        reqwest::blocking::get(path).expect("an answer").status().as_u16()
    };
    assert_eq!(read(code), 200, "it needs no token");
    app.quorate(&["links", "list", "last"]).ok().says_out(&["read once"]);
    app.quorate(&["links", "remove", "last", made["id"].as_str().expect("an id")]).ok();
    assert_eq!(read(code), 404);
    app.quorate(&["links", "remove", "last", made["id"].as_str().expect("an id")]).ends(1);
    let link = app.quorate(&["links", "add", "last"]).ok().out;
    let link = link.trim();
    assert!(link.starts_with(&format!("{url}/shared/")), "{link}");
    assert_eq!(read(link.rsplit('/').next().expect("a code")), 200);
    server.signal(rustix::process::Signal::TERM);
    server.end().ok();
    let audit = app.quorate(&["audit", "--action", "meetings.result-links.post", "--json"]).ok();
    assert_eq!(audit.lines().len(), 2);
}

#[test]
fn an_export_is_in_the_zone_that_was_asked_for() {
    let app = App::new();
    app.quorate(&["run", "SQLite?", "--simulate", "--seed", "5", "--rounds", "1", "--json"]).ok();
    let text = app.quorate(&["export", "last", "--time-zone", "pacific/kiritimati"]).ok().out;
    assert!(text.contains("Pacific/Kiritimati"), "{text}");
    app.quorate(&["export", "last", "--time-zone", "Mars/Olympus"]).fails(2, &["Mars/Olympus"]);
}
