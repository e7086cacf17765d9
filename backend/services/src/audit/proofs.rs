//! What others need to check the trail by themselves: checkpoints, proofs and tiles.
//!
//! All of it is about the tree of the newest checkpoint, so that it says nothing which the server
//! has not signed. It reveals the number of rows of the whole tenant, so the credential has to cover
//! every context.

use checklist_auth::Principal;
use checklist_shared::audit_trail::merkle::{self, Hash, leaf_hash};
use checklist_shared::audit_trail::tile::{TilePath, WIDTH};
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::admin::{AuditLeaf, AuditOpening, AuditProof};
use checklist_store::audit::{Checkpoint, StoredRow, StoredValue};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::scope::ContextScope;

use super::tree;
use crate::access::{self, FieldErrors};
use crate::app::App;

/// What a proof is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofQuery {
    /// The row whose inclusion is to be proven.
    pub sequence: Option<u64>,
    /// The size of an earlier tree that is to be proven to be the beginning.
    pub from: Option<u64>,
    /// The size of the tree; that of the newest checkpoint if absent.
    pub size: Option<u64>,
}

/// The newest checkpoint, as a signed note.
///
/// # Errors
/// `PermissionDenied`, `CheckpointNotFound`.
pub async fn checkpoint(app: &App, principal: &Principal) -> ServiceResult<String> {
    Ok(newest(app, principal).await?.note)
}

async fn newest(app: &App, principal: &Principal) -> ServiceResult<Checkpoint> {
    require_whole_trail(principal)?;
    let state = app.store().audit_tree(&principal.tenant).await?;
    state.checkpoint.ok_or_else(|| {
        ServiceError::new(
            ProblemCode::CheckpointNotFound,
            "Nothing was signed yet. The server signs within a minute of a change, if it has a vault for the key.",
        )
    })
}

/// Fails unless the caller may see the trail of the whole tenant.
///
/// # Errors
/// `PermissionDenied`.
pub(super) fn require_whole_trail(principal: &Principal) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Audit)?;
    if principal.contexts == ContextScope::Any {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::PermissionDenied,
        "This is about the trail as a whole, and this credential covers a part of it.",
    ))
}

/// A proof that a row is in the tree, or that an earlier tree is its beginning.
///
/// # Errors
/// `PermissionDenied`, `CheckpointNotFound`, `InvalidRequest`.
pub async fn proof(
    app: &App,
    principal: &Principal,
    query: ProofQuery,
) -> ServiceResult<AuditProof> {
    let signed = newest(app, principal).await?.size;
    let size = query.size.unwrap_or(signed);
    let mut errors = FieldErrors::default();
    let mut check = |pointer, value: u64, most: u64| {
        if !(1..=most).contains(&value) {
            let detail = format!("It has to be from 1 to {most}.");
            errors.say(pointer, FieldErrorCode::Invalid, detail);
        }
    };
    check("/Size", size, signed);
    match (query.sequence, query.from) {
        (Some(sequence), None) => check("/Sequence", sequence, size),
        (None, Some(from)) => check("/From", from, size),
        _ => {
            let detail = "Ask for a row with Sequence, or for an earlier tree with From.";
            errors.say("/Sequence", FieldErrorCode::Required, detail);
        }
    }
    errors.refuse()?;
    let tenant = &principal.tenant;
    let (mut ranges, leaf) = match (query.sequence, query.from) {
        (Some(sequence), _) => {
            let leaf = leaf_of(app, tenant, sequence).await?;
            (merkle::inclusion(sequence - 1, size), Some(leaf))
        }
        (None, from) => (merkle::consistency(from.unwrap_or(size), size), None),
    };
    ranges.push(0..size);
    ranges.push(0..query.from.unwrap_or(size));
    let mut hashes = tree::hashes(app, tenant, &ranges).await?;
    let from_root = hashes.pop().unwrap_or_default();
    let root = hashes.pop().unwrap_or_default();
    Ok(AuditProof {
        size,
        root: hex(&root),
        sequence: query.sequence,
        leaf,
        from: query.from,
        from_root: query.from.map(|_| hex(&from_root)),
        hashes: hashes.iter().map(|hash: &Hash| hex(hash)).collect(),
    })
}

async fn leaf_of(app: &App, tenant: &str, sequence: u64) -> ServiceResult<AuditLeaf> {
    let rows = app
        .store()
        .audit_rows(tenant, Some(sequence - 1), 1)
        .await?;
    let row = rows.into_iter().find(|row| row.sequence == sequence);
    let row = row.ok_or_else(|| {
        ServiceError::new(
            ProblemCode::Internal,
            "The row is missing: the trail was altered.",
        )
    })?;
    let bytes = row.leaf(tenant);
    let StoredRow { actor, words, .. } = row;
    Ok(AuditLeaf {
        hash: hex(&leaf_hash(&bytes)),
        bytes: hex(&bytes),
        actor: opening(actor),
        words: opening(words),
    })
}

fn opening(value: StoredValue) -> Option<AuditOpening> {
    match value {
        StoredValue::Present(value, salt) => Some(AuditOpening {
            value,
            salt: hex(&salt),
        }),
        StoredValue::Erased(_) => None,
    }
}

/// The bytes of a tile: hashes one after the other, or leaves, each after its length in two bytes.
///
/// # Errors
/// `PermissionDenied`, `CheckpointNotFound`, `NotFound` if the signed tree has no such tile.
pub async fn tile(app: &App, principal: &Principal, path: &str) -> ServiceResult<Vec<u8>> {
    let signed = newest(app, principal).await?.size;
    let tenant = &principal.tenant;
    match path.parse() {
        Ok(TilePath::Hashes(tile)) if tile.is_within(signed) => {
            let hashes = tree::read(app, tenant, vec![tile]).await?;
            Ok(hashes.concat().concat())
        }
        Ok(TilePath::Entries(tile)) if tile.is_within(signed) => {
            let first = tile.number * u64::from(WIDTH);
            let rows = app
                .store()
                .audit_rows(tenant, Some(first), tile.width)
                .await?;
            let mut bytes = Vec::new();
            for row in rows {
                let leaf = row.leaf(tenant);
                let length = u16::try_from(leaf.len()).unwrap_or(u16::MAX);
                bytes.extend_from_slice(&length.to_be_bytes());
                bytes.extend_from_slice(&leaf);
            }
            Ok(bytes)
        }
        _ => Err(ServiceError::new(
            ProblemCode::NotFound,
            "The newest checkpoint has no such tile.",
        )),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
