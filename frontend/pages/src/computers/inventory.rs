//! How computers of the inventory are read, page by page.

use checklist_shared::wire::computers::ComputerView;

use super::CALLS;
use crate::kit::*;
use crate::route::Filter;

/// What is loaded of the inventory.
pub type Computers = PagedList<ComputerView>;

/// The call for a page of the computers that a search finds.
pub fn address(filter: &Filter, limit: usize, after: Option<&str>) -> String {
    filter.call(CALLS, limit, after)
}
