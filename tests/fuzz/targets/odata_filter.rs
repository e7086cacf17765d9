//! Texts that rows of a site list are looked for by.
//!
//! Run by `cargo xtask fuzz`; what is held stands in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::odata_filter(data));
