//! Messages to a paused meeting, and its minutes.

use serde_json::json;

use crate::app::{App, check_whole, of_type};

const TOPIC: &str = "Which database fits us?";

/// No facilitator: the rules write requested records.
const RESTING: [&str; 14] = [
    "run",
    TOPIC,
    "--format=room",
    "-p=Ada,Ben,Cid",
    "--set",
    "limits.rounds_alone=1",
    "--rounds",
    "3",
    "--simulate",
    "--seed",
    "3",
    "--no-facilitator",
    "--json",
    "--pace=instant",
];

/// A meeting that rests after its first round.
fn rests(app: &App) {
    app.quorate(&RESTING).ends(3);
}

fn log(app: &App) -> Vec<serde_json::Value> {
    app.quorate(&["replay", "last", "--json"]).ok().events()
}

#[test]
fn an_agent_of_the_library_is_asked_for_by_name() {
    let app = App::new();
    let agent = ["agents", "create", "--name", "Dora", "--role", "Keeper", "--description", "Minds backups."];
    app.quorate(&[&agent[..], &["--temperament", "stubborn"]].concat()).ok();
    rests(&app);
    app.quorate(&["say", "last", "/add Dora"]).ok().says(&["Dora"]);
    let joined = of_type(&log(&app), "participant_joined")[3]["payload"]["participant"].clone();
    assert_eq!(joined["role"]["description"], "Minds backups.");
    assert!(of_type(&log(&app), "participant_invited").is_empty(), "nobody had to be thought up");
}

#[test]
fn a_meeting_that_rests_is_told_things_and_goes_on_resting() {
    let app = App::new();
    rests(&app);
    let lines = [
        "the data is 40 GB",
        "/remove Cid",
        "/away Ben",
        "/topic Which store fits us?",
        "/announce lunch at noon",
        "/style casual",
        "/length Ada brief",
        "/rounds 2",
        "/people on",
        "/set turns.may_skip=false",
        "/agenda add Backups: how often",
        "/agenda add Cost",
        "/agenda done a1",
        "/agenda undo a1",
        "/agenda remove a2",
        "/back Ben",
        "/add somebody who knows about backups",
    ];
    let said = app.quorate(&[&["say", "last"], &lines[..]].concat()).ok();
    said.says(&["the data is 40 GB", "leaves", "Announcement", "talk.style", "agenda +"]);
    let events = log(&app);
    for kind in [
        "user_message",
        "participant_left",
        "presence_changed",
        "topic_changed",
        "rules_changed",
        "agenda_changed",
        "participant_invited",
    ] {
        assert!(!of_type(&events, kind).is_empty(), "{kind}");
    }
    assert_eq!(of_type(&events, "agenda_changed").len(), 5);
    assert_eq!(of_type(&events, "participant_joined").len(), 4, "the newcomer was found while it rests");
    assert!(of_type(&events, "resume").is_empty(), "it goes on resting");
    app.quorate(&["resume", "last", "--yes"]).ok();
    check_whole(&app.quorate(&["replay", "last", "--json"]).ok().out);
}

#[test]
fn lists_are_printed_and_change_nothing() {
    let app = App::new();
    rests(&app);
    let before = log(&app).len();
    assert!(app.quorate(&["say", "last", "/table"]).ok().out.contains("Ada"));
    assert!(app.quorate(&["say", "last", "/agenda"]).ok().out.contains("the agenda is empty"));
    assert!(app.quorate(&["say", "last", "/ideas"]).ok().out.contains("there are no ideas yet"));
    assert!(app.quorate(&["say", "last", "/help"]).ok().out.contains("/artifact ADR|TASKS|RISKS"));
    assert!(app.quorate(&["say", "last", "/questions"]).ok().out.contains("Continue, or end?"));
    assert_eq!(log(&app).len(), before);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let app = App::new();
    rests(&app);
    app.quorate(&["say", "last", "/remov Ada"]).fails(2, &["there is no command /remov", "/remove"]);
    app.quorate(&["say", "last", "/remove"]).fails(2, &["/remove lacks something", "/remove NAME"]);
    app.quorate(&["say", "last", "/remove Zoe"]).fails(1, &["no participant \"Zoe\"", "Ada, Ben, Cid"]);
    app.quorate(&["say", "last", "/artifact essay"]).fails(2, &["ADR, TASKS, RISKS"]);
    app.quorate(&["say", "last", "/agenda done a9"]).fails(1, &["no item \"a9\""]);
    app.quorate(&["say", "nobody", "hello"]).ends(1);
}

#[test]
fn an_answer_is_given_and_the_meeting_runs_to_its_next_rest() {
    let app = App::new();
    rests(&app);
    app.quorate(&["say", "last", "/answer next=end"]).ok();
    check_whole(&app.quorate(&["replay", "last", "--json"]).ok().out);
    app.quorate(&["say", "last", "hello"]).fails(1, &["the meeting is over", "fork"]);
}

#[test]
fn minutes_are_written_shown_edited_and_compared() {
    let app = App::new();
    rests(&app);
    app.quorate(&["minutes", "last"]).fails(1, &["no minutes yet", "/minutes"]);
    app.quorate(&["say", "last", "/minutes the costs"]).ok();
    let shown = app.quorate(&["minutes", "last"]).ok().out;
    assert!(shown.starts_with("# Record\n") && shown.contains("\n# Decisions\n"), "{shown}");
    let edited = shown.replacen("# Decisions\n", "# Decisions\n\n- Use SQLite\n  from: m1\n", 1);
    let file = app.write("minutes.md", &edited);
    app.quorate(&["minutes", "last", "--edit", &file]).ok();
    let second = app.quorate(&["minutes", "last", "--json"]).ok().json();
    assert_eq!(
        (&second["version"], &second["author"]),
        (&json!(2), &json!({ "kind": "person", "id": "owner", "name": "owner" }))
    );
    let decisions = second["minutes"]["decisions"].as_array().expect("a list").clone();
    assert_eq!(decisions[0]["text"], "Use SQLite");
    let diff = app.quorate(&["minutes", "last", "--diff", "1", "2"]).ok().out;
    assert!(diff.contains("+ - Use SQLite"), "{diff}");
    assert_eq!(app.quorate(&["minutes", "last", "--version", "1"]).ok().out, shown);
    app.quorate(&["minutes", "last", "--version", "7"]).fails(1, &["these versions exist: 1, 2"]);
    app.quorate(&["minutes", "last", "--edit", &file]).ok().says(&["nothing was changed"]);
    let lie =
        app.write("lie.md", "# Record\nx\n# Decisions\n- y\n  from: m1\n  quote: nobody said this at all\n");
    app.quorate(&["minutes", "last", "--edit", &lie]).fails(2, &["quotes words that are in none"]);
    let broken = app.write("broken.md", "# Record\nx\n# Decisions\nno item\n");
    app.quorate(&["minutes", "last", "--edit", &broken]).fails(2, &["line 4", "an item begins with"]);
    app.quorate(&["minutes", "last", "--edit"]).fails(2, &["no editor"]);
}
