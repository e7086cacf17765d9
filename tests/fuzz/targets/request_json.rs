//! Bodies of requests, as callers send them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::request_json(data));
