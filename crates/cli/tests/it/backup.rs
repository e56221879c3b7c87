//! A backup is taken and put back from the terminal.

use crate::house::House;

#[test]
fn a_backup_is_taken_and_put_back_and_what_was_there_is_kept() {
    let house = House::new();
    house.quorate(&["run", "Should our service use SQLite?", "--simulate", "--rounds=1", "--json"]);
    let copy = house.path("copy.db").display().to_string();
    let report = house.quorate(&["backup", &copy, "--json"]).ok().json();
    assert_eq!((&report["meetings"], &report["key"]), (&1.into(), &false.into()));
    house.quorate(&["backup", &copy]).fails(1, &["exists already"]);
    let before = house.quorate(&["replay", "last", "--json"]).ok().out;

    house.quorate(&["delete", "last", "--yes"]).ok();
    house.quorate(&["restore", &copy]).fails(2, &["would be replaced", "--force"]);
    house.quorate(&["restore", "nowhere.db", "--force"]).fails(2, &["there is no file"]);
    let restored = house.quorate(&["restore", &copy, "--force", "--json"]).ok().json();
    assert_eq!(house.quorate(&["replay", "last", "--json"]).ok().out, before, "byte for byte");
    let kept = restored["kept"].as_str().expect("it is kept").to_owned();
    house.quorate(&["restore", &kept, "--force"]).ok();
    assert!(house.quorate(&["list"]).ok().out.is_empty(), "and can be given back");
    house.quorate(&["verify"]).ok();
}
