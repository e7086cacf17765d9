//! Types and templates: their rows and their cache.
//!
//! They are few and rarely written, so a write empties the whole cache.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checklist_shared::template::{RefreshPolicy, Template, TemplateStatus};
use checklist_shared::wire::admin::{
    PutType, TemplateHistory, TemplateRow, TemplateVersionRow, Type,
};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{get_json, get_json_option, get_time, get_u32, get_u64, json, parse};
use crate::expected::{ExpectedState, PreconditionError};
use crate::keyset::Keyset;
use crate::platform_types::{self, TypesByName, UnreadableLog};
use crate::store::{PendingRefresh, Stamp, StoreError, TemplateChoice};

/// The most entries of each kind. When it is reached, all are dropped.
const KEPT: usize = 1_000;

/// The cached types and templates.
#[derive(Default)]
pub(super) struct Catalogue {
    known: Mutex<CatalogueState>,
    unreadable: UnreadableLog,
}

#[derive(Default)]
struct CatalogueState {
    epoch: u64,
    types: HashMap<String, Arc<TypesByName>>,
    templates: HashMap<(String, TemplateKey), Arc<Template>>,
}

type TemplateKey = (String, Option<u32>);

/// The epoch at which a reader began.
#[derive(Clone, Copy)]
pub(super) struct ReadEpoch(u64);

impl Catalogue {
    fn state(&self) -> MutexGuard<'_, CatalogueState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn since(&self) -> ReadEpoch {
        ReadEpoch(self.state().epoch)
    }

    /// Whether nothing was written since.
    pub(super) fn is_unchanged(&self, since: ReadEpoch) -> bool {
        self.state().epoch == since.0
    }

    pub(super) fn types(&self, tenant: &str) -> Option<Arc<TypesByName>> {
        self.state().types.get(tenant).cloned()
    }

    pub(super) fn template(&self, tenant: &str, choice: &TemplateChoice) -> Option<Arc<Template>> {
        let key = (tenant.to_owned(), (choice.id.clone(), choice.version));
        self.state().templates.get(&key).cloned()
    }

    pub(super) fn offer_types(&self, since: ReadEpoch, tenant: &str, types: Arc<TypesByName>) {
        let mut known = self.state();
        if known.epoch == since.0 {
            if known.types.len() >= KEPT {
                known.types.clear();
            }
            known.types.insert(tenant.to_owned(), types);
        }
    }

    pub(super) fn offer_template(
        &self,
        since: ReadEpoch,
        tenant: &str,
        choice: &TemplateChoice,
        template: Arc<Template>,
    ) {
        let mut known = self.state();
        if known.epoch == since.0 {
            if known.templates.len() >= KEPT {
                known.templates.clear();
            }
            known.templates.insert(
                (tenant.to_owned(), (choice.id.clone(), choice.version)),
                template,
            );
        }
    }

    /// Empties the cache. Called by a write and again by its commit, because a reader may have
    /// loaded the old state in between.
    pub(super) fn forget(&self) {
        let mut known = self.state();
        known.epoch += 1;
        known.types.clear();
        known.templates.clear();
    }
}

impl Catalogue {
    /// Loads the types from the file; logs unreadable rows.
    pub(super) fn load_types(&self, connection: &Connection, tenant: &str) -> Result<TypesByName> {
        let types = connection
            .prepare_cached(
                "SELECT name, classes, templates, always_journal FROM platform_type WHERE tenant = ?1",
            )?
            .query_map([tenant], |row| Ok((row.get(0)?, type_of(row))))?
            .collect::<Result<_>>()?;
        self.unreadable.log(tenant, &types);
        Ok(types)
    }
}

/// A type, or what is wrong with its row.
fn type_of(row: &Row<'_>) -> std::result::Result<Type, String> {
    let read = || {
        Ok(Type {
            name: row.get(0)?,
            classes: get_json(row, 1)?,
            templates: get_json(row, 2)?,
            always_journal: row.get(3)?,
        })
    };
    read().map_err(|error: rusqlite::Error| error.to_string())
}

/// The type with that name, or what is wrong with its row.
pub(super) fn one_type(
    connection: &Connection,
    tenant: &str,
    name: &str,
) -> Result<Option<std::result::Result<Type, String>>> {
    connection
        .prepare_cached(
            "SELECT name, classes, templates, always_journal FROM platform_type
             WHERE tenant = ?1 AND name = ?2",
        )?
        .query_row([tenant, name], |row| Ok(type_of(row)))
        .optional()
}

/// Changes or creates a type.
pub(super) fn put_type(
    connection: &Connection,
    tenant: &str,
    name: &str,
    change: &PutType,
    expected: &ExpectedState,
) -> std::result::Result<std::result::Result<Type, PreconditionError>, StoreError> {
    let present = one_type(connection, tenant, name)?;
    let kind = match platform_types::apply(name, present, change, expected)? {
        Ok(kind) => kind,
        refused => return Ok(refused),
    };
    connection
        .prepare_cached(
            "INSERT INTO platform_type (tenant, name, classes, templates, always_journal) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (tenant, name) DO UPDATE
             SET classes = excluded.classes, templates = excluded.templates, always_journal = excluded.always_journal",
        )?
        .execute(params![tenant, kind.name, json(&kind.classes)?, json(&kind.templates)?, kind.always_journal])?;
    Ok(Ok(kind))
}

/// A published version of a template; the newest without a number.
pub(super) fn load_template(
    connection: &Connection,
    tenant: &str,
    choice: &TemplateChoice,
) -> Result<Option<Template>> {
    connection
        .prepare_cached(
            "SELECT document FROM template_version
             WHERE tenant = ?1 AND template_id = ?2 AND (?3 IS NULL OR version = ?3) AND status = 'Published'
             ORDER BY version DESC LIMIT 1",
        )?
        .query_row(params![tenant, choice.id, choice.version], |row| get_json(row, 0))
        .optional()
}

pub(super) fn template_rows(
    connection: &Connection,
    tenant: &str,
    page: &Keyset<String>,
) -> Result<Vec<TemplateRow>> {
    // The newest version, which may be the draft, provides the name of the template.
    let mut statement = connection.prepare_cached(
        "SELECT t.template_id, t.document, t.items,
                (SELECT max(p.version) FROM template_version p
                 WHERE p.tenant = t.tenant AND p.template_id = t.template_id AND p.status = 'Published'),
                (SELECT max(d.version) FROM template_version d
                 WHERE d.tenant = t.tenant AND d.template_id = t.template_id AND d.status = 'Draft'),
                (SELECT count(*) FROM checklist c
                 WHERE c.tenant = t.tenant AND c.template_id = t.template_id)
         FROM template_version t
         WHERE t.tenant = ?1 AND t.template_id > ?2
           AND t.version = (SELECT max(n.version) FROM template_version n
                            WHERE n.tenant = t.tenant AND n.template_id = t.template_id)
         ORDER BY t.template_id LIMIT ?3",
    )?;
    let rows = statement.query_map(params![tenant, page.after, page.limit], |row| {
        let newest = get_json::<Template>(row, 1).ok();
        let published: Option<u32> = row.get(3)?;
        Ok(TemplateRow {
            status: if published.is_some() {
                TemplateStatus::Published
            } else {
                TemplateStatus::Draft
            },
            version: published.unwrap_or(0),
            draft_version: row.get(4)?,
            items: get_u32(row, 2)?,
            lists: get_u64(row, 5)?,
            ..TemplateRow::of(row.get(0)?, newest.as_ref())
        })
    })?;
    rows.collect()
}

pub(super) fn history(
    connection: &Connection,
    tenant: &str,
    id: &str,
) -> Result<Option<TemplateHistory>> {
    let mut history = TemplateHistory {
        id: id.to_owned(),
        draft: None,
        published: None,
        versions: Vec::new(),
    };
    let mut statement = connection.prepare_cached(
        "SELECT version, status, items, document, published_at, published_by FROM template_version
         WHERE tenant = ?1 AND template_id = ?2 ORDER BY version DESC",
    )?;
    let mut rows = statement.query([tenant, id])?;
    while let Some(row) = rows.next()? {
        if row.get_ref(1)?.as_str() == Ok("Draft") {
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
    let known = history.draft.is_some() || history.published.is_some();
    Ok(known.then_some(history))
}

fn newest_published(connection: &Connection, tenant: &str, id: &str) -> Result<u32> {
    connection
        .prepare_cached(
            "SELECT coalesce(max(version), 0) FROM template_version
             WHERE tenant = ?1 AND template_id = ?2 AND status = 'Published'",
        )?
        .query_row([tenant, id], |row| get_u32(row, 0))
}

/// Writes the draft. Its number follows that of the newest published version.
pub(super) fn put_draft(
    connection: &Connection,
    tenant: &str,
    mut template: Template,
    expected: &ExpectedState,
) -> Result<Result<TemplateHistory, PreconditionError>> {
    let present = history(connection, tenant, &template.id)?;
    if let Err(refused) = expected.hold(present.as_ref()) {
        return Ok(Err(refused));
    }
    template.version = newest_published(connection, tenant, &template.id)?.saturating_add(1);
    template.status = TemplateStatus::Draft;
    connection
        .prepare_cached(
            "INSERT INTO template_version (tenant, template_id, version, status, items, document)
             VALUES (?1, ?2, ?3, 'Draft', ?4, ?5)
             ON CONFLICT (tenant, template_id, version) DO UPDATE
             SET items = excluded.items, document = excluded.document",
        )?
        .execute(params![
            tenant,
            template.id,
            template.version,
            template.items.len() as i64,
            json(&template)?
        ])?;
    let written = history(connection, tenant, &template.id)?;
    Ok(written.ok_or(PreconditionError::NoDraft))
}

/// Deletes the draft.
pub(super) fn discard_draft(
    connection: &Connection,
    tenant: &str,
    id: &str,
    expected: &ExpectedState,
) -> Result<Result<(), PreconditionError>> {
    let present = history(connection, tenant, id)?;
    if let Err(refused) = expected.hold(present.as_ref()) {
        return Ok(Err(refused));
    }
    let gone = connection
        .prepare_cached(
            "DELETE FROM template_version WHERE tenant = ?1 AND template_id = ?2 AND status = 'Draft'",
        )?
        .execute([tenant, id])?;
    Ok(if gone == 0 {
        Err(PreconditionError::NoDraft)
    } else {
        Ok(())
    })
}

/// Turns the draft into the newest published version.
pub(super) fn publish(
    connection: &Connection,
    tenant: &str,
    id: &str,
    stamp: &Stamp,
    expected: &ExpectedState,
) -> Result<Result<Arc<Template>, PreconditionError>> {
    if *expected != ExpectedState::Anything {
        let present = history(connection, tenant, id)?;
        if let Err(refused) = expected.hold(present.as_ref()) {
            return Ok(Err(refused));
        }
    }
    let draft: Option<String> = connection
        .prepare_cached(
            "SELECT document FROM template_version WHERE tenant = ?1 AND template_id = ?2 AND status = 'Draft'",
        )?
        .query_row([tenant, id], |row| row.get(0))
        .optional()?;
    let Some(draft) = draft else {
        return Ok(Err(PreconditionError::NoDraft));
    };
    let mut template: Template = parse(&draft, 0)?;
    template.status = TemplateStatus::Published;
    connection
        .prepare_cached(
            "UPDATE template_version
             SET status = 'Published', document = ?4, published_at = ?5, published_by = ?6
             WHERE tenant = ?1 AND template_id = ?2 AND version = ?3",
        )?
        .execute(params![
            tenant,
            id,
            template.version,
            json(&template)?,
            stamp.at.as_millis(),
            json(&stamp.actor)?
        ])?;
    if template.refresh_policy == RefreshPolicy::Auto {
        connection
            .prepare_cached(
                "INSERT INTO pending_refresh (tenant, template_id, version) VALUES (?1, ?2, ?3)
                 ON CONFLICT (tenant, template_id) DO UPDATE SET version = excluded.version",
            )?
            .execute(params![tenant, id, template.version])?;
    }
    Ok(Ok(Arc::new(template)))
}

pub(super) fn pending_refreshes(connection: &Connection) -> Result<Vec<PendingRefresh>> {
    connection
        .prepare_cached(
            "SELECT pending.tenant, pending.template_id, pending.version, published.published_by
             FROM pending_refresh pending
             LEFT JOIN template_version published ON published.tenant = pending.tenant
                 AND published.template_id = pending.template_id AND published.version = pending.version
             ORDER BY pending.tenant, pending.template_id",
        )?
        .query_map([], |row| {
            Ok(PendingRefresh {
                tenant: row.get(0)?,
                template: row.get(1)?,
                version: get_u32(row, 2)?,
                published_by: get_json_option(row, 3)?,
            })
        })?
        .collect()
}

pub(super) fn refresh_finished(connection: &Connection, pending: &PendingRefresh) -> Result<usize> {
    connection
        .prepare_cached(
            "DELETE FROM pending_refresh WHERE tenant = ?1 AND template_id = ?2 AND version = ?3",
        )?
        .execute(params![pending.tenant, pending.template, pending.version])
}
