//! Meetings over HTTP.
//!
//! One room per door: `rest/` what can be asked for, `live/` what is told as it happens, `access/` who may do
//! what. Everything that goes wrong leaves as a [`Problem`]. What is absent: no rule of deliberation, no vendor,
//! no SQL.

mod access;
mod app;
mod body;
mod docs;
mod ops;
mod problem;
mod rest;
mod serve;

pub use access::{MATRIX, Need, Principal, Scope};
pub use ops::Metrics;
pub use app::{App, openapi, router};
pub use problem::Problem;
pub use serve::serve;
