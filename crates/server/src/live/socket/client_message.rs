//! The messages of the client over a WebSocket.

use std::collections::BTreeMap;

use quorate_app::{IDEMPOTENCY_KEY_BYTES, UseCase, meeting_of_ticket};
use quorate_contract::{Actor, Command, MeetingId, MessageId, Person};
use quorate_messages::{decoding_problem, message};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::requests::whole_numbers::whole_numbers;

/// The longest `id` of a message, in characters.
pub(crate) const ID_MAX: usize = 128;

/// A message from the client.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientMessage {
    /// Sign in, as the first message where no header can be set.
    SignIn {
        /// An access token, as in the header `Authorization` after `Bearer`.
        token: String,
    },
    /// Follow a meeting. Requires the scope `read`.
    Subscribe {
        /// The meeting.
        meeting: MeetingId,
        /// The sequence number after which events are sent; all events when left out.
        #[serde(default)]
        after: u64,
        /// Whether to send answers while they are written, too; `true` when left out.
        #[serde(default = "yes")]
        fragments: bool,
        /// The form in which the meeting is sent; `events` when left out.
        #[serde(default)]
        view: SubscriptionView,
    },
    /// Stop following a meeting.
    Unsubscribe {
        /// The meeting.
        meeting: MeetingId,
    },
    /// Send a message to a meeting. Requires the scope `speak`.
    Say {
        /// The meeting.
        meeting: MeetingId,
        /// The message, 1-10,000 characters.
        content: String,
        /// The message that this one replies to.
        #[serde(default)]
        reply_to: Option<MessageId>,
    },
    /// Join the people at the table of a meeting. Requires the scope `speak`.
    Arrive {
        /// The meeting.
        meeting: MeetingId,
    },
    /// Leave the people at the table of a meeting. Requires the scope `speak`.
    Depart {
        /// The meeting.
        meeting: MeetingId,
    },
    /// Give a participant the floor. Requires the scope `speak`.
    RequestSpeaker {
        /// The meeting.
        meeting: MeetingId,
        /// The participant, by id or name.
        participant: String,
    },
    /// Pause a meeting. Requires the scope `manage`.
    Pause {
        /// The meeting.
        meeting: MeetingId,
        /// Whether to cancel calls in progress and repeat them after the pause. Otherwise open turns finish
        /// first.
        #[serde(default)]
        at_once: bool,
    },
    /// Resume a meeting. Requires the scope `speak` to answer the questions of a pause, otherwise `manage`.
    Resume {
        /// The meeting.
        meeting: MeetingId,
        /// The resume token of the pause.
        #[serde(default)]
        token: Option<String>,
        /// Answers to the questions of the pause, by key.
        #[serde(default)]
        answers: BTreeMap<String, Value>,
        /// Whether questions without an answer take their default.
        #[serde(default)]
        take_defaults: bool,
    },
    /// End a meeting. Requires the scope `manage`.
    End {
        /// The meeting.
        meeting: MeetingId,
        /// The reason, in a few words.
        #[serde(default)]
        note: String,
    },
    /// List the open turns of the caller's own seats, the oldest first. From then on, each turn that opens is sent as `turn`.
    /// Requires the scope `speak`.
    Turns {
        /// The meeting; all meetings when left out.
        #[serde(default)]
        meeting: Option<MeetingId>,
    },
    /// Answer a turn by `text` or `fields`. Requires the scope `speak`.
    Answer {
        /// The ticket of the turn.
        ticket: String,
        /// The text, in Markdown.
        #[serde(default)]
        text: Option<String>,
        /// The fields, by the `answer_schema` of the turn.
        #[serde(default)]
        #[schema(value_type = Option<Object>)]
        fields: Option<Map<String, Value>>,
    },
    /// Skip a turn. Requires the scope `speak`.
    Skip {
        /// The ticket of the turn.
        ticket: String,
    },
    /// Get what a participant needs to know about a meeting: what it is about, who takes part, and messages. An agent that
    /// leaves out `after` and `from_start` is given what it has not been given yet at this meeting. Requires the scope `read`.
    Context {
        /// The meeting.
        meeting: MeetingId,
        /// The `cursor` of an earlier reply. When left out: for an agent, what it has been given last at this meeting without
        /// `after`; for other callers, their last message.
        #[serde(default)]
        after: Option<u64>,
        /// The most messages to return, up to 200; 200 when left out.
        #[serde(default)]
        limit: Option<usize>,
        /// The most characters of messages to return, counted in their JSON form. The first message is always returned.
        #[serde(default)]
        max_characters: Option<usize>,
        /// Whether to return all messages from the beginning, in place of `after`.
        #[serde(default)]
        from_start: bool,
    },
    /// Ask for a `pong`.
    Ping {},
}

/// The form in which a meeting is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SubscriptionView {
    /// As the events of its log.
    #[default]
    Events,
    /// In the eight messages of a room, with names instead of ids.
    Room,
}

fn yes() -> bool {
    true
}

/// A message as it came: what its answer is to carry, whether it is done once, and what is asked for.
pub(super) struct Envelope {
    /// Comes again with the answer.
    pub(super) id: Option<Value>,
    /// The message is done once for this key.
    pub(super) idempotency_key: Option<String>,
    /// What is asked for, or what is wrong with it.
    pub(super) message: Result<ClientMessage, UnreadMessage>,
}

/// A message that cannot be carried out as it is written.
#[derive(Debug)]
pub(super) struct UnreadMessage {
    /// What is wrong with it.
    pub(super) problem: Problem,
    /// The use case that its type names.
    pub(super) use_case: Option<UseCase>,
    /// The meeting that it names.
    pub(super) meeting: Option<MeetingId>,
}

impl UnreadMessage {
    /// One of which neither a use case nor a meeting is known.
    fn of(problem: Problem) -> Self {
        Self { problem, use_case: None, meeting: None }
    }
}

/// The use case that a type of message is; `None` for one that is none of its own.
fn use_case_of(kind: &str) -> Option<UseCase> {
    Some(match kind {
        "say" => UseCase::Say,
        "arrive" => UseCase::Arrive,
        "depart" => UseCase::Depart,
        "request_speaker" => UseCase::RequestSpeaker,
        "pause" => UseCase::PauseMeeting,
        "resume" => UseCase::ResumeMeeting,
        "end" => UseCase::EndMeeting,
        "turns" => UseCase::ListTurns,
        "answer" => UseCase::AnswerTurn,
        "skip" => UseCase::SkipTurn,
        "context" => UseCase::ReadContext,
        _ => return None,
    })
}

/// Reads a message.
pub(super) fn read(text: &str) -> Envelope {
    let nothing =
        |problem| Envelope { id: None, idempotency_key: None, message: Err(UnreadMessage::of(problem)) };
    let text = whole_numbers(text.as_bytes());
    let mut message = match serde_json::from_slice::<Value>(&text) {
        Ok(Value::Object(message)) => message,
        Ok(_) => {
            let problem = Problem::unreadable(message!("server-message-is-object"));
            return nothing(problem.hint(message!("server-see-docs-socket")));
        }
        Err(error) => return nothing(not_json(&error)),
    };
    let id = message.remove("id");
    let is_sound = match &id {
        Some(Value::String(text)) => text.chars().count() <= ID_MAX,
        Some(Value::Number(_)) | None => true,
        Some(_) => false,
    };
    if !is_sound {
        let detail = message!("server-message-id");
        let hint = message!("server-message-id-hint");
        return nothing(Problem::invalid("id", detail, hint));
    }
    let idempotency_key = match message.remove("idempotency_key") {
        None => Ok(None),
        Some(Value::String(key)) => checked(&key).map(|()| Some(key)),
        Some(_) => Err(no_key()),
    };
    let text_of = |name: &str| message.get(name).and_then(Value::as_str);
    let use_case = text_of("type").and_then(use_case_of);
    let meeting = text_of("meeting").map(MeetingId::new).or_else(|| meeting_of_ticket(text_of("ticket")?));
    let (idempotency_key, message) = match idempotency_key {
        Err(problem) => (None, Err(problem)),
        Ok(key) => (key, serde_json::from_value(Value::Object(message)).map_err(|error| not_known(&error))),
    };
    let message = message.map_err(|problem| UnreadMessage { problem, use_case, meeting });
    Envelope { id, idempotency_key, message }
}

/// Whether a text is an idempotency key: 1 to 255 visible characters of ASCII, as in the header of the same name.
fn checked(key: &str) -> Result<(), Problem> {
    let sound =
        (1..=IDEMPOTENCY_KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if sound { Ok(()) } else { Err(no_key()) }
}

fn no_key() -> Problem {
    Problem::unreadable(message!("server-message-key")).hint(message!("server-idempotency-key-hint"))
}

fn not_known(error: &serde_json::Error) -> Problem {
    let problem = decoding_problem(&error.to_string());
    let field = problem.field("field").unwrap_or_default().to_owned();
    Problem::invalid(&field, problem, message!("server-see-docs-socket"))
}

fn not_json(error: &serde_json::Error) -> Problem {
    Problem::unreadable(message!("server-message-not-json", %error)).hint(message!("server-see-docs-socket"))
}

/// A command to a meeting, as the use case that it is.
pub(super) struct Steering {
    pub(super) meeting: MeetingId,
    pub(super) use_case: UseCase,
    pub(super) command: Command,
}

impl ClientMessage {
    /// Whether it is a use case of its own, which the application counts when it carries it out.
    pub(super) fn is_use_case(&self) -> bool {
        match self {
            Self::Say { .. }
            | Self::Arrive { .. }
            | Self::Depart { .. }
            | Self::RequestSpeaker { .. }
            | Self::Pause { .. }
            | Self::Resume { .. }
            | Self::End { .. }
            | Self::Turns { .. }
            | Self::Answer { .. }
            | Self::Skip { .. }
            | Self::Context { .. } => true,
            Self::SignIn { .. } | Self::Subscribe { .. } | Self::Unsubscribe { .. } | Self::Ping {} => false,
        }
    }

    /// As a command to a meeting, when it is one.
    pub(super) fn steering(self, by: Person) -> Result<Steering, ClientMessage> {
        let person = by.id.clone();
        let by = Actor::from(by);
        let (meeting, use_case, command) = match self {
            Self::Say { meeting, content, reply_to: None } => {
                (meeting, UseCase::Say, Command::Say { by, content })
            }
            Self::Say { meeting, content, reply_to: Some(to) } => {
                (meeting, UseCase::Say, Command::Reply { by, to, content })
            }
            Self::Arrive { meeting } => (meeting, UseCase::Arrive, Command::Arrive { by }),
            Self::Depart { meeting } => (meeting, UseCase::Depart, Command::Depart { by, person }),
            Self::RequestSpeaker { meeting, participant } => {
                (meeting, UseCase::RequestSpeaker, Command::RequestSpeaker { by, participant })
            }
            Self::Pause { meeting, at_once } => {
                (meeting, UseCase::PauseMeeting, Command::Pause { by, at_once })
            }
            Self::Resume { meeting, token, answers, take_defaults } => {
                (meeting, UseCase::ResumeMeeting, Command::Resume { by, token, answers, take_defaults })
            }
            Self::End { meeting, note } => (meeting, UseCase::EndMeeting, Command::End { by, note }),
            other @ (Self::SignIn { .. }
            | Self::Subscribe { .. }
            | Self::Unsubscribe { .. }
            | Self::Turns { .. }
            | Self::Answer { .. }
            | Self::Skip { .. }
            | Self::Context { .. }
            | Self::Ping {}) => return Err(other),
        };
        Ok(Steering { meeting, use_case, command })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_answered_by_its_id_also_when_it_is_wrong() {
        let Envelope { id, message, .. } = read(r#"{"type":"say","id":7,"meeting":"m","content":"hi"}"#);
        assert_eq!(id, Some(7.into()));
        assert!(matches!(message, Ok(ClientMessage::Say { .. })));
        for wrong in [
            r#"{"type":"say","id":"x","meeting":"m"}"#,
            r#"{"type":"say","id":"x","meeting":"m","content":"c","more":1}"#,
            r#"{"type":"shout","id":"x"}"#,
            r#"{"id":"x"}"#,
        ] {
            let Envelope { id, message, .. } = read(wrong);
            assert_eq!(id, Some("x".into()));
            assert_eq!(message.expect_err(wrong).problem.status(), 422);
        }
        for wrong in
            [r#"{"type":"ping","id":[]}"#, r#"{"type":"ping","id":null}"#, r#"{"type":"ping","id":true}"#]
        {
            let Envelope { id, message, .. } = read(wrong);
            assert_eq!((id, message.expect_err(wrong).problem.status().as_u16()), (None, 422));
        }
        let long = format!(r#"{{"type":"ping","id":"{}"}}"#, "x".repeat(ID_MAX + 1));
        assert!(matches!(read(&long), Envelope { id: None, message: Err(_), .. }));
        for garbage in ["", "[]", "7", "{", &"[".repeat(60_000)] {
            assert!(matches!(read(garbage), Envelope { id: None, message: Err(_), .. }));
        }
    }

    #[test]
    fn a_message_that_cannot_be_read_names_its_use_case_and_meeting() {
        let message = read(r#"{"type":"say","meeting":"m","contnt":"hi"}"#).message.expect_err("no content");
        assert_eq!((message.use_case, message.meeting), (Some(UseCase::Say), Some(MeetingId::new("m"))));
        let message = read(r#"{"type":"skip","ticket":"m.speak-1","more":1}"#).message.expect_err("more");
        assert_eq!(message.use_case, Some(UseCase::SkipTurn));
        let message = read(r#"{"type":"ping","more":1}"#).message.expect_err("more");
        assert_eq!((message.use_case, message.meeting), (None, None));
        for (kind, fields) in [
            ("say", r#""meeting":"m","content":"c""#),
            ("arrive", r#""meeting":"m""#),
            ("depart", r#""meeting":"m""#),
            ("request_speaker", r#""meeting":"m","participant":"p1""#),
            ("pause", r#""meeting":"m""#),
            ("resume", r#""meeting":"m""#),
            ("end", r#""meeting":"m""#),
        ] {
            let sound = read(&format!("{{\"type\":\"{kind}\",{fields}}}")).message.expect("it is sound");
            let steering =
                sound.steering(Person { id: "lin".to_owned(), name: "Lin".to_owned() }).expect("a command");
            assert_eq!(Some(steering.use_case), use_case_of(kind), "{kind}");
        }
    }

    #[test]
    fn a_key_is_visible_ascii_of_some_length() {
        let with = |key: &str| read(&format!(r#"{{"type":"ping","idempotency_key":{key}}}"#));
        let sound = with(r#""k-1""#);
        assert_eq!(sound.idempotency_key.as_deref(), Some("k-1"));
        assert!(matches!(sound.message, Ok(ClientMessage::Ping {})));
        for wrong in [r#""""#, r#""two words""#, "7", "null", &format!("{:?}", "k".repeat(256))] {
            assert_eq!(with(wrong).message.expect_err(wrong).problem.status(), 400);
        }
    }
}
