//! The only place where a list changes.
//!
//! [`apply`] takes one change of one item, checks permission, conflicts and limits, and either
//! changes the list or leaves it as it was. The server calls it inside a transaction and the
//! control before it sends the request, so both always agree.

mod add;
pub mod allowed;
mod checks;
mod decide;
mod definition;
mod delete;
mod details;
mod new_proposal;
mod place_change;
#[cfg(feature = "records")]
mod propose;
#[cfg(feature = "records")]
mod report;
mod request;
#[cfg(feature = "records")]
pub mod restore;
mod status_change;
mod status_rules;
mod text_change;
mod update;

use crate::checklist::Checklist;
use crate::problem::ItemProblemCode;

pub use request::{Applied, Change, ItemPatch, NewItem, Session};
#[cfg(feature = "records")]
pub use request::{NewProposal, NewReport};

/// Applies one change. On an error the list is as it was.
///
/// The caller checks the lock and counts the revision up: both concern the operation as a whole.
/// Items changed here carry `list.revision + 1`, the revision that the operation will make.
///
/// # Errors
/// Why this item was not changed.
pub fn apply(
    list: &mut Checklist,
    change: &Change,
    session: &Session<'_>,
) -> Result<Applied, ItemProblemCode> {
    match change {
        Change::Add(new) => add::apply(list, new, session),
        Change::Update(patch) => update::apply(list, patch, session),
        #[cfg(feature = "records")]
        Change::Propose(new) => propose::apply(list, new, session),
        #[cfg(feature = "records")]
        Change::Report(new) => report::apply(list, new, session),
        Change::Delete(id) => delete::apply(list, *id, session),
    }
}
