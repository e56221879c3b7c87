//! Meetings as folders of JSON files: out of one database, into another.

use std::path::Path;

use serde_json::{Value, json};

use crate::app::{App, check_whole, meeting_of, of_type};
use crate::vendors::PNG;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// Holds a simulated meeting to its end, and gives its id.
fn held(app: &App, format: &str, more: &[&str]) -> String {
    let args =
        ["run", TOPIC, "--format", format, "--participants", "Ada,Ben,Cid", "--simulate", "--seed", "5"];
    let said = app.quorate(&[&args[..], &["--rounds", "2", "--json", "--yes"], more].concat());
    meeting_of(&said.out)
}

/// Name and words of everything that was said, as the Markdown export tells it.
fn words(app: &App, id: &str) -> Vec<String> {
    let text = app.quorate(&["export", id]).ok().out;
    let record = text.split("## Record").nth(1).expect("a record").to_owned();
    // What else happened, and positions and conclusions, are not in all layouts.
    let mut is_said = false;
    let said = |line: &&str| {
        if ["**", "### ", "- "].iter().any(|begin| line.starts_with(begin)) {
            is_said = line.contains("** [m");
        }
        is_said
    };
    record.lines().filter(|line| !line.is_empty()).filter(said).map(str::to_owned).collect()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("it is JSON")
}

fn copy_of(app: &App, name: &str, value: &Value) -> String {
    app.write(name, &value.to_string())
}

#[test]
fn a_discussion_and_a_room_travel_to_another_database() {
    let here = App::new();
    let discussion = held(&here, "discussion", &[]);
    let room = held(&here, "room", &[]);
    for id in [&discussion, &room] {
        here.quorate(&["export", id, "--format", "files", "--out", "out"]).ok();
    }
    let rooms = read(&here.path("out/data/rooms.json"));
    assert_eq!(rooms.as_array().map(Vec::len), Some(2), "exports gather");
    assert!(here.path("out/data/uploads").is_dir());
    for message in std::fs::read_dir(here.path("out/data/messages")).expect("messages") {
        let path = message.expect("a message").path();
        assert_eq!(path.file_stem().and_then(|stem| stem.to_str()).map(str::len), Some(36), "{path:?}");
    }

    let there = App::new();
    let out = here.path("out");
    let said = there.quorate(&["import", out.to_str().expect("a plain path"), "--json"]).ok();
    let lines = said.events();
    assert_eq!(lines.len(), 2, "each meeting once: {said}");
    for line in &lines {
        let (from, id) = (line["from"].as_str().expect("from"), line["meeting_id"].as_str().expect("an id"));
        assert_ne!(from, id);
        assert_eq!(words(&there, id), words(&here, from));
        there.quorate(&["show", id]).ok();
        let log = there.quorate(&["replay", id, "--json"]).ok();
        let events = log.events();
        assert_eq!(events[1]["type"], "meeting_imported", "{log}");
        if line["state"] == "ended" {
            check_whole(&log.out);
        }
    }
    there.quorate(&["verify"]).ok();
    // Once more is another meeting each.
    there.quorate(&["import", out.to_str().expect("a plain path")]).ok();
    assert_eq!(there.quorate(&["list", "--json"]).ok().lines().len(), 4);
}

#[test]
fn attached_files_travel_with_their_meeting() {
    let here = App::new();
    here.write("costs.csv", "region,cost\neast,1200\n");
    here.write("docs/plan one.md", "# Plan\n\nBuild.\n");
    std::fs::write(here.path("chart.png"), PNG).expect("written");
    let files = ["--attach", "costs.csv", "--attach", "docs", "--attach", "chart.png"];
    let id = held(&here, "discussion", &files);
    here.quorate(&["export", &id, "--format", "files", "--out", "out"]).ok();
    let out = here.path("out");
    let attached = |app: &App, id: &str| -> Vec<(String, String, String, bool)> {
        let events = app.quorate(&["replay", id, "--json"]).ok().events();
        let file = |event: &&Value| {
            let file = &event["payload"]["file"];
            let text = |name: &str| file[name].as_str().unwrap_or_default().to_owned();
            (text("id"), text("name"), text("sha256"), file["image"].is_object())
        };
        of_type(&events, "file_attached").iter().map(file).collect()
    };
    let before = attached(&here, &id);
    assert_eq!(before.len(), 3, "{before:?}");

    // By a command, and by a server that runs.
    let there = App::new();
    let imported = |app: &App| -> Value {
        app.quorate(&["import", out.to_str().expect("a plain path"), "--json"]).ok().json()
    };
    let line = imported(&there);
    assert_eq!(line["notes"], json!([]), "{line}");
    let new = line["meeting_id"].as_str().expect("an id");
    assert_eq!(attached(&there, new), before);
    there.quorate(&["export", new, "--format", "files", "--out", "again"]).ok();
    for (file, name) in [("f1-costs.csv", "costs.csv"), ("f3-chart.png", "chart.png")] {
        let content =
            std::fs::read(there.path(&format!("again/data/uploads/{new}/{file}"))).expect("it is there");
        assert_eq!(content, std::fs::read(here.path(name)).expect("it was attached"));
    }
    let sums = |app: &App, at: &str| std::fs::read_to_string(app.path(at)).expect("checksums");
    assert_eq!(
        sums(&there, &format!("again/data/uploads/{new}/SHA256SUMS")),
        sums(&here, &format!("out/data/uploads/{id}/SHA256SUMS"))
    );
    there.quorate(&["verify"]).ok();

    // The room alone: a message about a file is the file.
    let elsewhere = App::new();
    let rooms = out.join("data/rooms.json");
    let line = elsewhere.quorate(&["import", rooms.to_str().expect("a plain path"), "--json"]).ok().json();
    let room = line["meeting_id"].as_str().expect("an id");
    assert_eq!(attached(&elsewhere, room), before);

    // What was changed is refused; what holds a secret stays out, and so does what a link leads to.
    let costs = out.join(format!("data/uploads/{id}/f1-costs.csv"));
    std::fs::write(&costs, "region,cost\neast,9\n").expect("written");
    let path = out.to_str().expect("a plain path");
    App::new().quorate(&["import", path]).fails(2, &["f1-costs.csv", "checksum"]);
    std::fs::remove_file(out.join(format!("data/uploads/{id}/SHA256SUMS"))).expect("removed");
    std::fs::write(&costs, "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n").expect("written");
    let last = App::new();
    let line = last.quorate(&["import", path, "--json"]).ok().json();
    assert!(line["notes"].to_string().contains("note-file-secret"), "{line}");
    let left: Vec<String> =
        attached(&last, line["meeting_id"].as_str().expect("an id")).into_iter().map(|file| file.1).collect();
    assert_eq!(left, [&before[1].1, &before[2].1].map(Clone::clone));
}

/// What each message cites: lines of files, and results of tools without the numbers that a meeting gives them.
fn cited(app: &App, id: &str) -> Vec<(Value, Value)> {
    let events = app.quorate(&["replay", id, "--json"]).ok().events();
    let said = events.iter().filter(|event| event["payload"]["message"].is_object());
    let all = said.map(|event| {
        let message = &event["payload"]["message"];
        let mut evidence = message["evidence"].clone();
        for one in evidence.as_array_mut().into_iter().flatten() {
            one.as_object_mut().expect("an object").retain(|name, _| name != "seq" && name != "call");
        }
        (message["citations"].clone(), evidence)
    });
    all.collect()
}

#[test]
fn citations_travel_with_their_meeting() {
    let here = App::new();
    here.write("old.csv", "region,cost\nnorth,1\n");
    // More than stands in the prompt, so that it is read.
    here.write("costs.csv", &format!("region,cost\n{}", "east,1200\nsouth,900\n".repeat(2000)));
    here.write("repo/src/main.rs", "fn main() {\n    sqlite();\n}\n");
    let is_some = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    let files = ["--attach", "old.csv", "--attach", "costs.csv"];
    let folder = ["--folder", "repo"];
    for (format, more) in [("discussion", &files[..]), ("room", &files[..]), ("discussion", &folder[..])] {
        let id = held(&here, format, more);
        let before = cited(&here, &id);
        let cites = before.iter().any(|(files, results)| is_some(files) || is_some(results));
        assert!(cites, "{format}: {before:?}");
        here.quorate(&["export", &id, "--format", "files", "--out", "out"]).ok();
        let out = here.path("out");
        let there = App::new();
        let line = there.quorate(&["import", out.to_str().expect("a plain path"), "--json"]).ok().json();
        let new = line["meeting_id"].as_str().expect("an id");
        assert_eq!(cited(&there, new), before, "{format}");
        // Each result that is cited stands in the log.
        let events = there.quorate(&["replay", new, "--json"]).ok().events();
        for event in &events {
            for one in event["payload"]["message"]["evidence"].as_array().into_iter().flatten() {
                let result = &events[one["seq"].as_u64().expect("a number") as usize - 1];
                let cited = (&result["type"], &result["payload"]["call"]);
                assert_eq!(cited, (&json!("tool_returned"), &one["call"]));
            }
        }
        there.quorate(&["verify"]).ok();
        // The other layout alone, without the first file: the second keeps its number.
        let rooms = out.join("data/rooms.json");
        _ = std::fs::remove_file(out.join(format!("data/uploads/{id}/f1-old.csv")));
        let elsewhere = App::new();
        let line = elsewhere.quorate(&["import", rooms.to_str().expect("a path"), "--json"]).ok().json();
        let of_second = |all: Vec<(Value, Value)>| -> Vec<(Value, Value)> {
            let kept = |(files, results): (Value, Value)| {
                let all = files.as_array().into_iter().flatten();
                (json!(all.filter(|one| one["file"] == "f2").collect::<Vec<_>>()), results)
            };
            // A file that is gone leaves a message of its own.
            all.into_iter().map(kept).filter(|(files, results)| is_some(files) || is_some(results)).collect()
        };
        let new = line["meeting_id"].as_str().expect("an id");
        assert_eq!(of_second(cited(&elsewhere, new)), of_second(before), "{format}");
        std::fs::remove_dir_all(&out).expect("it is there");
    }
}

#[test]
fn the_room_layout_alone_is_read_and_the_rooms_words_are_the_same() {
    let here = App::new();
    let room = held(&here, "room", &[]);
    here.quorate(&["export", &room, "--format", "files", "--out", "out"]).ok();
    let named = here.quorate(&["import", "out/data/rooms.json", "--json"]).ok().json();
    assert_eq!(
        named["file"],
        json!(format!("room_messages/{room}.json")),
        "whoever names the rooms gets them"
    );
    std::fs::remove_dir_all(here.path("out/data/meetings")).expect("it is there");
    std::fs::remove_dir_all(here.path("out/data/agents")).expect("it is there");
    let there = App::new();
    let line = there.quorate(&["import", here.path("out").to_str().expect("a path"), "--json"]).ok().json();
    assert_eq!(
        (&line["state"], &line["file"]),
        (&json!("paused"), &json!(format!("room_messages/{room}.json")))
    );
    let id = line["meeting_id"].as_str().expect("an id");
    assert!(words(&there, id).len() > 6, "somebody has spoken");
    assert_eq!(words(&there, id), words(&here, &room));
    let before = there.quorate(&["replay", id, "--json"]).ok().lines().len();
    there.quorate(&["resume", id, "--json", "--yes"]);
    let after = there.quorate(&["replay", id, "--json"]).ok();
    let events = &after.events()[before..];
    let turns = of_type(events, "agent_message").len() + of_type(events, "turn_skipped").len();
    assert!(turns > 1, "it goes on: {after}");
}

#[test]
fn agents_are_taken_into_the_library_when_that_is_asked_for() {
    let here = App::new();
    let id = held(&here, "discussion", &[]);
    here.quorate(&["export", &id, "--format", "files", "--out", "out"]).ok();
    here.quorate(&["import", "out"]).ok().says(&["3 agents", "--agents"]);
    assert_eq!(here.quorate(&["agents", "list", "--json"]).ok().out, "");
    here.quorate(&["import", "out", "--agents"]).ok().says(&["in the library: Ada"]);
    assert_eq!(here.quorate(&["agents", "list", "--json"]).ok().lines().len(), 3);
    here.quorate(&["import", "out", "--agents"]).ok().says(&["Ada is in the library already"]);
}

#[test]
fn a_folder_that_holds_something_else_is_left_alone() {
    let app = App::new();
    let id = held(&app, "discussion", &[]);
    std::fs::create_dir(app.path("mine")).expect("a folder");
    app.write("mine/thesis.tex", "years of work");
    let export = |out: &[&str]| app.quorate(&[&["export", &id, "--format", "files"][..], out].concat());
    export(&["--out", "mine"]).fails(2, &["thesis.tex"]);
    assert!(!app.path("mine/data").exists());
    export(&[]).fails(2, &["--out"]);
    export(&["--out", "new/one"]).ok();
    app.write("new/one/data/notes.txt", "x");
    export(&["--out", "new/one"]).fails(2, &["notes.txt"]);
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_imported() {
    let app = App::new();
    let id = held(&app, "discussion", &[]);
    app.quorate(&["export", &id, "--format", "files", "--out", "out"]).ok();
    let whole = read(&app.path(&format!("out/data/meetings/{id}.json")));
    let mut wrong = whole.clone();
    wrong["messages"][1]["speaker_id"] = json!("nobody");
    let path = copy_of(&app, &format!("out/data/meetings/{id}.json"), &whole);
    wrong["id"] = json!("zz-second");
    copy_of(&app, "out/data/meetings/zz-second.json", &wrong);
    app.quorate(&["import", "out"]).fails(2, &["messages[1].speaker_id", "zz-second.json"]);
    let error = app.quorate(&["import", "out", "--json"]).error();
    assert_eq!((&error["kind"], &error["field"]), (&json!("validation"), &json!("messages[1].speaker_id")));
    app.quorate(&["import", "nowhere"]).fails(1, &["nowhere"]);
    app.write("big.json", &" ".repeat(10_000_000));
    app.quorate(&["import", "big.json"]).fails(2, &["bytes"]);
    std::fs::create_dir(app.path("empty")).expect("a folder");
    app.quorate(&["import", "empty"]).fails(2, &["no meeting"]);
    assert_eq!(app.quorate(&["list", "--json"]).ok().lines().len(), 1, "nothing half imported");
    app.quorate(&["import", &path]).ok();
    assert_eq!(app.quorate(&["list", "--json"]).ok().lines().len(), 2);
}

#[test]
fn a_log_is_told_what_it_is_for() {
    let app = App::new();
    app.quorate(&["run", "Where do we save?", "--rounds", "1", "--yes", "--seed", "3"]).ok();
    let log = app.write("log.jsonl", &app.quorate(&["export", "last", "--format", "jsonl"]).ok().out);
    app.quorate(&["import", &log]).fails(2, &["log of a meeting", "--format files", "quorate verify"]);
}
