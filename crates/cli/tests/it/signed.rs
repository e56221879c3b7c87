//! Exports are signed, and verified by themselves.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::app::{App, Said};
use crate::served::Served;

const TOPIC: &str = "该用 SQLite 还是 PostgreSQL？";

fn held() -> App {
    let app = App::new();
    let args =
        ["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes", "--json", "--format=brainstorm"];
    app.quorate(&args).ok();
    app
}

/// Exports the meeting in a form, and gives the file.
fn exported(app: &App, form: &str, more: &[&str]) -> PathBuf {
    let file = app.path(&format!("会议.{form}"));
    app.quorate(&[&["export", "last", "--format", form, "--out", text(&file)], more].concat()).ok();
    file
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn verified(app: &App, file: &Path, more: &[&str]) -> Said {
    app.quorate(&[&["verify", text(file)], more].concat())
}

fn key_of(app: &App) -> String {
    let findings: Value = serde_json::from_str(&app.quorate(&["doctor", "--json"]).out).expect("JSON");
    let findings = findings.as_array().expect("findings");
    let found = findings.iter().find(|finding| finding["what"] == "signing key").expect("the key");
    found["detail"].as_str().expect("an id").to_owned()
}

#[test]
fn each_form_is_signed_and_verified_by_itself() {
    let app = held();
    assert_eq!(key_of(&app), "made with the first signed export");
    let jsonl = exported(&app, "jsonl", &[]);
    let key = key_of(&app);
    assert_eq!(key.len(), 32);
    for (form, more) in [
        ("json", &[][..]),
        ("html", &[]),
        ("html", &["--with-marks"]),
        ("files", &[]),
        ("files", &["--with-marks"]),
    ] {
        let file = exported(&app, form, more);
        verified(&app, &file, &["--key", &key]).ok().says_out(&[
            "✓ signed",
            &key,
            "this is the key that you named",
        ]);
    }
    // Elsewhere, where there is no database.
    let other = App::new();
    verified(&other, &jsonl, &[]).ok().says_out(&["✓ signed", &key, "whose key that is, only its id tells"]);
    verified(&app, &jsonl, &[]).ok().says_out(&["this is a key of this installation"]);
    let report: Value = serde_json::from_str(&verified(&app, &jsonl, &["--json"]).ok().out).expect("JSON");
    assert_eq!(
        (&report["ok"], &report["signed"], &report["key"]),
        (&json!(true), &json!(true), &json!("known"))
    );
    let stored = fs::read_to_string(&jsonl).expect("a file");
    assert_eq!(report["events"], stored.lines().count() as u64 - 1);
    // The lines are those that are stored.
    let replayed = app.quorate(&["replay", "last", "--json"]).ok().out;
    assert!(stored.starts_with(&replayed));
    // A folder with an export is taken over as before.
    let folder = exported(&app, "files", &[]);
    app.quorate(&["import", text(&folder.join("data"))]).ok();
}

#[test]
fn what_was_changed_is_named_and_fails() {
    let app = held();
    let jsonl = exported(&app, "jsonl", &[]);
    let sound = fs::read_to_string(&jsonl).expect("a file");
    let fails = |file: &Path, said: &str| {
        let said_of = verified(&app, file, &[]).ends(1).says_out(&[said]);
        said_of.says(&["is not what was written and signed"]);
    };
    let lines: Vec<&str> = sound.lines().collect();
    fs::write(&jsonl, sound.replacen("\"seq\":9,", "\"seq\":9 ,", 1)).expect("written");
    fails(&jsonl, "✗ event 9 was changed");
    let without: Vec<&str> = [&lines[..8], &lines[9..]].concat();
    fs::write(&jsonl, without.join("\n")).expect("written");
    fails(&jsonl, "✗ event 9 is missing");
    fs::write(&jsonl, lines[..lines.len() - 1].join("\n")).expect("written");
    fails(&jsonl, "✗ the file is cut off");

    let page = exported(&app, "html", &[]);
    let sound = fs::read_to_string(&page).expect("a file");
    fs::write(&page, sound.replacen("\\\"seq\\\":9,", "\\\"seq\\\":9 ,", 1)).expect("written");
    fails(&page, "✗ event 9 was changed");
    let document = exported(&app, "json", &[]);
    let sound = fs::read_to_string(&document).expect("a file");
    fs::write(&document, sound.replacen("\"signed_at\": \"20", "\"signed_at\": \"19", 1)).expect("written");
    fails(&document, "✗ the signature is not valid");
    fs::write(&document, sound.replacen("\"ts_ms\": 1", "\"ts_ms\": 2", 1)).expect("written");
    fails(&document, "✗ event 1 is shown with another content");

    let other = held();
    let stranger = exported(&other, "jsonl", &[]);
    verified(&app, &stranger, &["--key", &key_of(&app)])
        .ends(1)
        .says_out(&["✗ the log is not signed with the key that was named"]);
    verified(&app, &app.path("nothing.jsonl"), &[]).fails(2, &["nothing.jsonl"]);
    verified(&app, &app.db(), &[]).ends(2);
}

#[test]
fn the_first_key_is_made_by_the_server_that_writes_the_database() {
    let app = held();
    let served = Served::start(&app, &[]);
    let file = exported(&app, "jsonl", &[]);
    let key = served.see("/signing-key");
    let id = key["key_id"].as_str().expect("an id");
    verified(&app, &file, &["--key", id]).ok().says_out(&["✓ signed"]);
    let replaced = served.post("/signing-key", &[], &json!({})).body;
    assert_ne!(replaced["key_id"], key["key_id"]);
    assert_eq!(replaced["previous"][0]["key_id"], key["key_id"]);
    // What the one before signed is known as ours still.
    verified(&app, &file, &[]).ok().says_out(&["this is a key of this installation"]);
    verified(&app, &exported(&app, "jsonl", &[]), &["--key", replaced["key_id"].as_str().expect("an id")])
        .ok();
}

#[test]
fn where_no_key_can_be_made_the_export_says_so() {
    let app = held();
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--json", "--pace=live"]);
    run.hears("speaker_selected");
    let file = app.path("m.jsonl");
    let said = app.quorate(&["export", "last", "--format=jsonl", "--out", text(&file)]).ok();
    said.says(&["The export is not signed: ", "is in use by process"]);
    verified(&app, &file, &[]).ok().says_out(&["– not signed: the signing key could not be used"]);
    verified(&app, &file, &["--key", &"0".repeat(32)]).ends(1);
    run.signal(rustix::process::Signal::TERM);
    run.end().ends(3);
}
