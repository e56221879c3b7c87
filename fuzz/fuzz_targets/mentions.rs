#![no_main]
//! What participants and people say: mentions, numbers of claims that are answered, markers of skips, notes and positions.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::mentions(data));
