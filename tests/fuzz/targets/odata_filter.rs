//! Texts that rows of a site list are looked for by.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::odata_filter(data));
