//! Providers: which are configured, their keys, which models they offer, and whether they answer.

pub(crate) mod available;
pub(crate) mod chat_models;
pub(crate) mod choose;
pub(crate) mod credential;
pub(crate) mod discover;
pub(crate) mod sources;
pub(crate) mod stored;
pub(crate) mod trial;
pub(crate) mod vendors;
pub(crate) mod view;
