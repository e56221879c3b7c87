//! A meeting that needs a person: what it asks, how it is answered, in a terminal and without one.

use std::time::Duration;

use serde_json::json;

use crate::house::{House, check_whole, of_type};
use crate::sitting::Sitting;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Which database fits us?";

fn brainstorm(house: &House, more: &[&str]) -> crate::house::Said {
    let args = ["run", TOPIC, "--format", "brainstorm", "--rounds", "1", "--simulate", "--seed", "3"];
    house.quorate(&[&args[..], more].concat())
}

/// A person at a terminal.
fn sits_down(house: &House, args: &[&str]) -> Sitting {
    let mut command = house.command(args);
    command.env("TERM", "xterm-256color");
    Sitting::of_person(command, args)
}

#[test]
fn without_a_terminal_each_question_is_written_down_with_the_command_that_answers_it() {
    let house = House::new();
    brainstorm(&house, &[]).ends(3).says(&["topic  Should the topic change?", "to go on: quorate resume "]);
    let asked = house.quorate(&["resume", "last", "--answer", "more=the data is 40 GB"]).ends(3);
    asked.says(&["Who comes and goes", "team  Do you agree", "--answer team=accept"]);
    let before = house.quorate(&["replay", "last", "--json"]).ok().out;
    house.quorate(&["resume", "last"]).fails(2, &["team  Do you agree", "nothing was changed", "--yes"]);
    house.quorate(&["resume", "last", "--answer", "team=perhaps"]).fails(2, &["accept, reject, again"]);
    house.quorate(&["resume", "last", "--answer", "teem=accept"]).ends(2);
    house
        .quorate(&["resume", "last", "--answer", "team=accept", "--token", "0"])
        .fails(2, &["another pause"]);
    assert_eq!(house.quorate(&["replay", "last", "--json"]).ok().out, before, "nothing was changed");
    house.quorate(&["resume", "last", "--answer", "team=accept"]).ok();
    let log = house.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let resumed = log.events();
    let answers = of_type(&resumed, "resume");
    assert_eq!(answers[0]["payload"]["answers"], json!({ "more": "the data is 40 GB" }));
    assert_eq!(answers[1]["payload"]["answers"]["team"], "accept");
}

#[test]
fn an_answer_can_lie_in_a_file_and_defaults_can_be_taken_later() {
    let house = House::new();
    brainstorm(&house, &["--json"]).ends(3);
    let file = house.write("more.txt", "forty gigabytes, growing");
    house.quorate(&["resume", "last", "--answer", &format!("more=@{file}"), "--yes", "--json"]).ok();
    let log = house.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let events = log.events();
    let first = of_type(&events, "resume")[0];
    assert_eq!(first["payload"]["answers"]["more"], "forty gigabytes, growing");
    assert_eq!(first["payload"]["defaults"][0], "topic");
    assert!(!first["payload"]["defaults"].to_string().contains("more"), "that was answered: {first}");
}

#[test]
fn a_person_is_asked_one_question_after_the_other() {
    let house = House::new();
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
    let mut run = sits_down(&house, &args);
    run.notes("Should the topic change?");
    run.types("Which store fits us?");
    // What the facilitator asks stands between the meeting's own questions.
    run.notes("What has been tried before");
    run.types("");
    run.notes("Is there anything the table should know?");
    run.types("");
    run.notes("the topic is now");
    run.notes("Who comes and goes");
    run.notes("Do you agree");
    run.types("maybe");
    run.notes("choose one of accept, reject, again");
    run.types("1");
    run.notes("Which newcomers are to be left out");
    run.types("Leo");
    run.notes("another proposal");
    run.types("");
    run.end().ok();
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
    let joined: Vec<_> = of_type(&events, "participant_joined");
    assert!(joined.iter().all(|event| event["payload"]["participant"]["name"] != "Leo"), "{joined:?}");
    assert_eq!(of_type(&events, "topic_changed")[0]["payload"]["topic"], "Which store fits us?");
}

#[test]
fn a_person_pauses_speaks_removes_adds_and_goes_on() {
    let house = House::new();
    let slow = ["--rounds", "2", "--simulate", "--seed", "3", "--pace", "live"];
    let args = [&["run", TOPIC, "--format", "discussion", "-p", "Ada,Ben,Cid"], &slow[..]].concat();
    let mut run = sits_down(&house, &args);
    run.notes("Round 1");
    run.types("/pause");
    run.notes("the meeting rests: speak, or /add");
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
    run.end().ends(3).says(&["to go on: quorate resume "]);
    house.quorate(&["resume", "last", "--yes", "--pace", "instant"]).ok();
    let log = house.quorate(&["replay", "last", "--json"]).ok();
    check_whole(&log.out);
    let events = log.events();
    assert_eq!(of_type(&events, "participant_left").len(), 1);
    assert_eq!(of_type(&events, "participant_invited").len(), 1);
    assert_eq!(of_type(&events, "participant_joined").len(), 4);
}

#[test]
fn the_host_is_a_person_who_answers_from_a_script() {
    let house = House::new();
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
    house.quorate(&args).ends(3).says(&["message  Speak as the host", "--answer message='ANSWER'"]);
    house
        .quorate(&["resume", "last", "--answer", "message=what now"])
        .fails(2, &["it mentions nobody", "@Ada"]);
    let run = house.quorate(&["resume", "last", "--answer", "message=@Ben what do you say?", "--json"]).ok();
    let events = run.events();
    let turns = of_type(&events, "speaker_selected");
    assert!(!turns.is_empty() && turns.iter().all(|event| event["payload"]["participant"] == "p2"), "{run}");
}

#[test]
fn agents_who_say_nothing_new_are_stopped() {
    let house = House::new();
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
    house.quorate(&args).ends(3).says(&["nothing new is said", "next  Go on, or end?"]);
    house.quorate(&["resume", "last", "--answer", "next=end", "--json"]).ok();
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
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
    let house = House::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let args = ["run", TOPIC, "--format", "decision", "-p", "Ada,Ben", "--rounds", "1"];
    house.quorate(&args).ends(3).says(&[
        "size  How many gigabytes?",
        "why: it decides",
        "--answer size='ANSWER'",
    ]);
    house.quorate(&["resume", "last"]).fails(2, &["How many gigabytes?"]);
    house.quorate(&["resume", "last", "--answer", "size=many"]).fails(2, &["is not a number"]);
    house.quorate(&["resume", "last", "--answer", "size=40", "--yes"]).ok();
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
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
    let house = House::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let args = ["run", TOPIC, "--format", "discussion", "-p", "Ada,Ben", "--rounds", "1"];
    let paused = house.quorate(&args).ends(3);
    paused.says(&["did not pass the gate", "words that nobody said", "--answer gate=by_rules"]);
    let asked = vendor.heard().iter().filter(|heard| heard.purpose() == "minutes").count();
    assert_eq!(asked, 2, "it was asked once more");
    house.quorate(&["resume", "last", "--answer", "gate=retry"]).ends(3);
    house.quorate(&["resume", "last", "--answer", "gate=by_rules"]).ok();
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
    assert_eq!(of_type(&events, "minutes_written")[0]["payload"]["author"], "rules");
}

#[test]
fn who_takes_too_long_is_passed_over_without_a_word_where_skips_are_not_shown() {
    let vendor = Vendor::of(|heard| match heard.purpose() == "prose" && heard.words().contains("Ben") {
        true if heard.messages()[0]["content"].to_string().contains("Ben") => {
            Answer::Thinking(Box::new(Answer::Whole(sensible(heard))))
        }
        _ => Answer::Whole(sensible(heard)),
    });
    let house = House::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
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
    let run = house.quorate(&args);
    assert!(began.elapsed() < Duration::from_secs(30));
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
    let late = of_type(&events, "turn_skipped");
    assert!(late.iter().any(|event| event["payload"]["because"] == "timed_out"), "{run}");
    assert!(!run.err.contains("took too long"), "{run}");
    vendor.goes_on();
}

#[test]
fn questions_and_refusals_are_told_in_chinese() {
    let house = House::new().with("QUORATE_LANG", "zh");
    let args =
        ["run", "我们用哪种数据库？", "--format", "brainstorm", "--rounds", "1", "--simulate", "--seed", "3"];
    let paused = house.quorate(&args).ends(3);
    paused.says(&["topic  讨论主题需要调整吗", "可以不答", "继续会议： quorate resume "]);
    let refused = house.quorate(&["resume", "last", "--answer", "nobody=1"]).ends(2);
    refused.says(&["没有问过“nobody”", "问题有：topic、"]);
    house.quorate(&["say", "last", "/remove 张三"]).ends(1).says(&["会上没有参会者“张三”"]);
    house.quorate(&["say", "last", "/remov 张三"]).ends(2).says(&["没有命令 /remov", "/remove"]);
    house.quorate(&["say", "last", "/minutes"]).ends(1).says(&["还没有可以记录的内容"]);
    assert!(house.quorate(&["say", "last", "/help"]).ok().out.contains("请某人离开，发言保留"));
}

#[test]
fn marks_are_seen_by_people_and_only_when_they_ask_or_at_the_end() {
    let house = House::new();
    let run = brainstorm(&house, &["--yes"]).ok();
    let ended = run.err.find("the discussion is complete").expect("it ended");
    let marks = run.err.find("Marks").expect("marks are shown");
    assert!(marks > ended, "not before the end: {run}");
    assert!(house.quorate(&["show", "last", "--marks"]).ok().out.contains("/10"));
    let marks = house.quorate(&["show", "last", "--marks", "--json"]).ok().json();
    assert!(marks[0]["marks"].as_array().is_some_and(|marks| !marks.is_empty()), "{marks}");
}
