//! Listens to an answer, whole or in pieces, and says at the end what it was.
//!
//! Whether the pieces come over a stream or all at once makes no difference here; a whole
//! answer is a stream of one piece.

use quorate_core::{FailureKind, StopReason, Usage};
use quorate_engine::FragmentSink;

use super::estimate;
use super::refusal::reported;
use super::think::{Part, Splitter};
use super::trouble::{Again, Spent, Trouble, hint, shorten};
use super::wire::{Counts, Reply, Said};
use crate::provider::ProviderConfig;

/// The longest answer that is taken, reasoning included, in bytes.
pub(crate) const MAX_ANSWER: usize = 4 << 20;

/// Counts above this are a server's mistake, not an answer's length.
const MOST_TOKENS: u64 = 10_000_000;

/// Where fragments go, and whether any went there. After the first attempt that showed some,
/// nothing more is shown: a listener cannot take words back, so a second attempt would read as
/// a doubled answer. The text at the end is the authority.
pub(crate) struct Stage<'a> {
    sink: &'a FragmentSink,
    shown: bool,
    closed: bool,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(sink: &'a FragmentSink) -> Self {
        Self { sink, shown: false, closed: false }
    }

    /// A new attempt begins.
    pub(crate) fn next_attempt(&mut self) {
        self.closed = self.shown;
    }

    fn show(&mut self, part: Part<'_>) {
        if self.closed || !self.sink.is_heard() {
            return;
        }
        self.shown = true;
        match part {
            Part::Answer(text) => self.sink.answer(text),
            Part::Reasoning(text) => self.sink.reasoning(text),
        }
    }
}

/// A complete answer.
pub(crate) struct Heard {
    pub(crate) text: String,
    pub(crate) reasoning: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) stop: StopReason,
}

/// An answer while it comes in.
pub(crate) struct Hearing<'a, 's> {
    config: &'a ProviderConfig,
    stage: &'a mut Stage<'s>,
    splitter: Splitter,
    finish: Option<String>,
    counts: Counts,
    refusal: String,
    wanted_a_tool: bool,
    done: bool,
}

impl<'a, 's> Hearing<'a, 's> {
    pub(crate) fn new(config: &'a ProviderConfig, stage: &'a mut Stage<'s>) -> Self {
        Self {
            config,
            stage,
            splitter: Splitter::default(),
            finish: None,
            counts: Counts::default(),
            refusal: String::new(),
            wanted_a_tool: false,
            done: false,
        }
    }

    /// Takes the data of one event, or a whole answer.
    pub(crate) fn take(&mut self, data: &[u8]) -> Result<(), Trouble> {
        if data == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        let reply: Reply<'_> = serde_json::from_slice(data).map_err(|error| self.unreadable(&error))?;
        let error = match reply.error {
            Some(error) => Some(error.get()),
            // An older vLLM reports errors without the wrapping.
            None if reply.object.0 == "error" => std::str::from_utf8(data).ok(),
            None => None,
        };
        if let Some(error) = error {
            let mut trouble = reported(self.config, error, self.has_begun());
            if self.has_begun() {
                trouble.spent = self.spent();
            }
            return Err(trouble);
        }
        if let Some(usage) = reply.usage {
            self.counts = Counts::read(usage);
        }
        let Some(choice) = reply.choices.into_iter().flatten().next() else {
            return Ok(());
        };
        for said in [choice.delta, choice.message].into_iter().flatten() {
            self.take_said(&said);
        }
        if !choice.finish_reason.0.is_empty() {
            self.finish = Some(choice.finish_reason.0.into_owned());
        }
        let Splitter { answer, reasoning, .. } = &self.splitter;
        if answer.len() + reasoning.len() + self.refusal.len() > MAX_ANSWER {
            return Err(self.too_long("an answer of more than 4 MiB"));
        }
        Ok(())
    }

    fn take_said(&mut self, said: &Said<'_>) {
        // Some gateways send the same reasoning under both names.
        let reasoning = match said.reasoning_content.0.is_empty() {
            true => &said.reasoning.0,
            false => &said.reasoning_content.0,
        };
        if !reasoning.is_empty() {
            self.splitter.reasoned(reasoning);
            self.stage.show(Part::Reasoning(reasoning));
        }
        let stage = &mut *self.stage;
        self.splitter.feed(&said.content.0, &mut |part| stage.show(part));
        self.refusal.push_str(&said.refusal.0);
        self.wanted_a_tool |= said.tool_calls.is_some_and(|calls| calls.get() != "[]");
    }

    /// Whether the server has said that it is done; nothing more is worth waiting for.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the answer is complete, although its usage may still follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Whether anything of the answer has come.
    fn has_begun(&self) -> bool {
        !(self.splitter.answer.is_empty() && self.splitter.reasoning.is_empty())
    }

    /// What has been used if nothing more comes.
    pub(crate) fn spent(&self) -> Spent {
        Spent::Unknown { written: self.written() }
    }

    fn written(&self) -> u64 {
        estimate::tokens(&self.splitter.answer) + estimate::tokens(&self.splitter.reasoning)
    }

    /// What came is not what was agreed. The words themselves are not shown: they can be anything.
    fn unreadable(&self, error: &serde_json::Error) -> Trouble {
        let detail = format!(
            "{} sent something that is not an answer in JSON (column {})",
            self.config.name,
            error.column()
        );
        let hint = hint(self.config, FailureKind::Malformed);
        let trouble = Trouble::doubtful(FailureKind::Malformed, detail, hint);
        Trouble { spent: self.spent(), ..trouble }
    }

    /// More came than is taken; asking again would bring as much.
    pub(crate) fn too_long(&self, what: &str) -> Trouble {
        let detail = format!("{} sent {what}", self.config.name);
        let hint = "choose another model: this one does not come to an end".to_owned();
        let trouble = Trouble::doubtful(FailureKind::Malformed, detail, hint).final_one();
        Trouble { spent: self.spent(), ..trouble }
    }

    /// Judges what has come. `prompt_tokens` estimates what was read, in case nobody counted.
    pub(crate) fn end(mut self, prompt_tokens: impl Fn() -> u64) -> Result<Heard, Trouble> {
        let stage = &mut *self.stage;
        self.splitter.finish(&mut |part| stage.show(part));
        let usage = self.usage(prompt_tokens);
        let name = &self.config.name;
        let trouble = |kind, detail: String, again| {
            let trouble = Trouble::doubtful(kind, detail, hint(self.config, kind));
            Err(Trouble { again, spent: Spent::Counted(Box::new(usage)), ..trouble })
        };
        let stop = match self.finish.as_deref() {
            Some("length" | "max_tokens" | "MAX_TOKENS") => StopReason::Length,
            Some("content_filter" | "sensitive" | "SAFETY") => StopReason::ContentFilter,
            Some(broken @ ("error" | "network_error" | "insufficient_system_resource")) => {
                let detail = format!("{name} broke the answer off: {broken}");
                return trouble(FailureKind::Overloaded, detail, Again::Doubtful);
            }
            _ => StopReason::Stop,
        };
        let Splitter { answer: text, reasoning, .. } = self.splitter;
        if text.trim().is_empty() {
            let said = shorten(&self.config.redact(self.refusal));
            if !said.is_empty() {
                let detail = format!("the model refused: {said}");
                return trouble(FailureKind::ContentRefused, detail, Again::Never);
            }
            match stop {
                StopReason::ContentFilter => {
                    let detail = format!("{name} withheld the answer");
                    return trouble(FailureKind::ContentRefused, detail, Again::Never);
                }
                StopReason::Stop => {
                    let detail = if self.wanted_a_tool {
                        "the model asked for a tool, which nobody had offered"
                    } else if reasoning.trim().is_empty() {
                        "an empty answer came"
                    } else {
                        "the model thought, but did not answer"
                    };
                    return trouble(FailureKind::Empty, detail.to_owned(), Again::Doubtful);
                }
                // The reasoning ate the budget: the meeting decides what that means.
                StopReason::Length => {}
            }
        }
        let reasoning = Some(reasoning).filter(|reasoning| !reasoning.trim().is_empty());
        Ok(Heard { text, reasoning, usage, stop })
    }

    /// What the provider counted where that can be true, and estimates elsewhere.
    fn usage(&self, prompt_tokens: impl Fn() -> u64) -> Usage {
        let written = self.written();
        let plausible =
            |count: Option<u64>, least: u64| count.filter(|count| (least..=MOST_TOKENS).contains(count));
        let input = plausible(self.counts.input, 1);
        let output = plausible(self.counts.output, u64::from(written > 0));
        let input_tokens = input.unwrap_or_else(prompt_tokens);
        let output_tokens = output.unwrap_or(written);
        Usage {
            input_tokens,
            output_tokens,
            reasoning_tokens: self.counts.reasoning.unwrap_or(0).min(output_tokens),
            cached_tokens: self.counts.cached.unwrap_or(0).min(input_tokens),
            estimated: input.is_none() || output.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Instant;

    use super::*;
    use crate::openai::sse::Lines;

    /// `cargo test --release -p quorate-runners -- --ignored --nocapture what_a_token_costs`
    #[test]
    #[ignore = "a measurement, not a property"]
    fn what_a_what_a_token_costs() {
        const TOKENS: u32 = 100_000;
        let event = "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\
            \"created\":1,\"model\":\"qwen3\",\"choices\":[{\"index\":0,\"delta\":\
            {\"content\":\" word\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n";
        let config = ProviderConfig::new("lab", "http://h/v1".parse().expect("a URL"));
        let sink = FragmentSink::new(|fragment| drop(std::hint::black_box(fragment)));
        let mut stage = Stage::new(&sink);
        let mut hearing = Hearing::new(&config, &mut stage);
        let mut lines = Lines::default();
        let started = Instant::now();
        for _ in 0..TOKENS {
            let flow = lines.feed(event.as_bytes(), |data| match hearing.take(data) {
                Ok(()) => ControlFlow::Continue(()),
                Err(trouble) => ControlFlow::Break(trouble),
            });
            assert!(matches!(flow, Ok(ControlFlow::Continue(()))));
        }
        eprintln!("{:?} per token", started.elapsed() / TOKENS);
        assert_eq!(hearing.splitter.answer.len(), " word".len() * TOKENS as usize - 1);
    }
}
