//! One meeting over a WebSocket that others share.

use axum::http::StatusCode;
use quorate_app::{Denial, now};
use quorate_contract::{Language, MeetingId};
use quorate_messages::message;
use serde_json::json;
use tokio::time::{Duration, MissedTickBehavior, interval};

use super::client_message::SubscriptionView;
use super::outbox::{Disconnected, Outbox};
use super::server_message::{ServerMessage, UnsubscribedReason};
use crate::access::Principal;
use crate::live::data::ResyncReason;
use crate::live::listener::{Listener, ListenerEvent};
use crate::live::sse::ACCESS;
use crate::live::visible::Sight;
use crate::problem::Problem;
use crate::state::ServerState;
use quorate_views::Room;

/// How often a room is asked who is there.
const LOOK_WHO_IS_THERE: Duration = Duration::from_secs(2);

/// What is told of one meeting, and to whom.
pub(super) struct Subscription {
    pub(super) meeting: MeetingId,
    pub(super) listener: Listener,
    pub(super) server: ServerState,
    pub(super) principal: Principal,
    pub(super) sight: Sight,
    pub(super) view: SubscriptionView,
    /// In which it is told of problems.
    pub(super) language: Language,
    /// Events up to this one are not told.
    pub(super) after: u64,
}

impl Subscription {
    /// Tells until the meeting is over, or the connection is closed.
    pub(super) async fn tell(mut self, outbox: Outbox) {
        _ = self.tell_all(&outbox).await;
    }

    async fn tell_all(&mut self, outbox: &Outbox) -> Result<(), Disconnected> {
        let meeting = self.meeting.clone();
        let mut room = (self.view == SubscriptionView::Room).then(|| Room::new(meeting.clone()));
        let mut last = self.after;
        let mut look = interval(LOOK_WHO_IS_THERE);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let heard = match &mut room {
                None => self.listener.next().await,
                Some(room) => tokio::select! {
                    biased;
                    heard = self.listener.next() => heard,
                    _ = look.tick() => {
                        // Not before those are known who are there.
                        if room.meeting().seq >= self.after {
                            self.tell_presence(room, outbox).await?;
                        }
                        continue;
                    }
                },
            };
            let (reason, problem) = match heard {
                Ok(ListenerEvent::Event(frame)) if frame.kind() == ACCESS && self.is_shut().await => {
                    (UnsubscribedReason::PasswordRequired, Denial::Locked.into())
                }
                Ok(ListenerEvent::Event(frame)) => {
                    last = frame.seq;
                    self.sight.hear(&frame, &self.principal);
                    match &mut room {
                        None => outbox.put(self.sight.message(&frame)).await?,
                        // A room does not speak of what is hidden, apart from reasons; so it reads the redacted line.
                        Some(room) => {
                            let event = quorate_contract::Event::from_json(&self.sight.line(&frame)).ok();
                            let known = event.as_ref().or(frame.event().map(AsRef::as_ref));
                            let is_withheld = self.sight.withholds_words(&frame);
                            let told = known.map(|event| room.hear(event, is_withheld)).unwrap_or_default();
                            if frame.seq > self.after {
                                for text in told {
                                    outbox.put(text).await?;
                                }
                            }
                        }
                    }
                    continue;
                }
                Ok(ListenerEvent::Tokens(batch)) => {
                    for frame in self.sight.frames(&batch) {
                        match &room {
                            None => outbox.put(frame.message(&meeting)).await?,
                            Some(room) => {
                                if let Some((turn, span)) = frame.of_turn() {
                                    outbox
                                        .put(room.update(turn, frame.participant, span, &frame.text))
                                        .await?;
                                }
                            }
                        }
                    }
                    continue;
                }
                Ok(ListenerEvent::Resync(seq)) => {
                    let (meeting, reason) = (meeting.clone(), ResyncReason::TooSlow);
                    outbox.put(ServerMessage::Resync { meeting, last_seq: seq, reason }.to_json()).await?;
                    continue;
                }
                Ok(ListenerEvent::MeetingProblem(problem)) => {
                    let (meeting, over) = (json!(meeting), problem.is_over());
                    let head = format!(r#"{{"type":"problem","meeting":{meeting},"over":{over}"#);
                    let text = match over {
                        true => format!("{head}}}"),
                        false => format!(r#"{head},"problem":{}}}"#, problem.told_in(self.language)),
                    };
                    outbox.put(text).await?;
                    continue;
                }
                Ok(ListenerEvent::Over) => {
                    return outbox.put(ServerMessage::Finished { meeting, last_seq: last }.to_json()).await;
                }
                Ok(ListenerEvent::Lost) => (UnsubscribedReason::Unloaded, unloaded(&meeting)),
                Ok(ListenerEvent::Stopping) => (UnsubscribedReason::Stopping, stopping()),
                Err(problem) => (UnsubscribedReason::Failed, problem),
            };
            let problem = Box::new(problem.told_in(self.language));
            let ended = ServerMessage::Unsubscribed { meeting, last_seq: last, reason, problem };
            return outbox.put(ended.to_json()).await;
        }
    }

    /// Tells of members of a room who have come, gone or become busy without an event: by what they do, or say of themselves.
    async fn tell_presence(&self, room: &mut Room, outbox: &Outbox) -> Result<(), Disconnected> {
        // It is looked at again.
        let Ok(people) = self.server.app().people(room.meeting()).await else { return Ok(()) };
        for member in people.iter().filter(|member| member.seat.is_none()) {
            if let Some(text) = room.notice(&member.name, &json!(member.presence), now()) {
                outbox.put(text).await?;
            }
        }
        Ok(())
    }

    /// Whether the meeting asks for a password by now that this listener has not given.
    async fn is_shut(&self) -> bool {
        self.server.is_shut(&self.principal, &self.meeting).await.unwrap_or(true)
    }
}

fn unloaded(meeting: &MeetingId) -> Problem {
    let detail = message!("server-meeting-unloaded", %meeting);
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", detail)
        .hint(message!("server-meeting-unloaded-hint"))
}

fn stopping() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message!("server-stopping"))
        .hint(message!("server-connect-again"))
}
