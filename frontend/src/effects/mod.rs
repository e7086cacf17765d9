//! Performs the model's effects: requests, storage, events of the host, timers, rendering.
//!
//! `run` passes a message to the model and runs the resulting effects in order; [`Controller`] is what
//! hosts and views call.

mod actions;
mod controller;
mod deferred;
mod focus;
mod http;
mod inputs;
pub(crate) mod late;
mod lazy_rows;
pub(crate) mod listeners;
mod live;
mod page;
mod principal;
mod remote_changes;
mod run;
mod runtime;
mod speech;
mod storage;
mod typed_text;

pub use controller::Controller;
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub(crate) use runtime::DetachedHost;
