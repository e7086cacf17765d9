//! The shared part of reading the journal and the audit trail.
//!
//! The contexts that a credential covers are part of the query: other rows are never read.

use checklist_shared::wire::admin::TokenContext;
use tokio_postgres::Row;

use super::columns::{int, json, time};
use super::error::PostgresError;
use super::session::Session;
use crate::scope::ContextScope;
use crate::store::{LogFilter, LogRows};

/// The condition that a row's list is covered by the contexts in parameter 7: a JSON array, or NULL
/// for any. The argument is the alias of the table.
macro_rules! covered {
    ($alias:literal) => {
        concat!(
            "($7::text IS NULL OR EXISTS (SELECT 1 FROM jsonb_to_recordset($7::text::jsonb) \
               AS scope (\"ObjectType\" text, \"ObjectId\" text, \"Purpose\" text) \
               WHERE scope.\"ObjectType\" IN ('*', ",
            $alias,
            ".object_type) AND scope.\"ObjectId\" IN ('*', ",
            $alias,
            ".object_id) AND scope.\"Purpose\" IN ('*', ",
            $alias,
            ".purpose)))"
        )
    };
}
pub(super) use covered;

/// The contexts as parameter 7.
fn scope_json(scope: &ContextScope) -> Result<Option<String>, PostgresError> {
    match scope {
        ContextScope::Any => Ok(None),
        ContextScope::Listed(contexts) => json::<[TokenContext]>(contexts).map(Some),
    }
}

/// The queries for a log, with the parameters 1 to 9 of [`page`].
pub(super) struct LogQueries {
    /// With an object in the filter: starts from its few lists.
    pub(super) of_object: OrderedQueries,
    /// Otherwise: scans the log from the cursor.
    pub(super) of_tenant: OrderedQueries,
    /// As `of_tenant`, for changes of lists only; `None` for a log without other rows.
    pub(super) of_lists: Option<OrderedQueries>,
    /// As `of_tenant`, for administrators' acts only.
    pub(super) of_administration: Option<OrderedQueries>,
}

/// The same query in both orders.
pub(super) struct OrderedQueries {
    pub(super) oldest_first: &'static str,
    pub(super) newest_first: &'static str,
}

/// The rows after the filter's cursor, in its order, and whether there are more.
pub(super) async fn page(
    session: &mut Session,
    ways: &LogQueries,
    tenant: &str,
    filter: &LogFilter,
) -> Result<(Vec<Row>, bool), PostgresError> {
    let orders = match (filter.rows, &ways.of_lists, &ways.of_administration) {
        (LogRows::Administration, _, Some(orders)) => orders,
        _ if filter.object_id.is_some() => &ways.of_object,
        (LogRows::Lists, Some(orders), _) => orders,
        _ => &ways.of_tenant,
    };
    let (sql, after) = match (filter.newest_first, filter.after) {
        (false, after) => (orders.oldest_first, int(after)),
        (true, 0) => (orders.newest_first, i64::MAX),
        (true, after) => (orders.newest_first, int(after)),
    };
    // One more than requested, to know whether there are more.
    let limit = i64::from(filter.limit) + 1;
    let mut rows = session
        .query(
            sql,
            &[
                &tenant,
                &after,
                &limit,
                &filter.object_type,
                &filter.object_id,
                &filter.purpose,
                &scope_json(&filter.scope)?,
                &time(filter.from),
                &time(filter.to),
            ],
        )
        .await?;
    let limit = usize::try_from(filter.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    Ok((rows, more))
}

/// Whether the filter contains a text that no row can contain.
pub(super) fn names_nobody(filter: &LogFilter) -> bool {
    [&filter.object_type, &filter.object_id, &filter.purpose]
        .into_iter()
        .flatten()
        .any(|name| name.contains('\0'))
}
