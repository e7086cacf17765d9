//! The page at the root: lists and items for people to look at, and the switches for faults.
//!
//! Called by `core` for everything that is neither protocol.

use crate::core::Core;
use crate::request::{Answer, Incoming};
use crate::store::Site;

/// Answers for a page.
#[must_use]
pub fn answer(_core: &Core, site: &Site, _user: u32, incoming: &Incoming) -> Answer {
    if incoming.path == "/" {
        return Answer::text(
            200,
            "text/html; charset=utf-8",
            format!("<h1>{}</h1>", site.title),
        );
    }
    Answer::text(
        404,
        "text/html; charset=utf-8",
        "<h1>Not found</h1>".to_owned(),
    )
}
