//! One stream: its contents, its order, and the requests of a client.

use std::time::Duration;

use quorate_contract::{Actor, Command, EventBody, Format};
use quorate_server::LiveOptions;

use super::running_server::{SOON, Stage, Talker, short, talk};

/// A stream that is cut after every single event, and taken up where it ended, is the log, byte for byte: in each
/// format, while the meeting runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_is_cut_at_every_event_is_the_log() {
    let stage = Stage::brisk().await;
    for format in Format::ALL {
        let id = format!("cut-{}", format!("{format:?}").to_lowercase());
        let handle = stage.started(&id, short(format)).await;
        let reading = async {
            let (mut glued, mut last) = (Vec::new(), None);
            loop {
                let mut ear = stage.listen_from(&id, "after=0", last).await;
                assert_eq!(ear.status, 200);
                let event = loop {
                    let frame = ear.named().await.expect("something comes before the end");
                    if frame.id.is_some() {
                        break frame;
                    }
                };
                let json = event.json();
                assert_eq!(
                    (json["seq"].as_u64(), json["type"].as_str()),
                    (event.id, Some(event.event.as_str()))
                );
                last = event.id;
                glued.push(event.data);
                if event.event == "finished" {
                    return glued;
                }
            }
        };
        let (glued, ()) = tokio::join!(reading, stage.to_the_end(&handle));
        assert_eq!(glued, stage.log(&id).await, "{format:?}");
    }
}

#[tokio::test]
async fn a_stream_says_how_it_is_to_be_read() {
    let stage = Stage::brisk().await;
    let handle = stage.started("one", short(Format::Consensus)).await;
    let mut ear = stage.listen("one", "").await;
    let header = |name: &str| ear.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert!(header("content-type").starts_with("text/event-stream"));
    assert_eq!((header("cache-control"), header("x-accel-buffering")), ("no-store", "no"));
    assert_eq!(header("content-encoding"), "");
    assert_eq!(ear.next().await.and_then(|frame| frame.retry), Some(2000), "first of all");
    stage.to_the_end(&handle).await;
    let frames = ear.all().await;
    let last = frames.last().expect("frames");
    assert_eq!(last.comment, "the meeting is over");
    let told: Vec<u64> = frames.iter().filter_map(|frame| frame.id).collect();
    assert!(told.iter().copied().eq(1..=told.len() as u64), "{told:?}");
    assert!(frames.iter().any(|frame| frame.event == "token"), "answers are told while they are written");
}

#[tokio::test]
async fn whoever_comes_back_goes_on_where_it_was() {
    let stage = Stage::brisk().await;
    let handle = stage.started("one", talk(&["Ada", "Ben"])).await;
    stage.to_the_end(&handle).await;
    let log = stage.log("one").await;
    // The header of a reconnecting client takes precedence over the first address.
    let frames = stage.listen_from("one", "after=1", Some(5)).await.all().await;
    let data: Vec<String> =
        frames.into_iter().filter(|frame| frame.id.is_some()).map(|frame| frame.data).collect();
    assert_eq!(data, log[5..]);
    let nothing = stage.listen("one", &format!("after={}", log.len())).await.all().await;
    assert!(nothing.iter().all(|frame| frame.id.is_none()), "{nothing:?}");
}

#[tokio::test]
async fn what_cannot_be_told_is_refused_with_a_hint() {
    let stage = Stage::brisk().await;
    stage.draft("one", talk(&["Ada"])).await;
    for (id, query, status, pointer) in [
        ("nowhere", "", 404, ""),
        ("one", "after=99", 422, "/after"),
        ("one", "after=x", 422, "/after"),
        ("one", "fragments=perhaps", 422, "/fragments"),
        ("one", "types=agent_message,gossip", 422, "/types"),
        ("one", "befor=3", 422, ""),
    ] {
        let ear = stage.listen(id, query).await;
        assert_eq!(ear.status, status, "{id}?{query}");
        let problem = ear.problem().await;
        assert!(!problem["hint"].as_str().unwrap_or_default().is_empty(), "{problem}");
        if !pointer.is_empty() {
            assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        }
    }
    let strange =
        stage.client.get(format!("{}/api/v1/meetings/one/events", stage.url)).header("last-event-id", "x-1");
    assert_eq!(strange.send().await.expect("an answer").status(), 422);
}

#[tokio::test]
async fn some_types_only_and_no_fragments() {
    let stage = Stage::brisk().await;
    let handle = stage.started("one", talk(&["Ada", "Ben"])).await;
    let mut ear = stage.listen("one", "types=agent_message,round_started&fragments=false").await;
    stage.to_the_end(&handle).await;
    let frames = ear.all().await;
    let names: Vec<&str> =
        frames.iter().map(|frame| frame.event.as_str()).filter(|name| !name.is_empty()).collect();
    assert_eq!(names, ["round_started", "agent_message", "agent_message", "finished"]);
    // The id advances all the same, so that a reconnecting client gets no event twice.
    let ids: Vec<u64> = frames.iter().filter_map(|frame| frame.id).collect();
    assert!(ids.is_sorted() && ids.len() > names.len(), "{ids:?}");
    assert_eq!(ids.last().copied(), Some(stage.log("one").await.len() as u64));
}

#[tokio::test]
async fn a_quiet_meeting_is_not_mistaken_for_a_dead_one() {
    let options = LiveOptions { heartbeat: Duration::from_millis(30), ..LiveOptions::default() };
    let stage = Stage::start(Talker::new(["Hm.".to_owned()], Duration::ZERO), options).await;
    let handle = stage.draft("one", talk(&["Ada"])).await;
    let mut ear = stage.listen("one", "").await;
    let mut beats = 0;
    while beats < 3 {
        let frame = ear.next().await.expect("it goes on");
        beats += u32::from(frame.comment == "still here");
    }
    handle
        .execute(Command::Say { by: Actor::owner(), content: "Anybody here?".to_owned() })
        .await
        .expect("said");
    loop {
        let frame = ear.named().await.expect("it goes on");
        if frame.event == "user_message" {
            return;
        }
    }
}

#[tokio::test]
async fn a_listener_that_comes_late_gets_the_text_so_far() {
    let words = (0..400).map(|n| format!("词{n} "));
    let stage = Stage::start(Talker::new(words, Duration::from_millis(2)), LiveOptions::default()).await;
    let handle = stage.started("one", talk(&["Ada"])).await;
    let mut first = stage.listen("one", "").await;
    let token = loop {
        let frame = first.named().await.expect("it goes on");
        if frame.event == "token" && frame.json()["end"].as_u64() > Some(200) {
            break frame.json();
        }
    };
    assert!(token["offset"].as_u64() > Some(0), "{token}");
    let mut late = stage.listen("one", "").await;
    let begun = loop {
        let frame = late.named().await.expect("it goes on");
        if frame.event == "token" {
            break frame.json();
        }
    };
    assert_eq!(
        (begun["offset"].as_u64(), &begun["kind"], &begun["turn"]),
        (Some(0), &"answer".into(), &"r1t1".into())
    );
    assert!(begun["text"].as_str().is_some_and(|text| text.starts_with("词0 词1 ")));
    assert!(begun["end"].as_u64() >= Some(200), "all there is so far");
    stage.to_the_end(&handle).await;
    let said = stage.engine.load(handle.id()).await.expect("a meeting").said[0].content.clone();
    assert!(said.starts_with("词0 词1 ") && said.len() > 1000);
}

#[tokio::test]
async fn a_service_that_stops_says_so_and_hangs_up() {
    let stage = Stage::brisk().await;
    stage.draft("one", talk(&["Ada"])).await;
    let mut ear = stage.listen("one", "").await;
    while ear.next().await.expect("the beginning").event != "participant_joined" {}
    stage.server.stop();
    let rest = tokio::time::timeout(SOON, ear.all()).await.expect("it hangs up");
    assert!(
        rest.iter().any(|frame| frame.comment == "the service stops" && frame.retry == Some(2000)),
        "{rest:?}"
    );
    let refused = stage.listen("one", "").await;
    assert_eq!(refused.status, 503);
}

/// Events tell when an answer ends, so that a client knows when to drop its fragments.
#[tokio::test]
async fn pieces_of_an_answer_come_between_its_call_and_its_end() {
    let words = (0..40).map(|n| format!("word{n} "));
    let stage = Stage::start(Talker::new(words, Duration::from_millis(1)), LiveOptions::default()).await;
    let handle = stage.draft("one", talk(&["Ada"])).await;
    let mut ear = stage.listen("one", "").await;
    handle.execute(Command::Start { by: Actor::owner() }).await.expect("it starts");
    let (frames, ()) = tokio::join!(ear.all(), stage.to_the_end(&handle));
    let (mut open, mut text, mut seen) = (false, String::new(), 0);
    for frame in &frames {
        match frame.event.as_str() {
            "call_started" if frame.json()["payload"]["task"] == "speak:r1t1" => open = true,
            "call_ended" if frame.json()["payload"]["task"] == "speak:r1t1" => open = false,
            "token" if frame.json()["task"] == "speak:r1t1" => {
                let token = frame.json();
                assert!(open, "{token}");
                assert_eq!(token["offset"].as_u64(), Some(text.len() as u64));
                text.push_str(token["text"].as_str().expect("a text"));
                assert_eq!(token["end"].as_u64(), Some(text.len() as u64));
                seen += 1;
            }
            "agent_message" => assert_eq!(frame.json()["payload"]["message"]["content"], text.trim_end()),
            _ => {}
        }
    }
    assert!(seen > 10, "{seen}");
    let log = stage.log("one").await;
    let last = quorate_contract::Event::from_json(log.last().expect("a log")).expect("an event");
    assert!(matches!(last.body, EventBody::Finished { .. }));
}
