//! The rows of a list: reading it whole, writing what changed.
//!
//! Called by `facts` (reading) and `list_write` (writing). A save writes the header, which
//! counts the revision up, and only those items that differ from what was there.

use std::sync::Arc;

use checklist_shared::checklist::{Checklist, TemplateRef};
use checklist_shared::context::Context;
use checklist_shared::item::{AspectVersions, Item};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{
    Column, get_json, get_json_option, get_time, get_time_option, get_u64, int, json, json_option,
    time,
};
use crate::journal::Tail;
use crate::storage::list_key::ListKey;
use crate::storage::names::Named as _;

/// A list as it stands in the file.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// The row's number.
    pub(super) number: i64,
    /// The list itself.
    pub(super) list: Arc<Checklist>,
    pub(super) purged_revision: u64,
    pub(super) logs: ListLogs,
}

/// Where the logs of a list end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListLogs {
    /// The newest audit row, 0 for none.
    pub(super) audit_sequence: u64,
    /// The newest journal entry, 0 for none.
    pub(super) journal_cursor: u64,
    /// Whether the next operation may continue that entry.
    pub(super) journal_open: bool,
    /// The entry itself, where it was written since the list was loaded.
    pub(super) journal_tail: Option<Tail>,
    /// The newest remembered operation that has changed the list, 0 for none.
    pub(super) operation: i64,
}

/// The list of that key, all items included.
pub(super) fn load(connection: &Connection, key: &ListKey) -> Result<Option<Stored>> {
    let header = connection
        .prepare_cached(
            "SELECT number, revision, template_id, template_version, completion_rule, locked, reordered,
                    created_at, purged_revision, audit_sequence, journal_cursor, journal_open, operation
             FROM checklist
             WHERE tenant = ?1 AND object_type = ?2 AND object_id = ?3 AND purpose = ?4",
        )?
        .query_row(params![key.tenant, key.object_type, key.object_id, key.purpose], |row| {
            let stored = Stored {
                number: row.get(0)?,
                list: Arc::new(Checklist::empty(Context::new("", "", ""), get_time(row, 7)?)),
                purged_revision: get_u64(row, 8)?,
                logs: ListLogs {
                    audit_sequence: get_u64(row, 9)?,
                    journal_cursor: get_u64(row, 10)?,
                    journal_open: row.get(11)?,
                    journal_tail: None,
                    operation: row.get(12)?,
                },
            };
            let list = Checklist {
                context: Context::new(&key.object_type, &key.object_id, &key.purpose),
                revision: get_u64(row, 1)?,
                template: template_ref(row)?,
                locked: get_json_option(row, 5)?,
                reordered: row.get(6)?,
                created_at: get_time(row, 7)?,
                items: Vec::new(),
            };
            Ok((stored, list))
        })
        .optional()?;
    let Some((mut stored, mut list)) = header else {
        return Ok(None);
    };
    list.items = items(connection, &key.tenant, stored.number)?;
    stored.list = Arc::new(list);
    Ok(Some(stored))
}

fn template_ref(row: &Row<'_>) -> Result<Option<TemplateRef>> {
    let Some(id) = row.get::<_, Option<String>>(2)? else {
        return Ok(None);
    };
    let Column(completion_rule) = row.get(4)?;
    Ok(Some(TemplateRef {
        id,
        version: super::columns::get_u32(row, 3)?,
        completion_rule,
    }))
}

/// How many lists the object of that key has.
pub(super) fn purposes(connection: &Connection, key: &ListKey) -> Result<usize> {
    connection
        .prepare_cached("SELECT count(*) FROM checklist WHERE tenant = ?1 AND object_type = ?2 AND object_id = ?3")?
        .query_row(params![key.tenant, key.object_type, key.object_id], |row| row.get::<_, i64>(0))
        .map(|count| usize::try_from(count).unwrap_or(usize::MAX))
}

fn items(connection: &Connection, tenant: &str, number: i64) -> Result<Vec<Arc<Item>>> {
    connection
        .prepare_cached(
            "SELECT id, template_key, origin, kind, parent_id, sort_key, text, help, text_overridden, template_text,
                    status, reason, status_by, status_at, attested, required, allow_not_applicable,
                    not_applicable_needs_reason, assignee, assignee_by_person, due, due_by_person, note, version,
                    status_version, text_version, note_version, assignee_version, due_version, place_version,
                    revision, created_by, created_at, modified_by, modified_at, retired_at, deleted_at,
                    changed_since_checked
             FROM item WHERE tenant = ?1 AND checklist = ?2",
        )?
        .query_map(params![tenant, number], |row| item(row).map(Arc::new))?
        .collect()
}

fn item(row: &Row<'_>) -> Result<Item> {
    let Column(id) = row.get(0)?;
    let Column(origin) = row.get(2)?;
    let Column(kind) = row.get(3)?;
    let Column(status) = row.get(10)?;
    Ok(Item {
        id,
        template_key: row.get(1)?,
        origin,
        kind,
        parent_id: row.get::<_, Option<Column<_>>>(4)?.map(|Column(id)| id),
        sort_key: row.get(5)?,
        text: get_json(row, 6)?,
        help: get_json_option(row, 7)?,
        text_overridden: row.get(8)?,
        template_text: get_json_option(row, 9)?,
        status,
        reason: row.get(11)?,
        status_by: get_json_option(row, 12)?,
        status_at: get_time_option(row, 13)?,
        attested: get_json_option(row, 14)?,
        required: row.get(15)?,
        allow_not_applicable: row.get(16)?,
        not_applicable_needs_reason: row.get(17)?,
        assignee: row.get(18)?,
        assignee_by_person: row.get(19)?,
        due: get_time_option(row, 20)?,
        due_by_person: row.get(21)?,
        note: row.get(22)?,
        version: get_u64(row, 23)?,
        changed_in: AspectVersions {
            status: get_u64(row, 24)?,
            text: get_u64(row, 25)?,
            note: get_u64(row, 26)?,
            assignee: get_u64(row, 27)?,
            due: get_u64(row, 28)?,
            place: get_u64(row, 29)?,
        },
        revision: get_u64(row, 30)?,
        created_by: get_json(row, 31)?,
        created_at: get_time(row, 32)?,
        modified_by: get_json(row, 33)?,
        modified_at: get_time(row, 34)?,
        retired_at: get_time_option(row, 35)?,
        deleted_at: get_time_option(row, 36)?,
        changed_since_checked: row.get(37)?,
    })
}

/// Writes the header of a list that has no row yet, with the revision before the first; returns
/// the row's number.
pub(super) fn insert_header(
    connection: &Connection,
    key: &ListKey,
    list: &Checklist,
) -> Result<i64> {
    let template = list.template.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO checklist (tenant, object_type, object_id, purpose, revision, template_id, template_version,
                                    completion_rule, locked, reordered, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .insert(params![
            key.tenant,
            key.object_type,
            key.object_id,
            key.purpose,
            int(list.revision) - 1,
            template.map(|template| &template.id),
            template.map(|template| template.version),
            template.map(|template| template.completion_rule.name()),
            json_option(list.locked.as_ref())?,
            list.reordered,
            list.created_at.as_millis(),
        ])
}

/// Counts the revision up to `revision` and notes where the logs end. Returns how many rows
/// that concerned: one, unless the file was changed behind the server's back.
pub(super) fn count_revision(
    connection: &Connection,
    tenant: &str,
    number: i64,
    revision: u64,
    logs: &ListLogs,
) -> Result<usize> {
    connection
        .prepare_cached(
            "UPDATE checklist
             SET revision = revision + 1, audit_sequence = ?4, journal_cursor = ?5, journal_open = ?6, operation = ?7
             WHERE tenant = ?1 AND number = ?2 AND revision = ?3 - 1",
        )?
        .execute(params![
            tenant,
            number,
            int(revision),
            int(logs.audit_sequence),
            int(logs.journal_cursor),
            logs.journal_open,
            logs.operation,
        ])
}

/// Writes what else of the header can change.
pub(super) fn update_header(
    connection: &Connection,
    tenant: &str,
    number: i64,
    list: &Checklist,
) -> Result<usize> {
    let template = list.template.as_ref();
    connection
        .prepare_cached(
            "UPDATE checklist SET template_id = ?3, template_version = ?4, completion_rule = ?5, locked = ?6,
                    reordered = ?7
             WHERE tenant = ?1 AND number = ?2",
        )?
        .execute(params![
            tenant,
            number,
            template.map(|template| &template.id),
            template.map(|template| template.version),
            template.map(|template| template.completion_rule.name()),
            json_option(list.locked.as_ref())?,
            list.reordered,
        ])
}

/// Writes an item that has no row yet.
pub(super) fn insert_item(
    connection: &Connection,
    tenant: &str,
    number: i64,
    item: &Item,
) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO item (tenant, checklist, id, template_key, origin, created_by, created_at,
                    kind, parent_id, sort_key, text, help, text_overridden, template_text, status, reason, status_by,
                    status_at, attested, required, allow_not_applicable, not_applicable_needs_reason, assignee,
                    assignee_by_person, due, due_by_person, note, version, status_version, text_version, note_version,
                    assignee_version, due_version, place_version, revision, modified_by, modified_at, retired_at,
                    deleted_at, changed_since_checked)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                     ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40)",
        )?
        .execute(params![
            tenant,
            number,
            item.id.as_bytes(),
            item.template_key,
            item.origin.name(),
            json(&item.created_by)?,
            item.created_at.as_millis(),
            item.kind.name(),
            item.parent_id.as_ref().map(checklist_shared::ItemId::as_bytes),
            item.sort_key,
            json(&item.text)?,
            json_option(item.help.as_ref())?,
            item.text_overridden,
            json_option(item.template_text.as_ref())?,
            item.status.name(),
            item.reason,
            json_option(item.status_by.as_ref())?,
            time(item.status_at),
            json_option(item.attested.as_ref())?,
            item.required,
            item.allow_not_applicable,
            item.not_applicable_needs_reason,
            item.assignee,
            item.assignee_by_person,
            time(item.due),
            item.due_by_person,
            item.note,
            int(item.version),
            int(item.changed_in.status),
            int(item.changed_in.text),
            int(item.changed_in.note),
            int(item.changed_in.assignee),
            int(item.changed_in.due),
            int(item.changed_in.place),
            int(item.revision),
            json(&item.modified_by)?,
            item.modified_at.as_millis(),
            time(item.retired_at),
            time(item.deleted_at),
            item.changed_since_checked,
        ])
}

/// Writes an item over its row. Who made it, when, and from which template key never changes.
pub(super) fn update_item(
    connection: &Connection,
    tenant: &str,
    number: i64,
    item: &Item,
) -> Result<usize> {
    connection
        .prepare_cached(
            "UPDATE item SET kind = ?4, parent_id = ?5, sort_key = ?6, text = ?7, help = ?8, text_overridden = ?9,
                    template_text = ?10, required = ?11, allow_not_applicable = ?12,
                    not_applicable_needs_reason = ?13, assignee = ?14, assignee_by_person = ?15, due = ?16,
                    due_by_person = ?17, note = ?18, text_version = ?19, note_version = ?20, assignee_version = ?21,
                    due_version = ?22, place_version = ?23, retired_at = ?24, deleted_at = ?25
             WHERE tenant = ?1 AND checklist = ?2 AND id = ?3",
        )?
        .execute(params![
            tenant,
            number,
            item.id.as_bytes(),
            item.kind.name(),
            item.parent_id.as_ref().map(checklist_shared::ItemId::as_bytes),
            item.sort_key,
            json(&item.text)?,
            json_option(item.help.as_ref())?,
            item.text_overridden,
            json_option(item.template_text.as_ref())?,
            item.required,
            item.allow_not_applicable,
            item.not_applicable_needs_reason,
            item.assignee,
            item.assignee_by_person,
            time(item.due),
            item.due_by_person,
            item.note,
            int(item.changed_in.text),
            int(item.changed_in.note),
            int(item.changed_in.assignee),
            int(item.changed_in.due),
            int(item.changed_in.place),
            time(item.retired_at),
            time(item.deleted_at),
        ])
}

/// Writes the state of an item: all that a tick changes, and nothing that an index holds.
pub(super) fn update_state(
    connection: &Connection,
    tenant: &str,
    number: i64,
    item: &Item,
) -> Result<usize> {
    connection
        .prepare_cached(
            "UPDATE item SET status = ?4, reason = ?5, status_by = ?6, status_at = ?7, attested = ?8, version = ?9,
                    status_version = ?10, revision = ?11, modified_by = ?12, modified_at = ?13,
                    changed_since_checked = ?14
             WHERE tenant = ?1 AND checklist = ?2 AND id = ?3",
        )?
        .execute(params![
            tenant,
            number,
            item.id.as_bytes(),
            item.status.name(),
            item.reason,
            json_option(item.status_by.as_ref())?,
            time(item.status_at),
            json_option(item.attested.as_ref())?,
            int(item.version),
            int(item.changed_in.status),
            int(item.revision),
            json(&item.modified_by)?,
            item.modified_at.as_millis(),
            item.changed_since_checked,
        ])
}

/// Lists that follow an older version of a template: how many, and a page of them.
pub(super) fn behind(
    connection: &Connection,
    tenant: &str,
    template: &str,
    version: u32,
    after: u64,
    limit: u32,
) -> Result<crate::storage::store::Behind> {
    let total = connection
        .prepare_cached(
            "SELECT count(*) FROM checklist WHERE tenant = ?1 AND template_id = ?2 AND template_version < ?3",
        )?
        .query_row(params![tenant, template, version], |row| get_u64(row, 0))?;
    let mut page = crate::storage::store::Behind {
        total,
        lists: Vec::new(),
        after,
    };
    let mut statement = connection.prepare_cached(
        "SELECT number, object_type, object_id, purpose FROM checklist
         WHERE tenant = ?1 AND template_id = ?2 AND template_version < ?3 AND number > ?4
         ORDER BY number LIMIT ?5",
    )?;
    let mut rows = statement.query(params![tenant, template, version, int(after), limit])?;
    while let Some(row) = rows.next()? {
        page.after = get_u64(row, 0)?;
        let (object_type, object_id, purpose) = (
            row.get_ref(1)?.as_str()?,
            row.get_ref(2)?.as_str()?,
            row.get_ref(3)?.as_str()?,
        );
        page.lists
            .push(Context::new(object_type, object_id, purpose));
    }
    Ok(page)
}
