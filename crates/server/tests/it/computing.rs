//! Long computations do not hold up other requests.

use std::time::{Duration, Instant};

use quorate_contract::{Event, EventBody, MeetingId, MessageId};
use quorate_engine::{Journal, Record};
use reqwest::StatusCode;
use serde_json::json;

use crate::test_server::Rig;

/// The number of messages of the greatest length in the long meeting.
const MESSAGES: u64 = 400;

/// A meeting at which as much was said as in weeks; its path.
async fn long_meeting(rig: &Rig) -> String {
    let short = rig.meeting(json!({"format": "discussion", "rules": {"limits": {"max_rounds": 2}}})).await;
    rig.to_the_end(&short).await;
    let from = MeetingId::new(short.trim_start_matches("/meetings/"));
    let records = rig.store().read(from, 0).await.expect("its log");
    let id = MeetingId::new("long");
    let said = |event: &&Event| matches!(event.body, EventBody::AgentMessage { .. });
    let events: Vec<&Event> = records.iter().map(|record| &*record.event).collect();
    let last = events.iter().rposition(said).expect("somebody spoke");
    let mut log: Vec<Event> =
        events[..=last].iter().map(|event| Event { meeting_id: id.clone(), ..(*event).clone() }).collect();
    let words =
        "One file is easy to keep, to copy and to look into. **Ben** says otherwise; 众议在此。".repeat(110);
    for number in 0..MESSAGES {
        let mut event = log[last].clone();
        event.seq = log.len() as u64 + 1;
        if let EventBody::AgentMessage { message_id, message, .. } = &mut event.body {
            *message_id = MessageId(message_id.0 + u32::try_from(number).unwrap_or(u32::MAX) + 1);
            message.content = format!("{number}: {words}");
        }
        log.push(event);
    }
    let mut expected = 0;
    for some in log.chunks(200) {
        let records: Vec<Record> = some.iter().cloned().map(Record::of).collect();
        let many = records.len() as u64;
        rig.store().append(id.clone(), expected, records).await.expect("written");
        expected += many;
    }
    format!("/meetings/{id}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_reports_of_the_longest_meeting_hold_nobody_up() {
    let rig = Rig::start().await;
    let long = long_meeting(&rig).await;
    let alone = Instant::now();
    rig.see(&format!("{long}/report")).await;
    let alone = alone.elapsed();
    for path in ["report", "report/markdown", "usage", "deliberation-health", "?messages=500", "?at=300"] {
        let path = if path.starts_with('?') { format!("{long}{path}") } else { format!("{long}/{path}") };
        // What was answered is not read: that would take the threads of the server, which are this test's.
        let asked = (0..50).map(|_| rig.client.get(format!("{}/api/v1{path}", rig.url)).send());
        let all = futures::future::join_all(asked);
        tokio::pin!(all);
        let mut slowest = Duration::ZERO;
        let answers = loop {
            let begun = Instant::now();
            tokio::select! {
                answers = &mut all => break answers,
                health = rig.client.get(format!("{}/healthz", rig.url)).send() => {
                    assert_eq!(health.expect("an answer").status(), StatusCode::OK);
                    slowest = slowest.max(begun.elapsed());
                }
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let statuses: Vec<StatusCode> =
            answers.into_iter().map(|answer| answer.expect("an answer").status()).collect();
        let told =
            |status: &StatusCode| *status == StatusCode::OK || *status == StatusCode::SERVICE_UNAVAILABLE;
        assert!(statuses.iter().all(told), "{path}: {statuses:?}");
        assert!(statuses.contains(&StatusCode::OK), "{path}");
        assert!(slowest < Duration::from_secs(1), "{path}: {slowest:?}, one alone takes {alone:?}");
    }
}
