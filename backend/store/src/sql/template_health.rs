//! The rows that the health of a template is counted from.
//!
//! Invariant: the work depends on the page, not on the stored data. The lists come along an index, their
//! items lie beside each other, and the rows of their histories are walked backwards, up to a maximum.

use checklist_shared::event::What;
use checklist_shared::id::ItemId;
use checklist_shared::item::Kind;
use serde::Deserialize;

use super::logs::{both, join};
use super::{DialectSql, Row, Session, values};
use crate::due;
use crate::store::StoreError;
use crate::template_health::{
    HealthItem, HealthList, HealthRows, HealthSearch, HealthSource, ListPosition, StatusChange,
};

/// The lists of a page, by the parameters 1 to 6.
macro_rules! page {
    () => {
        "SELECT template_version, number, created_at, audit_sequence, run_since FROM checklist
         WHERE tenant = $1 AND template_id = $2 AND template_version >= $3
           AND (template_version, number) < ($4, $5)
         ORDER BY template_version DESC, number DESC LIMIT $6"
    };
}

pub(crate) const LISTS: &str = page!();

/// Items of those of the lists that began at parameter 7 or later. A section is no item, what was applied
/// from another template has no key and was added by nobody, and an item of the template may have become
/// a row to read.
macro_rules! items {
    ($database:ident, $which:literal) => {
        concat!(
            "SELECT i.checklist, i.id, i.template_key, i.text_overridden, i.retired_at, i.deleted_at,
                 i.status, i.status_at, i.due, i.due_day,
                 CASE WHEN i.template_key IS NULL THEN i.text END, i.kind, i.definition_by_person
             FROM (",
            page!(),
            ") c",
            join!($database),
            "item i ON i.tenant = $1 AND i.checklist = c.number
             WHERE c.created_at >= $7 AND ",
            $which
        )
    };
}

pub(crate) const ITEMS: DialectSql = both!(
    items,
    "(i.template_key IS NOT NULL AND i.kind <> 'Section'
       OR i.template_key IS NULL AND i.kind = 'Item' AND i.origin <> 'Template' AND i.deleted_at IS NULL)"
);

/// The row of the trail with that number. PostgreSQL would rather walk the trail of all lists than look up
/// each row, unless it cannot.
macro_rules! look_up {
    (sqlite, $sequence:literal) => {
        concat!(
            " CROSS JOIN audit a ON a.tenant = $1 AND a.sequence = ",
            $sequence
        )
    };
    (postgres, $sequence:literal) => {
        concat!(
            " CROSS JOIN LATERAL (SELECT list_previous, revision, at, event FROM audit
                WHERE tenant = $1 AND sequence = ",
            $sequence,
            " LIMIT 1) a"
        )
    };
}

/// The rows of the trail about these lists, from the newest one back to the beginning of the run, one
/// step in all lists after the other, at most as many as parameter 8 says.
macro_rules! changes {
    ($database:ident, $within:literal, $around:literal) => {
        concat!(
            "WITH RECURSIVE trail (list, since, previous, revision, at, event) AS (
                 SELECT c.number, c.run_since, a.list_previous, a.revision, a.at, a.event FROM (",
            page!(),
            ") c",
            look_up!($database, "c.audit_sequence"),
            " WHERE c.created_at >= $7
                 UNION ALL
                 SELECT t.list, t.since, a.list_previous, a.revision, a.at, a.event FROM trail t",
            look_up!($database, "t.previous"),
            " WHERE t.previous > 0 AND a.revision > t.since",
            $within,
            ") SELECT list, at,
                 CASE WHEN event LIKE '%\"What\":\"Checked\"%'
                        OR event LIKE '%\"What\":\"MarkedNotApplicable\"%'
                        OR event LIKE '%\"What\":\"Reopened\"%' THEN event END
             FROM (SELECT * FROM trail",
            $around,
            ") t WHERE revision > since"
        )
    };
}

/// Each database stops the walk in its own way.
pub(crate) const CHANGES: DialectSql = DialectSql {
    sqlite: changes!(sqlite, " LIMIT $8", ""),
    postgres: changes!(postgres, "", " LIMIT $8"),
};

/// A page of lists with everything that is counted in them. Has to read from one snapshot.
pub(crate) async fn rows<S: Session>(
    session: &mut S,
    tenant: &str,
    search: &HealthSearch,
) -> Result<HealthRows, StoreError> {
    let most = i64::MAX;
    let (version, number) = match (search.after, search.version) {
        (Some(after), _) => (
            i64::from(after.version),
            i64::try_from(after.number).unwrap_or(most),
        ),
        (None, Some(version)) => (i64::from(version), most),
        (None, None) => (most, most),
    };
    let page = values![
        tenant,
        &search.template,
        search.version.unwrap_or(0),
        version,
        number,
        search.lists,
    ];
    let lists = session.query_map(LISTS, page.clone(), list_of).await?;
    if lists.is_empty() {
        return Ok(HealthRows::default());
    }
    let mut parameters = page;
    let since = search.since.map_or(i64::MIN, |since| since.as_millis());
    parameters.push(since.into());
    let items = ITEMS.of(S::DIALECT);
    let items = session
        .query_map(items, parameters.clone(), item_of)
        .await?;
    parameters.push(search.rows.into());
    let changes = CHANGES.of(S::DIALECT);
    let changes = session.query_map(changes, parameters, change_of).await?;
    Ok(HealthRows {
        lists,
        items,
        is_cut: changes.len() >= usize::try_from(search.rows).unwrap_or(usize::MAX),
        changes: changes.into_iter().flatten().collect(),
    })
}

fn list_of(row: &Row) -> Result<HealthList, StoreError> {
    Ok(HealthList {
        position: ListPosition {
            version: row.get_u32(0)?,
            number: row.get_u64(1)?,
        },
        started_at: row.get_time(2)?,
    })
}

fn item_of(row: &Row) -> Result<HealthItem, StoreError> {
    let source = match row.get_text_option(2)? {
        Some(key) => HealthSource::Template {
            key: key.to_owned(),
            is_edited: row.get_bool(3)? || row.get_u64(12)? > 0,
            is_info: row.get_named::<Kind>(11)? == Kind::Info,
            is_retired: row.get_time_option(4)?.is_some(),
            is_deleted: row.get_time_option(5)?.is_some(),
        },
        None => HealthSource::Added(row.get_json(10)?),
    };
    Ok(HealthItem {
        list: row.get_u64(0)?,
        id: row.get_item_id(1)?,
        source,
        status: row.get_named(6)?,
        status_at: row.get_time_option(7)?,
        due: due::of_columns(row.get_i64_option(8)?, row.get_i64_option(9)?),
    })
}

/// What of an event is counted.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Counted {
    what: What,
    item_id: Option<ItemId>,
}

fn change_of(row: &Row) -> Result<Option<StatusChange>, StoreError> {
    let Some(event) = row.get_json_option::<Counted>(2)? else {
        return Ok(None);
    };
    let (list, at) = (row.get_u64(0)?, row.get_time(1)?);
    Ok(event.item_id.map(|id| StatusChange {
        list,
        id,
        what: event.what,
        at,
    }))
}
