//! From a request to a meeting: its participants, their models and runners, and what it is expected to cost.

pub(crate) mod agents;
pub(crate) mod cost_simulation;
pub(crate) mod estimate;
mod first_call;
pub(crate) mod models;
pub(crate) mod plan;
pub(crate) mod seats;
mod web_search;
