#![no_main]
//! Answers that have to be an object: votes, summaries, facilitation, conclusions, marks, teams, minutes, artifacts.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::json_repair(data));
