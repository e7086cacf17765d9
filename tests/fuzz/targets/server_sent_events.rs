//! Streams of events that arrive in pieces.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checklist_fuzz::server_sent_events(data));
