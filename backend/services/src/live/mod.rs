//! Live streams: every change of the subscribed lists, as it happens.
//!
//! `open` validates the request and subscribes, `stream` decides what to send next, `events`
//! encodes it.

mod events;
mod open;
mod stream;

pub use open::open;
pub(super) use open::{source, subscribe_error};
pub use stream::LiveStream;
