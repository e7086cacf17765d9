//! The rows of the audit trail: appends administrators' acts.
//!
//! The hash covers actor and event byte by byte as they are stored, so verification does not depend
//! on how JSON is serialized. `batch` appends the changes of lists.

use super::batch::MOVE_HEAD;
use super::columns::int;
use super::error::PostgresError;
use super::save::Head;
use super::session::Session;
use crate::act::ActRow;
use crate::audit::AuditFields;

/// Appends the row of an administrator's act to the tenant's audit trail, whose head the
/// transaction has locked. The columns for a list are empty.
pub(super) async fn append_act(
    session: &mut Session,
    head: &Head,
    row: &ActRow<'_>,
) -> Result<(), PostgresError> {
    let fields = AuditFields {
        tenant: row.tenant,
        sequence: head.audit_sequence + 1,
        object_type: "",
        object_id: "",
        purpose: "",
        revision: 0,
        operation_id: None,
        actor: row.actor,
        at: row.at.as_millis(),
        event: row.act,
    };
    let hash = fields.hash(&head.audit_hash);
    session
        .execute(
            "INSERT INTO audit (tenant, sequence, list_previous, object_type, object_id, purpose, \
                 revision, operation_id, actor, at, event, hash) \
             VALUES ($1, $2, 0, '', '', '', 0, NULL, $3, $4, $5, $6)",
            &[
                &fields.tenant,
                &int(fields.sequence),
                &fields.actor,
                &fields.at,
                &fields.event,
                &hash.as_slice(),
            ],
        )
        .await?;
    session
        .execute(
            MOVE_HEAD,
            &[
                &fields.tenant,
                &int(fields.sequence),
                &hash.as_slice(),
                &int(head.journal_cursor),
            ],
        )
        .await?;
    Ok(())
}
