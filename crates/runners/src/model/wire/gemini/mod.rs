//! Google's Gemini API, and what speaks like it.

mod reply;
mod request;
mod schema;

use reqwest::header::HeaderName;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

use self::reply::{Candidate, Reply};
use self::request::FORMAT;
use super::search::SearchForm;
use super::{ModelPage, ModelRequest, Wire, search, tools};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::reply::Finish;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// `POST …/models/MODEL:generateContent`.
pub(crate) struct GenerateContent;

impl Wire for GenerateContent {
    fn title(&self) -> &'static str {
        "Gemini generateContent"
    }

    fn question_url(&self, config: &ProviderConfig, ask: &ModelRequest<'_>) -> Url {
        let method = if ask.streamed { "streamGenerateContent" } else { "generateContent" };
        let (collection, model) = match ask.model.split_once('/') {
            Some((collection @ ("models" | "tunedModels"), model)) => (collection, model),
            _ => ("models", ask.model),
        };
        let mut url = endpoint(config, &[collection, &format!("{model}:{method}")]);
        if ask.streamed {
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        url
    }

    fn models_url(&self, config: &ProviderConfig, page: Option<&str>) -> Url {
        let mut url = endpoint(config, &["models"]);
        url.query_pairs_mut().append_pair("pageSize", "1000");
        if let Some(page) = page {
            url.query_pairs_mut().append_pair("pageToken", page);
        }
        url
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-goog-api-key"), key.to_owned())
    }

    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        let sent = ask.sent();
        SentFeatures {
            think: ask.has_think(),
            stream_options: false,
            effort: None,
            max_tokens: false,
            ..sent
        }
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        request::body(ask)
    }

    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>) {
        request::add_tools(body, ask);
    }

    fn add_search(&self, body: &mut Value, _: SearchForm, _: u32) {
        search::add_tool(body, json!({ "google_search": {} }));
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        // A proxy that drops `alt=sse` returns the complete stream as one array.
        let replies = match data.starts_with(b"[") {
            true => serde_json::from_slice(data),
            false => serde_json::from_slice(data).map(|reply| vec![reply]),
        };
        let replies: Vec<Reply<'_>> = replies.map_err(|error| decoder.unreadable(&error))?;
        replies.iter().try_for_each(|reply| take_reply(reply, decoder))
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        reply::models(body)
    }
}

/// The address of one resource. People give the base URL with the API's version and without.
fn endpoint(config: &ProviderConfig, segments: &[&str]) -> Url {
    let path = config.base_url.path().trim_end_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    // Vertex has its models below a publisher.
    let is_complete = is_version(last) || path.ends_with("/publishers/google");
    let version: &[&str] = if is_complete { &[] } else { &["v1beta"] };
    config.endpoint(&[version, segments].concat())
}

/// Whether this is `v1`, `v1beta`, `v1alpha`, `v1beta2` or the like.
fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix('v').unwrap_or_default();
    number.starts_with(|first: char| first.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn take_reply(reply: &Reply<'_>, decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
    if let Some(error) = reply.error {
        return Err(decoder.reported(error.get()));
    }
    if let Some(usage) = reply.usage {
        decoder.counted(reply::counts(usage));
    }
    match reply.candidates.iter().flatten().next() {
        Some(candidate) => take_candidate(candidate, decoder),
        None if reply.is_blocked() => decoder.finished(Finish::Withheld),
        None => {}
    }
    Ok(())
}

fn take_candidate(candidate: &Candidate<'_>, decoder: &mut ResponseDecoder<'_, '_>) {
    for part in candidate.parts() {
        match part.is_thought() {
            true => decoder.reasoned(&part.text.0),
            false => decoder.answered(&part.text.0),
        }
        if let Some(call) = part.function_call {
            take_call(call, &part.thought_signature.0, decoder);
        }
    }
    if let Some(grounding) = candidate.grounding_metadata {
        take_grounding(grounding, decoder);
    }
    if let Some(finish) = finish(&candidate.finish_reason.0) {
        decoder.finished(finish);
    }
}

/// What Google's search found, and which passages rest on which pages. The addresses are Google's, and lead to the pages.
fn take_grounding(grounding: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Grounding {
        web_search_queries: Vec<String>,
        grounding_chunks: Vec<Chunk>,
        grounding_supports: Vec<Support>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Chunk {
        web: Page,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Page {
        uri: String,
        title: String,
    }
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Support {
        segment: Segment,
        grounding_chunk_indices: Vec<usize>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Segment {
        text: String,
    }
    let Ok(found) = serde_json::from_str::<Grounding>(grounding.get()) else { return };
    // A stream may repeat them: each query is one search.
    for query in &found.web_search_queries {
        decoder.web().searched(query, query);
    }
    for Page { uri, title } in found.grounding_chunks.iter().map(|chunk| &chunk.web) {
        decoder.web().found("", uri, title);
    }
    for support in &found.grounding_supports {
        for chunk in support.grounding_chunk_indices.iter().filter_map(|at| found.grounding_chunks.get(*at)) {
            decoder.web().cited(&chunk.web.uri, &chunk.web.title, &support.segment.text);
        }
    }
}

/// A call of a tool, with the signature of the thought behind it. Google wants that back in its place.
fn take_call(call: &RawValue, signature: &str, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Call {
        name: String,
        #[serde(default)]
        args: Value,
    }
    let Ok(Call { name, args }) = serde_json::from_str(call.get()) else { return decoder.wanted_a_tool() };
    let args = if args.is_null() { "{}".to_owned() } else { args.to_string() };
    decoder.called("", &name, &args);
    decoder.thoughts().push(signature.into());
    let signatures = decoder.thoughts().clone();
    decoder.keep(tools::keep(FORMAT, &signatures.into()));
}

fn finish(reason: &str) -> Option<Finish> {
    Some(match reason {
        "" | "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" => Finish::Complete,
        // The second could be gone on with; what there is of it is half an answer all the same.
        "MAX_TOKENS" | "CONTINUATION" => Finish::Length,
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "MODEL_ARMOR"
        | "ESCALATION"
        | "PUP_LIMITED_DISABLED"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => Finish::Withheld,
        // OTHER, MALFORMED_FUNCTION_CALL, MALFORMED_RESPONSE, UNEXPECTED_TOOL_CALL, TOO_MANY_TOOL_CALLS,
        // MISSING_THOUGHT_SIGNATURE and what is to come.
        reason => Finish::Broken(reason.chars().take(60).collect()),
    })
}
