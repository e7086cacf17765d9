//! The rows of lists: reads headers.
//!
//! Several lists are read at once. A header is enough to tell whether the cached list is current.
//!
//! The keys to find are in a subquery that the planner cannot flatten (`OFFSET 0`), with the tenant
//! in each of its rows. So the only possible plan is a lookup by complete keys, whatever the
//! planner assumes about a tenant's size. The other statements of a batch do the same.

use std::sync::Arc;

use checklist_shared::checklist::{Checklist, Run, TemplateRef};
use checklist_shared::context::Context;
use checklist_shared::item::Item;
use tokio_postgres::Row;

use super::columns::{get, get_fields, get_json_option, get_named, get_time, get_u32, get_u64};
use super::error::PostgresError;
use crate::journal::Tail;
use crate::list_key::ListKey;
use crate::stored_list;

/// A list as it is stored.
pub(super) type StoredList = stored_list::StoredList<ListLogs>;

/// The ends of a list's logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListLogs {
    /// The newest audit row; 0 for none.
    pub(super) audit_sequence: u64,
    /// The newest journal entry; 0 for none.
    pub(super) journal_cursor: u64,
    /// That entry, while the next operation may continue it.
    pub(super) journal_tail: Option<Tail>,
}

/// The text that [`FIND`] and [`LOCK`] share: further columns, the kind of join, and how it ends.
macro_rules! find_lists {
    ($columns:literal, $join:literal, $further:literal) => {
        concat!(
            "SELECT wanted.place, c.number, c.revision, c.purged_revision, \
        c.template_id, c.template_version, c.completion_rule, c.locked, c.reordered, c.created_at, \
        c.audit_sequence, c.journal_cursor, c.journal_actor, c.journal_started_at, c.journal_events, c.waived, \
        c.run, c.run_since, c.facts, c.changeable",
            $columns,
            " \
     FROM (SELECT $1::text AS tenant, * \
           FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY \
               AS wanted (object_type, object_id, purpose, place) OFFSET 0) AS wanted ",
            $join,
            " checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
          AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose",
            $further
        )
    };
}

/// The lists of three arrays (type, object, purpose), with their index in the arrays, and the epoch
/// of the tenant's catalogue. A list that was never written has no number.
pub(super) const FIND: &str = find_lists!(
    ", COALESCE((SELECT epoch FROM catalogue WHERE tenant = $1), 0)",
    "LEFT JOIN",
    ""
);

/// Selects and locks the rows of such lists until the transaction ends; none for a list that was
/// never written. In the order of their numbers, so that transactions on the same lists cannot
/// deadlock.
pub(super) const LOCK: &str = find_lists!("", "JOIN", " ORDER BY c.number FOR UPDATE OF c");

/// The number of lists of each object of two arrays (type, object).
pub(super) const PURPOSES: &str = "SELECT wanted.place, \
        (SELECT count(*) FROM checklist c WHERE c.tenant = $1 \
             AND c.object_type = wanted.object_type AND c.object_id = wanted.object_id) \
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS wanted (object_type, object_id, place)";

/// Lists as three arrays.
#[derive(Default)]
pub(super) struct Keys<'a> {
    pub(super) types: Vec<&'a str>,
    pub(super) objects: Vec<&'a str>,
    pub(super) purposes: Vec<&'a str>,
}

impl<'a> FromIterator<&'a ListKey> for Keys<'a> {
    fn from_iter<T: IntoIterator<Item = &'a ListKey>>(lists: T) -> Self {
        let mut keys = Self::default();
        for list in lists {
            keys.types.push(&list.object_type);
            keys.objects.push(&list.object_id);
            keys.purposes.push(&list.purpose);
        }
        keys
    }
}

/// The index in the arrays that a row of [`FIND`], [`LOCK`] or [`PURPOSES`] belongs to.
pub(super) fn place(row: &Row) -> Result<usize, PostgresError> {
    let place: i64 = get(row, 0)?;
    usize::try_from(place - 1).map_err(|error| PostgresError::Broken(error.to_string()))
}

/// Whether a row of [`FIND`] has a list.
pub(super) fn is_there(row: &Row) -> Result<bool, PostgresError> {
    Ok(get::<Option<i64>>(row, 1)?.is_some())
}

/// The epoch of the catalogue in a row of [`FIND`].
pub(super) fn epoch(row: &Row) -> Result<i64, PostgresError> {
    get(row, 20)
}

/// The row number.
pub(super) fn number(row: &Row) -> Result<i64, PostgresError> {
    get(row, 1)
}

/// Whether the header matches the cached list. Every write increments the revision, every purge
/// changes the purged revision.
pub(super) fn is_still(row: &Row, known: &StoredList) -> Result<bool, PostgresError> {
    Ok(number(row)? == known.number
        && get_u64(row, 2)? == known.list.revision
        && get_u64(row, 3)? == known.purged_revision)
}

/// Builds a list from a header and its items.
pub(super) fn stored(
    key: &ListKey,
    header: &Row,
    items: Vec<Item>,
) -> Result<StoredList, PostgresError> {
    let list = Checklist {
        context: Context::new(&key.object_type, &key.object_id, &key.purpose),
        revision: get_u64(header, 2)?,
        template: template_ref(header)?,
        facts: get_json_option(header, 18)?.unwrap_or_default(),
        locked: get_json_option(header, 7)?,
        waived: get_json_option(header, 15)?,
        reordered: get(header, 8)?,
        run: Run {
            number: get_u32(header, 16)?,
            since: get_u64(header, 17)?,
        },
        created_at: get_time(header, 9)?,
        items: items.into_iter().map(Arc::new).collect(),
    };
    let journal_tail = match get::<Option<String>>(header, 12)? {
        None => None,
        Some(author) => Some(Tail {
            author,
            started_at: get(header, 13)?,
            events: get_u64(header, 14)?,
        }),
    };
    Ok(StoredList {
        number: number(header)?,
        list: Arc::new(list),
        purged_revision: get_u64(header, 3)?,
        logs: ListLogs {
            audit_sequence: get_u64(header, 10)?,
            journal_cursor: get_u64(header, 11)?,
            journal_tail,
        },
    })
}

fn template_ref(header: &Row) -> Result<Option<TemplateRef>, PostgresError> {
    let Some(id) = get(header, 4)? else {
        return Ok(None);
    };
    Ok(Some(TemplateRef {
        id,
        version: get_u32(header, 5)?,
        completion_rule: get_named(header, 6)?,
        changeable: get_fields(header, 19)?,
    }))
}
