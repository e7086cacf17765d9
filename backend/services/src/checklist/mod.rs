//! The six calls of the checklist, and `Undo`, `Lock`, `Waive`, `StartAgain`, `Runs`, `BeginLists`,
//! `SendSignals` and `ApplyTemplate`.
//!
//! `read` answers `GetItems`. Every other call has a file of its own that computes the change and
//! passes it to `write`, the only code that writes lists.

mod add;
mod answer;
mod apply;
mod begin;
mod delete;
mod isolate;
mod lock;
mod pins;
mod propose;
mod read;
mod refresh;
mod restore;
mod runs;
mod signals;
mod start_again;
mod undo;
mod update;
mod waive;
mod write;

pub use add::add_items;
pub(super) use answer::{ListReadRequest, list_of, whole};
pub(super) use apply::{Applied, apply_template, preview_template};
pub use begin::begin_lists;
pub use delete::delete_items;
pub use isolate::isolate;
pub use lock::lock;
pub(super) use pins::{brought_facts, list_request};
pub use propose::propose_items;
pub use read::{GetItemsAnswer, get_items};
pub(super) use refresh::refresh_automatically;
pub use refresh::refresh_items;
pub use restore::restore_items;
pub use runs::runs;
pub use signals::send_signals;
pub use start_again::start_again;
pub use undo::undo;
pub use update::update_items;
pub use waive::waive;
