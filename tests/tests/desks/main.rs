//! The extensions of service desks (`frontend/integrations`) in real installations of them, from
//! Debian's packages: real people in a real browser, and a real checklist server.
//!
//! One module a desk. Each test has a copy of the installed root of its own.

mod bulk;
mod copies;
mod facts;
mod languages;
mod merging;
mod redmine;
mod request_tracker;
mod sessions;
mod templates;
mod webhooks;
