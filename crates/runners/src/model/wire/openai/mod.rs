//! OpenAI's chat completions, and everything that is compatible with them.

mod reply;
mod request;

use reqwest::header::{AUTHORIZATION, HeaderName};
use url::Url;

use self::reply::{Reply, ReplyMessage};
pub(super) use self::request::{Joined, SchemaBody};
use super::{ModelPage, ModelRequest, Wire};
use crate::model::capabilities::SentFeatures;
use crate::model::failure::AttemptFailure;
use crate::model::reply::Finish;
use crate::model::response::ResponseDecoder;
use crate::provider::ProviderConfig;
use crate::vendor::Thinking;

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
        let Some(choice) = reply.choices.into_iter().flatten().next() else {
            return Ok(());
        };
        for said in [choice.delta, choice.message].into_iter().flatten() {
            take_said(&said, decoder);
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
    // Some gateways send the same reasoning under both names.
    decoder.reasoned(match said.reasoning_content.0.is_empty() {
        true => &said.reasoning.0,
        false => &said.reasoning_content.0,
    });
    decoder.answered(&said.content.0);
    decoder.refused(&said.refusal.0);
    if said.tool_calls.is_some_and(|calls| calls.get() != "[]") {
        decoder.wanted_a_tool();
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
