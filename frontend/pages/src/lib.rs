//! The built-in pages as one application: the overview, checklists, templates, types, people, keys,
//! webhooks, service connections, computers, runs, journal and audit trail.
//!
//! `index.html` loads `start.js`, which loads this. What needs no browser (`route`, `draft`,
//! `duration`, `host`, `compare`, `phrase`, `connections::draft`) compiles natively too and is tested there;
//! what draws is WASM alone. Start reading at `frame`; `kit` has what pages are made of.

pub mod compare;
pub mod computers;
pub mod connections;
pub mod draft;
pub mod duration;
pub mod host;
pub mod phrase;
pub mod route;
pub mod runs;

#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod apply;
#[cfg(target_arch = "wasm32")]
mod dom;
#[cfg(target_arch = "wasm32")]
mod frame;
#[cfg(target_arch = "wasm32")]
mod keys;
#[cfg(target_arch = "wasm32")]
mod kit;
#[cfg(target_arch = "wasm32")]
mod lists;
#[cfg(target_arch = "wasm32")]
mod logs;
#[cfg(target_arch = "wasm32")]
mod navigation;
#[cfg(target_arch = "wasm32")]
mod open_items;
#[cfg(target_arch = "wasm32")]
mod overview;
#[cfg(target_arch = "wasm32")]
mod passkeys;
#[cfg(target_arch = "wasm32")]
mod platform_types;
#[cfg(target_arch = "wasm32")]
mod sections;
#[cfg(target_arch = "wasm32")]
mod session;
#[cfg(target_arch = "wasm32")]
mod sign_in_link;
#[cfg(target_arch = "wasm32")]
mod start;
#[cfg(target_arch = "wasm32")]
mod templates;
#[cfg(target_arch = "wasm32")]
mod webauthn;
#[cfg(target_arch = "wasm32")]
mod webhooks;
#[cfg(target_arch = "wasm32")]
mod wording;
