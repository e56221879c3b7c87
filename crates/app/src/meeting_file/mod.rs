//! What people write: the request for a meeting, its rules and prices, and their own configuration.

pub(crate) mod create_meeting;
pub(crate) mod display;
pub(crate) mod entries;
pub(crate) mod given_rules;
pub(crate) mod prices;
pub(crate) mod rules;
pub(crate) mod user_file;
