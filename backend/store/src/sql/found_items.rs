//! Positions of items, and lists, in the order of an index, restricted to the lists of a scope.
//!
//! The condition of the scope stands in the query: what is not covered is never returned. It is
//! passed as JSON, an array of patterns of three texts each; NULL is every list.

use checklist_shared::context::Context;
use serde_json::json;

use super::{DialectSql, Row, Session, Value, values};
use crate::found_items::{ItemHit, ItemOrder, ItemPosition, ItemSearch, ListSearch, NEVER};
use crate::scope::ContextScope;
use crate::store::StoreError;

/// A statement that ends with the condition that the list `c` is covered by `$7`, and is of the
/// object type `$8`, and then goes on with `$after`.
macro_rules! covered {
    ($before:expr, $after:expr) => {
        DialectSql {
            sqlite: covered!($before, "json_each($7::text) pattern", $after),
            postgres: covered!(
                $before,
                "jsonb_array_elements($7::text::jsonb) AS pattern (value)",
                $after
            ),
        }
    };
    ($before:expr, $patterns:literal, $after:expr) => {
        concat!(
            $before,
            " AND ($8::text IS NULL OR c.object_type = $8)
              AND ($7::text IS NULL OR EXISTS (SELECT 1 FROM ",
            $patterns,
            " WHERE (pattern.value ->> 0 = '*' OR pattern.value ->> 0 = c.object_type)
                AND (pattern.value ->> 1 = '*' OR pattern.value ->> 1 = c.object_id)
                AND (pattern.value ->> 2 = '*' OR pattern.value ->> 2 = c.purpose)))",
            $after
        )
    };
}

/// Positions along an index of `open_item`. The arguments are the column of the order, what the order
/// begins with, and a condition.
///
/// While a table is nearly empty, all its indexes cost PostgreSQL the same, and a session keeps the plan. So
/// the list is looked up by its number, as no index supports `IS NOT DISTINCT FROM`, and no index but the
/// wanted one has the order.
macro_rules! positions {
    ($at:literal, $first:literal, $condition:literal) => {
        covered!(
            concat!(
                "SELECT o.",
                $at,
                ", o.checklist, o.id, c.object_type, c.object_id, c.purpose
                 FROM open_item o
                 JOIN checklist c ON c.tenant IS NOT DISTINCT FROM o.tenant AND c.number = o.checklist
                 WHERE o.tenant = $1 AND (o.",
                $at,
                ", o.checklist, o.id) > ($2, $3, $4) AND o.",
                $at,
                " <= $5 AND ",
                $condition
            ),
            concat!(" ORDER BY ", $first, "o.", $at, ", o.checklist, o.id LIMIT $6")
        )
    };
}

/// Written as a range: what is equal to a parameter is not part of an order.
const ASSIGNED: DialectSql = positions!(
    "due",
    "o.assignee, ",
    "o.assignee IS NOT NULL AND (o.assignee, o.due, o.checklist, o.id) > ($9, $2, $3, $4)
                 AND (o.assignee, o.due) <= ($9, $5)"
);
const DUE: DialectSql = positions!("due", "", "o.due < 9223372036854775807");
const PROPOSED: DialectSql = positions!("proposed", "", "o.proposed IS NOT NULL");

const LISTS: DialectSql = covered!(
    "SELECT c.object_type, c.object_id, c.purpose FROM checklist c
     WHERE c.tenant = $1 AND (c.object_id, c.object_type, c.purpose) > ($2, $3, $4) AND $5::bigint = 0",
    " ORDER BY c.object_id, c.object_type, c.purpose LIMIT $6"
);

/// Items in an order, each once.
pub(crate) async fn items<S: Session>(
    session: &mut S,
    tenant: &str,
    search: &ItemSearch,
) -> Result<Vec<ItemHit>, StoreError> {
    let scope = patterns(&search.scope);
    let (sql, until, assignee) = match &search.order {
        ItemOrder::Assigned { id, until } => (ASSIGNED, *until, Some(id)),
        ItemOrder::Due { until } => (DUE, *until, None),
        ItemOrder::Proposed => (PROPOSED, NEVER, None),
    };
    let after = &search.after;
    let mut parameters = values![
        tenant,
        after.at,
        after.checklist,
        &after.id,
        until,
        search.limit,
        scope.as_ref(),
        search.object_type.as_ref(),
    ];
    parameters.extend(assignee.map(Value::from));
    session
        .query_map(sql.of(S::DIALECT), parameters, hit_of)
        .await
}

/// Lists by object id, object type and purpose.
pub(crate) async fn lists<S: Session>(
    session: &mut S,
    tenant: &str,
    search: &ListSearch,
) -> Result<Vec<Context>, StoreError> {
    let scope = patterns(&search.scope);
    let (object_id, object_type, purpose) = &search.after;
    let parameters = values![
        tenant,
        object_id,
        object_type,
        purpose,
        0_i64,
        search.limit,
        scope.as_ref(),
        search.object_type.as_ref(),
    ];
    let sql = LISTS.of(S::DIALECT);
    session
        .query_map(sql, parameters, |row| context_of(row, 0))
        .await
}

fn patterns(scope: &ContextScope) -> Option<String> {
    match scope {
        ContextScope::Any => None,
        ContextScope::Listed(entries) => {
            let patterns = entries
                .iter()
                .map(|entry| json!([entry.object_type, entry.object_id, entry.purpose]));
            Some(serde_json::Value::from_iter(patterns).to_string())
        }
    }
}

fn hit_of(row: &Row) -> Result<ItemHit, StoreError> {
    let id = row.get_bytes(2)?;
    Ok(ItemHit {
        position: ItemPosition {
            at: row.get_i64(0)?,
            checklist: row.get_i64(1)?,
            id: id.to_owned(),
        },
        context: context_of(row, 3)?,
        item: row.get_item_id(2)?,
    })
}

pub(super) fn context_of(row: &Row, first: usize) -> Result<Context, StoreError> {
    Ok(Context::new(
        row.get_text(first)?,
        row.get_text(first + 1)?,
        row.get_text(first + 2)?,
    ))
}
