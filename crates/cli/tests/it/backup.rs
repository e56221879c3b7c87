//! A backup is taken and put back from the terminal.

use crate::app::App;

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
