//! A keyed list of views: rows that remain are moved, not rendered again.
//!
//! Leptos' `For` for one type of key and view: each further type would be compiled again.

use leptos::prelude::*;

use super::row_range::RowRange;
use crate::screen::GroupKey;

/// Views by their keys.
#[component]
pub fn Keyed(
    /// The stretch of the list that they make up.
    of: RowRange,
    /// Their keys in order; drawn again when what this follows changes.
    keys: fn(RowRange) -> Vec<GroupKey>,
    /// Renders the view of a key.
    draw: fn(RowRange, GroupKey) -> AnyView,
) -> impl IntoView {
    view! {
        <For each=move || keys(of) key=|key: &GroupKey| *key children=move |key: GroupKey| draw(of, key) />
    }
    .into_any()
}
