//! Ids and times that come from the outside.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::fragment_id(data));
