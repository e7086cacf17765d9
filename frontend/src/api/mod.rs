//! The web services, as the control talks to them.
//!
//! [`client`] sends and receives, [`write`](mod@write) makes request bodies, [`read`] takes answers apart
//! by [`fields`], [`saved`] what survived a reload,
//! [`batch`] joins the first reads of several controls into one. No JSON library is linked: the
//! browser has one, and ours would be a quarter of the download. Called by `control`.

pub mod batch;
pub mod client;
pub mod error;
pub mod fields;
pub mod iso;
mod json;
pub mod read;
pub mod saved;
pub mod write;
