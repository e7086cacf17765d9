//! The head of a table.

use crate::element::{El, el};

/// The row with the names of the columns.
#[must_use]
pub fn heads(names: &[&'static str]) -> El {
    let names = names.iter().copied();
    el("thead").el(el("tr").els(names.map(|name| el("th").attr("scope", "col").text(name))))
}
