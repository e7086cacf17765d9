//! The control as a whole: one Leptos component, and the page that a server draws of it.
//!
//! [`Controller`] is what a host and the views drive: it turns calls into messages to `model`,
//! whose effects `effects` carries out. `screen` holds what views follow, `components::Whole` draws
//! them. [`ChecklistControl`] is all of that together.

mod component;
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub mod rendered;

pub use crate::effects::Controller;
pub(crate) use component::place;
pub use component::{ChecklistControl, Intention, TokenSource};
