//! From the command line, files and the environment to a meeting that can begin.

mod discover;
mod file;
mod held;
mod library;
mod plan;
mod prices;
mod providers;
mod rules;
mod seats;
mod vendors;

pub(crate) use discover::{fitting, list, redacted, variable};
pub(crate) use file::{MeetingFile, UserFile};
pub(crate) use held::{length_of, style_of, title_and_description};
pub(crate) use library::{address_of, not_configured, settings_of, stored_credentials};
pub(crate) use plan::{NO_FALLBACK, Plan};
pub(crate) use prices::{own_price, price};
pub(crate) use providers::{
    Found, OLLAMA, Source, found_providers, how_to_add, near_vendor, processes_of, providers_of, runners,
    stored,
};
pub(crate) use rules::{key_and_value, nearest, set_rule};
pub(crate) use vendors::lay_over_vendors;
