//! Processes with real children: good ones, and ones with every fault that a program can have.
#![cfg(unix)]

mod children;
mod example;
mod faults;
mod lifecycle;
