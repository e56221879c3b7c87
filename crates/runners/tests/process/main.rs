//! Processes against real children: good ones, and ones that do whatever a program can do wrong.
#![cfg(unix)]

mod children;
mod example;
mod faults;
mod lives;
