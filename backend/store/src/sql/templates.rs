//! The rows of templates: drafts and published versions.
//!
//! A published version never changes. The draft of a template has the highest version number.

use std::collections::BTreeSet;
use std::sync::Arc;

use checklist_shared::context::Context;
use checklist_shared::template::{RefreshPolicy, Template, TemplateStatus};
use checklist_shared::time::{Timestamp, exact_millis};
use checklist_shared::wire::admin::{TemplateHistory, TemplateRow, TemplateVersionRow};

use super::{Row, Session, WriteSession, json, platform_types, values, webhooks};
use crate::expected::{ExpectedState, PreconditionError};
use crate::keyset::Keyset;
use crate::lists::DeleteOutcome;
use crate::outbox;
use crate::store::{OutdatedLists, PendingRefresh, Stamp, StoreError};

/// The newest version of a template; a draft counts only with `or_draft`.
pub(crate) async fn newest<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    or_draft: bool,
) -> Result<Option<Template>, StoreError> {
    let sql = "SELECT document FROM template_version
         WHERE tenant = $1 AND template_id = $2 AND ($3 OR status = 'Published')
         ORDER BY version DESC LIMIT 1";
    session
        .query_opt(sql, values![tenant, id, or_draft], |row| row.get_json(0))
        .await
}

/// The newest version, which may be the draft, provides the name of a template. The page is limited
/// first, so that lists are counted for its templates only.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    page: &Keyset<String>,
) -> Result<Vec<TemplateRow>, StoreError> {
    let sql = "SELECT t.template_id, t.document, t.items,
             (SELECT max(p.version) FROM template_version p WHERE p.tenant = t.tenant
                  AND p.template_id = t.template_id AND p.status = 'Published'),
             (SELECT max(d.version) FROM template_version d WHERE d.tenant = t.tenant
                  AND d.template_id = t.template_id AND d.status = 'Draft'),
             (SELECT count(*) FROM checklist c WHERE c.tenant = t.tenant
                  AND c.template_id = t.template_id),
             (SELECT r.retired_at FROM retired_template r WHERE r.tenant = t.tenant
                  AND r.template_id = t.template_id)
         FROM (SELECT tenant, template_id, document, items FROM template_version v
               WHERE tenant = $1 AND template_id > $2
                 AND version = (SELECT max(n.version) FROM template_version n
                                WHERE n.tenant = v.tenant AND n.template_id = v.template_id)
               ORDER BY template_id LIMIT $3) t
         ORDER BY t.template_id";
    let row_of = |row: &Row| {
        let newest = row.get_json::<Template>(1).ok();
        let published = row.get_u32_option(3)?;
        Ok(TemplateRow {
            status: match (published, row.get_time_option(6)?) {
                (Some(_), Some(_)) => TemplateStatus::Retired,
                (Some(_), None) => TemplateStatus::Published,
                (None, _) => TemplateStatus::Draft,
            },
            version: published.unwrap_or(0),
            draft_version: row.get_u32_option(4)?,
            items: row.get_u32(2)?,
            lists: row.get_u64(5)?,
            ..TemplateRow::of(row.get_text(0)?.to_owned(), newest.as_ref())
        })
    };
    let parameters = values![tenant, &page.after, page.limit];
    session.query_map(sql, parameters, row_of).await
}

/// All versions of a template.
pub(crate) async fn history<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<TemplateHistory>, StoreError> {
    let mut history = TemplateHistory {
        id: id.to_owned(),
        draft: None,
        published: None,
        retired_at: None,
        versions: Vec::new(),
    };
    let sql = "SELECT version, status, items, document, published_at, published_by
         FROM template_version WHERE tenant = $1 AND template_id = $2 ORDER BY version DESC";
    let rows = session.query(sql, values![tenant, id]).await?;
    for row in &rows {
        if row.get_text(1)? == "Draft" {
            history.draft = row.get_json(3)?;
            continue;
        }
        if history.published.is_none() {
            history.published = row.get_json(3)?;
        }
        history.versions.push(TemplateVersionRow {
            version: row.get_u32(0)?,
            published_at: row.get_time(4)?,
            published_by: row.get_json(5)?,
            items: row.get_u32(2)?,
        });
    }
    let sql = "SELECT retired_at FROM retired_template WHERE tenant = $1 AND template_id = $2";
    history.retired_at = session
        .query_opt(sql, values![tenant, id], |row| row.get_time(0))
        .await?;
    Ok((!rows.is_empty()).then_some(history))
}

/// The ids of the retired templates.
pub(crate) async fn retired<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<BTreeSet<String>, StoreError> {
    let sql = "SELECT template_id FROM retired_template WHERE tenant = $1";
    let id_of = |row: &Row| Ok(row.get_text(0)?.to_owned());
    let ids = session.query_map(sql, values![tenant], id_of).await?;
    Ok(ids.into_iter().collect())
}

/// Retires a template that was published, or offers it again.
pub(crate) async fn retire<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    retired_at: Option<Timestamp>,
    expected: &ExpectedState,
) -> Result<Result<TemplateHistory, PreconditionError>, StoreError> {
    session.lock_catalogue(tenant).await?;
    let present = history(session, tenant, id).await?;
    let Some(mut present) = present.filter(|present| present.published.is_some()) else {
        return Ok(Err(PreconditionError::NoDraft));
    };
    if let Err(error) = expected.hold(Some(&present)) {
        return Ok(Err(error));
    }
    match retired_at {
        // The first time counts.
        Some(_) if present.retired_at.is_some() => return Ok(Ok(present)),
        Some(at) => {
            let sql = "INSERT INTO retired_template (tenant, template_id, retired_at)
                 VALUES ($1, $2, $3)";
            session.execute(sql, values![tenant, id, at]).await?;
        }
        None => {
            let sql = "DELETE FROM retired_template WHERE tenant = $1 AND template_id = $2";
            session.execute(sql, values![tenant, id]).await?;
        }
    }
    session.forget_catalogue();
    present.retired_at = retired_at;
    Ok(Ok(present))
}

/// Writes the draft. Its number follows that of the newest version ever published under its id.
pub(crate) async fn put_draft<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    mut template: Template,
    expected: &ExpectedState,
) -> Result<Result<TemplateHistory, PreconditionError>, StoreError> {
    session.lock_catalogue(tenant).await?;
    let present = history(session, tenant, &template.id).await?;
    if let Err(error) = expected.hold(present.as_ref()) {
        return Ok(Err(error));
    }
    let published = match present
        .as_ref()
        .and_then(|history| history.versions.first())
    {
        Some(newest) => newest.version,
        None => last_deleted(session, tenant, &template.id).await?,
    };
    template.version = published.saturating_add(1);
    template.status = TemplateStatus::Draft;
    let document = json(&template)?;
    let notice = template.due_notice.as_deref();
    let notice = notice.and_then(|notice| exact_millis(notice).ok());
    let parameters = values![
        tenant,
        &template.id,
        template.version,
        template.items.len() as u64,
        &document,
        notice,
    ];
    session
        .execute(
            "INSERT INTO template_version
                 (tenant, template_id, version, status, items, document, due_notice)
             VALUES ($1, $2, $3, 'Draft', $4, $5, $6)
             ON CONFLICT (tenant, template_id, version) DO UPDATE
             SET items = excluded.items, document = excluded.document,
                 due_notice = excluded.due_notice",
            parameters,
        )
        .await?;
    let written = history(session, tenant, &template.id).await?;
    Ok(written.ok_or(PreconditionError::NoDraft))
}

/// The number of the newest version of a template that was deleted; 0 if none of that id was.
async fn last_deleted<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<u32, StoreError> {
    let sql = "SELECT version FROM deleted_template WHERE tenant = $1 AND template_id = $2";
    let version = session
        .query_opt(sql, values![tenant, id], |row| row.get_u32(0))
        .await?;
    Ok(version.unwrap_or(0))
}

/// Deletes the draft.
pub(crate) async fn discard_draft<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    expected: &ExpectedState,
) -> Result<Result<(), PreconditionError>, StoreError> {
    session.lock_catalogue(tenant).await?;
    let present = history(session, tenant, id).await?;
    if let Err(error) = expected.hold(present.as_ref()) {
        return Ok(Err(error));
    }
    let sql = "DELETE FROM template_version
         WHERE tenant = $1 AND template_id = $2 AND status = 'Draft'";
    let deleted = session.execute(sql, values![tenant, id]).await?;
    Ok(match deleted {
        0 => Err(PreconditionError::NoDraft),
        _ => Ok(()),
    })
}

/// Deletes a template with all its versions, unless a list follows it or a type names it. Its last
/// number is kept, so that no number stands for two contents.
pub(crate) async fn delete<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    expected: &ExpectedState,
) -> Result<DeleteOutcome, StoreError> {
    session.lock_catalogue(tenant).await?;
    let Some(present) = history(session, tenant, id).await? else {
        return Ok(DeleteOutcome::Missing);
    };
    if expected.hold(Some(&present)).is_err() {
        return Ok(DeleteOutcome::Stale);
    }
    session.lock_lists(tenant).await?;
    let sql = "SELECT count(*) FROM checklist WHERE tenant = $1 AND template_id = $2";
    let lists = session
        .query_opt(sql, values![tenant, id], |row| row.get_u64(0))
        .await?
        .unwrap_or(0);
    let mut types = Vec::new();
    for (name, kind) in platform_types::all(session, tenant).await? {
        // What an unreadable type names is unknown, so it might be this template.
        if kind.map_or(true, |kind| {
            kind.templates.values().any(|named| named == id)
        }) {
            types.push(name);
        }
    }
    if lists > 0 || !types.is_empty() {
        return Ok(DeleteOutcome::InUse { lists, types });
    }
    for sql in [
        "INSERT INTO deleted_template (tenant, template_id, version)
         SELECT tenant, template_id, max(version) FROM template_version
         WHERE tenant = $1 AND template_id = $2 AND status = 'Published'
         GROUP BY tenant, template_id
         ON CONFLICT (tenant, template_id) DO UPDATE SET version = excluded.version",
        "DELETE FROM pending_refresh WHERE tenant = $1 AND template_id = $2",
        "DELETE FROM retired_template WHERE tenant = $1 AND template_id = $2",
        "DELETE FROM template_version WHERE tenant = $1 AND template_id = $2",
    ] {
        session.execute(sql, values![tenant, id]).await?;
    }
    session.forget_catalogue();
    Ok(DeleteOutcome::Done)
}

/// Turns the draft into the newest published version, and tells the webhooks.
pub(crate) async fn publish<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    stamp: &Stamp,
    expected: &ExpectedState,
) -> Result<Result<Arc<Template>, PreconditionError>, StoreError> {
    session.lock_catalogue(tenant).await?;
    if *expected != ExpectedState::Anything {
        let present = history(session, tenant, id).await?;
        if let Err(error) = expected.hold(present.as_ref()) {
            return Ok(Err(error));
        }
    }
    let sql = "SELECT document FROM template_version
         WHERE tenant = $1 AND template_id = $2 AND status = 'Draft'";
    let draft = session
        .query_opt(sql, values![tenant, id], |row| row.get_json(0))
        .await?;
    let Some(mut template): Option<Template> = draft else {
        return Ok(Err(PreconditionError::NoDraft));
    };
    template.status = TemplateStatus::Published;
    let (document, publisher) = (json(&template)?, json(&stamp.actor)?);
    let sql = "UPDATE template_version
         SET status = 'Published', document = $4, published_at = $5, published_by = $6
         WHERE tenant = $1 AND template_id = $2 AND version = $3";
    let version = template.version;
    let parameters = values![tenant, id, version, &document, stamp.at, &publisher];
    session.execute(sql, parameters).await?;
    if template.refresh_policy == RefreshPolicy::Auto {
        let sql = "INSERT INTO pending_refresh (tenant, template_id, version) VALUES ($1, $2, $3)
             ON CONFLICT (tenant, template_id) DO UPDATE SET version = excluded.version";
        session.execute(sql, values![tenant, id, version]).await?;
    }
    let listeners = webhooks::listeners(session, tenant).await?;
    let deliveries = outbox::of_template(&listeners, id, version, stamp.at)?;
    session.insert_deliveries(tenant, &deliveries).await?;
    session.announce_template(tenant, id);
    Ok(Ok(Arc::new(template)))
}

/// Lists that follow an older version of a template: their number, and a page of them.
pub(crate) async fn outdated_lists<S: Session>(
    session: &mut S,
    tenant: &str,
    template: &str,
    version: u32,
    after: u64,
    limit: u32,
) -> Result<OutdatedLists, StoreError> {
    let sql = "SELECT count(*) FROM checklist
         WHERE tenant = $1 AND template_id = $2 AND template_version < $3";
    let parameters = values![tenant, template, version];
    let total = session
        .query_opt(sql, parameters, |row| row.get_u64(0))
        .await?;
    let sql = "SELECT number, object_type, object_id, purpose FROM checklist
         WHERE tenant = $1 AND template_id = $2 AND template_version < $3 AND number > $4
         ORDER BY number LIMIT $5";
    let parameters = values![tenant, template, version, after, limit];
    let list_of = |row: &Row| {
        let context = Context::new(row.get_text(1)?, row.get_text(2)?, row.get_text(3)?);
        Ok((row.get_u64(0)?, context))
    };
    let lists = session.query_map(sql, parameters, list_of).await?;
    Ok(OutdatedLists {
        total: total.unwrap_or(0),
        after: lists.last().map_or(after, |(number, _)| *number),
        lists: lists.into_iter().map(|(_, context)| context).collect(),
    })
}

/// The tenants with pending refreshes; on PostgreSQL no view sees those of several tenants.
pub(crate) async fn tenants_with_pending_refreshes<S: Session>(
    session: &mut S,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT tenant FROM pending_refresh ORDER BY tenant";
    let tenant_of = |row: &Row| Ok(row.get_text(0)?.to_owned());
    session.query_map(sql, values![], tenant_of).await
}

/// The tenant's published versions with lists that still have to be refreshed.
pub(crate) async fn pending_refreshes<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<PendingRefresh>, StoreError> {
    let sql = "SELECT pending.template_id, pending.version, published.published_by
         FROM pending_refresh pending
         LEFT JOIN template_version published ON published.tenant = pending.tenant
             AND published.template_id = pending.template_id
             AND published.version = pending.version
         WHERE pending.tenant = $1 ORDER BY pending.template_id";
    let pending_of = |row: &Row| {
        Ok(PendingRefresh {
            tenant: tenant.to_owned(),
            template: row.get_text(0)?.to_owned(),
            version: row.get_u32(1)?,
            published_by: row.get_json_option(2)?,
        })
    };
    session.query_map(sql, values![tenant], pending_of).await
}

pub(crate) async fn refresh_finished<S: Session>(
    session: &mut S,
    pending: &PendingRefresh,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM pending_refresh
         WHERE tenant = $1 AND template_id = $2 AND version = $3";
    let parameters = values![&pending.tenant, &pending.template, pending.version];
    session.execute(sql, parameters).await?;
    Ok(())
}
