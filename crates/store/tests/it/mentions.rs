//! Mentions: who was mentioned where, how far they have read, and the same again when the index is made anew.

use quorate_contract::{
    Actor, EventBody, MeetingId, Message, MessageId, MessageRole, ParticipantId, Person, RunnerSpec,
    TurnDelivery,
};
use quorate_engine::{Journal, Record};
use quorate_store::{MentionFilter, Store, StoreError, StoredMention};

use crate::fixtures::{Place, created, id, joined, record};

fn person(name: &str) -> Person {
    Person { id: name.to_owned(), name: name.to_owned() }
}

/// Somebody says something that mentions participants and people.
fn says(by: &str, number: u32, participants: &[u32], people: &[&str]) -> EventBody {
    EventBody::UserMessage {
        reply_to: None,
        message_id: MessageId(number),
        round: 1,
        by: Actor::person(by, by),
        message: Message {
            role: MessageRole::User,
            name: by.to_owned(),
            content: format!("word {number} of {by}"),
            citations: Vec::new(),
            evidence: Vec::new(),
        },
        mentions: participants.iter().map(|number| ParticipantId(*number)).collect(),
        mentioned_people: people.iter().map(|name| person(name)).collect(),
    }
}

fn seat(number: u32, name: &str) -> EventBody {
    joined(number, RunnerSpec::External { via: TurnDelivery::Person, name: name.to_owned() })
}

async fn hold(store: &Store, name: &str, bodies: Vec<EventBody>) {
    let records = (1..).zip(bodies).map(|(seq, body)| record(&id(name), seq, body)).collect();
    store.append(id(name), 0, records).await.unwrap();
}

fn of(name: &str) -> MentionFilter {
    MentionFilter { person: name.to_owned(), meeting: None, locked: true }
}

async fn all(store: &Store, filter: MentionFilter) -> Vec<StoredMention> {
    store.mentions(filter, None, 100).await.unwrap().items
}

/// Meeting, event and whether it is unread, of all mentions of a person.
async fn told(store: &Store, name: &str) -> Vec<(String, u64, bool)> {
    let found = all(store, of(name)).await;
    found.into_iter().map(|one| (one.meeting.to_string(), one.seq, one.is_unread)).collect()
}

async fn unread(store: &Store, filter: MentionFilter) -> u32 {
    store.unread_mentions(filter).await.unwrap().iter().map(|at| at.count).sum()
}

fn told_as(expected: &[(&str, u64, bool)]) -> Vec<(String, u64, bool)> {
    expected.iter().map(|(meeting, seq, unread)| ((*meeting).to_owned(), *seq, *unread)).collect()
}

/// Lin is mentioned by name and by her seat; Ben mentions himself by his.
async fn library(store: &Store) {
    let first = vec![
        created("a"),
        seat(1, "lin"),
        seat(2, "ben"),
        says("ben", 1, &[1, 2], &["lin"]),
        says("lin", 2, &[1], &["ben"]),
    ];
    hold(store, "a", first).await;
    hold(store, "b", vec![created("b"), says("ben", 1, &[], &["lin"]), says("ben", 2, &[], &[])]).await;
}

#[tokio::test]
async fn who_is_mentioned_finds_it_once_the_newest_first_and_nobody_finds_their_own_words() {
    let place = Place::new();
    let store = place.open();
    library(&store).await;
    assert_eq!(told(&store, "lin").await, told_as(&[("b", 2, true), ("a", 4, true)]));
    assert_eq!(
        told(&store, "ben").await,
        told_as(&[("a", 5, true)]),
        "his own seat in his own message is not one"
    );
    let first = &all(&store, of("lin")).await[1];
    assert_eq!(
        (first.who.as_str(), first.content.as_str(), first.topic.as_str()),
        ("ben", "word 1 of ben", "a")
    );
    assert_eq!((first.message, first.is_seated, first.is_by_participant), (MessageId(1), true, false));
    let page = store.mentions(of("lin"), None, 1).await.unwrap();
    let next = store.mentions(of("lin"), page.next.as_deref(), 1).await.unwrap();
    assert_eq!((page.items[0].seq, next.items[0].seq, next.next), (2, 4, None));
    let wrong = store.mentions(of("lin"), Some("m0000000000000001"), 1).await.unwrap_err();
    assert!(matches!(wrong, StoreError::BadCursor), "{wrong}");
}

#[tokio::test]
async fn a_mark_of_a_meeting_moves_on_and_never_back() {
    let place = Place::new();
    let store = place.open();
    library(&store).await;
    let at = |meeting: &str| MentionFilter { meeting: Some(id(meeting)), ..of("lin") };
    let mark = async |meeting: &str, up_to| store.mark_mentions_read(at(meeting), up_to, Vec::new()).await;
    mark("a", Some(3)).await.unwrap();
    assert_eq!(unread(&store, of("lin")).await, 2, "event 4 comes after what was read");
    mark("a", Some(u64::MAX)).await.unwrap();
    mark("a", Some(1)).await.unwrap();
    assert_eq!(told(&store, "lin").await, told_as(&[("b", 2, true), ("a", 4, false)]));
    store.append(id("a"), 5, vec![record(&id("a"), 6, says("ben", 3, &[], &["lin"]))]).await.unwrap();
    assert_eq!(unread(&store, at("a")).await, 1, "what is said later is not read before");
    store.mark_mentions_read(of("lin"), None, vec![id("b")]).await.unwrap();
    assert_eq!((unread(&store, at("a")).await, unread(&store, at("b")).await), (0, 1));
    store.mark_mentions_read(of("lin"), None, Vec::new()).await.unwrap();
    assert_eq!(
        (unread(&store, of("lin")).await, unread(&store, of("ben")).await),
        (0, 1),
        "others have their own"
    );
    let nowhere = mark("nowhere", None).await.unwrap_err();
    assert!(nowhere.to_string().contains("nowhere"), "{nowhere}");
}

#[tokio::test]
async fn a_meeting_with_a_password_is_left_out_unless_it_was_entered() {
    let place = Place::new();
    let store = place.open();
    library(&store).await;
    store.set_password_hash(&id("a"), Some("hash".to_owned())).await.unwrap();
    let outside = MentionFilter { locked: false, ..of("lin") };
    let seen: Vec<MeetingId> =
        all(&store, outside.clone()).await.into_iter().map(|one| one.meeting).collect();
    assert_eq!((seen, unread(&store, outside.clone()).await), (vec![id("b")], 1));
    let inside = MentionFilter { meeting: Some(id("a")), ..outside };
    assert_eq!((all(&store, inside.clone()).await.len(), unread(&store, inside).await), (1, 1));
}

#[tokio::test]
async fn a_rebuilt_index_says_the_same_and_a_deleted_meeting_leaves_nothing() {
    let place = Place::new();
    let store = place.open();
    library(&store).await;
    store
        .mark_mentions_read(MentionFilter { meeting: Some(id("a")), ..of("lin") }, None, Vec::new())
        .await
        .unwrap();
    let before = (all(&store, of("lin")).await, all(&store, of("ben")).await);
    for _ in 0..2 {
        store.rebuild_catalogue().await.unwrap();
        assert_eq!((all(&store, of("lin")).await, all(&store, of("ben")).await), before);
    }
    store.delete_meeting(&id("a")).await.unwrap();
    assert_eq!(told(&store, "lin").await, told_as(&[("b", 2, true)]));
    drop(store);
    for table in ["mention", "person_seat", "mention_read"] {
        let of_a = format!("SELECT count(*) FROM {table} WHERE meeting NOT IN (SELECT key FROM meeting)");
        assert_eq!(place.number(&of_a), 0, "{table}");
    }
}

#[tokio::test]
async fn what_was_stored_before_the_index_is_found_after_the_next_opening() {
    let place = Place::new();
    let store = place.open();
    library(&store).await;
    let before = all(&store, of("lin")).await;
    drop(store);
    place.execute("DELETE FROM mention; DELETE FROM person_seat; UPDATE mention_state SET version = 0;");
    assert_eq!(all(&place.open(), of("lin")).await, before);
}

#[tokio::test]
async fn what_a_fork_or_an_import_copies_mentions_nobody_anew() {
    let place = Place::new();
    let store = place.open();
    let forked = EventBody::MeetingForked {
        from: id("a"),
        at: 2,
        by: Actor::person("ben", "ben"),
        title: String::new(),
        carried: None,
    };
    hold(&store, "fork", vec![created("fork"), seat(1, "lin"), says("ben", 1, &[], &["lin"]), forked]).await;
    assert_eq!(told(&store, "lin").await, []);
    store.append(id("fork"), 4, vec![record(&id("fork"), 5, says("ben", 2, &[1], &[]))]).await.unwrap();
    assert_eq!(told(&store, "lin").await, told_as(&[("fork", 5, true)]), "its seats are the fork's, too");
    let imported = |seq, body| {
        let mut event = (*record(&id("import"), seq, body).event).clone();
        event.cause = "import".to_owned();
        Record::of(event)
    };
    let records = vec![imported(1, created("import")), imported(2, says("ben", 1, &[], &["lin"]))];
    store.append(id("import"), 0, records).await.unwrap();
    assert_eq!(told(&store, "lin").await.len(), 1);
    store.rebuild_catalogue().await.unwrap();
    assert_eq!(told(&store, "lin").await, told_as(&[("fork", 5, true)]));
}
