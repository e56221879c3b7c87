//! The formats in which the APIs of providers speak, by name; how they are written and read is in `model::wire`.

use serde::{Deserialize, Serialize};

/// The format in which a provider's API speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireFormat {
    /// OpenAI's chat completions, which most vendors and local servers speak too.
    #[default]
    Openai,
    /// Anthropic's messages, and the gateways that speak it.
    Anthropic,
    /// OpenAI's Responses API.
    Responses,
    /// Google's `generateContent`.
    Gemini,
    /// Ollama's own: unlike its OpenAI format it can be told how long a prompt may be.
    Ollama,
    /// The Agent2Agent protocol: a remote agent, which answers in place of models.
    A2a,
}
