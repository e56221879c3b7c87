//! Simulated participants: seeded, free, and the same every time.
//!
//! They serve as a demo without keys and as the base of many tests. Their text follows from the prompt, the
//! temperament and, where attempts differ, the attempt: a replay gives the same words. They understand no prose;
//! they know the topic, the participants and the draft from the brief, and do not say again what they find in the record.
//!
//! A simulation is never presented as a model: its label says what it is (`RunnerSpec::label`).

mod answer_context;
mod answers;
mod default_participants;
mod faults;
mod pace;
mod persuasion;
mod phrases;
mod rng;
mod scripts;
mod text;
mod tools;
mod topic;

#[cfg(test)]
mod tests;

use futures::future::BoxFuture;
use quorate_contract::{
    Answer, Brief, Failure, FailureKind, Outcome, Prompt, RunnerSpec, StopReason, Temperament, Usage,
    WebFindings,
};
use quorate_engine::{FragmentSink, Request, Runner};
use quorate_messages::message;

pub use default_participants::{default_cast, default_offers, default_temperaments, example_cast};
pub use pace::Pace;
use pace::Plan;

/// Answers every task of every simulated participant, and of a simulated facilitator.
#[derive(Debug, Clone, Copy)]
pub struct SimulatedRunner {
    pace: Pace,
}

impl SimulatedRunner {
    /// A runner that takes its time as the meeting says, and as `pace` says where it says nothing.
    pub fn new(pace: Pace) -> Self {
        Self { pace }
    }
}

impl Runner for SimulatedRunner {
    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let RunnerSpec::Simulated { temperament } = request.runner else {
                return Outcome::Failed(not_simulated(&request.runner));
            };
            let brief = &request.prompt.brief;
            if let Some(requests) = tools::calls(&request.prompt, &request.tools) {
                let usage = estimate(prompt_texts(&request.prompt), "");
                let (text, stop) = (String::new(), StopReason::Stop);
                let answer = Answer {
                    text,
                    reasoning: None,
                    usage,
                    stop,
                    latency_ms: 1,
                    web: WebFindings::default(),
                    request_id: None,
                };
                return Outcome::CalledTools(answer, requests);
            }
            let text = answer_to(&request.prompt, temperament, request.attempt);
            let text = tools::with_evidence(text, &request.prompt);
            let slowness = if temperament == Temperament::Slow { 5 } else { 1 };
            let pace = brief.pace.map_or(self.pace, |pace| pace::of(pace, brief.kind(), brief.language));
            let plan = Plan::new(pace, &text, brief.seed, slowness);
            let read = estimate(prompt_texts(&request.prompt), "");
            if temperament == Temperament::Flaky
                && let Some(failure) = faults::flaw(brief.seed, request.attempt, read, plan.latency_ms())
            {
                // A connection that breaks has brought a part of the answer before.
                let broken = failure.kind == FailureKind::Network && pace != Pace::Instant;
                plan.perform(&sink, if broken { 35 } else { 0 }).await;
                return Outcome::Failed(failure);
            }
            plan.perform(&sink, 100).await;
            let usage = estimate(prompt_texts(&request.prompt), &text);
            Outcome::Answered(Answer {
                text,
                reasoning: None,
                usage,
                stop: StopReason::Stop,
                latency_ms: plan.latency_ms(),
                web: WebFindings::default(),
                request_id: None,
            })
        })
    }
}

/// The text of the answer: a function of the prompt, the temperament and the attempt alone.
fn answer_to(prompt: &Prompt, temperament: Temperament, attempt: u32) -> String {
    answer_after(&prompt.brief, &record(prompt), temperament, attempt)
}

/// The answer to a brief when nothing has been said yet.
pub fn answer_text(brief: &Brief, temperament: Temperament, attempt: u32) -> String {
    answer_after(brief, "", temperament, attempt)
}

/// What the prompt shows of the meeting: everything before the task itself.
fn record(prompt: &Prompt) -> String {
    let mut record = String::new();
    for (place, message) in prompt.messages.iter().enumerate() {
        let is_last = place + 1 == prompt.messages.len();
        let shown = if is_last { message.content.get(..prompt.task_at) } else { Some(&*message.content) };
        record.push_str(shown.unwrap_or_default());
        record.push('\n');
    }
    record
}

fn answer_after(brief: &Brief, said: &str, temperament: Temperament, attempt: u32) -> String {
    let text = answers::write_after(brief, said, temperament);
    match temperament {
        Temperament::Malformed if text != answers::SKIP => {
            faults::mangle(text, brief.kind(), brief.seed, attempt, brief.repair.is_some())
        }
        _ => text,
    }
}

fn not_simulated(spec: &RunnerSpec) -> Failure {
    Failure {
        kind: FailureKind::NotConfigured,
        detail: message!("failure-not-simulated", label = %spec.label()).into(),
        hint: message!("remedy-simulate-or-configure").into(),
        usage: None,
        latency_ms: 0,
        doubtful: false,
        window: None,
        request_id: None,
    }
}

fn prompt_texts(prompt: &Prompt) -> impl Iterator<Item = &str> {
    std::iter::once(prompt.system.as_str())
        .chain(prompt.messages.iter().map(|message| message.content.as_str()))
}

/// Estimates tokens at the average of current tokenizers: one for a Chinese character, one for four other
/// characters. Marked as estimated.
fn estimate<'a>(read: impl Iterator<Item = &'a str>, written: &str) -> Usage {
    let tokens = |text: &str| {
        let han = text.chars().filter(|c| text::is_han(*c)).count();
        let others = text.chars().count() - han;
        (han + others.div_ceil(4)) as u64
    };
    Usage {
        input_tokens: read.map(tokens).sum(),
        output_tokens: tokens(written),
        estimated: true,
        ..Usage::default()
    }
}
