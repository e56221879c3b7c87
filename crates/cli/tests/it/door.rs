//! The door of the server, from the terminal: accounts, tokens, and who did what.

use reqwest::Method;
use serde_json::json;

use crate::house::House;
use crate::served::Served;
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
    add("system", &[], PASSWORD).fails(2, &["reserved"]);
    add("Ba\u{200b}z", &[], PASSWORD).fails(2, &["U+200B"]);
    add("bеn", &[], PASSWORD).fails(2, &["mixes scripts"]);
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
    let noted = house.quorate(&["audit", "--json"]).ok();
    let actions: Vec<String> =
        noted.events().iter().filter_map(|entry| entry["action"].as_str().map(str::to_owned)).collect();
    assert_eq!(actions, ["tokens.delete", "tokens.post"], "{noted}");
    assert!(noted.out.contains("build") && noted.out.contains("local") && !noted.out.contains(&shown));
}

#[test]
fn with_an_account_it_is_reached_from_elsewhere_and_who_came_in_is_noted() {
    let house = House::new();
    house.quorate_reading(&["accounts", "add", "owner", "--password-stdin"], PASSWORD).ok();
    let token = house.quorate(&["tokens", "add", "build", "--scope", "manage", "--json"]).ok().json();
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    let served = Served::start(&house, &["--host", "0.0.0.0"]);
    let caller = served.here();
    let status = |headers: &[(&str, &str)]| {
        caller.try_send(Method::GET, "/meetings", headers, None).expect("an answer").status
    };
    assert_eq!((status(&[]), status(&[("authorization", "Bearer qt_nonsense")])), (401, 401));
    assert_eq!(status(&[("authorization", &bearer)]), 200);
    assert_eq!(caller.text("/healthz").0, 200, "whoever looks after it need not sign in");
    let sign_in = |password: &str| {
        let body = json!({ "name": "owner", "password": password, "tokens": true });
        caller.post("/sessions", &[], &body)
    };
    assert_eq!(sign_in("a wrong guess").status, 401);
    let session = sign_in(PASSWORD).body;
    let own = format!("Bearer {}", session["access_token"].as_str().expect("a session"));
    assert_eq!(status(&[("authorization", &own)]), 200);
    let meeting = json!({ "topic": "SQLite?", "simulate": true });
    assert_eq!(caller.post("/meetings", &[("authorization", &bearer)], &meeting).status, 201);

    // The server is the one writer, and is asked; to read goes beside it.
    house.quorate_reading(&["accounts", "add", "ben", "--password-stdin"], PASSWORD).ok();
    house.quorate_reading(&["accounts", "add", "BEN", "--password-stdin"], PASSWORD).fails(2, &["already"]);
    assert_eq!(house.quorate(&["accounts", "list"]).ok().out, "ben    speak\nowner  owner\n");
    house.quorate(&["accounts", "remove", "ben"]).ok();
    house.quorate(&["tokens", "remove", token["id"].as_str().expect("an id")]).ok();
    assert_eq!(status(&[("authorization", &bearer)]), 401, "at once");
    let noted = house.quorate(&["audit", "--json"]).ok();
    let of = |action: &str| noted.events().iter().filter(|entry| entry["action"] == action).count();
    assert_eq!((of("sign_in.accepted"), of("sign_in.refused")), (1, 1), "{noted}");
    assert_eq!(of("meetings.post"), 1, "{noted}");
    for secret in [PASSWORD, "a wrong guess", &bearer["Bearer ".len()..], &own["Bearer ".len()..]] {
        assert!(!noted.out.contains(secret), "{noted}");
    }
    let some = house.quorate(&["audit", "--action", "sign_in.", "--limit", "1"]).ok();
    assert_eq!(some.lines().len(), 1);
    assert!(some.err.contains("there is more: --cursor "), "{some}");
    house.quorate(&["audit", "--who", "user:nobody"]).ok().says(&["nothing is noted"]);
    let stopped = served.stop().ok();
    assert!(!stopped.err.contains(PASSWORD), "{stopped}");
}
