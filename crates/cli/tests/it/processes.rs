//! A seat that is a program of its own, from the meeting file to the last event.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

use crate::app::{App, check_whole, of_type};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// A table of three, of whom one is the process `reviewer`.
fn table(command: &str, more: &str) -> String {
    format!(
        r#"topic = "{TOPIC}"
seed = 5

[[participants]]
name = "Ada"
temperament = "balanced"

[[participants]]
name = "Rev"
process = "reviewer"

[[participants]]
name = "Cid"
temperament = "agreeable"

[rules.limits]
max_rounds = 2

[processes.reviewer]
command = {command}
{more}
"#
    )
}

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/runner/echo_agent.py");
    std::fs::read_to_string(path).expect("the example of the documentation")
}

const ECHO: &str = r#"["python3", "echo_agent.py"]"#;

#[test]
fn a_process_has_a_seat_to_the_end_in_both_modes() {
    for mode in ["per_call", "persistent"] {
        let mut app = App::new();
        app.set("LAB_KEY", "sk-planted-0123456789");
        app.write("echo_agent.py", &example());
        let more = format!("mode = \"{mode}\"\nenv = [\"LAB_KEY\"]");
        let file = app.write("meeting.toml", &table(ECHO, &more));
        let run = app.quorate(&["run", "--config", &file, "--yes", "--json"]).ok();
        check_whole(&run.out);
        let events = run.events();
        let seat = &of_type(&events, "participant_joined")[1]["payload"]["participant"];
        assert_eq!(seat["runner"], serde_json::json!({ "kind": "process", "name": "reviewer" }), "{seat}");
        let said: Vec<&str> = of_type(&events, "agent_message")
            .iter()
            .filter(|event| event["actor"]["id"] == "p2")
            .filter_map(|event| event["payload"]["message"]["content"].as_str())
            .collect();
        assert!(said.len() >= 2, "a first answer, and a turn in each round: {said:?} {run}");
        assert!(said.iter().all(|words| words.starts_with("I take up what was said")), "{said:?}");
        let votes = of_type(&events, "vote_cast");
        assert!(
            votes.iter().any(|event| event["payload"]["participant"] == "p2"),
            "it votes, too: {votes:?}"
        );
        assert!(of_type(&events, "turn_failed").is_empty(), "{run}");
        assert!(!run.out.contains("echo_agent.py"), "the log names no command");
        assert!(app.files_with("sk-planted").is_empty(), "nor a key");
    }
}

#[test]
fn a_process_that_fails_is_news_at_the_table_and_the_meeting_goes_on() {
    let app = App::new().with("LAB_KEY", "sk-planted-0123456789").with("OTHER_KEY", "sk-other-0123456789");
    let command = r#"["sh", "-c", "echo no licence for $LAB_KEY$OTHER_KEY >&2; exit 7"]"#;
    let file = app.write("meeting.toml", &table(command, "env = [\"LAB_KEY\"]"));
    let run = app.quorate(&["run", "--config", &file, "--yes", "--json"]).ok();
    check_whole(&run.out);
    let events = run.events();
    let failed = of_type(&events, "turn_failed");
    assert!(!failed.is_empty(), "{run}");
    let detail = failed[0]["payload"]["detail"].to_string();
    assert!(detail.contains("no licence for [key]") && detail.contains("reviewer"), "{detail}");
    assert!(app.files_with("sk-planted").is_empty() && app.files_with("sk-other").is_empty());
    assert_eq!(failed[0]["payload"]["kind"], "agent_failed");
}

#[test]
fn a_process_can_be_named_like_any_model() {
    let app = App::new();
    app.write("echo_agent.py", &example());
    let file = app.write("meeting.toml", &format!("[processes.echo]\ncommand = {ECHO}\n"));
    let run = ["run", TOPIC, "--config", &file, "--yes", "--json", "--participants=2", "--rounds=1"];
    let models: &[&str] = &["--model", "process/echo"];
    let said = app.quorate(&[&run[..], models, &["--no-facilitator"]].concat()).ok();
    check_whole(&said.out);
    let events = said.events();
    let seats = of_type(&events, "participant_joined");
    assert_eq!(seats.len(), 2);
    assert!(seats.iter().all(|seat| seat["payload"]["participant"]["runner"]["name"] == "echo"), "{seats:?}");
    let id = crate::app::meeting_of(&said.out);
    assert!(app.quorate(&["show", &id]).ok().out.contains("process/echo"));
}

#[test]
fn what_is_wrong_with_a_process_is_said_before_the_meeting() {
    let app = App::new();
    let file =
        app.write("meeting.toml", &table(ECHO, "").replace("process = \"reviewer\"", "process = \"lob\""));
    let run = |file: &str| app.quorate(&["run", "--config", file, "--yes"]);
    run(&file).fails(2, &["no process named lob", "choose from reviewer"]);
    let file = app.write("meeting.toml", &table("[]", ""));
    run(&file).fails(2, &["process reviewer: command is empty"]);
    let both = table(ECHO, "")
        .replace("process = \"reviewer\"", "process = \"reviewer\"\nparameters = { top_p = 0.5 }");
    let file = app.write("meeting.toml", &both);
    run(&file).fails(2, &["meeting.toml:10:1", "\"Rev\" has both a process and parameters"]);
    let file = app.write("meeting.toml", &table(ECHO, "shell = true"));
    run(&file).fails(2, &["meeting.toml:", "shell"]);
    let file = app.write("meeting.toml", &table(ECHO, ""));
    run(&file.replace("meeting.toml", "none.toml")).fails(2, &["cannot be read"]);
    let priced = ["run", "--config", &file, "--yes", "--budget-cost=1"];
    app.quorate(&priced).fails(2, &["the price of process/reviewer is not known"]);
}

#[test]
fn the_doctor_looks_for_the_programs_of_processes_and_tools() {
    let mut app = App::new();
    let text = "[processes.good]\ncommand = [\"sh\"]\nenv = [\"NOT_SET_HERE\"]\n\
                [processes.lost]\ncommand = [\"no-such-program-here\"]\n\
                [processes.astray]\ncommand = [\"sh\"]\ncwd = \"no-such-folder\"\n";
    let file = app.write("meeting.toml", text);
    let tools = "[tools.here]\ncommand = [\"sh\"]\n[tools.gone]\ncommand = [\"/nonexistent/mcp\"]\n\
                 [tools.far]\nurl = \"https://mcp.example.com/mcp\"\ntoken_env = \"NO_TOKEN_HERE\"\n\
                 [tools.files]\nfolder = \".\"\n";
    let config = app.write("config.toml", tools);
    app.set("QUORATE_CONFIG", config);
    let looked = app.quorate(&["doctor", "--config", &file]).ends(1);
    for words in [
        "✓ process good: /",
        "variables that it asks for are not set: NOT_SET_HERE",
        "✗ process lost: the program \"no-such-program-here\" was not found",
        "change command in [processes.lost]",
        "✗ process astray: there is no folder /",
        "✓ Tools here: /",
        "✗ Tools gone: the program \"/nonexistent/mcp\" was not found",
        "change command in [tools.gone]",
        "✗ Tools far: mcp.example.com",
        "NO_TOKEN_HERE",
        "✗ Tools files: ",
    ] {
        assert!(looked.out.contains(words), "no {words:?}: {looked}");
    }
}

#[test]
fn a_meeting_with_a_process_is_resumed_where_the_process_is_known() {
    let app = App::new();
    app.write("echo_agent.py", &example());
    let file = app.write("meeting.toml", &table(ECHO, ""));
    let mut run = app.start(&["run", "--config", &file, "--yes", "--json"]);
    run.hears("meeting_created");
    run.kill();
    app.quorate(&["resume", "last", "--json", "--yes"]).fails(2, &["uses the process reviewer", "--config"]);
    app.quorate(&["resume", "last", "--json", "--yes", "--config", &file]).ok();
    check_whole(&app.quorate(&["replay", "last", "--json"]).ok().out);
}

/// Neither a kill nor an end leaves a process behind: its stdin is closed in every case.
#[test]
fn no_process_outlives_us() {
    let script = "import os, sys\nopen('id', 'w').write(str(os.getpid()))\n\
                  while sys.stdin.readline(): pass\n";
    for signal in [None, Some(rustix::process::Signal::TERM)] {
        let app = App::new();
        app.write("waits.py", script);
        let file = app.write("meeting.toml", &table(r#"["python3", "waits.py"]"#, ""));
        let mut run = app.start(&["run", "--config", &file, "--yes", "--json"]);
        run.hears_that("the turn of the process", |event| {
            event["type"] == "call_started" && event["payload"]["task"] == "speak:r0t2"
        });
        let began = Instant::now();
        let id = loop {
            assert!(began.elapsed() < Duration::from_secs(30), "the process did not start");
            match std::fs::read_to_string(app.path("id")).ok().and_then(|id| id.parse().ok()) {
                Some(id) => break Pid::from_raw(id).expect("a process id"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        match signal {
            None => _ = run.kill(),
            Some(signal) => {
                run.signal(signal);
                run.end();
            }
        }
        let began = Instant::now();
        while is_running(id) {
            assert!(began.elapsed() < Duration::from_secs(10), "it is still there after {signal:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Whether a process runs; an orphan that has ended and was not reaped by the machine does not.
fn is_running(id: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
    let zombie = stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
    test_kill_process(id).is_ok() && !zombie
}
