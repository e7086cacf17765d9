//! A row of the audit trail as the database has it.
//!
//! `checklist_shared::audit_trail` defines what a row contributes to the tenant's Merkle tree. Who
//! acted and what was said are in the leaf as commitments only; their values and salts stand in
//! columns of their own. Once those are deleted, the commitments take their place in the row.

use checklist_runtime::clock::random;
use checklist_shared::audit_trail::leaf::{self, Leaf, Salt};
use checklist_shared::audit_trail::merkle::Hash;
use checklist_shared::time::Timestamp;
use serde::Serialize;

use crate::connections::SealedSecret;
use crate::store::StoreError;

/// A value that a leaf commits to, with its salt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Committed {
    /// JSON, hashed as it stands here.
    pub(crate) value: String,
    pub(crate) salt: Salt,
    pub(crate) commitment: Hash,
}

impl Committed {
    /// Commits to a value with a new salt.
    pub(crate) fn of(value: String) -> Result<Self, StoreError> {
        let mut salt = Salt::default();
        random(&mut salt).map_err(|error| StoreError::Broken(error.to_string()))?;
        Ok(Self {
            commitment: leaf::commitment(&salt, &value),
            value,
            salt,
        })
    }
}

/// What happened, divided into what is in the leaf, and words.
#[derive(Clone, Debug)]
pub(crate) struct NewEvent {
    /// JSON, hashed as it stands here.
    pub(crate) event: String,
    pub(crate) words: Committed,
}

impl NewEvent {
    /// Serializes the event of a list, or an administrator's act.
    pub(crate) fn of<T: Serialize>(event: &T) -> Result<Self, StoreError> {
        let (event, words) =
            leaf::split(event).map_err(|error| StoreError::Broken(error.to_string()))?;
        Ok(Self {
            event,
            words: Committed::of(words)?,
        })
    }
}

/// A stored row, as far as it is in the leaf. Nothing in it is checked: a number that no row can
/// have is the largest one, a missing text is empty, and a hash of another length is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// The number of the row.
    pub sequence: u64,
    /// The row before of the same list.
    pub list_previous: u64,
    /// The revision of the list after the change.
    pub revision: u64,
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The object type of the list; empty for administrators' acts.
    pub object_type: String,
    /// The object id of the list.
    pub object_id: String,
    /// The purpose of the list.
    pub purpose: String,
    /// The operation id that the caller chose.
    pub operation_id: Option<String>,
    /// What happened, without words.
    pub event: String,
    /// Who.
    pub actor: StoredValue,
    /// The words.
    pub words: StoredValue,
    /// The hash of the leaf when it was written.
    pub hash: Option<Hash>,
}

/// A committed value in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    /// The value and its salt.
    Present(String, Salt),
    /// Value and salt were deleted; the commitment is left.
    Erased(Hash),
}

impl StoredValue {
    /// The commitment, as the leaf has it.
    pub(crate) fn commitment(&self) -> Hash {
        match self {
            Self::Present(value, salt) => leaf::commitment(salt, value),
            Self::Erased(commitment) => *commitment,
        }
    }
}

impl StoredRow {
    /// The bytes of the row's leaf.
    #[must_use]
    pub fn leaf(&self, tenant: &str) -> Vec<u8> {
        let leaf = Leaf {
            sequence: self.sequence,
            list_previous: self.list_previous,
            revision: self.revision,
            at: self.at,
            tenant,
            object_type: &self.object_type,
            object_id: &self.object_id,
            purpose: &self.purpose,
            operation_id: self.operation_id.as_deref(),
            event: &self.event,
            actor: &self.actor.commitment(),
            words: &self.words.commitment(),
        };
        leaf.encode()
    }
}

/// How far a tenant's trail, its tiles and its checkpoints are, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeState {
    /// The number of rows that were ever written.
    pub size: u64,
    /// The number of stored tiles of each level.
    pub tiles: Vec<u64>,
    /// The newest checkpoint.
    pub checkpoint: Option<Checkpoint>,
}

/// A complete tile of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTile {
    /// The level: 0 for hashes of rows.
    pub level: u8,
    /// The number within the level.
    pub number: u64,
    /// The hash of its hashes.
    pub root: Hash,
    /// Its hashes.
    pub hashes: Vec<Hash>,
}

/// A signed tree head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Counts from 1.
    pub number: u64,
    /// The number of rows.
    pub size: u64,
    /// When it was signed.
    pub at: Timestamp,
    /// The signed note.
    pub note: String,
}

/// A key that signs checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditKey {
    /// The tenant whose trail it signs.
    pub tenant: String,
    /// Counts from 1; the newest key signs.
    pub number: u64,
    /// The public half, with the name that it signs as: `NAME+ID+KEY`.
    pub verifier: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The private half.
    pub sealed: SealedSecret,
}
