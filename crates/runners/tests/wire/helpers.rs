//! The verbs of these tests: a runner for a server, a prompt, an answer and what was heard of it.

use std::sync::{Arc, Mutex};

use quorate_contract::{
    Answer, AnswerSchema, Brief, BriefTask, BriefTurn, Failure, Language, MeetingId, ModelParameters,
    Outcome, Prompt, PromptMessage, PromptRole, RunId, RunnerSpec, TaskId, ToolRequests, TurnId,
};
use quorate_engine::{Fragment, FragmentKind, FragmentSink, Request, Runner};
use quorate_runners::{ModelRunner, ProviderConfig, Secret, Timeouts};
use serde_json::{Value, json};

use crate::server::{Server, Step, chunked, json as json_answer};

pub const KEY: &str = "sk-planted-0123456789";

/// A provider with a key, that does not wait between retries.
pub fn provider(base_url: &str) -> ProviderConfig {
    let mut config = ProviderConfig::new("lab", base_url.parse().expect("a URL"));
    config.key = Some(Secret::new(KEY));
    config.key_variable = Some("LAB_KEY".to_owned());
    config.timeouts = Timeouts { backoff_ms: 0, ..Timeouts::default() };
    config
}

pub fn runner(server: &Server) -> ModelRunner {
    ModelRunner::new(provider(&server.url())).expect("a good configuration")
}

pub fn user(text: &str) -> PromptMessage {
    PromptMessage::text(PromptRole::User, text)
}

pub fn assistant(text: &str) -> PromptMessage {
    PromptMessage::text(PromptRole::Assistant, text)
}

/// A turn in a meeting about databases.
pub fn request() -> Request {
    let turn = BriefTurn { last_round: 3, can_skip: true, ..BriefTurn::default() };
    let brief = Brief {
        name: "Ada".to_owned(),
        role: "Architect".to_owned(),
        round: 1,
        seed: 7,
        ..Brief::new(BriefTask::Speak(turn), Language::En, "Which database?")
    };
    Request {
        meeting: MeetingId::new("m-1"),
        run: RunId::new("r-1"),
        task: TaskId::Speak(TurnId { round: 1, place: 2 }),
        attempt: 1,
        idempotency_key: "m-1/speak:r1t2#1".to_owned(),
        runner: model(ModelParameters::default()),
        prompt: Prompt {
            system: "You are Ada.".to_owned(),
            messages: vec![user("Which database?")],
            schema: None,
            max_tokens: 300,
            brief: Arc::new(brief),
            task_at: 0,
            tools: Default::default(),
        },
        timeout_ms: 60_000,
        retries: quorate_engine::RetrySink::nobody(),
        actions: quorate_engine::ActionSink::nobody(),
        tools: Arc::from([]),
        images: Arc::from([]),
    }
}

pub fn model(parameters: ModelParameters) -> RunnerSpec {
    RunnerSpec::Model {
        provider: "lab".to_owned(),
        model: "qwen3".to_owned(),
        parameters,
        price: None,
        fallback: None,
    }
}

/// The schema of a vote, bounded as all of ours are.
pub fn vote_schema() -> AnswerSchema {
    let schema = json!({
        "type": "object",
        "properties": {
            "score": { "type": "integer", "minimum": 0, "maximum": 100 },
            "reason": { "type": "string", "maxLength": 300 },
        },
        "required": ["score", "reason"],
        "additionalProperties": false,
    });
    AnswerSchema { name: "vote", schema: Arc::new(schema) }
}

/// A subscriber that records fragments.
#[derive(Clone, Default)]
pub struct Ear(Arc<Mutex<Vec<Fragment>>>);

impl Ear {
    pub fn sink(&self) -> FragmentSink {
        let heard = self.0.clone();
        FragmentSink::new(move |fragment| heard.lock().expect("no panic").push(fragment))
    }
    pub fn answer(&self) -> String {
        self.of(FragmentKind::Answer)
    }
    pub fn reasoning(&self) -> String {
        self.of(FragmentKind::Reasoning)
    }
    fn of(&self, kind: FragmentKind) -> String {
        let heard = self.0.lock().expect("no panic");
        heard.iter().filter(|piece| piece.kind == kind).map(|piece| &*piece.text).collect()
    }
}

/// Asks without listening, so without a stream.
pub async fn ask(runner: &ModelRunner, request: Request) -> Outcome {
    persist(runner, request, FragmentSink::nobody()).await
}

/// Calls the runner with a subscriber.
pub async fn listen(runner: &ModelRunner, request: Request) -> (Outcome, Ear) {
    let ear = Ear::default();
    (persist(runner, request, ear.sink()).await, ear)
}

/// Asks without listening, and not again.
pub async fn ask_once(runner: &ModelRunner, request: Request) -> Outcome {
    runner.run(request, FragmentSink::nobody()).await
}

/// Asks and listens, and does not ask again.
pub async fn listen_once(runner: &ModelRunner, request: Request) -> (Outcome, Ear) {
    let ear = Ear::default();
    (runner.run(request, ear.sink()).await, ear)
}

/// Calls as a meeting does: once more, when it is unknown whether the work was done.
async fn persist(runner: &ModelRunner, request: Request, sink: FragmentSink) -> Outcome {
    let once_more = Request {
        attempt: request.attempt + 1,
        idempotency_key: request.idempotency_key.replace("#1", "#2"),
        ..request.clone()
    };
    match runner.run(request, sink.clone()).await {
        Outcome::Failed(failure) if failure.doubtful => runner.run(once_more, sink).await,
        outcome => outcome,
    }
}

#[track_caller]
pub fn answered(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Answered(answer) => answer,
        Outcome::CalledTools(answer, requests) => {
            panic!("calls instead of an answer: {answer:?} {requests:?}")
        }
        Outcome::Failed(failure) => panic!("no answer: {failure:?}"),
    }
}

#[track_caller]
pub fn failed(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        Outcome::CalledTools(answer, requests) => panic!("calls: {answer:?} {requests:?}"),
        Outcome::Answered(answer) => panic!("an answer: {answer:?}"),
    }
}

/// The calls of tools instead of an answer.
#[track_caller]
pub fn called(outcome: Outcome) -> (Answer, ToolRequests) {
    match outcome {
        Outcome::CalledTools(answer, requests) => (answer, requests),
        other => panic!("no calls: {other:?}"),
    }
}

/// A whole answer as OpenAI writes it.
pub fn completion(content: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "qwen3",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": content },
            "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25 },
    })
}

/// One event of a stream in OpenAI's format.
pub fn event(delta: Value, finish: Option<&str>) -> String {
    let chunk = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "qwen3",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }], "usage": null,
    });
    format!("data: {chunk}\n\n")
}

/// A piece of the answer.
pub fn piece(text: &str) -> String {
    event(json!({ "content": text }), None)
}

/// The end of an answer with its usage in a chunk of its own, and `[DONE]`.
pub fn ending() -> String {
    let usage = json!({
        "choices": [],
        "usage": { "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25 },
    });
    format!("{}data: {usage}\n\ndata: [DONE]\n\n", event(json!({}), Some("stop")))
}

/// A good answer, in the way in which it was asked for.
pub fn good(streamed: bool, text: &str) -> Vec<Step> {
    match streamed {
        true => chunked([piece(text), ending()]),
        false => json_answer(200, completion(text)),
    }
}
