//! The door of the server, from the terminal: accounts, tokens, and who did what.

use crate::house::House;
use crate::sitting::Sitting;

const PASSWORD: &str = "correct horse, battery";

#[test]
fn the_first_account_is_the_owner_s_and_its_password_is_kept_nowhere() {
    let house = House::new();
    house.quorate(&["accounts", "list"]).ok().says(&["accounts add owner"]);
    let add = |name: &str, more: &[&str], password: &str| {
        let args = [&["accounts", "add", name, "--password-stdin", "--json"], more].concat();
        house.quorate_reading(&args, password)
    };
    let read = ["accounts", "add", "ada", "--password-stdin", "--scope", "read"];
    house.quorate(&read).fails(2, &["the first account has to be the owner's"]);
    add("ada", &[], "1234567").fails(2, &["7 characters"]);
    add("ada", &[], "password123").fails(2, &["tried first"]);
    assert_eq!(add("ada", &[], PASSWORD).ok().json()["scope"], "owner");
    assert_eq!(add("ben", &[], PASSWORD).ok().json()["scope"], "speak");
    let again = house.quorate(&["accounts", "add", "ADA", "--password-stdin"]);
    again.fails(2, &["there is already an account", "accounts password"]);
    assert_eq!(house.files_with(PASSWORD), Vec::<std::path::PathBuf>::new(), "only hashes are kept");
    let listed = house.quorate(&["accounts", "list"]).ok().out;
    assert_eq!(listed, "ada  owner\nben  speak\n");
    house.quorate(&["accounts", "remove", "ada"]).fails(2, &["the only owner"]);
    house.quorate(&["accounts", "remove", "ben"]).ok();
    house.quorate(&["accounts", "remove", "ben"]).fails(1, &["there is no account"]);
    house.quorate(&["accounts", "remove", "ada"]).ok();
}

#[test]
fn a_password_is_typed_twice() {
    let house = House::new();
    let args = ["accounts", "add", "owner"];
    let mut add = Sitting::of_person(house.command(&args), &args);
    add.types(PASSWORD);
    add.types(PASSWORD);
    add.end().ok().says(&["the account is made"]);
    let args = ["accounts", "password", "owner"];
    let mut change = Sitting::of_person(house.command(&args), &args);
    change.types("another password");
    change.types("another passwort");
    change.end().fails(2, &["not the same"]);
    house.quorate(&["accounts", "password", "owner"]).fails(2, &["--password-stdin"]);
}

#[test]
fn a_token_is_shown_once_and_taken_back() {
    let house = House::new();
    let added =
        house.quorate(&["tokens", "add", "build", "--scope", "manage", "--days", "7", "--json"]).ok().json();
    let shown = added["token"].as_str().expect("a token").to_owned();
    assert!(shown.starts_with("qt_") && shown.len() == 67, "{shown}");
    assert_eq!(house.files_with(&shown), Vec::<std::path::PathBuf>::new(), "only its fingerprint is kept");
    let listed = house.quorate(&["tokens", "list"]).ok().out;
    assert!(listed.contains("manage") && listed.contains("build") && !listed.contains(&shown), "{listed}");
    house.quorate(&["tokens", "add", "x", "--by", "nobody"]).fails(1, &["there is no account"]);
    house.quorate(&["tokens", "add", "x", "--meeting", "m9"]).fails(1, &["m9"]);
    let id = added["id"].as_str().expect("an id");
    house.quorate(&["tokens", "remove", id]).ok();
    house.quorate(&["tokens", "remove", id]).fails(1, &["there is no token", "tokens list"]);
    house.quorate(&["audit"]).ok().says(&["nothing is noted"]);
}
