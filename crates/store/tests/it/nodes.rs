//! Several processes over one database on a server. A file has one writer.

use quorate_engine::Journal;
use quorate_store::{KeyNeed, NoRunningPlace, RateNeed, RunningLimits, Store};

use crate::fixtures::{Place, id, talk_on, verify};

/// So many processes over one database; `None` without a server.
fn processes(place: &Place, count: usize) -> Option<Vec<Store>> {
    quorate_test_database::is_on_server().then(|| (0..count).map(|_| place.open()).collect())
}

fn need(held: u32, wanted: u32) -> KeyNeed {
    KeyNeed { key: "of-lab".to_owned(), limit: 6, held, wanted, requests: None, tokens: None }
}

/// What a process may use of the only key that it asks for.
async fn places(store: &Store, held: u32, wanted: u32) -> u32 {
    store.exchange_shares(vec![need(held, wanted)]).await.unwrap()[0].places
}

#[tokio::test]
async fn the_limit_of_a_provider_is_divided_among_the_processes_that_want_it() {
    let place = Place::new();
    let Some(stores) = processes(&place, 3) else { return };
    assert_eq!(places(&stores[0], 0, 20).await, 6, "nobody else wants any");
    assert_eq!(places(&stores[1], 0, 20).await, 0, "nothing is free yet");
    assert_eq!(places(&stores[0], 6, 20).await, 3, "it makes fewer calls from now on");
    assert_eq!(places(&stores[1], 0, 20).await, 0, "and still makes six");
    assert_eq!(places(&stores[0], 4, 20).await, 3);
    assert_eq!(places(&stores[1], 0, 20).await, 2);
    assert_eq!(places(&stores[0], 3, 20).await, 3);
    assert_eq!(places(&stores[1], 2, 20).await, 3);
    // The third one is told in one answer of all that it uses.
    let other = KeyNeed { key: "of-another".to_owned(), ..need(0, 4) };
    let both = stores[2].exchange_shares(vec![need(0, 1), other]).await.unwrap();
    let of = |key: &str| both.iter().find(|share| share.key == key).map(|share| share.places);
    assert_eq!((both.len(), of("of-lab"), of("of-another")), (2, Some(0), Some(5)));
    // Who wants nothing any more leaves it to the others, and who leaves the database too.
    assert_eq!(places(&stores[0], 0, 0).await, 0);
    assert_eq!(places(&stores[1], 3, 20).await, 5);
    let mut stores = stores.into_iter();
    drop((stores.next(), stores.next()));
    assert_eq!(places(&stores.next().unwrap(), 0, 20).await, 6);
}

#[tokio::test]
async fn what_a_process_holds_that_is_gone_is_free_when_its_lease_has_passed() {
    let place = Place::new();
    let Some(stores) = processes(&place, 2) else { return };
    assert_eq!(places(&stores[0], 0, 20).await, 6);
    assert_eq!(places(&stores[1], 0, 20).await, 0);
    let expire = "UPDATE node SET lease_until = clock_timestamp() - interval '1 second'
                  WHERE token = (SELECT token FROM node ORDER BY started_at LIMIT 1)";
    place.execute(expire);
    assert_eq!(places(&stores[1], 0, 20).await, 6);
    // Of the process itself nothing is counted then; it is told so by no answer.
    assert!(stores[0].exchange_shares(vec![need(6, 20)]).await.unwrap().is_empty());
}

#[tokio::test]
async fn requests_and_tokens_in_a_minute_come_out_of_one_bucket() {
    let place = Place::new();
    let Some(stores) = processes(&place, 2) else { return };
    let ask = |wanted, unused| KeyNeed {
        requests: Some(RateNeed { per_minute: 30, wanted, unused }),
        tokens: Some(RateNeed { per_minute: 3_000, wanted: wanted * 100, unused: 0 }),
        ..need(0, 1)
    };
    let first = &stores[0].exchange_shares(vec![ask(7, 0)]).await.unwrap()[0];
    assert_eq!((first.requests, first.tokens), (7, 700));
    let second = &stores[1].exchange_shares(vec![ask(7, 0)]).await.unwrap()[0];
    assert_eq!(second.requests, 3, "a third goes at once");
    // Some 50 tokens come back in a second.
    assert!((300..400).contains(&second.tokens), "{}", second.tokens);
    let returned = &stores[0].exchange_shares(vec![ask(0, 4)]).await.unwrap()[0];
    assert_eq!(returned.requests, 0);
    let rest = &stores[1].exchange_shares(vec![ask(4, 0)]).await.unwrap()[0];
    assert_eq!(rest.requests, 4, "what one did not use is there for the other");
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_ask_at_once_never_hold_more_than_the_limit() {
    let place = Place::new();
    let Some(stores) = processes(&place, 3) else { return };
    let held = std::sync::Arc::new(std::sync::Mutex::new([0u32; 3]));
    let tasks = stores.into_iter().enumerate().map(|(number, store)| {
        let held = std::sync::Arc::clone(&held);
        tokio::spawn(async move {
            let (mut mine, mut most) = (0, 0);
            for round in 0..40u32 {
                // Each wants much for a while, then little.
                let wanted = if (round / 5 + number as u32).is_multiple_of(3) { 20 } else { 1 };
                let given = places(&store, mine, wanted).await;
                mine = given;
                let mut held = held.lock().unwrap();
                held[number] = given;
                most = most.max(held.iter().sum::<u32>());
            }
            // When it leaves, the others have what it held.
            held.lock().unwrap()[number] = 0;
            most
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap() <= 6);
    }
}

/// What takes a place for a meeting among three that may run.
async fn takes(store: &Store, meeting: &str) -> Result<(), u64> {
    let limits = RunningLimits { all: Some(3), per_account: None };
    store.take_running_place(&id(meeting), limits).await.unwrap().map_err(|none| match none {
        NoRunningPlace::All { running } => running,
        NoRunningPlace::OfAccount { .. } => panic!("{none:?}"),
    })
}

/// The same where each account may have two of 20.
async fn takes_of_account(store: &Store, meeting: &str) -> Result<(), NoRunningPlace> {
    let limits = RunningLimits { all: Some(20), per_account: Some(2) };
    store.take_running_place(&id(meeting), limits).await.unwrap()
}

/// So many meetings of Ada and as many of Ben, which nobody has started.
async fn meetings_of_two(place: &Place, store: &Store, count: usize) {
    for number in 0..count {
        let (ada, ben) = (format!("ada-{number}"), format!("ben-{number}"));
        talk_on(store, &id(&ada), 0, 3).await.unwrap();
        talk_on(store, &id(&ben), 0, 3).await.unwrap();
    }
    place.execute("UPDATE meeting SET created_by = substr(id, 1, 3)");
}

fn no_more(running: u64) -> Result<(), NoRunningPlace> {
    Err(NoRunningPlace::OfAccount { account: "ada".to_owned(), running })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_meetings_of_an_account_begin_to_run_than_may_however_many_processes_start_some_at_once() {
    let place = Place::new();
    let stores = processes(&place, 2).unwrap_or_else(|| vec![place.open()]);
    meetings_of_two(&place, &stores[0], 8).await;
    let tasks = (0..16).map(|number| {
        let store = stores[number % stores.len()].clone();
        let meeting = format!("{}-{}", if number % 2 == 0 { "ada" } else { "ben" }, number / 2);
        tokio::spawn(async move { (takes_of_account(&store, &meeting).await, meeting) })
    });
    let mut taken = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap() {
            (Ok(()), meeting) => taken.push(meeting),
            (Err(NoRunningPlace::OfAccount { account, running }), meeting) => {
                assert_eq!((account.as_str(), running), (&meeting[..3], 2));
            }
            (Err(none), meeting) => panic!("{meeting}: {none:?}"),
        }
    }
    taken.sort_unstable();
    assert_eq!(taken.len(), 4, "{taken:?}");
    assert!(taken[1].starts_with("ada") && taken[2].starts_with("ben"), "{taken:?}");
}

#[tokio::test]
async fn a_meeting_counts_for_the_account_that_created_it_while_it_runs() {
    let place = Place::new();
    let stores = processes(&place, 2).unwrap_or_else(|| vec![place.open()]);
    let (first, other) = (&stores[0], &stores[stores.len() - 1]);
    meetings_of_two(&place, first, 4).await;
    let set = |what: &str, names: &str| {
        place.execute(&format!("UPDATE meeting SET {what} WHERE id IN ({names})"));
    };
    set("phase = 'discussion'", "'ada-0', 'ben-0', 'ben-1'");
    assert_eq!(takes_of_account(first, "ada-1").await, Ok(()));
    set("phase = 'ballot'", "'ada-1'");
    assert_eq!(
        takes_of_account(other, "ada-2").await,
        no_more(2),
        "one counts once, while it has a place too"
    );
    first.leave_running_place(&id("ada-1")).await.unwrap();
    assert_eq!(takes_of_account(other, "ada-2").await, no_more(2));
    assert_eq!(takes_of_account(other, "ada-0").await, Ok(()), "one that runs goes on");
    other.leave_running_place(&id("ada-0")).await.unwrap();
    set("paused = TRUE", "'ada-0'");
    assert_eq!(takes_of_account(other, "ada-2").await, Ok(()));
    // Whose nobody knows is nobody's.
    set("created_by = NULL", "'ada-3'");
    assert_eq!(takes_of_account(other, "ada-3").await, Ok(()));
}

#[tokio::test]
async fn the_row_of_a_meeting_says_who_created_it() {
    let place = Place::new();
    let store = place.open();
    talk_on(&store, &id("a"), 0, 5).await.unwrap();
    let owned = "SELECT count(*) FROM meeting WHERE created_by = 'ada'";
    assert_eq!(place.number(owned), 1);
    drop(store);
    place.execute("UPDATE meeting SET created_by = 'mallory'");
    let found = format!("{:?}", verify(&place.db()));
    assert!(found.contains("created_by"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_meetings_begin_to_run_than_may_however_many_processes_start_some_at_once() {
    let place = Place::new();
    // Of a file there is one writer, which starts them all.
    let stores = processes(&place, 2).unwrap_or_else(|| vec![place.open()]);
    let tasks = (0..24).map(|number| {
        let store = stores[number % stores.len()].clone();
        tokio::spawn(async move { (number, takes(&store, &format!("m{number}")).await) })
    });
    let mut taken = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap() {
            (number, Ok(())) => taken.push(number),
            (_, Err(others)) => assert_eq!(others, 3),
        }
    }
    assert_eq!(taken.len(), 3, "{taken:?}");
    // Whoever has a place keeps it when it asks again; what was given back goes to another one.
    let (first, last) = (format!("m{}", taken[0]), &stores[stores.len() - 1]);
    assert_eq!(takes(last, &first).await, Ok(()));
    stores[0].leave_running_place(&id(&first)).await.unwrap();
    last.leave_running_place(&id(&first)).await.unwrap();
    assert_eq!(takes(last, "another").await, Ok(()));
    assert_eq!(takes(&stores[0], "one more").await, Err(3));
}

#[tokio::test]
async fn a_meeting_that_runs_has_its_place_without_taking_one() {
    let place = Place::new();
    let stores = processes(&place, 2).unwrap_or_else(|| vec![place.open()]);
    let other = &stores[stores.len() - 1];
    for name in ["a", "b", "c", "d"] {
        talk_on(&stores[0], &id(name), 0, 3).await.unwrap();
    }
    let run = |names: &str| {
        place.execute(&format!("UPDATE meeting SET phase = 'discussion' WHERE id IN ({names})"));
    };
    run("'a', 'b'");
    assert_eq!(takes(&stores[0], "c").await, Ok(()));
    run("'c'");
    assert_eq!(takes(other, "d").await, Err(3), "c counts once, while it has a place too");
    stores[0].leave_running_place(&id("c")).await.unwrap();
    assert_eq!(takes(other, "d").await, Err(3));
    assert_eq!(takes(other, "a").await, Ok(()), "one that runs goes on");
    place.execute("UPDATE meeting SET phase = 'ended' WHERE id = 'b'");
    other.leave_running_place(&id("a")).await.unwrap();
    assert_eq!(takes(other, "d").await, Ok(()));
}

#[tokio::test]
async fn the_place_of_a_process_that_is_gone_is_free() {
    let place = Place::new();
    let Some(stores) = processes(&place, 2) else { return };
    for name in ["a", "b", "c"] {
        assert_eq!(takes(&stores[0], name).await, Ok(()));
    }
    assert_eq!(takes(&stores[1], "d").await, Err(3));
    drop(stores.into_iter().next());
    let next = place.open();
    assert_eq!(takes(&next, "d").await, Ok(()));
}

/// The changes of owners, the oldest first: of which meeting, in which epoch, from whom.
async fn changes(store: &Store, meeting: Option<&str>) -> Vec<(String, u64, String)> {
    let mut changes = store.owner_changes(meeting.map(id), 100).await.unwrap();
    changes.sort_by_key(|change| (change.changed_at, change.epoch));
    changes.into_iter().map(|change| (change.meeting.to_string(), change.epoch, change.from)).collect()
}

#[tokio::test]
async fn it_is_known_which_meetings_have_gone_over_from_one_process_to_another() {
    let place = Place::new();
    let Some(stores) = processes(&place, 1) else {
        assert!(changes(&place.open(), None).await.is_empty());
        return;
    };
    let store = &stores[0];
    for name in ["a", "b", "c", "d"] {
        talk_on(store, &id(name), 0, 3).await.unwrap();
    }
    assert!(changes(store, None).await.is_empty(), "whoever begins a meeting takes it from nobody");
    // As it stands when one process is gone, one has left, and this one has a new lease.
    let mine = place.texts("SELECT token FROM node")[0].clone();
    let id_of_this = mine.rsplit_once('#').unwrap().0;
    place.execute(&format!(
        "UPDATE meeting SET phase = 'discussion';
         UPDATE meeting SET owner = 'gone#0123456789abcdef' WHERE id IN ('a', 'b');
         UPDATE meeting SET owner = NULL, left_by = 'left#0123456789abcdef' WHERE id = 'c';
         UPDATE meeting SET owner = '{id_of_this}#0123456789abcdef' WHERE id = 'd'"
    ));
    store.claim(&id("a")).await.unwrap();
    let mut taken = store.claim_free(100).await.unwrap();
    taken.sort();
    assert_eq!(taken, [id("b"), id("c"), id("d")]);
    let gone = |meeting: &str, from: &str| (meeting.to_owned(), 2, from.to_owned());
    let mut all = changes(store, None).await;
    all.sort();
    assert_eq!(all, [gone("a", "gone"), gone("b", "gone"), gone("c", "left")]);
    assert_eq!(changes(store, Some("c")).await, [gone("c", "left")]);
    assert_eq!(store.owner_changes(None, 1).await.unwrap().len(), 1);
    store.delete_meeting(&id("c")).await.unwrap();
    assert!(changes(store, Some("c")).await.is_empty());
}
