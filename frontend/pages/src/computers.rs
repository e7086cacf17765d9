//! The pages about computers: which there are, which of them are chosen, how they get in, and their
//! export to a site list.
//!
//! What decides without a browser is in `selection`, `file` and `export::draft`.

pub mod export;
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
pub mod page;
#[cfg(target_arch = "wasm32")]
pub mod told;

/// The calls about computers, below the base URL.
#[cfg(target_arch = "wasm32")]
const CALLS: &str = "/api/Vendor/Computers";
