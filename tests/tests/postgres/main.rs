//! The web services on PostgreSQL: the tests of `http` once more, and what only several nodes on
//! one database can show.
//!
//! The name of this program, which begins with `postgres`, is what puts the servers' data there.
//! Left out are `assets` (files that no database has seen), `demo` (`--demo` refuses PostgreSQL)
//! and the `starting` of `http`, which is about a directory; PostgreSQL has one of its own here.

#[path = "../http/adding.rs"]
mod adding;
#[path = "../http/audit.rs"]
mod audit;
#[path = "../http/bad_credentials.rs"]
mod bad_credentials;
#[path = "../http/bad_input.rs"]
mod bad_input;
#[path = "../http/base_url.rs"]
mod base_url;
#[path = "../http/batches.rs"]
mod batches;
#[path = "../http/canaries.rs"]
mod canaries;
#[path = "../http/commands.rs"]
mod commands;
#[path = "../http/computers.rs"]
mod computers;
#[path = "../http/conflicts.rs"]
mod conflicts;
#[path = "../http/connections.rs"]
mod connections;
mod consent;
#[path = "../http/deleting.rs"]
mod deleting;
#[path = "../http/downgrade.rs"]
mod downgrade;
#[path = "../http/drafts.rs"]
mod drafts;
mod dumps;
#[path = "../http/durability.rs"]
mod durability;
mod faults;
#[path = "../http/figures.rs"]
mod figures;
mod history;
#[path = "../http/idempotency.rs"]
mod idempotency;
#[path = "../http/journal.rs"]
mod journal;
#[path = "../http/keys.rs"]
mod keys;
#[path = "../http/limits.rs"]
mod limits;
#[path = "../http/live.rs"]
mod live;
#[path = "../http/live_ends.rs"]
mod live_ends;
#[path = "../http/live_revoked.rs"]
mod live_revoked;
#[path = "../http/lock.rs"]
mod lock;
#[path = "../http/log_files.rs"]
mod log_files;
#[path = "../http/matrix.rs"]
mod matrix;
mod nodes;
#[path = "../http/oidc.rs"]
mod oidc;
#[path = "../http/openapi.rs"]
mod openapi;
#[path = "../http/origins.rs"]
mod origins;
#[path = "../http/pages.rs"]
mod pages;
#[path = "../http/permissions.rs"]
mod permissions;
#[path = "../http/platform_types.rs"]
mod platform_types;
#[path = "../http/presence.rs"]
mod presence;
#[path = "../http/preview.rs"]
mod preview;
mod protected;
#[path = "../http/proxies.rs"]
mod proxies;
#[path = "../http/reading.rs"]
mod reading;
#[path = "../http/refresh.rs"]
mod refresh;
#[path = "../http/refresh_demo.rs"]
mod refresh_demo;
#[path = "../http/refresh_whole.rs"]
mod refresh_whole;
#[path = "../http/refusals.rs"]
mod refusals;
mod runs;
#[path = "../http/sessions.rs"]
mod sessions;
#[path = "../http/sign_in.rs"]
mod sign_in;
#[path = "../http/sites.rs"]
mod sites;
#[path = "../http/slow_readers.rs"]
mod slow_readers;
mod starting;
#[path = "../http/templates.rs"]
mod templates;
#[path = "../http/tenants.rs"]
mod tenants;
#[path = "../http/undo.rs"]
mod undo;
#[path = "../http/updating.rs"]
mod updating;
#[path = "../http/vault.rs"]
mod vault;
#[path = "../http/webhooks.rs"]
mod webhooks;
mod webhooks_of_nodes;
#[path = "../http/workflows.rs"]
mod workflows;
