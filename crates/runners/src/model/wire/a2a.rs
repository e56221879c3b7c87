//! The Agent2Agent protocol. Its questions are more than one request, so `agent` asks them; here stands what it has in common
//! with the formats of models: the key's header, and the list, which is the agent's card.

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::Value;
use url::Url;

use super::{ModelPage, ModelRequest, Wire};
use crate::model::a2a_agent::{AGENT, card_urls};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::{AttemptFailure, hint};
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;

/// A remote agent.
pub(crate) struct Agent2Agent;

impl Wire for Agent2Agent {
    fn title(&self) -> &'static str {
        "Agent2Agent (A2A)"
    }

    fn question_url(&self, config: &ProviderConfig, _: &ModelRequest<'_>) -> Url {
        config.base_url.clone()
    }

    fn models_url(&self, config: &ProviderConfig, _: Option<&str>) -> Url {
        card_urls(&config.base_url).swap_remove(0)
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn body(&self, _: &ModelRequest<'_>) -> Vec<u8> {
        Vec::new()
    }

    /// A remote agent has tools of its own.
    fn add_tools(&self, _: &mut Value, _: &ModelRequest<'_>) {}

    fn sent(&self, _: &ModelRequest<'_>) -> SentFeatures {
        SentFeatures::default()
    }

    fn take(&self, _: &[u8], decoder: &mut ResponseDecoder<'_, '_>) -> Result<(), AttemptFailure> {
        let config = decoder.config();
        let kind = quorate_contract::FailureKind::Malformed;
        let detail = quorate_messages::message!("failure-agent-unreadable", agent = &config.name);
        Err(AttemptFailure::doubtful(kind, detail, hint(config, kind)).final_one())
    }

    fn models(&self, body: &[u8]) -> Result<ModelPage, serde_json::Error> {
        serde_json::from_slice::<Value>(body)?;
        Ok(ModelPage { names: vec![AGENT.to_owned()], ..ModelPage::default() })
    }
}
