//! All formats, from the command line to the last event.

use crate::app::{App, check_whole, of_type};

const FORMATS: [&str; 5] = ["consensus", "discussion", "decision", "room", "brainstorm"];
const TOPICS: [&str; 2] = ["Which database fits us?", "我们用哪种数据库？"];

#[test]
fn every_format_reaches_its_end_when_defaults_hold() {
    let app = App::new();
    for format in FORMATS {
        for topic in TOPICS {
            let simulated = ["--rounds", "2", "--simulate", "--seed", "3", "--yes", "--json"];
            let args = [&["run", topic, "--format", format], &simulated[..]].concat();
            let run = app.quorate(&args).ok();
            check_whole(&run.out);
            let events = run.events();
            assert_eq!(events[0]["payload"]["format"], format);
            assert!(of_type(&events, "round_started").len() >= 2, "{format}: {run}");
            assert_eq!(of_type(&events, "pause").len(), of_type(&events, "resume").len(), "{format}");
        }
    }
}

#[test]
fn every_format_reaches_its_end_with_a_host_and_without_a_facilitator() {
    let app = App::new();
    for format in FORMATS {
        for how in [&["--host"][..], &["--no-facilitator"], &["--host=Ada", "-p", "Ada,Ben"]] {
            let simulated = ["--rounds", "2", "--simulate", "--seed", "3", "--yes", "--json"];
            let args = [&["run", TOPICS[0], "--format", format], how, &simulated].concat();
            let run = app.quorate(&args).ok();
            check_whole(&run.out);
            let hosted = run.out.contains("awaiting_host");
            assert_eq!(hosted, how == ["--host"], "{format} {how:?}");
        }
    }
}

#[test]
fn how_a_meeting_is_held_is_heard() {
    let app = App::new();
    let args = [
        "run",
        TOPICS[0],
        "--format",
        "discussion",
        "-p",
        "Ada,Ben",
        "--moderator",
        "Ben",
        "--agenda",
        "Volume",
        "--agenda",
        "Cost: per month",
        "--style",
        "debate",
        "--length",
        "Ada=brief",
        "--artifact",
        "adr",
        "--announce",
        "we end at noon",
        "--agents-only",
        "--set",
        "turns.timeout_ms=2000",
        "--set",
        "limits.rounds_stale=3",
        "--rounds",
        "1",
        "--simulate",
        "--seed",
        "3",
        "--yes",
        "--json",
    ];
    let events = app.quorate(&args).ok().events();
    let created = &events[0]["payload"];
    assert_eq!(created["moderator"], serde_json::json!({ "type": "agent", "id": "p2" }));
    let rules = &created["rules"];
    assert_eq!(rules["talk"], serde_json::json!({ "style": "debate", "lengths": { "Ada": "brief" } }));
    assert_eq!(rules["closing"]["artifacts"], serde_json::json!(["ADR"]));
    assert_eq!(rules["turns"]["people_may_speak"], false);
    assert_eq!(rules["turns"]["timeout_ms"], 2000);
    assert_eq!(rules["limits"]["rounds_stale"], 3);
    let agenda: Vec<_> =
        of_type(&events, "agenda_changed").iter().map(|e| e["payload"]["item"].clone()).collect();
    assert_eq!(agenda[1]["title"], "Cost");
    assert_eq!(agenda[1]["description"], "per month");
    assert_eq!(of_type(&events, "announcement_published")[0]["payload"]["text"], "we end at noon");
    assert!(!of_type(&events, "artifact_written").is_empty());
}

#[test]
fn a_team_has_the_size_that_was_asked_for_and_names_leave_no_room_for_one() {
    let app = App::new();
    let simulated = ["--rounds", "1", "--simulate", "--seed", "3", "--yes", "--json"];
    let brainstorm = ["run", TOPICS[0], "--format", "brainstorm"];
    let team = app.quorate(&[&brainstorm[..], &["--team", "2"], &simulated].concat()).ok().events();
    assert_eq!(of_type(&team, "participant_joined").len(), 2);
    let offers = team[0]["payload"]["models"].as_array().expect("offers").len();
    assert_eq!(offers, 4, "four characters that a simulated team can be given");
    let named = app.quorate(&[&brainstorm[..], &["-p", "Ada,Ben"], &simulated].concat()).ok().events();
    let first = of_type(&named, "round_started")[0]["payload"]["order"].clone();
    assert_eq!(first, serde_json::json!(["p1", "p2"]), "nobody else was asked to come");
}

#[test]
fn what_cannot_be_is_refused_with_what_could() {
    let app = App::new();
    let run = |more: &[&str]| app.quorate(&[&["run", TOPICS[0], "--simulate", "--yes"], more].concat());
    run(&["--set", "turn.timeout=3"]).fails(2, &["there is no rule \"turn.timeout\"", "turns.timeout_ms"]);
    run(&["--set", "turns.timeout_ms=soon"]).fails(2, &["turns.timeout_ms cannot be \"soon\""]);
    run(&["--set", "turns.timeout_ms"]).fails(2, &["is not KEY=VALUE"]);
    run(&["--length", "Ada=endless", "-p", "Ada,Ben"]).fails(2, &["there is no length \"endless\"", "brief"]);
    run(&["--moderator", "Zoe", "-p", "Ada,Ben"]).fails(2, &["\"Zoe\" is not at the table", "Ada, Ben"]);
    run(&["--team", "2", "-p", "Ada,Ben"]).ends(2);
    assert!(!app.db().exists() || app.quorate(&["list"]).ok().out.is_empty(), "nothing was begun");
}

#[test]
fn a_file_says_who_leads_what_about_and_with_which_models() {
    let app = App::new();
    let file = app.write(
        "meeting.toml",
        r#"topic = "Which database fits us?"
format = "brainstorm"
simulate = true
moderator = "Ben"

[[agenda]]
title = "Volume"
description = "now and later"

[[participants]]
name = "Ada"
[[participants]]
name = "Ben"

[rules.roster]
approve = false
leave_below = 0
[rules.talk]
lengths = { Ada = "brief" }
[rules.closing]
artifacts = ["SUMMARY"]
"#,
    );
    let args = ["run", "--config", &file, "--rounds", "1", "--yes", "--json"];
    let events = app.quorate(&args).ok().events();
    assert_eq!(events[0]["payload"]["moderator"]["id"], "p2");
    assert_eq!(events[0]["payload"]["rules"]["roster"]["approve"], false);
    assert_eq!(of_type(&events, "agenda_changed")[0]["payload"]["item"]["description"], "now and later");
    let wrong = app.write("wrong.toml", "topic = \"t\"\n[rules.roster]\nteam_size = 40\n");
    app.quorate(&["run", "--config", &wrong, "--simulate", "--yes"]).fails(2, &["wrong.toml:3:1", "1 to 16"]);
}
