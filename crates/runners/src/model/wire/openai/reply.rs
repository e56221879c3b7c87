//! Responses of servers: whole answers, fragments of a stream, lists of models.
//!
//! They borrow from the received bytes, because a stream brings one for each token. A field of an unexpected
//! type counts as absent: many servers of this format have fields of their own.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::ModelPage;
use super::super::lenient::{Few, Number, Text};
use crate::model::reply::Counts;

/// An answer, or one event of a stream.
#[derive(Deserialize)]
pub(crate) struct Reply<'a> {
    #[serde(borrow, default)]
    pub(crate) choices: Few<Choice<'a>>,
    #[serde(borrow, default)]
    pub(crate) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) error: Option<&'a RawValue>,
    /// The type of the object: `chat.completion.chunk`, or `error` from some servers.
    #[serde(borrow, default)]
    pub(crate) object: Text<'a>,
    /// `false` where an error has no wrapping: `{"code": 500, "msg": …, "success": false}`.
    #[serde(borrow, default)]
    pub(crate) success: Option<&'a RawValue>,
    /// The pages that GLM's web search found.
    #[serde(borrow, default)]
    pub(crate) web_search: Option<&'a RawValue>,
}

/// An alternative; one was asked for.
#[derive(Deserialize)]
pub(crate) struct Choice<'a> {
    #[serde(default)]
    pub(crate) index: Number,
    /// The fragment, in a stream.
    #[serde(borrow, default)]
    pub(crate) delta: Option<ReplyMessage<'a>>,
    /// The message, in a complete answer.
    #[serde(borrow, default)]
    pub(crate) message: Option<ReplyMessage<'a>>,
    #[serde(borrow, default)]
    pub(crate) finish_reason: Text<'a>,
}

/// A message, or a fragment of it.
#[derive(Deserialize)]
pub(crate) struct ReplyMessage<'a> {
    #[serde(borrow, default)]
    pub(crate) content: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) reasoning_content: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) reasoning: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) refusal: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) tool_calls: Option<&'a RawValue>,
    /// What the text cites.
    #[serde(borrow, default)]
    pub(crate) annotations: Option<&'a RawValue>,
}

/// Reads a `usage` object. What is negative, broken or missing was not counted.
pub(crate) fn counts(usage: &RawValue) -> Counts {
    #[derive(Deserialize, Default)]
    struct Wire {
        #[serde(default)]
        prompt_tokens: Number,
        #[serde(default)]
        completion_tokens: Number,
        #[serde(default)]
        prompt_cache_hit_tokens: Number,
        #[serde(default)]
        prompt_tokens_details: Option<Details>,
        #[serde(default)]
        completion_tokens_details: Option<Details>,
    }
    #[derive(Deserialize, Default)]
    struct Details {
        #[serde(default)]
        cached_tokens: Number,
        #[serde(default)]
        cache_write_tokens: Number,
        #[serde(default)]
        reasoning_tokens: Number,
    }
    let wire: Wire = serde_json::from_str(usage.get()).unwrap_or_default();
    let read = wire.prompt_tokens_details.unwrap_or_default();
    let written = wire.completion_tokens_details.unwrap_or_default();
    Counts {
        input: wire.prompt_tokens.0,
        output: wire.completion_tokens.0,
        reasoning: written.reasoning_tokens.0,
        cached: read.cached_tokens.0.or(wire.prompt_cache_hit_tokens.0),
        cache_write: read.cache_write_tokens.0,
    }
}

/// The names in a list of models: `{"data": [{"id": …}]}`, the same without the wrapping, or
/// `{"models": [{"name": …}]}`.
pub(crate) fn models(body: &[u8]) -> Result<ModelPage, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Shape {
        Data { data: Vec<Model> },
        Models { models: Vec<Model> },
        Bare(Vec<Model>),
        Nothing { data: () },
    }
    #[derive(Deserialize)]
    struct Model {
        #[serde(alias = "name")]
        id: String,
        /// The context window that is loaded, which may be less than the model's.
        #[serde(default)]
        loaded_context_length: Number,
        /// Set by vLLM and SGLang.
        #[serde(default)]
        max_model_len: Number,
        /// OpenRouter, Together and others.
        #[serde(default)]
        context_length: Number,
        /// Set by Groq.
        #[serde(default)]
        context_window: Number,
        /// Mistral and LM Studio.
        #[serde(default)]
        max_context_length: Number,
        /// Set by LiteLLM.
        #[serde(default)]
        max_input_tokens: Number,
        /// Set by llama-server.
        #[serde(default)]
        meta: Value,
    }
    impl Model {
        fn window(&self) -> Option<(String, u64)> {
            let held = ["n_ctx", "n_ctx_train"].iter().find_map(|name| self.meta[*name].as_u64());
            let listed = [
                &self.loaded_context_length,
                &self.max_model_len,
                &self.context_length,
                &self.context_window,
                &self.max_context_length,
                &self.max_input_tokens,
            ];
            let tokens = held.or_else(|| listed.into_iter().find_map(|number| number.0))?;
            Some((self.id.clone(), tokens))
        }
    }
    let models = match serde_json::from_slice(body)? {
        Shape::Data { data: models } | Shape::Models { models } | Shape::Bare(models) => models,
        // A server without any model writes null.
        Shape::Nothing { data: () } => Vec::new(),
    };
    let windows = models.iter().filter_map(Model::window).collect();
    Ok(ModelPage { names: models.into_iter().map(|model| model.id).collect(), next: None, windows })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn content(json: &str) -> String {
        let said = format!(r#"{{"content":{json}}}"#);
        let said: ReplyMessage<'_> = serde_json::from_str(&said).expect("JSON");
        said.content.0.into_owned()
    }

    #[test]
    fn content_may_be_a_string_parts_or_nothing() {
        assert_eq!(content(r#""a\n\u4f17""#), "a\n众");
        assert_eq!(content("null"), "");
        assert_eq!(content("7"), "");
        assert_eq!(content(r#"{"text":"a"}"#), "");
        let parts = r#"[{"type":"text","text":"a"},"b",{"type":"image_url"},{"text":"c"},null]"#;
        assert_eq!(content(parts), "abc");
    }

    #[test]
    fn a_piece_of_a_stream_is_borrowed_from_the_bytes_that_came() {
        let bytes = br#"{"id":"x","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}],"usage":null}"#;
        let reply: Reply<'_> = serde_json::from_slice(bytes).expect("JSON");
        assert!(!reply.choices.0.spilled(), "one needs no memory of its own");
        let delta = reply.choices.0[0].delta.as_ref().expect("a delta");
        assert!(matches!(delta.content.0, Cow::Borrowed("word")));
        assert!(reply.usage.is_none());
    }

    #[test]
    fn what_was_not_counted_properly_was_not_counted() {
        let read = |json: &str| counts(serde_json::from_str(json).expect("JSON"));
        let good = read(
            r#"{"prompt_tokens":7,"completion_tokens":3.0,"total_tokens":10,
                "prompt_tokens_details":{"cached_tokens":2,"cache_write_tokens":4},
                "completion_tokens_details":{"reasoning_tokens":1}}"#,
        );
        let expected = Counts {
            input: Some(7),
            output: Some(3),
            reasoning: Some(1),
            cached: Some(2),
            cache_write: Some(4),
        };
        assert_eq!(good, expected);
        let bad = r#"{"prompt_tokens":-1,"completion_tokens":"three","prompt_tokens_details":null}"#;
        assert_eq!(read(bad), Counts::default());
        assert_eq!(read(r#""none""#), Counts::default());
        assert_eq!(read(r#"{"prompt_cache_hit_tokens":5}"#).cached, Some(5));
    }

    #[test]
    fn lists_of_models_come_in_three_shapes() {
        for body in [
            r#"{"object":"list","data":[{"id":"b","owned_by":"x"},{"id":"a"}]}"#,
            r#"{"models":[{"name":"a"},{"name":"b"}]}"#,
            r#"[{"id":"a"},{"id":"b"}]"#,
        ] {
            let mut names = models(body.as_bytes()).expect("a list").names;
            names.sort();
            assert_eq!(names, ["a", "b"], "{body}");
        }
        assert!(models(br#"{"data":null}"#).expect("no models").names.is_empty());
        models(b"<html>").expect_err("a web page");
    }
}
