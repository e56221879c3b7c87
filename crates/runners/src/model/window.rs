//! The context windows of models: what servers say of them, in refusals and in their lists of models.

use std::sync::LazyLock;

use quorate_contract::{ContextWindow, FailureKind};
use regex::Regex;

use super::learned;
use crate::provider::ProviderConfig;
use crate::vendor::vendor_of;

/// An answer that has fewer tokens than this is not worth asking for: the prompt is to be shorter.
pub(crate) const LEAST_ANSWER: u32 = 256;

/// The number of tokens that are left free below a window: servers add some of their own to a prompt.
const SPARE: u64 = 16;

/// The plausible sizes of a window.
const PLAUSIBLE: std::ops::RangeInclusive<u64> = 64..=100_000_000;

/// Phrases before a server's limit of tokens, in lower case.
const WINDOW: [&str; 14] = [
    // llama-server
    r#"n_ctx\\?"\s*:\s*#"#,
    r"available context size \(#",
    // OpenAI, DeepSeek, vLLM, OpenRouter
    r"maximum context length (?:is|of) #",
    r"configured limit of #",
    // Mistral
    r"# maximum context length",
    // vLLM
    r"maximum model length of #",
    // vLLM, LM Studio and others
    r"context (?:length|window|size)(?: is| of|:)?(?: only)? #",
    // Gemini
    r"maximum number of (?:input )?tokens allowed \(#",
    // xAI
    r"maximum prompt length is #",
    // Anthropic
    r"> # maximum",
    r"context limit: [0-9]+ \+ [0-9]+ > #",
    // Text Generation Inference, Together
    r"must be <= #",
    // Qwen
    r"input length should be \[1, #",
    r"limit (?:is|of) #",
];

/// Phrases before the number of tokens of a prompt, in lower case.
const PROMPT: [&str; 12] = [
    r#"n_prompt_tokens\\?"\s*:\s*#"#,
    r"request \(# tokens",
    r"# in (?:the )?(?:messages|prompt)",
    r"# of text input",
    r"messages resulted in #",
    r"(?:has|passed|contains)(?: at least)? # (?:input |prompt )?tokens",
    r"prompt \(length #",
    r"input token count \(#",
    r"too long: # tokens",
    r"context limit: # \+",
    r"given: # `?inputs",
    r"keep the first # tokens",
];

/// The window that a refusal names, when that is why the prompt was refused.
pub(crate) fn named(kind: FailureKind, refusal: &str) -> Option<ContextWindow> {
    static PATTERNS: LazyLock<[Vec<Regex>; 2]> = LazyLock::new(|| {
        [&WINDOW[..], &PROMPT[..]].map(|patterns| {
            let compiled =
                patterns.iter().map(|pattern| Regex::new(&pattern.replace('#', "([0-9][0-9,_]*)")));
            compiled.map(|pattern| pattern.expect("the patterns are tested")).collect()
        })
    });
    if kind != FailureKind::ContextTooLong {
        return None;
    }
    let words = refusal.to_lowercase();
    let first = |patterns: &[Regex]| {
        let number = |pattern: &Regex| {
            let digits = pattern.captures(&words)?.get(1)?.as_str().replace([',', '_'], "");
            digits.parse().ok().filter(|number| PLAUSIBLE.contains(number))
        };
        patterns.iter().find_map(number)
    };
    let [window, prompt] = &*PATTERNS;
    Some(ContextWindow { tokens: first(window)?, prompt_tokens: first(prompt) })
}

/// The number of tokens that are left for an answer.
pub(crate) fn room(window: u64, read: u64) -> u32 {
    let left = window.saturating_sub(read.saturating_add(SPARE));
    u32::try_from(left).unwrap_or(u32::MAX).max(LEAST_ANSWER)
}

/// The window of a provider's model, when its server or the table of vendors has reported it.
pub(crate) fn known(config: &ProviderConfig, model: &str) -> Option<u64> {
    let noted = || vendor_of(config)?.note(model)?.context.map(u64::from);
    learned::window(config, model).or_else(noted)
}

/// Remembers the window of a provider's model.
pub(crate) fn learn(config: &ProviderConfig, model: &str, tokens: u64) {
    if PLAUSIBLE.contains(&tokens) {
        learned::learn_window(config, model, tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_in_each_servers_refusal_are_read() {
        let cases = [
            (
                r#"{"error":{"code":400,"message":"request (8016 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":8016,"n_ctx":2048}}"#,
                (2048, Some(8016)),
            ),
            (
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
                (8192, Some(9001)),
            ),
            (
                "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
                (65_536, Some(66_000)),
            ),
            (
                "Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300,000 tokens.",
                (272_000, Some(300_000)),
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 1500. This model's maximum context length is 2048 tokens and your request has 800 input tokens (1500 > 2048 - 800).",
                (2048, Some(800)),
            ),
            (
                "The decoder prompt (length 3000) is longer than the maximum model length of 2048. Make sure that `max_model_len` is no smaller than the number of text tokens.",
                (2048, Some(3000)),
            ),
            (
                "You passed 2049 input tokens and requested 500 output tokens. However, the model's context length is only 2048 tokens, resulting in a maximum input length of 1548 tokens.",
                (2048, Some(2049)),
            ),
            ("prompt is too long: 210000 tokens > 200000 maximum", (200_000, Some(210_000))),
            (
                "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
                (200_000, Some(190_000)),
            ),
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                (1_048_576, Some(1_200_000)),
            ),
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
                (32_768, Some(40_000)),
            ),
            (
                "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (8000 of text input, 1000 in the output).",
                (8192, Some(8000)),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
                (131_072, Some(140_000)),
            ),
            (
                "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
                (4096, Some(5000)),
            ),
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 3900 `inputs` tokens and 1000 `max_new_tokens`",
                (4097, Some(3900)),
            ),
            ("Range of input length should be [1, 30720]", (30_720, None)),
            (
                r#"{"error":{"message":"litellm.BadRequestError: ContextWindowExceededError: OpenAIException - {\"error\":{\"code\":400,\"message\":\"request (2211 tokens) exceeds the available context size (2048 tokens)\",\"n_prompt_tokens\":2211,\"n_ctx\":2048}}"}}"#,
                (2048, Some(2211)),
            ),
        ];
        for (words, (tokens, prompt_tokens)) in cases {
            let window = named(FailureKind::ContextTooLong, words);
            assert_eq!(window, Some(ContextWindow { tokens, prompt_tokens }), "{words}");
        }
        for nothing in
            ["Prompt 超长", "the request exceeds the available context size", "context length is 7"]
        {
            assert_eq!(named(FailureKind::ContextTooLong, nothing), None, "{nothing}");
        }
        assert_eq!(named(FailureKind::RateLimit, "limit is 300000 tokens per minute"), None);
    }

    #[test]
    fn an_answer_is_given_what_is_left() {
        assert_eq!(room(2048, 800), 1232);
        assert_eq!(room(2048, 2047), LEAST_ANSWER);
        assert_eq!(room(u64::MAX, 0), u32::MAX);
    }
}
