//! The checklist as Leptos components: the control and the preview.
//!
//! Feature `csr` is the control in a browser, `ssr` renders previews to finished HTML on the
//! server. The custom elements in `element/` wrap what is here; Leptos applications use
//! [`control::ChecklistControl`] and the preview's component directly.
//!
//! Start reading at [`control`]; a click goes from `components::row` to `control::actions`, to
//! `state` and to `api`.

#[cfg(feature = "csr")]
mod announce;
pub mod api;
#[cfg(feature = "csr")]
pub mod browser;
pub mod components;
pub mod control;
pub mod i18n;
#[cfg(feature = "csr")]
mod keyboard;
pub mod markdown;
pub mod preview;
pub mod state;
