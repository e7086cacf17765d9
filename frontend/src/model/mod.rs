//! What the control knows about a list, without a browser: everything here is tested natively.
//!
//! [`list`] holds the list and applies changes before anybody was asked ([`optimistic`]),
//! [`queue`] keeps the [`operation`]s in order until the server has answered, [`policy`] says
//! what an answer means for sending, [`notice`] what it means for the reader. `control` drives
//! all this and draws from it.

pub mod draft;
pub mod list;
pub mod moves;
pub mod notice;
pub mod operation;
pub mod optimistic;
pub mod pacer;
pub mod policy;
pub mod queue;
pub mod served;
pub mod undo;
pub mod view_data;

#[cfg(test)]
mod tests;
