//! Challenges of a site to sign in with.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::sign_in_challenge(data));
