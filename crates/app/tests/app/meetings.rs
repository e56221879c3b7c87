//! Meetings: from what was asked for to their end, and over the end of the process.

use quorate_app::{ErrorKind, Listing, ParticipantEntry, Principal};
use quorate_contract::{Actor, Command, EventBody, MeetingId, RunnerSpec, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::{Fault, FaultKind, Fork, Journal, Notice};
use quorate_runners::Pace;
use serde_json::json;

use crate::test_app::{TestApp, ended, held, new_meeting};

#[tokio::test]
async fn what_was_asked_for_is_created_and_held() {
    let home = TestApp::new();
    let app = home.open().await;
    let new = new_meeting(json!({ "announce": "We ship in March.", "agenda": [{ "title": "Cost" }] }));
    let handle = app.create(&Actor::person("mia", "mia"), &new).await.expect("a meeting");
    let draft = app.load(handle.id()).await.expect("a draft");
    assert_eq!(draft.present().count(), 3);
    assert_eq!(draft.announcements.len(), 1);
    assert_eq!(draft.agenda[0].title, "Cost");
    assert!(app.list(&Listing::default()).await.expect("a list")[0].state == MeetingState::Draft);
    let meeting = held(&app, &handle).await;
    assert!(meeting.is_over() && meeting.said.len() >= 3);
    let rows = app.list(&Listing::default()).await.expect("a list");
    assert_eq!((rows.len(), rows[0].state), (1, MeetingState::Ended));
    let ended = Listing { states: vec![MeetingState::Draft], ..Listing::default() };
    assert!(app.list(&ended).await.expect("a list").is_empty());
}

#[tokio::test]
async fn what_cannot_be_announced_leaves_no_meeting() {
    let home = TestApp::new();
    let app = home.open().await;
    let new = new_meeting(json!({ "announce": "x".repeat(3000) }));
    let error = app.create(&Actor::person("mia", "mia"), &new).await.err().expect("too long");
    assert_eq!(error.kind(), ErrorKind::Validation);
    assert!(app.list(&Listing::default()).await.expect("a list").is_empty());
}

#[tokio::test]
async fn what_nobody_may_bring_along_is_refused_before_anything_is_written() {
    let home = TestApp::new();
    let app = home.open().await;
    let new = new_meeting(json!({ "processes": { "sh": { "command": ["sh"] } } }));
    let error = app.create(&Actor::person("mia", "mia"), &new).await.err().expect("a program");
    assert_eq!(error.details()["field"], "processes");
    assert!(app.list(&Listing::default()).await.expect("a list").is_empty());
}

#[tokio::test]
async fn a_meeting_that_was_cut_off_is_recovered() {
    let home = TestApp::new();
    let app = home.open_at(Pace::Brisk).await;
    let new = new_meeting(json!({ "rules": { "limits": { "max_rounds": 3 } } }));
    let handle = app.create(&Actor::person("mia", "mia"), &new).await.expect("a meeting");
    let draft = app
        .create(&Actor::person("mia", "mia"), &new_meeting(json!({})))
        .await
        .expect("another")
        .id()
        .clone();
    handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
    let mut heard = handle.subscribe(0, false).await.expect("one can listen");
    while let Some(notice) = heard.next().await.expect("the log can be read") {
        if let Notice::Event(record) = notice
            && matches!(record.event.body, EventBody::AgentMessage { .. })
        {
            break;
        }
    }
    let id = handle.id().clone();
    for meeting in app.engine().live() {
        app.engine().unload(&meeting);
    }
    drop((heard, handle, app));
    let app = home.open_again().await;
    assert!(!app.load(&id).await.expect("it is there").is_over());
    let recovered = app.recover().await.expect("the list can be read");
    assert_eq!((recovered.going, recovered.skipped), (1, 0));
    assert!(!app.engine().live().contains(&draft), "a draft waits for its start");
    let handle = app.meeting(&id).await.expect("it runs");
    assert!(ended(&app, &handle).await.is_over());
}

#[tokio::test]
async fn what_was_asked_of_a_paused_meeting_is_done_after_a_restart_without_anybody_opening_it() {
    let home = TestApp::new();
    let app = home.open_at(Pace::Live { chars_per_second: 1 }).await;
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
    let idle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("another");
    idle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
    for meeting in [&handle, &idle] {
        let pause = Command::Pause { by: Actor::person("mia", "mia"), at_once: true };
        meeting.execute(pause).await.expect("it rests");
    }
    let said = Command::Say { by: Actor::person("mia", "mia"), content: "We ship in March.".to_owned() };
    handle.execute(said).await.expect("people may speak");
    let minutes = Command::WriteMinutes {
        by: Actor::person("mia", "mia"),
        writer: Some("p1".to_owned()),
        note: String::new(),
    };
    handle.execute(minutes).await.expect("they are asked for");
    let (id, other) = (handle.id().clone(), idle.id().clone());
    // As after a kill: no subscriber is told.
    for meeting in app.engine().live() {
        app.engine().unload(&meeting);
    }
    drop((handle, idle, app));
    let app = home.open_again().await;
    let before = app.load(&id).await.expect("it is there");
    assert!(before.is_paused() && before.minutes.is_empty(), "they were under way");
    let recovered = app.recover().await.expect("the list can be read");
    assert_eq!((recovered.going, recovered.skipped), (1, 0));
    assert!(!app.engine().live().contains(&other), "of which nobody asked anything");
    let written = async {
        while app.load(&id).await.expect("it is there").minutes.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), written).await.expect("they are written");
    assert!(app.load(&id).await.expect("it is there").is_paused());
}

#[tokio::test]
async fn a_paused_meeting_that_cannot_be_read_is_said_to_be_so_after_a_restart() {
    let home = TestApp::new();
    let app = home.open_at(Pace::Live { chars_per_second: 1 }).await;
    let by = || Actor::person("mia", "mia");
    let handle = app.create(&by(), &new_meeting(json!({}))).await.expect("a meeting");
    handle.execute(Command::Start { by: by() }).await.expect("it starts");
    handle.execute(Command::Pause { by: by(), at_once: true }).await.expect("it rests");
    let id = handle.id().clone();
    app.engine().unload(&id);
    drop((handle, app));
    // All is in the file once nobody holds it.
    drop(home.open_again().await);
    drop(home.open_again().await);
    home.damage(b"\"type\":\"round_started\"");
    let app = home.open_again().await;
    let recovered = app.recover().await.expect("the list can be read");
    assert_eq!((recovered.going, recovered.skipped), (0, 1));
}

#[tokio::test]
async fn a_quarantined_meeting_is_tried_again_at_the_next_start_unless_it_took_too_long() {
    let home = TestApp::new();
    let app = home.open_at(Pace::Live { chars_per_second: 1 }).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let handle =
            app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
        handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
        ids.push(handle.id().clone());
    }
    for (id, kind) in ids.iter().zip([FaultKind::Panicked, FaultKind::TooLong]) {
        let fault =
            Fault { kind, detail: quorate_messages::as_said("deep"), failures: 3, since: Timestamp(1) };
        app.store().keep_fault(id.clone(), Some(fault)).await.expect("it is kept");
        app.engine().unload(id);
    }
    drop(app);
    let app = home.open_again().await;
    let recovered = app.recover().await.expect("the list can be read");
    assert_eq!((recovered.going, recovered.skipped, recovered.quarantined), (1, 0, 1));
    let kept = app.store().faults().await.expect("they can be read");
    assert_eq!(kept.iter().map(|(id, _)| id).collect::<Vec<_>>(), [&ids[1]]);
    assert!(app.engine().fault(&ids[0]).is_none() && app.engine().fault(&ids[1]).is_some());
    let resume = Command::Resume {
        by: Actor::person("mia", "mia"),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    };
    let handle = app.meeting(&ids[1]).await.expect("it can be spoken to");
    handle.execute(resume).await.expect("it is taken up");
    assert!(app.store().faults().await.expect("they can be read").is_empty());
    assert!(ended(&app, &handle).await.is_over());
}

#[tokio::test]
async fn what_is_deleted_is_stopped_and_gone() {
    let home = TestApp::new();
    let app = home.open_at(Pace::Brisk).await;
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.expect("it starts");
    let id = handle.id().clone();
    app.delete(&id).await.expect("it is deleted");
    assert!(app.engine().live().is_empty());
    assert_eq!(app.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    assert_eq!(app.delete(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    // A holder of a stale handle can do nothing to it any more.
    assert!(handle.execute(Command::Start { by: Actor::person("mia", "mia") }).await.is_err());
    assert_eq!(app.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
}

fn up_to(at: u64) -> Fork {
    Fork { at: Some(at), ..Fork::by(Actor::owner()) }
}

#[tokio::test]
async fn a_fork_asks_for_the_same_password() {
    let home = TestApp::new();
    let app = home.open().await;
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    app.lock(handle.id(), &Actor::person("mia", "mia"), Some("sesame")).await.expect("it is locked");
    let last = app.load(handle.id()).await.expect("it is there").seq;
    let fork = app.fork(&Principal::owner(), handle.id(), up_to(last)).await.expect("a fork");
    for id in [handle.id(), fork.id()] {
        assert!(app.is_locked(id).await.expect("it can be read"));
        assert_eq!(app.let_in(id, None).await.expect_err("closed").kind(), ErrorKind::Permission);
        assert_eq!(app.let_in(id, Some("simsala")).await.expect_err("wrong").kind(), ErrorKind::Permission);
        app.let_in(id, Some("sesame")).await.expect("right");
    }
    app.lock(fork.id(), &Actor::person("mia", "mia"), None).await.expect("it is open");
    app.let_in(fork.id(), None).await.expect("open");
    let nowhere =
        app.fork(&Principal::owner(), handle.id(), up_to(10_000)).await.err().expect("no such event");
    assert_eq!(nowhere.details()["field"], "at");
    assert!(app.fork(&Principal::owner(), &MeetingId::new("none"), up_to(1)).await.is_err());
}

#[tokio::test]
async fn a_password_in_a_refused_command_is_not_kept() {
    let home = TestApp::new();
    let app = home.open().await;
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    let id = handle.id();
    app.lock(id, &Actor::person("mia", "mia"), Some("sesame")).await.expect("it is locked");
    let change = |topic: &str| Command::ChangeMeeting {
        by: Actor::person("mia", "mia"),
        topic: Some(topic.to_owned()),
        details: None,
        rules: None,
        announcement: None,
        locked: Some(true),
    };
    let refused = app.change(id, change(""), Some(Some("simsala"))).await.expect_err("no topic");
    assert_eq!(refused.details()["field"], "topic");
    app.let_in(id, Some("sesame")).await.expect("the password before");
    app.change(id, change("Files?"), Some(Some("simsala"))).await.expect("both");
    app.let_in(id, Some("simsala")).await.expect("the new password");
    assert_eq!(app.load(id).await.expect("it is there").settings.topic, "Files?");
    held(&app, &handle).await;
    assert!(app.lock(id, &Actor::person("mia", "mia"), None).await.is_err(), "it is over");
    assert!(app.is_locked(id).await.expect("it can be read"), "and stays locked");
}

#[tokio::test]
async fn whoever_joins_is_asked_as_the_others_are() {
    let home = TestApp::new();
    let app = home.open().await;
    let handle = app.create(&Actor::person("mia", "mia"), &new_meeting(json!({}))).await.expect("a meeting");
    let meeting = app.load(handle.id()).await.expect("it is there");
    let zoe = app.newcomer(ParticipantEntry::named("Zoe"), &meeting).await.expect("somebody");
    assert!(matches!(zoe.runner, RunnerSpec::Simulated { .. }) && !zoe.role.description.is_empty());
    handle
        .execute(Command::Join { by: Actor::person("mia", "mia"), newcomer: Box::new(zoe) })
        .await
        .expect("she joins");
    let nobody = app.newcomer(ParticipantEntry::agent("Nemo"), &meeting).await.expect_err("nobody");
    assert_eq!(nobody.kind(), ErrorKind::NotFound);
    let program = ParticipantEntry { process: Some("sh".to_owned()), ..ParticipantEntry::named("Rev") };
    assert!(app.newcomer(program, &meeting).await.is_err());
}

#[tokio::test]
async fn an_estimate_writes_nothing() {
    let home = TestApp::new();
    let app = home.open().await;
    let estimate = app.estimate(&new_meeting(json!({}))).await.expect("an estimate");
    let shown = serde_json::to_value(&estimate).expect("plain");
    assert!(shown["likely"]["calls"].as_u64().is_some_and(|calls| calls > 0), "{shown}");
    assert!(app.list(&Listing::default()).await.expect("a list").is_empty());
}
