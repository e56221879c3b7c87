#![no_main]
//! Lines of logs, of this version of the contract and of older ones: read, folded, shown, and written again.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::events(data));
