//! The rules, tried with stories, properties and bounds: one program, which is linked once.
//!
//! Native only: the generator of stories needs threads and files. The vectors beside this folder run in
//! WASM as well.
#![cfg(not(target_arch = "wasm32"))]

mod allowed;
mod audit;
mod bounds;
// It judges unknown time zones, too.
#[cfg(feature = "time-zones")]
mod calendar;
mod conditions;
mod desk;
mod due;
mod export;
mod fuzz_seeds;
mod order;
mod problems;
mod properties;
mod records;
mod refresh;
mod requests;
mod restore;
mod runs;
mod template_import;
mod templates;
mod undo;
