//! Meetings: from what was asked for to their end, and over the end of the process.

use quorate_core::{Command, EventBody, MeetingId, Moment, RunnerSpec};
use quorate_engine::{Fault, FaultKind, Fork, Journal, Notice};
use quorate_runners::Pace;
use quorate_service::{ErrorKind, Listing, ParticipantEntry};
use quorate_store::MeetingState;
use serde_json::json;

use crate::home::{Home, ended, held, new_meeting};

#[tokio::test]
async fn what_was_asked_for_is_created_and_held() {
    let home = Home::new();
    let house = home.open().await;
    let new = new_meeting(json!({ "announce": "We ship in March.", "agenda": [{ "title": "Cost" }] }));
    let handle = house.create("mia", &new).await.expect("a meeting");
    let draft = house.load(handle.id()).await.expect("a draft");
    assert_eq!(draft.present().count(), 3);
    assert_eq!(draft.announcements.len(), 1);
    assert_eq!(draft.agenda[0].title, "Cost");
    assert!(house.list(&Listing::default()).await.expect("a list")[0].state == MeetingState::Draft);
    let meeting = held(&house, &handle).await;
    assert!(meeting.is_over() && meeting.said.len() >= 3);
    let rows = house.list(&Listing::default()).await.expect("a list");
    assert_eq!((rows.len(), rows[0].state), (1, MeetingState::Ended));
    let ended = Listing { states: vec![MeetingState::Draft], ..Listing::default() };
    assert!(house.list(&ended).await.expect("a list").is_empty());
}

#[tokio::test]
async fn what_cannot_be_announced_leaves_no_meeting() {
    let home = Home::new();
    let house = home.open().await;
    let new = new_meeting(json!({ "announce": "x".repeat(3000) }));
    let error = house.create("mia", &new).await.err().expect("too long");
    assert_eq!(error.kind(), ErrorKind::Validation);
    assert!(house.list(&Listing::default()).await.expect("a list").is_empty());
}

#[tokio::test]
async fn what_nobody_may_bring_along_is_refused_before_anything_is_written() {
    let home = Home::new();
    let house = home.open().await;
    let new = new_meeting(json!({ "processes": { "sh": { "command": ["sh"] } } }));
    let error = house.create("mia", &new).await.err().expect("a program");
    assert_eq!(error.details()["field"], "processes");
    assert!(house.list(&Listing::default()).await.expect("a list").is_empty());
}

#[tokio::test]
async fn a_meeting_that_was_cut_off_is_taken_up() {
    let home = Home::new();
    let house = home.open_at(Pace::Brisk).await;
    let new = new_meeting(json!({ "rules": { "limits": { "max_rounds": 3 } } }));
    let handle = house.create("mia", &new).await.expect("a meeting");
    let draft = house.create("mia", &new_meeting(json!({}))).await.expect("another").id().clone();
    handle.wish(Command::Start { by: "mia".to_owned() }).await.expect("it starts");
    let mut heard = handle.subscribe(0, false).await.expect("one can listen");
    while let Some(notice) = heard.next().await.expect("the log can be read") {
        if let Notice::Event(record) = notice
            && matches!(record.event.body, EventBody::AgentMessage { .. })
        {
            break;
        }
    }
    let id = handle.id().clone();
    for meeting in house.engine().live() {
        house.engine().let_go(&meeting);
    }
    drop((heard, handle, house));
    let house = home.open_again().await;
    assert!(!house.load(&id).await.expect("it is there").is_over());
    let taken_up = house.take_up().await.expect("the list can be read");
    assert_eq!((taken_up.going, taken_up.skipped), (1, 0));
    assert!(!house.engine().live().contains(&draft), "a draft waits for its start");
    let handle = house.meeting(&id).await.expect("it runs");
    assert!(ended(&house, &handle).await.is_over());
}

#[tokio::test]
async fn what_was_asked_of_a_paused_meeting_is_done_after_a_restart_without_anybody_opening_it() {
    let home = Home::new();
    let house = home.open_at(Pace::Live { chars_per_second: 1 }).await;
    let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
    handle.wish(Command::Start { by: "mia".to_owned() }).await.expect("it starts");
    let idle = house.create("mia", &new_meeting(json!({}))).await.expect("another");
    idle.wish(Command::Start { by: "mia".to_owned() }).await.expect("it starts");
    for meeting in [&handle, &idle] {
        let pause = Command::Pause { by: "mia".to_owned(), at_once: true };
        meeting.wish(pause).await.expect("it rests");
    }
    let said = Command::Say { by: "mia".to_owned(), content: "We ship in March.".to_owned() };
    handle.wish(said).await.expect("people may speak");
    let minutes =
        Command::WriteMinutes { by: "mia".to_owned(), writer: Some("p1".to_owned()), note: String::new() };
    handle.wish(minutes).await.expect("they are asked for");
    let (id, other) = (handle.id().clone(), idle.id().clone());
    // As a kill leaves it: nothing is said to anybody.
    for meeting in house.engine().live() {
        house.engine().let_go(&meeting);
    }
    drop((handle, idle, house));
    let house = home.open_again().await;
    let before = house.load(&id).await.expect("it is there");
    assert!(before.is_paused() && before.minutes.is_empty(), "they were under way");
    let taken_up = house.take_up().await.expect("the list can be read");
    assert_eq!((taken_up.going, taken_up.skipped), (1, 0));
    assert!(!house.engine().live().contains(&other), "of which nobody asked anything");
    let written = async {
        while house.load(&id).await.expect("it is there").minutes.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), written).await.expect("they are written");
    assert!(house.load(&id).await.expect("it is there").is_paused());
}

#[tokio::test]
async fn a_quarantined_meeting_is_tried_again_at_the_next_start_unless_it_took_too_long() {
    let home = Home::new();
    let house = home.open_at(Pace::Live { chars_per_second: 1 }).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
        handle.wish(Command::Start { by: "mia".to_owned() }).await.expect("it starts");
        ids.push(handle.id().clone());
    }
    for (id, kind) in ids.iter().zip([FaultKind::Panicked, FaultKind::TooLong]) {
        let fault = Fault { kind, detail: "deep".to_owned(), failures: 3, since: Moment(1) };
        house.store().keep_fault(id.clone(), Some(fault)).await.expect("it is kept");
        house.engine().let_go(id);
    }
    drop(house);
    let house = home.open_again().await;
    let taken_up = house.take_up().await.expect("the list can be read");
    assert_eq!((taken_up.going, taken_up.skipped, taken_up.quarantined), (1, 0, 1));
    let kept = house.store().faults().await.expect("they can be read");
    assert_eq!(kept.iter().map(|(id, _)| id).collect::<Vec<_>>(), [&ids[1]]);
    assert!(house.engine().fault(&ids[0]).is_none() && house.engine().fault(&ids[1]).is_some());
    let resume = Command::Resume {
        by: "mia".to_owned(),
        token: None,
        answers: Default::default(),
        take_defaults: false,
    };
    let handle = house.meeting(&ids[1]).await.expect("it can be spoken to");
    handle.wish(resume).await.expect("it is taken up");
    assert!(house.store().faults().await.expect("they can be read").is_empty());
    assert!(ended(&house, &handle).await.is_over());
}

#[tokio::test]
async fn what_is_deleted_is_stopped_and_gone() {
    let home = Home::new();
    let house = home.open_at(Pace::Brisk).await;
    let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
    handle.wish(Command::Start { by: "mia".to_owned() }).await.expect("it starts");
    let id = handle.id().clone();
    house.delete(&id).await.expect("it is deleted");
    assert!(house.engine().live().is_empty());
    assert_eq!(house.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    assert_eq!(house.delete(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
    // Whoever still holds on to it can do nothing to it any more.
    assert!(handle.wish(Command::Start { by: "mia".to_owned() }).await.is_err());
    assert_eq!(house.load(&id).await.expect_err("gone").kind(), ErrorKind::NotFound);
}

fn up_to(at: u64) -> Fork {
    Fork { at: Some(at), ..Fork::default() }
}

#[tokio::test]
async fn a_fork_asks_for_the_same_password() {
    let home = Home::new();
    let house = home.open().await;
    let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
    house.lock(handle.id(), "mia", Some("sesame")).await.expect("it is locked");
    let last = house.load(handle.id()).await.expect("it is there").seq;
    let fork = house.fork(handle.id(), up_to(last)).await.expect("a fork");
    for id in [handle.id(), fork.id()] {
        assert!(house.is_locked(id).await.expect("it can be read"));
        assert_eq!(house.let_in(id, None).await.expect_err("closed").kind(), ErrorKind::Permission);
        assert_eq!(house.let_in(id, Some("simsala")).await.expect_err("wrong").kind(), ErrorKind::Permission);
        house.let_in(id, Some("sesame")).await.expect("right");
    }
    house.lock(fork.id(), "mia", None).await.expect("it is open");
    house.let_in(fork.id(), None).await.expect("open");
    let nowhere = house.fork(handle.id(), up_to(10_000)).await.err().expect("no such event");
    assert_eq!(nowhere.details()["field"], "at");
    assert!(house.fork(&MeetingId::new("none"), up_to(1)).await.is_err());
}

#[tokio::test]
async fn a_password_that_goes_with_a_refused_wish_is_not_kept() {
    let home = Home::new();
    let house = home.open().await;
    let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
    let id = handle.id();
    house.lock(id, "mia", Some("sesame")).await.expect("it is locked");
    let change = |topic: &str| Command::ChangeMeeting {
        by: "mia".to_owned(),
        topic: Some(topic.to_owned()),
        rules: None,
        announcement: None,
        locked: Some(true),
    };
    let refused = house.change(id, change(""), Some(Some("simsala"))).await.expect_err("no topic");
    assert_eq!(refused.details()["field"], "topic");
    house.let_in(id, Some("sesame")).await.expect("the password before");
    house.change(id, change("Files?"), Some(Some("simsala"))).await.expect("both");
    house.let_in(id, Some("simsala")).await.expect("the new password");
    assert_eq!(house.load(id).await.expect("it is there").charter.topic, "Files?");
    held(&house, &handle).await;
    assert!(house.lock(id, "mia", None).await.is_err(), "it is over");
    assert!(house.is_locked(id).await.expect("it can be read"), "and stays locked");
}

#[tokio::test]
async fn whoever_joins_is_asked_as_the_others_are() {
    let home = Home::new();
    let house = home.open().await;
    let handle = house.create("mia", &new_meeting(json!({}))).await.expect("a meeting");
    let meeting = house.load(handle.id()).await.expect("it is there");
    let zoe = house.newcomer(ParticipantEntry::named("Zoe"), &meeting).await.expect("somebody");
    assert!(matches!(zoe.runner, RunnerSpec::Simulated { .. }) && !zoe.role.description.is_empty());
    handle.wish(Command::Join { by: "mia".to_owned(), newcomer: Box::new(zoe) }).await.expect("she joins");
    let nobody = house.newcomer(ParticipantEntry::agent("Nemo"), &meeting).await.expect_err("nobody");
    assert_eq!(nobody.kind(), ErrorKind::NotFound);
    let program = ParticipantEntry { process: Some("sh".to_owned()), ..ParticipantEntry::named("Rev") };
    assert!(house.newcomer(program, &meeting).await.is_err());
}

#[tokio::test]
async fn an_estimate_writes_nothing() {
    let home = Home::new();
    let house = home.open().await;
    let estimate = house.estimate(&new_meeting(json!({}))).await.expect("an estimate");
    let shown = serde_json::to_value(&estimate).expect("plain");
    assert!(shown["likely"]["calls"].as_u64().is_some_and(|calls| calls > 0), "{shown}");
    assert!(house.list(&Listing::default()).await.expect("a list").is_empty());
}
