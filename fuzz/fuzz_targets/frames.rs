#![no_main]
//! What comes over a WebSocket. The first byte says whether the input is the bytes of the connection as they are, or
//! messages, one line each.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::frames(data));
