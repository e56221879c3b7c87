//! The service over real sockets, with a real database and simulated participants.

mod access;
mod access_lines;
mod access_matrix;
mod access_rig;
mod live;
mod meetings;
mod openapi;
mod rig;
