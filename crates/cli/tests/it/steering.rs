//! Input while the meeting runs.

use crate::app::{App, check_whole, of_type};
use crate::terminal_session::TerminalSession;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// A vendor that takes its time over one kind of task, until it is let go on.
fn slow_at(purpose: &'static str) -> Vendor {
    Vendor::of(move |heard| match heard.purpose() == purpose {
        true => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        false => Answer::Whole(sensible(heard)),
    })
}

/// Three models at a table, in two rounds at most.
fn begin(app: &mut App, vendor: &Vendor, topic: &str) -> TerminalSession {
    app.set("OPENAI_BASE_URL", vendor.url("/v1"));
    app.start(&["run", topic, "--participants", "Ada,Ben,Cid", "--rounds", "2", "--json"])
}

/// As [`begin`], up to the moment when the first participant of round 1 is being asked.
fn at_the_first_turn(app: &mut App, vendor: &Vendor) -> TerminalSession {
    let mut run = begin(app, vendor, TOPIC);
    run.hears_that("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    run
}

#[track_caller]
fn ends_well(app: &App, run: TerminalSession) -> Vec<serde_json::Value> {
    let run = run.end().ok();
    check_whole(&run.out);
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, run.out);
    run.events()
}

#[test]
fn a_word_during_a_ballot_interrupts_it_and_becomes_the_focus() {
    let (mut app, vendor) = (App::new(), slow_at("vote"));
    let mut run = begin(&mut app, &vendor, TOPIC);
    run.hears("ballot_opened");
    vendor.is_asked_for("vote");
    run.types("  And what about backups, @Ben?  ");
    let said = run.hears("user_message");
    assert_eq!(said["payload"]["message"]["content"], "And what about backups, @Ben?");
    assert_eq!(said["payload"]["mentions"], serde_json::json!(["p2"]));
    assert_eq!(said["actor"], serde_json::json!({ "kind": "person", "id": "owner", "name": "owner" }));
    assert_eq!(run.hears("ballot_interrupted")["payload"]["by"], said["payload"]["message_id"]);
    let round = run.hears("round_started");
    assert_eq!(round["payload"]["focus"], serde_json::json!(["And what about backups, @Ben?"]));
    vendor.goes_on();
    let events = ends_well(&app, run);
    assert_eq!(of_type(&events, "vote_cast").len(), 3, "the second ballot alone was counted");
    assert_eq!(events.last().expect("an event")["payload"]["ballot"], "b2");
    let read = vendor.heard().iter().filter(|heard| heard.words().contains("what about backups")).count();
    assert!(read >= 3, "whoever spoke after it has read it");
}

#[test]
fn a_word_during_a_round_is_read_by_whoever_speaks_next() {
    let (mut app, vendor) = (App::new(), slow_at("prose"));
    let mut run = at_the_first_turn(&mut app, &vendor);
    run.types("the data is 40 GB");
    run.types("/etc/quorate.toml is where it is set");
    run.hears("user_message");
    let second = run.hears("user_message");
    assert_eq!(second["payload"]["message"]["content"], "/etc/quorate.toml is where it is set", "no command");
    vendor.goes_on();
    ends_well(&app, run);
    let heard = vendor.heard();
    let turns: Vec<_> = heard.iter().filter(|heard| heard.purpose() == "prose").collect();
    assert!(!turns[0].words().contains("40 GB") && turns[1].words().contains("40 GB"));
    assert!(turns[2].words().contains("/etc/quorate.toml"));
}

#[test]
fn the_floor_is_given_to_whom_the_person_names() {
    let (mut app, vendor) = (App::new(), slow_at("prose"));
    let mut run = at_the_first_turn(&mut app, &vendor);
    run.types("/next Zoe");
    let refused = run.notes("there is no participant \"Zoe\" at the table");
    assert!(["Ada", "Ben", "Cid"].iter().all(|name| refused.contains(name)), "who there is: {refused}");
    let requested = |run: &mut TerminalSession, line: &str| {
        run.types(line);
        run.hears("speaker_requested")["payload"]["participant"].clone()
    };
    let last = requested(&mut run, "/next @Cid");
    vendor.goes_on();
    let next = run.hears("speaker_selected");
    assert_eq!((&next["payload"]["participant"], &next["payload"]["why"]), (&last, &"requested".into()));
    let events = ends_well(&app, run);
    let turns = of_type(&events, "agent_message");
    let by = |participant| {
        turns
            .iter()
            .filter(|e| e["payload"]["participant"] == participant && e["payload"]["round"] == 1)
            .count()
    };
    assert!(by("p1") == 1 && by("p2") == 1 && by("p3") >= 1, "nobody lost a turn by it");
}

#[test]
fn a_command_that_does_not_fit_now_is_refused_and_the_meeting_goes_on() {
    let (mut app, vendor) = (App::new(), slow_at("vote"));
    let mut run = begin(&mut app, &vendor, TOPIC);
    run.hears("ballot_opened");
    run.types("/next Ada");
    run.notes("nobody can be called up while the table votes");
    run.types("/ballot");
    run.notes("there is no command /ballot");
    run.types("/remov Ada");
    let near = run.notes("there is no command /remov");
    assert!(near.contains("near it: /remove") && near.contains("/help"), "{near}");
    run.types("/help");
    run.notes("commands: /pause, /end, /next NAME; anything else is said to the table");
    run.types(&"long ".repeat(2001));
    run.notes("shorten it to 10000 characters");
    run.types("   ");
    vendor.goes_on();
    let events = ends_well(&app, run);
    assert!(of_type(&events, "user_message").is_empty(), "nothing of it was said");
    assert_eq!(events.last().expect("an event")["payload"]["outcome"], "accepted");
}

#[test]
fn help_is_given_in_the_language_of_the_reader() {
    let (mut app, vendor) = (App::new().with("QUORATE_LANG", "zh"), slow_at("vote"));
    let mut run = begin(&mut app, &vendor, TOPIC);
    run.hears("ballot_opened");
    run.types("/帮助");
    run.notes("可用的命令：/pause 暂停，/end 结束");
    vendor.goes_on();
    ends_well(&app, run);
}

#[test]
fn a_typed_pause_waits_for_the_speaker_and_can_be_resumed() {
    let (mut app, vendor) = (App::new(), slow_at("prose"));
    let mut run = at_the_first_turn(&mut app, &vendor);
    run.types("/pause");
    run.hears("pause_requested");
    vendor.goes_on();
    let paused = run.end().ends(3).says(&["to continue: quorate resume "]);
    let events = paused.events();
    let kinds: Vec<&str> = events.iter().rev().take(2).filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds, ["pause", "agent_message"], "the speaker could finish");
    let resumed = app.quorate(&["resume", "last", "--json"]).ok();
    let log = app.quorate(&["replay", "last", "--json"]).ok().out;
    check_whole(&log);
    assert_eq!(paused.out + &resumed.out, log);
}

#[test]
fn a_typed_end_gives_the_best_conclusion_there_is() {
    let (mut app, vendor) = (App::new(), slow_at("prose"));
    let mut run = at_the_first_turn(&mut app, &vendor);
    run.types("/end  we have to leave");
    run.hears("end_requested");
    let events = ends_well(&app, run);
    let finished = &events.last().expect("an event")["payload"];
    assert_eq!((&finished["outcome"], &finished["reason"]), (&"aborted".into(), &"user".into()));
    assert_eq!(finished["note"], "we have to leave");
    assert_eq!(of_type(&events, "conclusion_written").len(), 1);
    let cancelled = of_type(&events, "call_ended");
    assert!(cancelled.iter().any(|event| event["payload"]["ended"] == "cancelled"), "nobody is waited for");
}

#[test]
fn a_closed_stdin_is_nobody_typing() {
    let app = App::new();
    let run = app.quorate(&["run", TOPIC, "--simulate", "--json"]).ok();
    check_whole(&run.out);
}
