//! Long lists come in pages, and no page repeats or loses a row.

use quorate_contract::{Actor, EventBody, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::{Journal, JournalError, Record};
use quorate_store::{EventFilter, MeetingFilter, Store, StoreError};

use crate::fixtures::{Place, created, id, joined, record, simulated, talk, talk_on};

/// A meeting that was created at that second.
async fn meeting(store: &Store, name: &str, second: i64, further: Vec<EventBody>) {
    let bodies = std::iter::once(created(name)).chain(further);
    let records = (1..).zip(bodies).map(|(seq, body)| {
        let mut event = (*record(&id(name), seq, body).event).clone();
        event.ts_ms = Timestamp(second * 1000);
        Record::of(event)
    });
    store.append(id(name), 0, records.collect()).await.unwrap();
}

async fn names(store: &Store, filter: MeetingFilter) -> Vec<String> {
    let page = store.meetings_page(filter, None, 100).await.unwrap();
    assert_eq!(page.next, None);
    page.items.into_iter().map(|row| row.topic).collect()
}

#[tokio::test]
async fn pages_of_meetings_are_stable_while_others_come_and_go() {
    let place = Place::new();
    let store = place.open();
    // Several of one moment: they are told apart by their order of arrival.
    for number in 0..7 {
        meeting(&store, &format!("m{number}"), number / 3, Vec::new()).await;
    }
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = store.meetings_page(MeetingFilter::default(), cursor.as_deref(), 2).await.unwrap();
        assert!(page.items.len() <= 2);
        seen.extend(page.items.into_iter().map(|row| row.topic));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
        meeting(&store, &format!("late{}", seen.len()), 99, Vec::new()).await;
        // What the cursor points to may itself be gone.
        store.delete_meeting(&id(seen.last().unwrap())).await.unwrap();
    }
    assert_eq!(seen, ["m6", "m5", "m4", "m3", "m2", "m1", "m0"]);
    let wrong = store.meetings_page(MeetingFilter::default(), Some("yesterday"), 2).await.unwrap_err();
    assert!(matches!(wrong, StoreError::BadCursor), "{wrong}");
}

#[tokio::test]
async fn a_meeting_with_a_password_can_be_left_out_and_a_filter_fits_rows_from_elsewhere() {
    let place = Place::new();
    let store = place.open();
    for name in ["open", "shut"] {
        meeting(&store, name, 1, Vec::new()).await;
    }
    store.set_password_hash(&id("shut"), Some("hash".to_owned())).await.unwrap();
    let unlocked = || MeetingFilter { unlocked: true, ..MeetingFilter::default() };
    assert_eq!(names(&store, unlocked()).await, ["open"]);
    assert_eq!(names(&store, MeetingFilter::default()).await, ["shut", "open"]);
    let rows = store.meetings(10, 0).await.unwrap();
    assert!(!unlocked().fits(&rows[0], true) && unlocked().fits(&rows[1], false));
    // What the database says of a row and what is said of one from elsewhere is the same.
    let some = |change: fn(&mut MeetingFilter)| {
        let mut filter = MeetingFilter::default();
        change(&mut filter);
        filter
    };
    for filter in [
        some(|f| f.topic = Some("OPE".to_owned())),
        some(|f| f.topic = Some("o%".to_owned())),
        some(|f| f.states = vec![MeetingState::Ended]),
        some(|f| f.states = vec![MeetingState::Draft]),
        some(|f| f.format = Some("discussion".to_owned())),
        some(|f| f.simulated = Some(true)),
        some(|f| f.created_from = Some(Timestamp(1001))),
        some(|f| f.created_before = Some(Timestamp(1000))),
        some(|f| f.created_from = Some(Timestamp(1000))),
    ] {
        let fitting: Vec<_> = rows.iter().filter(|row| filter.fits(row, false)).collect();
        let fitting: Vec<_> = fitting.into_iter().map(|row| row.topic.clone()).collect();
        assert_eq!(names(&store, filter.clone()).await, fitting, "{filter:?}");
    }
    let between = quorate_store::meetings_cursor(Timestamp(1000));
    assert_eq!(quorate_store::meetings_cursor_moment(&between).unwrap(), Timestamp(1000));
    let all = store.meetings_page(MeetingFilter::default(), Some(&between), 10).await.unwrap();
    assert_eq!(all.items.len(), 2, "those of the very moment come after it");
}

#[tokio::test]
async fn a_filter_asks_for_all_that_it_names() {
    let place = Place::new();
    let store = place.open();
    let started = || EventBody::MeetingStarted { by: Actor::person("ada", "ada"), silence_max_ms: None };
    let paused = || EventBody::Pause {
        pause_reason: quorate_contract::PauseReason::UserRequest,
        resume_token: "t".to_owned(),
        questions: Vec::new(),
        suggested_next: String::new(),
        by: Actor::person("ada", "ada"),
        budget: None,
    };
    meeting(&store, "够用 100% 吗", 1, vec![]).await;
    meeting(&store, "够用 SQLite", 2, vec![started(), joined(1, simulated())]).await;
    meeting(&store, "别的", 3, vec![started(), paused()]).await;

    let all = MeetingFilter::default();
    assert_eq!(names(&store, all.clone()).await, ["别的", "够用 SQLite", "够用 100% 吗"]);
    let of = |states: &[MeetingState]| MeetingFilter { states: states.to_vec(), ..Default::default() };
    assert_eq!(names(&store, of(&[MeetingState::Preparation])).await, ["够用 SQLite"]);
    assert_eq!(
        names(&store, of(&[MeetingState::Paused, MeetingState::Draft])).await,
        ["别的", "够用 100% 吗"]
    );
    let topic = |text: &str| MeetingFilter { topic: Some(text.to_owned()), ..Default::default() };
    assert_eq!(names(&store, topic("够用")).await, ["够用 SQLite", "够用 100% 吗"]);
    assert_eq!(names(&store, topic("sqlite")).await, ["够用 SQLite"]);
    assert_eq!(names(&store, topic("0%")).await, ["够用 100% 吗"], "a percent sign is itself");
    assert_eq!(names(&store, topic("用_")).await, Vec::<String>::new());
    let simulated = MeetingFilter { simulated: Some(true), ..topic("够用") };
    assert_eq!(names(&store, simulated).await, ["够用 SQLite"]);
    let between = MeetingFilter {
        created_from: Some(Timestamp(2000)),
        created_before: Some(Timestamp(3000)),
        ..Default::default()
    };
    assert_eq!(names(&store, between).await, ["够用 SQLite"]);
    let format = MeetingFilter { format: Some("room".to_owned()), ..Default::default() };
    assert_eq!(names(&store, format).await, Vec::<String>::new());

    let counts = store.meeting_counts().await.unwrap();
    let some: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).copied().collect();
    assert_eq!(some, [(MeetingState::Draft, 1), (MeetingState::Preparation, 1), (MeetingState::Paused, 1)]);
    assert_eq!(counts.len(), MeetingState::ALL.len());
}

#[tokio::test]
async fn what_was_said_is_read_from_either_end() {
    let place = Place::new();
    let store = place.open();
    let meeting = id("m");
    talk_on(&store, &meeting, 0, 9).await.unwrap();
    let said = async |after, before, limit, newest_first| {
        let kinds = vec!["agent_message".to_owned(), "user_message".to_owned()];
        let filter = EventFilter { kinds, after, before, newest_first, limit };
        let page = store.events_page(&meeting, filter).await.unwrap();
        (page.lines.into_iter().map(|(seq, _)| seq).collect::<Vec<_>>(), page.more)
    };
    assert_eq!(said(None, None, 3, false).await, (vec![3, 4, 5], true));
    assert_eq!(said(Some(5), None, 9, false).await, (vec![6, 7, 8, 9], false));
    assert_eq!(said(None, None, 3, true).await, (vec![9, 8, 7], true));
    assert_eq!(said(None, Some(7), 3, true).await, (vec![6, 5, 4], true));
    assert_eq!(said(None, Some(4), 3, true).await, (vec![3], false));

    let lines = store.event_lines(&meeting, 1, 2).await.unwrap();
    let written: Vec<_> = talk(&meeting, 2, 3).iter().map(|r| (r.event.seq, r.line.to_string())).collect();
    assert_eq!((lines.lines, lines.more), (written, true));
    let absent = store.event_lines(&id("nobody"), 0, 2).await.unwrap_err();
    assert!(matches!(absent, JournalError::NoSuchMeeting(_)), "{absent}");
}

#[tokio::test]
async fn a_changed_line_is_on_no_page() {
    let place = Place::new();
    talk_on(&place.open(), &id("m"), 0, 9).await.unwrap();
    place.execute("UPDATE event SET line = replace(line, 'yes', 'no!') WHERE seq = 5");
    let store = place.open();
    let filter =
        EventFilter { kinds: Vec::new(), after: Some(3), before: None, newest_first: true, limit: 100 };
    let damaged = store.events_page(&id("m"), filter).await.unwrap_err();
    assert!(matches!(damaged, JournalError::Damaged { seq: 5, .. }), "{damaged}");
    assert_eq!(store.event_lines(&id("m"), 6, 9).await.unwrap().lines.len(), 3, "others can be read");
}
