//! Many listeners at one meeting.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use quorate_server::LiveOptions;

use super::running_server::{Frame, Stage, Talker, talk};

/// A reader that follows a stream as it is meant.
#[derive(Default)]
pub struct Reader {
    pub lines: Vec<String>,
    /// The shown part of each answer when it was complete.
    pub shown: BTreeMap<String, String>,
    under_way: BTreeMap<String, String>,
    pub resyncs: u32,
}

impl Reader {
    pub fn read(&mut self, frame: &Frame) {
        match frame.event.as_str() {
            "" => {}
            "token" => {
                let token = frame.json();
                let key = format!("{}#{} {}", token["task"], token["attempt"], token["kind"]);
                let text = self.under_way.entry(key.clone()).or_default();
                let offset = token["offset"].as_u64().expect("an offset") as usize;
                if offset == 0 {
                    text.clear();
                }
                assert_eq!(text.len(), offset, "a hole or a double in {key}");
                text.push_str(token["text"].as_str().expect("a text"));
                assert_eq!(token["end"].as_u64(), Some(text.len() as u64));
            }
            "resync" => {
                let last = self.lines.len() as u64;
                assert_eq!(frame.json()["last_seq"].as_u64(), Some(last));
                self.under_way.clear();
                self.resyncs += 1;
            }
            "agent_message" => {
                self.lines.push(frame.data.clone());
                let payload = frame.json()["payload"].clone();
                let task = format!("\"speak:{}\"#", payload["turn"].as_str().expect("a turn"));
                let shown = self.under_way.iter().find(|(key, _)| key.starts_with(&task));
                let shown = shown.map(|(_, text)| text.trim_end().to_owned());
                let said = payload["message"]["content"].as_str().expect("words").to_owned();
                // A reader that connected after the answer was complete has seen none of its fragments.
                if let Some(shown) = shown {
                    assert_eq!(shown, said);
                }
                self.shown.insert(payload["message_id"].to_string(), said);
            }
            _ => self.lines.push(frame.data.clone()),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_who_come_at_any_time_end_with_the_same_texts() {
    let words = (0..200).map(|n| format!("第{n}句，word {n}. "));
    let stage =
        Arc::new(Stage::start(Talker::new(words, Duration::from_millis(2)), LiveOptions::default()).await);
    let handle = stage.started("one", talk(&["Ada", "Ben", "Cid"])).await;
    let listeners = (0..50u64).map(|n| {
        let stage = Arc::clone(&stage);
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(n * 37 % 1500)).await;
            let mut ear = stage.listen("one", "").await;
            let mut reader = Reader::default();
            while let Some(frame) = ear.next().await {
                reader.read(&frame);
            }
            (reader.lines, reader.shown)
        })
    });
    let listeners: Vec<_> = listeners.collect();
    stage.to_the_end(&handle).await;
    let log = stage.log("one").await;
    for heard in join_all(listeners).await {
        let (lines, shown) = heard.expect("a listener");
        assert_eq!(lines, log);
        assert_eq!(shown.len(), 3);
    }
}
