//! Search: messages are found by words, phrases and pairs of characters, and no longer once they are deleted.

use std::time::{Duration, Instant};

use quorate_contract::{Actor, EventBody, Message, MessageId, MessageRole, Minutes, Timestamp};
use quorate_core::MeetingState;
use quorate_engine::{Journal, JournalError};
use quorate_store::{SearchFilter, SearchHit, SearchKind, Store, StoreError};

use crate::fixtures::{Place, created, id, record, talk_on, verify};

fn said_by(name: &str, words: &str) -> EventBody {
    EventBody::UserMessage {
        reply_to: None,
        message_id: MessageId(1),
        round: 1,
        by: Actor::person(name, name),
        message: Message {
            role: MessageRole::User,
            name: name.to_owned(),
            content: words.to_owned(),
            citations: Vec::new(),
            evidence: Vec::new(),
        },
        mentions: Vec::new(),
        mentioned_people: Vec::new(),
    }
}

fn minutes(words: &str) -> EventBody {
    EventBody::MinutesWritten {
        version: 1,
        author: Actor::Facilitator,
        covers: None,
        minutes: Minutes {
            content: words.to_owned(),
            summary: "s".to_owned(),
            decisions: Vec::new(),
            actions: Vec::new(),
            risks: Vec::new(),
        },
    }
}

async fn meeting(store: &Store, name: &str, bodies: Vec<EventBody>) {
    let records = (1..).zip(bodies).map(|(seq, body)| record(&id(name), seq, body)).collect();
    store.append(id(name), 0, records).await.unwrap();
}

/// Waits until all that was appended is found, which takes less than a second.
async fn indexed(store: &Store) {
    let begun = Instant::now();
    while store.search_lag().await.unwrap() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the index does not follow");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn words(words: &str) -> SearchFilter {
    SearchFilter { words: words.to_owned(), ..Default::default() }
}

async fn hits(store: &Store, filter: SearchFilter) -> Vec<(String, u64)> {
    let page = store.search(filter, None, 100).await.unwrap();
    assert_eq!(page.next, None);
    page.items.into_iter().map(|hit| (hit.meeting.to_string(), hit.seq)).collect()
}

fn marked(hit: &SearchHit) -> String {
    hit.snippet.iter().map(|p| if p.hit { format!("[{}]", p.text) } else { p.text.clone() }).collect()
}

async fn library() -> (Place, Store) {
    let place = Place::new();
    let store = place.open();
    let first = vec![
        created("数据库够用吗"),
        said_by("Ada", "收敛条件还不清楚，SQLite 够用。"),
        said_by("Ben", "Two writers meet; café closed."),
        minutes("已经收敛：用 SQLite。"),
    ];
    meeting(&store, "a", first).await;
    meeting(&store, "b", vec![created("Budget"), said_by("ada", "the writers of two tables")]).await;
    indexed(&store).await;
    (place, store)
}

#[tokio::test]
async fn words_phrases_and_pairs_are_found_newest_first() {
    let (place, store) = library().await;
    let at = |meeting: &str, seq| (meeting.to_owned(), seq);
    assert_eq!(hits(&store, words("收敛")).await, [at("a", 4), at("a", 2)]);
    assert_eq!(hits(&store, words("收敛条件")).await, [at("a", 2)]);
    assert_eq!(hits(&store, words("清")).await, [at("a", 2)], "one character alone");
    assert_eq!(hits(&store, words("敛")).await, [at("a", 4), at("a", 2)], "also inside a run");
    assert_eq!(hits(&store, words("够用")).await, [at("a", 2), at("a", 1)]);
    assert_eq!(hits(&store, words("条敛")).await, []);
    assert_eq!(hits(&store, words("SQL")).await, [at("a", 4), at("a", 2)], "the beginning of a word");
    assert_eq!(hits(&store, words("\"SQL\"")).await, [], "in quotes it is the word itself");
    assert_eq!(hits(&store, words("two writers")).await, [at("b", 2), at("a", 3)]);
    assert_eq!(hits(&store, words("\"two writers\"")).await, [at("a", 3)]);
    assert_eq!(hits(&store, words("CAFE")).await, [at("a", 3)]);
    assert_eq!(hits(&store, words("收敛 sqlite 不清楚")).await, [at("a", 2)]);
    let found = store.search(words("收敛"), None, 1).await.unwrap();
    assert_eq!(marked(&found.items[0]), "已经[收敛]：用 SQLite。 s");
    assert_eq!((found.items[0].kind, found.items[0].topic.as_str()), (SearchKind::Minutes, "数据库够用吗"));
    let next = store.search(words("收敛"), found.next.as_deref(), 1).await.unwrap();
    assert_eq!((next.items[0].seq, next.items[0].by.as_str(), next.next), (2, "Ada", None));
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[tokio::test]
async fn a_search_is_narrowed_down() {
    let (_place, store) = library().await;
    let at = |meeting: &str, seq| (meeting.to_owned(), seq);
    let two = || words("two");
    assert_eq!(hits(&store, SearchFilter { meeting: Some(id("b")), ..two() }).await, [at("b", 2)]);
    let ada = || Some("Ada".to_owned());
    assert_eq!(hits(&store, SearchFilter { participant: ada(), ..two() }).await, [at("b", 2)]);
    assert_eq!(hits(&store, SearchFilter { participant: ada(), ..words("收敛") }).await, [at("a", 2)]);
    let kinds = vec![SearchKind::Minutes, SearchKind::Topic];
    assert_eq!(hits(&store, SearchFilter { kinds, ..words("用") }).await, [at("a", 4), at("a", 1)]);
    let (from, before) = (Some(Timestamp(2000)), Some(Timestamp(4000)));
    assert_eq!(hits(&store, SearchFilter { from, before, ..words("用") }).await, [at("a", 2)]);
    let from = Some(Timestamp(5000));
    assert_eq!(hits(&store, SearchFilter { from, ..words("用") }).await, []);
    let draft = || vec![MeetingState::Draft];
    assert_eq!(hits(&store, SearchFilter { states: draft(), ..two() }).await, [at("b", 2), at("a", 3)]);
    let others = MeetingState::ALL.into_iter().filter(|state| *state != MeetingState::Draft).collect();
    assert_eq!(hits(&store, SearchFilter { states: others, ..two() }).await, []);
    let format = |name: &str| Some(name.to_owned());
    assert_eq!(hits(&store, SearchFilter { format: format("consensus"), ..two() }).await.len(), 2);
    assert_eq!(hits(&store, SearchFilter { format: format("room"), ..two() }).await, []);
    for (simulated, found) in [(true, 0), (false, 2)] {
        let narrowed = SearchFilter { simulated: Some(simulated), ..two() };
        assert_eq!(hits(&store, narrowed).await.len(), found, "{simulated}");
    }
    let absent = SearchFilter { meeting: Some(id("nobody")), ..two() };
    let absent = store.search(absent, None, 1).await.unwrap_err();
    assert!(matches!(absent, StoreError::Journal(JournalError::NoSuchMeeting(_))), "{absent}");
    let nothing = store.search(words("  \"\" "), None, 1).await.unwrap_err();
    assert!(nothing.hint().contains("at least one"), "{}", nothing.hint());
}

#[tokio::test]
async fn a_meeting_with_a_password_is_left_out_unless_it_is_named() {
    let (_place, store) = library().await;
    store.set_password_hash(&id("b"), Some("hash".to_owned())).await.unwrap();
    let at = |meeting: &str, seq| (meeting.to_owned(), seq);
    assert_eq!(hits(&store, words("two")).await, [at("a", 3)]);
    let named = SearchFilter { meeting: Some(id("b")), ..words("two") };
    assert_eq!(hits(&store, named).await, [at("b", 2)]);
    let all = SearchFilter { locked: true, ..words("two") };
    assert_eq!(hits(&store, all).await.len(), 2);
}

/// The number of entries of the index that hold one of these words.
fn entries_with(place: &Place, words: &[&str]) -> i64 {
    if quorate_test_database::is_on_server() {
        return place.number(&format!("SELECT count(*) FROM search WHERE entry @@ '{}'", words.join("|")));
    }
    let raw = rusqlite::Connection::open(place.db()).unwrap();
    raw.execute_batch("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, row)").unwrap();
    let words = words.join("', '");
    let sql = format!("SELECT count(*) FROM temp.words WHERE term IN ('{words}')");
    raw.query_row(&sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_deleted_meeting_leaves_no_word_and_its_places_are_indexed_anew() {
    let (place, store) = library().await;
    store.delete_meeting(&id("b")).await.unwrap();
    assert_eq!(hits(&store, words("tables")).await, []);
    assert_eq!(entries_with(&place, &["tables", "budget"]), 0, "nor does the index hold its words");
    // The new meeting gets the places of the deleted one.
    meeting(&store, "c", vec![created("新的"), said_by("Ada", "tables again")]).await;
    indexed(&store).await;
    assert_eq!(hits(&store, words("tables")).await, [("c".to_owned(), 2)]);
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[tokio::test]
async fn an_old_database_is_indexed_after_it_was_opened() {
    let place = Place::new();
    let store = place.open();
    for number in 0..5 {
        talk_on(&store, &id(&format!("m{number}")), 0, 400).await.unwrap();
    }
    drop(store);
    // As it stood before there was an index.
    place.execute(match quorate_test_database::is_on_server() {
        true => "DELETE FROM search; UPDATE search_state SET version = 0, place = 0;",
        false => {
            "INSERT INTO search (search) VALUES ('delete-all'); UPDATE search_state SET version = 0, place = 0;"
        }
    });
    let store = place.open();
    talk_on(&store, &id("m0"), 400, 1).await.expect("nobody waits for the index");
    indexed(&store).await;
    let mut cursor: Option<String> = None;
    let mut found = 0;
    loop {
        let page = store.search(words("writers"), cursor.as_deref(), 150).await.unwrap();
        found += page.items.len();
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, 5 * 398 + 1);
}
