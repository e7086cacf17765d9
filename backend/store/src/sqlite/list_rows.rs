//! The header row of a list: loads it with all items (`item_rows`), writes what changed.
//!
//! A save writes the header, which gets the new revision, and only the items that differ from the
//! stored ones.

use std::sync::Arc;

use checklist_shared::checklist::{Checklist, Run, TemplateRef};
use checklist_shared::context::Context;
use checklist_shared::definition::DefinitionFields;
use checklist_shared::run::ClosedRun;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{Column, get_json_option, get_time, get_u32, get_u64, int, json, json_option};
use super::item_rows;
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
    /// Whether the next operation may continue that entry.
    pub(super) journal_open: bool,
    /// The entry itself, if it was written since the list was loaded.
    pub(super) journal_tail: Option<Tail>,
    /// The newest stored operation that changed the list; 0 for none.
    pub(super) operation: i64,
}

/// Loads the list with that key and all its items.
pub(super) fn load(connection: &Connection, key: &ListKey) -> Result<Option<StoredList>> {
    let header = connection
        .prepare_cached(
            "SELECT number, revision, template_id, template_version, completion_rule, locked, reordered,
                    created_at, purged_revision, audit_sequence, journal_cursor, journal_open, operation,
                    waived, run, run_since, facts, changeable
             FROM checklist
             WHERE tenant = ?1 AND object_type = ?2 AND object_id = ?3 AND purpose = ?4",
        )?
        .query_row(params![key.tenant, key.object_type, key.object_id, key.purpose], |row| {
            let stored = StoredList {
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
                facts: get_json_option(row, 16)?.unwrap_or_default(),
                locked: get_json_option(row, 5)?,
                waived: get_json_option(row, 13)?,
                reordered: row.get(6)?,
                run: Run {
                    number: get_u32(row, 14)?,
                    since: get_u64(row, 15)?,
                },
                created_at: get_time(row, 7)?,
                items: Vec::new(),
            };
            Ok((stored, list))
        })
        .optional()?;
    let Some((mut stored, mut list)) = header else {
        return Ok(None);
    };
    list.items = item_rows::load(connection, &key.tenant, stored.number)?;
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
        version: get_u32(row, 3)?,
        completion_rule,
        changeable: DefinitionFields::from_bits(row.get(17)?),
    }))
}

/// What the template of a list lets people change, as its column holds it.
fn changeable_column(template: Option<&TemplateRef>) -> u8 {
    template.map_or(0, |template| template.changeable.bits())
}

/// The facts of a list as its column holds them: nothing where there are none.
fn facts_column(list: &Checklist) -> Result<Option<String>> {
    json_option(Some(&list.facts).filter(|facts| !facts.is_empty()))
}

/// The number of lists of the key's object.
pub(super) fn purposes(connection: &Connection, key: &ListKey) -> Result<usize> {
    connection
        .prepare_cached("SELECT count(*) FROM checklist WHERE tenant = ?1 AND object_type = ?2 AND object_id = ?3")?
        .query_row(params![key.tenant, key.object_type, key.object_id], |row| row.get::<_, i64>(0))
        .map(|count| usize::try_from(count).unwrap_or(usize::MAX))
}

/// Inserts the header of a list, with the revision before its first one. Returns the row number.
pub(super) fn insert_header(
    connection: &Connection,
    key: &ListKey,
    list: &Checklist,
) -> Result<i64> {
    let template = list.template.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO checklist (tenant, object_type, object_id, purpose, revision, template_id, template_version,
                                    completion_rule, locked, reordered, created_at, waived, facts, changeable)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
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
            json_option(list.waived.as_ref())?,
            facts_column(list)?,
            changeable_column(template),
        ])
}

/// Updates the revision and the ends of the logs. Returns the number of updated rows: one, unless
/// another program has changed the file.
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

/// Updates the other columns of the header.
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
                    reordered = ?7, waived = ?8, facts = ?9, changeable = ?10
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
            json_option(list.waived.as_ref())?,
            facts_column(list)?,
            changeable_column(template),
        ])
}

/// Keeps a run that was closed, and notes the one that follows. The items of both are written elsewhere.
pub(super) fn close_run(
    connection: &Connection,
    tenant: &str,
    number: i64,
    closed: &ClosedRun,
    list: &Checklist,
) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO closed_run (tenant, checklist, number, document) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![tenant, number, closed.number, json(closed)?])?;
    connection
        .prepare_cached(
            "UPDATE checklist SET run = ?3, run_since = ?4, created_at = ?5
             WHERE tenant = ?1 AND number = ?2",
        )?
        .execute(params![
            tenant,
            number,
            list.run.number,
            int(list.run.since),
            list.created_at.as_millis(),
        ])
}
