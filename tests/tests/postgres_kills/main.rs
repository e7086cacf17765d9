//! Runs killed with `kill -9` at every failpoint, on PostgreSQL: the same as `kills`; the name of
//! this program, which begins with `postgres`, is what puts the servers' data there.

#[path = "../kills/places.rs"]
mod places;
