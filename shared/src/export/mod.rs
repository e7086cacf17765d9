//! The rules of the computer export: which entry of a site list belongs to which computer, and
//! which writes need a person's confirmation.
//!
//! Pure, like everything in this crate. The server's workflow reads the list and the inventory, lets
//! [`link`] match them, and asks [`guard()`] which of its writes have to wait.
//!
//! Start reading at [`link`].

mod columns;
mod guard;
mod inventory;
mod key;
mod link;
mod linkage;
mod list;
mod matching;

pub use columns::{default_map, fits, holds, lacks, not_offered};
pub use guard::{Gate, ListState, MANY_DELETES, PlannedWrite, SHARE_COUNTS_FROM, guard};
pub use inventory::Inventory;
pub use key::{SyncKey, sync_key};
pub use link::link;
pub use linkage::{Ambiguity, Entry, Link, Linkage, Match, Subject};
pub use matching::{is_placeholder, normal_name, normal_serial};
