//! Runners, which answer calls: the models of providers of all kinds, simulated participants, external
//! processes, and the directory that finds the right runner for a participant.
//!
//! Nothing here decides anything about a meeting. A runner reads a prompt, asks a model or a process, and
//! returns an [`Outcome`](quorate_contract::Outcome). Every failure on the way is one too, with a kind and a
//! hint.

mod acp;
mod address;
mod database_files;
mod directory;
mod external;
mod file_text;
mod images;
mod model;
mod prices;
mod process;
mod provider;
mod settings;
mod simulated;
mod tls;
mod token_estimate;
mod tools;
mod vendor;
mod webhook;
mod wire_format;

pub use acp::{
    AcpConfig, AcpConfigError, AcpRunner, McpServerConfig, PermissionAnswer, PermissionBoard, PermissionKey,
};
pub use address::{NotPublic, check_public};
pub use database_files::belongs_to_database;
pub use directory::{Directory, Programs};
pub use external::{DeliveryTrouble, OfferedTurn, Respondent, TurnBoard, meeting_of_ticket};
pub use file_text::{FILE_HEAD, decode, find_secret, hides_secret, is_secret_name, media_type};
pub use images::{IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, ImageProblem, ShownImage, is_image, shown_image};
#[doc(hidden)]
pub use model::fuzzing;
pub use model::{
    A2A_AGENT, AllowanceNeed, Health, ModelLimits, ModelPorts, ModelRunner, Network, Probe, ProbeFailure,
    RandomSource, SendError, ShareGrant, ShareNeed, ShareStanding, Transport, begin_leases, forget_lessons,
    grant_shares, has_web_search, known_window, lapse_leases, lessons, near_models, recall,
    searches_without_tools, share_limits, share_needs, share_standings, share_wanted, was_refused,
};
pub use prices::{
    PriceEntry, SearchPriceEntry, per_million, per_thousand, price_for, price_of, prices, search_price_for,
    search_prices,
};
pub use process::{
    ExporterConfig, ExporterError, ProcessConfig, ProcessConfigError, ProcessMode, ProcessRunner,
};
pub use provider::{ProviderConfig, RunnerConfigError, Streaming, Structured, Timeouts};
pub use quorate_engine::Secret;
pub use settings::{ProviderSettings, SettingsError};
pub use simulated::{
    Pace, SimulatedRunner, answer_text, default_cast, default_offers, default_temperaments, example_cast,
};
pub use tls::{http_client, install_tls};
pub use token_estimate::{estimated_tokens, prompt_tokens, rates_of, usual_rates};
pub use tools::{
    AttachedTexts, ToolConfigError, ToolSet, ToolSourceConfig, attached_file_tools, run_attached_file_tool,
};
pub use vendor::{
    LeastEffort, ModelNote, Thinking, ThinkingOff, TokenRates, Vendor, VendorsError, fits, is_at_vendor,
    lay_over_vendors, model_note, vendor, vendor_of, vendors, weight,
};
pub use webhook::{
    BreakerState, WebhookAddressError, WebhookFailure, WebhookRequest, WebhookResponse, WebhookSender,
    check_webhook_address, new_webhook_secret, retry_event, retry_turn, sign_webhook, verify_webhook,
};
pub use wire_format::WireFormat;
