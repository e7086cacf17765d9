//! The preview: a template rendered without a list.
//!
//! [`model`] is the content, [`view`] renders it, in a browser and on the
//! server alike. In the browser `component` loads the template and shows it (`csr`); on the server
//! `page` renders HTML pages, and `mail` renders mails (`ssr`). It has no object and no way to write.

mod application;
pub mod model;
pub mod view;
mod wording;

pub mod component;
#[cfg(feature = "languages")]
pub mod condition;
pub mod late;
mod load;
#[cfg(feature = "ssr")]
pub mod mail;
#[cfg(feature = "ssr")]
pub mod page;
pub mod source;

pub use application::ChecklistPreview;
pub use source::Source;
pub use wording::duration_phrase;
