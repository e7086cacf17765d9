//! Names and texts in lists, as far as they are erased.
//!
//! A list that has lost something keeps its revision, because no change of it has happened. Whoever
//! asks for changes since an older revision has to read it whole, and nodes drop what they have cached.

use checklist_shared::context::Context;
use checklist_shared::item::{Actor, Attested};
use checklist_shared::text::Text;
use checklist_shared::time::Timestamp;

use super::{DialectSql, Session, WriteSession, json, values};
use crate::erasure::{ERASED_TEXT, ItemPlace, WrittenTexts};
use crate::proposal::StoredProposal;
use crate::store::StoreError;

/// The number of lists whose numbers are looked at with one statement.
pub(crate) const WINDOW: u64 = 10_000;

/// An actor in a list: the number of the list, and the JSON of the actor.
pub(crate) type ListActor = (u64, String);

/// The highest number of a list.
pub(crate) async fn newest<S: Session>(session: &mut S, tenant: &str) -> Result<u64, StoreError> {
    let sql = "SELECT coalesce(max(number), 0) FROM checklist WHERE tenant = $1";
    let newest = session
        .query_opt(sql, values![tenant], |row| row.get_u64(0))
        .await?;
    Ok(newest.unwrap_or(0))
}

/// Actors of items in lists after number `after`, as far as a window reaches: those whose JSON matches
/// a pattern of `LIKE`, and who did something before a moment.
pub(crate) async fn actors<S: Session>(
    session: &mut S,
    tenant: &str,
    after: u64,
    pattern: &str,
    before: Timestamp,
) -> Result<Vec<ListActor>, StoreError> {
    let sql = r"SELECT checklist, created_by FROM item WHERE tenant = $1 AND checklist > $2
             AND checklist <= $3 AND created_at < $5 AND created_by LIKE $4 ESCAPE '\'
         UNION SELECT checklist, modified_by FROM item WHERE tenant = $1 AND checklist > $2
             AND checklist <= $3 AND modified_at < $5 AND modified_by LIKE $4 ESCAPE '\'
         UNION SELECT checklist, status_by FROM item WHERE tenant = $1 AND checklist > $2
             AND checklist <= $3 AND status_at < $5 AND status_by LIKE $4 ESCAPE '\'
         UNION SELECT checklist, proposed_by FROM item WHERE tenant = $1 AND checklist > $2
             AND checklist <= $3 AND proposed_at < $5 AND proposed_by LIKE $4 ESCAPE '\'";
    let parameters = values![tenant, after, after + WINDOW, pattern, before];
    session
        .query_map(sql, parameters, |row| {
            Ok((row.get_u64(0)?, row.get_text(1)?.to_owned()))
        })
        .await
}

/// Puts an erased actor in the place of these, for what they did before a moment.
pub(crate) async fn erase_actors<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    actors: &[ListActor],
    before: Timestamp,
) -> Result<(), StoreError> {
    let erased = json(&Actor::erased())?;
    let lists: Vec<u64> = actors.iter().map(|(list, _)| *list).collect();
    lock(session, tenant, &lists).await?;
    let parameters: Vec<_> = actors
        .iter()
        .map(|(list, actor)| values![tenant, *list, actor, &erased, before])
        .collect();
    let sql = "UPDATE item SET
             created_by = CASE WHEN created_by = $3 AND created_at < $5 THEN $4 ELSE created_by END,
             modified_by = CASE WHEN modified_by = $3 AND modified_at < $5 THEN $4 ELSE modified_by END,
             status_by = CASE WHEN status_by = $3 AND status_at < $5 THEN $4 ELSE status_by END,
             proposed_by = CASE WHEN proposed_by = $3 AND proposed_at < $5 THEN $4 ELSE proposed_by END
         WHERE tenant = $1 AND checklist = $2
             AND (created_by = $3 OR modified_by = $3 OR status_by = $3 OR proposed_by = $3)";
    session.execute_each(sql, &parameters).await?;
    changed(session, tenant, &lists).await
}

/// The numbers of lists after number `after`, as far as a window reaches, with an item that somebody is
/// assigned to.
pub(crate) async fn assigned<S: Session>(
    session: &mut S,
    tenant: &str,
    after: u64,
    id: &str,
) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT DISTINCT checklist FROM item WHERE tenant = $1 AND checklist > $2
         AND checklist <= $3 AND assignee = $4";
    session
        .query_map(sql, values![tenant, after, after + WINDOW, id], |row| {
            row.get_u64(0)
        })
        .await
}

/// Leaves the items of lists that somebody is assigned to without an assignee.
pub(crate) async fn unassign<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    lists: &[u64],
    id: &str,
) -> Result<(), StoreError> {
    lock(session, tenant, lists).await?;
    let parameters: Vec<_> = (lists.iter())
        .map(|list| values![tenant, *list, id])
        .collect();
    let sql = "UPDATE item SET assignee = NULL, assignee_name = NULL
         WHERE tenant = $1 AND checklist = $2 AND assignee = $3";
    session.execute_each(sql, &parameters).await?;
    changed(session, tenant, lists).await
}

/// A column of lists that says who did something to the list, when and why, in JSON. Both hold it in
/// the same form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MarkColumn {
    /// Who locked it.
    Locked,
    /// Who waived it.
    Waived,
}

impl MarkColumn {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::Locked, Self::Waived];
}

/// Locks or waivers that match a pattern of `LIKE`: the number of the list, and the JSON.
pub(crate) async fn marks<S: Session>(
    session: &mut S,
    column: MarkColumn,
    tenant: &str,
    pattern: &str,
) -> Result<Vec<ListActor>, StoreError> {
    let sql = match column {
        MarkColumn::Locked => {
            r"SELECT number, locked FROM checklist WHERE tenant = $1 AND locked LIKE $2 ESCAPE '\'
                 ORDER BY number"
        }
        MarkColumn::Waived => {
            r"SELECT number, waived FROM checklist WHERE tenant = $1 AND waived LIKE $2 ESCAPE '\'
                 ORDER BY number"
        }
    };
    session
        .query_map(sql, values![tenant, pattern], |row| {
            Ok((row.get_u64(0)?, row.get_text(1)?.to_owned()))
        })
        .await
}

/// Replaces locks or waivers that are still the same: the number of the list, the JSON before and after.
pub(crate) async fn replace_marks<S: WriteSession>(
    session: &mut S,
    column: MarkColumn,
    tenant: &str,
    marks: &[(u64, String, String)],
) -> Result<(), StoreError> {
    let lists: Vec<u64> = marks.iter().map(|(list, ..)| *list).collect();
    lock(session, tenant, &lists).await?;
    let parameters: Vec<_> = marks
        .iter()
        .map(|(list, before, after)| values![tenant, *list, before, after])
        .collect();
    let sql = match column {
        MarkColumn::Locked => {
            "UPDATE checklist SET locked = $4 WHERE tenant = $1 AND number = $2 AND locked = $3"
        }
        MarkColumn::Waived => {
            "UPDATE checklist SET waived = $4 WHERE tenant = $1 AND number = $2 AND waived = $3"
        }
    };
    session.execute_each(sql, &parameters).await?;
    changed(session, tenant, &lists).await
}

/// The statement with the id of an item, as 32 hexadecimal digits, in either database.
macro_rules! by_id {
    ($before:literal, $after:literal) => {
        DialectSql {
            sqlite: concat!($before, "lower(hex(i.id))", $after),
            postgres: concat!($before, "replace(i.id::text, '-', '')", $after),
        }
    };
}

const ITEM: DialectSql = by_id!(
    "SELECT c.number, i.text, i.note, i.reason, i.attested, i.proposal FROM checklist c
     JOIN item i ON i.tenant = c.tenant AND i.checklist = c.number
     WHERE c.tenant = $1 AND c.object_type = $2 AND c.object_id = $3 AND c.purpose = $4 AND ",
    " = $5"
);

const REPLACE: DialectSql = by_id!(
    "UPDATE item AS i SET text = $4, note = $5, reason = $6, attested = $7, proposal = $8
     WHERE i.tenant = $1 AND i.checklist = $2 AND ",
    " = $3"
);

/// Erases what a person wrote in an item, as far as it still stands there. Whether anything did.
pub(crate) async fn erase_texts<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    place: &ItemPlace,
    written: &WrittenTexts,
) -> Result<bool, StoreError> {
    let (context, id) = place;
    let id: String = id
        .as_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let Context {
        object_type,
        object_id,
        purpose,
        ..
    } = context;
    session
        .lock(
            "SELECT number FROM checklist WHERE tenant = $1 AND object_type = $2
                 AND object_id = $3 AND purpose = $4 FOR UPDATE",
            values![tenant, object_type, object_id, purpose],
        )
        .await?;
    let parameters = values![tenant, object_type, object_id, purpose, &id];
    let found = session
        .query_opt(ITEM.of(S::DIALECT), parameters, |row| {
            let text: Text = row.get_json(1)?;
            let option =
                |column| Ok::<_, StoreError>(row.get_text_option(column)?.map(str::to_owned));
            let attested: Option<Attested> = row.get_json_option(4)?;
            let proposal: Option<StoredProposal> = row.get_json_option(5)?;
            Ok((
                row.get_u64(0)?,
                (text, option(2)?, option(3)?, attested, proposal),
            ))
        })
        .await?;
    let Some((list, found)) = found else {
        return Ok(false);
    };
    let is_written = |text: &String| written.texts.contains(text);
    let mut left = found.clone();
    if written.is_added {
        if (written.texts.iter()).any(|wording| found.0.says(wording)) {
            left.0 = Text::from(ERASED_TEXT);
        }
        for attested in left
            .3
            .iter_mut()
            .filter(|attested| is_written(&attested.text))
        {
            ERASED_TEXT.clone_into(&mut attested.text);
        }
    }
    left.1 = left.1.filter(|note| !is_written(note));
    left.2 = left.2.filter(|reason| !is_written(reason));
    if let Some(proposal) = &mut left.4 {
        proposal.reason = proposal.reason.take().filter(|reason| !is_written(reason));
        let evidence = proposal.evidence.take();
        proposal.evidence = evidence.filter(|one| !is_written(&one.name) && !is_written(&one.url));
        let answer = proposal.answer.take();
        proposal.answer = answer.filter(|one| {
            let words = one.words();
            words.is_none_or(|words| !written.texts.contains(words))
        });
    }
    if left == found {
        return Ok(false);
    }
    let (text, note, reason, attested, proposal) = left;
    let (text, attested) = (json(&text)?, attested.as_ref().map(json).transpose()?);
    let proposal = proposal.as_ref().map(json).transpose()?;
    let parameters = values![
        tenant,
        list,
        &id,
        &text,
        note.as_ref(),
        reason.as_ref(),
        attested.as_ref(),
        proposal.as_ref()
    ];
    session.execute(REPLACE.of(S::DIALECT), parameters).await?;
    changed(session, tenant, &[list]).await?;
    Ok(true)
}

/// Locks lists in the order in which writers do.
async fn lock<S: Session>(session: &mut S, tenant: &str, lists: &[u64]) -> Result<(), StoreError> {
    let mut lists = lists.to_vec();
    lists.sort_unstable();
    lists.dedup();
    for list in lists {
        session
            .lock(
                "SELECT number FROM checklist WHERE tenant = $1 AND number = $2 FOR UPDATE",
                values![tenant, list],
            )
            .await?;
    }
    Ok(())
}

/// Notes that lists are other than what their revision has shown so far. The number grows each time,
/// also beyond the revision: nodes compare it with that of the list that they have cached.
async fn changed<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    lists: &[u64],
) -> Result<(), StoreError> {
    let parameters: Vec<_> = lists.iter().map(|list| values![tenant, *list]).collect();
    let sql = "UPDATE checklist SET purged_revision =
             CASE WHEN purged_revision < revision THEN revision ELSE purged_revision + 1 END
         WHERE tenant = $1 AND number = $2";
    session.execute_each(sql, &parameters).await?;
    session.forget_lists();
    Ok(())
}
