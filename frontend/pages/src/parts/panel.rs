//! A panel: a card with a title of its own, which names it, and what belongs together in it.

use crate::element::{El, el};

/// A panel; `id` is that of its title.
#[must_use]
pub fn panel(id: &'static str, title: &'static str, body: El) -> El {
    el("section")
        .class("card panel")
        .attr("aria-labelledby", id)
        .el(head(id, title))
        .el(body.class("panel-body"))
}

/// The head of a panel that is more than a body.
#[must_use]
pub fn head(id: &'static str, title: &'static str) -> El {
    el("div")
        .class("panel-head")
        .el(el("h2").class("panel-title").id(id).text(title))
}
