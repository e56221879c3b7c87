//! Meetings over HTTP.
//!
//! One room per admission: `rest/` what can be asked for, `live/` what is told as it happens, `access/` who may do
//! what, `ops/` what an operator looks at, `page` what people are shown. Everything that goes wrong leaves as a [`Problem`]. What is absent: no
//! rule of deliberation, no vendor, no SQL.

mod access;
mod bodies;
mod body;
mod compute;
mod connections;
mod content_language;
mod docs;
mod exports;
mod housekeeping;
mod limits;
mod live;
mod open_files;
mod ops;
mod options;
mod page;
mod problem;
mod problems;
mod queue;
mod rest;
mod resume_policy;
mod serve;
mod server;
mod state;
mod tls;

pub use access::{
    Access, AccessError, AccessOptions, AccessSecrets, LocalToken, MATRIX, Need, Peer, Principal, Scope,
    TOKEN_VARIABLE,
};
pub use exports::{ExportOptions, PdfRenderer};
pub use limits::{LimitOptions, LimitOutOfBounds, UPLOAD_MAX};
pub use live::{LiveOptions, WriteTimeout};
pub use ops::Metrics;
pub use options::{LogFormat, Options, PORT, log_filter};
pub use problem::Problem;
pub use serve::{ServeOptions, serve, serve_with};
pub use server::{LogLevels, Server, ServerError};
pub use state::{ServerState, openapi, router};
pub use tls::{Tls, TlsError};
