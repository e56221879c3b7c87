//! Connections to an address: accepting them, with or without TLS, their limits, and what is done once a response has been
//! delivered.

pub(crate) mod delivered;
pub(crate) mod open_files;
pub(crate) mod serve;
pub(crate) mod slots;
pub(crate) mod tls;
