//! The views of the control, one for each thing that a person sees.
//!
//! [`element`] is how all of them are built, and what lies beside it puts them on the page. Each
//! shows what `control::screen` and the list hold and calls `control::actions`; none decides
//! anything about a list. Class names (parts in brackets) are styled in `style/`:
//!
//! ```text
//! card [card] .completed .loading
//!   header [header]: top (title [title], tools: people [people] > avatar, count [count], button icon), progress > progress-bar (--done)
//!   strip .quiet: strip-text, actions           template changed, locked, draft, offline
//!   review [review]: review-title, review-list > change (change-case, change-text), actions
//!   messages: notice .warn .danger              about the list: deleted, refused, journal, sign-in
//!   groups > group [section]: section-title [section-title] (.row: text, section-count, actions), list
//!     list [list] > row [row] .done .na .open .pending .late .retired .conflict .editing .info .fresh
//!       box [checkbox] | mark, body (text [text], meta [meta], reason, note [note], help [help]), actions [actions]
//!       meta: status, required, assignee (avatar), due, by (avatar), changed, button help-toggle
//!       just [just]                             what somebody else has just done here
//!       notice .warn .danger | editor (field > label + input, actions, hint) | menu .up > menu-item
//!   add [add]: add-button | add form: input, button
//!   footer [footer]: gate, button
//!   empty [empty], skeleton, failure
//!   sr                                          heard, not seen: the live region
//! ```

#[cfg(feature = "csr")]
pub mod add_row;
#[cfg(feature = "csr")]
pub mod at;
#[cfg(feature = "csr")]
pub mod editor;
pub mod element;
#[cfg(feature = "csr")]
pub mod footer;
#[cfg(feature = "csr")]
pub mod header;
#[cfg(feature = "csr")]
pub mod icon;
#[cfg(feature = "csr")]
pub mod list;
#[cfg(feature = "csr")]
pub mod menu;
#[cfg(feature = "csr")]
pub mod messages;
#[cfg(feature = "csr")]
pub mod meta;
#[cfg(feature = "csr")]
pub mod notice;
#[cfg(feature = "csr")]
pub mod people;
#[cfg(feature = "csr")]
pub mod row;
#[cfg(feature = "csr")]
pub mod strip;
