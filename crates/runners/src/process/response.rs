//! The decoder of a process's response to one call.

use quorate_contract::{FailureKind, Phrase, Usage, is_blank};
use quorate_engine::FragmentSink;
use quorate_messages::message;

use super::failure::ProcessFailure;
use super::wire::{Complaint, Counts, ProcessAnswer, ProcessEvent};
use crate::model::redact::{Redactor, Secrets};
use crate::token_estimate::{estimated_tokens, usual_rates};

/// The longest answer that is taken, reasoning included, in bytes: as of a model.
const MAX_ANSWER: usize = 4 << 20;

/// Counts above this are a mistake, not an answer's length.
const MOST_TOKENS: u64 = 10_000_000;

/// A complete answer.
pub(super) struct ProcessResponse {
    pub(super) text: String,
    pub(super) reasoning: Option<String>,
    pub(super) usage: Usage,
}

/// An answer while it comes in.
pub(super) struct ResponseDecoder<'a> {
    sink: &'a FragmentSink,
    secrets: &'a Secrets,
    /// Redacts the fragments that subscribers read, so that no secret shows, however it is cut.
    redact: Redactor,
    pieces: String,
    spoken: Option<ProcessAnswer>,
}

impl<'a> ResponseDecoder<'a> {
    pub(super) fn new(sink: &'a FragmentSink, secrets: &'a Secrets) -> Self {
        Self { sink, secrets, redact: Redactor::default(), pieces: String::new(), spoken: None }
    }

    /// Whether any fragment of an answer has come.
    pub(super) fn has_begun(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Takes what was said; whether the answer is complete.
    pub(super) fn take(&mut self, said: ProcessEvent) -> Result<bool, ProcessFailure> {
        match said {
            ProcessEvent::Token(text) => {
                if self.pieces.len() + text.len() > MAX_ANSWER {
                    return Err(too_long());
                }
                self.redact.feed(self.secrets, &text, |piece| self.sink.answer(piece));
                self.pieces.push_str(&text);
                Ok(false)
            }
            ProcessEvent::Message(spoken) => {
                self.redact.finish(self.secrets, |piece| self.sink.answer(piece));
                self.spoken = Some(spoken);
                Ok(true)
            }
            ProcessEvent::Error(Complaint { kind, detail, hint }) => {
                let detail = match detail.trim().is_empty() {
                    true => message!("failure-reports-error").into(),
                    false => Phrase::from(detail),
                };
                let hint = match hint.trim().is_empty() {
                    true => message!("remedy-see-its-log").into(),
                    false => Phrase::from(hint),
                };
                Err(ProcessFailure::new(kind, detail, hint).stated())
            }
            ProcessEvent::Broken(what) => {
                let hint = message!("remedy-see-protocol");
                Err(ProcessFailure::new(FailureKind::Malformed, what, hint))
            }
        }
    }

    /// Evaluates the complete response. `prompt_tokens` estimates the input, in case the process did not
    /// count it.
    pub(super) fn end(self, prompt_tokens: impl Fn() -> u64) -> Result<ProcessResponse, ProcessFailure> {
        let Some(ProcessAnswer { content, reasoning, usage }) = self.spoken else {
            return Err(empty());
        };
        let text = content.unwrap_or(self.pieces);
        let reasoning = reasoning.filter(|reasoning| !reasoning.trim().is_empty());
        if text.len() + reasoning.as_ref().map_or(0, String::len) > MAX_ANSWER {
            return Err(too_long());
        }
        if is_blank(&text) {
            return Err(empty());
        }
        let tokens = |text: &str| estimated_tokens(text, usual_rates());
        let written = tokens(&text) + reasoning.as_deref().map_or(0, tokens);
        Ok(ProcessResponse { usage: count(&usage, written, prompt_tokens), text, reasoning })
    }
}

/// The counts of the process where they are plausible, and estimates elsewhere.
fn count(counts: &Counts, written: u64, prompt_tokens: impl Fn() -> u64) -> Usage {
    let plausible = |count: Option<u64>| count.filter(|count| (1..=MOST_TOKENS).contains(count));
    let (input, output) = (plausible(counts.input_tokens), plausible(counts.output_tokens));
    let input_tokens = input.unwrap_or_else(prompt_tokens);
    let output_tokens = output.unwrap_or(written);
    Usage {
        input_tokens,
        output_tokens,
        reasoning_tokens: counts.reasoning_tokens.unwrap_or(0).min(output_tokens),
        cached_tokens: counts.cached_tokens.unwrap_or(0).min(input_tokens),
        searches: 0,
        estimated: input.is_none() || output.is_none(),
        cache_write_tokens: 0,
    }
}

fn empty() -> ProcessFailure {
    ProcessFailure::new(
        FailureKind::Empty,
        message!("failure-empty"),
        message!("remedy-put-words-into-message"),
    )
}

fn too_long() -> ProcessFailure {
    ProcessFailure::new(
        FailureKind::Malformed,
        message!("failure-wrote-too-much"),
        message!("remedy-end-sooner"),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use quorate_engine::Secret;

    use super::*;

    /// The text that a subscriber reads while a process writes these tokens.
    fn heard(secrets: &Secrets, tokens: &[&str]) -> String {
        let pieces = Arc::new(Mutex::new(String::new()));
        let sink = FragmentSink::new({
            let pieces = Arc::clone(&pieces);
            move |piece| pieces.lock().expect("no panic").push_str(&piece.text)
        });
        let mut decoder = ResponseDecoder::new(&sink, secrets);
        for token in tokens {
            assert!(matches!(decoder.take(ProcessEvent::Token((*token).to_owned())), Ok(false)));
        }
        let spoken = ProcessAnswer { content: None, reasoning: None, usage: Counts::default() };
        assert!(matches!(decoder.take(ProcessEvent::Message(spoken)), Ok(true)));
        drop(decoder);
        drop(sink);
        Arc::into_inner(pieces).expect("nobody else").into_inner().expect("no panic")
    }

    #[test]
    fn listeners_see_no_secret_however_it_is_cut() {
        let secrets = Secrets::of_all(&[Secret::new("sk-planted-0123456789")]);
        let said = "the key is sk-planted-0123456789, not sk-plan";
        for size in 1..said.len() {
            let bytes: Vec<&[u8]> = said.as_bytes().chunks(size).collect();
            let tokens: Vec<&str> =
                bytes.iter().map(|piece| std::str::from_utf8(piece).expect("plain")).collect();
            assert_eq!(heard(&secrets, &tokens), "the key is [key], not sk-plan", "in pieces of {size}");
        }
    }
}
