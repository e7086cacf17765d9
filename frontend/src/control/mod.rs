//! The control as a whole: the Leptos component, and its server-side rendering.
//!
//! A host and the views use the [`Controller`]: it turns calls into messages to `model`,
//! whose effects `effects` performs. `screen` has the signals that views track, `components::Whole`
//! renders them. [`ChecklistControl`] combines all of that.

mod component;
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub mod rendered;

pub use crate::effects::Controller;
pub(crate) use component::place;
pub use component::{ChecklistControl, Intention, PeopleSource, TokenSource};
