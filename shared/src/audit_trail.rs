//! The audit trail as others can recompute it: what a row contributes to the tenant's Merkle tree,
//! and the tree's arithmetic.
//!
//! [`leaf`] is the byte form of a row, [`merkle`] the hashing and the proofs of RFC 6962, [`tile`]
//! the layout of C2SP tlog-tiles. docs/AUDIT.md describes all of it for other languages; the vectors
//! in `shared/vectors/audit.json` are computed by a program that shares no code with this one.

pub mod leaf;
pub mod merkle;
pub mod replay;
pub mod tile;
