//! A meeting that is opened with a password only.

use std::process::Stdio;

use crate::app::{App, Said, check_whole, of_type};
use crate::terminal_session::TerminalSession;

const PASSWORD: &str = "correct horse, battery";

/// A command to which one line is piped.
fn piped(app: &App, line: &str, args: &[&str]) -> Said {
    let mut command = app.command(args);
    command.stdin(Stdio::piped());
    let mut terminal_session = TerminalSession::of(command, args);
    terminal_session.types(line);
    terminal_session.end()
}

fn locked() -> App {
    let app = App::new();
    let args = [
        "run",
        "Which database fits us?",
        "--format=room",
        "-p=Ada,Ben",
        "--set=limits.rounds_alone=1",
        "--simulate",
        "--password-stdin",
        "--json",
    ];
    let run = piped(&app, PASSWORD, &args).ends(3);
    assert_eq!(of_type(&run.events(), "access_changed")[0]["payload"]["locked"], true);
    app
}

#[test]
fn nothing_of_it_is_opened_without_the_password() {
    let mut app = locked();
    assert_eq!(app.files_with(PASSWORD), Vec::<std::path::PathBuf>::new(), "only a hash is kept");
    let commands: [&[&str]; 8] = [
        &["show", "last"],
        &["replay", "last", "--json"],
        &["export", "last"],
        &["minutes", "last"],
        &["whatif", "last"],
        &["fork", "last", "--at", "5"],
        &["resume", "last", "--yes"],
        &["say", "last", "/table"],
    ];
    for command in commands {
        app.quorate(command).fails(1, &["a password is needed", "QUORATE_PASSWORD"]);
    }
    app.set("QUORATE_PASSWORD", "a guess");
    for command in commands {
        app.quorate(command).fails(1, &["the password is wrong", "try again"]);
    }
    app.set("QUORATE_PASSWORD", PASSWORD);
    assert!(app.quorate(&["show", "last"]).ok().out.contains("Which database"));
    app.quorate(&["resume", "last", "--yes"]).ok();
    check_whole(&app.quorate(&["replay", "last", "--json"]).ok().out);
}

#[test]
fn a_copy_of_it_asks_for_the_same_password() {
    let mut app = locked();
    app.set("QUORATE_PASSWORD", PASSWORD);
    let fork = app.quorate(&["fork", "last", "--at", "5", "--json"]).ok().json();
    let id = fork["meeting_id"].as_str().expect("an id").to_owned();
    app.quorate(&["show", &id]).ok();
    app.set("QUORATE_PASSWORD", "a guess");
    app.quorate(&["show", &id]).fails(1, &["the password is wrong"]);
}

#[test]
fn a_password_is_typed_unseen_changed_and_taken_away() {
    let mut app = locked();
    let args = ["show", "last"];
    let mut show = TerminalSession::of_person(app.command(&args), &args);
    show.types(PASSWORD);
    let shown = show.end().ok();
    assert!(shown.out.contains("Which database") && shown.err.contains("password of the meeting"), "{shown}");

    app.set("QUORATE_PASSWORD", PASSWORD);
    piped(&app, "another one", &["say", "last", "/password"]).ok();
    app.quorate(&["show", "last"]).fails(1, &["the password is wrong"]);
    app.set("QUORATE_PASSWORD", "another one");
    piped(&app, "", &["say", "last", "/password"]).ok();
    app.unset("QUORATE_PASSWORD");
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    let changes = of_type(&events, "access_changed");
    let changes: Vec<_> = changes.iter().map(|event| event["payload"]["locked"].clone()).collect();
    assert_eq!(changes, [true, false], "who is locked already is not locked again");
}
