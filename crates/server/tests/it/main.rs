//! The service over real sockets, with a real database and simulated participants.

mod meetings;
mod openapi;
mod rig;
