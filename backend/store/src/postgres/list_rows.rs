//! The rows of lists: reads headers and items.
//!
//! Several lists are read at once. A header is enough to tell whether the cached list is current.
//!
//! The keys to find are in a subquery that the planner cannot flatten (`OFFSET 0`), with the tenant
//! in each of its rows. So the only possible plan is a lookup by complete keys, whatever the
//! planner assumes about a tenant's size. The other statements of a batch do the same.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::checklist::{Checklist, TemplateRef};
use checklist_shared::context::Context;
use checklist_shared::item::{AspectVersions, Item};
use tokio_postgres::Row;

use super::columns::{
    get, get_id, get_json, get_json_option, get_named, get_time, get_time_option, get_u32, get_u64,
};
use super::error::PostgresError;
use crate::due;
use crate::journal::Tail;
use crate::list_key::ListKey;

/// A list as it is stored.
#[derive(Clone, Debug)]
pub(super) struct StoredList {
    /// The row number.
    pub(super) number: i64,
    /// The list itself.
    pub(super) list: Arc<Checklist>,
    pub(super) purged_revision: u64,
    pub(super) logs: ListLogs,
}

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

/// The lists of three arrays (type, object, purpose), with their index in the arrays. Skips lists
/// that were never written.
pub(super) const FIND: &str = "SELECT wanted.place, c.number, c.revision, c.purged_revision, \
        c.template_id, c.template_version, c.completion_rule, c.locked, c.reordered, c.created_at, \
        c.audit_sequence, c.journal_cursor, c.journal_actor, c.journal_started_at, c.journal_events \
     FROM (SELECT $1::text AS tenant, * \
           FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY \
               AS wanted (object_type, object_id, purpose, place) OFFSET 0) AS wanted \
     JOIN checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
          AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose";

/// As [`FIND`], and locks the rows until the transaction ends. In the order of their numbers, so
/// that transactions on the same lists cannot deadlock.
pub(super) const LOCK: &str = "SELECT wanted.place, c.number, c.revision, c.purged_revision, \
        c.template_id, c.template_version, c.completion_rule, c.locked, c.reordered, c.created_at, \
        c.audit_sequence, c.journal_cursor, c.journal_actor, c.journal_started_at, c.journal_events \
     FROM (SELECT $1::text AS tenant, * \
           FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY \
               AS wanted (object_type, object_id, purpose, place) OFFSET 0) AS wanted \
     JOIN checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
          AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose \
     ORDER BY c.number FOR UPDATE OF c";

/// The columns of an item, in the order in which they are read.
macro_rules! item_columns {
    () => {
        "item.checklist, item.id, item.template_key, item.origin, item.kind, \
         item.parent_id, item.sort_key, item.text, item.help, item.text_overridden, \
         item.template_text, item.status, item.reason, item.status_by, item.status_at, \
         item.attested, item.required, item.allow_not_applicable, \
         item.not_applicable_needs_reason, item.assignee, item.assignee_by_person, \
         item.due, item.due_by_person, item.note, item.version, item.status_version, \
         item.text_version, item.note_version, item.assignee_version, item.due_version, \
         item.place_version, item.revision, item.created_by, item.created_at, \
         item.modified_by, item.modified_at, item.retired_at, item.deleted_at, \
         item.changed_since_checked, item.due_day"
    };
}

/// All items of the lists with these numbers.
pub(super) const ITEMS: &str = concat!(
    "SELECT ",
    item_columns!(),
    " FROM (SELECT $1::text AS tenant, number FROM unnest($2::bigint[]) AS number OFFSET 0) AS wanted \
     JOIN item ON item.tenant = wanted.tenant AND item.checklist = wanted.number"
);

/// All items of the lists of three arrays (type, object, purpose).
pub(super) const ITEMS_OF: &str = concat!(
    "SELECT ",
    item_columns!(),
    " FROM (SELECT c.tenant, c.number FROM (SELECT $1::text AS tenant, * \
           FROM unnest($2::text[], $3::text[], $4::text[]) \
               AS wanted (object_type, object_id, purpose) OFFSET 0) AS wanted \
         JOIN checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
              AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose OFFSET 0) AS list \
     JOIN item ON item.tenant = list.tenant AND item.checklist = list.number"
);

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
        locked: get_json_option(header, 7)?,
        reordered: get(header, 8)?,
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
    }))
}

/// Items by the number of their list, or why they cannot be read.
pub(super) type ItemsByList = HashMap<i64, Result<Vec<Item>, PostgresError>>;

/// Groups a result of [`ITEMS`] or [`ITEMS_OF`] by the number of the list.
pub(super) fn items(rows: &[Row]) -> Result<ItemsByList, PostgresError> {
    let mut lists = ItemsByList::new();
    for row in rows {
        let list = lists.entry(get(row, 0)?).or_insert_with(|| Ok(Vec::new()));
        if let Ok(items) = list {
            match item(row) {
                Ok(item) => items.push(item),
                Err(error) => *list = Err(error),
            }
        }
    }
    Ok(lists)
}

fn item(row: &Row) -> Result<Item, PostgresError> {
    let parent: Option<uuid::Uuid> = get(row, 5)?;
    Ok(Item {
        id: get_id(row, 1)?,
        template_key: get(row, 2)?,
        origin: get_named(row, 3)?,
        kind: get_named(row, 4)?,
        parent_id: parent.map(|id| checklist_shared::ItemId::from_bytes(id.into_bytes())),
        sort_key: get(row, 6)?,
        text: get_json(row, 7)?,
        help: get_json_option(row, 8)?,
        text_overridden: get(row, 9)?,
        template_text: get_json_option(row, 10)?,
        status: get_named(row, 11)?,
        reason: get(row, 12)?,
        status_by: get_json_option(row, 13)?,
        status_at: get_time_option(row, 14)?,
        attested: get_json_option(row, 15)?,
        required: get(row, 16)?,
        allow_not_applicable: get(row, 17)?,
        not_applicable_needs_reason: get(row, 18)?,
        assignee: get(row, 19)?,
        assignee_by_person: get(row, 20)?,
        due: due::of_columns(get(row, 21)?, get(row, 39)?),
        due_by_person: get(row, 22)?,
        note: get(row, 23)?,
        version: get_u64(row, 24)?,
        changed_in: AspectVersions {
            status: get_u64(row, 25)?,
            text: get_u64(row, 26)?,
            note: get_u64(row, 27)?,
            assignee: get_u64(row, 28)?,
            due: get_u64(row, 29)?,
            place: get_u64(row, 30)?,
        },
        revision: get_u64(row, 31)?,
        created_by: get_json(row, 32)?,
        created_at: get_time(row, 33)?,
        modified_by: get_json(row, 34)?,
        modified_at: get_time(row, 35)?,
        retired_at: get_time_option(row, 36)?,
        deleted_at: get_time_option(row, 37)?,
        changed_since_checked: get(row, 38)?,
    })
}
