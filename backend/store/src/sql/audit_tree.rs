//! A tenant's Merkle tree: complete tiles, and the checkpoints that were signed.
//!
//! A tile's hashes are those of audit rows, or the roots of complete tiles of the level below. A
//! complete tile is stored, because 256 rows need not be read again; it never changes.

use checklist_shared::audit_trail::merkle::Hash;
use checklist_shared::audit_trail::tile::{Tile, WIDTH};

use super::{Row, Session, WriteSession, audit_rows, values, webhooks};
use crate::audit::{Checkpoint, StoredTile, TreeState};
use crate::outbox;
use crate::store::StoreError;

/// Selects checkpoints.
macro_rules! checkpoints {
    ($rest:literal) => {
        concat!(
            "SELECT number, size, at, note FROM audit_checkpoint WHERE tenant = $1 ",
            $rest
        )
    };
}

/// How far the trail, its tiles and its checkpoints are.
pub(crate) async fn state<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<TreeState, StoreError> {
    let sql = "SELECT number FROM audit_tile WHERE tenant = $1 AND level = $2
         ORDER BY number DESC LIMIT 1";
    let mut tiles = Vec::new();
    loop {
        let level = tiles.len() as u64;
        let newest = session
            .query_opt(sql, values![tenant, level], |row| row.get_u64(0))
            .await?;
        let Some(newest) = newest else { break };
        tiles.push(newest + 1);
    }
    Ok(TreeState {
        size: audit_rows::head(session, tenant).await?,
        tiles,
        checkpoint: newest_checkpoint(session, tenant).await?,
    })
}

/// The newest checkpoint.
pub(crate) async fn newest_checkpoint<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Option<Checkpoint>, StoreError> {
    let sql = checkpoints!("ORDER BY number DESC LIMIT 1");
    session.query_opt(sql, values![tenant], checkpoint_of).await
}

/// Checkpoints in the order in which they were made: those after number `after`.
pub(crate) async fn checkpoints<S: Session>(
    session: &mut S,
    tenant: &str,
    after: u64,
    limit: u32,
) -> Result<Vec<Checkpoint>, StoreError> {
    let sql = checkpoints!("AND number > $2 ORDER BY number LIMIT $3");
    session
        .query_map(sql, values![tenant, after, limit], checkpoint_of)
        .await
}

fn checkpoint_of(row: &Row) -> Result<Checkpoint, StoreError> {
    Ok(Checkpoint {
        number: row.get_u64(0)?,
        size: row.get_u64(1)?,
        at: row.get_time(2)?,
        note: row.get_text(3)?.to_owned(),
    })
}

/// The hashes of a tile; fewer than asked for if there are no more.
pub(crate) async fn tile<S: Session>(
    session: &mut S,
    tenant: &str,
    tile: Tile,
) -> Result<Vec<Hash>, StoreError> {
    let sql = "SELECT hashes FROM audit_tile WHERE tenant = $1 AND level = $2 AND number = $3";
    let stored = session
        .query_opt(
            sql,
            values![tenant, u32::from(tile.level), tile.number],
            |row| row.get_bytes(0).map(hashes_of),
        )
        .await?;
    if let Some(mut hashes) = stored {
        hashes.truncate(tile.width as usize);
        return Ok(hashes);
    }
    let first = tile.number.saturating_mul(u64::from(WIDTH));
    let end = first.saturating_add(u64::from(tile.width));
    // A hash that is none makes the tree another one.
    let hash = |row: &Row| Ok(row.get_hash(0).unwrap_or_default());
    let Some(below) = tile.level.checked_sub(1) else {
        let sql = "SELECT hash FROM audit WHERE tenant = $1 AND sequence > $2 AND sequence <= $3
             ORDER BY sequence";
        return session
            .query_map(sql, values![tenant, first, end], hash)
            .await;
    };
    let sql = "SELECT root FROM audit_tile
         WHERE tenant = $1 AND level = $2 AND number >= $3 AND number < $4 ORDER BY number";
    session
        .query_map(sql, values![tenant, u32::from(below), first, end], hash)
        .await
}

fn hashes_of(bytes: &[u8]) -> Vec<Hash> {
    let (hashes, _) = bytes.as_chunks();
    hashes.to_vec()
}

/// Stores complete tiles. One that is there already stays.
pub(crate) async fn insert_tiles<S: Session>(
    session: &mut S,
    tenant: &str,
    tiles: &[StoredTile],
) -> Result<(), StoreError> {
    let sql = "INSERT INTO audit_tile (tenant, level, number, root, hashes)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    for tile in tiles {
        let hashes = tile.hashes.concat();
        let parameters = values![
            tenant,
            u32::from(tile.level),
            tile.number,
            &tile.root,
            &hashes
        ];
        session.execute(sql, parameters).await?;
    }
    Ok(())
}

/// Stores a checkpoint with the deliveries that tell of it, unless another node was first with that
/// number.
pub(crate) async fn insert_checkpoint<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    checkpoint: &Checkpoint,
) -> Result<bool, StoreError> {
    let parameters = values![
        tenant,
        checkpoint.number,
        checkpoint.size,
        checkpoint.at,
        &checkpoint.note,
    ];
    let sql = "INSERT INTO audit_checkpoint (tenant, number, size, at, note)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    if session.execute(sql, parameters).await? == 0 {
        return Ok(false);
    }
    let listeners = webhooks::listeners(session, tenant).await?;
    let deliveries = outbox::of_checkpoint(&listeners, checkpoint)?;
    if !deliveries.is_empty() {
        session.insert_deliveries(tenant, &deliveries).await?;
    }
    Ok(true)
}
