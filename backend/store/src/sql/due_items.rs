//! The rows of open items that wait to be announced as due or overdue, and what was announced.
//!
//! An announcement is a row of its own, written with its deliveries: what the row says was announced is
//! never announced again. Whoever changes an item waits for the transaction that announces it.

use std::collections::BTreeMap;

use checklist_shared::context::Context;
use checklist_shared::due::Due;
use checklist_shared::due_notice::{DueEvent, outlook};
use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;

use super::found_items::context_of;
use super::{DialectSql, Row, Session, WriteSession, values, webhooks};
use crate::due_items::DueTenant;
use crate::outbox;
use crate::store::StoreError;

/// From tenant to tenant along the index: there are few of them, and many items.
pub(crate) const TENANTS: &str = "WITH RECURSIVE waiting (tenant) AS (
         SELECT min(tenant) FROM due_item
         UNION ALL
         SELECT (SELECT min(d.tenant) FROM due_item d WHERE d.tenant > w.tenant)
         FROM waiting w WHERE w.tenant IS NOT NULL)
     SELECT w.tenant, (SELECT min(d.look_at) FROM due_item d WHERE d.tenant = w.tenant)
     FROM waiting w WHERE w.tenant IS NOT NULL";

/// Reads items to look at, with whether they are open: the row of one that is resolved stays until it is
/// swept. PostgreSQL locks the rows and the items, and skips those that are locked, so that no item is
/// announced after a tick that has resolved it.
/// Materialized, because it may otherwise join all that wait before it takes the first ones.
macro_rules! waiting {
    ($item:literal, $lock:literal, $lock_items:literal) => {
        concat!(
            "WITH first AS MATERIALIZED (
                 SELECT tenant, checklist, id, due, ",
            $item,
            " AS item FROM due_item
                 WHERE tenant = $1 AND look_at <= $2
                 ORDER BY look_at, checklist, id LIMIT $3",
            $lock,
            ")
             SELECT first.checklist, first.id, first.due, v.due_notice, a.overdue, c.revision,
                 c.object_type, c.object_id, c.purpose, i.status = 'Open'
             FROM first
             JOIN item i ON i.tenant = first.tenant AND i.checklist = first.checklist AND i.id = first.item
             JOIN checklist c ON c.tenant IS NOT DISTINCT FROM first.tenant AND c.number = first.checklist
             LEFT JOIN template_version v ON v.tenant = first.tenant
                 AND v.template_id = c.template_id AND v.version = c.template_version
             LEFT JOIN due_announcement a ON a.tenant = first.tenant
                 AND a.checklist = first.checklist AND a.id = first.id AND a.due = first.due",
            $lock_items
        )
    };
}
pub(crate) const WAITING: DialectSql = DialectSql {
    sqlite: waiting!("id", "", ""),
    postgres: waiting!(
        "encode(id, 'hex')::uuid",
        " FOR UPDATE SKIP LOCKED",
        " FOR NO KEY UPDATE OF i SKIP LOCKED"
    ),
};

/// Returns a row if this was not announced before.
const ANNOUNCE: &str = "INSERT INTO due_announcement (tenant, checklist, id, due, overdue)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, checklist, id, due) DO UPDATE SET overdue = TRUE
         WHERE excluded.overdue AND NOT due_announcement.overdue
     RETURNING id";

/// An item that is looked at.
struct Waiting {
    checklist: i64,
    id: Vec<u8>,
    item: ItemId,
    due: Timestamp,
    notice: Option<i64>,
    announced: Option<DueEvent>,
    revision: u64,
    list: Context,
    is_open: bool,
}

fn waiting_of(row: &Row) -> Result<Waiting, StoreError> {
    let id = row.get_bytes(1)?;
    let bytes = <[u8; 16]>::try_from(id)
        .map_err(|error| StoreError::Broken(format!("the id of a due item: {error}")))?;
    let announced = row.get_i64_option(4)?.map(|overdue| match overdue {
        0 => DueEvent::Due,
        _ => DueEvent::Overdue,
    });
    Ok(Waiting {
        checklist: row.get_i64(0)?,
        id: id.to_owned(),
        item: ItemId::from_bytes(bytes),
        due: row.get_time(2)?,
        notice: row.get_i64_option(3)?,
        announced,
        revision: row.get_u64(5)?,
        list: context_of(row, 6)?,
        is_open: row.get_bool(9)?,
    })
}

/// The tenants with items that wait.
pub(crate) async fn tenants<S: Session>(session: &mut S) -> Result<Vec<DueTenant>, StoreError> {
    session
        .query_map(TENANTS, values![], |row| {
            Ok(DueTenant {
                tenant: row.get_text(0)?.to_owned(),
                look_at: row.get_time(1)?,
            })
        })
        .await
}

/// Announces some items; returns how many it has looked at.
pub(crate) async fn announce<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    now: Timestamp,
    limit: u32,
) -> Result<u32, StoreError> {
    let sql = WAITING.of(S::DIALECT);
    let waiting = session
        .query_map(sql, values![tenant, now, limit], waiting_of)
        .await?;
    let (mut announced, mut later, mut finished) = (Vec::new(), Vec::new(), Vec::new());
    let (open, resolved): (Vec<&Waiting>, Vec<&Waiting>) =
        waiting.iter().partition(|one| one.is_open);
    for one in open {
        let outlook = outlook(Due::At(one.due), one.notice, one.announced, now);
        announced.extend(outlook.announce.map(|event| (one, event)));
        match outlook.next {
            Some(next) => later.push(values![tenant, one.checklist, &one.id, next]),
            None => finished.push(values![tenant, one.checklist, &one.id]),
        }
    }
    let rows = announced.iter().map(|(one, event)| {
        let overdue = *event == DueEvent::Overdue;
        values![tenant, one.checklist, &one.id, one.due, overdue]
    });
    let written = session
        .query_each(ANNOUNCE, &rows.collect::<Vec<_>>())
        .await?;
    let news = announced.iter().zip(written);
    let news = news.filter(|(_, rows)| !rows.is_empty());
    let sql = "UPDATE due_item SET look_at = $4 WHERE tenant = $1 AND checklist = $2 AND id = $3";
    session.execute_each(sql, &later).await?;
    let sql = "DELETE FROM due_item WHERE tenant = $1 AND checklist = $2 AND id = $3";
    session.execute_each(sql, &finished).await?;
    // With it the row goes that was looked at. An item that is opened again gets both anew.
    let sql = "DELETE FROM open_item WHERE tenant = $1 AND checklist = $2 AND id = $3";
    let resolved = resolved
        .iter()
        .map(|one| values![tenant, one.checklist, &one.id]);
    session
        .execute_each(sql, &resolved.collect::<Vec<_>>())
        .await?;
    tell(session, tenant, news.map(|(one, _)| *one), now).await?;
    Ok(u32::try_from(waiting.len()).unwrap_or(u32::MAX))
}

/// Inserts the deliveries: one for each list, event and webhook.
async fn tell<'a, S: WriteSession>(
    session: &mut S,
    tenant: &str,
    news: impl Iterator<Item = (&'a Waiting, DueEvent)>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut lists: BTreeMap<(i64, DueEvent), (&Waiting, Vec<ItemId>)> = BTreeMap::new();
    for (one, event) in news {
        let key = (one.checklist, event);
        let (_, items) = lists.entry(key).or_insert_with(|| (one, Vec::new()));
        items.push(one.item);
    }
    if lists.is_empty() {
        return Ok(());
    }
    let listeners = webhooks::listeners(session, tenant).await?;
    let mut deliveries = Vec::new();
    for ((_, event), (one, items)) in lists {
        let (list, revision) = (&one.list, one.revision);
        let new = outbox::of_due_items(&listeners, event, list, revision, items, now)?;
        deliveries.extend(new);
    }
    if !deliveries.is_empty() {
        session.insert_deliveries(tenant, &deliveries).await?;
    }
    Ok(())
}
