//! Answers of a site that ask for patience.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::retry_after(data));
