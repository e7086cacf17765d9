//! Answers of a site that ask for patience.
//!
//! Run by `cargo xtask fuzz`; what is held stands in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::retry_after(data));
