//! What the tests of the whole product stand on: the real server as a process, people who sign
//! in and act on lists, a host platform with keys of its own, and a real browser.
//!
//! Everything goes over a listener; no part of the server is linked in, so the tests see what a
//! caller sees. Helpers panic with a sentence when the product does not answer as promised: a panic
//! is a failed test.

pub mod authenticator;
pub mod bench;
pub mod browser;
pub mod client;
pub mod data;
pub mod debian;
mod example;
pub mod export;
pub mod follow;
pub mod frameworks;
pub mod grant;
pub mod granted_site;
pub mod history;
pub mod host;
pub mod identity_provider;
pub mod list;
pub mod machine;
pub mod name_server;
pub mod neighbour;
pub mod own_network;
pub mod own_postgres;
pub mod patroni;
pub mod person;
pub mod place;
pub mod policy;
pub mod preloaded;
pub mod process;
pub mod promise;
pub mod receiver;
pub mod reverse_proxy;
pub mod role;
pub mod server;
pub mod service_desk;
pub mod setup;
pub mod sign_in;
pub mod template;
pub mod tls;
pub mod wait;

pub use client::Answer;
pub use host::HostKey;
pub use list::{List, Written};

pub use person::Person;
pub use place::{Place, asset, incident, task};
pub use server::Server;
pub use setup::Setup;
pub use wait::until;

/// The prefix of every call.
pub const API: &str = "/api/Vendor/ChecklistControl";
/// The prefix of what is about sites.
pub const SITES: &str = "/api/Vendor/SiteActivities";
/// The prefix of what is about computers.
pub const COMPUTERS: &str = "/api/Vendor/Computers";
/// The prefix of webhooks.
pub const WEBHOOKS: &str = "/api/Vendor/Webhooks";
/// The prefix of what webhooks were sent.
pub const DELIVERIES: &str = "/api/Vendor/WebhookDeliveries";
/// The prefix of what is about runs of workflows.
pub const WORKFLOWS: &str = "/api/Vendor/Workflows";
