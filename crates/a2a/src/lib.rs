//! The Agent2Agent protocol (A2A): each format of a meeting is an agent that other agents can ask.
//!
//! A task is a meeting, and every operation is one or a few requests to the HTTP API ([`Api`]), so that permissions, limits,
//! idempotency and the audit log are those of every other caller. Nothing but the streams that are open lives here: a client may
//! come back after a restart of the server, and goes on.
//!
//! Versions 1.0 and 0.3 are spoken over JSON-RPC, and 1.0 also as HTTP+JSON. Inside, everything is written as version 1.0 has it
//! (`task`, `events`); `dialect` rewrites it for the other.

mod answers;
mod api;
mod card;
mod dialect;
mod endpoint;
mod error;
mod events;
mod language;
mod limits;
mod message;
mod operations;
mod result;
mod task;

pub use api::{Api, ApiCall, ApiResponse};
pub use dialect::method_names;
pub use endpoint::{A2aEndpoint, PublicAddress};
