//! What decisions on lists need of a tenant's types, templates and webhooks, and a node's cache of it.
//!
//! Every change of a tenant's types, published templates or webhooks increments the tenant's epoch
//! as the first statement of its transaction, so that such changes are serialized.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::template::Template;
use checklist_shared::wire::admin::Type;
use tokio_postgres::Row;

use super::columns::{get, get_json, get_u32};
use super::error::PostgresError;
use super::memory::Memory;
use super::session::Session;
use super::webhook_rows::{self, LISTENERS};
use crate::outbox::Listener;
use crate::platform_types::TypesByName;
use crate::store::{StoreError, TemplateChoice};

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

/// The tenants that have any data.
pub(super) async fn tenants(session: &mut Session) -> Result<Vec<String>, PostgresError> {
    let rows = session
        .query("SELECT tenant FROM catalogue ORDER BY tenant", &[])
        .await?;
    rows.iter().map(|row| get(row, 0)).collect()
}
