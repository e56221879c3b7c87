//! The list of meetings, and how one is found in it.

use quorate_contract::{
    AbortReason, Actor, BallotId, EventBody, MeetingDetails, MeetingOutcome, ModelParameters, PauseReason,
    RunnerSpec, Timestamp, Usage, Verdict,
};
use quorate_core::MeetingState;
use quorate_engine::Journal;
use quorate_store::{MeetingSummary, StoreError};

use crate::fixtures::{Place, created, id, joined, record, simulated, talk_on, verify};

fn model() -> RunnerSpec {
    RunnerSpec::Model {
        provider: "ollama".to_owned(),
        model: "qwen3".to_owned(),
        parameters: ModelParameters::default(),
        price: None,
        fallback: None,
    }
}

fn by_ada() -> Actor {
    Actor::person("ada", "ada")
}

fn ballot_closed(passed: bool) -> EventBody {
    EventBody::BallotClosed {
        ballot: BallotId(1),
        verdict: Verdict { passed, clauses: Vec::new(), votes: 2, abstentions: 0 },
    }
}

#[tokio::test]
async fn the_row_follows_the_meeting_from_draft_to_end() {
    use MeetingState::{Ballot, Closing, Draft, Ended, Paused, Preparation};
    let place = Place::new();
    let store = place.open();
    let meeting = id("m-1");
    let pause = EventBody::Pause {
        pause_reason: PauseReason::UserRequest,
        resume_token: "t".to_owned(),
        questions: Vec::new(),
        suggested_next: String::new(),
        by: by_ada(),
        budget: None,
    };
    let opened =
        EventBody::BallotOpened { ballot: BallotId(1), round: 1, draft_version: 1, voters: Vec::new() };
    let conclusion = EventBody::ConclusionWritten {
        by: Actor::System,
        conclusion: "c".to_owned(),
        reasons: String::new(),
        disagreements: Vec::new(),
        actions: Vec::new(),
        best: Vec::new(),
        wildcard: None,
    };
    let outcome = MeetingOutcome::Aborted(AbortReason::RoundLimit);
    let closing = EventBody::MeetingClosing { outcome, asked_again: None };
    let finished = EventBody::Finished {
        outcome: MeetingOutcome::Aborted(AbortReason::RoundLimit),
        rounds: 1,
        usage: Usage::default(),
        cost_micros: None,
    };
    let story = [
        (created("够吗？"), Draft, 0, false),
        (EventBody::TopicChanged { topic: "够用吗？".to_owned(), by: by_ada() }, Draft, 0, false),
        (joined(1, model()), Draft, 1, false),
        (joined(2, simulated()), Draft, 2, true),
        (EventBody::MeetingStarted { by: by_ada(), silence_max_ms: None }, Preparation, 2, true),
        (opened, Ballot, 2, true),
        (pause, Paused, 2, true),
        (
            EventBody::Resume { by: by_ada(), answers: Default::default(), defaults: Vec::new(), then: None },
            Ballot,
            2,
            true,
        ),
        (ballot_closed(false), Ballot, 2, true),
        (closing, Closing, 2, true),
        (conclusion, Closing, 2, true),
        (finished, Ended, 2, true),
    ];
    for (seq, (body, state, participants, is_simulated)) in (1..).zip(story) {
        store.append(meeting.clone(), seq - 1, vec![record(&meeting, seq, body)]).await.unwrap();
        let listed = store.meetings(10, 0).await.unwrap();
        let expected = MeetingSummary {
            id: meeting.clone(),
            topic: if seq == 1 { "够吗？" } else { "够用吗？" }.to_owned(),
            title: if seq == 1 { "够吗？" } else { "够用吗？" }.to_owned(),
            description: String::new(),
            tags: Vec::new(),
            forked_from: None,
            language: "zh".to_owned(),
            format: "consensus".to_owned(),
            state,
            outcome: (state == Ended).then(|| "aborted(round_limit)".to_owned()),
            conclusion_line: (seq > 10).then(|| "c".to_owned()),
            simulated: is_simulated,
            participants,
            created_ms: Timestamp(1000),
            updated_ms: Timestamp(seq.cast_signed() * 1000),
            events: seq,
        };
        assert_eq!(listed, [expected], "after event {seq}");
    }
    assert!(verify(&place.db()).unwrap().is_clean());
}

/// The title and the description of the one meeting, read anew from its row.
async fn called(place: &Place) -> (String, String) {
    let listed = place.open().meetings(10, 0).await.unwrap().remove(0);
    (listed.title, listed.description)
}

#[tokio::test]
async fn a_meeting_is_listed_by_its_title_over_every_opening_of_the_database() {
    let place = Place::new();
    let meeting = id("named");
    let topic = |topic: &str| EventBody::TopicChanged { topic: topic.to_owned(), by: by_ada() };
    let details = |title: &str, description: &str| {
        let (title, description) = (title.to_owned(), description.to_owned());
        EventBody::DetailsChanged {
            details: MeetingDetails { title, description, ..MeetingDetails::default() },
            by: by_ada(),
        }
    };
    let story = [
        (created("够吗？"), "够吗？", ""),
        (details("Stores", "Which one"), "Stores", "Which one"),
        (topic("够用吗？"), "Stores", "Which one"),
        (details("", "Which one"), "够用吗？", "Which one"),
        (topic("还够吗？"), "还够吗？", "Which one"),
    ];
    for (seq, (body, title, description)) in (1..).zip(story) {
        // The row is all that the next process has of the meeting.
        place.open().append(meeting.clone(), seq - 1, vec![record(&meeting, seq, body)]).await.unwrap();
        assert_eq!(called(&place).await, (title.to_owned(), description.to_owned()), "after event {seq}");
    }
    assert!(verify(&place.db()).unwrap().is_clean());
}

#[tokio::test]
async fn meetings_are_found_by_the_beginning_of_their_id() {
    let place = Place::new();
    let store = place.open();
    assert!(matches!(store.find("last").await, Err(StoreError::NoMeetings)));
    for name in ["0190-aa", "0190-ab", "0190-ab-c", "0200"] {
        talk_on(&store, &id(name), 0, 1).await.unwrap();
    }
    assert_eq!(store.find("last").await.unwrap(), id("0200"));
    assert_eq!(store.find("02").await.unwrap(), id("0200"));
    assert_eq!(store.find("0190-ab").await.unwrap(), id("0190-ab"), "a whole id is itself");
    assert!(matches!(store.find("x%").await, Err(StoreError::NoMatch { .. })));
    match store.find("0190").await.unwrap_err() {
        StoreError::Ambiguous { candidates, more, .. } => {
            assert_eq!(candidates, ["0190-ab-c", "0190-ab", "0190-aa"].map(id));
            assert!(!more);
        }
        other => panic!("{other}"),
    }
    for number in 0..20 {
        talk_on(&store, &id(&format!("many-{number}")), 0, 1).await.unwrap();
    }
    let many = store.find("many").await.unwrap_err();
    assert!(many.to_string().starts_with("more than 10 meetings begin with \"many\": many-19"), "{many}");
}

#[tokio::test]
async fn the_list_is_newest_first_and_comes_in_pages() {
    let place = Place::new();
    let store = place.open();
    for (seconds, name) in [(5, "b"), (9, "c"), (1, "a")] {
        let mut first = record(&id(name), 1, created(name));
        let mut event = (*first.event).clone();
        event.ts_ms = Timestamp(seconds * 1000);
        first = quorate_engine::Record::of(event);
        store.append(id(name), 0, vec![first]).await.unwrap();
    }
    let page = async |limit, offset| -> Vec<String> {
        let listed = store.meetings(limit, offset).await.unwrap();
        listed.into_iter().map(|meeting| meeting.topic).collect()
    };
    assert_eq!(page(10, 0).await, ["c", "b", "a"]);
    assert_eq!(page(2, 0).await, ["c", "b"]);
    assert_eq!(page(2, 2).await, ["a"]);
}

#[tokio::test]
async fn a_lost_catalogue_is_made_anew_from_the_log() {
    let place = Place::new();
    let store = place.open();
    for name in ["a", "b"] {
        talk_on(&store, &id(name), 0, 4).await.unwrap();
    }
    let before = store.meetings(10, 0).await.unwrap();
    drop(store);
    place.execute(
        "DELETE FROM meeting WHERE id = 'a';
         UPDATE meeting SET topic = 'forged', last_seq = 9, phase = 'nonsense';",
    );
    assert!(!verify(&place.db()).unwrap().is_clean());

    let store = place.open();
    let listed = store.meetings(10, 0).await.unwrap();
    assert_eq!(listed, before, "both are listed from their logs, also the one whose row was gone");
    assert_eq!(store.rebuild_catalogue().await.unwrap(), 2);
    assert_eq!(store.meetings(10, 0).await.unwrap(), before);
    assert!(verify(&place.db()).unwrap().is_clean());
    talk_on(&store, &id("a"), 4, 1).await.expect("and the meeting goes on");
}

#[tokio::test]
async fn a_damaged_log_makes_no_catalogue() {
    let place = Place::new();
    talk_on(&place.open(), &id("a"), 0, 4).await.unwrap();
    place.execute("UPDATE event SET line = replace(line, 'yes', 'no!') WHERE seq = 3");
    let store = place.open();
    let before = store.meetings(10, 0).await.unwrap();
    let refused = store.rebuild_catalogue().await.unwrap_err();
    assert!(refused.to_string().contains("event 3 of meeting a"), "{refused}");
    assert_eq!(store.meetings(10, 0).await.unwrap(), before);
    let damaged = store.read(id("a"), 0).await.unwrap_err();
    assert!(damaged.to_string().contains("event 3 of meeting a"), "{damaged}");
}

#[tokio::test]
async fn a_damaged_row_is_its_own_meetings_trouble_alone() {
    let place = Place::new();
    let store = place.open();
    for name in ["a", "b"] {
        talk_on(&store, &id(name), 0, 2).await.unwrap();
    }
    drop(store);
    place.execute("UPDATE meeting SET phase = 'nonsense' WHERE id = 'a'");
    let store = place.open();
    let (a, b) = (id("a"), id("b"));
    let (damaged, whole) = futures::join!(talk_on(&store, &a, 2, 1), talk_on(&store, &b, 2, 1));
    let damaged = damaged.unwrap_err();
    assert!(damaged.hint().contains("verify"), "{damaged}");
    whole.unwrap();
}
