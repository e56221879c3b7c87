#![no_main]
//! Meeting files: TOML as a person writes it, JSON as a request has it.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::meeting_files(data));
