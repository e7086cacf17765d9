//! The pages about computers: the inventory with its search and selection, the import, and the
//! export to a site list.
//!
//! What decides without a browser is in `selection`, `file` and `export::draft`.

pub mod export;
pub mod file;
pub mod selection;

#[cfg(target_arch = "wasm32")]
mod import;
#[cfg(target_arch = "wasm32")]
mod inventory;
#[cfg(target_arch = "wasm32")]
mod preview;
#[cfg(target_arch = "wasm32")]
mod search;
#[cfg(target_arch = "wasm32")]
mod selection_bar;

#[cfg(target_arch = "wasm32")]
pub mod labels;
#[cfg(target_arch = "wasm32")]
pub mod page;

/// The calls about computers, below the base URL.
#[cfg(target_arch = "wasm32")]
const CALLS: &str = "/api/Vendor/Computers";
