//! Responses of Google's servers: whole answers, fragments of a stream, lists of models.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::ModelPage;
use super::super::lenient::{Number, Text};
use crate::model::reply::Counts;

/// An answer, or one event of a stream.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply<'a> {
    #[serde(borrow, default)]
    pub(crate) candidates: Option<Vec<Candidate<'a>>>,
    #[serde(borrow, default)]
    prompt_feedback: Option<Feedback<'a>>,
    #[serde(borrow, default, rename = "usageMetadata")]
    pub(crate) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) error: Option<&'a RawValue>,
}

/// Google's verdict on the prompt.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow, default)]
    block_reason: Text<'a>,
}

/// The only alternative that was asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate<'a> {
    #[serde(borrow, default)]
    content: Option<Content<'a>>,
    #[serde(borrow, default)]
    pub(crate) finish_reason: Text<'a>,
    /// What the web search found.
    #[serde(borrow, default)]
    pub(crate) grounding_metadata: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow, default)]
    parts: Option<Vec<Part<'a>>>,
}

/// A part of the answer or of the reasoning.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part<'a> {
    #[serde(borrow, default)]
    pub(crate) text: Text<'a>,
    #[serde(borrow, default)]
    thought: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) function_call: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) thought_signature: Text<'a>,
}

impl Reply<'_> {
    /// Whether the prompt itself was refused.
    pub(crate) fn is_blocked(&self) -> bool {
        self.prompt_feedback.as_ref().is_some_and(|feedback| !feedback.block_reason.0.is_empty())
    }
}

impl<'a> Candidate<'a> {
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part<'a>> {
        self.content.iter().flat_map(|content| content.parts.iter().flatten())
    }
}

impl Part<'_> {
    pub(crate) fn is_thought(&self) -> bool {
        self.thought.is_some_and(|thought| thought.get() == "true")
    }
}

/// Reads a `usageMetadata` object. Google leaves out what is 0, and counts thoughts apart from what was
/// said.
pub(crate) fn counts(usage: &RawValue) -> Counts {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Wire {
        prompt_token_count: Number,
        tool_use_prompt_token_count: Number,
        candidates_token_count: Number,
        thoughts_token_count: Number,
        cached_content_token_count: Number,
    }
    let wire: Wire = serde_json::from_str(usage.get()).unwrap_or_default();
    let sum = |one: Number, other: Number| match (one.0, other.0) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    };
    let reasoning = wire.thoughts_token_count.0;
    Counts {
        input: sum(wire.prompt_token_count, wire.tool_use_prompt_token_count),
        output: sum(wire.candidates_token_count, wire.thoughts_token_count),
        reasoning,
        cached: wire.cached_content_token_count.0,
        cache_write: None,
    }
}

/// The names in a list of models, of those that can be asked to generate.
pub(crate) fn models(body: &[u8]) -> Result<ModelPage, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct List {
        #[serde(default)]
        models: Option<Vec<Model>>,
        #[serde(default)]
        next_page_token: Option<String>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Model {
        name: String,
        #[serde(default)]
        supported_generation_methods: Option<Vec<String>>,
        #[serde(default)]
        input_token_limit: Number,
    }
    let list: List = serde_json::from_slice(body)?;
    let can_generate = |model: &Model| {
        let methods = model.supported_generation_methods.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    let models = list.models.into_iter().flatten().filter(can_generate);
    let next = list.next_page_token.filter(|token| !token.is_empty());
    let mut page = ModelPage { next, ..ModelPage::default() };
    for model in models {
        let name = model.name.strip_prefix("models/").unwrap_or(&model.name).to_owned();
        page.windows.extend(model.input_token_limit.0.map(|tokens| (name.clone(), tokens)));
        page.names.push(name);
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_thought_counts_as_written() {
        let read = |json: &str| counts(serde_json::from_str(json).expect("JSON"));
        let all = read(
            r#"{"promptTokenCount":20,"toolUsePromptTokenCount":2,"candidatesTokenCount":5,
                "thoughtsTokenCount":7,"cachedContentTokenCount":16,"totalTokenCount":34,
                "promptTokensDetails":[{"modality":"TEXT","tokenCount":20}]}"#,
        );
        let expected = Counts {
            input: Some(22),
            output: Some(12),
            reasoning: Some(7),
            cached: Some(16),
            cache_write: None,
        };
        assert_eq!(all, expected);
        let eaten = read(r#"{"promptTokenCount":20,"thoughtsTokenCount":7,"totalTokenCount":27}"#);
        assert_eq!((eaten.input, eaten.output), (Some(20), Some(7)));
        assert_eq!(read(r#"{"promptTokenCount":-1,"candidatesTokenCount":"5"}"#), Counts::default());
        assert_eq!(read(r#""none""#), Counts::default());
    }

    #[test]
    fn only_models_that_generate_are_listed() {
        let body = r#"{"models":[
            {"name":"models/gemini-2.5-flash","supportedGenerationMethods":["generateContent","countTokens"]},
            {"name":"models/text-embedding-004","supportedGenerationMethods":["embedContent"]},
            {"name":"gemini-proxy"}],"nextPageToken":"t/2="}"#;
        let page = models(body.as_bytes()).expect("a list");
        assert_eq!(page.names, ["gemini-2.5-flash", "gemini-proxy"]);
        assert_eq!(page.next.as_deref(), Some("t/2="));
        assert_eq!(models(b"{}").expect("no models"), ModelPage::default());
        models(b"<html>").expect_err("a web page");
    }
}
