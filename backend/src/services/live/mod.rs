//! Following lists: every change of theirs, as it happens.
//!
//! `open` checks what is asked for and subscribes, `stream` says what comes next, `events` writes
//! it down.

mod events;
mod open;
mod stream;

pub use open::open;
pub(super) use open::{refused, source};
pub use stream::LiveStream;
