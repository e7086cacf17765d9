//! Types and templates: their rows, and a node's cache of them and of webhooks.
//!
//! Every change of a tenant's types, published templates or webhooks increments the tenant's epoch
//! as the first statement of its transaction, so that such changes are serialized.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::template::{RefreshPolicy, Template, TemplateStatus};
use checklist_shared::wire::admin::{
    PutType, TemplateHistory, TemplateRow, TemplateVersionRow, Type,
};
use tokio_postgres::Row;

use super::columns::{
    get, get_json, get_json_option, get_time, get_u32, get_u32_option, get_u64, int, json,
};
use super::error::PostgresError;
use super::memory::Memory;
use super::session::Session;
use super::webhook_rows::{self, LISTENERS};
use crate::expected::{ExpectedState, PreconditionError};
use crate::keyset::Keyset;
use crate::outbox::Listener;
use crate::platform_types::{self, TypesByName};
use crate::store::{PendingRefresh, Stamp, StoreError, TemplateChoice};

/// The part of a tenant's data that decisions on lists depend on.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// Counts the changes; 0 before the first.
    pub(super) epoch: i64,
    /// Types by name.
    pub(super) types: TypesByName,
    /// The newest published version of each template.
    newest: HashMap<String, u32>,
    /// The webhooks that are on.
    pub(super) listeners: Vec<Listener>,
}

impl Catalogue {
    /// The version that a choice means; `None` if no version is published.
    pub(super) fn version(&self, choice: &TemplateChoice) -> Option<u32> {
        choice
            .version
            .or_else(|| self.newest.get(&choice.id).copied())
    }
}

/// Selects the present epoch; no row before the first change.
pub(super) const EPOCH: &str = "SELECT epoch FROM catalogue WHERE tenant = $1";

pub(super) const TYPES: &str = "SELECT name, classes, templates, always_journal \
     FROM platform_type WHERE tenant = $1";

const TYPE: &str = "SELECT name, classes, templates, always_journal \
     FROM platform_type WHERE tenant = $1 AND name = $2";

pub(super) const NEWEST: &str = "SELECT template_id, max(version) FROM template_version \
     WHERE tenant = $1 AND status = 'Published' GROUP BY template_id";

/// Selects published versions, given as two arrays (template, version).
pub(super) const TEMPLATES: &str = "SELECT v.document \
     FROM unnest($2::text[], $3::bigint[]) AS wanted (template_id, version) \
     JOIN template_version v ON v.tenant = $1 AND v.template_id = wanted.template_id \
          AND v.version = wanted.version \
     WHERE v.status = 'Published'";

const NEXT_EPOCH: &str = "INSERT INTO catalogue (tenant, epoch) VALUES ($1, 1) \
     ON CONFLICT (tenant) DO UPDATE SET epoch = catalogue.epoch + 1";

const PUT_TYPE: &str = "INSERT INTO platform_type (tenant, name, classes, templates, always_journal) \
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, name) DO UPDATE \
     SET classes = excluded.classes, templates = excluded.templates, \
         always_journal = excluded.always_journal";

/// The epoch in a result of [`EPOCH`].
pub(super) fn epoch(rows: &[Row]) -> Result<i64, PostgresError> {
    rows.first().map_or(Ok(0), |row| get(row, 0))
}

/// Builds the catalogue from results of [`TYPES`], [`NEWEST`] and [`LISTENERS`].
pub(super) fn read(
    epoch: i64,
    types: &[Row],
    newest: &[Row],
    listeners: &[Row],
) -> Result<Catalogue, PostgresError> {
    Ok(Catalogue {
        epoch,
        types: types
            .iter()
            .map(|row| Ok((get(row, 0)?, kind_of(row))))
            .collect::<Result<_, PostgresError>>()?,
        newest: newest
            .iter()
            .map(|row| Ok((get(row, 0)?, get_u32(row, 1)?)))
            .collect::<Result<_, PostgresError>>()?,
        listeners: webhook_rows::listeners(listeners)?,
    })
}

/// A type, or what is wrong with its row.
fn kind_of(row: &Row) -> Result<Type, String> {
    let read = || {
        Ok(Type {
            name: get(row, 0)?,
            classes: get_json(row, 1)?,
            templates: get_json(row, 2)?,
            always_journal: get(row, 3)?,
        })
    };
    read().map_err(|trouble: PostgresError| StoreError::from(trouble).to_string())
}

/// The tenant's present catalogue; from the cache while the epoch is the same.
pub(super) async fn present(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
) -> Result<Arc<Catalogue>, PostgresError> {
    let rows = session.query(EPOCH, &[&tenant]).await?;
    let epoch = epoch(&rows)?;
    match memory.catalogue(tenant) {
        Some(known) if known.epoch == epoch => Ok(known),
        _ => load(session, memory, tenant).await,
    }
}

/// Loads the catalogue. The epoch is read first: if it changes meanwhile, the cache entry is
/// dropped at the next read instead of being taken for newer than it is.
pub(super) async fn load(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
) -> Result<Arc<Catalogue>, PostgresError> {
    let (epochs, types, newest, listeners) = (
        session.statement(EPOCH).await?,
        session.statement(TYPES).await?,
        session.statement(NEWEST).await?,
        session.statement(LISTENERS).await?,
    );
    let client = session.client();
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 1] = [&tenant];
    let (epochs, types, newest, listeners) = tokio::join!(
        client.query(&epochs, &parameters),
        client.query(&types, &parameters),
        client.query(&newest, &parameters),
        client.query(&listeners, &parameters),
    );
    let catalogue = Arc::new(read(epoch(&epochs?)?, &types?, &newest?, &listeners?)?);
    memory.unreadable_types.log(tenant, &catalogue.types);
    memory.keep_catalogue(tenant, Arc::clone(&catalogue));
    Ok(catalogue)
}

/// Loads published versions into the cache, and returns those that exist.
pub(super) async fn load_templates(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    wanted: &[(String, u32)],
) -> Result<Vec<Arc<Template>>, PostgresError> {
    let ids: Vec<&str> = wanted.iter().map(|(id, _)| id.as_str()).collect();
    let versions: Vec<i64> = wanted
        .iter()
        .map(|(_, version)| i64::from(*version))
        .collect();
    let rows = session
        .query(TEMPLATES, &[&tenant, &ids, &versions])
        .await?;
    rows.iter()
        .map(|row| {
            let template: Arc<Template> = Arc::new(get_json(row, 0)?);
            memory.keep_template(tenant, Arc::clone(&template));
            Ok(template)
        })
        .collect()
}

/// Increments the tenant's epoch, so that later decisions load the catalogue again. Locks the row
/// against other changes until the transaction ends.
pub(super) async fn count_epoch(session: &mut Session, tenant: &str) -> Result<(), PostgresError> {
    session.execute(NEXT_EPOCH, &[&tenant]).await?;
    Ok(())
}

/// The type with that name, or what is wrong with its row.
pub(super) async fn one_type(
    session: &mut Session,
    tenant: &str,
    name: &str,
) -> Result<Option<Result<Type, String>>, PostgresError> {
    let rows = session.query(TYPE, &[&tenant, &name]).await?;
    Ok(rows.first().map(kind_of))
}

/// Changes or creates a type.
pub(super) async fn put_type(
    session: &mut Session,
    tenant: &str,
    name: &str,
    change: &PutType,
    expected: &ExpectedState,
) -> Result<Result<Type, PreconditionError>, PostgresError> {
    // Blocks the tenant's other changes of types until the transaction ends.
    session.execute(NEXT_EPOCH, &[&tenant]).await?;
    let present = one_type(session, tenant, name).await?;
    let kind = match platform_types::apply(name, present, change, expected)? {
        Ok(kind) => kind,
        refused => return Ok(refused),
    };
    let (classes, templates) = (json(&kind.classes)?, json(&kind.templates)?);
    session
        .execute(
            PUT_TYPE,
            &[
                &tenant,
                &kind.name,
                &classes,
                &templates,
                &kind.always_journal,
            ],
        )
        .await?;
    Ok(Ok(kind))
}

pub(super) async fn template_rows(
    session: &mut Session,
    tenant: &str,
    page: &Keyset<String>,
) -> Result<Vec<TemplateRow>, PostgresError> {
    // The newest version, which may be the draft, provides the name of the template. The page is
    // limited first, so that lists are counted for its templates only.
    let rows = session
        .query(
            "SELECT t.template_id, t.document, t.items, \
                 (SELECT max(p.version) FROM template_version p WHERE p.tenant = t.tenant \
                      AND p.template_id = t.template_id AND p.status = 'Published'), \
                 (SELECT max(d.version) FROM template_version d WHERE d.tenant = t.tenant \
                      AND d.template_id = t.template_id AND d.status = 'Draft'), \
                 (SELECT count(*) FROM checklist c WHERE c.tenant = t.tenant \
                      AND c.template_id = t.template_id) \
             FROM (SELECT DISTINCT ON (template_id) tenant, template_id, document, items \
                   FROM template_version WHERE tenant = $1 AND template_id > $2 \
                   ORDER BY template_id, version DESC LIMIT $3) t \
             ORDER BY t.template_id",
            &[&tenant, &page.after, &i64::from(page.limit)],
        )
        .await?;
    rows.iter()
        .map(|row| {
            let newest = get_json::<Template>(row, 1).ok();
            let published = get_u32_option(row, 3)?;
            Ok(TemplateRow {
                status: if published.is_some() {
                    TemplateStatus::Published
                } else {
                    TemplateStatus::Draft
                },
                version: published.unwrap_or(0),
                draft_version: get_u32_option(row, 4)?,
                items: get_u32(row, 2)?,
                lists: get_u64(row, 5)?,
                ..TemplateRow::of(get(row, 0)?, newest.as_ref())
            })
        })
        .collect()
}

pub(super) async fn history(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<TemplateHistory>, PostgresError> {
    let mut history = TemplateHistory {
        id: id.to_owned(),
        draft: None,
        published: None,
        versions: Vec::new(),
    };
    let rows = session
        .query(
            "SELECT version, status, items, document, published_at, published_by \
             FROM template_version WHERE tenant = $1 AND template_id = $2 ORDER BY version DESC",
            &[&tenant, &id],
        )
        .await?;
    for row in &rows {
        if get::<&str>(row, 1)? == "Draft" {
            history.draft = get_json(row, 3)?;
            continue;
        }
        if history.published.is_none() {
            history.published = get_json(row, 3)?;
        }
        history.versions.push(TemplateVersionRow {
            version: get_u32(row, 0)?,
            published_at: get_time(row, 4)?,
            published_by: get_json(row, 5)?,
            items: get_u32(row, 2)?,
        });
    }
    Ok((!rows.is_empty()).then_some(history))
}

/// Writes the draft. Its number follows that of the newest published version.
pub(super) async fn put_draft(
    session: &mut Session,
    tenant: &str,
    mut template: Template,
    expected: &ExpectedState,
) -> Result<Result<TemplateHistory, PreconditionError>, PostgresError> {
    // Blocks the tenant's other changes of templates until the transaction ends.
    session.execute(NEXT_EPOCH, &[&tenant]).await?;
    let present = history(session, tenant, &template.id).await?;
    if let Err(refused) = expected.hold(present.as_ref()) {
        return Ok(Err(refused));
    }
    let rows = session
        .query(
            "SELECT coalesce(max(version), 0) FROM template_version \
             WHERE tenant = $1 AND template_id = $2 AND status = 'Published'",
            &[&tenant, &template.id],
        )
        .await?;
    let newest = rows.first().map_or(Ok(0), |row| get_u32(row, 0))?;
    template.version = newest.saturating_add(1);
    template.status = TemplateStatus::Draft;
    let (version, items) = (
        i64::from(template.version),
        int(template.items.len() as u64),
    );
    let document = json(&template)?;
    session
        .execute(
            "INSERT INTO template_version (tenant, template_id, version, status, items, document) \
             VALUES ($1, $2, $3, 'Draft', $4, $5) ON CONFLICT (tenant, template_id, version) \
             DO UPDATE SET items = excluded.items, document = excluded.document",
            &[&tenant, &template.id, &version, &items, &document],
        )
        .await?;
    let written = history(session, tenant, &template.id).await?;
    Ok(written.ok_or(PreconditionError::NoDraft))
}

/// Deletes the draft.
pub(super) async fn discard_draft(
    session: &mut Session,
    tenant: &str,
    id: &str,
    expected: &ExpectedState,
) -> Result<Result<(), PreconditionError>, PostgresError> {
    session.execute(NEXT_EPOCH, &[&tenant]).await?;
    let present = history(session, tenant, id).await?;
    if let Err(refused) = expected.hold(present.as_ref()) {
        return Ok(Err(refused));
    }
    let gone = session
        .execute(
            "DELETE FROM template_version \
             WHERE tenant = $1 AND template_id = $2 AND status = 'Draft'",
            &[&tenant, &id],
        )
        .await?;
    Ok(if gone == 0 {
        Err(PreconditionError::NoDraft)
    } else {
        Ok(())
    })
}

/// Turns the draft into the newest published version.
pub(super) async fn publish(
    session: &mut Session,
    tenant: &str,
    id: &str,
    stamp: &Stamp,
    expected: &ExpectedState,
) -> Result<Result<Arc<Template>, PreconditionError>, PostgresError> {
    session.execute(NEXT_EPOCH, &[&tenant]).await?;
    if *expected != ExpectedState::Anything {
        let present = history(session, tenant, id).await?;
        if let Err(refused) = expected.hold(present.as_ref()) {
            return Ok(Err(refused));
        }
    }
    let rows = session
        .query(
            "SELECT document FROM template_version \
             WHERE tenant = $1 AND template_id = $2 AND status = 'Draft'",
            &[&tenant, &id],
        )
        .await?;
    let Some(draft) = rows.first() else {
        return Ok(Err(PreconditionError::NoDraft));
    };
    let mut template: Template = get_json(draft, 0)?;
    template.status = TemplateStatus::Published;
    let (version, document) = (i64::from(template.version), json(&template)?);
    let (at, by) = (stamp.at.as_millis(), json(&stamp.actor)?);
    session
        .execute(
            "UPDATE template_version \
             SET status = 'Published', document = $4, published_at = $5, published_by = $6 \
             WHERE tenant = $1 AND template_id = $2 AND version = $3",
            &[&tenant, &id, &version, &document, &at, &by],
        )
        .await?;
    if template.refresh_policy == RefreshPolicy::Auto {
        session
            .execute(
                "INSERT INTO pending_refresh (tenant, template_id, version) VALUES ($1, $2, $3) \
                 ON CONFLICT (tenant, template_id) DO UPDATE SET version = excluded.version",
                &[&tenant, &id, &version],
            )
            .await?;
    }
    Ok(Ok(Arc::new(template)))
}

/// The tenants that have any data.
pub(super) async fn tenants(session: &mut Session) -> Result<Vec<String>, PostgresError> {
    let rows = session
        .query("SELECT tenant FROM catalogue ORDER BY tenant", &[])
        .await?;
    rows.iter().map(|row| get(row, 0)).collect()
}

pub(super) async fn pending_refreshes(
    session: &mut Session,
    tenant: &str,
) -> Result<Vec<PendingRefresh>, PostgresError> {
    let rows = session
        .query(
            "SELECT pending.template_id, pending.version, published.published_by \
             FROM pending_refresh pending \
             LEFT JOIN template_version published ON published.tenant = pending.tenant \
                 AND published.template_id = pending.template_id AND published.version = pending.version \
             WHERE pending.tenant = $1 ORDER BY pending.template_id",
            &[&tenant],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(PendingRefresh {
                tenant: tenant.to_owned(),
                template: get(row, 0)?,
                version: get_u32(row, 1)?,
                published_by: get_json_option(row, 2)?,
            })
        })
        .collect()
}

pub(super) async fn refresh_finished(
    session: &mut Session,
    pending: &PendingRefresh,
) -> Result<(), PostgresError> {
    session
        .execute(
            "DELETE FROM pending_refresh WHERE tenant = $1 AND template_id = $2 AND version = $3",
            &[
                &pending.tenant,
                &pending.template,
                &i64::from(pending.version),
            ],
        )
        .await?;
    Ok(())
}
