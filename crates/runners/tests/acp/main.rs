//! Coding agents over the Agent Client Protocol: good ones, and ones with every fault that a program can have.
#![cfg(unix)]

mod agents;
mod faults;
mod permissions;
mod sdk;
mod sessions;
