//! What the interface audits, the terminal audits as well.

use crate::app::App;

/// The last line of an action in the audit log: its detail, after who and from where were checked.
fn noted(app: &App, action: &str) -> serde_json::Value {
    let lines = app.quorate(&["audit", "--action", action, "--json"]).ok().out;
    let line = lines.lines().next().unwrap_or_else(|| panic!("no line of {action}"));
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!((&line["by"], &line["address"]), (&"user:owner".into(), &"local".into()), "{line}");
    assert_eq!(line["detail"]["via"], "command_line", "{line}");
    line
}

#[test]
fn what_takes_data_out_or_looks_at_everything_leaves_a_line() {
    let app = App::new();
    app.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]).ok();
    let id = noted(&app, "meetings.post");
    assert_eq!(id["detail"]["status"], 200);
    let copy = app.path("copy.db").display().to_string();

    app.quorate(&["backup", &copy]).ok();
    let backup = noted(&app, "backup.post");
    assert_eq!(
        (&backup["detail"]["meetings"], &backup["detail"]["key"]),
        (&1.into(), &false.into()),
        "{backup}"
    );
    app.quorate(&["backup", &copy]).fails(1, &["already exists"]);
    assert!(noted(&app, "backup.post")["detail"]["status"].as_u64() >= Some(400), "a failure is noted, too");

    app.quorate(&["verify"]).ok();
    assert_eq!(noted(&app, "verify.post")["detail"]["status"], 200);
    app.quorate(&["doctor"]);
    assert_eq!(noted(&app, "doctor.post")["detail"]["status"], 200);
    app.quorate(&["export", "last"]).ok();
    assert!(noted(&app, "meetings.export.get")["meeting"].is_string());
    app.quorate(&["whatif", "last", "--threshold", "50"]);
    assert!(noted(&app, "meetings.what-if.post")["meeting"].is_string());

    // What asks for no audit over the interface leaves no line here.
    let before = app.quorate(&["audit", "--json"]).ok().out;
    app.quorate(&["prices", "gpt"]).ok();
    app.quorate(&["completions", "bash"]).ok();
    assert_eq!(app.quorate(&["audit", "--json"]).ok().out, before);

    app.quorate(&["restore", &copy, "--force"]).ok();
    assert_eq!(noted(&app, "restore.post")["detail"]["meetings"], 1);
    assert!(
        app.quorate(&["audit", "--action", "verify.post", "--json"]).ok().out.is_empty(),
        "it came after the copy"
    );
}

#[test]
fn an_import_and_the_test_of_an_agent_leave_a_line() {
    let app = App::new();
    app.quorate(&[
        "agents",
        "create",
        "--name",
        "Zoe",
        "--role",
        "Keeper",
        "--description",
        "Keeps.",
        "--temperament",
        "stubborn",
    ])
    .ok();
    app.quorate(&["agents", "test", "Zoe"]).ok();
    assert_eq!(noted(&app, "agents.test.post")["detail"]["name"], "Zoe");
    app.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]).ok();
    let folder = app.path("out").display().to_string();
    app.quorate(&["export", "last", "--format", "files", "--out", &folder]).ok();
    app.quorate(&["import", &folder]).ok();
    assert_eq!(noted(&app, "import.post")["detail"]["status"], 200);
}
