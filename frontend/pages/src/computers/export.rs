//! The form that exports the chosen computers to a site list.
//!
//! `draft` decides without a browser what is sent.

pub mod draft;

#[cfg(target_arch = "wasm32")]
mod faults;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
mod lines;
#[cfg(target_arch = "wasm32")]
mod place;

#[cfg(target_arch = "wasm32")]
pub mod page;
