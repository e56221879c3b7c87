//! A call as a span: its name and attributes by the semantic conventions for generative AI.

use opentelemetry::{Array, KeyValue, StringValue, Value};
use quorate_contract::{Outcome, RunnerSpec, StopReason, TaskId};
use quorate_engine::CallSeen;

/// The span of a call.
pub(crate) struct CallSpan {
    /// The name: `chat gpt-5-mini`.
    pub(crate) name: String,
    pub(crate) attributes: Vec<KeyValue>,
    /// The kind of failure, if there was one.
    pub(crate) error: Option<String>,
}

/// The span of a call of a model or a process; `None` for a simulation.
pub(crate) fn of(call: &CallSeen) -> Option<CallSpan> {
    let (provider, model, parameters) = match &call.runner {
        RunnerSpec::Model { provider, model, parameters, .. } => (provider.as_str(), model, Some(parameters)),
        RunnerSpec::Process { name } => ("process", name, None),
        RunnerSpec::Acp { name, .. } => ("acp", name, None),
        RunnerSpec::External { via, name } => (via.as_str(), name, None),
        RunnerSpec::Simulated { .. } => return None,
    };
    let mut attributes = vec![
        KeyValue::new("gen_ai.operation.name", "chat"),
        KeyValue::new("gen_ai.provider.name", well_known(provider).to_owned()),
        KeyValue::new("gen_ai.request.model", model.clone()),
        KeyValue::new("gen_ai.conversation.id", call.meeting.to_string()),
        KeyValue::new("quorate.task", call.task.to_string()),
        KeyValue::new("quorate.attempt", i64::from(call.attempt)),
        KeyValue::new("quorate.queued_ms", millis(call.queued)),
    ];
    if let Some(id) = speaker_of(call.task) {
        attributes.push(KeyValue::new("gen_ai.agent.id", id));
    }
    if let Some(parameters) = parameters {
        attributes.extend(parameters.temperature.map(|t| KeyValue::new("gen_ai.request.temperature", t)));
        attributes.extend(parameters.top_p.map(|p| KeyValue::new("gen_ai.request.top_p", p)));
        let most = parameters.max_tokens.map(i64::from);
        attributes.extend(most.map(|most| KeyValue::new("gen_ai.request.max_tokens", most)));
    }
    if let Some(first) = call.first_piece {
        attributes.push(KeyValue::new("gen_ai.response.time_to_first_chunk", first.as_secs_f64()));
    }
    let error = match &call.outcome {
        Some(Outcome::Answered(answer) | Outcome::CalledTools(answer, _)) => {
            let usage = &answer.usage;
            let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
            let reason = StringValue::from(finish_reason(answer.stop));
            attributes.extend([
                KeyValue::new("gen_ai.usage.input_tokens", count(usage.input_tokens)),
                KeyValue::new("gen_ai.usage.output_tokens", count(usage.output_tokens)),
                KeyValue::new("gen_ai.response.finish_reasons", Value::Array(Array::String(vec![reason]))),
            ]);
            if usage.cached_tokens > 0 {
                let cached = count(usage.cached_tokens);
                attributes.push(KeyValue::new("gen_ai.usage.cache_read.input_tokens", cached));
            }
            if let Some(id) = &answer.request_id {
                attributes.push(KeyValue::new("gen_ai.response.id", id.clone()));
            }
            None
        }
        Some(Outcome::Failed(failure)) => Some(name_of(&failure.kind)),
        None => Some("cancelled".to_owned()),
    };
    attributes.extend(error.clone().map(|kind| KeyValue::new("error.type", kind)));
    Some(CallSpan { name: format!("chat {model}"), attributes, error })
}

/// The conventions' own name for a provider, where they have one.
fn well_known(provider: &str) -> &str {
    match provider {
        "google" | "gemini" => "gcp.gemini",
        "mistral" => "mistral_ai",
        "xai" => "x_ai",
        other => other,
    }
}

/// The participant of a task, if it has one.
fn speaker_of(task: TaskId) -> Option<String> {
    match task {
        TaskId::Vote(_, voter) => Some(voter.to_string()),
        _ => None,
    }
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ContentFilter => "content_filter",
    }
}

fn name_of(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).ok();
    value.as_ref().and_then(|value| value.as_str()).unwrap_or("_OTHER").to_owned()
}

fn millis(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
