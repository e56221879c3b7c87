//! The path of the database, its permissions, and its errors.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use reqwest::Method;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::app::{App, events, meeting_of};
use crate::served::Served;
use crate::vendor::Vendor;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";
const QUICK: [&str; 7] = ["run", TOPIC, "--simulate", "--seed", "5", "--yes", "--json"];

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn the_database_lies_where_one_says() {
    let app = App::new();
    app.quorate(&QUICK).ok();
    assert!(app.db().exists(), "in the data folder, when nobody says anything");
    let mode = std::fs::metadata(app.db()).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o077, 0, "nobody else reads it: {mode:o}");

    let (named, in_environment) = (app.path("a/b/named.db"), app.path("environment.db"));
    app.quorate(&[&QUICK[..], &["--db", text(&named)]].concat()).ok();
    assert!(named.exists(), "the folders are made, too");
    let app = app.with("QUORATE_DB", text(&in_environment));
    app.quorate(&QUICK).ok();
    assert!(in_environment.exists());
    assert_eq!(app.quorate(&["list", "--json"]).ok().lines().len(), 1);
    assert_eq!(app.quorate(&["list", "--json", "--db", text(&named)]).ok().lines().len(), 1);
    app.quorate(&["verify", "--db", text(&named)]).ok();
}

#[test]
fn while_a_meeting_runs_others_may_look_but_not_write() {
    let app = App::new();
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--json", "--pace=live"]);
    run.hears("speaker_selected");
    app.quorate(&QUICK).fails(1, &["is in use by process", "commands that only read still work"]);
    app.quorate(&["resume", "last", "--yes"]).fails(1, &["is in use by process"]);
    app.quorate(&["fork", "last", "--at", "3"]).fails(1, &["is in use by process"]);
    assert!(app.quorate(&["list"]).ok().out.contains("discussion"));
    assert!(app.quorate(&["show", "last"]).ok().out.contains(TOPIC));
    let replayed = app.quorate(&["replay", "last", "--json"]).ok();
    app.quorate(&["export", "last", "--format", "json"]).ok();
    app.quorate(&["verify"]).ok();
    assert!(app.quorate(&["doctor"]).out.contains("✓ database: "));
    run.signal(Signal::TERM);
    let paused = run.end().ends(3);
    assert!(paused.out.starts_with(&replayed.out), "what was read is what was printed");
    assert!(app.quorate(&["list"]).ok().out.contains("paused"));
    app.quorate(&QUICK).ok();
}

#[test]
fn where_there_is_nothing_it_is_said_what_to_do() {
    let app = App::new();
    let list = app.quorate(&["list"]).ok();
    assert!(list.out.is_empty() && list.err.contains("there are no meetings yet"), "{list}");
    assert!(list.err.contains("quorate run \"TOPIC\""), "{list}");
    let list = app.quorate(&["list", "--json"]).ok();
    assert_eq!((list.out.as_str(), list.err.as_str()), ("", ""));
    for command in [&["show", "last"][..], &["replay", "last"], &["export", "last"], &["verify"]] {
        app.quorate(command).fails(1, &["there is no database at ", "--db"]);
        assert!(!app.db().exists(), "to look makes nothing");
    }
}

#[test]
fn an_id_that_fits_nothing_or_too_much_is_explained() {
    let app = App::new();
    let ids = [app.quorate(&QUICK).ok(), app.quorate(&QUICK).ok()].map(|run| meeting_of(&run.out));
    app.quorate(&["show", "nonsense"])
        .fails(1, &["no meeting's id begins with \"nonsense\"", "quorate list"]);
    app.quorate(&["resume", "nonsense"]).fails(1, &["no meeting's id begins with \"nonsense\""]);
    let shared = ids[0].bytes().zip(ids[1].bytes()).take_while(|(a, b)| a == b).count();
    let begin = &ids[0][..shared];
    let several =
        app.quorate(&["replay", begin]).fails(1, &["2 meetings begin with", "a few more characters"]);
    assert!(ids.iter().all(|id| several.err.contains(id.as_str())), "{several}");
    app.quorate(&["replay", &ids[0][..=shared], "--json"]).ok();
    app.quorate(&["replay", "last", "--speed", "0"]).fails(2, &["--speed is 0", "above 0"]);
}

#[test]
fn what_is_no_database_of_ours_is_left_as_it_is() {
    let app = App::new();
    let notes = app.write("notes.txt", &"these are my notes\n".repeat(300));
    let before = std::fs::read(&notes).expect("it is there");
    for command in [&QUICK[..], &["list"], &["show", "last"], &["verify"]] {
        let args = [command, &["--db", &notes]].concat();
        app.quorate(&args).fails(1, &["notes.txt is not a Quorate database"]);
    }
    let doctor = app.quorate(&["doctor", "--db", &notes]).ends(1);
    assert!(
        doctor.out.contains("✗ database: ") && doctor.out.contains("is not a Quorate database"),
        "{doctor}"
    );
    assert_eq!(std::fs::read(&notes).expect("it is still there"), before);
    assert!(!app.path("notes.txt.lock").exists() && !app.path("notes.txt-wal").exists(), "no trace of it");
    app.quorate(&["list", "--db", text(&app.path(""))]).ends(1).says(&["error: ", " hint: "]);
}

#[test]
fn a_database_of_the_future_is_not_touched() {
    let app = App::new();
    app.quorate(&QUICK).ok();
    let mut bytes = std::fs::read(app.db()).expect("it is there");
    // `user_version` lies in the file's header, big-endian.
    bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(app.db(), &bytes).expect("it can be written");
    for command in [&QUICK[..], &["list"], &["verify"]] {
        app.quorate(command).fails(1, &["version 99", "knows versions up to", "upgrade"]);
    }
    app.quorate(&["doctor"]).ends(1);
    assert_eq!(std::fs::read(app.db()).expect("it is still there"), bytes);
}

#[test]
fn damage_is_found_and_said() {
    let app = App::new();
    let run = app.quorate(&QUICK).ok();
    let mut bytes = std::fs::read(app.db()).expect("it is there");
    let word = b"\"type\":\"agent_message\"";
    let at = bytes.windows(word.len()).position(|window| window == word).expect("somebody spoke");
    bytes[at + 9] = b'A';
    std::fs::write(app.db(), &bytes).expect("it can be written");
    let verified = app.quorate(&["verify"]).ends(1);
    assert!(
        verified.err.contains("the database is damaged in") && verified.err.contains("backup"),
        "{verified}"
    );
    assert!(verified.out.contains(&meeting_of(&run.out)), "which meeting: {verified}");
    let found = app.quorate(&["verify", "--json"]).ends(1).json();
    assert_eq!(found["ok"], false);
    assert!(found["problems"].as_array().is_some_and(|problems| !problems.is_empty()), "{found}");
    let shown = app.quorate(&["show", "last"]);
    assert!(!shown.err.contains("panicked"), "{shown}");

    // The second half is gone, as after a failed copy.
    bytes.truncate(bytes.len() / 2);
    std::fs::write(app.db(), &bytes).expect("it can be written");
    for command in [&["verify"][..], &["list"], &["show", "last"], &["replay", "last", "--json"]] {
        let said = app.quorate(command);
        assert!(!said.err.contains("panicked"), "{said}");
        assert!(
            said.code == Some(0) || said.err.contains(" hint: ") || said.err.contains(r#""hint":"#),
            "{said}"
        );
    }
    app.quorate(&["verify"]).ends(1).says(&["error: ", " hint: "]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let app = App::new();
    let folder = app.path("locked");
    std::fs::create_dir(&folder).expect("the home can be written");
    let db = folder.join("q.db");
    app.quorate(&[&QUICK[..], &["--db", text(&db)]].concat()).ok();
    let lock = |mode| {
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("it is our folder");
    };
    lock(0o555);
    let may_write_all_the_same = std::fs::write(folder.join("probe"), "").is_ok();
    if !may_write_all_the_same {
        let other = folder.join("new/other.db");
        app.quorate(&[&QUICK[..], &["--db", text(&other)]].concat()).fails(1, &["locked", "may be written"]);
        // A database that was closed cleanly can be read where nothing can be written, or it is said why not.
        let list = app.quorate(&["list", "--db", text(&db)]);
        assert!(list.code == Some(0) || list.err.contains(" hint: "), "{list}");
    }
    lock(0o755);
    // A file where a folder should be is an error for every user, also for root.
    let file = app.write("file", "");
    let below = format!("{file}/q.db");
    app.quorate(&[&QUICK[..], &["--db", &below]].concat()).fails(1, &["cannot be used", "folder exists"]);
}

fn findings(app: &App, code: i32, more: &[&str]) -> Vec<Value> {
    let found = app.quorate(&[&["doctor", "--json"], more].concat()).ends(code).json();
    found.as_array().expect("a list of findings").clone()
}

fn health(findings: &[Value], what: &str) -> String {
    let named = |finding: &&Value| finding["what"].as_str().is_some_and(|name| name.starts_with(what));
    let finding = findings.iter().find(named).unwrap_or_else(|| panic!("no {what} in {findings:?}"));
    finding["health"].as_str().expect("a word").to_owned()
}

#[test]
fn the_doctor_says_what_is_there_and_what_is_wrong() {
    let mut app = App::new();
    // An Ollama that is configured by its address is expected to be there.
    assert_eq!(health(&findings(&app, 1, &[]), "provider ollama"), "bad");
    app.unset("OLLAMA_HOST");
    let vendor = Vendor::open();
    app.set("OPENAI_BASE_URL", vendor.url(""));
    let good = findings(&app, 0, &["--probe"]);
    assert_eq!(health(&good, "provider openai"), "good");
    assert_eq!(health(&good, "database"), "absent");
    assert!(
        good.iter()
            .any(|finding| finding["detail"].as_str().is_some_and(|text| text.contains("answered in")))
    );
    assert_eq!(vendor.heard().len(), 1, "one word was asked for");
    app.quorate(&QUICK).ok();
    let human = app.quorate(&["doctor"]).ok();
    for line in
        ["✓ quorate: ", "✓ database: ", "✓ provider openai (", "3 models: embed-small, talker, thinker"]
    {
        assert!(human.out.contains(line), "no {line:?} in {human}");
    }
    assert_eq!(vendor.heard().len(), 1, "without --probe nothing is asked");

    drop(vendor);
    let bad = findings(&app, 1, &[]);
    assert_eq!(health(&bad, "provider openai"), "bad");
    assert_eq!(health(&bad, "database"), "good");
    let hinted =
        bad.iter().filter(|finding| finding["health"] == "bad").all(|finding| finding["hint"] != json!(null));
    assert!(hinted, "whatever is wrong has a hint: {bad:?}");

    let file = app.write("bad.toml", "[providers.lab]\nbase_url = 'ftp://x'\n");
    assert_eq!(health(&findings(&app, 1, &["--config", &file]), "provider lab"), "bad");
    let file = app.write("worse.toml", "[providers.lab]\nbase = 'http://x'\n");
    app.quorate(&["doctor", "--config", &file]).fails(2, &["worse.toml:2:1: unknown field `base`"]);
}

#[test]
fn the_help_names_every_command_in_both_languages() {
    let commands = ["run", "resume", "list", "show", "replay", "fork", "export", "verify", "doctor"];
    for (language, words) in [("en", "Let AI models deliberate"), ("zh", "退出码")] {
        let app = App::new().with("QUORATE_LANG", language);
        let help = app.quorate(&["--help"]).ok();
        assert!(help.out.contains(words), "{help}");
        for command in commands {
            assert!(help.out.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {help}");
            let own = app.quorate(&[command, "--help"]).ok();
            let han = own.out.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
            // `--lang` names the languages in themselves.
            assert!(han == (language == "zh") || own.out.contains("--lang"), "{own}");
            assert!(own.out.contains("--db"), "{own}");
        }
    }
    let app = App::new();
    assert!(app.quorate(&["--version"]).ok().out.starts_with("quorate "));
    for wrong in [&[][..], &["meet"], &["run", "--nonsense"], &["run", "x", "--rounds", "many"], &["fork"]] {
        let said = app.quorate(wrong).ends(2);
        assert!(said.out.is_empty() && said.err.contains("--help"), "{said}");
    }
    app.quorate(&["run", "--simulate"]).fails(2, &["there is no topic", "quorate run \""]);
    app.quorate(&["run", "x", "-p", "0", "--simulate"]).fails(2, &["0 participants", "from 1 to 12"]);
    app.quorate(&["run", "x", "-p", "Ada,Ada", "--simulate"]).fails(2, &["already a participant \"Ada\""]);
    let range = app.quorate(&["run", "x", "-t", "101", "--simulate"]).ends(2);
    assert!(range.err.contains("'101'") && range.err.contains("the range 0-100"), "{range}");
    app.quorate(&["run", "  ", "--simulate"]).fails(2, &["topic: is empty"]);
}

#[test]
fn a_damaged_event_costs_what_follows_it() {
    let app = App::new();
    let run = ["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes", "--json"];
    let log = app.quorate(&run).ok().out;
    let whole = events(&log);
    let other =
        app.quorate(&["run", "Which font?", "--simulate", "--seed=6", "--rounds=1", "--yes", "--json"]);
    let other = events(&other.ok().out)[0]["meeting_id"].as_str().expect("an id").to_owned();
    let id = whole[0]["meeting_id"].as_str().expect("an id").to_owned();
    let said: Vec<&Value> = whole.iter().filter(|event| event["type"] == "agent_message").collect();
    let (kept, lost) = (said[0], said[1]);
    let at = lost["seq"].as_u64().expect("a number");
    damage(&app.db(), log.lines().nth(at as usize - 1).expect("its line"));

    let hint = format!("export {id} --salvage");
    app.quorate(&["show", &id]).fails(1, &[&hint]);
    app.quorate(&["export", &id]).fails(1, &[&hint]);
    app.quorate(&["show", &other]).ok();
    let list = app.quorate(&["list"]).ok().out;
    assert_eq!(list.lines().filter(|line| line.contains("(damaged)")).count(), 1, "{list}");
    let rows = events(&app.quorate(&["list", "--json"]).ok().out);
    let row = rows.iter().find(|row| row["id"] == id.as_str()).expect("it is listed");
    assert_eq!((&row["damage"]["event"], &row["damage"]["last_seq"]), (&json!(at), &json!(whole.len())));

    let shown = app.quorate(&["show", &id, "--salvage", "--json"]).ok();
    assert!(shown.err.contains(&format!("damaged at event {at}")), "{}", shown.err);
    let report: Value = serde_json::from_str(&shown.out).expect("a report");
    assert_eq!((&report["damage"]["event"], &report["topic"]), (&json!(at), &json!(TOPIC)));
    let text = |event: &Value| event["payload"]["message"]["content"].as_str().expect("words").to_owned();
    let first_words = |event: &Value| text(event).lines().next().expect("words").to_owned();
    for form in ["md", "html", "json"] {
        let out = app.quorate(&["export", &id, "--salvage", "--format", form]).ok().out;
        assert!(out.contains(&first_words(kept)), "{form}: {out}");
        assert!(!out.contains(&text(lost)), "{form}");
        assert!(out.contains(if form == "json" { "\"damage\"" } else { "is damaged at event" }), "{form}");
    }
    let folder = app.path("salvaged");
    let name = folder.to_str().expect("a plain path");
    app.quorate(&["export", &id, "--salvage", "--format", "files", "--out", name]).ok();
    app.quorate(&["import", name]).ok();
    // What is whole needs no salvage, and can be asked for with it.
    let same = app.quorate(&["export", &other, "--salvage"]).ok();
    assert_eq!(same.out, app.quorate(&["export", &other]).ok().out);
}

#[test]
fn a_server_shows_what_is_whole_of_a_damaged_meeting() {
    let app = App::new();
    let run = ["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes", "--json"];
    let log = app.quorate(&run).ok().out;
    let whole = events(&log);
    let lost = whole.iter().filter(|event| event["type"] == "agent_message").nth(1).expect("two speak");
    let at = lost["seq"].as_u64().expect("a number");
    damage(&app.db(), log.lines().nth(at as usize - 1).expect("its line"));
    let served = Served::start(&app, &[]);
    let path = format!("/meetings/{}", whole[0]["meeting_id"].as_str().expect("an id"));
    let view = served.see(&path);
    assert_eq!((&view["damage"]["event"], &view["last_seq"]), (&json!(at), &json!(at - 1)), "{view}");
    assert_eq!(served.see("/meetings")["items"][0]["damaged"], true);
    assert_eq!(events(&served.log(&path)).len() as u64, at - 1);
    for part in [
        "/report",
        "/deliberation-health",
        "/messages",
        "/claims",
        "/export?format=json",
        "/export?format=html",
    ] {
        let answer = served.try_send(Method::GET, &format!("{path}{part}"), &[], None).expect("an answer");
        assert_eq!(answer.status, 200, "{part}: {}", answer.body);
    }
    let export = served.try_send(Method::GET, &format!("{path}/export"), &[], None).expect("an answer");
    assert!(export.body.to_string().contains("is damaged at event"), "{}", export.body);
    let command = served.post(&format!("{path}/messages"), &[], &json!({ "content": "Hello?" }));
    assert_eq!((command.status, command.sort()), (500, "damaged"), "{}", command.body);
    served.execute("/meetings", json!({ "topic": "Another", "simulate": true }));
    served.stop().ok();
}

/// Changes an event in the file, wherever its line stands.
fn damage(db: &Path, line: &str) {
    let mut bytes = std::fs::read(db).expect("a database");
    let wanted = &line.as_bytes()[..200];
    let at = bytes.windows(wanted.len()).position(|part| part == wanted).expect("it lies in the file");
    bytes[at + 2] ^= 1;
    std::fs::write(db, bytes).expect("written");
}

/// Every name in a document whose value is a moment.
fn names_of_moments(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| names_of_moments(item, found)),
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let is_moment = value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok());
                if is_moment {
                    found.insert(name.clone());
                }
                names_of_moments(value, found);
            }
        }
        _ => {}
    }
}

#[test]
fn a_moment_in_json_has_a_name_that_says_so() {
    let app = App::new();
    app.quorate(&QUICK).ok();
    let agent = ["agents", "create", "--name", "Ada", "--role", "Keeper", "--description", "Keeps."];
    app.quorate(&[&agent[..], &["--temperament", "stubborn"]].concat()).ok();
    app.quorate_reading(&["accounts", "add", "ada", "--password-stdin"], "correct horse battery\n").ok();
    app.quorate(&["tokens", "add", "build", "--scope", "read", "--by", "ada"]).ok();
    let outputs = [
        (&["list", "--json"][..], true),
        (&["show", "last", "--json"], true),
        (&["search", "SQLite", "--json"], true),
        (&["agents", "list", "--json"], true),
        (&["agents", "show", "Ada", "--json"], true),
        (&["accounts", "list", "--json"], true),
        (&["tokens", "list", "--json"], true),
        (&["verify", "--json"], false),
        (&["doctor", "--json"], false),
    ];
    for (command, has_moments) in outputs {
        let out = app.quorate(command).out;
        let values = serde_json::Deserializer::from_str(&out).into_iter::<serde_json::Value>();
        let mut found = std::collections::BTreeSet::new();
        values.for_each(|value| names_of_moments(&value.expect("JSON"), &mut found));
        assert_eq!(!found.is_empty(), has_moments, "{command:?}: {out}");
        let wrong: Vec<&String> = found.iter().filter(|name| !name.ends_with("_at")).collect();
        assert!(wrong.is_empty(), "{command:?}: {wrong:?}");
    }
}
