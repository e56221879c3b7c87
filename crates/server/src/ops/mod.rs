//! Operation: health, metrics, the request log and the log filter.

mod health;
pub(crate) mod log_levels;
mod machine;
mod metrics;
mod requests;

pub(crate) use health::routes as health_routes;
pub(crate) use metrics::Connected;
pub use metrics::Metrics;
pub(crate) use requests::{count, method_label, request_ids, without_secrets};
