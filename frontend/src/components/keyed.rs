//! Views that come, go and change places: what stays is moved, not drawn anew.
//!
//! Leptos' `For`, for one type of key and of view: each type of its own would be compiled anew.

use leptos::prelude::*;

use super::list::Stretch;
use crate::screen::Key;

/// Views by their keys.
#[component]
pub fn Keyed(
    /// The stretch of the list that they make up.
    of: Stretch,
    /// Their keys in order; drawn again when what this follows changes.
    keys: fn(Stretch) -> Vec<Key>,
    /// Draws one.
    draw: fn(Stretch, Key) -> AnyView,
) -> impl IntoView {
    view! {
        <For each=move || keys(of) key=|key: &Key| *key children=move |key: Key| draw(of, key) />
    }
    .into_any()
}
