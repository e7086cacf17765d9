//! Rows as arrays, one per column, so that one statement writes many rows.
//!
//! `save` fills them. The order of the fields is the order of the columns in the statement next to
//! them.

use checklist_shared::item::Item;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::columns::{id, int, json, json_option, time};
use super::error::PostgresError;
use crate::due;

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

/// Updates the columns of a header that can change.
pub(super) const UPDATE_HEADERS: &str = all_of!(
    "UPDATE checklist c \
     SET revision = new.revision, template_id = new.template_id, \
         template_version = new.template_version, completion_rule = new.completion_rule, \
         locked = new.locked, reordered = new.reordered, audit_sequence = new.audit_sequence, \
         journal_cursor = new.journal_cursor, journal_actor = new.journal_actor, \
         journal_started_at = new.journal_started_at, journal_events = new.journal_events \
     FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], \
              $8::boolean[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], \
              $13::bigint[]) \
          AS new (number, revision, template_id, template_version, completion_rule, locked, \
              reordered, audit_sequence, journal_cursor, journal_actor, journal_started_at, \
              journal_events) \
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
    }
}

/// Inserts new items.
pub(super) const INSERT_ITEMS: &str = "INSERT INTO item (tenant, checklist, id, template_key, \
         origin, kind, parent_id, sort_key, text, help, text_overridden, template_text, status, \
         reason, status_by, status_at, attested, required, allow_not_applicable, \
         not_applicable_needs_reason, assignee, assignee_by_person, due, due_by_person, note, \
         version, status_version, text_version, note_version, assignee_version, due_version, \
         place_version, revision, created_by, created_at, modified_by, modified_at, retired_at, \
         deleted_at, changed_since_checked, due_day) \
     SELECT $1, * FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], \
         $7::uuid[], $8::text[], $9::text[], $10::text[], $11::boolean[], $12::text[], \
         $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::boolean[], \
         $19::boolean[], $20::boolean[], $21::text[], $22::boolean[], $23::bigint[], \
         $24::boolean[], $25::text[], $26::bigint[], $27::bigint[], $28::bigint[], \
         $29::bigint[], $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::text[], \
         $35::bigint[], $36::text[], $37::bigint[], $38::bigint[], $39::bigint[], $40::boolean[], \
         $41::bigint[])";

/// Updates items. The creator, creation time and template key never change.
pub(super) const UPDATE_ITEMS: &str = all_of!(
    "UPDATE item i \
     SET kind = new.kind, parent_id = new.parent_id, sort_key = new.sort_key, text = new.text, \
         help = new.help, text_overridden = new.text_overridden, \
         template_text = new.template_text, status = new.status, reason = new.reason, \
         status_by = new.status_by, status_at = new.status_at, attested = new.attested, \
         required = new.required, allow_not_applicable = new.allow_not_applicable, \
         not_applicable_needs_reason = new.not_applicable_needs_reason, \
         assignee = new.assignee, assignee_by_person = new.assignee_by_person, due = new.due, \
         due_by_person = new.due_by_person, note = new.note, version = new.version, \
         status_version = new.status_version, text_version = new.text_version, \
         note_version = new.note_version, assignee_version = new.assignee_version, \
         due_version = new.due_version, place_version = new.place_version, \
         revision = new.revision, modified_by = new.modified_by, \
         modified_at = new.modified_at, retired_at = new.retired_at, \
         deleted_at = new.deleted_at, changed_since_checked = new.changed_since_checked, \
         due_day = new.due_day \
     FROM (SELECT $1::text AS tenant, * \
         FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], \
         $7::uuid[], $8::text[], $9::text[], $10::text[], $11::boolean[], $12::text[], \
         $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::boolean[], \
         $19::boolean[], $20::boolean[], $21::text[], $22::boolean[], $23::bigint[], \
         $24::boolean[], $25::text[], $26::bigint[], $27::bigint[], $28::bigint[], \
         $29::bigint[], $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::text[], \
         $35::bigint[], $36::text[], $37::bigint[], $38::bigint[], $39::bigint[], $40::boolean[], \
         $41::bigint[]) \
         AS new (checklist, id, template_key, origin, kind, parent_id, sort_key, text, help, \
             text_overridden, template_text, status, reason, status_by, status_at, attested, \
             required, allow_not_applicable, not_applicable_needs_reason, assignee, \
             assignee_by_person, due, due_by_person, note, version, status_version, \
             text_version, note_version, assignee_version, due_version, place_version, revision, \
             created_by, created_at, modified_by, modified_at, retired_at, deleted_at, \
             changed_since_checked, due_day) OFFSET 0) AS new \
     WHERE i.tenant = new.tenant AND i.checklist = new.checklist AND i.id = new.id"
);

arrays! {
    /// For [`INSERT_ITEMS`] and [`UPDATE_ITEMS`].
    Items {
        checklist: i64,
        id: Uuid,
        template_key: Option<&'a str>,
        origin: &'static str,
        kind: &'static str,
        parent_id: Option<Uuid>,
        sort_key: &'a str,
        text: String,
        help: Option<String>,
        text_overridden: bool,
        template_text: Option<String>,
        status: &'static str,
        reason: Option<&'a str>,
        status_by: Option<String>,
        status_at: Option<i64>,
        attested: Option<String>,
        required: bool,
        allow_not_applicable: bool,
        not_applicable_needs_reason: bool,
        assignee: Option<&'a str>,
        assignee_by_person: bool,
        due: Option<i64>,
        due_by_person: bool,
        note: Option<&'a str>,
        version: i64,
        status_version: i64,
        text_version: i64,
        note_version: i64,
        assignee_version: i64,
        due_version: i64,
        place_version: i64,
        revision: i64,
        created_by: String,
        created_at: i64,
        modified_by: String,
        modified_at: i64,
        retired_at: Option<i64>,
        deleted_at: Option<i64>,
        changed_since_checked: bool,
        due_day: Option<i64>,
    }
}

impl<'a> Items<'a> {
    pub(super) fn push(&mut self, list: i64, item: &'a Item) -> Result<(), PostgresError> {
        self.checklist.push(list);
        self.id.push(id(&item.id));
        self.template_key.push(item.template_key.as_deref());
        self.origin.push(item.origin.name());
        self.kind.push(item.kind.name());
        self.parent_id.push(item.parent_id.as_ref().map(id));
        self.sort_key.push(&item.sort_key);
        self.text.push(json(&item.text)?);
        self.help.push(json_option(item.help.as_ref())?);
        self.text_overridden.push(item.text_overridden);
        self.template_text
            .push(json_option(item.template_text.as_ref())?);
        self.status.push(item.status.name());
        self.reason.push(item.reason.as_deref());
        self.status_by.push(json_option(item.status_by.as_ref())?);
        self.status_at.push(time(item.status_at));
        self.attested.push(json_option(item.attested.as_ref())?);
        self.required.push(item.required);
        self.allow_not_applicable.push(item.allow_not_applicable);
        self.not_applicable_needs_reason
            .push(item.not_applicable_needs_reason);
        self.assignee.push(item.assignee.as_deref());
        self.assignee_by_person.push(item.assignee_by_person);
        let (due, due_day) = due::to_columns(item.due);
        self.due.push(due);
        self.due_day.push(due_day);
        self.due_by_person.push(item.due_by_person);
        self.note.push(item.note.as_deref());
        self.version.push(int(item.version));
        self.status_version.push(int(item.changed_in.status));
        self.text_version.push(int(item.changed_in.text));
        self.note_version.push(int(item.changed_in.note));
        self.assignee_version.push(int(item.changed_in.assignee));
        self.due_version.push(int(item.changed_in.due));
        self.place_version.push(int(item.changed_in.place));
        self.revision.push(int(item.revision));
        self.created_by.push(json(&item.created_by)?);
        self.created_at.push(item.created_at.as_millis());
        self.modified_by.push(json(&item.modified_by)?);
        self.modified_at.push(item.modified_at.as_millis());
        self.retired_at.push(time(item.retired_at));
        self.deleted_at.push(time(item.deleted_at));
        self.changed_since_checked.push(item.changed_since_checked);
        Ok(())
    }
}

/// Updates the state of items: the columns that a tick changes, none of which is indexed.
pub(super) const UPDATE_STATES: &str = all_of!(
    "UPDATE item i \
     SET status = new.status, reason = new.reason, status_by = new.status_by, \
         status_at = new.status_at, attested = new.attested, version = new.version, \
         status_version = new.status_version, revision = new.revision, \
         modified_by = new.modified_by, modified_at = new.modified_at, \
         changed_since_checked = new.changed_since_checked \
     FROM (SELECT $1::text AS tenant, * \
         FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], \
              $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], \
              $13::bigint[], $14::boolean[]) \
          AS new (checklist, id, status, reason, status_by, status_at, attested, version, \
              status_version, revision, modified_by, modified_at, changed_since_checked) \
          OFFSET 0) AS new \
     WHERE i.tenant = new.tenant AND i.checklist = new.checklist AND i.id = new.id"
);

arrays! {
    /// For [`UPDATE_STATES`].
    States {
        checklist: i64,
        id: Uuid,
        status: &'static str,
        reason: Option<&'a str>,
        status_by: Option<String>,
        status_at: Option<i64>,
        attested: Option<String>,
        version: i64,
        status_version: i64,
        revision: i64,
        modified_by: String,
        modified_at: i64,
        changed_since_checked: bool,
    }
}

impl<'a> States<'a> {
    pub(super) fn push(&mut self, list: i64, item: &'a Item) -> Result<(), PostgresError> {
        self.checklist.push(list);
        self.id.push(id(&item.id));
        self.status.push(item.status.name());
        self.reason.push(item.reason.as_deref());
        self.status_by.push(json_option(item.status_by.as_ref())?);
        self.status_at.push(time(item.status_at));
        self.attested.push(json_option(item.attested.as_ref())?);
        self.version.push(int(item.version));
        self.status_version.push(int(item.changed_in.status));
        self.revision.push(int(item.revision));
        self.modified_by.push(json(&item.modified_by)?);
        self.modified_at.push(item.modified_at.as_millis());
        self.changed_since_checked.push(item.changed_since_checked);
        Ok(())
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
         object_type, object_id, purpose, revision, operation_id, actor, at, event, hash) \
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], \
         $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::bytea[])";

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
        at: i64,
        event: &'a str,
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
