//! The key that links an entry of a site list to its computer.
//!
//! It is derived from the inventory and the computer's id only, so a lost database loses no links.

use std::fmt;

use uuid::Uuid;

/// The namespace of the keys; fixed for good, because they are stored in lists of others.
const EXPORT: Uuid = Uuid::from_u128(0x3b0d_7c52_e4a9_5f16_9c27_81d0_6a5f_b3e4);

/// The key of a computer in every list: a UUIDv5, written in its hyphenated lowercase form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SyncKey(Uuid);

impl SyncKey {
    /// What a column holds, read; `None` when that is no key of any inventory. People and lists
    /// may have changed letter case, blanks around it or put it in braces.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Uuid::try_parse(text.trim()).ok().map(Self)
    }
}

impl fmt::Display for SyncKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The key of a computer; `inventory` is the tenant whose inventory it is in.
///
/// ```
/// use checklist_shared::export::{SyncKey, sync_key};
/// let key = sync_key("north", "c-17");
/// assert_eq!(SyncKey::read(&format!(" {{{}}} ", key.to_string().to_uppercase())), Some(key));
/// assert_ne!(key, sync_key("south", "c-17"));
/// ```
#[must_use]
pub fn sync_key(inventory: &str, computer_id: &str) -> SyncKey {
    // The length keeps ("a", "b;c") and ("a;b", "c") apart.
    let name = format!("{}:{inventory};{computer_id}", inventory.len());
    SyncKey(Uuid::new_v5(&EXPORT, name.as_bytes()))
}
