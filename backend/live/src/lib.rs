//! Subscriptions to lists, and the distribution of commits to them.
//!
//! There is one [`hub`] per process. It reads the store's feed while there are subscriptions, and
//! puts a note into the [`mailbox`] of every stream that a commit concerns. [`rendered`] shares
//! serialized events between streams, [`presence`] knows who has which list open. `services::live`
//! decides what a stream sends; nothing here reads a list.

pub mod hub;
pub mod mailbox;
pub mod presence;
pub mod rendered;

pub use hub::{FeedSource, Hub, STREAMS, SubscribeError, Subscription, SubscriptionRequest};
