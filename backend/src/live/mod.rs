//! Who follows which lists, and how they hear of commits.
//!
//! [`hub`] is one for each process: it listens to the store's feed while anybody follows
//! anything, and puts a note into the [`mailbox`] of everybody whom a commit concerns.
//! [`rendered`] keeps what was written down for one reader for the others, and [`presence`] who
//! is on which list. What a stream says is decided by `services::live`; nothing in here reads a
//! list.

pub mod hub;
pub mod mailbox;
pub mod presence;
pub mod rendered;

pub use hub::{FeedSource, Hub, STREAMS, SubscribeError, Subscription, SubscriptionRequest};
