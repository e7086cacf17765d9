//! What reading the journal and reading the audit trail have in common.
//!
//! The contexts that a credential covers are part of the query: what is not covered is never
//! read. Called by `audit_rows` and `journal_rows`.

use checklist_shared::wire::admin::TokenContext;
use rusqlite::Result;

use super::columns::json;
use crate::auth::ContextScope;

/// The condition that a row's list is covered by the contexts in parameter 7 (a JSON array, or
/// NULL for any); its argument is the table's alias.
macro_rules! covered {
    ($alias:literal) => {
        concat!(
            "(?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(?7) scope
               WHERE scope.value ->> 'ObjectType' IN ('*', ",
            $alias,
            ".object_type) AND scope.value ->> 'ObjectId' IN ('*', ",
            $alias,
            ".object_id) AND scope.value ->> 'Purpose' IN ('*', ",
            $alias,
            ".purpose)))"
        )
    };
}
pub(super) use covered;

/// The contexts as parameter 7 takes them.
pub(super) fn scope_json(scope: &ContextScope) -> Result<Option<String>> {
    match scope {
        ContextScope::Any => Ok(None),
        ContextScope::Listed(contexts) => json::<[TokenContext]>(contexts).map(Some),
    }
}

/// Cuts the one row too many that was asked for; whether it was there.
pub(super) fn cut<T>(rows: &mut Vec<T>, limit: u32) -> bool {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    more
}
