//! Off the record: a meeting that leaves nothing on the disk.

use rustix::process::Signal;

use crate::app::{App, check_whole};

const TOPIC: &str = "Should we buy the zanzibar company?";
const RUN: [&str; 7] = ["run", TOPIC, "--simulate", "--seed", "5", "--off-record", "--yes"];

#[test]
fn what_is_off_the_record_is_said_and_gone() {
    let app = App::new();
    let held = app.quorate(&[&RUN[..], &["--json"]].concat()).ok();
    check_whole(&held.out);
    assert!(held.out.contains("zanzibar") && held.out.contains("\"finished\""));
    assert_eq!(app.files_with("zanzibar"), Vec::<std::path::PathBuf>::new());
    assert!(app.quorate(&["list", "--json"]).ok().lines().is_empty());

    let file = app.write("meeting.toml", "topic = 'Shall we tell?'\nsimulate = true\noff_record = true\n");
    app.quorate(&["run", "--config", &file, "--yes"]).ok();
    assert!(app.quorate(&["list", "--json"]).ok().lines().is_empty());
}

#[test]
fn what_did_not_come_to_its_end_cannot_be_resumed() {
    let app = App::new();
    let mut run =
        app.start(&["run", TOPIC, "--simulate", "--seed=5", "--off-record", "--json", "--pace=live"]);
    run.hears("speaker_selected");
    run.signal(Signal::TERM);
    run.end().ends(3).says(&["off the record", "gone"]);
    app.quorate(&["resume", "last", "--yes"]).fails(1, &["meeting"]);
}

#[test]
fn a_password_would_lie_on_the_disk() {
    let app = App::new();
    let args = [&RUN[..], &["--password-stdin"]].concat();
    app.quorate_reading(&args, "sesame\n").fails(2, &["off the record"]);
}
