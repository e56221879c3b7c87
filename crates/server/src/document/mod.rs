//! Completes the OpenAPI document: what holds for every operation and every schema is written here once.

mod asyncapi;
mod conditions;
mod operations;
mod references;
mod requests;
mod schemas;
mod unions;

pub use asyncapi::asyncapi;

/// Completes a document that was generated from the code.
pub(crate) fn complete(document: &mut serde_json::Value) {
    operations::complete(document);
    schemas::complete(document);
    unions::complete(document);
    conditions::complete(document);
}
