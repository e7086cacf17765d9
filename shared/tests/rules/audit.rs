//! The audit trail's tree against another implementation (`tlog_tiles`): roots, proofs, tiles.
//!
//! `shared/vectors/audit.json` runs in WASM as well.

use std::ops::Range;

use checklist_shared::audit_trail::merkle::{
    Frontier, Hash, consistency, fold, inclusion, leaf_hash, nodes,
};
use checklist_shared::audit_trail::tile::{Tile, TilePath};
use proptest::prelude::*;
use tlog_tiles::{Hash as TlogHash, check_record, check_tree};

fn leaves(size: u64) -> Vec<Hash> {
    (0..size)
        .map(|leaf| leaf_hash(&leaf.to_be_bytes()))
        .collect()
}

fn place(at: u64) -> usize {
    usize::try_from(at).expect("a small tree")
}

/// The hashes of a level, as tiles have them.
fn level(leaves: &[Hash], level: u8) -> Vec<Hash> {
    (0..level).fold(leaves.to_vec(), |below, _| {
        let tiles = below.chunks_exact(256);
        tiles.map(|tile| Frontier::of(tile).root()).collect()
    })
}

/// The hash of a range, from complete subtrees that are looked up in tiles.
fn hash(leaves: &[Hash], range: Range<u64>) -> Hash {
    let subtrees = nodes(range).into_iter().map(|node| {
        let (tile, place) = Tile::below(node);
        assert!(tile.is_within(leaves.len() as u64), "{tile:?}");
        let hashes = level(leaves, tile.level);
        let first = usize::try_from(tile.number * 256).expect("a small tree");
        let tile = &hashes[first..first + tile.width as usize];
        Frontier::of(&tile[place]).root()
    });
    fold(&subtrees.collect::<Vec<_>>())
}

fn proof(leaves: &[Hash], ranges: Vec<Range<u64>>) -> Vec<TlogHash> {
    let hashes = ranges.into_iter().map(|range| hash(leaves, range));
    hashes.map(TlogHash).collect()
}

/// Each way of changing one byte of a proof's hashes.
fn flipped(proof: &[TlogHash]) -> impl Iterator<Item = Vec<TlogHash>> {
    (0..proof.len() * 32).map(|byte| {
        let mut hashes: Vec<[u8; 32]> = proof.iter().map(|hash| hash.0).collect();
        hashes[byte / 32][byte % 32] ^= 1;
        hashes.into_iter().map(TlogHash).collect()
    })
}

proptest! {
    #[test]
    fn a_proof_of_inclusion_holds_for_its_leaf_and_fails_with_any_byte_flipped(
        size in 1_u64..1_500, index in any::<prop::sample::Index>()
    ) {
        let leaves = leaves(size);
        let index = index.index(leaves.len()) as u64;
        let root = TlogHash(Frontier::of(&leaves).root());
        let leaf = TlogHash(leaves[place(index)]);
        let proof = proof(&leaves, inclusion(index, size));
        prop_assert!(check_record(&proof, size, root, index, leaf).is_ok());
        for forged in flipped(&proof) {
            prop_assert!(check_record(&forged, size, root, index, leaf).is_err());
        }
        for forged in flipped(&[leaf, root]) {
            prop_assert!(check_record(&proof, size, forged[1], index, forged[0]).is_err());
        }
    }

    #[test]
    fn a_proof_of_consistency_holds_for_its_trees_and_fails_with_any_byte_flipped(
        size in 1_u64..1_500, old in any::<prop::sample::Index>()
    ) {
        let leaves = leaves(size);
        let old = old.index(leaves.len()) as u64 + 1;
        let root = TlogHash(Frontier::of(&leaves).root());
        let then = TlogHash(Frontier::of(&leaves[..place(old)]).root());
        let proof = proof(&leaves, consistency(old, size));
        prop_assert!(check_tree(&proof, size, root, old, then).is_ok());
        for forged in flipped(&proof) {
            prop_assert!(check_tree(&forged, size, root, old, then).is_err());
        }
    }

}

proptest! {
    // Trees of three levels are large.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_hash_of_a_tree_is_that_of_its_tiles(size in 1_u64..70_000) {
        let leaves = leaves(size);
        prop_assert_eq!(hash(&leaves, 0..size), Frontier::of(&leaves).root());
    }

}

proptest! {
    #[test]
    fn a_tile_is_named_as_others_name_it(level in 0_u8..64, number in any::<u64>(), width in 1_u32..=256) {
        let tile = TilePath::Hashes(Tile { level, number, width });
        // Theirs names the height of the tiles as well.
        let theirs = tlog_tiles::Tile::new(8, level, number, width, false).path();
        prop_assert_eq!(format!("tile/8/{tile}"), theirs);
        prop_assert_eq!(tile.to_string().parse(), Ok(tile));
    }

    #[test]
    fn whatever_is_asked_for_is_a_tile_or_none(path in "(entries|[0-9]{1,2})/(x?[0-9]{3}/){0,3}x?[0-9]{0,4}(.p/[0-9]{1,3})?") {
        if let Ok(tile) = path.parse::<TilePath>() {
            prop_assert_eq!(tile.to_string(), path);
        }
    }
}

#[test]
fn what_is_no_path_of_a_tile_is_refused() {
    for path in [
        "",
        "0",
        "0/",
        "/000",
        "0/0",
        "00/000",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/",
        "0/x000/001",
        "64/000",
        "entries",
        "data/000",
        "0/001/x234",
        "0/x018/x446/x744/x073/x709/x551/616",
    ] {
        assert!(path.parse::<TilePath>().is_err(), "{path}");
    }
    for path in ["0/000", "entries/x001/234.p/5", "63/000", "0/000.p/255"] {
        assert!(path.parse::<TilePath>().is_ok(), "{path}");
    }
}
