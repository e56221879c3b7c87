//! The lines that go to a process and those that come back: docs/runner-protocol.md, version 1.

use std::borrow::Cow;

use quorate_contract::{
    AnswerKind, FailureKind, FileId, Language, PrivateMemory, Prompt, PromptImage, PromptRole,
};
use quorate_engine::Request;
use quorate_messages::message;
use serde::{Deserialize, Serialize};

use crate::images::{loaded, text_of};

/// The version of the protocol that is spoken here.
const PROTOCOL: u32 = 1;

/// One call, as it is sent to a process.
#[derive(Serialize)]
struct Run<'a> {
    r#type: &'static str,
    protocol: u32,
    id: &'a str,
    meeting_id: String,
    run_id: String,
    task: String,
    attempt: u32,
    kind: AnswerKind,
    language: Language,
    round: u32,
    /// Empty for the facilitator.
    speaker: &'a str,
    can_skip: bool,
    /// `layered` where each keeps notes of its own, otherwise `shared`.
    context_mode: &'static str,
    public_messages: Vec<Message<'a>>,
    /// The speaker's own notes; empty where none are kept.
    private_memory: PrivateMemory,
    system_instructions: &'a str,
    user_task: &'a str,
    answer_schema: Option<Schema<'a>>,
    limits: Limits,
}

#[derive(Serialize)]
struct Message<'a> {
    role: PromptRole,
    /// The speaker; `None` where several speak: each stands in a frame with its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    content: Cow<'a, str>,
    /// In the order of the frames in the text that name them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Image<'a>>,
}

#[derive(Serialize)]
struct Image<'a> {
    file: FileId,
    name: &'a str,
    /// The type, size in bytes and SHA-256 of the file.
    media_type: &'a str,
    size: u64,
    sha256: &'a str,
    /// Of the file, in pixels.
    width: u32,
    height: u32,
    /// PNG or JPEG, as models are given it.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Content<'a>>,
}

#[derive(Serialize)]
struct Content<'a> {
    media_type: &'static str,
    base64: &'a str,
}

/// What is sent of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentImages {
    /// What they are.
    Named,
    /// What they are; their content is sent beside.
    Beside,
    /// What they are, and their content.
    Content,
}

#[derive(Serialize)]
struct Schema<'a> {
    name: &'a str,
    schema: &'a serde_json::Value,
}

#[derive(Serialize)]
struct Limits {
    max_tokens: u32,
    max_time_ms: u64,
}

#[derive(Serialize)]
struct Cancel<'a> {
    r#type: &'static str,
    protocol: u32,
    id: &'a str,
}

/// The line that asks for an answer, its end included.
pub(super) fn run_line(id: &str, request: &Request, max_time_ms: u64, images: SentImages) -> Vec<u8> {
    let Prompt { system, schema, max_tokens, brief, .. } = &request.prompt;
    let (public_messages, user_task) = parted(request, images);
    line(&Run {
        r#type: "run",
        protocol: PROTOCOL,
        id,
        meeting_id: request.meeting.to_string(),
        run_id: request.run.to_string(),
        task: request.task.to_string(),
        attempt: request.attempt,
        kind: brief.kind(),
        language: brief.language,
        round: brief.round,
        speaker: &brief.name,
        can_skip: brief.task.can_skip(),
        context_mode: if brief.task.memory().is_some() { "layered" } else { "shared" },
        public_messages,
        private_memory: brief.task.memory().cloned().unwrap_or_default(),
        system_instructions: system,
        user_task: &user_task,
        answer_schema: schema.as_ref().map(|schema| Schema { name: schema.name, schema: &schema.schema }),
        limits: Limits { max_tokens: *max_tokens, max_time_ms },
    })
}

/// The same as a value, for others than processes.
pub(crate) fn brief_of(request: &Request, max_time_ms: u64, images: SentImages) -> serde_json::Value {
    let line = run_line(&request.idempotency_key, request, max_time_ms, images);
    serde_json::from_slice(&line).unwrap_or_default()
}

/// The line that takes a call back, its end included.
pub(super) fn cancel_line(id: &str) -> Vec<u8> {
    line(&Cancel { r#type: "cancel", protocol: PROTOCOL, id })
}

fn line(what: &impl Serialize) -> Vec<u8> {
    // Only text keys, integers and text: it cannot fail.
    let mut line = serde_json::to_vec(what).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Splits the record from the task behind it in the last message. No participant can have opened a task:
/// their text is escaped before it is put into a frame.
fn parted(request: &Request, sent: SentImages) -> (Vec<Message<'_>>, String) {
    let prompt = &request.prompt;
    let speaker = prompt.brief.name.as_str();
    let is_shown =
        |image: &PromptImage| sent != SentImages::Named && loaded(&request.images, image).is_some();
    let mut messages: Vec<Message<'_>> = prompt
        .messages
        .iter()
        .map(|message| Message {
            role: message.role,
            name: Some(speaker).filter(|name| message.role == PromptRole::Assistant && !name.is_empty()),
            content: text_of(message, prompt.brief.language, is_shown).0,
            images: message.images.iter().map(|image| image_of(request, image, sent)).collect(),
        })
        .collect();
    let Some(last) = messages.pop() else { return (messages, String::new()) };
    let (before, task) = last.content.split_at(last.content.rfind("<task>").unwrap_or(0));
    let (before, task) = (before.trim_end().to_owned(), task.to_owned());
    if !before.is_empty() {
        messages.push(Message { content: before.into(), ..last });
    }
    (messages, task)
}

fn image_of<'r>(request: &'r Request, image: &'r PromptImage, sent: SentImages) -> Image<'r> {
    let content = loaded(&request.images, image).filter(|_| sent == SentImages::Content);
    let PromptImage { offset: _, file, name, media_type, size, sha256, width, height } = image;
    Image {
        file: *file,
        name,
        media_type,
        size: *size,
        sha256,
        width: *width,
        height: *height,
        content: content.map(|it| Content { media_type: it.media_type, base64: &it.base64 }),
    }
}

/// An event of a process.
#[derive(Debug)]
pub(super) enum ProcessEvent {
    /// A piece of the answer.
    Token(String),
    /// The answer, which ends the call.
    Message(ProcessAnswer),
    /// An error, which ends the call.
    Error(Complaint),
    /// An answer that is none: the words say what is wrong with it. Ends the call.
    Broken(quorate_messages::Message),
}

/// An answer.
#[derive(Debug)]
pub(super) struct ProcessAnswer {
    /// The text; `None` when the fragments are the answer.
    pub(super) content: Option<String>,
    pub(super) reasoning: Option<String>,
    pub(super) usage: Counts,
}

/// The token counts of the process.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) reasoning_tokens: Option<u64>,
    pub(super) cached_tokens: Option<u64>,
}

/// An error in the words of the process.
#[derive(Debug)]
pub(super) struct Complaint {
    pub(super) kind: FailureKind,
    pub(super) detail: String,
    pub(super) hint: String,
}

/// A line, and the call it belongs to when it says so.
pub(super) struct ProcessLine {
    pub(super) id: Option<String>,
    pub(super) said: ProcessEvent,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    #[serde(default)]
    id: Option<serde_json::Value>,
    #[serde(default)]
    payload: serde_json::Value,
}

#[derive(Deserialize)]
struct MessagePayload {
    message: MessageBody,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    usage: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct MessageBody {
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    content: Option<String>,
}

/// The meaning of one line for a call.
pub(super) enum LineMeaning {
    Heard(ProcessLine),
    /// The process has started, and takes calls from now on.
    Ready,
    /// An event that is none of a call's business: a metric, or one of a later version.
    Passed,
    /// The line is no event.
    Garbage,
}

/// Parses one line.
pub(super) fn read(line: &[u8]) -> LineMeaning {
    let Ok(event) = serde_json::from_slice::<Event>(line) else { return LineMeaning::Garbage };
    let said = match event.r#type.as_str() {
        "token" => match event.payload.get("text").and_then(|text| text.as_str()) {
            Some(text) => ProcessEvent::Token(text.to_owned()),
            None => return LineMeaning::Garbage,
        },
        "agent_message" => message(event.payload),
        "error" => ProcessEvent::Error(complaint(&event.payload)),
        "ready" => return LineMeaning::Ready,
        _ => return LineMeaning::Passed,
    };
    let id = match event.id {
        Some(serde_json::Value::String(id)) => Some(id),
        Some(serde_json::Value::Number(id)) => Some(id.to_string()),
        _ => None,
    };
    LineMeaning::Heard(ProcessLine { id, said })
}

fn message(payload: serde_json::Value) -> ProcessEvent {
    let Ok(MessagePayload { message, reasoning, usage }) = serde_json::from_value(payload) else {
        return ProcessEvent::Broken(message!("failure-message-without-content"));
    };
    if message.role.is_some_and(|role| role != "assistant") {
        return ProcessEvent::Broken(message!("failure-message-of-other-role"));
    }
    // Counts that cannot be read are as good as none.
    let usage = usage.and_then(|usage| serde_json::from_value(usage).ok()).unwrap_or_default();
    ProcessEvent::Message(ProcessAnswer { content: message.content, reasoning, usage })
}

fn complaint(payload: &serde_json::Value) -> Complaint {
    let text = |field| payload.get(field).and_then(|text: &serde_json::Value| text.as_str()).unwrap_or("");
    let kind = serde_json::from_value(payload.get("kind").cloned().unwrap_or_default());
    // Only the meeting decides about departures and budgets, not a process.
    let kind = match kind {
        Ok(FailureKind::Left | FailureKind::Budget) | Err(_) => FailureKind::AgentFailed,
        Ok(kind) => kind,
    };
    Complaint { kind, detail: text("detail").to_owned(), hint: text("hint").to_owned() }
}
