//! Ids and times that come from the outside.
//!
//! Run by `cargo xtask fuzz`; what is held stands in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::fragment_id(data));
