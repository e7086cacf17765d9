//! The cache of types and templates.
//!
//! They are few and rarely written, so a write empties the whole cache.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checklist_shared::template::Template;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::get_json;
use super::session::SqlSession;
use crate::platform_types::{TypesByName, UnreadableLog};
use crate::sql::{platform_types, run_inline, templates};
use crate::store::{StoreError, TemplateChoice};

/// The most entries of each kind. When it is reached, all are dropped.
const KEPT: usize = 1_000;

/// The cached types and templates.
#[derive(Default)]
pub(super) struct Catalogue {
    state: Mutex<CatalogueState>,
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut state = self.state();
        if state.epoch == since.0 {
            if state.types.len() >= KEPT {
                state.types.clear();
            }
            state.types.insert(tenant.to_owned(), types);
        }
    }

    pub(super) fn offer_template(
        &self,
        since: ReadEpoch,
        tenant: &str,
        choice: &TemplateChoice,
        template: Arc<Template>,
    ) {
        let mut state = self.state();
        if state.epoch == since.0 {
            if state.templates.len() >= KEPT {
                state.templates.clear();
            }
            state.templates.insert(
                (tenant.to_owned(), (choice.id.clone(), choice.version)),
                template,
            );
        }
    }

    /// Empties the cache. Called by a write and again by its commit, because a reader may have
    /// loaded the old state in between.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.epoch += 1;
        state.types.clear();
        state.templates.clear();
    }
}

impl Catalogue {
    /// Loads the types from the file; logs unreadable rows.
    pub(super) fn load_types(
        &self,
        connection: &Connection,
        tenant: &str,
    ) -> std::result::Result<TypesByName, StoreError> {
        let mut session = SqlSession(connection);
        let types = run_inline(platform_types::all(&mut session, tenant))?;
        let retired = run_inline(templates::retired(&mut session, tenant))?;
        let types = types.into_iter().collect::<TypesByName>();
        let types = types.with_retired(retired);
        self.unreadable.log(tenant, &types);
        Ok(types)
    }
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
