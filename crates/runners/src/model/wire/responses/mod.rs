//! OpenAI's responses, the only format for some of its models.

mod reply;
mod request;

use reqwest::header::HeaderName;
use url::Url;

use super::openai::ChatCompletions;
use super::{ModelPage, ModelRequest, Wire};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// `POST …/responses`.
pub(crate) struct Responses;

impl Wire for Responses {
    fn title(&self) -> &'static str {
        "OpenAI responses"
    }

    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        config.endpoint(&["responses"])
    }

    fn models_url(&self, config: &ProviderConfig, page: Option<&str>) -> Url {
        ChatCompletions.models_url(config, page)
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        ChatCompletions.key_header(key)
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        request::body(ask)
    }

    fn sent(&self, ask: &ModelRequest<'_>) -> SentFeatures {
        SentFeatures { stream_options: false, max_tokens: false, ..ask.sent() }
    }

    /// Gateways end so what they have translated.
    fn ends_with_done(&self) -> bool {
        true
    }

    fn take(&self, data: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        reply::take(data, decoder)
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        ChatCompletions.models(body)
    }
}
