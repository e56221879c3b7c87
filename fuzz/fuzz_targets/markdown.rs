#![no_main]
//! Markdown of participants, as the page of an export, as a report and as a transcript.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::markdown(data));
