//! The HTTP server.
//!
//! `rest/` holds the routes, `live/` the event streams, `access/` sign-in and permissions, `ops/` health and
//! metrics, and `page` the web page. Every error leaves as a [`Problem`]. There is no rule of deliberation,
//! no vendor and no SQL in this crate.

mod access;
mod body;
mod body_limits;
mod compute;
mod connections;
mod content_language;
mod delivered;
mod denied;
mod docs;
mod document;
mod exports;
mod live;
mod log_levels;
mod media_type;
mod nodes;
mod open_files;
mod ops;
mod options;
mod page;
mod problem;
mod problem_types;
mod queue;
mod rate_limits;
mod rest;
mod router;
mod serve;
mod server;
mod settings;
mod state;
mod tls;
mod whole_numbers;

pub use access::{
    Access, AccessError, AccessOptions, AccessSecrets, LocalToken, Peer, Principal, ROUTES, Scope,
    TOKEN_VARIABLE, is_a2a,
};
pub use delivered::{OnDelivered, watched};
pub use document::asyncapi;
pub use exports::ExportOptions;
pub use live::{LiveOptions, WriteTimeout};
pub use log_levels::LogLevels;
pub use ops::Metrics;
pub use options::{LogFormat, Options, PORT, log_filter};
pub use problem::Problem;
pub use rate_limits::{LimitOptions, LimitOutOfBounds, UPLOAD_MAX};
pub use router::{McpEndpoint, Protocols, openapi, router, router_with, router_with_mcp};
pub use serve::{ServeOptions, serve, serve_with};
pub use server::{Server, ServerError};
pub use state::ServerState;
pub use tls::{Tls, TlsError};
