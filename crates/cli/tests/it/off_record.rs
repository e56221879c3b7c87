//! Off the record: a meeting that leaves nothing on the disk (003 §15).

use rustix::process::Signal;

use crate::house::{House, check_whole};

const TOPIC: &str = "Should we buy the zanzibar company?";
const RUN: [&str; 7] = ["run", TOPIC, "--simulate", "--seed", "5", "--off-record", "--yes"];

#[test]
fn what_is_off_the_record_is_said_and_gone() {
    let house = House::new();
    let held = house.quorate(&[&RUN[..], &["--json"]].concat()).ok();
    check_whole(&held.out);
    assert!(held.out.contains("zanzibar") && held.out.contains("\"finished\""));
    assert_eq!(house.files_with("zanzibar"), Vec::<std::path::PathBuf>::new());
    assert!(house.quorate(&["list", "--json"]).ok().lines().is_empty());

    let file = house.write("meeting.toml", "topic = 'Shall we tell?'\nsimulate = true\noff_record = true\n");
    house.quorate(&["run", "--config", &file, "--yes"]).ok();
    assert!(house.quorate(&["list", "--json"]).ok().lines().is_empty());
}

#[test]
fn what_did_not_come_to_its_end_cannot_be_resumed() {
    let house = House::new();
    let mut run =
        house.start(&["run", TOPIC, "--simulate", "--seed=5", "--off-record", "--json", "--pace=live"]);
    run.hears("speaker_selected");
    run.signal(Signal::TERM);
    run.end().ends(3).says(&["off the record", "gone"]);
    house.quorate(&["resume", "last", "--yes"]).fails(1, &["meeting"]);
}

#[test]
fn a_password_would_lie_on_the_disk() {
    let house = House::new();
    let args = [&RUN[..], &["--password-stdin"]].concat();
    house.quorate_reading(&args, "sesame\n").fails(2, &["off the record"]);
}
