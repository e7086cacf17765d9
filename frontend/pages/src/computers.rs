//! The pages about computers: which there are, which of them are chosen, and how they get in.
//!
//! What decides without a browser is in `selection` and `file`. Called by `frame`.

pub mod file;
pub mod selection;

#[cfg(target_arch = "wasm32")]
mod import;
#[cfg(target_arch = "wasm32")]
mod preview;
#[cfg(target_arch = "wasm32")]
mod rows;
#[cfg(target_arch = "wasm32")]
mod search;
#[cfg(target_arch = "wasm32")]
mod told;

#[cfg(target_arch = "wasm32")]
pub mod page;

/// The calls about computers, below the base URL.
#[cfg(target_arch = "wasm32")]
const CALLS: &str = "/api/Vendor/Computers";
