//! The rows of the audit trail: appends administrators' acts.
//!
//! `batch` appends the changes of lists.

use checklist_shared::audit_trail::leaf::Leaf;

use super::batch::MOVE_HEAD;
use super::columns::int;
use super::error::PostgresError;
use super::save::Head;
use super::session::Session;
use crate::act::ActRow;

/// Appends the row of an administrator's act to the tenant's audit trail, whose head the
/// transaction has locked. The columns for a list are empty.
pub(super) async fn append_act(
    session: &mut Session,
    head: &Head,
    row: &ActRow<'_>,
) -> Result<(), PostgresError> {
    let leaf = Leaf {
        sequence: head.audit_sequence + 1,
        list_previous: 0,
        revision: 0,
        at: row.at.as_millis(),
        tenant: row.tenant,
        object_type: "",
        object_id: "",
        purpose: "",
        operation_id: None,
        event: &row.act.event,
        actor: &row.actor.commitment,
        words: &row.act.words.commitment,
    };
    session
        .execute(
            "INSERT INTO audit (tenant, sequence, list_previous, object_type, object_id, purpose, \
                 revision, operation_id, actor, actor_salt, at, event, words, words_salt, hash) \
             VALUES ($1, $2, 0, '', '', '', 0, NULL, $3, $4, $5, $6, $7, $8, $9)",
            &[
                &leaf.tenant,
                &int(leaf.sequence),
                &row.actor.value,
                &row.actor.salt.as_slice(),
                &leaf.at,
                &leaf.event,
                &row.act.words.value,
                &row.act.words.salt.as_slice(),
                &leaf.hash().as_slice(),
            ],
        )
        .await?;
    session
        .execute(
            MOVE_HEAD,
            &[&leaf.tenant, &int(leaf.sequence), &int(head.journal_cursor)],
        )
        .await?;
    Ok(())
}
