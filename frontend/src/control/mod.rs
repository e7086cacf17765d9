//! The control: a controller that holds a list, and the view that draws it.
//!
//! [`Controller`] is what a host drives. What a person does goes through `actions`
//! (and `editing`, `placing`, `undoing`, `review` beside it), out to the
//! server through `sync`, and back; `load` reads lists, `drawn` takes over what a server has
//! drawn (by `rendered`), `live` and `calm` take in what others do, `screen` holds what views
//! follow, `components::Whole` draws them. [`ChecklistControl`] is all of that as one Leptos component.

pub mod port;

pub(crate) mod actions;
pub(crate) mod arrange;
mod calm;
mod component;
pub(crate) mod controller;
mod drafting;
mod drawn;
mod editing;
mod focus;
mod held;
mod live;
mod load;
mod long;
pub(crate) mod mode;
mod page;
mod placing;
mod principal;
pub(crate) mod publish;
#[cfg(all(feature = "ssr", not(target_arch = "wasm32")))]
pub mod rendered;
mod review;
pub(crate) mod screen;
mod sync;
mod table;
mod undoing;
mod waiting;

pub(crate) use component::place;
pub use component::{ChecklistControl, Intention, TokenSource};
pub use controller::Controller;
