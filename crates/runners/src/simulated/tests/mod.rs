//! Tests of the simulation as a whole: whole meetings, every kind of answer, odd input.

mod answers;
mod meetings;
mod odd;
mod run;
mod table;
mod words;
