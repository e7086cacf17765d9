//! The interface of both protocols, SharePoint REST and Microsoft Graph, and the types in it.
//!
//! Invariant: what uses it does not know which protocol it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use url::Url;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, FieldValue, NewColumn, SiteFieldType};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::ListKey;
use crate::user::SiteUserOrGroup;

/// A site as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteInfo {
    /// Its title.
    pub title: String,
    /// Its address, for people.
    pub web_url: Option<String>,
}

/// A list as the site describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListInfo {
    /// Its id, as the protocol addresses it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its address, for people.
    pub web_url: Option<String>,
    /// How many items it has, folders included; `None` where the protocol does not say,
    /// as Graph does not.
    pub item_count: Option<u64>,
}

/// A list that was found by one of its keys.
#[derive(Clone, Debug)]
pub(crate) struct ListMatch {
    pub(crate) info: ListInfo,
    /// Its columns, where the same response has them.
    pub(crate) columns: Option<Vec<Column>>,
}

/// What the connection's user may do with a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPermissions {
    /// Whether items may be added.
    pub can_add: bool,
    /// Whether items may be changed.
    pub can_edit: bool,
    /// Whether items may be deleted.
    pub can_delete: bool,
    /// Whether columns may be added.
    pub can_add_columns: bool,
}

/// A list with its columns.
#[derive(Clone, Debug)]
pub(crate) struct ListSchema {
    pub(crate) info: ListInfo,
    pub(crate) columns: Vec<Column>,
    /// Whether `columns` are the selected ones alone.
    pub(crate) is_partial: bool,
}

impl ListSchema {
    /// A list with all its columns.
    pub(crate) fn complete(info: ListInfo, columns: Vec<Column>) -> Self {
        Self {
            info,
            columns,
            is_partial: false,
        }
    }

    /// The columns that are read, with their types.
    pub(crate) fn read_columns(&self) -> Vec<(&Column, SiteFieldType)> {
        let columns = self.columns.iter().filter(|column| column.is_read());
        let typed = columns.filter_map(|column| Some((column, column.field_type?)));
        typed.collect()
    }

    /// Those of them that hold people.
    pub(crate) fn person_columns(&self) -> Vec<&Column> {
        use SiteFieldType::{User, UserMulti};
        let columns = self.read_columns().into_iter();
        let people = columns.filter(|(_, kind)| matches!(kind, User | UserMulti));
        people.map(|(column, _)| column).collect()
    }

    /// The same list with these of its columns alone, and those that the standard output fields
    /// and the labels of terms come from.
    pub(crate) fn with_columns(&self, names: &[&str]) -> Self {
        let mut columns = self.columns.clone();
        columns.retain(|column| {
            let name = column.internal_name.as_str();
            names.contains(&name) || STANDARD.contains(&name)
        });
        Self {
            info: self.info.clone(),
            columns,
            is_partial: true,
        }
    }
}

/// The columns behind the standard output fields, and the one with the labels of terms.
const STANDARD: [&str; 10] = [
    "ID",
    "Title",
    "Created",
    "Modified",
    "Author",
    "Editor",
    "EncodedAbsUrl",
    "FileLeafRef",
    "LinkFilename",
    "TaxCatchAll",
];

/// Who filters, from the cheapest strategy to the one that always works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// The site filters.
    Server,
    /// The site filters and may scan all rows (Graph only).
    ServerScan,
    /// The site filters within windows of ids, so that no query looks at too many rows.
    IdWindows,
    /// Everything is read and filtered by this crate.
    Client,
}

/// A request for one page of items.
#[derive(Clone, Debug)]
pub(crate) enum PageRequest {
    /// The first page.
    First {
        criterion: Option<Box<Criterion>>,
        strategy: Strategy,
        /// Lowest and highest id.
        window: Option<(i64, i64)>,
        /// The `$skiptoken` at which to begin.
        from: Option<String>,
        /// How many items, where that is less than a page.
        top: Option<usize>,
    },
    /// The page that the last one named.
    Next(Url),
}

/// A page of items.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) items: Vec<SiteItem>,
    pub(crate) next: Option<Url>,
    pub(crate) warnings: Vec<String>,
}

/// A change with its columns found and its values checked.
#[derive(Clone, Debug)]
pub(crate) struct PreparedChange {
    pub(crate) action: WriteAction,
    pub(crate) fields: Vec<(Column, FieldValue)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteAction {
    Add,
    Edit { id: i64, etag: Option<String> },
    Delete { id: i64, etag: Option<String> },
    Recycle { id: i64 },
}

impl WriteAction {
    pub(crate) fn id(&self) -> Option<i64> {
        match self {
            Self::Add => None,
            Self::Edit { id, .. } | Self::Delete { id, .. } | Self::Recycle { id } => Some(*id),
        }
    }
}

/// What the site has to resolve before changes can be sent.
#[derive(Debug, Default)]
pub(crate) struct Prerequisites {
    /// People by name, and whether a group is meant.
    pub(crate) people: BTreeSet<(String, Option<bool>)>,
    /// Dates whose midnight the site has to compute.
    pub(crate) dates: BTreeSet<Date>,
}

/// The item after a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteResult {
    pub(crate) id: Option<i64>,
    pub(crate) etag: Option<String>,
}

/// A list and its first page of items, read in one round trip.
#[derive(Debug)]
pub(crate) struct FirstPage {
    pub(crate) list: Arc<ListSchema>,
    pub(crate) page: Page,
    /// How many items the list says it has.
    pub(crate) item_count: Option<u64>,
}

#[async_trait]
pub(crate) trait ListProtocol: Send + Sync {
    /// The site itself.
    async fn site(&self, deadline: Deadline) -> Result<SiteInfo>;

    /// The lists that people keep items in, without hidden ones, libraries and the like.
    async fn lists(&self, deadline: Deadline) -> Result<Vec<ListInfo>>;

    /// Looks a list up; `None` where there is none by that key.
    async fn list(&self, deadline: Deadline, key: &ListKey) -> Result<Option<ListMatch>>;

    /// A list and its first page of items in one round trip; `None` where the protocol or the site
    /// cannot. `known` is the cached list.
    async fn first_page(
        &self,
        deadline: Deadline,
        key: &ListKey,
        known: Option<&Arc<ListSchema>>,
    ) -> Result<Option<FirstPage>> {
        let _ = (deadline, key, known);
        Ok(None)
    }

    /// All columns of a list.
    async fn columns(&self, deadline: Deadline, list: &ListInfo) -> Result<Vec<Column>>;

    /// One item, and warnings about it.
    async fn item(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        id: i64,
    ) -> Result<(SiteItem, Vec<String>)>;

    /// A page of items, by ascending id.
    async fn page(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        page_request: &PageRequest,
    ) -> Result<Page>;

    /// Whether the site can filter by this.
    fn can_filter(&self, criterion: &Criterion) -> bool;

    /// The next strategy after one that failed with this error; `None` where the error stands.
    fn next_strategy(&self, strategy: Strategy, error: &SiteError) -> Option<Strategy>;

    /// How many items a list says it has, folders and what is hidden from the caller included;
    /// `None` where the protocol does not say.
    async fn item_count(&self, deadline: Deadline, list: &ListInfo) -> Result<Option<u64>> {
        let _ = (deadline, list);
        Ok(None)
    }

    /// The highest id in a list, 0 for an empty one. Asked for windows only.
    async fn highest_id(&self, deadline: Deadline, list: &ListSchema) -> Result<i64> {
        let _ = (deadline, list);
        Err(SiteError::new(
            ErrorKind::NotSupported,
            "This protocol reads no windows of ids.",
        ))
    }

    /// Carries out writes; the outcomes come in the same order.
    async fn write(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        changes: &[PreparedChange],
    ) -> Vec<Result<WriteResult>>;

    /// Resolves users and dates in as few requests as possible; `resolve_user` and `midnight` then
    /// need none.
    async fn prefetch(&self, deadline: Deadline, needed: &Prerequisites) -> Result<()>;

    /// The id of a user or group; `None` where the site knows none of that name. May add the user to
    /// the site.
    async fn resolve_user(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>>;

    /// Whether `resolve_user` would find somebody, without adding anybody to the site.
    async fn can_resolve_user(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<bool> {
        Ok(self.resolve_user(deadline, name, is_group).await?.is_some())
    }
    /// Users and groups by their ids, as far as the site knows them.
    async fn people(&self, deadline: Deadline, ids: &BTreeSet<i64>)
    -> Result<Vec<SiteUserOrGroup>>;

    /// The point in time at which a date begins on the site.
    async fn midnight(&self, deadline: Deadline, date: Date) -> Result<Timestamp>;

    /// Adds a column to a list.
    async fn create_column(
        &self,
        deadline: Deadline,
        list: &ListInfo,
        column: &NewColumn,
    ) -> Result<()>;

    /// What may be done with a list; `None` where the protocol does not say.
    async fn permissions(
        &self,
        deadline: Deadline,
        list: &ListInfo,
    ) -> Result<Option<ListPermissions>> {
        let _ = (deadline, list);
        Ok(None)
    }
    /// The version that an item has now.
    async fn etag(&self, deadline: Deadline, list: &ListSchema, id: i64) -> Result<Option<String>>;
}
