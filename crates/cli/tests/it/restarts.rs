//! The service is killed in each phase of a meeting and started again: subscribers get the rest and nothing
//! twice, and events that were acknowledged just before are there once.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{App, check_whole, events, of_type};
use crate::served::{Answered, Caller, Ear, Served};
use crate::vendor::{Answer, Vendor, sensible, vote};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

/// The phase in which a meeting is cut off.
struct Cut {
    phase: &'static str,
    format: &'static str,
    /// Whether the model hangs, until it is released, at the n-th request for this purpose, counted from 0.
    thinks: fn(&str, usize) -> bool,
    /// The event that shows the phase.
    seen: fn(&Value) -> bool,
    /// Whether the meeting is paused first.
    paused: bool,
    /// Whether messages are not accepted any more.
    silent: bool,
}

fn asked_for(event: &Value, task: &str) -> bool {
    event["type"] == "call_started"
        && event["payload"]["task"].as_str().is_some_and(|name| name.starts_with(task))
}

const CUTS: [Cut; 6] = [
    Cut {
        phase: "blind answers",
        format: "consensus",
        thinks: |purpose, before| purpose == "position" && before >= 1,
        seen: |event| event["type"] == "agent_message",
        paused: false,
        silent: false,
    },
    Cut {
        phase: "discussion",
        format: "consensus",
        thinks: |purpose, before| purpose == "prose" && before >= 1,
        seen: |event| asked_for(event, "speak:r1t2"),
        paused: false,
        silent: false,
    },
    Cut {
        phase: "ballot",
        format: "consensus",
        thinks: |purpose, before| purpose == "vote" && before >= 1,
        seen: |event| event["type"] == "vote_cast",
        paused: false,
        silent: false,
    },
    Cut {
        phase: "facilitation",
        format: "consensus",
        thinks: |purpose, _| purpose == "facilitation",
        seen: |event| asked_for(event, "facilitate:b1"),
        paused: false,
        silent: false,
    },
    Cut {
        phase: "closing",
        format: "discussion",
        thinks: |purpose, _| purpose == "minutes",
        seen: |event| asked_for(event, "minutes"),
        paused: false,
        silent: true,
    },
    Cut {
        phase: "pause",
        format: "consensus",
        thinks: |purpose, before| purpose == "prose" && before >= 1,
        seen: |event| event["type"] == "pause",
        paused: true,
        silent: false,
    },
];

/// A vendor whose models let the first ballot fail, and think when the cut wants it.
fn vendor(thinks: fn(&str, usize) -> bool) -> Vendor {
    let asked = Mutex::new(BTreeMap::<String, usize>::new());
    Vendor::of(move |heard| {
        let purpose = heard.purpose();
        let before = {
            let mut asked = asked.lock().expect("nobody panics with it");
            let count = asked.entry(purpose.to_owned()).or_default();
            *count += 1;
            *count - 1
        };
        let answer = Answer::Whole(match purpose {
            "vote" if before < 3 => vote(40),
            _ => sensible(heard),
        });
        match thinks(purpose, before) {
            true => Answer::Thinking(Box::new(answer)),
            false => answer,
        }
    })
}

/// A message that is repeated until it is acknowledged, with a key of its own.
struct Word {
    content: String,
    key: String,
    /// The response before the kill.
    heard: Option<Value>,
}

impl Word {
    fn send(&self, caller: &Caller, meeting: &str) -> reqwest::Result<Answered> {
        let body = json!({ "content": self.content });
        let key = [("idempotency-key", self.key.as_str())];
        caller.try_send(Method::POST, &format!("{meeting}/messages"), &key, Some(&body))
    }
}

/// Sends one message after the other until the service is gone. Whether the last one arrived is unknown.
fn talks(caller: &Caller, meeting: &str, acknowledged: Sender<()>) -> Vec<Word> {
    let mut words = Vec::new();
    loop {
        let number = words.len();
        let (content, key) = (format!("word {number} of the person"), format!("word-{number}"));
        let mut word = Word { content, key, heard: None };
        match word.send(caller, meeting) {
            Ok(answered) => {
                assert_eq!(answered.status, 202, "{}: {}", answered.body, caller.log(meeting));
                word.heard = Some(answered.body);
                words.push(word);
                // The receiver may have gone on.
                _ = acknowledged.send(());
            }
            Err(_) => {
                words.push(word);
                return words;
            }
        }
    }
}

/// Kills the service in the phase while messages are being sent; returns the received events and the sent
/// messages.
fn up_to_the_kill(cut: &Cut, served: Served) -> (String, Ear, Vec<Word>) {
    let meeting = served.begin(json!({
        "topic": TOPIC,
        "format": cut.format,
        "participants": [{ "name": "Ada" }, { "name": "Ben" }, { "name": "Cid" }],
        "rules": {
            "decision": { "on_steering": "queue" },
            "intake": { "when": "never" },
            "limits": { "max_rounds": 2 },
        },
    }));
    let mut ear = served.listen(&meeting, None);
    if cut.paused {
        ear.until("the turn that is cancelled", |event| asked_for(event, "speak:r1t2"));
        served.execute(&format!("{meeting}/pause"), json!({ "at_once": true }));
    }
    ear.until(cut.phase, cut.seen);
    let caller = served.caller();
    let (acknowledged, hears) = channel();
    if cut.silent {
        let word = Word { content: "too late".to_owned(), key: "late".to_owned(), heard: None };
        assert_eq!(word.send(&caller, &meeting).expect("an answer").sort(), "meeting-is-over");
        served.kill();
        ear.rest();
        return (meeting, ear, Vec::new());
    }
    let words = std::thread::scope(|scope| {
        let talking = scope.spawn(|| talks(&caller, &meeting, acknowledged));
        for _ in 0..2 {
            hears.recv().expect("it is answered");
        }
        served.kill();
        talking.join().expect("it talks to the end")
    });
    ear.rest();
    (meeting, ear, words)
}

fn cut_off(cut: &Cut) {
    // Shown when the test fails.
    eprintln!("cut off in: {}", cut.phase);
    let vendor = vendor(cut.thinks);
    let app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let (meeting, ear, words) = up_to_the_kill(cut, Served::start(&app, &[]));

    let served = Served::start(&app, &[]);
    let stored = served.log(&meeting);
    assert!(stored.starts_with(&ear.lines), "what was told is in the log as it was told");
    assert_eq!(served.see(&meeting)["state"] == "paused", cut.paused, "{}", cut.phase);
    for word in &words {
        let again = word.send(&served, &meeting).expect("an answer");
        assert_eq!(again.status, 202, "{}: {}", cut.phase, again.body);
        if let Some(heard) = &word.heard {
            assert_eq!((&again.body, again.header("idempotent-replayed")), (heard, "true"));
        }
    }
    vendor.goes_on();
    if cut.paused {
        served.execute(&format!("{meeting}/resume"), json!({}));
    }
    let rest = served.follow_to_the_end(&meeting, ear.last);
    let log = served.log(&meeting);
    assert_eq!(ear.lines + &rest, log, "{}: what was told, from first to last, is the log", cut.phase);
    check_whole(&log);
    let log = events(&log);
    let said = of_type(&log, "user_message");
    let said: Vec<&str> =
        said.iter().filter_map(|event| event["payload"]["message"]["content"].as_str()).collect();
    let sent: Vec<&str> = words.iter().map(|word| word.content.as_str()).collect();
    assert_eq!(said, sent, "{}: each word once, in order", cut.phase);
    let recovered = of_type(&log, "recovered").len();
    assert_eq!(recovered, usize::from(!cut.paused), "{}: lost calls are made again", cut.phase);
    served.stop().ok();
    app.quorate(&["verify"]).ok();
}

#[test]
fn a_meeting_that_is_cut_off_in_any_phase_goes_on_and_nothing_is_lost_or_said_twice() {
    std::thread::scope(|scope| {
        for cut in &CUTS {
            scope.spawn(move || cut_off(cut));
        }
    });
}
