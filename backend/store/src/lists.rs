//! The lists of a tenant, found across objects, and how many of everything there is.
//!
//! Invariant: nothing here decides whether a list is complete. The store counts items;
//! `checklist_shared::progress` makes a state of the counts.

use checklist_shared::checklist::ListMark;
use checklist_shared::context::Context;
use checklist_shared::progress::Counts;
use checklist_shared::template::CompletionRule;
use checklist_shared::time::Timestamp;

use super::keyset::Keyset;

/// The sort key of lists: object id, object type, purpose.
pub type ListSortKey = (String, String, String);

/// Which lists to read.
#[derive(Clone, Debug)]
pub struct ListFilter {
    /// Only lists of that object type.
    pub object_type: Option<String>,
    /// Only lists of objects whose id begins with this text; empty for all.
    pub object_id_prefix: String,
    /// The page.
    pub page: Keyset<ListSortKey>,
}

/// A written list in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRecord {
    /// The list.
    pub context: Context,
    /// Its revision.
    pub revision: u64,
    /// The counts of its items.
    pub counts: Counts,
    /// Which items count.
    pub completion_rule: CompletionRule,
    /// The template and version that it follows.
    pub template: Option<(String, u32)>,
    /// The newest published version of its template, where the list follows an older one.
    pub newer_version: Option<u32>,
    /// Set while nobody may change it.
    pub locked: Option<ListMark>,
    /// Set while it may pass although items are open.
    pub waived: Option<ListMark>,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When one of its items last changed.
    pub changed_at: Timestamp,
}

/// The most lists that an overview counts by state.
pub const COUNTED_LISTS: u32 = 10_000;

/// How many of everything a tenant has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverviewRecord {
    /// Templates, drafts too.
    pub templates: u64,
    /// Templates with a published version.
    pub published_templates: u64,
    /// Types.
    pub types: u64,
    /// API keys that are neither revoked nor expired.
    pub api_keys: u64,
    /// Embed keys of host platforms that are neither revoked nor expired.
    pub embed_keys: u64,
    /// People who are not disabled.
    pub people: u64,
    /// Written lists; one more than [`COUNTED_LISTS`] if there are more.
    pub lists: u64,
    /// Of [`COUNTED_LISTS`] lists, those without an item that counts.
    pub empty: u64,
    /// Of [`COUNTED_LISTS`] lists, those that are waived.
    pub waived: u64,
    /// Of [`COUNTED_LISTS`] lists, those that are complete.
    pub complete: u64,
    /// Webhooks.
    pub webhooks: u64,
    /// Webhooks that are on and whose receiver did not accept the last delivery.
    pub failing_webhooks: u64,
    /// Webhooks that the server has turned off.
    pub webhooks_turned_off: u64,
}

/// The outcome of deleting a type or a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeleteOutcome {
    /// It is deleted.
    Done,
    /// There is none.
    Missing,
    /// It is not in the expected state.
    Stale,
    /// It is in use; nothing was deleted.
    InUse {
        /// How many lists use it.
        lists: u64,
        /// The types that name it, for a template.
        types: Vec<String>,
    },
}
