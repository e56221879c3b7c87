//! Exporters: programs of the operator that make files of meetings, from the terminal and over the interface.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::App;
use crate::served::Served;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// A home with exporters: the example, one that shows what it is given, and some that fail.
fn home() -> App {
    let mut app = App::new();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/exporter/votes_csv.py");
    let config = format!(
        "[exporters.votes]
command = [\"python3\", {example:?}]
title = \"Votes (CSV)\"
extension = \"csv\"
media_type = \"text/csv; charset=utf-8\"

[exporters.same]
command = [\"cat\"]

[exporters.broken]
command = [\"sh\", \"-c\", \"cat >/dev/null; echo no template for $DEPLOY_TOKEN >&2; exit 3\"]
env = [\"DEPLOY_TOKEN\"]

[exporters.slow]
command = [\"sleep\", \"60\"]
timeout_ms = 300

[exporters.missing]
command = [\"no-such-program\"]
"
    );
    let config = app.write("config.toml", &config);
    app.set("QUORATE_CONFIG", config);
    app.set("DEPLOY_TOKEN", "a-very-secret-value");
    app
}

#[test]
fn an_exporter_is_a_format_of_the_terminal() {
    let app = home();
    app.quorate(&["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes", "--lang=en"]).ok();
    let votes = app.quorate(&["export", "last", "--format", "votes"]).ok().out;
    assert!(votes.starts_with("ballot,name,score,pass,reason\r\n1,"), "{votes}");
    let votes = app.quorate(&["export", "last", "--format", "votes", "--lang", "zh"]).ok().out;
    assert!(votes.starts_with("表决,姓名"), "{votes}");
    let file = app.path("votes.csv");
    let out = ["export", "last", "--format", "votes", "--out", file.to_str().expect("a path")];
    assert_eq!(app.quorate(&out).ok().out, "");
    assert!(std::fs::read_to_string(&file).expect("a file").starts_with("ballot,"));

    // It is given the signed JSON.
    let given = app.quorate(&["export", "last", "--format", "same"]).ok().out;
    let document: Value = serde_json::from_str(&given).expect("JSON");
    assert_eq!(document["report"]["topic"], TOPIC);
    assert!(document["signature"]["key_id"].is_string(), "{given:.300}");
    let signed = app.write("given.json", &given);
    app.quorate(&["verify", &signed]).ok();

    let broken = app.quorate(&["export", "last", "--format", "broken"]);
    assert!(!broken.err.contains("a-very-secret-value"), "{}", broken.err);
    broken.fails(1, &["broken", "no template for", "[exporters.broken]"]);
    app.quorate(&["export", "last", "--format", "slow"]).fails(1, &["slow", "took longer"]);
    app.quorate(&["export", "last", "--format", "missing"]).fails(1, &["missing", "cannot be started"]);
    app.quorate(&["export", "last", "--format", "docx"]).ends(2).says(&["html", "votes", "[exporters.NAME]"]);
    let doctor = app.quorate(&["doctor"]);
    let told = format!("{}{}", doctor.out, doctor.err);
    assert!(told.contains("exporter votes") && told.contains("[exporters.missing]"), "{told}");
}

#[test]
fn an_exporter_is_a_format_of_the_interface() {
    let app = home();
    let server = Served::start(&app, &[]);
    let meeting = server.begin(json!({
        "topic": TOPIC, "simulate": true, "lang": "en", "seed": 5, "rules": { "limits": { "max_rounds": 1 } },
    }));
    server.follow_to_the_end(&meeting, 0);
    let listed = server.see("/exporters");
    let names: Vec<&str> =
        listed["items"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["broken", "missing", "same", "slow", "votes"], "{listed}");
    assert_eq!(listed["items"][4]["title"], "Votes (CSV)");
    assert!(!listed.to_string().contains("python3"), "nobody is told what is run: {listed}");

    let export = |query: &str| {
        server.try_send(Method::GET, &format!("{meeting}/export?{query}"), &[], None).expect("an answer")
    };
    let votes = export("format=votes&lang=en");
    assert_eq!((votes.status, votes.header("content-type")), (200, "text/csv; charset=utf-8"), "{votes:?}");
    assert!(votes.header("content-disposition").ends_with(".csv\""), "{votes:?}");
    assert_eq!(votes.header("x-content-type-options"), "nosniff");
    assert!(votes.body.as_str().expect("text").starts_with("ballot,name"), "{votes:?}");

    // What it is given is what the caller may see, and asked to see.
    let (plain, marked) = (export("format=same"), export("format=same&with_marks=true"));
    for (given, json) in [(plain, export("format=json")), (marked, export("format=json&with_marks=true"))] {
        assert_eq!(given.body["events"], json.body["events"]);
        assert_eq!(given.body["signature"]["key_id"], json.body["signature"]["key_id"]);
    }
    for (form, status, sort) in [
        ("broken", 502, "exporter-failed"),
        ("slow", 502, "exporter-failed"),
        ("missing", 502, "exporter-failed"),
        ("docx", 422, "invalid"),
        ("../votes", 422, "invalid"),
    ] {
        let refused = export(&format!("format={form}"));
        assert_eq!((refused.status, refused.sort()), (status, sort), "{form}: {}", refused.body);
        assert!(
            !refused.body.to_string().contains("no template"),
            "what it said is for the log: {}",
            refused.body
        );
    }
    // An edit of the configuration holds at once.
    std::fs::write(app.path("config.toml"), "[exporters.other]\ncommand = [\"cat\"]\n").expect("written");
    assert_eq!(export("format=votes").status, 422);
    assert_eq!(export("format=other").status, 200);
    let audit = server.see("/audit?action=meetings.export.get");
    let statuses: Vec<u64> = audit["items"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(|line| line["detail"]["status"].as_u64())
        .collect();
    assert_eq!(statuses.iter().filter(|status| **status == 502).count(), 3, "{audit}");
    assert!(statuses.iter().filter(|status| **status == 200).count() >= 5, "{audit}");
    server.stop().ok();
}
