//! The control: a controller that holds a list, and the view that draws it.
//!
//! [`Controller`] is what a host drives. What a person does goes through `actions`
//! (and `editing`, `placing`, `undoing`, `review` beside it), out to the
//! server through `sync`, and back; `load` reads lists, `live` and `calm` take in what
//! others do, `screen` holds what views follow, `view` draws them. [`ChecklistControl`] is all of that as one Leptos component.

pub mod port;

#[cfg(feature = "csr")]
pub(crate) mod actions;
#[cfg(feature = "csr")]
pub(crate) mod arrange;
#[cfg(feature = "csr")]
mod calm;
mod component;
#[cfg(feature = "csr")]
pub(crate) mod controller;
#[cfg(feature = "csr")]
mod drafting;
#[cfg(feature = "csr")]
mod editing;
#[cfg(feature = "csr")]
mod focus;
#[cfg(feature = "csr")]
mod held;
#[cfg(feature = "csr")]
mod live;
#[cfg(feature = "csr")]
mod load;
#[cfg(feature = "csr")]
mod long;
#[cfg(feature = "csr")]
pub(crate) mod mode;
#[cfg(feature = "csr")]
mod page;
#[cfg(feature = "csr")]
mod placing;
#[cfg(feature = "csr")]
mod principal;
#[cfg(feature = "csr")]
pub(crate) mod publish;
#[cfg(feature = "csr")]
mod review;
#[cfg(feature = "csr")]
pub(crate) mod screen;
#[cfg(feature = "csr")]
pub(crate) mod shown;
#[cfg(feature = "csr")]
mod sync;
#[cfg(feature = "csr")]
mod table;
#[cfg(feature = "csr")]
mod undoing;
#[cfg(feature = "csr")]
mod view;
#[cfg(feature = "csr")]
mod waiting;

pub(crate) use component::place;
pub use component::{ChecklistControl, TokenSource};
#[cfg(feature = "csr")]
pub use controller::Controller;
#[cfg(feature = "csr")]
pub use view::whole;
