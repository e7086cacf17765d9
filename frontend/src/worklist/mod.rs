//! Open items across lists, each ticked where it stands: `<checklist-worklist>`, and a component for
//! Leptos applications.
//!
//! `settings` is what it is asked for, `row` what may be done with an item and what became of it, `form` asks
//! for more than a tick, `controller` loads and ticks, `view` draws the frame and `row_view` the rows. The
//! server decides; the worklist keeps nothing.

mod application;
#[cfg(feature = "csr")]
pub mod controller;
#[cfg(feature = "csr")]
mod focus;
#[cfg(feature = "csr")]
mod form;
pub mod row;
#[cfg(feature = "csr")]
mod row_view;
pub mod settings;
mod styles;
#[cfg(feature = "csr")]
mod view;
pub mod wording;

pub use application::{Worklist, WorklistProps};
pub use settings::{OpenDetail, TickDetail, WorklistHost, WorklistSettings};
pub use styles::STYLES;
