//! Administrative writes: the write and its audit row, in one transaction.
//!
//! The head of the tenant's logs is locked last, as in every writing transaction.

use checklist_shared::template::Template;

use super::audit_rows;
use super::batch::take_logs;
use super::columns::{get_json, json};
use super::error::PostgresError;
use super::session::Session;
use super::{catalogue, webhook_rows};
use crate::administration::{Act, Cause, Snapshot, Target, WriteEffect};
use crate::sql::{connections, directory, keys, people, tenants};

/// Runs an administrator's write and audits it. Has to be called in a transaction. A rejected write
/// leaves no row.
pub(super) async fn administer<T: WriteEffect>(
    session: &mut Session,
    tenant: &str,
    act: &Act,
    write: impl AsyncFnOnce(&mut Session) -> Result<T, PostgresError>,
) -> Result<T, PostgresError> {
    let before = snapshot(session, tenant, &act.target).await?;
    let outcome = write(session).await?;
    if !outcome.is_done() {
        return Ok(outcome);
    }
    let after = snapshot(session, tenant, &act.target).await?;
    if let Some(recorded) = act.audit_record(before.as_ref(), after.as_ref()) {
        let head = take_logs(session, tenant).await?.head;
        let row = audit_rows::ActRow {
            tenant,
            actor: &json(&act.stamp.actor)?,
            at: act.stamp.at.as_millis(),
            act: &json(&recorded)?,
        };
        audit_rows::append_act(session, &head, &row).await?;
    }
    Ok(outcome)
}

/// As [`administer`], for a record that the server itself writes, too.
pub(super) async fn administer_if<T: WriteEffect>(
    session: &mut Session,
    tenant: &str,
    cause: &Cause,
    write: impl AsyncFnOnce(&mut Session) -> Result<T, PostgresError>,
) -> Result<T, PostgresError> {
    match cause {
        Cause::Act(act) => administer(session, tenant, act, write).await,
        Cause::Upkeep => write(session).await,
    }
}

/// The present snapshot of an act's target.
async fn snapshot(
    session: &mut Session,
    tenant: &str,
    target: &Target,
) -> Result<Option<Snapshot>, PostgresError> {
    Ok(match target {
        Target::Tenant => {
            let there = tenants::one(session, tenant).await?;
            there.as_ref().map(Snapshot::of_tenant)
        }
        Target::ApiKey(id) => {
            let there = keys::api_key(session, tenant, id).await?;
            there.as_ref().map(Snapshot::of_api_key)
        }
        Target::EmbedKey(kid) => {
            let there = keys::embed_key(session, tenant, kid).await?;
            there.as_ref().map(Snapshot::of_embed_key)
        }
        Target::User { issuer, subject } => {
            let there = people::one(session, tenant, issuer, subject).await?;
            there.as_ref().map(Snapshot::of_user)
        }
        Target::Session { issuer, subject } => {
            let there = people::one(session, tenant, issuer, subject).await?;
            there.as_ref().map(Snapshot::of_session)
        }
        Target::Token(jti) => {
            let is_revoked = directory::is_revoked(session, tenant, jti).await?;
            is_revoked.then(Snapshot::of_token)
        }
        Target::Type(name) => {
            let there = catalogue::one_type(session, tenant, name).await?;
            // A row that cannot be read has no snapshot.
            there.and_then(Result::ok).as_ref().map(Snapshot::of_type)
        }
        Target::Draft(id) => template(session, tenant, id, true).await?,
        Target::Published(id) => template(session, tenant, id, false).await?,
        Target::Connection(id) => {
            let there = connections::one(session, tenant, id).await?;
            there.as_ref().map(Snapshot::of_connection)
        }
        Target::Webhook(id) => {
            let there = webhook_rows::one(session, tenant, id).await?;
            there.as_ref().map(Snapshot::of_webhook)
        }
        Target::Delivery(_) | Target::AdminLink => None,
    })
}

/// The newest version of a template; a draft counts only if requested.
async fn template(
    session: &mut Session,
    tenant: &str,
    id: &str,
    or_draft: bool,
) -> Result<Option<Snapshot>, PostgresError> {
    let rows = session
        .query(
            "SELECT document FROM template_version \
             WHERE tenant = $1 AND template_id = $2 AND ($3 OR status = 'Published') \
             ORDER BY version DESC LIMIT 1",
            &[&tenant, &id, &or_draft],
        )
        .await?;
    let found: Option<Template> = rows.first().map(|row| get_json(row, 0)).transpose()?;
    Ok(found.as_ref().map(Snapshot::of_template))
}
