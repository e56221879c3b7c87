//! The share of a prompt that repeats the reader's previous one: it costs a fraction where a provider caches
//! it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use quorate_contract::{
    Answer, AnswerKind, Outcome, Prompt, PromptRole, RunnerSpec, StopReason, Usage, WebFindings,
};
use quorate_engine::{FragmentSink, MemoryJournal, Request, Runner, RunnerDirectory};

use crate::measure::{Aim, figure};
use crate::{answers, table};

/// Answers at once, and keeps what it was asked.
#[derive(Default)]
struct Keeper(Mutex<Vec<Prompt>>);

impl Runner for Keeper {
    fn run(&self, request: Request, _sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let mut kept = self.0.lock().expect("nobody panics while holding the prompts");
        let schema = request.prompt.schema.as_ref().map(|schema| schema.name);
        let text = answers::answer(schema, kept.len() as u64);
        kept.push(request.prompt);
        let usage = Usage { input_tokens: 1000, output_tokens: 20, ..Usage::default() };
        let answer = Answer {
            text,
            reasoning: None,
            usage,
            stop: StopReason::Stop,
            latency_ms: 1,
            web: WebFindings::default(),
            request_id: None,
        };
        Box::pin(std::future::ready(Outcome::Answered(answer)))
    }
}

/// A directory in which the keeper answers all calls.
struct Keeping(Arc<Keeper>);

impl RunnerDirectory for Keeping {
    fn find(&self, _spec: &RunnerSpec) -> Arc<dyn Runner> {
        self.0.clone()
    }
}

/// The share of each prompt that its reader's prompt before began with.
pub(crate) fn shared() {
    let keeper = Arc::new(Keeper::default());
    let engine = table::engine_with(Arc::new(MemoryJournal::default()), Arc::new(Keeping(keeper.clone())));
    table::runtime().block_on(table::hold(&engine, 1, table::consensus(8), false));
    let prompts = keeper.0.lock().expect("nobody panics while holding the prompts");
    let mut before: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    let (mut all, mut turns, mut kept, mut read) = (Vec::new(), Vec::new(), 0, 0);
    for prompt in prompts.iter().filter(|prompt| !prompt.brief.name.is_empty()) {
        let now = bytes(prompt);
        if let Some(before) = before.get(prompt.brief.name.as_str()) {
            let same = before.iter().zip(&now).take_while(|(one, other)| one == other).count();
            let share = same as f64 / now.len() as f64;
            all.push(share);
            if prompt.brief.kind() == AnswerKind::Speak {
                turns.push(share);
            }
            (kept, read) = (kept + same, read + now.len());
        }
        before.insert(&prompt.brief.name, now);
    }
    let percent = |shares: &[f64]| 100.0 * shares.iter().sum::<f64>() / shares.len() as f64;
    figure("unchanged from the front, average of calls", percent(&all), "%", Aim::Nothing);
    figure("  of turns to speak alone", percent(&turns), "%", Aim::Nothing);
    figure("  of all bytes read", 100.0 * kept as f64 / read as f64, "%", Aim::Nothing);
    figure("prompt per call", read as f64 / 1e3 / all.len() as f64, "KB", Aim::Nothing);
}

/// A prompt as a model reads it: instruction, then the messages, each after its role.
fn bytes(prompt: &Prompt) -> Vec<u8> {
    let mut bytes = prompt.system.clone().into_bytes();
    for message in &prompt.messages {
        bytes.push(match message.role {
            PromptRole::User => 1,
            PromptRole::Assistant => 2,
        });
        bytes.extend_from_slice(message.content.as_bytes());
    }
    bytes
}
