//! A meeting that is opened with a password only.

use std::process::Stdio;

use crate::house::{House, Said, check_whole, of_type};
use crate::sitting::Sitting;

const PASSWORD: &str = "correct horse, battery";

/// A command to which one line is piped.
fn piped(house: &House, line: &str, args: &[&str]) -> Said {
    let mut command = house.command(args);
    command.stdin(Stdio::piped());
    let mut sitting = Sitting::of(command, args);
    sitting.types(line);
    sitting.end()
}

fn locked() -> House {
    let house = House::new();
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
    let run = piped(&house, PASSWORD, &args).ends(3);
    assert_eq!(of_type(&run.events(), "access_changed")[0]["payload"]["locked"], true);
    house
}

#[test]
fn nothing_of_it_is_opened_without_the_password() {
    let mut house = locked();
    assert_eq!(house.files_with(PASSWORD), Vec::<std::path::PathBuf>::new(), "only a hash is kept");
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
        house.quorate(command).fails(1, &["a password is needed", "QUORATE_PASSWORD"]);
    }
    house.set("QUORATE_PASSWORD", "a guess");
    for command in commands {
        house.quorate(command).fails(1, &["the password is wrong", "try again"]);
    }
    house.set("QUORATE_PASSWORD", PASSWORD);
    assert!(house.quorate(&["show", "last"]).ok().out.contains("Which database"));
    house.quorate(&["resume", "last", "--yes"]).ok();
    check_whole(&house.quorate(&["replay", "last", "--json"]).ok().out);
}

#[test]
fn a_copy_of_it_asks_for_the_same_password() {
    let mut house = locked();
    house.set("QUORATE_PASSWORD", PASSWORD);
    let fork = house.quorate(&["fork", "last", "--at", "5", "--json"]).ok().json();
    let id = fork["meeting_id"].as_str().expect("an id").to_owned();
    house.quorate(&["show", &id]).ok();
    house.set("QUORATE_PASSWORD", "a guess");
    house.quorate(&["show", &id]).fails(1, &["the password is wrong"]);
}

#[test]
fn a_password_is_typed_unseen_changed_and_taken_away() {
    let mut house = locked();
    let args = ["show", "last"];
    let mut show = Sitting::of_person(house.command(&args), &args);
    show.types(PASSWORD);
    let shown = show.end().ok();
    assert!(shown.out.contains("Which database") && shown.err.contains("password of the meeting"), "{shown}");

    house.set("QUORATE_PASSWORD", PASSWORD);
    piped(&house, "another one", &["say", "last", "/password"]).ok();
    house.quorate(&["show", "last"]).fails(1, &["the password is wrong"]);
    house.set("QUORATE_PASSWORD", "another one");
    piped(&house, "", &["say", "last", "/password"]).ok();
    house.unset("QUORATE_PASSWORD");
    let events = house.quorate(&["replay", "last", "--json"]).ok().events();
    let changes = of_type(&events, "access_changed");
    let changes: Vec<_> = changes.iter().map(|event| event["payload"]["locked"].clone()).collect();
    assert_eq!(changes, [true, false], "who is locked already is not locked again");
}
