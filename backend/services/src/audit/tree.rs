//! The hashes of a tenant's tree, from the tiles that the store has.

use std::collections::BTreeMap;
use std::ops::Range;

use checklist_shared::audit_trail::merkle::{self, Frontier, Hash};
use checklist_shared::audit_trail::tile::{Tile, WIDTH};
use checklist_store::audit::{StoredTile, TreeState};
use checklist_store::error::ServiceResult;
use checklist_store::store::StoreError;

use crate::app::App;

/// The number of tiles that are stored in one transaction.
const AT_ONCE: usize = 16;

/// Stores the complete tiles of the tree that are not stored yet, level by level.
///
/// # Errors
/// The store failed, or rows are missing.
pub(super) async fn complete_tiles(
    app: &App,
    tenant: &str,
    state: &TreeState,
) -> ServiceResult<()> {
    let mut level = 0;
    loop {
        let complete = Tile::hashes_at(level + 1, state.size);
        if complete == 0 {
            return Ok(());
        }
        let stored = state.tiles.get(usize::from(level)).copied().unwrap_or(0);
        let missing: Vec<Tile> = (stored..complete)
            .map(|number| Tile {
                level,
                number,
                width: WIDTH,
            })
            .collect();
        for some in missing.chunks(AT_ONCE) {
            let hashes = read(app, tenant, some.to_vec()).await?;
            let tiles = some.iter().zip(hashes).map(|(tile, hashes)| StoredTile {
                level,
                number: tile.number,
                root: Frontier::of(&hashes).root(),
                hashes,
            });
            let tiles = tiles.collect();
            app.store().save_audit_tiles(tenant, tiles).await?;
        }
        level += 1;
    }
}

/// The hash of the first `size` rows.
///
/// # Errors
/// The store failed, or rows are missing.
pub(super) async fn root(app: &App, tenant: &str, size: u64) -> ServiceResult<Hash> {
    let hashes = hashes(app, tenant, std::slice::from_ref(&(0..size))).await?;
    Ok(hashes.first().copied().unwrap_or_default())
}

/// The hashes of ranges of rows, as `merkle` names them.
///
/// # Errors
/// The store failed, or rows are missing.
pub(super) async fn hashes(
    app: &App,
    tenant: &str,
    ranges: &[Range<u64>],
) -> ServiceResult<Vec<Hash>> {
    let subtrees: Vec<Vec<_>> = ranges
        .iter()
        .map(|range| {
            let nodes = merkle::nodes(range.clone());
            nodes.into_iter().map(Tile::below).collect()
        })
        .collect();
    let mut widths = BTreeMap::new();
    for (tile, _) in subtrees.iter().flatten() {
        let width = widths.entry((tile.level, tile.number)).or_insert(0);
        *width = tile.width.max(*width);
    }
    let wanted = widths.iter().map(|((level, number), width)| Tile {
        level: *level,
        number: *number,
        width: *width,
    });
    let read = read(app, tenant, wanted.collect()).await?;
    let tiles: BTreeMap<_, _> = widths.keys().zip(&read).collect();
    let hash = |(tile, place): &(Tile, Range<usize>)| {
        let hashes = tiles.get(&(tile.level, tile.number));
        let hashes = hashes.and_then(|hashes| hashes.get(place.clone()));
        Frontier::of(hashes.unwrap_or_default()).root()
    };
    let folded = subtrees.iter().map(|nodes| {
        let hashes: Vec<Hash> = nodes.iter().map(hash).collect();
        merkle::fold(&hashes)
    });
    Ok(folded.collect())
}

/// The hashes of these tiles.
///
/// # Errors
/// The store failed, or rows are missing.
pub(super) async fn read(
    app: &App,
    tenant: &str,
    tiles: Vec<Tile>,
) -> ServiceResult<Vec<Vec<Hash>>> {
    let hashes = app.store().audit_tiles(tenant, tiles.clone()).await?;
    let is_whole = |(tile, hashes): (&Tile, &Vec<Hash>)| hashes.len() == tile.width as usize;
    if tiles.iter().zip(&hashes).all(is_whole) {
        return Ok(hashes);
    }
    Err(StoreError::Broken("rows of the audit trail are missing".to_owned()).into())
}
