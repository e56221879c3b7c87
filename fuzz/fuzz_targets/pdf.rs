#![no_main]
//! Markdown of participants as pages of a PDF.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::pdf(data));
