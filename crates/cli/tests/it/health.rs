//! The health of a deliberation, shown by `quorate show --health`.

use serde_json::Value;

use crate::app::{App, meeting_of};

/// A simulated meeting of consensus on the given question.
fn held(app: &App, topic: &str) -> String {
    let lines = app.quorate(&["run", topic, "--simulate", "--seed", "3", "--yes", "--json"]).ok();
    meeting_of(&lines.out)
}

/// Words that only a machine calls a thing by: `b1`, `c25`.
fn ids(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_id = |word: &&str| {
        word.len() > 1
            && word.starts_with(['b', 'c', 'm'])
            && word[1..].chars().all(|digit| digit.is_ascii_digit())
    };
    words.filter(is_id).collect()
}

#[test]
fn health_is_told_in_the_language_of_whoever_asks() {
    let app = App::new();
    let id = held(&app, "Should our service use SQLite or PostgreSQL?");
    let en = app.quorate(&["show", &id, "--health"]).ok();
    for words in [
        "## Open objections",
        "## Positions, now and at first",
        "The lowest score in ballot 2 is ",
        "simulated",
    ] {
        assert!(en.out.contains(words), "no {words:?}: {en}");
    }
    assert_eq!(ids(&en.out), [""; 0], "{en}");
    let app = app.with("QUORATE_LANG", "zh");
    let zh = app.quorate(&["show", &id, "--health"]).ok();
    for words in ["## 未解决的异议", "## 立场：现在与最初", "第 2 次表决最低 ", "模拟"]
    {
        assert!(zh.out.contains(words), "no {words:?}: {zh}");
    }
    assert_eq!(ids(&zh.out), [""; 0], "{zh}");
}

#[test]
fn health_for_programs_names_the_events_that_it_comes_from() {
    let app = App::new();
    let id = held(&app, "Should our service use SQLite or PostgreSQL?");
    let health = app.quorate(&["show", &id, "--health", "--json"]).ok().json();
    assert!(health["verdict"]["standing"].is_string(), "{health}");
    assert!(health["dissent"]["lowest"][0]["seq"].is_u64(), "{health}");
    assert_eq!(health["simulated"], true);
}

#[test]
fn health_before_anybody_spoke_says_that_there_is_nothing_to_say_yet() {
    let app = App::new();
    held(&app, "Should our service use SQLite or PostgreSQL?");
    app.quorate(&["fork", "last", "--at", "2"]).ok();
    let told = app.quorate(&["show", "last", "--health"]).ok();
    assert!(told.out.contains("Nobody has stated a position."), "{told}");
    assert!(told.out.contains("Nobody has raised a claim yet."), "{told}");
}

#[test]
fn health_of_a_meeting_that_is_not_there_is_refused() {
    let app = App::new();
    held(&app, "Should our service use SQLite or PostgreSQL?");
    app.quorate(&["show", "nowhere", "--health"]).fails(1, &["nowhere"]);
}

#[test]
fn a_diagnostic_report_has_the_shape_of_the_log_and_none_of_its_words() {
    let app = App::new();
    let id = held(&app, "Should Zanzibar keep its xylophones?");
    let said = app.quorate(&["show", &id, "--json"]).ok().json();
    let told = app.quorate(&["show", &id, "--diagnostics"]).ok();
    let report = told.json();
    assert_eq!(report["event_count"], report["events"].as_array().expect("events").len());
    assert_eq!(report["types"]["meeting_created"], 1, "{report}");
    assert_eq!((&report["fault"], &report["damaged_at_seq"]), (&Value::Null, &Value::Null));
    assert_eq!(report["versions"]["quorate"], env!("CARGO_PKG_VERSION"));
    let voted = report["events"].as_array().into_iter().flatten().find(|event| event["type"] == "vote_cast");
    assert_eq!(voted.expect("a vote")["payload"]["vote"]["score"], "(2)");
    // Neither the question, nor a name, nor what was concluded.
    let conclusion = said["conclusion"].as_str().expect("a conclusion");
    let beginning: String = conclusion.chars().take(20).collect();
    for words in ["Zanzibar", "xylophones", "Dora", &beginning] {
        assert!(!told.out.contains(words), "{words:?} in {}", told.out);
    }
}
