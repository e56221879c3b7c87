//! A meeting controlled from another shell: paused, spoken to and ended through the process that runs it; and
//! shell completions.

use crate::app::{App, meeting_of, of_type};
use crate::served::Served;
use crate::terminal_session::TerminalSession;

const TOPIC: &str = "Which database fits us?";

fn live(app: &App) -> TerminalSession {
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--yes", "--json", "--pace=live"]);
    run.hears("agent_message");
    run
}

#[test]
fn a_meeting_that_runs_in_a_terminal_is_paused_from_another() {
    let app = App::new();
    let run = live(&app);
    app.quorate(&["say", "last", "the data is 40 GB"]).ok();
    app.quorate(&["say", "last", "/table"]).ok().says_out(&["Ada"]);
    app.quorate(&["say", "last", "/nonsense"]).fails(1, &["there is no command /nonsense"]);
    app.quorate(&["pause", "last", "--at-once"]).ok().says(&["the meeting is paused", "quorate resume "]);
    let paused = run.end().ends(3);
    assert_eq!(of_type(&paused.events(), "user_message").len(), 1, "{paused}");
    app.quorate(&["pause", "last"]).ok().says(&["already paused", "quorate resume "]);
    app.quorate(&["end", "last", "decided elsewhere"]).ok().says(&["quorate show "]);
    let report = app.quorate(&["show", "last", "--json"]).ok();
    assert!(report.out.contains("decided elsewhere"), "{report}");
    app.quorate(&["end", "last"]).fails(1, &["over"]);
    app.quorate(&["pause", "nothing"]).fails(1, &["nothing"]);
}

#[test]
fn a_meeting_is_ended_from_another_shell_and_its_own_shows_the_result() {
    let app = App::new();
    let run = live(&app);
    app.quorate(&["end", "last"]).ok();
    let ended = run.end().ok();
    assert_eq!(of_type(&ended.events(), "finished").len(), 1);
}

#[test]
fn a_meeting_of_the_server_is_paused_and_ended_by_name() {
    let app = App::new();
    let served = Served::start(&app, &["--pace", "live"]);
    let meeting = serde_json::json!({ "topic": TOPIC, "simulate": true, "seed": 5 });
    let created = served.caller().post("/meetings", &[], &meeting);
    let id = created.body["id"].as_str().expect("an id").to_owned();
    served.caller().post(&format!("/meetings/{id}/start"), &[], &serde_json::json!({}));
    app.quorate(&["pause", &id, "--at-once"]).ok().says(&["the meeting is paused"]);
    app.quorate(&["end", &id]).ok();
}

#[test]
fn a_meeting_keeps_its_pace_when_it_goes_on_elsewhere() {
    let app = App::new();
    let run = live(&app);
    app.quorate(&["pause", "last", "--at-once"]).ok();
    let id = meeting_of(&run.end().ends(3).out);
    let mut resumed = app.start(&["resume", &id, "--json", "--yes"]);
    resumed.hears("resume");
    let began = std::time::Instant::now();
    resumed.hears("agent_message");
    assert!(began.elapsed() >= std::time::Duration::from_millis(400), "as fast as a person reads");
    app.quorate(&["pause", "last", "--at-once"]).ok();
    resumed.end().ends(3);
    let rules = app.quorate(&["resume", &id, "--json", "--yes", "--pace", "instant"]).ok();
    assert_eq!(of_type(&rules.events(), "rules_changed").len(), 1, "{rules}");
}

#[test]
fn whom_no_locale_describes_is_spoken_to_in_the_topic_s_language() {
    let mut app = App::new();
    app.unset("QUORATE_LANG");
    for lang in ["C", "C.UTF-8", "POSIX", ""] {
        app.set("LANG", lang);
        let english = app.quorate(&["run", "Is SQLite enough?", "--rounds", "many"]).ends(2);
        assert!(english.err.starts_with("error: ") && !english.err.contains("QUORATE_LANG"), "{english}");
        let chinese = app.quorate(&["run", "数据库怎么选", "--rounds", "many"]).ends(2);
        assert!(chinese.err.starts_with("错误：") && !chinese.err.contains("QUORATE_LANG"), "{chinese}");
        let nobody = app.quorate(&["list"]).ok();
        assert!(
            nobody.err.contains("还没有会议") && nobody.err.contains("For English: QUORATE_LANG=en"),
            "{nobody}"
        );
    }
    app.quorate(&["run", "Is SQLite enough?", "--simulate", "--seed", "5", "--rounds", "1", "--yes"]).ok();
    let shown = app.quorate(&["replay", "last", "--speed", "0"]).ends(2);
    assert!(shown.err.starts_with("error: "), "the language of the meeting: {shown}");
    let json = app.quorate(&["list", "--json"]).ok();
    assert_eq!(json.err, "");
}

#[test]
fn a_shell_and_a_manual_know_every_command() {
    let app = App::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = app.quorate(&["completions", shell]).ok();
        assert!(script.out.contains("whatif") && script.out.contains("threshold"), "{shell}");
    }
    assert!(app.quorate(&["man"]).ok().out.contains(".TH"));
    assert!(app.quorate(&["man", "providers", "add"]).ok().out.contains("quorate\\-providers\\-add"));
    app.quorate(&["man", "nothing"]).fails(2, &["there is no command nothing"]);
    let folder = app.path("man");
    app.quorate(&["man", "--out", folder.to_str().expect("a plain path")]).ok();
    for page in ["quorate.1", "quorate-run.1", "quorate-providers-add.1"] {
        assert!(folder.join(page).exists(), "{page}");
    }
    let zh = App::new().with("QUORATE_LANG", "zh");
    zh.quorate(&["help", "run"]).ok().says_out(&["用法：quorate run"]);
    app.quorate(&["help", "agents", "create"]).ok().says_out(&["Usage: quorate agents create"]);
}

#[test]
fn a_hint_carries_the_database_that_was_named() {
    let app = App::new();
    let db = app.path("other.db");
    let db = db.to_str().expect("a plain path");
    app.quorate(&["list", "--db", db]).ok().says(&[&format!("quorate --db {db} run")]);
    app.quorate(&["run", "--simulate", "--db", db]).fails(2, &[&format!("quorate --db {db} run \"")]);
}

#[test]
fn markdown_goes_by_both_names() {
    let app = App::new();
    app.quorate(&["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes"]).ok();
    let [md, markdown] =
        ["md", "markdown"].map(|name| app.quorate(&["export", "last", "--format", name]).ok().out);
    assert!(md.starts_with("# ") && md == markdown);
}
