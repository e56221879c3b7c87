//! Live streams.

mod finished;
mod many_listeners;
mod running_server;
mod slow;
mod socket;
mod stream;
