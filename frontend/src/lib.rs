//! The checklist as Leptos components: the control and the preview.
//!
//! Feature `csr` is the control in a browser, `ssr` renders previews to finished HTML on the
//! server. The custom elements in `element/` wrap what is here; Leptos applications use
//! [`ChecklistControl`](fn@control::ChecklistControl) and
//! [`ChecklistPreview`](fn@preview::ChecklistPreview) directly, each inside a
//! [`ChecklistShadow`](fn@ChecklistShadow), which gives them the control's styles and keeps those
//! of the page out. `tests/frameworks/leptos` is such an application.
//!
//! Start reading at [`control`]; a click goes from `components::row` as a message to
//! `model`, and from there as effects to `api` and back to the screen.

#![deny(missing_docs)]

pub mod api;
pub mod browser;
pub mod components;
pub mod control;
pub mod drawing;
mod effects;
pub mod i18n;
mod item_text;
mod keyboard;
pub mod markdown;
#[cfg(feature = "ssr")]
mod markup;
pub mod model;
mod pointing;
pub mod preview;
mod reader;
mod shadow;
mod styles;
#[cfg(feature = "ssr")]
pub mod stylesheet;

pub use shadow::ChecklistShadow;
pub use styles::STYLES;
