//! Every call of a use case: who calls, what is allowed, how often, whether it was done already, and the line in
//! the audit log. [`perform`] holds the order.

pub(crate) mod audit;
pub(crate) mod caller;
pub(crate) mod callers_seat;
pub(crate) mod command_line;
pub(crate) mod denial;
pub(crate) mod idempotency;
pub(crate) mod invocation;
pub(crate) mod network;
pub(crate) mod perform;
pub(crate) mod principal;
pub(crate) mod rate_limits;
pub(crate) mod resume_permission;
pub(crate) mod use_case;
