//! The rules at work: order, targets, tally, convergence, mentions, the roster.

pub mod agreement;
pub(crate) mod availability;
pub(crate) mod citations;
pub(crate) mod convergence;
pub(crate) mod evidence;
pub(crate) mod failed_task;
pub(crate) mod mention;
pub(crate) mod novelty;
pub mod order;
pub(crate) mod pending;
pub(crate) mod phases;
pub(crate) mod queue;
pub(crate) mod resumption;
pub(crate) mod roster;
pub(crate) mod rules_change;
pub(crate) mod silence;
pub(crate) mod skip_list;
pub(crate) mod strides;
pub(crate) mod tally;
pub(crate) mod targets;
mod tools;
pub(crate) mod wording;
