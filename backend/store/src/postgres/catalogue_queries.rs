//! Loads catalogues and templates into a node's cache, and counts the changes of catalogues.
//!
//! Every change of a tenant's types, published templates or webhooks increments the tenant's epoch
//! before it reads them, so that such changes are serialized.

use std::sync::Arc;

use checklist_shared::template::Template;

use super::catalogue::{Catalogue, EPOCH, PUBLISHED, TEMPLATES, TYPES, epoch, read};
use super::columns::{get, get_json};
use super::error::PostgresError;
use super::memory::Memory;
use super::session::Session;
use super::webhook_rows::LISTENERS;

const NEXT_EPOCH: &str = "INSERT INTO catalogue (tenant, epoch) VALUES ($1, 1) \
     ON CONFLICT (tenant) DO UPDATE SET epoch = catalogue.epoch + 1";

/// The tenant's present catalogue; from the cache while the epoch is the same.
pub(super) async fn present(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
) -> Result<Arc<Catalogue>, PostgresError> {
    let epoch = present_epoch(session, tenant).await?;
    match memory.catalogue(tenant) {
        Some(known) if known.epoch == epoch => Ok(known),
        _ => load(session, memory, tenant).await,
    }
}

/// The tenant's present epoch.
pub(super) async fn present_epoch(
    session: &mut Session,
    tenant: &str,
) -> Result<i64, PostgresError> {
    epoch(&session.query(EPOCH, &[&tenant]).await?)
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
        session.statement(PUBLISHED).await?,
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
