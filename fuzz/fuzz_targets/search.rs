#![no_main]
//! The syntax of searches, and cursors: the first line is what is searched for, the second a cursor.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::search(data));
