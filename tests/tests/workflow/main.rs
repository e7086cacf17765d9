//! The example workflow against a site that fails on request: whatever goes wrong, the list comes
//! to be what the inventory says, nothing is there twice, and nothing is deleted unasked.
//!
//! A real server, killed with a real signal where a test kills it; a real site server, over real
//! connections. `stage` sets both up, `lane` is one site with one list at a time, `list` says what
//! a list has to look like. All run once more with the data in PostgreSQL (the profile `postgres` of
//! nextest); what only several nodes can show is in `on_postgres`.

mod away;
mod by_hand;
mod chance;
mod fault;
mod faults;
mod kills;
mod lane;
mod list;
mod on_postgres;
mod partial;
mod stage;
mod world;
mod worlds;
