//! Bodies of requests, as callers send them.
//!
//! Run by `cargo xtask fuzz`; what is held stands in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::request_json(data));
