//! The rules of a checklist and its wire types.
//!
//! Everything here is pure: no I/O, no clock, no randomness. The same code decides in the
//! browser and on the server, so the two cannot disagree about what a tick means. The
//! server calls it inside its transactions, the control for optimistic updates.
//!
//! Start reading at [`change`] (the only place where a list changes), [`progress`] (whether a
//! list is completed) and [`refresh`] (what a new template version does to a list).

mod actor;
pub mod administration;
pub mod answer;
pub mod apply_template;
pub mod assignee;
#[cfg(feature = "records")]
pub mod audit_trail;
pub mod calendar;
pub mod change;
pub mod checklist;
pub mod computer;
pub mod condition;
pub mod context;
pub mod date;
pub mod definition;
pub mod due;
pub mod due_dates;
pub mod due_notice;
pub mod event;
pub mod export;
pub mod facts;
pub mod id;
pub mod item;
pub mod language_tag;
pub mod limits;
mod names;
pub mod order;
pub mod patch;
pub mod permission;
pub mod phrase;
pub mod problem;
pub mod progress;
pub mod projection;
pub mod proposal;
pub mod refresh;
mod rfc3339;
pub mod run;
pub mod signal;
pub mod sort_key;
#[cfg(feature = "imports")]
pub mod table;
pub mod template;
#[cfg(feature = "imports")]
pub mod template_import;
pub mod text;
pub mod time;
pub mod undo;
pub mod waiver;
pub mod wire;

pub use checklist::Checklist;
pub use context::Context;
pub use due::Due;
pub use facts::Facts;
pub use id::ItemId;
pub use item::Item;
pub use template::Template;
pub use time::Timestamp;
