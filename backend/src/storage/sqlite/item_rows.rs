//! The rows of a list's items: reads all of them, writes those that changed.
//!
//! A tick writes the state columns only.

use std::sync::Arc;

use checklist_shared::item::{Actor, AspectVersions, Item};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row, params};

use super::columns::{
    Column, get_json, get_json_option, get_text, get_time, get_time_option, get_u64, int, json,
    json_option, parse, time,
};
use crate::due;

/// Loads all items of the list with that row number.
pub(super) fn load(connection: &Connection, tenant: &str, number: i64) -> Result<Vec<Arc<Item>>> {
    connection
        .prepare_cached(
            "SELECT id, template_key, origin, kind, parent_id, sort_key, text, help, text_overridden, template_text,
                    status, reason, status_by, status_at, attested, required, allow_not_applicable,
                    not_applicable_needs_reason, assignee, assignee_by_person, due, due_by_person, note, version,
                    status_version, text_version, note_version, assignee_version, due_version, place_version,
                    revision, created_by, created_at, modified_by, modified_at, retired_at, deleted_at,
                    changed_since_checked, due_day
             FROM item WHERE tenant = ?1 AND checklist = ?2",
        )?
        .query_map(params![tenant, number], {
            let mut actors = Actors::default();
            move |row| item(row, &mut actors).map(Arc::new)
        })?
        .collect()
}

/// The last parsed actor. Hardly ever do more than one or two people work on a list, and parsing
/// their JSON for every row is a good part of the cost of a read.
#[derive(Default)]
struct Actors(Option<(String, Actor)>);

impl Actors {
    fn get(&mut self, row: &Row<'_>, column: usize) -> Result<Actor> {
        let text = get_text(row, column)?;
        if let Some((last, actor)) = &self.0
            && last == text
        {
            return Ok(actor.clone());
        }
        let actor: Actor = parse(text, column)?;
        self.0 = Some((text.to_owned(), actor.clone()));
        Ok(actor)
    }

    fn get_option(&mut self, row: &Row<'_>, column: usize) -> Result<Option<Actor>> {
        match row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            _ => self.get(row, column).map(Some),
        }
    }
}

fn item(row: &Row<'_>, actors: &mut Actors) -> Result<Item> {
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
        status_by: actors.get_option(row, 12)?,
        status_at: get_time_option(row, 13)?,
        attested: get_json_option(row, 14)?,
        required: row.get(15)?,
        allow_not_applicable: row.get(16)?,
        not_applicable_needs_reason: row.get(17)?,
        assignee: row.get(18)?,
        assignee_by_person: row.get(19)?,
        due: due::of_columns(row.get(20)?, row.get(38)?),
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
        created_by: actors.get(row, 31)?,
        created_at: get_time(row, 32)?,
        modified_by: actors.get(row, 33)?,
        modified_at: get_time(row, 34)?,
        retired_at: get_time_option(row, 35)?,
        deleted_at: get_time_option(row, 36)?,
        changed_since_checked: row.get(37)?,
    })
}

/// Inserts an item.
pub(super) fn insert(
    connection: &Connection,
    tenant: &str,
    number: i64,
    item: &Item,
) -> Result<usize> {
    let (due, due_day) = due::to_columns(item.due);
    connection
        .prepare_cached(
            "INSERT INTO item (tenant, checklist, id, template_key, origin, created_by, created_at,
                    kind, parent_id, sort_key, text, help, text_overridden, template_text, status, reason, status_by,
                    status_at, attested, required, allow_not_applicable, not_applicable_needs_reason, assignee,
                    assignee_by_person, due, due_by_person, note, version, status_version, text_version, note_version,
                    assignee_version, due_version, place_version, revision, modified_by, modified_at, retired_at,
                    deleted_at, changed_since_checked, due_day)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                     ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41)",
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
            due,
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
            due_day,
        ])
}

/// Updates an item. Its creator, creation time and template key never change.
pub(super) fn update(
    connection: &Connection,
    tenant: &str,
    number: i64,
    item: &Item,
) -> Result<usize> {
    let (due, due_day) = due::to_columns(item.due);
    connection
        .prepare_cached(
            "UPDATE item SET kind = ?4, parent_id = ?5, sort_key = ?6, text = ?7, help = ?8, text_overridden = ?9,
                    template_text = ?10, required = ?11, allow_not_applicable = ?12,
                    not_applicable_needs_reason = ?13, assignee = ?14, assignee_by_person = ?15, due = ?16,
                    due_by_person = ?17, note = ?18, text_version = ?19, note_version = ?20, assignee_version = ?21,
                    due_version = ?22, place_version = ?23, retired_at = ?24, deleted_at = ?25,
                    due_day = ?26
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
            due,
            item.due_by_person,
            item.note,
            int(item.changed_in.text),
            int(item.changed_in.note),
            int(item.changed_in.assignee),
            int(item.changed_in.due),
            int(item.changed_in.place),
            time(item.retired_at),
            time(item.deleted_at),
            due_day,
        ])
}

/// Updates the state of an item: the columns that a tick changes, none of which is indexed.
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
