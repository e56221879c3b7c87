//! Ctrl-C pauses, a second one stops at once, and what is asked to terminate pauses without waiting.

use rustix::process::Signal;
use serde_json::Value;

use crate::app::{App, check_whole, meeting_of, of_type};
use crate::terminal_session::TerminalSession;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// A meeting of which each answer takes a second or more, up to the first turn of its first round.
fn in_the_midst(app: &App) -> TerminalSession {
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--yes", "--json", "--pace=live"]);
    run.hears_that("an answer that is being written", |event| {
        event["type"] == "call_started" && event["payload"]["task"] == "speak:r0t3"
    });
    run
}

/// Resumes the meeting and holds it to its end; the lines of both processes are the log.
#[track_caller]
fn goes_on_after(app: &App, printed: &str) {
    let id = meeting_of(printed);
    let resumed = app.quorate(&["resume", &id, "--json", "--yes", "--pace=instant"]).ok();
    let log = app.quorate(&["replay", &id, "--json"]).ok().out;
    check_whole(&log);
    assert_eq!(printed.to_owned() + &resumed.out, log, "what was printed, from first to last, is the log");
    app.quorate(&["verify"]).ok();
}

#[test]
fn ctrl_c_pauses_and_says_how_to_go_on() {
    let app = App::new();
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--yes", "--json", "--pace=brisk"]);
    run.hears_that("the first round", |event| event["payload"]["task"] == "speak:r1t1");
    run.signal(Signal::INT);
    run.notes("pausing after the current speaker; press Ctrl-C again to stop at once");
    let paused = run.end().ends(3);
    let id = meeting_of(&paused.out);
    assert!(paused.err.contains(&format!("to continue: quorate resume {id}\n")), "{paused}");
    let events = paused.events();
    assert_eq!(events[events.len() - 1]["type"], "pause");
    let cancelled =
        |event: &&Value| event["type"] == "call_ended" && event["payload"]["ended"] == "cancelled";
    assert_eq!(events.iter().filter(cancelled).count(), 0, "whoever had the floor could finish");
    goes_on_after(&app, &paused.out);
}

#[test]
fn ctrl_c_at_the_first_line_is_a_pause_too() {
    let app = App::new();
    for _ in 0..5 {
        let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--yes", "--json", "--pace=brisk"]);
        run.hears("meeting_created");
        run.signal(Signal::INT);
        let paused = run.end().ends(3);
        goes_on_after(&app, &paused.out);
    }
}

#[test]
fn a_second_ctrl_c_stops_at_once_and_loses_nothing() {
    let app = App::new();
    let mut run = in_the_midst(&app);
    run.signal(Signal::INT);
    run.notes("press Ctrl-C again to stop at once");
    run.signal(Signal::INT);
    let stopped = run.end().ends(130);
    let id = meeting_of(&stopped.out);
    assert!(stopped.err.contains(&format!("to continue: quorate resume {id}\n")), "{stopped}");
    assert!(of_type(&stopped.events(), "pause").is_empty(), "it did not wait for the pause");
    goes_on_after(&app, &stopped.out);
}

#[test]
fn to_terminate_is_to_pause_without_waiting_for_anybody() {
    let app = App::new();
    let run = in_the_midst(&app);
    run.signal(Signal::TERM);
    let paused = run.end().ends(3).says(&["to continue: quorate resume "]);
    let events = paused.events();
    assert_eq!(events[events.len() - 1]["type"], "pause");
    let cancelled = of_type(&events, "call_ended");
    let cancelled = cancelled.iter().filter(|event| event["payload"]["ended"] == "cancelled").count();
    assert!(cancelled > 0, "what was being written was given up: {paused}");
    goes_on_after(&app, &paused.out);
}

#[test]
fn the_resume_command_can_be_typed_as_it_is_printed() {
    let app = App::new();
    let db = app.path("other place.db");
    let db = db.to_str().expect("a plain path");
    let mut run = app.start(&["run", TOPIC, "--simulate", "--seed=5", "--yes", "--pace=brisk", "--db", db]);
    run.notes("Round 1");
    run.signal(Signal::INT);
    let paused = run.end().ends(3);
    assert!(paused.err.contains("the meeting is paused"), "{paused}");
    assert_eq!(paused.out, "", "there is no result yet");
    let command = paused.err.lines().rev().find_map(|line| line.strip_prefix("to continue: "));
    let command = command.expect("the last line says how to go on");
    let resumed = app.shell(&format!("{command} --yes")).ok();
    assert!(
        resumed.err.contains("the meeting continues") && resumed.err.contains("messages so far"),
        "{resumed}"
    );
    assert!(resumed.out.contains(TOPIC), "the result: {resumed}");
}

#[test]
fn nobody_reading_any_more_is_a_pause() {
    let app = App::new();
    let head = app.shell(&format!("quorate run '{TOPIC}' --seed=5 --yes --json --pace=brisk | head -n 20"));
    assert_eq!(head.lines().len(), 20);
    assert!(head.err.contains("to continue: quorate resume "), "{head}");
    let rest = app.quorate(&["resume", "last", "--json", "--yes", "--after", "20"]).ok();
    assert_eq!(head.out + &rest.out, app.quorate(&["replay", "last", "--json"]).ok().out);
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_cannot_write_what_it_says_serves_and_ends_in_order() {
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, kill_process};

    let app = App::new();
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("a device without space");
    let mut command = app.command(&["serve", "--port", "0", "--no-token"]);
    let mut server = command.stdout(full()).stderr(full()).spawn().expect("a server");
    let began = Instant::now();
    while !app.db().with_extension("db.server").exists() {
        assert_eq!(server.try_wait().expect("a process"), None, "it has not ended");
        assert!(began.elapsed() < Duration::from_secs(30), "it says its address");
        std::thread::sleep(Duration::from_millis(20));
    }
    app.quorate(&["list"]).ok();
    assert_eq!(server.try_wait().expect("a process"), None, "it has not ended");
    let id = Pid::from_child(&server);
    kill_process(id, Signal::TERM).expect("a signal");
    assert!(server.wait().expect("an end").success());
}
