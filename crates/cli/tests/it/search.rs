//! Search in the terminal.

use crate::app::App;

fn held() -> App {
    let app = App::new();
    app.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]);
    app.quorate(&["run", "我们的数据库够用吗？", "--simulate", "--rounds=1", "--json"]);
    app
}

#[test]
fn words_of_either_language_are_found_as_soon_as_the_meeting_was_held() {
    let app = held();
    let english = app.quorate(&["search", "sqlite", "--kind=topic"]).ok();
    assert!(english.out.contains("Should our service use SQLite?"), "{english}");
    let hits = app.quorate(&["search", "数据", "--kind", "topic", "--json"]).ok();
    let hit: serde_json::Value = serde_json::from_str(hits.out.trim()).expect("one hit");
    assert_eq!((&hit["kind"], &hit["topic"]), (&"topic".into(), &"我们的数据库够用吗？".into()));
    assert_eq!(hit["snippet"][1], serde_json::json!({ "text": "数据", "hit": true }));
    let id = hit["meeting"].as_str().expect("an id");
    let here = app.quorate(&["search", "SQLite", "--meeting", id, "--kind=topic"]).ok();
    assert!(here.out.is_empty() && here.err.contains("nothing was found"), "{here}");
    let old = app.quorate(&["search", "数据", "--until", "2020-01-01", "--json"]).ok();
    assert!(old.out.is_empty(), "{old}");
    assert!(!app.quorate(&["search", "数据", "--since", "2020-01-01"]).ok().out.is_empty());
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let app = held();
    app.quorate(&["search", "??"]).fails(2, &["no word", "at least one letter"]);
    app.quorate(&["search", "x", "--since", "yesterday"]).fails(2, &["is no date", "2026-01-31"]);
    app.quorate(&["search", "x", "--meeting", "zzz"]).fails(1, &["zzz", "quorate list"]);
}

#[test]
fn a_locked_meeting_is_found_only_by_who_has_its_password() {
    let mut app = App::new();
    app.set("QUORATE_PASSWORD", "correct horse");
    app.quorate(&["run", "A secret zebra", "--simulate", "--rounds=1", "--json"]);
    assert!(app.quorate(&["search", "zebra"]).ok().out.is_empty(), "it is not named");
    assert!(app.quorate(&["search", "zebra", "--meeting=last"]).ok().out.contains("zebra"));
    app.set("QUORATE_PASSWORD", "a guess");
    app.quorate(&["search", "zebra", "--meeting=last"]).fails(1, &["the password is wrong"]);
}
