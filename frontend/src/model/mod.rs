//! The state of a control and its logic, without a browser: messages in, effects out.
//!
//! [`update()`] takes a [`Msg`](message::Msg) and returns the resulting [`Effect`](effect::Effect)s.
//! Nothing here has a clock, randomness or a page; all of it is tested natively. The modules beside
//! `update` are data and know nothing of it: [`state`] holds the model; [`list`] the list, with changes
//! applied optimistically ([`optimistic`]); [`queue`] the [`operation`]s in order until the server has
//! answered; [`policy`] decides what an answer means for sending, [`notice`] what it means for the
//! reader.

pub mod announcer;
pub mod answer;
pub mod arrange;
pub mod bulk;
pub mod details;
pub mod draft;
pub mod dragging;
pub mod effect;
pub mod error;
mod flush;
pub mod history;
pub mod item_fields;
pub mod list;
pub mod message;
pub mod mode;
pub mod moves;
pub mod notice;
pub mod operation;
pub mod optimistic;
pub mod pasting;
pub mod policy;
pub mod queue;
mod reading;
pub mod rows;
pub mod search;
pub mod seen;
pub mod selecting;
pub mod sentences;
pub mod served;
pub mod state;
pub mod suggestions;
pub mod support;
pub mod sync;
pub mod undo;
pub mod unsent;
pub mod update;
pub mod view_data;
pub mod visibility;

#[cfg(test)]
mod tests;

pub use state::Model;
pub use update::update;
