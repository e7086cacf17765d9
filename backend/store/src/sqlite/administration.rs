//! Administrative writes: the write and its audit row, in one transaction.

use checklist_shared::template::Template;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::columns::{get_json, json};
use super::sql::SqlSession;
use super::writer::BatchContext;
use super::{audit_rows, catalogue, webhook_rows};
use crate::administration::{Act, Cause, Snapshot, Target, WriteEffect};
use crate::sql::{connections, directory, keys, people, run_inline, tenants};
use crate::store::StoreError;

/// Runs an administrator's write and audits it. A rejected write leaves no row.
pub(super) fn administer<T: WriteEffect>(
    work: &mut BatchContext<'_>,
    tenant: &str,
    act: &Act,
    write: impl FnOnce(&mut BatchContext<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let before = snapshot(work.connection, tenant, &act.target)?;
    let outcome = write(work)?;
    if !outcome.is_done() {
        return Ok(outcome);
    }
    let after = snapshot(work.connection, tenant, &act.target)?;
    if let Some(recorded) = act.audit_record(before.as_ref(), after.as_ref()) {
        let head = work.head(tenant)?;
        let row = audit_rows::ActRow {
            tenant,
            actor: &json(&act.stamp.actor)?,
            at: act.stamp.at,
            act: &json(&recorded)?,
        };
        let head = audit_rows::append_act(work.connection, head, &row)?;
        work.chain_has_grown(tenant, head);
    }
    Ok(outcome)
}

/// As [`administer`], for a record that the server itself writes, too.
pub(super) fn administer_if<T: WriteEffect>(
    work: &mut BatchContext<'_>,
    tenant: &str,
    cause: &Cause,
    write: impl FnOnce(&mut BatchContext<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    match cause {
        Cause::Act(act) => administer(work, tenant, act, write),
        Cause::Upkeep => write(work),
    }
}

/// The present snapshot of an act's target.
fn snapshot(
    connection: &Connection,
    tenant: &str,
    target: &Target,
) -> Result<Option<Snapshot>, StoreError> {
    let session = &mut SqlSession(connection);
    Ok(match target {
        Target::Tenant => {
            let there = run_inline(tenants::one(session, tenant))?;
            there.as_ref().map(Snapshot::of_tenant)
        }
        Target::ApiKey(id) => {
            let there = run_inline(keys::api_key(session, tenant, id))?;
            there.as_ref().map(Snapshot::of_api_key)
        }
        Target::EmbedKey(kid) => {
            let there = run_inline(keys::embed_key(session, tenant, kid))?;
            there.as_ref().map(Snapshot::of_embed_key)
        }
        Target::User { issuer, subject } => {
            let there = run_inline(people::one(session, tenant, issuer, subject))?;
            there.as_ref().map(Snapshot::of_user)
        }
        Target::Session { issuer, subject } => {
            let there = run_inline(people::one(session, tenant, issuer, subject))?;
            there.as_ref().map(Snapshot::of_session)
        }
        Target::Token(jti) => {
            let is_revoked = run_inline(directory::is_revoked(session, tenant, jti))?;
            is_revoked.then(Snapshot::of_token)
        }
        Target::Type(name) => {
            let there = catalogue::one_type(connection, tenant, name)?;
            // A row that cannot be read has no snapshot.
            there.and_then(Result::ok).as_ref().map(Snapshot::of_type)
        }
        Target::Draft(id) => template(connection, tenant, id, true)?,
        Target::Published(id) => template(connection, tenant, id, false)?,
        Target::Connection(id) => {
            let there = run_inline(connections::one(session, tenant, id))?;
            there.as_ref().map(Snapshot::of_connection)
        }
        Target::Webhook(id) => {
            let there = webhook_rows::one(connection, tenant, id)?;
            there.as_ref().map(Snapshot::of_webhook)
        }
        Target::Delivery(_) | Target::AdminLink => None,
    })
}

/// The newest version of a template; a draft counts only with `or_draft`.
fn template(
    connection: &Connection,
    tenant: &str,
    id: &str,
    or_draft: bool,
) -> rusqlite::Result<Option<Snapshot>> {
    let found: Option<Template> = connection
        .prepare_cached(
            "SELECT document FROM template_version
             WHERE tenant = ?1 AND template_id = ?2 AND (?3 OR status = 'Published')
             ORDER BY version DESC LIMIT 1",
        )?
        .query_row(params![tenant, id, or_draft], |row| get_json(row, 0))
        .optional()?;
    Ok(found.as_ref().map(Snapshot::of_template))
}
