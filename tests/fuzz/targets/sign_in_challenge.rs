//! Challenges of a site to sign in with.
//!
//! Run by `cargo xtask fuzz`; what is held stands in the library.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::sign_in_challenge(data));
