//! The rows of tenants.

use checklist_shared::time::Timestamp;

use super::{Session, values};
use crate::store::StoreError;

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
