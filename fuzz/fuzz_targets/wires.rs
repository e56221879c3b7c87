#![no_main]
//! Answers of vendors in each wire format. The first byte chooses the format, and whether the answer is whole or a
//! stream; the second how long its pieces are.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::wires(data));
