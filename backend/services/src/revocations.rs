//! Revokes one token, or all tokens, sessions and keys of a tenant.
//!
//! Takes effect at once on this node, and within two seconds on all others.

use checklist_auth::Principal;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{Revocation, Revoked};
use checklist_store::directory::DirectoryChange;
use checklist_store::error::ServiceResult;

use super::access::{self, FieldErrors};
use crate::app::App;

/// How long a revoked token id is stored, in milliseconds: the maximum lifetime of an accepted
/// token.
const REMEMBERED: i64 = 24 * 60 * 60 * 1_000;

/// Revokes a token or everything.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` unless the request contains exactly one of the two.
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
        app.trust_cache()
            .change(revoked, principal.stamp(now))
            .await?;
        return Ok(Revoked {
            jti: Some(jti),
            before: None,
        });
    }
    let ended = DirectoryChange::EndEverything { tenant, at: now };
    app.trust_cache()
        .change(ended, principal.stamp(now))
        .await?;
    Ok(Revoked {
        jti: None,
        before: Some(now),
    })
}
