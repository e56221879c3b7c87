//! A meeting that needs a person: what it asks, how it is answered, in a terminal and without one.

use std::time::Duration;

use serde_json::json;

use crate::app::{App, check_whole, of_type};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Which database fits us?";

fn brainstorm(app: &App, more: &[&str]) -> crate::app::Said {
    let args = ["run", TOPIC, "--format", "brainstorm", "--rounds", "1", "--simulate", "--seed", "3"];
    app.quorate(&[&args[..], more].concat())
}

/// A person at a terminal.
fn sits_down(app: &App, args: &[&str]) -> TerminalSession {
    let mut command = app.command(args);
    command.env("TERM", "xterm-256color");
    TerminalSession::of_person(command, args)
}

#[test]
fn without_a_terminal_each_question_is_written_down_with_the_command_that_answers_it() {
    let app = App::new();
    brainstorm(&app, &[]).ends(3).says(&["topic  New topic", "to continue: quorate resume "]);
    let asked = app.quorate(&["resume", "last", "--answer", "more=the data is 40 GB"]).ends(3);
    asked.says(&["Who comes and goes", "team  Do you agree", "--answer team=accept"]);
    let before = app.quorate(&["replay", "last", "--json"]).ok().out;
    app.quorate(&["resume", "last"]).fails(2, &["team  Do you agree", "nothing was changed", "--yes"]);
    app.quorate(&["resume", "last", "--answer", "team=perhaps"]).fails(2, &["accept, reject, again"]);
    app.quorate(&["resume", "last", "--answer", "teem=accept"]).ends(2);
    app.quorate(&["resume", "last", "--answer", "team=accept", "--token", "0"]).fails(2, &["another pause"]);
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, before, "nothing was changed");
    app.quorate(&["resume", "last", "--answer", "team=accept"]).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let resumed = log.events();
    let answers = of_type(&resumed, "resume");
    assert_eq!(answers[0]["payload"]["answers"], json!({ "more": "the data is 40 GB" }));
    assert_eq!(answers[1]["payload"]["answers"]["team"], "accept");
}

#[test]
fn an_answer_can_lie_in_a_file_and_defaults_can_be_taken_later() {
    let app = App::new();
    brainstorm(&app, &["--json"]).ends(3);
    let file = app.write("more.txt", "forty gigabytes, growing");
    app.quorate(&["resume", "last", "--answer", &format!("more=@{file}"), "--yes", "--json"]).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let events = log.events();
    let first = of_type(&events, "resume")[0];
    assert_eq!(first["payload"]["answers"]["more"], "forty gigabytes, growing");
    assert_eq!(first["payload"]["defaults"][0], "topic");
    assert!(!first["payload"]["defaults"].to_string().contains("more"), "that was answered: {first}");
}

#[test]
fn a_person_is_asked_one_question_after_the_other() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "--format",
        "brainstorm",
        "--rounds",
        "1",
        "--simulate",
        "--seed",
        "3",
        "--pace",
        "instant",
    ];
    let mut run = sits_down(&app, &args);
    run.notes("New topic");
    run.types("Which store fits us?");
    // What the facilitator asks stands between the meeting's own questions.
    run.notes("What has been tried before");
    run.types("");
    run.notes("Is there anything the participants should know?");
    run.types("");
    run.notes("the topic is now");
    run.notes("Who comes and goes");
    run.notes("Do you agree");
    run.types("maybe");
    run.notes("choose one of accept, reject, propose again");
    run.types("1");
    run.notes("Which newcomers are to be left out");
    run.types("Leo");
    run.notes("another proposal");
    run.types("");
    run.end().ok();
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    let joined: Vec<_> = of_type(&events, "participant_joined");
    assert!(joined.iter().all(|event| event["payload"]["participant"]["name"] != "Leo"), "{joined:?}");
    assert_eq!(of_type(&events, "topic_changed")[0]["payload"]["topic"], "Which store fits us?");
}

#[test]
fn a_person_pauses_speaks_removes_adds_and_goes_on() {
    let app = App::new();
    let slow = ["--rounds", "2", "--simulate", "--seed", "3", "--pace", "live"];
    let args = [&["run", TOPIC, "--format", "discussion", "-p", "Ada,Ben,Cid"], &slow[..]].concat();
    let mut run = sits_down(&app, &args);
    run.notes("Round 1");
    run.types("/pause");
    run.notes("Meeting paused: speak, or /add");
    run.types("the data is 40 GB");
    run.notes("the data is 40 GB");
    run.types("/remove Cid");
    run.notes("leaves");
    run.types("/add somebody who knows about backups");
    run.notes("joins");
    run.types("/agenda add Backups: how often");
    run.notes("a1 Backups");
    run.types("/agenda");
    run.notes("Backups: how often");
    run.types("/quit");
    run.end().ends(3).says(&["to continue: quorate resume "]);
    app.quorate(&["resume", "last", "--yes", "--pace", "instant"]).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let events = log.events();
    assert_eq!(of_type(&events, "participant_left").len(), 1);
    assert_eq!(of_type(&events, "participant_invited").len(), 1);
    assert_eq!(of_type(&events, "participant_joined").len(), 4);
}

#[test]
fn the_host_is_a_person_who_answers_from_a_script() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "--format",
        "room",
        "-p",
        "Ada,Ben",
        "--host",
        "--rounds",
        "1",
        "--simulate",
        "--seed",
        "3",
    ];
    app.quorate(&args).ends(3).says(&["message  Speak as the host", "--answer message='ANSWER'"]);
    app.quorate(&["resume", "last", "--answer", "message=what now"])
        .fails(2, &["it mentions nobody", "@Ada"]);
    let run = app.quorate(&["resume", "last", "--answer", "message=@Ben what do you say?", "--json"]).ok();
    let events = run.events();
    let turns = of_type(&events, "speaker_selected");
    assert!(!turns.is_empty() && turns.iter().all(|event| event["payload"]["participant"] == "p2"), "{run}");
}

#[test]
fn agents_who_say_nothing_new_are_stopped() {
    let app = App::new();
    let args = [
        "run",
        TOPIC,
        "--format",
        "room",
        "-p",
        "Ada,Ben",
        "--set",
        "limits.rounds_alone=1",
        "--rounds",
        "5",
        "--simulate",
        "--seed",
        "3",
    ];
    app.quorate(&args).ends(3).says(&["nothing new is said", "next  Continue, or end?"]);
    app.quorate(&["resume", "last", "--answer", "next=end", "--json"]).ok();
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(of_type(&events, "round_started").len(), 1);
    assert_eq!(events.last().expect("an event")["payload"]["outcome"], "completed");
}

#[test]
fn what_is_missing_is_asked_before_a_decision() {
    let vendor = Vendor::of(|heard| {
        match heard.purpose() {
        "questions" | "intake" => Answer::Whole(
            json!({ "questions": [
                { "key": "size", "ask": "How many gigabytes?", "why": "it decides", "required": true, "kind": "number" }
            ] })
            .to_string(),
        ),
        _ => Answer::Whole(sensible(heard)),
    }
    });
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let args = ["run", TOPIC, "--format", "decision", "-p", "Ada,Ben", "--rounds", "1"];
    app.quorate(&args).ends(3).says(&[
        "size  How many gigabytes?",
        "why: it decides",
        "--answer size='ANSWER'",
    ]);
    app.quorate(&["resume", "last"]).fails(2, &["How many gigabytes?"]);
    app.quorate(&["resume", "last", "--answer", "size=many"]).fails(2, &["is not a number"]);
    app.quorate(&["resume", "last", "--answer", "size=40", "--yes"]).ok();
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(of_type(&events, "resume")[0]["payload"]["answers"], json!({ "size": 40.0 }));
}

#[test]
fn a_false_quote_does_not_pass_and_the_rules_can_write_instead() {
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "minutes" => Answer::Whole(
            json!({ "content": "They met.", "summary": "", "decisions": [
                { "text": "use it", "sources": ["m1"], "quote": "words that nobody said" }
            ], "actions": [], "risks": [] })
            .to_string(),
        ),
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let args = ["run", TOPIC, "--format", "discussion", "-p", "Ada,Ben", "--rounds", "1"];
    let paused = app.quorate(&args).ends(3);
    paused.says(&["did not pass the gate", "words that nobody said", "--answer gate=by_rules"]);
    let asked = vendor.heard().iter().filter(|heard| heard.purpose() == "minutes").count();
    assert_eq!(asked, 2, "it was asked once more");
    app.quorate(&["resume", "last", "--answer", "gate=retry"]).ends(3);
    app.quorate(&["resume", "last", "--answer", "gate=by_rules"]).ok();
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(of_type(&events, "minutes_written")[0]["payload"]["author"]["kind"], "system");
}

#[test]
fn who_takes_too_long_is_passed_over_without_a_word_where_skips_are_not_shown() {
    let vendor = Vendor::of(|heard| match heard.purpose() == "prose" && heard.words().contains("Ben") {
        true if heard.messages()[0]["content"].to_string().contains("Ben") => {
            Answer::Thinking(Box::new(Answer::Whole(sensible(heard))))
        }
        _ => Answer::Whole(sensible(heard)),
    });
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let args = [
        "run",
        TOPIC,
        "--format",
        "room",
        "-p",
        "Ada,Ben",
        "--rounds",
        "1",
        "--yes",
        "--set",
        "turns.timeout_ms=300",
        "--no-facilitator",
    ];
    let began = std::time::Instant::now();
    let run = app.quorate(&args);
    assert!(began.elapsed() < Duration::from_secs(30));
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    let late = of_type(&events, "turn_skipped");
    assert!(late.iter().any(|event| event["payload"]["reason"] == "timed_out"), "{run}");
    assert!(!run.err.contains("took too long"), "{run}");
    vendor.goes_on();
}

#[test]
fn questions_and_refusals_are_told_in_chinese() {
    let app = App::new().with("QUORATE_LANG", "zh");
    let args =
        ["run", "我们用哪种数据库？", "--format", "brainstorm", "--rounds", "1", "--simulate", "--seed", "3"];
    let paused = app.quorate(&args).ends(3);
    paused.says(&["topic  新的讨论主题（留空则不变）", "可以不答", "继续会议：quorate resume "]);
    let refused = app.quorate(&["resume", "last", "--answer", "nobody=1"]).ends(2);
    refused.says(&["没有问过“nobody”", "问题有：topic、"]);
    app.quorate(&["say", "last", "/remove 张三"]).ends(1).says(&["会上没有参会者“张三”"]);
    app.quorate(&["say", "last", "/remov 张三"]).ends(2).says(&["没有命令 /remov", "/remove"]);
    app.quorate(&["say", "last", "/minutes"]).ends(1).says(&["还没有可以记录的内容"]);
    assert!(app.quorate(&["say", "last", "/help"]).ok().out.contains("请参会者离席，发言保留"));
}

#[test]
fn marks_are_seen_by_people_and_only_when_they_ask_or_at_the_end() {
    let app = App::new();
    let run = brainstorm(&app, &["--yes"]).ok();
    let ended = run.err.find("the discussion is complete").expect("it ended");
    let marks = run.err.find("Marks").expect("marks are shown");
    assert!(marks > ended, "not before the end: {run}");
    assert!(app.quorate(&["show", "last", "--marks"]).ok().out.contains("/10"));
    let marks = app.quorate(&["show", "last", "--marks", "--json"]).ok().json();
    assert!(marks[0]["marks"].as_array().is_some_and(|marks| !marks.is_empty()), "{marks}");
}
