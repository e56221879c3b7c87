//! Commands of one machine to a server of another: `--server`.

use serde_json::Value;

use crate::app::{App, meeting_of};
use crate::client::started;
use crate::served::Served;

#[test]
fn what_an_operator_does_is_done_at_a_server_elsewhere() {
    let there = App::new().with("QUORATE_TOKEN", "0123456789abcdef0123");
    let held = there.quorate(&["run", "SQLite or PostgreSQL?", "--simulate", "--seed", "5", "--json"]).ok();
    let id = meeting_of(&held.out);
    let (server, url) = started(&there);

    let here = App::new().with("QUORATE_TOKEN", "0123456789abcdef0123");
    let verified: Value =
        serde_json::from_str(&here.quorate(&["verify", "--json", "--server", &url]).ok().out).expect("JSON");
    assert_eq!((&verified["ok"], &verified["meetings"]), (&true.into(), &1.into()));
    assert!(here.quorate(&["prices", "gpt-5", "--server", &url]).ok().out.contains("openai/gpt-5"));
    let told = here.quorate(&["doctor", "--server", &url]).ends(1);
    assert!(told.out.contains(&format!("database: {}", there.db().display())), "{told}");
    assert!(!told.out.contains("--simulate"), "no command of that machine helps here: {told}");

    let copy = here.path("copy.db");
    let copied = here.quorate(&["backup", copy.to_str().expect("text"), "--server", &url]).ok();
    assert!(copied.out.contains("1 meeting"), "{copied}");
    let from_copy = here.quorate(&["replay", &id, "--json", "--db", copy.to_str().expect("text")]).ok();
    assert_eq!(from_copy.out, held.out, "byte for byte");
    let left = |app: &App| {
        let folder = std::fs::read_dir(app.db().parent().expect("a folder")).expect("a folder");
        let names = folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".download")).count()
    };
    assert_eq!(left(&there), 0, "the copy beside the database is gone");
    here.quorate(&["backup", copy.to_str().expect("text"), "--server", &url]).fails(1, &["copy.db"]);
    here.quorate(&["backup", "other.db", "--with-key", "--server", &url]).fails(2, &["leave out --with-key"]);

    let audit = there.quorate(&["audit", "--json"]).ok().out;
    for action in ["backup.post", "doctor.post", "verify.post"] {
        assert!(audit.contains(action), "{action}: {audit}");
    }
    here.quorate(&["list", "--server", &url]).ends(2).says(&["unexpected argument", "--server"]);
    here.quorate(&["verify", "--server", "quorate.example"]).fails(2, &["no address of a server"]);
    here.with("QUORATE_TOKEN", "another-0123456789abcdef")
        .quorate(&["verify", "--server", &url])
        .fails(1, &["token"]);
    drop(server);
}

#[test]
fn an_access_token_that_is_given_is_used_for_the_server_of_this_machine() {
    let app = App::new();
    app.quorate_reading(
        &["accounts", "add", "owner", "--scope", "owner", "--password-stdin"],
        "correct horse, battery",
    )
    .ok();
    let added = app.quorate(&["tokens", "add", "reader", "--scope", "read", "--json"]).ok().json();
    let token = added["token"].as_str().expect("a token").to_owned();
    let served = Served::start(&app, &[]);
    let args = ["api", "POST", "/meetings", "--data", r#"{"topic":"Is it?","simulate":true}"#];
    let with = |token: &str| {
        let output = app.command(&args).env("QUORATE_TOKEN", token).output().expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (made, refused) = with(&token);
    assert!(!made, "a token that may only read makes no meeting: {refused}");
    // A local token of before the first account is none of the server's any more: the command uses the present one.
    let (made, said) = with("a-local-token-of-before");
    assert!(made, "{said}");
    served.stop().ok();
}
