#![no_main]
//! Folders of other programs: the first line of the input names a file, the rest is its content; a line of `----` begins another.

libfuzzer_sys::fuzz_target!(|data: &[u8]| quorate_fuzzing::imports(data));
