//! Meetings over HTTP.
//!
//! One room per door: `rest/` what can be asked for, `live/` what is told as it happens, `access/` who may do
//! what, `ops/` what an operator looks at, `page` what people are shown. Everything that goes wrong leaves as a [`Problem`]. What is absent: no
//! rule of deliberation, no vendor, no SQL.

mod access;
mod app;
mod body;
mod docs;
mod housekeeping;
mod limits;
mod live;
mod ops;
mod options;
mod page;
mod problem;
mod problems;
mod rest;
mod serve;
mod server;
mod tls;
mod tongue;

pub use access::{Access, AccessError, AccessOptions, MATRIX, Need, Peer, Principal, Scope};
pub use app::{App, openapi, router};
pub use limits::{LimitOptions, UPLOAD_MAX};
pub use live::{LiveOptions, Patient};
pub use ops::Metrics;
pub use options::{LogFormat, Options, PORT, log_filter};
pub use problem::Problem;
pub use serve::{serve, serve_with};
pub use server::{LogLevels, Server, ServerError};
pub use tls::{Tls, TlsError};
