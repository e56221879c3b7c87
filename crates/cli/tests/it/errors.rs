//! Errors as programs read them: under `--json` one shape on stderr, with a kind and its details.

use serde_json::{Value, json};

use crate::app::{App, meeting_of};
use crate::vendor::{Answer, Vendor};

/// The kind of the error that this ends with, and one of its details.
#[track_caller]
fn error(app: &App, args: &[&str], code: i32, detail: &str) -> (Value, Value) {
    let said = app.quorate(args).fails(code, &[]);
    assert_eq!(said.err.lines().count(), 1, "one line, and nothing else: {said}");
    let error = said.error();
    assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{said}");
    (error["kind"].clone(), error[detail].clone())
}

#[test]
fn every_kind_says_what_it_is_about() {
    let app = App::new();
    let missing = error(&app, &["show", "last", "--json"], 1, "resource_type");
    assert_eq!(missing, ("not_found".into(), "database".into()));
    let run = ["run", "A or B?", "--simulate", "--seed", "5", "--rounds", "1", "--yes", "--json"];
    let id = meeting_of(&app.quorate(&run).ok().out);

    let cases = [
        (
            &["run", "A?", "--rounds", "0", "--simulate", "--json"][..],
            2,
            "validation",
            "field",
            json!("rules.limits.max_rounds"),
        ),
        (&["run", "--json"], 2, "validation", "field", json!("topic")),
        (&["run", "A?", "-p", "99", "--simulate", "--json"], 2, "validation", "field", json!("seats")),
        (&["fork", &id, "--at", "99999", "--json"], 2, "validation", "field", json!("at")),
        (&["list", "--json", "--no-such-thing"], 2, "validation", "field", json!("--no-such-thing")),
        (&["show", "nonsense", "--json"], 1, "not_found", "resource_id", json!("nonsense")),
        (&["agents", "show", "Ada", "--json"], 1, "not_found", "resource_type", json!("agent")),
        (&["agents", "delete", "Ada", "--json"], 1, "not_found", "resource_id", json!("Ada")),
        (&["providers", "remove", "lab", "--json"], 1, "not_found", "resource_type", json!("credential")),
    ];
    for (args, code, kind, detail, value) in cases {
        assert_eq!(error(&app, args, code, detail), (kind.into(), value), "{args:?}");
    }
    let notes = app.write("notes.txt", &"these are my notes\n".repeat(300));
    assert_eq!(error(&app, &["list", "--json", "--db", &notes], 1, "kind").0, "storage");

    let vendor = Vendor::of(|_| Answer::Refused(500, json!({})));
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/nowhere"));
    let failed = error(&app, &["run", "A or B?", "--yes", "--json"], 1, "provider");
    assert_eq!(failed, ("api".into(), "openai".into()));
}

#[test]
fn a_meeting_that_stands_elsewhere_says_where_it_stands() {
    let app = App::new();
    let run = ["run", "A or B?", "--simulate", "--seed", "5", "--rounds", "1", "--yes", "--json"];
    let run = app.quorate(&run).ok();
    let (id, last) = (meeting_of(&run.out), run.lines().len().to_string());
    let after_the_end = error(&app, &["fork", &id, "--at", &last, "--json"], 1, "current_state");
    assert_eq!(after_the_end, ("meeting_state".into(), "ended".into()));
}

#[test]
fn people_read_errors_as_before() {
    let app = App::new();
    let said = app.quorate(&["show", "last"]).fails(1, &["there is no database at "]);
    assert!(!said.err.contains('{'), "{said}");
    let wrong = app.quorate(&["list", "--no-such-thing"]).ends(2);
    assert!(wrong.err.contains("Usage:"), "{wrong}");
    let help = app.quorate(&["list", "--json", "--help"]).ok();
    assert!(help.out.contains("List the meetings"), "{help}");
}
