//! How computers of the inventory are read, page by page.

use checklist_shared::wire::computers::ComputerView;

use super::CALLS;
use crate::kit::*;
use crate::route::Filter;

/// What is loaded of the inventory.
pub type Computers = PagedList<ComputerView>;

/// The call for a page of the computers that a search finds.
pub fn address(filter: &Filter, limit: usize, after: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("Limit", &limit.to_string());
    for (name, value) in filter.fields() {
        if !value.trim().is_empty() {
            query.append_pair(name, value.trim());
        }
    }
    if let Some(after) = after {
        query.append_pair("After", after);
    }
    [CALLS, "?", &query.finish()].concat()
}
