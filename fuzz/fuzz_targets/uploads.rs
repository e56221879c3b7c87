#![no_main]
//! Files that people attach: the first byte chooses the name, the rest is the content.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::uploads(data));
