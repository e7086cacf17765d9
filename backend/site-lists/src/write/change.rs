//! A change that a caller asks for, and what came of it.
//!
//! Invariant: a change without a version applies to whatever version the item has.

use crate::field::ObjectExpressionParameter;

/// One of many changes.
///
/// ```
/// use site_lists::{ItemChange, ObjectExpressionParameter};
///
/// let changes = [
///     ItemChange::Add { fields: vec![ObjectExpressionParameter::new("Title", "PC-1")] },
///     ItemChange::Delete { id: 7, etag: None },
/// ];
/// assert_eq!(changes.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ItemChange {
    /// A new item.
    Add {
        /// What it holds.
        fields: Vec<ObjectExpressionParameter>,
    },
    /// Another content for some fields of an item.
    Edit {
        /// The item.
        id: i64,
        /// What the fields are to hold.
        fields: Vec<ObjectExpressionParameter>,
        /// The version it is based on; whatever there is where it is absent.
        etag: Option<String>,
    },
    /// The end of an item.
    Delete {
        /// The item.
        id: i64,
        /// The version it is based on; whatever there is where it is absent.
        etag: Option<String>,
    },
    /// An item to the site's recycle bin, from where people can restore it. Deleted where the
    /// protocol knows no bin.
    Recycle {
        /// The item.
        id: i64,
    },
}

impl ItemChange {
    /// The names of the fields it is about.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::Add { fields } | Self::Edit { fields, .. } => fields.as_slice(),
            Self::Delete { .. } | Self::Recycle { .. } => &[],
        }
        .iter()
        .map(|field| field.name.as_str())
    }
}

/// The item after a change.
///
/// ```no_run
/// use site_lists::{ObjectExpressionParameter, Site, SiteList};
///
/// # async fn example(site: Site) -> site_lists::Result<()> {
/// let fields = [
///     ObjectExpressionParameter::new("Title", "PC-0815"),
///     ObjectExpressionParameter::new("SyncKey", "7d0e2f0a"),
/// ];
/// // With a unique key, a response that was lost makes no second entry.
/// let outcome = site.add(&SiteList::from("Computers"), &fields, Some("SyncKey")).await?;
/// println!("{} ({})", outcome.id, if outcome.existed { "was there" } else { "made" });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemOutcome {
    /// The item.
    pub id: i64,
    /// Its version afterwards, where the site says it.
    pub etag: Option<String>,
    /// Whether the item had been there already, under its unique key.
    pub existed: bool,
}
