//! OpenAI's chat completions, and everything that is compatible with them.

mod reply;
mod request;

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

use self::reply::{Choice, Reply, ReplyMessage};
pub(super) use self::request::SchemaBody;
use super::lenient::{Number, Text};
use super::search::SearchForm;
use super::{ModelPage, ModelRequest, Wire, search, tools};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::reply::Finish;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;
use crate::vendor::Thinking;

/// The mark of what is kept for a vendor of this format.
const FORMAT: &str = "openai";

/// How many pages a search reads, where the request says so.
const PAGES_OF_A_SEARCH: u32 = 10;

/// `POST …/chat/completions`.
pub(crate) struct ChatCompletions;

impl Wire for ChatCompletions {
    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        config.endpoint(&["chat", "completions"])
    }

    fn models_url(&self, config: &ProviderConfig, _: Option<&str>) -> Url {
        config.endpoint(&["models"])
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        request::body(ask, self.sent(ask))
    }

    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>) {
        let messages = tools::list(body, "messages");
        for step in &ask.prompt.tools.steps {
            let calls = step.calls.iter().map(|call| {
                let arguments = tools::arguments(&call.arguments).to_string();
                let function = json!({ "name": call.tool, "arguments": arguments });
                json!({ "id": tools::id(call.id), "type": "function", "function": function })
            });
            let mut said =
                json!({ "role": "assistant", "content": step.text, "tool_calls": calls.collect::<Vec<_>>() });
            if let Some(Value::String(reasoning)) = tools::kept(FORMAT, step) {
                said["reasoning_content"] = reasoning.into();
            }
            messages.push(said);
            for call in &step.calls {
                let id = tools::id(call.id);
                messages.push(json!({ "role": "tool", "tool_call_id": id, "content": call.result }));
            }
        }
        // Some servers take no schema beside tools, so none are offered when the answer is due.
        if ask.may_call() {
            body["tools"] = tools::functions(ask.tools).into();
        }
    }

    fn add_search(&self, body: &mut Value, form: SearchForm, _: u32) {
        match form {
            SearchForm::Engine(engine) => {
                // Without `search_result` the pages are read and not named.
                let options = json!({
                    "enable": true, "search_engine": engine, "search_result": true, "count": PAGES_OF_A_SEARCH,
                });
                search::add_tool(body, json!({ "type": "web_search", "web_search": options }));
            }
            SearchForm::SearchModel => body["web_search_options"] = json!({}),
            SearchForm::ServerTool => {}
        }
    }

    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        let sent = ask.sent();
        match ask.switch() {
            None => sent,
            Some(Thinking::SwitchAndEffort) => {
                let effort = sent.effort.filter(|_| request::switched_on(ask));
                SentFeatures { think: true, effort, ..sent }
            }
            Some(_) => SentFeatures { think: true, effort: None, ..sent },
        }
    }

    fn ends_with_done(&self) -> bool {
        true
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        let reply: Reply<'_> = serde_json::from_slice(data).map_err(|error| decoder.unreadable(&error))?;
        let error = match reply.error {
            Some(error) => Some(error.get()),
            // An older vLLM reports errors without the wrapping.
            None if reply.object.0 == "error" => std::str::from_utf8(data).ok(),
            // So do the gates of GLM, with a status that promises an answer.
            None if reply.success.is_some_and(|success| success.get() == "false") => {
                std::str::from_utf8(data).ok()
            }
            None => None,
        };
        if let Some(error) = error {
            return Err(decoder.reported(error));
        }
        if let Some(usage) = reply.usage {
            decoder.counted(reply::counts(usage));
        }
        if let Some(pages) = reply.web_search.filter(|_| decoder.offers_search()) {
            take_pages(pages, decoder);
        }
        // Some servers send further alternatives, although one was asked for.
        let is_followed = |choice: &Choice<'_>| decoder.follows(choice.index.0);
        let Some(choice) = reply.choices.0.into_iter().find(is_followed) else {
            return Ok(());
        };
        let is_last = !choice.finish_reason.0.is_empty();
        for said in [choice.delta, choice.message].into_iter().flatten() {
            // Some servers repeat the whole answer at its end.
            if !(is_last && decoder.has_said(&said.content.0)) {
                take_said(&said, decoder);
            }
        }
        if !choice.finish_reason.0.is_empty() {
            decoder.finished(finish(&choice.finish_reason.0));
        }
        Ok(())
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        reply::models(body)
    }
}

fn take_said(said: &ReplyMessage<'_>, decoder: &mut ResponseDecoder<'_, '_>) {
    if !said.reasoning_content.0.is_empty() {
        decoder.notes_reasoning_content();
    }
    // Some gateways send the same reasoning under both names.
    decoder.reasoned(match said.reasoning_content.0.is_empty() {
        true => &said.reasoning.0,
        false => &said.reasoning_content.0,
    });
    decoder.answered(&said.content.0);
    decoder.refused(&said.refusal.0);
    if let Some(calls) = said.tool_calls {
        take_calls(calls, decoder);
    }
    if let Some(annotations) = said.annotations.filter(|_| decoder.offers_search()) {
        take_annotations(annotations, decoder);
    }
    // A vendor that shows its reasoning here wants it back with the results.
    if decoder.calls() > 0 && !(said.reasoning_content.0.is_empty() && said.tool_calls.is_none()) {
        let reasoning = decoder.reasoning().to_owned();
        if decoder.shows_reasoning_content() && !reasoning.is_empty() {
            decoder.keep(tools::keep(FORMAT, &reasoning.into()));
        }
    }
}

/// The pages that GLM's search found, of which the answer cites some by their marks.
fn take_pages(pages: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Page<'a> {
        #[serde(borrow, default)]
        title: Text<'a>,
        #[serde(borrow, default)]
        link: Text<'a>,
        #[serde(borrow, default)]
        refer: Text<'a>,
    }
    let Ok(pages) = serde_json::from_str::<Vec<Page<'_>>>(pages.get()) else { return };
    if pages.is_empty() {
        return;
    }
    let web = decoder.web();
    web.searched("glm", "");
    for page in &pages {
        web.found("glm", &page.link.0, &page.title.0);
        web.marked(&page.refer.0, &page.link.0, &page.title.0);
    }
}

/// The pages that an answer cites.
fn take_annotations(annotations: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Annotation<'a> {
        #[serde(borrow, default)]
        url_citation: Option<Citation<'a>>,
    }
    #[derive(Deserialize)]
    struct Citation<'a> {
        #[serde(borrow, default)]
        url: Text<'a>,
        #[serde(borrow, default)]
        title: Text<'a>,
        #[serde(default)]
        start_index: Number,
    }
    let annotations = serde_json::from_str::<Vec<Annotation<'_>>>(annotations.get()).unwrap_or_default();
    for Citation { url, title, start_index } in annotations.into_iter().filter_map(|one| one.url_citation) {
        match start_index.0.and_then(|at| usize::try_from(at).ok()) {
            Some(at) => decoder.web().cited_at(&url.0, &title.0, at),
            None => decoder.web().cited(&url.0, &title.0, ""),
        }
    }
}

/// Calls of tools, or pieces of them.
fn take_calls(calls: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Call<'a> {
        #[serde(default)]
        index: Number,
        #[serde(borrow, default)]
        id: Text<'a>,
        #[serde(borrow, default)]
        function: Option<Function<'a>>,
    }
    #[derive(Deserialize)]
    struct Function<'a> {
        #[serde(borrow, default)]
        name: Text<'a>,
        #[serde(default)]
        arguments: Value,
    }
    let Ok(calls) = serde_json::from_str::<Vec<Call<'_>>>(calls.get()) else {
        return decoder.wanted_a_tool();
    };
    for (call, place) in calls.into_iter().zip(0..) {
        let Some(Function { name, arguments }) = call.function else { continue };
        // Some servers send the arguments as they are, not as a text.
        let arguments = match arguments {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        decoder.call_piece(call.index.0.unwrap_or(place), &call.id.0, &name.0, &arguments);
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "length" | "max_tokens" | "MAX_TOKENS" | "model_context_window_exceeded" => Finish::Length,
        "content_filter" | "sensitive" | "SAFETY" => Finish::Withheld,
        "error" | "network_error" | "insufficient_system_resource" => Finish::Broken(reason.to_owned()),
        _ => Finish::Complete,
    }
}
