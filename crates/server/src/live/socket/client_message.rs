//! What somebody messages over a WebSocket.

use std::collections::BTreeMap;
use std::net::IpAddr;

use axum::http::{Method, StatusCode};
use quorate_contract::{Command, MeetingId, MessageId};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{Detail, Need, Note, Principal, action, audit, forbidden, may_set_going, need};
use crate::problem::Problem;
use crate::resume_policy;
use crate::state::ServerState;

/// The longest `id` of a message, in characters.
const ID_MAX: usize = 128;

/// What can be asked.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClientMessage {
    SignIn {
        token: String,
    },
    Subscribe {
        meeting: MeetingId,
        #[serde(default)]
        after: u64,
        #[serde(default = "yes")]
        fragments: bool,
        #[serde(default)]
        view: View,
    },
    Unsubscribe {
        meeting: MeetingId,
    },
    Say {
        meeting: MeetingId,
        content: String,
        #[serde(default)]
        reply_to: Option<MessageId>,
    },
    RequestSpeaker {
        meeting: MeetingId,
        participant: String,
    },
    Pause {
        meeting: MeetingId,
        #[serde(default)]
        at_once: bool,
    },
    Resume {
        meeting: MeetingId,
        #[serde(default)]
        token: Option<String>,
        #[serde(default)]
        answers: BTreeMap<String, Value>,
        #[serde(default)]
        take_defaults: bool,
    },
    End {
        meeting: MeetingId,
        #[serde(default)]
        note: String,
    },
    Ping {},
}

/// In which words a meeting is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum View {
    /// Our own events.
    #[default]
    Events,
    /// The eight names of requirement 002.
    Room,
}

fn yes() -> bool {
    true
}

/// Reads a message: the `id` that it carries, and the message or what is wrong with it.
pub(super) fn read(text: &str) -> (Option<Value>, Result<ClientMessage, Problem>) {
    let mut message = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(message)) => message,
        Ok(_) => {
            return (
                None,
                Err(Problem::unreadable(("a message is a JSON object", "消息应是一个 JSON 对象"))),
            );
        }
        Err(error) => return (None, Err(not_json(&error))),
    };
    let id = message.remove("id").filter(|id| match id {
        Value::String(text) => text.chars().count() <= ID_MAX,
        Value::Number(_) => true,
        _ => false,
    });
    let message = serde_json::from_value(Value::Object(message)).map_err(|error| {
        Problem::unreadable(error.to_string()).hint((
            "/api/v1/docs says what can be sent over /api/v1/ws",
            "/api/v1/ws 可以发送的内容见 /api/v1/docs",
        ))
    });
    (id, message)
}

fn not_json(error: &serde_json::Error) -> Problem {
    Problem::unreadable((format!("the message is not JSON: {error}"), format!("消息不是 JSON：{error}")))
}

/// A message of a meeting: the route that does the same over REST, and what it is. What the route needs, this needs.
pub(super) struct Steering {
    pub(super) meeting: MeetingId,
    pub(super) route: &'static str,
    pub(super) command: Command,
}

const MESSAGES: &str = "/api/v1/meetings/{id}/messages";
const SPEAKER: &str = "/api/v1/meetings/{id}/speaker";
const PAUSE: &str = "/api/v1/meetings/{id}/pause";
const RESUME: &str = "/api/v1/meetings/{id}/resume";
const END: &str = "/api/v1/meetings/{id}/end";

impl ClientMessage {
    /// As a command to a meeting, when it is one.
    pub(super) fn steering(self, by: String) -> Result<Steering, ClientMessage> {
        let (meeting, route, command) = match self {
            Self::Say { meeting, content, reply_to: None } => {
                (meeting, MESSAGES, Command::Say { by, content })
            }
            Self::Say { meeting, content, reply_to: Some(to) } => {
                (meeting, MESSAGES, Command::Reply { by, to, content })
            }
            Self::RequestSpeaker { meeting, participant } => {
                (meeting, SPEAKER, Command::RequestSpeaker { by, participant })
            }
            Self::Pause { meeting, at_once } => (meeting, PAUSE, Command::Pause { by, at_once }),
            Self::Resume { meeting, token, answers, take_defaults } => {
                (meeting, RESUME, Command::Resume { by, token, answers, take_defaults })
            }
            Self::End { meeting, note } => (meeting, END, Command::End { by, note }),
            other @ (Self::SignIn { .. }
            | Self::Subscribe { .. }
            | Self::Unsubscribe { .. }
            | Self::Ping {}) => return Err(other),
        };
        Ok(Steering { meeting, route, command })
    }
}

/// Whether somebody may do this at a meeting, and has entered it where it asks for a password.
pub(super) async fn allowed(
    server: &ServerState,
    principal: &Principal,
    need: Need,
    meeting: &MeetingId,
) -> Result<(), Problem> {
    may(principal, need, meeting)?;
    match server.is_shut(principal, meeting).await? {
        true => Err(Problem::not_found("meeting", meeting.as_str())),
        false => Ok(()),
    }
}

/// Whether somebody may do this at a meeting; what may not be seen is not there.
fn may(principal: &Principal, need: Need, meeting: &MeetingId) -> Result<(), Problem> {
    let here = Some(meeting.as_str());
    match (principal.may(need, here), principal.may(Need::Read, here)) {
        (true, _) => Ok(()),
        (false, false) => Err(Problem::not_found("meeting", meeting.as_str())),
        (false, true) => Err(forbidden()),
    }
}

/// Does it as its route does, and notes it; returns the sequence number after it.
pub(super) async fn carry_out(
    server: &ServerState,
    principal: &Principal,
    address: IpAddr,
    steering: Steering,
) -> Result<u64, Problem> {
    let Steering { meeting, route, command } = steering;
    let done = async {
        allowed(server, principal, need("POST", route).unwrap_or(Need::Owner), &meeting).await?;
        may_set_going(server, &Method::POST, route).await?;
        let command = resume_policy::within(server, principal, &meeting, command).await?;
        Ok(server.engine().open(&meeting).await?.execute(command).await?)
    };
    let done: Result<u64, Problem> = done.await;
    let note = Note {
        who: principal.actor(),
        action: action(&Method::POST, route),
        meeting: Some(meeting.as_str().to_owned()),
        address,
        status: done.as_ref().map_or_else(Problem::status, |_| StatusCode::OK),
        detail: Some(Detail(json!({ "by": "websocket" }))),
    };
    audit(server, note);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Scope;

    #[test]
    fn a_message_is_answered_by_its_id_also_when_it_is_wrong() {
        let (id, message) = read(r#"{"type":"say","id":7,"meeting":"m","content":"hi"}"#);
        assert_eq!(id, Some(7.into()));
        assert!(matches!(message, Ok(ClientMessage::Say { .. })));
        for wrong in [
            r#"{"type":"say","id":"x","meeting":"m"}"#,
            r#"{"type":"say","id":"x","meeting":"m","content":"c","more":1}"#,
            r#"{"type":"shout","id":"x"}"#,
            r#"{"id":"x"}"#,
        ] {
            let (id, message) = read(wrong);
            assert_eq!(id, Some("x".into()));
            assert_eq!(message.expect_err(wrong).status(), 400);
        }
        for garbage in ["", "[]", "7", "{", &"[".repeat(60_000)] {
            assert!(matches!(read(garbage), (None, Err(_))));
        }
    }

    #[test]
    fn a_wish_needs_what_the_same_over_rest_needs() {
        for route in [MESSAGES, SPEAKER, PAUSE, RESUME, END] {
            assert!(need("POST", route).is_some(), "{route} is in the table");
        }
    }

    #[test]
    fn everybody_does_what_the_scope_allows() {
        let who = |scope, meeting: Option<&str>| Principal {
            name: "x".to_owned(),
            scope,
            meeting: meeting.map(MeetingId::new),
        };
        let here = MeetingId::new("m");
        assert!(may(&who(Scope::Speak, Some("m")), Need::Speak, &here).is_ok());
        let refused = |principal, need| may(&principal, need, &here).expect_err("refused").status().as_u16();
        assert_eq!(refused(who(Scope::Read, None), Need::Speak), 403);
        assert_eq!(refused(who(Scope::Speak, Some("m")), Need::Manage), 403);
        assert_eq!(refused(who(Scope::Manage, Some("another")), Need::Read), 404);
    }
}
