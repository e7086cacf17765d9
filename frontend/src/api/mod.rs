//! The client of the web services.
//!
//! [`client`] sends a [`requests::Request`] and returns its typed answer, or an [`Error`](crate::model::error::Error);
//! [`transport`] is the exchange itself, which the built-in pages use too;
//! [`batch`] joins the first reads of several controls; [`saved`] is the format of unsent operations.
//! Everything that is sent, read or stored is a type of `shared` (or of `model`), by serde. The
//! browser writes and parses the JSON itself ([`js`]), because its parser needs no download.

pub mod batch;
pub mod client;
pub mod find;
pub mod js;
pub mod requests;
pub mod saved;
#[cfg(test)]
mod tests;
pub mod tick;
pub mod transport;
