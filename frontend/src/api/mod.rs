//! The web services, as the control talks to them.
//!
//! [`client`] makes a [`requests::Request`] and gives its typed answer, or an [`Error`](crate::model::error::Error);
//! [`batch`] joins the first reads of several controls into one; [`saved`] is what survives a reload.
//! Everything that is sent, read or kept is a type of `shared` (or of `model`) by way of serde. The
//! browser writes and parses the JSON itself ([`js`]): its parser is there already.

pub mod batch;
pub mod client;
pub mod js;
pub mod requests;
pub mod saved;
#[cfg(test)]
mod tests;
pub mod tick;
