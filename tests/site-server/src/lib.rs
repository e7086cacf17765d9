//! A local site server: lists, columns, items, people and files over SharePoint REST and over
//! Microsoft Graph, on one store, with sign-in dialogues and with faults on request.
//!
//! The tests of the site-list client and the demo run against it. It is built to the protocol as
//! the services answer it; error numbers, bodies and header names are theirs. It has nothing of
//! the product in it, so what the product says to it is proof.
//!
//! ```
//! use checklist_site_server::{Options, SiteServer};
//!
//! let server = SiteServer::start(Options::default()).expect("a free port");
//! assert!(server.site_url().ends_with("/sites/demo"));
//! assert!(server.requests().is_empty());
//! ```

// Lists show some fifty members in one literal.
#![recursion_limit = "256"]

pub mod clock;
pub mod core;
pub mod faults;
pub mod graph;
pub mod handler;
pub mod identity;
pub mod log;
pub mod meanwhile;
pub mod multipart;
pub mod odata;
pub mod options;
pub mod page;
pub mod query;
pub mod request;
pub mod rest;
pub mod server;
pub mod sign_in;
pub mod store;
pub mod tls;
pub mod wire;

pub use faults::{Fault, Kind, Rule};
pub use log::Seen;
pub use options::Options;
pub use server::SiteServer;
