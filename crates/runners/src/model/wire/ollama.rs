//! Ollama's own format: a line of JSON for each fragment of an answer.
//!
//! Its OpenAI format is simpler, but leaves the context window to the server, which silently cuts a prompt of
//! more than 4096 tokens. Here the server is told the size of the window, and to refuse a prompt that does
//! not fit.

use quorate_contract::{Effort, PromptRole};
use reqwest::header::{AUTHORIZATION, HeaderName};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

use super::lenient::{Number, Text};
use super::openai::SchemaBody;
use super::schema::Trimmed;
use super::text_parts::TextParts;
use super::{ModelPage, ModelRequest, Wire, tools};
use crate::model::capabilities::{FormatStep, SentFeatures, ThinkStep};
use crate::model::failure::AttemptFailure;
use crate::model::reply::{Counts, Finish};
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// The smallest window that is requested, in tokens; it grows by doubling, so that a growing meeting has its
/// model loaded again only a few times.
const LEAST_WINDOW: u32 = 8192;

/// The mark of what is kept for a server of this format.
const FORMAT: &str = "ollama";

/// `POST …/api/chat`.
pub(crate) struct Chat;

impl Wire for Chat {
    fn title(&self) -> &'static str {
        "Ollama"
    }

    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        endpoint(config, "chat")
    }

    fn models_url(&self, config: &ProviderConfig, _: Option<&str>) -> Url {
        endpoint(config, "tags")
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn window(&self, ask: &ModelRequest<'_>) -> u32 {
        // The estimate may be a third too low, and the template adds its own.
        let prompt = u32::try_from(ask.prompt_tokens()).unwrap_or(u32::MAX);
        let needed = prompt.saturating_add(prompt / 2).saturating_add(256).saturating_add(ask.max_tokens());
        // Beyond any model: the server goes no further than its own limit.
        needed.clamp(LEAST_WINDOW, 1 << 22).next_power_of_two()
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
        let (sent, parameters) = (ask.sent(), ask.parameters);
        let body = Body {
            model: ask.model,
            messages: messages(ask),
            stream: ask.streamed,
            format: format(ask),
            think: parameters.effort.filter(|_| ask.has_think()).map(|effort| think(ask, effort)),
            truncate: false,
            shift: false,
            options: Options {
                num_ctx: ask.capabilities.window,
                num_predict: ask.max_tokens(),
                temperature: parameters.temperature.filter(|_| sent.temperature),
                top_p: parameters.top_p.filter(|_| sent.top_p),
            },
        };
        let mut bytes = ask.buffer();
        serde_json::to_writer(&mut bytes, &body)
            .expect("a request has only text keys, and JSON has all its types");
        bytes
    }

    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>) {
        let messages = tools::list(body, "messages");
        for step in &ask.prompt.tools.steps {
            let calls = step.calls.iter().map(|call| {
                json!({ "function": { "name": call.tool, "arguments": tools::arguments(&call.arguments) } })
            });
            let mut said =
                json!({ "role": "assistant", "content": step.text, "tool_calls": calls.collect::<Vec<_>>() });
            if let Some(Value::String(thinking)) = tools::kept(FORMAT, step) {
                said["thinking"] = thinking.into();
            }
            messages.push(said);
            for call in &step.calls {
                messages.push(json!({ "role": "tool", "tool_name": call.tool, "content": call.result }));
            }
        }
        // A schema would keep the model from calling any, so none are offered when the answer is due.
        if ask.may_call() {
            body["tools"] = tools::functions(ask.tools).into();
        }
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        // Lines that came under the name of plain JSON come all at once.
        for reply in serde_json::Deserializer::from_slice(data).into_iter() {
            take_reply(reply.map_err(|error| decoder.unreadable(&error))?, decoder)?;
        }
        Ok(())
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        #[derive(Deserialize)]
        struct List {
            models: Option<Vec<Model>>,
        }
        #[derive(Deserialize)]
        struct Model {
            name: String,
        }
        let list: List = serde_json::from_slice(body)?;
        let names = list.models.into_iter().flatten().map(|model| model.name);
        Ok(ModelPage { names: names.collect(), ..ModelPage::default() })
    }
}

/// The address of one resource. People give the base URL as other formats want it, too.
fn endpoint(config: &ProviderConfig, name: &str) -> Url {
    let mut url = config.endpoint(&[]);
    let last = url.path().rsplit('/').next().unwrap_or_default();
    let is_given = matches!(last, "v1" | "api");
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
        if is_given {
            path.pop();
        }
        path.extend(["api", name]);
    }
    url
}

fn messages<'a>(ask: &ModelRequest<'a>) -> Vec<Message<'a>> {
    let system = ask.system().map(|text| Message {
        role: "system",
        content: TextParts(vec![text]),
        images: Vec::new(),
    });
    let turns = ask.turns().into_iter().map(|turn| {
        let role = match turn.role {
            PromptRole::User => "user",
            PromptRole::Assistant => "assistant",
        };
        // They have no place between the texts; their order is that of the frames that name them.
        let images = turn.images().map(|image| &*image.base64).collect();
        Message { role, content: turn.texts(), images }
    });
    system.into_iter().chain(turns).collect()
}

fn format<'a>(ask: &ModelRequest<'a>) -> Option<Format<'a>> {
    let schema = &ask.schema()?.schema;
    match ask.capabilities.format {
        FormatStep::Schema => Some(Format::Schema(SchemaBody::Whole(schema))),
        FormatStep::TrimmedSchema => Some(Format::Schema(SchemaBody::Trimmed(Trimmed::new(schema)))),
        FormatStep::Object => Some(Format::Word("json")),
        FormatStep::Nothing => None,
    }
}

/// How much to think. Most models take only yes or no; those that take a level need one.
fn think(ask: &ModelRequest<'_>, effort: Effort) -> Think {
    let always_thinks = ask.model.contains("gpt-oss");
    match effort {
        Effort::None if !always_thinks => Think::Whether(false),
        _ if ask.capabilities.think == ThinkStep::Second => Think::Whether(true),
        Effort::None | Effort::Low => Think::Level("low"),
        Effort::Medium => Think::Level("medium"),
        Effort::High => Think::Level("high"),
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    /// A stream is what comes when nothing is said.
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Think>,
    /// Whether the server cuts a prompt that is too long, rather than refuse it.
    truncate: bool,
    /// Whether the server drops the beginning when the answer fills the window.
    shift: bool,
    options: Options,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: TextParts<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Format<'a> {
    Schema(SchemaBody<'a>),
    Word(&'static str),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Think {
    Whether(bool),
    Level(&'static str),
}

#[derive(Serialize)]
struct Options {
    num_ctx: u32,
    num_predict: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
}

/// A complete answer, or one line of a stream.
#[derive(Deserialize)]
struct Reply<'a> {
    #[serde(borrow, default)]
    message: Option<ReplyMessage<'a>>,
    #[serde(default)]
    done: Option<bool>,
    #[serde(borrow, default)]
    done_reason: Text<'a>,
    #[serde(default)]
    prompt_eval_count: Number,
    #[serde(default)]
    eval_count: Number,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReplyMessage<'a> {
    #[serde(borrow, default)]
    content: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    #[serde(borrow, default)]
    tool_calls: Option<&'a RawValue>,
}

fn take_reply(reply: Reply<'_>, decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
    if let Some(error) = reply.error {
        return Err(decoder.reported(error.get()));
    }
    if let Some(said) = reply.message {
        decoder.reasoned(&said.thinking.0);
        decoder.answered(&said.content.0);
        if let Some(calls) = said.tool_calls.filter(|calls| calls.get() != "[]") {
            take_calls(calls, decoder);
        }
    }
    if reply.done == Some(true) {
        let (input, output) = (reply.prompt_eval_count.0, reply.eval_count.0);
        decoder.counted(Counts { input, output, ..Counts::default() });
        decoder.finished(match &*reply.done_reason.0 {
            "length" => Finish::Length,
            // The model was loaded or unloaded, without an answer.
            reason @ ("load" | "unload") => Finish::Broken(reason.to_owned()),
            _ => Finish::Complete,
        });
        decoder.done();
    }
    Ok(())
}

/// Calls of tools; each comes whole.
fn take_calls(calls: &RawValue, decoder: &mut ResponseDecoder<'_, '_>) {
    #[derive(Deserialize)]
    struct Call {
        function: Function,
    }
    #[derive(Deserialize)]
    struct Function {
        name: String,
        #[serde(default)]
        arguments: Value,
    }
    let Ok(calls) = serde_json::from_str::<Vec<Call>>(calls.get()) else { return decoder.wanted_a_tool() };
    for Call { function } in calls {
        decoder.called("", &function.name, &function.arguments.to_string());
    }
    let thinking = decoder.reasoning().to_owned();
    if !thinking.is_empty() {
        decoder.keep(tools::keep(FORMAT, &thinking.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_asked_wherever_the_base_url_ends() {
        for base in ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1/api/"] {
            let config = ProviderConfig::new("lab", base.parse().expect("a URL"));
            assert_eq!(endpoint(&config, "chat").as_str(), "http://h:1/api/chat", "{base}");
        }
        let config = ProviderConfig::new("lab", "https://h/ollama?team=1".parse().expect("a URL"));
        assert_eq!(endpoint(&config, "tags").as_str(), "https://h/ollama/api/tags?team=1");
    }
}
