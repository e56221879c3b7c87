//! Limits on what one client can take: requests and uploads per time, bytes of bodies, open streams, and places in the queues
//! for long computations. Connections are limited where they are accepted (`connections/`).

pub(crate) mod bodies;
pub(crate) mod compute;
pub(crate) mod queue;
pub(crate) mod rates;
