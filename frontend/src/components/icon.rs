//! The few signs of the control, drawn as lines in the colour of the text around them.
//!
//! Never the only carrier of a meaning: each stands beside words or on a button with a name.
//! Used by the other components and by the built-in pages.

use leptos::prelude::*;

/// A tick.
pub const CHECK: &str = "M3.5 8.5l3 3 6-7";
/// An angle that points down.
pub const CHEVRON: &str = "M4 6.5l4 4 4-4";
/// Three dots.
pub const MORE: &str = "M3.5 8h.01M8 8h.01M12.5 8h.01";
/// A pencil.
pub const EDIT: &str =
    "M3.2 12.8l.7-2.9 6.7-6.7a1.3 1.3 0 011.9 0l.3.3a1.3 1.3 0 010 1.9l-6.7 6.7z";
/// A plus.
pub const PLUS: &str = "M8 3.5v9M3.5 8h9";
/// An arrow that turns back.
pub const UNDO: &str = "M5.5 3L2.5 6l3 3M3 6h6.5a3.5 3.5 0 010 7H6";
/// An arrow that turns forward.
pub const REDO: &str = "M11 3l2.5 3-3 3M13 6H6.5a3.5 3.5 0 000 7H11";
/// A dash.
pub const DASH: &str = "M4.5 8h7";
/// A circle.
pub const CIRCLE: &str = "M13 8A5 5 0 113 8a5 5 0 0110 0z";

/// A sign of 16 by 16.
#[component]
pub fn Icon(
    /// Its lines.
    path: &'static str,
) -> impl IntoView {
    view! {
        <svg
            viewBox="0 0 16 16"
            width="16"
            height="16"
            fill="none"
            stroke="currentColor"
            stroke-width="1.8"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
        >
            <path d=path></path>
        </svg>
    }
    .into_any()
}
