//! Rows as arrays, one per column, so that one statement writes many rows.
//!
//! `save` fills them. The order of the fields is the order of the columns in the statement next to
//! them.

use tokio_postgres::types::ToSql;

/// A statement that has to affect as many rows as its first array has elements. If not, it fails
/// with a division by zero, which rolls the transaction back although the commit is sent together
/// with it. That happens only if another program has changed the database.
macro_rules! all_of {
    ($statement:literal) => {
        concat!(
            "WITH met AS (",
            $statement,
            " RETURNING 1) SELECT 1 / (count(*) = cardinality($2))::int FROM met"
        )
    };
}
pub(super) use all_of;

/// Defines a struct of columns that become the parameters of a statement, after the tenant.
macro_rules! arrays {
    ($(#[$doc:meta])* $name:ident { $($column:ident: $type:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(super) struct $name<'a> {
            $(pub(super) $column: Vec<$type>,)+
            of: std::marker::PhantomData<&'a ()>,
        }

        impl $name<'_> {
            pub(super) fn parameters<'p>(&'p self, tenant: &'p &str) -> Vec<&'p (dyn ToSql + Sync)> {
                vec![tenant, $(&self.$column),+]
            }
        }
    };
}

/// Inserts the headers of new lists.
pub(super) const INSERT_HEADERS: &str = "INSERT INTO checklist \
         (tenant, number, object_type, object_id, purpose, revision, reordered, created_at) \
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], \
         $7::boolean[], $8::bigint[])";

arrays! {
    /// For [`INSERT_HEADERS`].
    NewHeaders {
        number: i64,
        object_type: &'a str,
        object_id: &'a str,
        purpose: &'a str,
        revision: i64,
        reordered: bool,
        created_at: i64,
    }
}

/// Keeps runs that were closed.
pub(super) const INSERT_CLOSED_RUNS: &str = "INSERT INTO closed_run \
         (tenant, checklist, number, document) \
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[])";

arrays! {
    /// For [`INSERT_CLOSED_RUNS`].
    ClosedRuns {
        checklist: i64,
        number: i64,
        document: String,
    }
}

/// Notes the present runs of lists that started again, and deletes the items that they had before. As
/// with [`all_of`], it fails unless it meets all of the lists.
pub(super) const START_RUNS: &str = "WITH gone AS ( \
         DELETE FROM item WHERE tenant = $1 AND checklist = ANY ($2::bigint[])), \
     met AS ( \
         UPDATE checklist c SET run = new.run, run_since = new.since, created_at = new.created_at \
         FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) \
              AS new (number, run, since, created_at) \
         WHERE c.tenant IS NOT DISTINCT FROM $1 AND c.number = new.number RETURNING 1) \
     SELECT 1 / (count(*) = cardinality($2))::int FROM met";

arrays! {
    /// For [`START_RUNS`].
    Runs {
        number: i64,
        run: i64,
        since: i64,
        created_at: i64,
    }
}

/// Updates the columns of a header that can change.
pub(super) const UPDATE_HEADERS: &str = all_of!(
    "UPDATE checklist c \
     SET revision = new.revision, template_id = new.template_id, \
         template_version = new.template_version, completion_rule = new.completion_rule, \
         locked = new.locked, reordered = new.reordered, audit_sequence = new.audit_sequence, \
         journal_cursor = new.journal_cursor, journal_actor = new.journal_actor, \
         journal_started_at = new.journal_started_at, journal_events = new.journal_events, \
         waived = new.waived, facts = new.facts, changeable = new.changeable \
     FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], \
              $8::boolean[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], \
              $13::bigint[], $14::text[], $15::text[], $16::bigint[]) \
          AS new (number, revision, template_id, template_version, completion_rule, locked, \
              reordered, audit_sequence, journal_cursor, journal_actor, journal_started_at, \
              journal_events, waived, facts, changeable) \
     WHERE c.tenant IS NOT DISTINCT FROM $1 AND c.number = new.number"
);

arrays! {
    /// For [`UPDATE_HEADERS`].
    Headers {
        number: i64,
        revision: i64,
        template_id: Option<&'a str>,
        template_version: Option<i64>,
        completion_rule: Option<&'static str>,
        locked: Option<String>,
        reordered: bool,
        audit_sequence: i64,
        journal_cursor: i64,
        journal_actor: Option<&'a str>,
        journal_started_at: Option<i64>,
        journal_events: Option<i64>,
        waived: Option<String>,
        facts: Option<String>,
        changeable: i64,
    }
}

arrays! {
    /// For `webhook_rows::INSERT_DELIVERIES`.
    Deliveries {
        id: &'a str,
        webhook: &'a str,
        event: &'static str,
        body: &'a str,
        at: i64,
    }
}

arrays! {
    /// For `operation::REMEMBER`, whose last parameter follows.
    Operations {
        key: &'a [u8],
        body_hash: &'a [u8],
        used: i64,
        packed: Vec<u8>,
        at: i64,
    }
}

/// Appends to the audit trail.
pub(super) const INSERT_AUDIT: &str = "INSERT INTO audit (tenant, sequence, list_previous, \
         object_type, object_id, purpose, revision, operation_id, actor, actor_salt, at, event, \
         words, words_salt, hash) \
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], \
         $7::bigint[], $8::text[], $9::text[], $10::bytea[], $11::bigint[], $12::text[], \
         $13::text[], $14::bytea[], $15::bytea[])";

arrays! {
    /// For [`INSERT_AUDIT`].
    Audit {
        sequence: i64,
        list_previous: i64,
        object_type: &'a str,
        object_id: &'a str,
        purpose: &'a str,
        revision: i64,
        operation_id: Option<&'a str>,
        actor: &'a str,
        actor_salt: &'a [u8],
        at: i64,
        event: &'a str,
        words: &'a str,
        words_salt: &'a [u8],
        hash: Vec<u8>,
    }
}

/// Inserts new journal entries.
pub(super) const INSERT_JOURNAL: &str = "INSERT INTO journal (tenant, id, cursor, list_previous, \
         checklist, actor, started_at, continued_at, done, applicable, events, audit_sequence) \
     SELECT $1, cursor, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], \
         $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) \
         AS new (cursor, list_previous, checklist, actor, started_at, continued_at, done, \
             applicable, events, audit_sequence)";

/// Moves continued journal entries to their new cursors; `list_previous` has the old ones.
pub(super) const MOVE_JOURNAL: &str = all_of!(
    "UPDATE journal j \
     SET cursor = new.cursor, continued_at = new.continued_at, done = new.done, \
         applicable = new.applicable, events = new.events, audit_sequence = new.audit_sequence \
     FROM (SELECT $1::text AS tenant, * \
           FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], \
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) \
               AS new (cursor, stands_at, checklist, actor, started_at, continued_at, done, \
                   applicable, events, audit_sequence) OFFSET 0) AS new \
     WHERE j.tenant = new.tenant AND j.cursor = new.stands_at"
);

arrays! {
    /// For [`INSERT_JOURNAL`] and [`MOVE_JOURNAL`].
    Journal {
        cursor: i64,
        list_previous: i64,
        checklist: i64,
        actor: &'a str,
        started_at: i64,
        continued_at: i64,
        done: i64,
        applicable: i64,
        events: i64,
        audit_sequence: i64,
    }
}
