//! The preview: a template drawn without any list behind it.
//!
//! [`model`] is what there is to draw, [`view`] draws it, the same way in a browser and on the
//! server. In the browser `component` loads the template and shows it (`csr`), on the server
//! `page` makes finished HTML of it, and `mail` what goes into a mail (`ssr`). It has no object and no way to write.

mod application;
pub mod model;
pub mod view;
mod wording;

pub mod component;
pub mod late;
mod load;
#[cfg(feature = "ssr")]
pub mod mail;
#[cfg(feature = "ssr")]
pub mod page;

pub use application::{ChecklistPreview, Source};
