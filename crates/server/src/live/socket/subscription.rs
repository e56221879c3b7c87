//! One meeting over a WebSocket that others share.

use quorate_contract::{Language, MeetingId};
use serde_json::json;

use super::client_message::View;
use super::outbox::{Gone, Outbox};
use crate::access::Principal;
use crate::live::listener::{Heard, Listener};
use crate::live::room::Room;
use crate::live::sse::ACCESS;
use crate::state::ServerState;

/// What is told of one meeting, and to whom.
pub(super) struct Subscription {
    pub(super) meeting: MeetingId,
    pub(super) listener: Listener,
    pub(super) server: ServerState,
    pub(super) principal: Principal,
    pub(super) view: View,
    /// In which it is told of trouble.
    pub(super) language: Language,
    /// Events up to this one are not told.
    pub(super) after: u64,
}

impl Subscription {
    /// Tells until the meeting is over, or nobody is there any more.
    pub(super) async fn tell(mut self, outbox: Outbox) {
        _ = self.tell_all(&outbox).await;
    }

    async fn tell_all(&mut self, outbox: &Outbox) -> Result<(), Gone> {
        let meeting = self.meeting.clone();
        let sees_all = self.principal.sees_all();
        let mut room = (self.view == View::Room).then(|| Room::new(meeting.clone()));
        let mut last = self.after;
        loop {
            let why = match self.listener.next().await {
                Ok(Heard::Event(frame)) if frame.kind() == ACCESS && self.is_shut().await => {
                    json!("the meeting asks for a password")
                }
                Ok(Heard::Event(frame)) => {
                    last = frame.seq;
                    match &mut room {
                        None => outbox.put(frame.message(sees_all)).await?,
                        // A room does not speak of what is hidden, apart from reasons; so it reads the redacted line.
                        Some(room) => {
                            let event = quorate_contract::Event::from_json(frame.line(sees_all)).ok();
                            let known = event.as_ref().or(frame.event().map(AsRef::as_ref));
                            let told = known.map(|event| room.hear(event)).unwrap_or_default();
                            if frame.seq > self.after {
                                for text in told {
                                    outbox.put(text).await?;
                                }
                            }
                        }
                    }
                    continue;
                }
                Ok(Heard::Tokens(batch)) => {
                    for frame in batch.frames(sees_all) {
                        match &room {
                            None => outbox.put(frame.message(&meeting)).await?,
                            Some(room) => {
                                if let Some(text) = room.update(frame) {
                                    outbox.put(text).await?;
                                }
                            }
                        }
                    }
                    continue;
                }
                Ok(Heard::Resync(seq)) => {
                    let resync = json!({ "type": "resync", "meeting": meeting, "last_seq": seq, "reason": "too_slow" });
                    outbox.put(resync.to_string()).await?;
                    continue;
                }
                Ok(Heard::Trouble(trouble)) => {
                    let (meeting, text) = (json!(meeting), trouble.told_in(self.language));
                    // The type of the frame comes before the type of the problem.
                    let text = text.replacen(r#""type":"#, r#""problem":"#, 1);
                    outbox.put(format!(r#"{{"type":"trouble","meeting":{meeting},{}"#, &text[1..])).await?;
                    continue;
                }
                Ok(Heard::Over) => {
                    let finished = json!({ "type": "finished", "meeting": meeting, "last_seq": last });
                    return outbox.put(finished.to_string()).await;
                }
                Ok(Heard::Lost) => json!("the meeting does not run here any more; subscribe again"),
                Ok(Heard::Stopping) => json!("the service stops"),
                Err(problem) => json!(problem.told_in(self.language)),
            };
            let ended = json!({ "type": "unsubscribed", "meeting": meeting, "last_seq": last, "why": why });
            return outbox.put(ended.to_string()).await;
        }
    }

    /// Whether the meeting asks for a password by now that this listener has not given.
    async fn is_shut(&self) -> bool {
        self.server.is_shut(&self.principal, &self.meeting).await.unwrap_or(true)
    }
}
