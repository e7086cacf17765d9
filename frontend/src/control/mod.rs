//! The control: a controller that holds a list, and the view that draws it.
//!
//! [`Controller`] is what a host and the views drive: it turns calls into messages to `model`,
//! whose effects `effects` carry out. `screen` holds what views follow, `components::Whole` draws
//! them. [`ChecklistControl`] is all of that as one Leptos component.

pub mod port;

mod calm;
mod component;
pub(crate) mod controller;
mod deeds;
mod focus;
mod long;
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub mod rendered;
pub(crate) mod screen;

pub(crate) use crate::model::{arrange, mode};
pub(crate) use component::place;
pub use component::{ChecklistControl, Intention, TokenSource};
pub use controller::Controller;
