//! The shapes that travel: requests and answers of the checklist web services.
//!
//! PascalCase as in the brief's data contracts. Unknown request fields are refused, answers may
//! grow. The server (de)serialises these; the control reads answers and writes requests by hand,
//! because a JSON library would be a quarter of its download.

pub mod access;
pub mod admin;
pub mod computers;
pub mod connections;
pub mod history;
pub mod item;
pub mod list;
pub mod live;
pub mod render;
pub mod site_lists;
pub mod template;
pub mod webhooks;
pub mod workflow;
pub mod write;
