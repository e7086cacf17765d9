//! The thin WASM library behind the custom elements.
//!
//! The modules in `script/` hold the two element classes and call what is exported here: it
//! mounts a view into a shadow root and drives it through the handle that it gets back. Each
//! element passes a port, a plain object through which its view asks and tells (`port`).
#![cfg(target_arch = "wasm32")]

mod control;
mod place;
mod port;
mod preview;
mod shapes;
mod words;
