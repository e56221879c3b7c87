//! The events of a meeting as updates of its task.

use std::collections::HashMap;

use quorate_messages::{Language, text};
use serde_json::{Value, json};

use crate::answers::phrase;
use crate::task::{context_of, id_of, marks, message, speaker};

/// The longest frame of a stream of events, in bytes.
const FRAME_MAX: usize = 8 << 20;

/// What an event means for those who follow the task.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    /// An update to be sent on.
    Update(Value),
    /// The meeting pauses, or has ended: its state has to be looked at.
    Stands,
    /// Nothing that a client of the task has to know.
    Nothing,
}

/// Reads the events of a meeting.
pub(crate) struct Translator {
    /// The meeting as it was when the stream began: its ids.
    meeting: Value,
    language: Language,
    /// The names of participants, by id.
    names: HashMap<String, String>,
    round: Value,
}

impl Translator {
    pub(crate) fn new(meeting: &Value, language: Language) -> Self {
        let participants = meeting["participants"].as_array().into_iter().flatten();
        let named = participants
            .filter_map(|one| Some((one["id"].as_str()?.to_owned(), one["name"].as_str()?.to_owned())));
        let ids = json!({ "id": id_of(meeting), "description": meeting["description"] });
        Self { meeting: ids, language, names: named.collect(), round: meeting["round"]["number"].clone() }
    }

    /// The meaning of an event, as it stands in the log.
    pub(crate) fn read(&mut self, event: &Value) -> Meaning {
        let payload = &event["payload"];
        let language = self.language;
        let word = |field: &str| payload[field].as_str().unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "participant_joined" => {
                let one = &payload["participant"];
                if let (Some(id), Some(name)) = (one["id"].as_str(), one["name"].as_str()) {
                    self.names.insert(id.to_owned(), name.to_owned());
                }
                Meaning::Nothing
            }
            "meeting_started" => self.update(event, text!(language, "a2a-started"), &json!({})),
            "preparation_started" => self.update(event, text!(language, "a2a-preparation"), &json!({})),
            "round_started" => {
                self.round = payload["round"].clone();
                let round = payload["round"].as_u64().unwrap_or_default();
                let told = match word("kind") {
                    "blind" => text!(language, "a2a-blind-round").to_owned(),
                    _ => text!(language, "a2a-round", round),
                };
                self.update(event, &told, &json!({ "kind": payload["kind"] }))
            }
            "agent_message" | "user_message" | "facilitation_written" => {
                let name = speaker(&payload["message"], &event["actor"], language);
                let marks = marks(payload, language);
                let content = payload["message"]["content"].as_str().unwrap_or_default();
                let more =
                    json!({ "speaker": name, "message": payload["message_id"], "turn": payload["turn"] });
                self.update(event, &format!("{name}: {content}{marks}"), &more)
            }
            "turn_failed" => {
                let name = self.name(word("participant"));
                let (why, help) = (phrase(&payload["detail"], language), phrase(&payload["hint"], language));
                let told = text!(language, "a2a-turn-failed", name, why, help);
                self.update(event, &told, &json!({ "turn": payload["turn"], "failure": payload["kind"] }))
            }
            "ballot_opened" => self.update(
                event,
                text!(language, "a2a-ballot-opened"),
                &json!({ "ballot": payload["ballot"] }),
            ),
            "ballot_closed" => {
                let passed = payload["verdict"]["passed"] == true;
                let told = match passed {
                    true => text!(language, "a2a-ballot-passed"),
                    false => text!(language, "a2a-ballot-failed"),
                };
                self.update(event, told, &json!({ "ballot": payload["ballot"], "passed": passed }))
            }
            "resume" => self.update(event, text!(language, "a2a-resumed"), &json!({})),
            "meeting_closing" => self.update(event, text!(language, "a2a-closing"), &json!({})),
            "error" => {
                let (why, help) = (phrase(&payload["detail"], language), phrase(&payload["hint"], language));
                let told = text!(language, "a2a-error", why, help);
                self.update(event, &told, &json!({ "failure": payload["kind"] }))
            }
            "pause" | "finished" => Meaning::Stands,
            _ => Meaning::Nothing,
        }
    }

    fn name(&self, id: &str) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }

    /// An update of a task that goes on.
    fn update(&self, event: &Value, told: &str, more: &Value) -> Meaning {
        let seq = event["seq"].as_u64().unwrap_or_default();
        let parts = json!([{ "text": told, "mediaType": "text/markdown" }]);
        let message = message(&self.meeting, &seq.to_string(), parts);
        let mut metadata = json!({ "event": event["type"], "seq": seq, "round": self.round });
        for (name, value) in more.as_object().into_iter().flatten() {
            metadata[name] = value.clone();
        }
        Meaning::Update(json!({ "statusUpdate": {
            "taskId": id_of(&self.meeting), "contextId": context_of(&self.meeting),
            "status": { "state": "TASK_STATE_WORKING", "message": message },
            "metadata": { "quorate": metadata },
        } }))
    }
}

/// The updates that tell how a task stands now: its artifacts, when it is over, and its status.
pub(crate) fn standing(task: &Value) -> Vec<Value> {
    let (id, context) = (&task["id"], &task["contextId"]);
    let artifacts = task["artifacts"].as_array().into_iter().flatten().map(|artifact| {
        json!({ "artifactUpdate": { "taskId": id, "contextId": context, "artifact": artifact, "append": false, "lastChunk": true } })
    });
    let status = json!({ "statusUpdate": {
        "taskId": id, "contextId": context, "status": task["status"], "metadata": task["metadata"],
    } });
    artifacts.chain([status]).collect()
}

/// The frames of a stream of events.
#[derive(Default)]
pub(crate) struct Frames {
    rest: Vec<u8>,
}

impl Frames {
    /// The data of each event that is complete with this piece: lines of the log, or of the program itself. `None` when a frame
    /// does not end.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Option<Vec<Value>> {
        self.rest.extend_from_slice(piece);
        let mut found = Vec::new();
        while let Some(end) = self.rest.windows(2).position(|pair| pair == b"\n\n") {
            let frame: Vec<u8> = self.rest.drain(..end + 2).collect();
            for line in frame.split(|byte| *byte == b'\n') {
                if let Some(data) = line.strip_prefix(b"data:") {
                    found.extend(serde_json::from_slice(data.trim_ascii()).ok());
                }
            }
        }
        (self.rest.len() <= FRAME_MAX).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_however_they_are_cut() {
        let wire = b": still here\n\nid: 1\nevent: pause\ndata: {\"seq\":1,\"type\":\"pause\"}\n\nevent: token\ndata: {}\n\n";
        for size in 1..wire.len() {
            let mut frames = Frames::default();
            let found: Vec<Value> =
                wire.chunks(size).flat_map(|piece| frames.feed(piece).expect("short")).collect();
            assert_eq!(found, [json!({ "seq": 1, "type": "pause" }), json!({})], "in pieces of {size}");
        }
        assert!(Frames::default().feed(&vec![b'x'; FRAME_MAX + 1]).is_none());
    }

    #[test]
    fn what_is_said_is_told_with_its_speaker_and_what_is_hidden_is_not() {
        let mut translator = Translator::new(
            &json!({ "id": "m", "participants": [{ "id": "p1", "name": "Ada" }] }),
            Language::En,
        );
        let said = json!({ "seq": 9, "type": "agent_message", "payload": { "message_id": "m1", "turn": "r1t1", "message": { "name": "Ada", "content": "SQLite." } } });
        let Meaning::Update(update) = translator.read(&said) else { panic!("it is told") };
        assert_eq!(update["statusUpdate"]["status"]["message"]["parts"][0]["text"], "Ada: SQLite.");
        assert_eq!(update["statusUpdate"]["metadata"]["quorate"]["speaker"], "Ada");
        for hidden in ["vote_cast", "memory_written", "evaluation_written", "call_started", "a_later_type"] {
            assert_eq!(
                translator.read(&json!({ "seq": 1, "type": hidden, "payload": {} })),
                Meaning::Nothing
            );
        }
        assert_eq!(translator.read(&json!({ "type": "finished" })), Meaning::Stands);
        let failed = json!({ "seq": 1, "type": "turn_failed", "payload": { "participant": "p1", "detail": { "text": "gone" }, "hint": { "text": "wait" } } });
        let Meaning::Update(update) = translator.read(&failed) else { panic!("it is told") };
        assert!(update.to_string().contains("Ada") && update.to_string().contains("gone"));
    }
}
