//! A backup is taken and put back from the terminal.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::App;
use crate::served::Served;

#[test]
fn a_backup_is_taken_and_put_back_and_what_was_there_is_kept() {
    let app = App::new();
    app.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]);
    let copy = app.path("copy.db").display().to_string();
    let report = app.quorate(&["backup", &copy, "--json"]).ok().json();
    assert_eq!((&report["meetings"], &report["key"]), (&1.into(), &false.into()));
    app.quorate(&["backup", &copy]).fails(1, &["already exists"]);
    let before = app.quorate(&["replay", "last", "--json"]).ok().out;

    app.quorate(&["delete", "last", "--yes"]).ok();
    app.quorate(&["restore", &copy]).fails(2, &["would be replaced", "--force"]);
    app.quorate(&["restore", "nowhere.db", "--force"]).fails(2, &["there is no file"]);
    let restored = app.quorate(&["restore", &copy, "--force", "--json"]).ok().json();
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, before, "byte for byte");
    let kept = restored["kept"].as_str().expect("it is kept").to_owned();
    app.quorate(&["restore", &kept, "--force"]).ok();
    assert!(app.quorate(&["list"]).ok().out.is_empty(), "and can be given back");
    app.quorate(&["verify"]).ok();
}

#[test]
fn a_server_makes_backups_as_it_is_told_and_a_restart_finds_them() {
    let mut app = App::new();
    app.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]);
    let folder = app.path("备份");
    let config = "[server.backup]\nfolder = 'REL'\nevery = '12h'\nkeep = 3\n";
    let config = app.write("config.toml", &config.replace("REL", folder.to_str().expect("a plain path")));
    app.set("QUORATE_CONFIG", config);
    let finding = |findings: &Value| {
        let findings = findings.as_array().or(findings["items"].as_array()).expect("findings").clone();
        findings.into_iter().find(|finding| finding["what"] == "backups").expect("the backups")
    };
    let local = || finding(&app.quorate(&["doctor", "--json"]).json());
    assert_eq!(local()["health"], "absent");
    let made = |served: &Served| {
        let begun = Instant::now();
        loop {
            let view = served.see("/backups");
            if view["items"][0]["meetings"] == 1 && view["running"] == false {
                return view;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{view}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let served = Served::start(&app, &[]);
    let view = made(&served);
    assert_eq!(
        (&view["enabled"], &view["every_seconds"], &view["keep"]),
        (&true.into(), &43_200.into(), &3.into())
    );
    assert_eq!((&view["failure"], &view["items"][0]["intact"]), (&Value::Null, &true.into()));
    let found = finding(&served.execute("/doctor", json!({})));
    assert_eq!(found["health"], "good", "{found}");
    let (_, metrics) = served.text("/metrics");
    let value = |name: &str| {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name}: {metrics}")).parse::<u64>().expect("a number")
    };
    assert!(value("quorate_backup_last_success_timestamp_seconds") > 1_700_000_000);
    assert_eq!(value("quorate_backup_last_size_bytes"), view["items"][0]["bytes"].as_u64().expect("bytes"));
    assert_eq!(value("quorate_backup_failures_total"), 0);
    served.stop().ok();
    let found = local();
    assert!(
        found["health"] == "good" && found["detail"].as_str().is_some_and(|text| text.contains("one backup")),
        "{found}"
    );

    // A restart makes none before it is due; flags win over the configuration.
    let served = Served::start(&app, &["--backup-every", "1d", "--backup-keep", "5"]);
    let again = made(&served);
    assert_eq!((&again["every_seconds"], &again["keep"]), (&86_400.into(), &5.into()));
    assert_eq!(again["items"], view["items"]);
    served.stop().ok();

    let copy = folder.join(view["items"][0]["name"].as_str().expect("a name"));
    let before = app.quorate(&["replay", "last", "--json"]).ok().out;
    app.quorate(&["delete", "last", "--yes"]).ok();
    app.quorate(&["restore", copy.to_str().expect("a plain path"), "--force"]).ok();
    assert_eq!(app.quorate(&["replay", "last", "--json"]).ok().out, before, "byte for byte");
    std::fs::remove_dir_all(&folder).expect("the disk is gone");
    let found = local();
    assert_eq!(found["health"], "bad", "{found}");
}

#[test]
fn wrong_options_of_backups_are_refused_at_the_start() {
    let mut app = App::new();
    let refused = app.quorate(&["serve", "--backup-every", "soon"]).ends(2);
    assert!(refused.err.contains("such as 24h"), "{refused}");
    app.quorate(&["serve", "--backup-keep", "0"]).ends(2);
    let config = app.write("config.toml", "[server.backup]\nkept = 3\n");
    app.set("QUORATE_CONFIG", config);
    app.quorate(&["serve", "--port", "0"]).fails(2, &["kept"]);
}
