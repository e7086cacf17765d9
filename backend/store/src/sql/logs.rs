//! The shared part of reading the journal and the audit trail.
//!
//! The contexts that a credential covers are part of the query: other rows are never read.

use checklist_shared::wire::admin::TokenContext;

use super::{DialectSql, Row, Session, json, values};
use crate::scope::ContextScope;
use crate::store::{LogFilter, LogRows, StoreError};

/// The condition that a row's list is covered by the contexts in parameter 7: a JSON array, or NULL
/// for any. The arguments are the database and the alias of the table.
macro_rules! covered {
    (sqlite, $alias:literal) => {
        concat!(
            "($7::text IS NULL OR EXISTS (SELECT 1 FROM json_each($7) scope
               WHERE scope.value ->> 'ObjectType' IN ('*', ",
            $alias,
            ".object_type) AND scope.value ->> 'ObjectId' IN ('*', ",
            $alias,
            ".object_id) AND scope.value ->> 'Purpose' IN ('*', ",
            $alias,
            ".purpose)))"
        )
    };
    (postgres, $alias:literal) => {
        concat!(
            "($7::text IS NULL OR EXISTS (SELECT 1 FROM jsonb_to_recordset($7::text::jsonb)
               AS scope (\"ObjectType\" text, \"ObjectId\" text, \"Purpose\" text)
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
pub(crate) use covered;

/// Joins the next table after the present one. SQLite keeps that order only with `CROSS JOIN`.
macro_rules! join {
    (sqlite) => {
        " CROSS JOIN "
    };
    (postgres) => {
        " JOIN "
    };
}
pub(crate) use join;

/// The text of a query for both databases, made by a macro whose first argument is the database.
macro_rules! both {
    ($query:ident, $($argument:literal),*) => {
        $crate::sql::session::DialectSql {
            sqlite: $query!(sqlite, $($argument),*),
            postgres: $query!(postgres, $($argument),*),
        }
    };
}
pub(crate) use both;

/// The queries for a log, with the parameters 1 to 9 of [`page`].
pub(crate) struct LogQueries {
    /// With an object in the filter: starts from its few lists.
    pub(crate) of_object: OrderedQueries,
    /// Otherwise: scans the log from the cursor.
    pub(crate) of_tenant: OrderedQueries,
    /// As `of_tenant`, for changes of lists only; `None` for a log without other rows.
    pub(crate) of_lists: Option<OrderedQueries>,
    /// As `of_tenant`, for administrators' acts only.
    pub(crate) of_administration: Option<OrderedQueries>,
}

/// The same query in both orders.
pub(crate) struct OrderedQueries {
    pub(crate) oldest_first: DialectSql,
    pub(crate) newest_first: DialectSql,
}

impl LogQueries {
    const fn matching(&self, filter: &LogFilter) -> &OrderedQueries {
        match (filter.rows, &self.of_lists, &self.of_administration) {
            (LogRows::Administration, _, Some(queries)) => queries,
            _ if filter.object_id.is_some() => &self.of_object,
            (LogRows::Lists, Some(queries), _) => queries,
            _ => &self.of_tenant,
        }
    }
}

/// The rows after the filter's cursor, in its order, and whether there are more.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    queries: &LogQueries,
    tenant: &str,
    filter: &LogFilter,
) -> Result<(Vec<Row>, bool), StoreError> {
    let queries = queries.matching(filter);
    let (query, after) = match (filter.newest_first, filter.after) {
        (false, after) => (queries.oldest_first, after),
        (true, 0) => (queries.newest_first, u64::MAX),
        (true, after) => (queries.newest_first, after),
    };
    let contexts = match &filter.scope {
        ContextScope::Any => None,
        ContextScope::Listed(contexts) => Some(json::<[TokenContext]>(contexts)?),
    };
    let parameters = values![
        tenant,
        after,
        // One more than requested, to know whether there are more.
        u64::from(filter.limit) + 1,
        filter.object_type.as_ref(),
        filter.object_id.as_ref(),
        filter.purpose.as_ref(),
        contexts.as_ref(),
        filter.from,
        filter.to,
    ];
    let mut rows = session.query(query.of(S::DIALECT), parameters).await?;
    let limit = usize::try_from(filter.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    Ok((rows, more))
}
