//! The pages about service connections: the list, and one connection with its form, its test, and
//! what a person grants it. `draft` needs no browser.

pub mod draft;

#[cfg(target_arch = "wasm32")]
mod certificate;
#[cfg(target_arch = "wasm32")]
mod connection_test;
#[cfg(target_arch = "wasm32")]
mod consent;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
pub mod format;
#[cfg(target_arch = "wasm32")]
mod oauth;

#[cfg(target_arch = "wasm32")]
pub mod list;
#[cfg(target_arch = "wasm32")]
pub mod page;
#[cfg(target_arch = "wasm32")]
mod state;

/// The calls about connections, below the base URL.
#[cfg(target_arch = "wasm32")]
pub const CALLS: &str = "/api/Vendor/SiteActivities/ServiceConnections";

/// The call about one connection, or about what is done with it.
#[cfg(target_arch = "wasm32")]
pub fn call(id: &str, act: &str) -> String {
    [CALLS, "/", &crate::route::encoded(id), act].concat()
}
