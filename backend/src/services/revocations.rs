//! Revoking what was given out: one token, or everything of the tenant: tokens, sessions and keys.
//!
//! Holds at once on this node, and within two seconds on every other.

use checklist_shared::problem::FieldErrorCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{Revocation, Revoked};

use super::access::{self, FieldErrors};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ServiceResult;
use crate::storage::directory::DirectoryChange;

/// For how long a token's id is remembered, in milliseconds: no token that is let in lives longer.
const REMEMBERED: i64 = 24 * 60 * 60 * 1_000;

/// Revokes.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` unless the request names exactly one of the two.
pub async fn revoke(
    app: &App,
    principal: &Principal,
    request: Revocation,
) -> ServiceResult<Revoked> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let everything = request.everything == Some(true);
    let mut faults = FieldErrors::default();
    match &request.jti {
        Some(_) if everything => faults.say(
            "/Everything",
            FieldErrorCode::Invalid,
            "Name a token or everything, not both.",
        ),
        Some(jti) => faults.name("/Jti", jti),
        None if !everything => faults.say(
            "/Jti",
            FieldErrorCode::Required,
            "Name a token by its jti, or say Everything: true.",
        ),
        None => {}
    }
    faults.refuse()?;
    let tenant = principal.tenant.clone();
    tracing::warn!(
        tenant,
        everything,
        jti = request.jti,
        by = principal.actor.identity(),
        "revoked"
    );
    if let Some(jti) = request.jti {
        let until = Timestamp::from_millis(now.as_millis() + REMEMBERED);
        let revoked = DirectoryChange::RevokeToken {
            tenant,
            jti: jti.clone(),
            at: now,
            until,
        };
        app.trusted().change(revoked, principal.stamp(now)).await?;
        return Ok(Revoked {
            jti: Some(jti),
            before: None,
        });
    }
    let ended = DirectoryChange::EndEverything { tenant, at: now };
    app.trusted().change(ended, principal.stamp(now)).await?;
    Ok(Revoked {
        jti: None,
        before: Some(now),
    })
}
