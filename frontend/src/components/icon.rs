//! The icons of the control, drawn as lines in the text colour.
//!
//! Never the only carrier of a meaning: each is next to a text or on a button with a label.

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
/// A cross.
pub const CROSS: &str = "M4.5 4.5l7 7M11.5 4.5l-7 7";
/// Lines of a text.
pub const LINES: &str = "M3 4.5h10M3 8h10M3 11.5h6";
/// A circle with a stroke through it.
pub const BARRED: &str = "M13 8A5 5 0 113 8a5 5 0 0110 0zM4.5 11.5l7-7";
/// An arrow that points up.
pub const UP: &str = "M8 12.5v-9M4.5 7L8 3.5 11.5 7";
/// An arrow that points down.
pub const DOWN: &str = "M8 3.5v9M4.5 9L8 12.5 11.5 9";
/// Two arrows, up and down.
pub const UP_AND_DOWN: &str = "M5 3.5v9M2.5 10L5 12.5 7.5 10M11 12.5v-9M8.5 6L11 3.5 13.5 6";
/// A clock.
pub const CLOCK: &str = "M13 8A5 5 0 113 8a5 5 0 0110 0zM8 5.2V8l2 1.2";
/// A bin.
pub const BIN: &str = "M3.5 4.5h9M6.5 4.5v-1h3v1M5 4.5l.5 8h5l.5-8";
/// A box with a tick in it.
pub const BOX: &str = "M3.5 3.5h9v9h-9zM5.8 8.2l1.6 1.6 2.9-3.4";
/// A dash.
pub const DASH: &str = "M4.5 8h7";
/// A circle.
pub const CIRCLE: &str = "M13 8A5 5 0 113 8a5 5 0 0110 0z";

/// A sign of 16 by 16.
#[component]
pub fn Icon(
    /// The path data of the icon.
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
