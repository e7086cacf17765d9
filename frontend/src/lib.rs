//! The checklist as Leptos components: the control and the preview.
//!
//! Feature `csr` is the control in a browser, `ssr` renders lists and previews to HTML on the
//! server. The custom elements in `element/` wrap these components; Leptos applications use
//! [`ChecklistControl`](fn@control::ChecklistControl) and
//! [`ChecklistPreview`](fn@preview::ChecklistPreview) directly, each inside a
//! [`ChecklistShadow`](fn@ChecklistShadow), which provides the control's styles and blocks those
//! of the page. `tests/frameworks/leptos` is such an application.
//!
//! Start reading at [`control`]. A click goes from `components::row` as a message to `model`, and from
//! there as effects to `api` and back to the screen. Each layer knows only those before it:
//! `model`, `api`, `screen`, `effects`, `components`, [`control`].

#![deny(missing_docs)]

pub mod api;
pub mod browser;
#[cfg(all(feature = "split", target_arch = "wasm32"))]
pub mod chunks;
pub mod components;
pub mod control;
mod digits;
pub mod drawing;
mod effects;
pub mod i18n;
mod item_text;
mod kept;
pub mod lazy;
mod letters;
pub mod markdown;
#[cfg(feature = "ssr")]
mod markup;
pub mod model;
mod pointing;
pub mod port;
pub mod preview;
mod reader;
mod screen;
mod shadow;
mod styles;
#[cfg(feature = "ssr")]
pub mod stylesheet;
mod wording;
pub mod worklist;

pub use shadow::ChecklistShadow;
pub use styles::STYLES;

/// Whether nothing can happen to what is drawn: a server draws it for a page whose script is not
/// there yet. A box that could be ticked would show what nobody stores.
const STILL: bool = cfg!(not(target_arch = "wasm32"));
