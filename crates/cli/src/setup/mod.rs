//! From the command line to what the service is asked for.

mod acp;
mod create_meeting;
mod meeting_rules;

pub(crate) use create_meeting::{budget_micros, budget_ms, create_meeting_request};
pub(crate) use meeting_rules::{key_and_value, length_of, style_of, title_and_description};
pub(crate) use quorate_app::{
    CreateMeetingRequest, FoundProvider, OLLAMA, Plan, Source, UserFile, address_of, agent_sessions,
    found_providers, how_to_add, nearest, programs_of, providers_of, runners, set_rule, settings_of,
    stored_credentials, tools_of, variable,
};
