//! The service over real sockets, with a real database and simulated participants.

mod access;
mod access_lines;
mod access_matrix;
mod access_rig;
mod attacks;
mod departures;
mod edits;
mod fuzz;
mod finding;
mod frames;
mod hidden;
mod library;
mod live;
mod lives;
mod meetings;
mod messages;
mod once;
mod openapi;
mod records;
mod rig;
mod room;
mod settings;
mod strides;
mod table;
mod tongue;
mod wire;
