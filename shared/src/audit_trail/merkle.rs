//! The Merkle tree of RFC 6962: hashes, and which subtrees a proof consists of.
//!
//! A range of leaves that a proof names is hashed from the complete subtrees that it consists of
//! ([`nodes`], [`fold`]), so nothing here has to read a tree. Proofs are checked by others:
//! `shared/tests/rules/audit.rs` has those of this module checked by another implementation.

use std::ops::Range;

use sha2::{Digest, Sha256};

/// SHA-256.
pub type Hash = [u8; 32];

/// A complete subtree: 2^`height` leaves from `index` × 2^`height` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The height above the leaves.
    pub height: u8,
    /// The number of such subtrees to the left of it.
    pub index: u64,
}

/// The hash of a leaf.
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update([0]);
    hash.update(leaf);
    hash.finalize().into()
}

/// The hash of two subtrees.
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let mut hash = Sha256::new();
    hash.update([1]);
    hash.update(left);
    hash.update(right);
    hash.finalize().into()
}

/// The hash of neighbouring subtrees, each higher than the next; of no leaf at all without any.
#[must_use]
pub fn fold(subtrees: &[Hash]) -> Hash {
    let folded = subtrees
        .iter()
        .copied()
        .rev()
        .reduce(|right, left| node_hash(&left, &right));
    folded.unwrap_or_else(|| Sha256::digest([]).into())
}

/// The complete subtrees of a range that a proof names, from left to right.
#[must_use]
pub fn nodes(range: Range<u64>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut start = range.start;
    while let Some(height) = range.end.saturating_sub(start).checked_ilog2() {
        nodes.push(Node {
            height: u8::try_from(height).unwrap_or(u8::MAX),
            index: start >> height,
        });
        start += 1 << height;
    }
    nodes
}

/// The ranges whose hashes prove that a tree of `size` leaves has its leaf `index`, in the order of
/// RFC 6962. `index` has to be less than `size`.
#[must_use]
pub fn inclusion(index: u64, size: u64) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut tree = 0..size;
    while tree.end - tree.start > 1 && tree.contains(&index) {
        let middle = middle(&tree);
        if index < middle {
            ranges.push(middle..tree.end);
            tree.end = middle;
        } else {
            ranges.push(tree.start..middle);
            tree.start = middle;
        }
    }
    ranges.reverse();
    ranges
}

/// The ranges whose hashes prove that the first `old` leaves of a tree of `size` are the tree that
/// it was then, in the order of RFC 6962. `old` has to be from 1 to `size`.
#[must_use]
pub fn consistency(old: u64, size: u64) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut tree = 0..size;
    while old != tree.end && tree.end - tree.start > 1 {
        let middle = middle(&tree);
        if old <= middle {
            ranges.push(middle..tree.end);
            tree.end = middle;
        } else {
            ranges.push(tree.start..middle);
            tree.start = middle;
        }
    }
    // The verifier has the hash of the old tree itself.
    if tree.start > 0 {
        ranges.push(tree);
    }
    ranges.reverse();
    ranges
}

/// Where a tree of at least two leaves divides: after the largest power of two that leaves a rest.
const fn middle(tree: &Range<u64>) -> u64 {
    tree.start + (1 << (tree.end - tree.start - 1).ilog2())
}

/// The right edge of a tree that grows leaf by leaf.
#[derive(Clone, Debug, Default)]
pub struct Frontier {
    size: u64,
    /// The complete subtrees of the tree, each higher than the next.
    subtrees: Vec<Hash>,
}

impl Frontier {
    /// The tree of these leaves.
    #[must_use]
    pub fn of(leaves: &[Hash]) -> Self {
        let mut frontier = Self::default();
        for leaf in leaves {
            frontier.push(*leaf);
        }
        frontier
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.subtrees.pop() {
                hash = node_hash(&left, &hash);
            }
        }
        self.subtrees.push(hash);
        self.size += 1;
    }

    /// The number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The hash of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        fold(&self.subtrees)
    }
}
