//! The smallest question there is, to see whether a model answers.

use std::sync::Arc;
use std::time::Duration;

use quorate_contract::{
    Brief, BriefTask, BriefTurn, Failure, Language, MeetingId, ModelParameters, Prompt, PromptMessage,
    PromptRole, RunId, RunnerSpec, TaskId, Usage,
};
use quorate_engine::Request;

/// The time limit of a probe: a local model may have to be loaded first.
const PROBE_TIME: Duration = Duration::from_secs(60);

/// The answer of a working provider to a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The model that answered.
    pub model: String,
    /// The beginning of the answer; empty when all tokens of the probe went into reasoning.
    pub said: String,
    /// The usage of the probe.
    pub usage: Usage,
    /// From the request to the last byte.
    pub latency_ms: u64,
}

/// The failure of a probe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", failure.detail)]
pub struct ProbeFailure {
    /// The provider.
    pub provider: String,
    /// The HTTP status, when the provider gave one.
    pub status: Option<u16>,
    /// The failure and its remedy.
    pub failure: Failure,
}

/// The question, as a request like any other.
pub(crate) fn request(provider: &str, model: &str, parameters: ModelParameters) -> Request {
    let brief = Brief::new(BriefTask::Speak(BriefTurn::default()), Language::En, "");
    let question = "Answer with the word ready.".to_owned();
    Request {
        meeting: MeetingId::new("probe"),
        run: RunId::new("probe"),
        task: TaskId::Conclude,
        attempt: 1,
        idempotency_key: "probe".to_owned(),
        runner: RunnerSpec::Model {
            provider: provider.to_owned(),
            model: model.to_owned(),
            parameters,
            price: None,
            fallback: None,
        },
        prompt: Prompt {
            system: String::new(),
            messages: vec![PromptMessage::text(PromptRole::User, question)],
            schema: None,
            max_tokens: 64,
            brief: Arc::new(brief),
            task_at: 0,
            tools: Default::default(),
        },
        timeout_ms: PROBE_TIME.as_millis() as u64,
        retries: quorate_engine::RetrySink::nobody(),
        actions: quorate_engine::ActionSink::nobody(),
        tools: Arc::from([]),
        images: Arc::from([]),
    }
}
