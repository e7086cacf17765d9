//! The product against a bare program, in one run on one machine.
//!
//! `bare` is the least that axum and SQLite can do with the same durability, `bare_postgres` the
//! same on PostgreSQL: no sign-in, no permissions, no journal, no audit, no operation ids. `load`
//! asks both in the same way over the same number of connections; `run` takes turns, so that the
//! disk's moods meet both alike. `live` adds a thousand people who follow what is ticked, `streams`
//! many more, who come back after a restart, `steady` an even load for hours; `sites` measures the client of site lists against another
//! one; `growth` fills one store to ten million items and looks what has become slower; `webhooks` looks
//! what ticks pay for being told to others, `audit` what they pay for signed checkpoints, `mcp` what
//! calls pay for being tools of an assistant, `find` what it takes to find items in a store that grows.

pub mod audit;
pub mod bare;
pub mod bare_postgres;
mod fill;
pub mod find;
pub mod growth;
mod live;
pub mod load;
pub mod mcp;
mod product;
pub mod run;
pub mod sites;
pub mod steady;
pub mod streams;
pub mod webhooks;

/// How many lists there are in either program, each with [`ITEMS`] items.
pub const LISTS: usize = 64;
/// Items a list.
pub const ITEMS: usize = 20;
