//! Wire formats: one module for each.
//!
//! A [`Wire`] writes a request as its vendor expects it, and reads a response, whole or streamed. Waiting,
//! retries, billing and evaluation are the same for all formats and live elsewhere.

mod a2a;
mod anthropic;
mod gemini;
pub(crate) mod images;
mod lenient;
mod ollama;
mod openai;
mod responses;
mod schema;
pub(crate) mod search;
mod text_parts;
pub(crate) mod tools;

use quorate_contract::{AnswerSchema, Language, ModelParameters, Prompt, PromptRole};
use quorate_engine::{LoadedImage, ToolDefinition};
use reqwest::header::HeaderName;
use serde_json::Value;
use url::Url;

use self::images::Piece;
use self::search::SearchForm;
use super::capabilities::{Capabilities, EffortStep, FormatStep, SentFeatures, ThinkStep};
use super::failure::AttemptFailure;
use super::response::ResponseDecoder;
use crate::provider::{ProviderConfig, Streaming};
use crate::vendor::{Thinking, vendor_of};
use crate::wire_format::WireFormat;

impl WireFormat {
    /// The implementation of the format.
    pub(crate) fn wire(self) -> &'static dyn Wire {
        match self {
            Self::Openai => &openai::ChatCompletions,
            Self::Anthropic => &anthropic::Messages,
            Self::Responses => &responses::Responses,
            Self::Gemini => &gemini::GenerateContent,
            Self::Ollama => &ollama::Chat,
            Self::A2a => &a2a::Agent2Agent,
        }
    }
}

/// One wire format.
pub(crate) trait Wire: Send + Sync {
    /// The name of the format for people.
    fn title(&self) -> &'static str {
        "OpenAI chat-completions"
    }

    /// The URL of a request.
    fn question_url(&self, config: &ProviderConfig, ask: &ModelRequest<'_>) -> Url;

    /// The URL of the list of models, or of its next page.
    fn models_url(&self, config: &ProviderConfig, page: Option<&str>) -> Url;

    /// The header that carries the key, and its value.
    fn key_header(&self, key: &str) -> (HeaderName, String);

    /// The additional headers of each request.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The context window to request, prompt and answer together; 0 when the server need not be told.
    fn window(&self, _: &ModelRequest<'_>) -> u32 {
        0
    }

    /// A question as it is sent.
    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8>;

    /// Adds the tools, their calls and the results to the body of a question that offers any.
    fn add_tools(&self, body: &mut Value, ask: &ModelRequest<'_>);

    /// Adds the vendor's own web search, with the most searches that may be made.
    fn add_search(&self, _: &mut Value, _: SearchForm, _: u32) {}

    /// Whether an answer can be held to a schema while tools may be called.
    fn takes_tools_with_schema(&self) -> bool {
        false
    }

    /// Which of the parts that a server may refuse are in it.
    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        ask.sent()
    }

    /// Whether `[DONE]` ends a stream of this format, even without another end marker.
    fn ends_with_done(&self) -> bool {
        false
    }

    /// Takes the data of one event of a stream, or a complete answer, and passes it to `decoder`.
    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure>;

    /// Reads a list of models.
    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error>;
}

/// The names of models, and how to ask for those that follow.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ModelPage {
    pub(crate) names: Vec<String>,
    pub(crate) next: Option<String>,
    /// The context windows that the list names, in tokens, by the models' names.
    pub(crate) windows: Vec<(String, u64)>,
}

/// The parameters of a request to a model.
pub(crate) struct ModelRequest<'a> {
    pub(crate) config: &'a ProviderConfig,
    pub(crate) model: &'a str,
    pub(crate) parameters: ModelParameters,
    pub(crate) prompt: &'a Prompt,
    pub(crate) streamed: bool,
    pub(crate) capabilities: Capabilities,
    /// The most tokens of the answer that there is room for, thinking included.
    pub(crate) most_tokens: u32,
    /// The tools that the prompt offers.
    pub(crate) tools: &'a [ToolDefinition],
    /// The calls so far and their results in words, for a model that takes no tools.
    pub(crate) told: &'a str,
    /// The images of the prompt whose content is here.
    pub(crate) images: &'a [LoadedImage],
    /// Whether no image is sent with this call, because something is wrong with one of them.
    pub(crate) hides_images: bool,
}

/// Messages of one role in a row, to be joined by blank lines.
pub(crate) struct Turn<'a> {
    pub(crate) role: PromptRole,
    pub(crate) pieces: Vec<Piece<'a>>,
}

impl<'a> ModelRequest<'a> {
    /// The most tokens of the answer, thinking included.
    pub(crate) fn max_tokens(&self) -> u32 {
        self.answer_tokens().saturating_add(self.parameters.thinking_room()).min(self.most_tokens)
    }

    /// The shape of the answer. Where tools and a shape exclude each other, tools come first. A web search excludes it:
    /// vendors refuse both together, or give no citations.
    pub(crate) fn schema(&self) -> Option<&'a AnswerSchema> {
        let excluded = self.may_call() && !self.config.wire.wire().takes_tools_with_schema();
        let excluded = excluded || self.search().is_some();
        self.prompt.schema.as_ref().filter(|_| !excluded)
    }

    /// The most tokens of the answer itself.
    pub(crate) fn answer_tokens(&self) -> u32 {
        self.parameters.max_tokens.unwrap_or(self.prompt.max_tokens)
    }

    /// Which of the parts that a server may refuse are in the question.
    pub(crate) fn sent(&self) -> SentFeatures {
        SentFeatures {
            format: self.schema().is_some() && self.capabilities.format != FormatStep::Nothing,
            temperature: self.parameters.temperature.is_some() && !self.capabilities.no_temperature,
            top_p: self.parameters.top_p.is_some() && !self.capabilities.no_top_p,
            stream_options: self.streamed && !self.capabilities.no_stream_options,
            stream: self.streamed && self.config.streaming == Streaming::Auto,
            system: !self.prompt.system.is_empty() && !self.capabilities.no_system_role,
            max_tokens: !self.capabilities.completion_tokens,
            effort: self.parameters.effort.filter(|_| self.capabilities.effort != EffortStep::LeftOut),
            tools: self.offers_tools(),
            images: self.shows_images(),
            search: self.search().is_some(),
            ..SentFeatures::default()
        }
    }

    /// Whether the request sets how much to think, in a format with a parameter for it.
    pub(crate) fn has_think(&self) -> bool {
        self.parameters.effort.is_some() && self.capabilities.think != ThinkStep::Nothing
    }

    /// The switch in which the question says so, which some vendors have added to OpenAI's format.
    pub(crate) fn switch(&self) -> Option<Thinking> {
        let thinking = vendor_of(self.config)?.thinking(self.model).filter(|_| self.has_think())?;
        matches!(thinking, Thinking::Switch | Thinking::SwitchAndEffort).then_some(thinking)
    }

    /// The instruction, where it has a place of its own.
    pub(crate) fn system(&self) -> Option<&'a str> {
        self.sent().system.then_some(self.prompt.system.as_str())
    }

    /// The messages as servers take them: neighbours of the same role are one message, and the
    /// last is a user's (a server that finds an assistant's there continues that or refuses). The
    /// instruction is the first of them where it has no place of its own.
    pub(crate) fn turns(&self) -> Vec<Turn<'a>> {
        let mut turns = Vec::with_capacity(self.prompt.messages.len() + 2);
        if self.capabilities.no_system_role {
            add(&mut turns, PromptRole::User, &self.prompt.system);
        }
        for message in &self.prompt.messages {
            self.add_message(&mut turns, message);
        }
        if !self.offers_tools() {
            add(&mut turns, PromptRole::User, self.told);
        }
        if turns.last().is_none_or(|last| last.role != PromptRole::User) {
            add(&mut turns, PromptRole::User, go_on(self.prompt.brief.language));
        }
        turns
    }

    /// A buffer that has room for the question: grown by doubling, a long meeting would be copied
    /// several times over.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        let words = self.prompt.messages.iter().map(|message| message.content.len()).sum::<usize>();
        let images = self.images.iter().map(|image| image.base64.len() + 64).sum::<usize>();
        Vec::with_capacity((self.prompt.system.len() + words) * 9 / 8 + images + 4096)
    }
}

fn add<'a>(turns: &mut Vec<Turn<'a>>, role: PromptRole, text: &'a str) {
    if !text.is_empty() {
        add_piece(turns, role, Piece::Text(text));
    }
}

fn add_piece<'a>(turns: &mut Vec<Turn<'a>>, role: PromptRole, piece: Piece<'a>) {
    match turns.last_mut() {
        Some(last) if last.role == role => last.pieces.push(piece),
        _ => turns.push(Turn { role, pieces: vec![piece] }),
    }
}

fn go_on(language: Language) -> &'static str {
    match language {
        Language::Zh => "请继续。",
        Language::En => "Please go on.",
    }
}
