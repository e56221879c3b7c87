//! The decoder of a response, whole or streamed.
//!
//! Both kinds are handled in the same way; a whole answer is a stream of one fragment.

use quorate_contract::{FailureKind, StopReason, Usage, WebFindings, is_blank};
use quorate_engine::FragmentSink;
use quorate_messages::{Message, message};

use crate::token_estimate::{estimated_tokens, rates_of};

use super::failure::{Again, AttemptFailure, Spent, hint, shorten};
use super::reasoning::{Splitter, TextPart};
use super::redact::{Redactor, Secrets};
use super::refusal;
use super::reply::{Counts, Finish};
use super::surrogates::Surrogates;
use super::web::WebCollector;
use crate::provider::ProviderConfig;

/// The longest answer that is taken, reasoning included, in bytes.
pub(crate) const MAX_ANSWER: usize = 4 << 20;

/// Counts above this are a server's mistake, not an answer's length.
const MOST_TOKENS: u64 = 10_000_000;

/// The sink of fragments, behind the redaction of secrets.
pub(crate) struct Stage<'a> {
    sink: &'a FragmentSink,
    secrets: &'a Secrets,
    answer: Redactor,
    reasoning: Redactor,
    /// The tool that takes a structured answer, where the request may ask for one.
    pub(crate) answer_tool: Option<&'static str>,
    /// Whether the request offers tools.
    pub(crate) offers_tools: bool,
    /// Whether the request offers a web search.
    pub(crate) offers_search: bool,
    /// Whether the model searches before each answer.
    pub(crate) always_searches: bool,
    /// Whether all searches of an answer are charged as one.
    pub(crate) charges_one_search: bool,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(sink: &'a FragmentSink, secrets: &'a Secrets) -> Self {
        Self {
            sink,
            secrets,
            answer: Redactor::default(),
            reasoning: Redactor::default(),
            answer_tool: None,
            offers_tools: false,
            offers_search: false,
            always_searches: false,
            charges_one_search: false,
        }
    }

    /// Shows a piece of the answer.
    pub(crate) fn answer(&mut self, text: &str) {
        self.show(TextPart::Answer(text));
    }

    fn show(&mut self, part: TextPart<'_>) {
        if !self.sink.is_heard() {
            return;
        }
        let sink = self.sink;
        match part {
            TextPart::Answer(text) => self.answer.feed(self.secrets, text, |text| sink.answer(text)),
            TextPart::Reasoning(text) => self.reasoning.feed(self.secrets, text, |text| sink.reasoning(text)),
        }
    }

    /// Discards the rest of an earlier answer that broke off.
    pub(crate) fn begin(&mut self) {
        (self.answer, self.reasoning) = Default::default();
    }

    pub(crate) fn finish(&mut self) {
        let sink = self.sink;
        self.reasoning.finish(self.secrets, |text| sink.reasoning(text));
        self.answer.finish(self.secrets, |text| sink.answer(text));
    }
}

/// A complete answer.
pub(crate) struct ModelResponse {
    pub(crate) text: String,
    pub(crate) reasoning: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) stop: StopReason,
    /// The provider's own name for the request.
    pub(crate) request_id: Option<String>,
    /// What the vendor's own web search found.
    pub(crate) web: WebFindings,
    /// The tools that are called instead of an answer.
    pub(crate) calls: Vec<CalledTool>,
    /// What the vendor wants back with the results; may be empty.
    pub(crate) continuation: String,
}

/// A call of a tool in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CalledTool {
    /// The vendor's own name of the call; may be empty.
    id: String,
    /// Its place among the calls, by which pieces of a stream are put together.
    index: u64,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// The most calls of one answer that are read.
const MOST_CALLS: usize = 64;

/// An answer while it comes in.
pub(crate) struct ResponseDecoder<'a, 's> {
    config: &'a ProviderConfig,
    stage: &'a mut Stage<'s>,
    splitter: Splitter,
    finish: Option<Finish>,
    counts: Counts,
    refusal: String,
    /// Whether a fragment of the answer has come, even a blank one.
    answered: bool,
    wanted_a_tool: bool,
    calls: Vec<CalledTool>,
    /// Whether pieces of arguments belong to the last call.
    in_call: bool,
    /// Whether pieces of arguments are the answer.
    in_answer_tool: bool,
    reasoning_content: bool,
    /// What the vendor wants back with the results of calls, in the words of the format.
    continuation: String,
    /// Parts of thinking that the vendor has signed.
    thoughts: Vec<serde_json::Value>,
    web: WebCollector,
    /// The place of the alternative that is read, where the server numbers them.
    alternative: Option<u64>,
    surrogates: Surrogates,
    /// Whether a JSON value has come that was no error.
    began: bool,
    done: bool,
}

impl<'a, 's> ResponseDecoder<'a, 's> {
    pub(crate) fn new(config: &'a ProviderConfig, stage: &'a mut Stage<'s>) -> Self {
        stage.begin();
        Self {
            config,
            stage,
            splitter: Splitter::default(),
            finish: None,
            counts: Counts::default(),
            refusal: String::new(),
            answered: false,
            wanted_a_tool: false,
            calls: Vec::new(),
            in_call: false,
            in_answer_tool: false,
            reasoning_content: false,
            continuation: String::new(),
            thoughts: Vec::new(),
            web: WebCollector::default(),
            alternative: None,
            surrogates: Surrogates::default(),
            began: false,
            done: false,
        }
    }

    /// The provider that is read from.
    pub(crate) fn config(&self) -> &ProviderConfig {
        self.config
    }

    /// Takes the data of one event, or a whole answer. An invalid event after a finished answer does not lose
    /// it: nothing more is expected.
    pub(crate) fn take(&mut self, data: &[u8]) -> Result<(), AttemptFailure> {
        let was_finished = self.is_finished();
        match self.take_value(data) {
            Err(_) if was_finished => {
                self.done();
                Ok(())
            }
            taken => taken,
        }
    }

    fn take_value(&mut self, data: &[u8]) -> Result<(), AttemptFailure> {
        if data == b"[DONE]" {
            // Most servers end a stream like this, whatever their format; it is no answer by itself.
            if self.config.wire.wire().ends_with_done() || self.is_finished() {
                self.done();
            }
            return Ok(());
        }
        let wire = self.config.wire.wire();
        wire.take(data, self).or_else(|failed| {
            if failed.kind != FailureKind::Malformed {
                return Err(failed);
            }
            // Data behind a value on its line is ignored.
            let value = first_value(data).filter(|value| value.len() < data.len());
            match (self.surrogates.mend(value.unwrap_or(data)), value) {
                (Some(mended), _) => wire.take(&mended, self),
                (None, Some(value)) => wire.take(value, self),
                (None, None) => Err(failed),
            }
        })?;
        self.began = true;
        let Splitter { answer, reasoning, .. } = &self.splitter;
        let called =
            self.calls.iter().map(|call| call.arguments.len()).sum::<usize>() + self.continuation.len();
        if answer.len() + reasoning.len() + self.refusal.len() + called > MAX_ANSWER {
            return Err(self.too_long(message!("failure-answer-too-large", provider = &self.config.name)));
        }
        Ok(())
    }

    /// Takes a complete body: one value; or several values or events, although no stream was requested, which
    /// then need an end marker. Data behind a finished answer, or behind the only value, is ignored.
    pub(crate) fn take_whole(&mut self, body: &[u8]) -> Result<(), AttemptFailure> {
        let mut rest = body.trim_ascii();
        let mut taken = 0u32;
        while let Some(value) = first_value(rest) {
            self.take(value)?;
            taken += 1;
            rest = next_value(&rest[value.len()..]);
            if self.is_finished() {
                return Ok(());
            }
        }
        match taken {
            0 if [b"data:", b"event", b"retry"].iter().any(|field| rest.starts_with(*field)) => {
                for line in rest.split(|byte| *byte == b'\n') {
                    line.strip_prefix(b"data:").map_or(Ok(()), |data| self.take(data.trim_ascii()))?;
                }
                if self.is_finished() { Ok(()) } else { Err(self.incomplete()) }
            }
            0 => self.take(rest),
            1 if !matches!(rest.first(), Some(b'{' | b'[')) => Ok(()),
            _ => Err(self.incomplete()),
        }
    }

    /// The failure of an answer that ended without its end marker.
    fn incomplete(&self) -> AttemptFailure {
        let detail = message!("failure-answer-incomplete", provider = &self.config.name);
        let hint = hint(self.config, FailureKind::Malformed);
        AttemptFailure {
            spent: self.spent(),
            ..AttemptFailure::doubtful(FailureKind::Malformed, detail, hint)
        }
    }

    /// A piece of the answer, in which thinking may still be hidden.
    pub(crate) fn answered(&mut self, piece: &str) {
        self.answered |= !piece.is_empty();
        let stage = &mut *self.stage;
        self.splitter.feed(piece, &mut |part| stage.show(part));
    }

    /// A piece of the reasoning, which the provider keeps apart.
    pub(crate) fn reasoned(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.splitter.reasoned(piece);
            self.stage.show(TextPart::Reasoning(piece));
        }
    }

    /// A piece of what the model says instead of an answer.
    pub(crate) fn refused(&mut self, piece: &str) {
        self.refusal.push_str(piece);
    }

    /// Notes that the model wants to call a tool that it was not offered.
    pub(crate) fn wanted_a_tool(&mut self) {
        self.wanted_a_tool = true;
    }

    /// A piece of a call. The name and the vendor's id come with the first piece, arguments in any number of them.
    pub(crate) fn call_piece(&mut self, index: u64, id: &str, name: &str, arguments: &str) {
        let is_same = |call: &&mut CalledTool| {
            call.index == index && (id.is_empty() || call.id.is_empty() || call.id == id)
        };
        // A server may send the name again with each piece.
        if let Some(call) = self.calls.iter_mut().rev().find(is_same) {
            if call.name.is_empty() {
                name.clone_into(&mut call.name);
            }
            call.arguments.push_str(arguments);
        } else if self.calls.len() < MOST_CALLS {
            let (id, name, arguments) = (id.to_owned(), name.to_owned(), arguments.to_owned());
            self.calls.push(CalledTool { id, index, name, arguments });
        }
    }

    /// A complete call.
    pub(crate) fn called(&mut self, id: &str, name: &str, arguments: &str) {
        if !id.is_empty() && self.calls.iter().any(|call| call.id == id) {
            return; // it was told already
        }
        // Complete calls are told apart by their places.
        let index = u64::try_from(self.calls.len()).unwrap_or(u64::MAX) | 1 << 32;
        self.call_piece(index, id, name, arguments);
    }

    /// A call begins whose arguments follow in pieces.
    pub(crate) fn begin_call(&mut self, name: &str) {
        self.called("", name, "");
        self.in_call = true;
    }

    /// Whether arguments of a call follow; then this piece is one of them.
    pub(crate) fn takes_argument(&mut self, piece: &str) -> bool {
        if self.in_call
            && let Some(call) = self.calls.last_mut()
        {
            call.arguments.push_str(piece);
        }
        self.in_call
    }

    /// Whether a tool is the one that takes the answer.
    pub(crate) fn is_answer_tool(&self, name: &str) -> bool {
        self.stage.answer_tool == Some(name)
    }

    /// The arguments that follow are the answer.
    pub(crate) fn begin_answer_tool(&mut self) {
        self.in_answer_tool = true;
    }

    /// A piece of arguments that belongs to no call: a piece of the answer, where they are the answer.
    pub(crate) fn takes_answer(&mut self, piece: &str) {
        if self.in_answer_tool {
            self.answered(piece);
        }
    }

    /// No further pieces of arguments follow.
    pub(crate) fn end_call(&mut self) {
        (self.in_call, self.in_answer_tool) = (false, false);
    }

    /// The calls so far.
    pub(crate) fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Searches and citations of the vendor's own web search.
    pub(crate) fn web(&mut self) -> &mut WebCollector {
        &mut self.web
    }

    /// Whether the request offers a web search.
    pub(crate) fn offers_search(&self) -> bool {
        self.stage.offers_search
    }

    /// Whether the request offers tools.
    pub(crate) fn offers_tools(&self) -> bool {
        self.stage.offers_tools
    }

    /// Parts of thinking that the vendor wants back with the results.
    pub(crate) fn thoughts(&mut self) -> &mut Vec<serde_json::Value> {
        &mut self.thoughts
    }

    /// The reasoning so far.
    pub(crate) fn reasoning(&self) -> &str {
        &self.splitter.reasoning
    }

    /// Notes that the vendor sends reasoning in a field that it wants back.
    pub(crate) fn notes_reasoning_content(&mut self) {
        self.reasoning_content = true;
    }

    /// Whether the vendor sends reasoning in a field that it wants back.
    pub(crate) fn shows_reasoning_content(&self) -> bool {
        self.reasoning_content
    }

    /// Keeps what the vendor wants back with the results.
    pub(crate) fn keep(&mut self, continuation: String) {
        self.continuation = continuation;
    }

    /// Notes the provider's token counts.
    pub(crate) fn counted(&mut self, counts: Counts) {
        self.counts = self.counts.or_later(counts);
    }

    /// The counts so far, where later counts build on earlier ones.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether a fragment of the answer, or of a refusal in its place, has come.
    pub(crate) fn has_words(&self) -> bool {
        self.answered || !self.refusal.is_empty()
    }

    /// Whether a fragment of the reasoning has come.
    pub(crate) fn has_reasoned(&self) -> bool {
        !self.splitter.reasoning.is_empty()
    }

    /// Whether an alternative is the one that is read: the first that came.
    pub(crate) fn follows(&mut self, alternative: Option<u64>) -> bool {
        match (self.alternative, alternative) {
            (Some(followed), Some(alternative)) => followed == alternative,
            (_, alternative) => {
                self.alternative = alternative;
                true
            }
        }
    }

    /// Whether a text of more than a few characters is all that has been answered so far, once more.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        let text = text.trim();
        text.len() >= 16 && self.splitter.answer.trim() == text
    }

    /// Notes why the answer ended.
    pub(crate) fn finished(&mut self, finish: Finish) {
        self.finish = Some(finish);
    }

    /// Notes that nothing more will come.
    pub(crate) fn done(&mut self) {
        self.done = true;
    }

    /// The provider reports an error, in its own JSON, instead of an answer.
    pub(crate) fn reported(&self, error: &str) -> AttemptFailure {
        let mut failed = refusal::reported(self.config, error, self.has_begun());
        if self.has_begun() {
            failed.spent = self.spent();
        }
        failed
    }

    /// Whether the server has said that it is done; nothing more is worth waiting for.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the answer is complete, although its usage may still follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Whether any part of the answer has come.
    fn has_begun(&self) -> bool {
        self.began || !(self.splitter.answer.is_empty() && self.splitter.reasoning.is_empty())
    }

    /// The tokens that are used if nothing more comes.
    pub(crate) fn spent(&self) -> Spent {
        Spent::Unknown { written: self.written() }
    }

    fn written(&self) -> u64 {
        let rates = rates_of(self.config, "");
        estimated_tokens(&self.splitter.answer, rates) + estimated_tokens(&self.splitter.reasoning, rates)
    }

    /// The failure of an unreadable answer. Its text is not shown: it can be anything.
    pub(crate) fn unreadable(&self, error: &serde_json::Error) -> AttemptFailure {
        let (provider, column) = (&self.config.name, error.column());
        let detail = message!("failure-not-json", provider, column);
        let hint = hint(self.config, FailureKind::Malformed);
        let failed = AttemptFailure::doubtful(FailureKind::Malformed, detail, hint);
        AttemptFailure { spent: self.spent(), ..failed }
    }

    /// The failure of an answer beyond the size limit; a retry would be as long.
    pub(crate) fn too_long(&self, detail: Message) -> AttemptFailure {
        let hint = message!("remedy-model-without-end");
        let failed = AttemptFailure::doubtful(FailureKind::Malformed, detail, hint).final_one();
        AttemptFailure { spent: self.spent(), ..failed }
    }

    /// Evaluates the complete response. `prompt_tokens` estimates the input, in case the provider did not
    /// count it.
    pub(crate) fn end(mut self, prompt_tokens: impl Fn() -> u64) -> Result<ModelResponse, AttemptFailure> {
        let stage = &mut *self.stage;
        self.splitter.finish(&mut |part| stage.show(part));
        stage.finish();
        let usage = self.usage(prompt_tokens);
        let provider = &self.config.name;
        let failed = |kind, detail: Message, again| {
            let failed = AttemptFailure::doubtful(kind, detail, hint(self.config, kind));
            Err(AttemptFailure { again, spent: Spent::Counted(Box::new(usage)), ..failed })
        };
        let stop = match &self.finish {
            Some(Finish::Length) => StopReason::Length,
            Some(Finish::Withheld) => StopReason::ContentFilter,
            Some(Finish::Broken(why)) => {
                let detail = message!("failure-broke-off", provider, why);
                return failed(FailureKind::Overloaded, detail, Again::Doubtful);
            }
            Some(Finish::Complete) | None => StopReason::Stop,
        };
        let Splitter { answer, reasoning, .. } = self.splitter;
        let [text, reasoning] = [answer, reasoning].map(|text| self.stage.secrets.redact(text));
        let web = self.web.findings(&text, self.stage.secrets);
        let calls: Vec<CalledTool> = self.calls.into_iter().filter(|call| !call.name.is_empty()).collect();
        let wanted_a_tool = self.wanted_a_tool || !calls.is_empty();
        if self.stage.offers_tools && !calls.is_empty() {
            let secrets = self.stage.secrets;
            let clean = |call: CalledTool| CalledTool { arguments: secrets.redact(call.arguments), ..call };
            let calls = calls.into_iter().map(clean).collect();
            let reasoning = Some(reasoning).filter(|reasoning| !reasoning.trim().is_empty());
            let continuation = self.continuation;
            return Ok(ModelResponse {
                text,
                reasoning,
                usage,
                stop,
                request_id: None,
                web,
                calls,
                continuation,
            });
        }
        if is_blank(&text) {
            let said = shorten(&self.config.redact(self.refusal));
            if !said.is_empty() {
                let detail = message!("failure-model-refused", said);
                return failed(FailureKind::ContentRefused, detail, Again::Never);
            }
            match stop {
                StopReason::ContentFilter => {
                    let detail = message!("failure-provider-withheld", provider);
                    return failed(FailureKind::ContentRefused, detail, Again::Never);
                }
                StopReason::Stop => {
                    let detail = if wanted_a_tool {
                        message!("failure-wanted-tool")
                    } else if reasoning.trim().is_empty() {
                        message!("failure-empty")
                    } else {
                        message!("failure-only-thought")
                    };
                    return failed(FailureKind::Empty, detail, Again::Doubtful);
                }
                // The reasoning ate the budget: the meeting decides what that means.
                StopReason::Length => {}
            }
        }
        let reasoning = Some(reasoning).filter(|reasoning| !reasoning.trim().is_empty());
        let (calls, continuation) = (Vec::new(), String::new());
        Ok(ModelResponse { text, reasoning, usage, stop, request_id: None, web, calls, continuation })
    }

    /// The provider's counts where they are plausible, and estimates elsewhere.
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
            cache_write_tokens: self.counts.cache_write.unwrap_or(0).min(input_tokens),
            searches: match self.web.count().max(u32::from(self.stage.always_searches)) {
                count if self.stage.charges_one_search => count.min(1),
                count => count,
            },
            estimated: input.is_none() || output.is_none(),
        }
    }
}

/// The rest after the first of several values, without separators.
fn next_value(rest: &[u8]) -> &[u8] {
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"data:").map_or(rest, <[u8]>::trim_ascii_start);
    if rest.starts_with(b"[DONE]") { b"" } else { rest }
}

/// The first JSON object or array in these bytes, when they begin with a complete one.
fn first_value(bytes: &[u8]) -> Option<&[u8]> {
    if !matches!(bytes.first(), Some(b'{' | b'[')) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<serde::de::IgnoredAny>();
    values.next()?.ok()?;
    bytes.get(..values.byte_offset())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Instant;

    use super::*;
    use crate::model::sse::Lines;

    /// `cargo test --release -p quorate-runners -- --ignored --nocapture what_a_token_costs`
    #[test]
    #[ignore = "a measurement, not a property"]
    fn what_a_token_costs() {
        const TOKENS: u32 = 100_000;
        let event = "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\
            \"created\":1,\"model\":\"qwen3\",\"choices\":[{\"index\":0,\"delta\":\
            {\"content\":\" word\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n";
        let mut config = ProviderConfig::new("lab", "http://h/v1".parse().expect("a URL"));
        config.key = Some(crate::Secret::new("sk-proj-0123456789abcdef"));
        let sink = FragmentSink::new(|fragment| drop(std::hint::black_box(fragment)));
        let secrets = Secrets::of(&config);
        let mut stage = Stage::new(&sink, &secrets);
        let mut decoder = ResponseDecoder::new(&config, &mut stage);
        let mut lines = Lines::default();
        let started = Instant::now();
        for _ in 0..TOKENS {
            let flow = lines.feed(event.as_bytes(), |data| match decoder.take(data) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failed) => ControlFlow::Break(failed),
            });
            assert!(matches!(flow, Ok(ControlFlow::Continue(()))));
        }
        eprintln!("{:?} per token", started.elapsed() / TOKENS);
        assert_eq!(decoder.splitter.answer.len(), " word".len() * TOKENS as usize - 1);
    }
}
