//! Estimates, reserves, cost and what is done about a call that failed.

pub(crate) mod budget;
pub(crate) mod failure_policy;
pub(crate) mod windows;
