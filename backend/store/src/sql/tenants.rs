//! The rows of tenants.

use checklist_shared::time::Timestamp;

use super::{DialectSql, Row, Session, values};
use crate::directory::Tenant;
use crate::store::StoreError;

/// Selects tenants.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, epoch, disabled, created_at FROM tenant ",
            $rest
        )
    };
}

/// Finds a tenant by its registration, its lists, types, templates or audit trail.
macro_rules! with_data {
    ($head:literal) => {
        concat!(
            "SELECT $1::text WHERE EXISTS (SELECT 1 FROM tenant WHERE id = $1)
                 OR EXISTS (SELECT 1 FROM ",
            $head,
            " WHERE tenant = $1)
                 OR EXISTS (SELECT 1 FROM checklist WHERE tenant = $1)
                 OR EXISTS (SELECT 1 FROM audit WHERE tenant = $1)
                 OR EXISTS (SELECT 1 FROM platform_type WHERE tenant = $1)
                 OR EXISTS (SELECT 1 FROM template_version WHERE tenant = $1)"
        )
    };
}

const WITH_DATA: DialectSql = DialectSql {
    sqlite: with_data!("audit_head"),
    postgres: with_data!("log_head"),
};

fn tenant_of(row: &Row) -> Result<Tenant, StoreError> {
    Ok(Tenant {
        id: row.get_text(0)?.to_owned(),
        name: row.get_text(1)?.to_owned(),
        epoch: row.get_time(2)?,
        disabled: row.get_bool(3)?,
        created_at: row.get_time(4)?,
    })
}

pub(crate) async fn all<S: Session>(session: &mut S) -> Result<Vec<Tenant>, StoreError> {
    session
        .query_map(select!("ORDER BY id"), values![], tenant_of)
        .await
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    id: &str,
) -> Result<Option<Tenant>, StoreError> {
    session
        .query_opt(select!("WHERE id = $1"), values![id], tenant_of)
        .await
}

/// Whether the tenant has any data.
pub(crate) async fn has_data<S: Session>(session: &mut S, id: &str) -> Result<bool, StoreError> {
    let rows = session.query(WITH_DATA.of(S::DIALECT), values![id]).await?;
    Ok(!rows.is_empty())
}

pub(super) async fn put<S: Session>(session: &mut S, tenant: &Tenant) -> Result<(), StoreError> {
    let parameters = values![
        &tenant.id,
        &tenant.name,
        tenant.epoch,
        tenant.disabled,
        tenant.created_at,
    ];
    session
        .execute(
            "INSERT INTO tenant (id, name, epoch, disabled, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (id) DO UPDATE
             SET name = excluded.name, disabled = excluded.disabled,
                 epoch = CASE WHEN tenant.disabled <> excluded.disabled
                                   AND tenant.epoch < excluded.epoch
                              THEN excluded.epoch ELSE tenant.epoch END",
            parameters,
        )
        .await?;
    Ok(())
}

/// Registers a tenant if necessary, with its id as its name.
pub(crate) async fn know_tenant<S: Session>(
    session: &mut S,
    id: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    session
        .execute(
            "INSERT INTO tenant (id, name, created_at) VALUES ($1, $1, $2) ON CONFLICT (id) DO NOTHING",
            values![id, at],
        )
        .await?;
    Ok(())
}

/// Revokes every token, session, API key, embed key and one-time link of a tenant.
pub(super) async fn end_everything<S: Session>(
    session: &mut S,
    tenant: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    know_tenant(session, tenant, at).await?;
    session
        .execute("DELETE FROM session WHERE tenant = $1", values![tenant])
        .await?;
    for sql in [
        "UPDATE tenant SET epoch = $2 WHERE id = $1 AND epoch < $2",
        "UPDATE api_key SET revoked_at = $2 WHERE tenant = $1 AND revoked_at IS NULL",
        "UPDATE embed_key SET revoked_at = $2 WHERE tenant = $1 AND revoked_at IS NULL",
        "UPDATE admin_link SET used_at = $2 WHERE tenant = $1 AND used_at IS NULL",
    ] {
        session.execute(sql, values![tenant, at]).await?;
    }
    Ok(())
}
