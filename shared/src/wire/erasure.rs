//! Erasure of people, and how long names are kept: `GET` and `PUT /Retention`, `POST /Users/Erase`.

use serde::{Deserialize, Serialize};

use crate::patch::Patch;

/// Texts that people wrote, and that are erased with the name of who wrote them if the tenant wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ErasableText {
    /// Notes of items.
    Notes,
    /// Reasons of "not applicable", of locks and of waivers.
    Reasons,
    /// Texts of items that were added by hand.
    AddedItems,
}

impl ErasableText {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Notes, Self::Reasons, Self::AddedItems];
}

/// How long a tenant keeps names, and which texts go with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Retention {
    /// Names older than so many days are erased everywhere; absent: they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub personal_days: Option<u32>,
    /// Which texts are erased with names.
    pub texts: Vec<ErasableText>,
}

/// `PUT /Retention`. What is not named stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutRetention {
    /// After how many days names are erased, from 1 to 36,500; `null`: never.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub personal_days: Patch<u32>,
    /// Which texts are erased with names.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<ErasableText>>))]
    pub texts: Patch<Vec<ErasableText>>,
}

/// What an erasure has deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Erasure {
    /// Rows of the audit trail that have lost a name or words.
    pub audit_rows: u64,
    /// Entries of the journal that have lost a name.
    pub journal_entries: u64,
    /// Checklists that have lost a name or a text.
    pub lists: u64,
    /// Other records: remembered answers, deliveries, runs, templates, connections.
    pub records: u64,
}

impl Erasure {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            audit_rows: self.audit_rows + other.audit_rows,
            journal_entries: self.journal_entries + other.journal_entries,
            lists: self.lists + other.lists,
            records: self.records + other.records,
        }
    }
}
