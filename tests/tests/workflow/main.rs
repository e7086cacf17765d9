//! The example workflow against a site that fails on request: whatever goes wrong, the list comes
//! to be what the inventory says, nothing is there twice, and nothing is deleted unasked.
//!
//! A real server, killed with a real signal where a test kills it; a real site server, over real
//! connections. `stage` sets both up, `lane` is one site with one list at a time, `list` says what
//! a list has to look like. The same program is run once more as `postgres_workflow`.

mod away;
mod by_hand;
mod chance;
mod fault;
mod faults;
mod kills;
mod lane;
mod list;
mod partial;
mod stage;
mod world;
mod worlds;
