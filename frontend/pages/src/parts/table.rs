//! A table on a card: a head for each column, a row for each thing. On narrow screens rows stand
//! as blocks, and each cell says its column by `data-label`.

use crate::element::{El, el};

/// A table with these heads and rows.
#[must_use]
pub fn card_table(names: &[&'static str], rows: impl IntoIterator<Item = El>) -> El {
    el("div").class("card table-card").el(el("table")
        .class("table stacking")
        .el(heads(names))
        .el(el("tbody").els(rows)))
}

/// The row with the names of the columns.
#[must_use]
pub fn heads(names: &[&'static str]) -> El {
    let names = names.iter().copied();
    el("thead").el(el("tr").els(names.map(|name| el("th").attr("scope", "col").text(name))))
}
