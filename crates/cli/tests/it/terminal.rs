//! A meeting in a terminal: the screen, while input is typed.

use rustix::process::Signal;

use crate::app::{App, Said, of_type};
use crate::terminal_session::TerminalSession;

const TOPIC: &str = "Which database fits us?";

fn sits_down(app: &App, more: &[&str]) -> TerminalSession {
    let slow = ["--rounds", "1", "--simulate", "--seed", "3", "--pace", "live"];
    let args = [&["run", TOPIC, "--format", "discussion", "-p", "Ada,Ben"], &slow[..], more].concat();
    let mut command = app.command(&args);
    command.env("TERM", "xterm-256color");
    TerminalSession::of_person(command, &args)
}

/// The text on a terminal of 80 columns, its rows joined without white space.
pub fn on_screen(said: &Said) -> String {
    let size = |number| std::num::NonZero::new(number).expect("a size");
    let mut parser = vt100::Parser::new(size(400), size(80), 0);
    parser.process(said.err.as_bytes());
    parser.screen().contents().split_whitespace().collect()
}

fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn no_speech_is_shown_twice_whatever_is_typed_while_it_is_written() {
    let app = App::new();
    let mut run = sits_down(&app, &[]);
    run.notes("Round 1");
    run.notes_part("Ada speaking");
    run.types("数据有 40 GB");
    run.notes("数据有 40 GB");
    run.types("/table");
    run.notes("› /table");
    run.types("/agenda add Backups");
    run.notes("a1 Backups");
    run.types("/nonsense");
    run.notes("there is no command /nonsense");
    let ended = run.end().ok();
    let screen = on_screen(&ended);
    let events = app.quorate(&["replay", "last", "--json"]).ok().events();
    let said = of_type(&events, "agent_message");
    // Who is asked something answers once more.
    assert!((2..=3).contains(&said.len()), "{ended}");
    let said: Vec<String> = said
        .iter()
        .map(|message| bare(message["payload"]["message"]["content"].as_str().expect("text")))
        .collect();
    for content in &said {
        // Nothing was typed so late that it stands in the last words. Two messages may end alike.
        let last: String = content.chars().skip(content.chars().count().saturating_sub(30)).collect();
        let times: usize = said.iter().map(|other| other.matches(&last).count()).sum();
        assert_eq!(screen.matches(&last).count(), times, "{last}: {ended}");
    }
    assert!(screen.contains("Adacontinues"), "{ended}");
    assert!(!screen.contains("beginsagain"), "{ended}");
}

#[test]
fn ctrl_c_gives_the_shell_back_with_the_command_that_goes_on() {
    let app = App::new();
    let db = app.path("other.db");
    let mut run = sits_down(&app, &["--db", db.to_str().expect("a plain path")]);
    run.notes("Round 1");
    run.types_keys("half a wo");
    run.signal(Signal::INT);
    run.notes("press Ctrl-C again to stop at once");
    let paused = run.end().ends(3);
    let screen = on_screen(&paused);
    assert!(screen.contains("tocontinue:quorateresume") && screen.ends_with("/other.db"), "{paused}");
    assert!(!screen.contains("halfawo"), "the line is taken away: {paused}");
    assert!(on_screen(&paused).contains("themeetingispaused"), "{paused}");
}

#[test]
fn a_second_ctrl_c_leaves_at_once() {
    let app = App::new();
    let mut run = sits_down(&app, &[]);
    run.notes("Round 1");
    run.signal(Signal::INT);
    run.notes("press Ctrl-C again to stop at once");
    run.signal(Signal::INT);
    run.end().ends(130).says(&["to continue: quorate resume "]);
}

#[test]
fn a_terminal_that_can_do_nothing_gets_plain_lines() {
    let app = App::new();
    let args = ["run", TOPIC, "-p", "2", "--rounds", "1", "--simulate", "--seed", "3", "--pace", "brisk"];
    let mut command = app.command(&args);
    command.env("TERM", "dumb");
    let run = TerminalSession::of_person(command, &args).end().ok();
    assert!(!run.err.contains('\u{1b}'), "{:?}", run.err);
}
