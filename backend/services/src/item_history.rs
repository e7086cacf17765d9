//! The history of one item, read from the audit trail of its list.
//!
//! Permission `Read` suffices: the history contains nothing that the list itself has not shown
//! before. A request scans a bounded number of rows and returns a cursor for the rest.

use checklist_auth::Principal;
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::admin::AuditRow;
use checklist_shared::wire::history::{GetItemHistory, ItemHistory, ItemHistoryEntry};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListFacts, LogFilter, LogRows, Purpose};

use super::access;
use super::checklist::{list_of, list_request};
use crate::app::App;

/// The maximum number of rows that a request scans.
const LOOKED_AT: usize = 10_000;
const CHUNK: u32 = 500;
const USUAL: u32 = 50;
const MOST: u32 = 200;

/// Reads a page of an item's history, newest first.
///
/// # Errors
/// `PermissionDenied`, `ContextNotFound`, `InvalidRequest`, `ItemNotFound` for an item that the
/// list has never had.
pub async fn page(
    app: &App,
    principal: &Principal,
    request: GetItemHistory,
) -> ServiceResult<ItemHistory> {
    access::require_permission(principal, Permission::Read)?;
    access::require_context(principal, &request.context, "/Context")?;
    let limit = access::page_size(request.limit, USUAL, MOST)?;
    let room = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut filter = LogFilter {
        after: request.after.unwrap_or(0),
        newest_first: true,
        rows: LogRows::Lists,
        from: None,
        to: None,
        limit: CHUNK,
        object_type: Some(request.context.object_type.clone()),
        object_id: Some(request.context.object_id.clone()),
        purpose: Some(request.context.purpose.clone()),
        scope: principal.contexts.clone(),
    };
    let mut history = ItemHistory {
        entries: Vec::new(),
        next: None,
    };
    let mut looked_at = 0;
    loop {
        let chunk = app.store().audit(&principal.tenant, filter.clone()).await?;
        looked_at += chunk.rows.len();
        let last = chunk.cursor;
        for row in chunk.rows {
            let sequence = row.sequence;
            let Some(entry) = entry(row, &request) else {
                continue;
            };
            history.entries.push(entry);
            if history.entries.len() == room {
                history.next = (chunk.more || sequence != last).then_some(sequence);
                return Ok(history);
            }
        }
        if !chunk.more {
            break;
        }
        filter.after = last;
        if looked_at >= LOOKED_AT {
            history.next = Some(last);
            return Ok(history);
        }
    }
    if history.entries.is_empty() && request.after.is_none() {
        is_there(app, principal, &request).await?;
    }
    Ok(history)
}

/// The history entry of a row, if it concerns the item.
fn entry(row: AuditRow, request: &GetItemHistory) -> Option<ItemHistoryEntry> {
    let event = row.event?;
    (event.item_id == Some(request.id)).then_some(ItemHistoryEntry {
        at: row.at,
        actor: row.actor,
        what: event.what,
        text: event.text,
        before: event.before,
        after: event.after,
        before_id: event.before_id,
        after_id: event.after_id,
        basis: event.basis,
        revision: row.revision.unwrap_or_default(),
    })
}

/// Fails with `ItemNotFound` unless the list has the item. An unchanged item of the template has no
/// rows.
async fn is_there(app: &App, principal: &Principal, request: &GetItemHistory) -> ServiceResult<()> {
    let wish = vec![list_request(principal, &request.context, Purpose::Show)];
    let facts = app.store().read_lists(&principal.tenant, wish).await?.pop();
    let facts = facts.unwrap_or_else(|| Ok(ListFacts::default()))?;
    let list = list_of(&facts, &request.context, principal, app.clock().now())?;
    if list.any(request.id).is_some() {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::ItemNotFound,
        "The checklist has no such item.",
    ))
}
