//! The views of the control, as Leptos components.
//!
//! [`whole`] is the root that the custom element, a Leptos application and a server render. Each
//! component shows the data of `screen` and the list, and calls the controller for a person's actions;
//! none decides anything about a list. Class names (parts in brackets) are styled in `style/`:
//!
//! ```text
//! compact [compact] .complete                 progress, count, sign
//! card [card] .completed .loading .dense
//!   header [header]: top (title [title], tools: button icon undo .idle, count [count]), track: progress > progress-bar, people [people] > avatar
//!   strip .quiet: strip-text, actions           template changed, not to be changed and why, draft, offline
//!   review [review]: review-title, review-list > change (change-case, change-text), actions
//!   search [search]: input, found, button  from 30 rows on
//!   messages: notice .warn .danger              about the list: deleted, refused, journal, sign-in
//!   groups > group [section]: section-title [section-title] (section-toggle, section-count, actions), list
//!     section-box [section-checkbox]
//!     list [list] > row [row] .selected .done .na .open .pending .late .retired .conflict .editing .info .fresh
//!       drag [handle], box [checkbox] | mark, text [text], about (by [by] (avatar), meta [meta], reason, note [note]), help-toggle, help [help], actions [actions]
//!       meta: required | optional, assignee (avatar), due, changed
//!       just [just]                             what somebody else has just done here
//!       notice .warn .danger | editor (field > label + input, clearable, suggestions [suggestions] > suggestion, actions, hint) | menu .up > menu-item (keys)
//!       history [history]: history-list > history-entry (history-time, history-change), actions
//!     drop-line                             where a row falls that is dragged
//!   selection [selection]: selection-count, actions   what can be done to the rows that are selected
//!   add [add]: add-button | add form: input, button
//!   pasted [pasted]: pasted-title, pasted-list, actions   lines that are asked about
//!   done-items [done-items]                     how many are hidden, button
//!   waive [waive]: waive-button | editor .waiver-form
//!   footer [footer]: gate, button
//!   empty [empty], skeleton, failure
//!   sr                                          heard, not seen: the live region, and what the screen shows in another way
//!   room                                        of a button, in what a server draws; help there is details: help-box
//! ```

pub mod add_row;
pub mod answer;
pub mod around;
pub mod at;
pub mod avatar;
pub mod button;
pub mod card;
pub mod compact;
mod details;
pub mod done_items;
mod drag;
mod edge_scroll;
pub mod editor;
pub mod field;
mod filtered;
pub mod footer;
pub mod form;
pub mod group;
pub mod header;
pub mod history;
pub mod icon;
mod keyboard;
pub mod keyed;
pub mod late;
pub mod late_views;
pub mod list;
mod marks;
pub mod menu;
pub mod messages;
pub mod meta;
pub mod notice;
mod offer;
pub mod pasted;
pub mod people;
mod picking;
pub mod proposal;
pub mod redo;
mod roving;
pub mod row;
mod row_range;
pub mod rows;
pub mod search;
mod section_box;
pub mod selection;
pub mod signal;
mod strip;
mod suggestions;
pub mod support;
pub mod waiver;
pub mod whole;
