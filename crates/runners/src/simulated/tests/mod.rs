//! Tests of the simulation: complete meetings, every kind of answer, odd input.

mod answers;
mod formats;
mod meetings;
mod odd;
mod play;
mod run;
mod scripts;
mod table;
mod talk;
mod topics;
mod words;
