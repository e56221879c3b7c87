//! A terminal that is closed: nothing that was started stays behind, unless it was to outlive the terminal.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, test_kill_process};

use crate::app::App;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// An agent that asks a person before it speaks.
const ASKS: &str = r#"
def turn(session, text):
    note(f"process {os.getpid()}")
    permission(session, "t1", "execute", "cargo test")
    say(session, "SQLite will do.")
    return {"stopReason": "end_turn"}
"#;

/// A home with a coding agent that asks, and the file in which it notes what it does.
fn home() -> App {
    let mut app = App::new();
    let script = include_str!("../../../runners/tests/acp/agent.py");
    let coder = app.write("coder.py", &format!("{script}{ASKS}\nserve()\n"));
    std::fs::create_dir_all(app.path("repo")).expect("made");
    let (repo, notes) = (app.path("repo").display().to_string(), app.path("notes").display().to_string());
    let config = format!(
        "[acp.coder]\ncommand = ['python3', {coder:?}, {notes:?}]\npermission_ms = 60000\n\
         [acp.coder.folders]\nrepo = {repo:?}\n\
         [exporters.slow]\ncommand = [\"sh\", \"-c\", \"echo process $$ >> {notes}; sleep 60 & sleep 60\"]\n"
    );
    let config = app.write("config.toml", &config);
    app.set("QUORATE_CONFIG", config);
    app
}

/// Waits until a program has noted its process.
#[track_caller]
fn noted(app: &App) -> Pid {
    let began = Instant::now();
    loop {
        let notes = std::fs::read_to_string(app.path("notes")).unwrap_or_default();
        let id = notes.lines().find_map(|line| line.strip_prefix("process ")?.parse().ok());
        if let Some(id) = id.and_then(Pid::from_raw) {
            return id;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no program was started: {notes}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[track_caller]
fn is_gone(id: Pid) {
    let began = Instant::now();
    while test_kill_process(id).is_ok() {
        assert!(began.elapsed() < Duration::from_secs(10), "the program still runs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const RUN: [&str; 9] =
    ["run", TOPIC, "-p", "2", "-m", "acp/coder", "--no-facilitator", "--format=discussion", "--json"];

#[test]
fn a_closed_terminal_pauses_the_meeting_and_ends_the_agent_that_asks() {
    let app = home();
    let mut run = app.start(&RUN);
    run.hears_that("the question", |event| event["payload"]["action"]["permission"] == "asked");
    let agent = noted(&app);
    run.signal(Signal::HUP);
    let paused = run.end().ends(3);
    assert_eq!(paused.events().last().expect("events")["type"], "pause");
    is_gone(agent);
}

#[test]
fn what_was_started_to_outlive_its_terminal_does() {
    let app = home();
    let mut run = app.start_outliving(&RUN);
    run.hears_that("the question", |event| event["payload"]["action"]["permission"] == "asked");
    let agent = noted(&app);
    run.signal(Signal::HUP);
    std::thread::sleep(Duration::from_millis(300));
    test_kill_process(agent).expect("it still runs");
    run.signal(Signal::TERM);
    run.end().ends(3);
    is_gone(agent);
}

#[test]
fn a_server_stops_with_its_terminal_unless_it_was_to_outlive_it() {
    let app = home();
    let serve = ["serve", "--port", "0", "--no-token", "--log", "warning"];
    let mut server = app.start(&serve);
    server.notes("quorate is ready");
    server.signal(Signal::HUP);
    assert!(server.end().ok().err.ends_with("stopped\n"));
    let mut server = app.start_outliving(&serve);
    server.notes("quorate is ready");
    server.signal(Signal::HUP);
    std::thread::sleep(Duration::from_millis(300));
    server.signal(Signal::TERM);
    assert!(server.end().ok().err.ends_with("stopped\n"));
}

#[test]
fn a_signal_during_an_export_ends_the_program_that_makes_the_file() {
    for (signal, code) in [(Signal::INT, 130), (Signal::HUP, 129), (Signal::TERM, 143)] {
        let app = home();
        app.quorate(&["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes"]).ok();
        let export = app.start(&["export", "last", "--format", "slow"]);
        let program = noted(&app);
        export.signal(signal);
        export.end().ends(code);
        is_gone(program);
    }
}
