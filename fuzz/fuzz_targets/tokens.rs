#![no_main]
//! Strings that stand for somebody: each line of the input is a header of a request, the first one its path.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::tokens(data));
