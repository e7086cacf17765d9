//! The form that exports the selected computers to a site list.
//!
//! `draft` decides without a browser what is sent.

pub mod draft;

#[cfg(target_arch = "wasm32")]
mod mapping;
#[cfg(target_arch = "wasm32")]
mod target;

#[cfg(target_arch = "wasm32")]
pub mod page;
#[cfg(target_arch = "wasm32")]
mod state;
