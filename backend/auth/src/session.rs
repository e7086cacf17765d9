//! Sessions of the built-in pages: a cookie with 256 random bits, and the person it belongs to.
//!
//! Roles are read for each request: disabling a person or removing a role takes effect at once.

use checklist_shared::item::{Actor, ActorSource};
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_store::directory::{SecretHash, SessionRecord, UserRecord};
use checklist_store::scope::ContextScope;

use super::error::AuthError;
use super::principal::permissions_of;
use super::principal::{Credential, Principal};

/// The default lifetime of a session, in seconds.
pub const USUAL: i64 = 12 * 60 * 60;
/// The idle timeout, in milliseconds.
pub const IDLE: i64 = 2 * 60 * 60 * 1_000;
/// How often the last use is stored, in milliseconds.
const NOTED: i64 = 60 * 1_000;

/// Creates a session record for a person, with a lifetime in seconds.
#[must_use]
pub fn new_session(
    secret: SecretHash,
    user: &UserRecord,
    seconds: i64,
    now: Timestamp,
) -> SessionRecord {
    SessionRecord {
        secret,
        tenant: user.tenant.clone(),
        issuer: user.issuer.clone(),
        subject: user.subject.clone(),
        created_at: now,
        expires_at: Timestamp::from_millis(now.as_millis() + seconds * 1_000),
        used_at: now,
    }
}

/// Whether the last use should be stored again.
#[must_use]
pub const fn is_due(session: &SessionRecord, now: Timestamp) -> bool {
    now.as_millis() - session.used_at.as_millis() >= NOTED
}

/// Converts a stored session to a principal.
///
/// # Errors
/// `TokenExpired` if it has expired, `Unauthenticated` if the person is disabled.
pub fn admit(
    session: &SessionRecord,
    user: &UserRecord,
    now: Timestamp,
) -> Result<Principal, AuthError> {
    let idle = now.as_millis() - session.used_at.as_millis() >= IDLE;
    if idle || session.expires_at <= now {
        return Err(AuthError {
            code: ProblemCode::TokenExpired,
            detail: "The session has ended; sign in again.".into(),
        });
    }
    is_after_epoch(user, session.created_at)?;
    let mut principal = person(user)?;
    principal.expires_at = Some(session.expires_at);
    principal.credential = Credential::Session(session.secret);
    Ok(principal)
}

/// Fails for credentials that were issued before the person was last disabled or enabled: enabling
/// a person does not revive them.
///
/// # Errors
/// `Unauthenticated`.
pub fn is_after_epoch(user: &UserRecord, issued_at: Timestamp) -> Result<(), AuthError> {
    if issued_at < user.epoch {
        return Err(AuthError::invalid(
            "What this person was given before has ended; sign in again.",
        ));
    }
    Ok(())
}

/// Converts a registered person to a principal.
///
/// # Errors
/// `Unauthenticated` if the person is disabled.
pub fn person(user: &UserRecord) -> Result<Principal, AuthError> {
    if user.disabled {
        return Err(AuthError::invalid("This person is not let in any more."));
    }
    Ok(Principal {
        tenant: user.tenant.clone(),
        actor: Actor::person(&user.subject, &user.name)
            .vouched_for_by(ActorSource::IdentityProvider, Some(&user.issuer)),
        permissions: permissions_of(&user.roles),
        contexts: ContextScope::Any,
        languages: Vec::new(),
        sources: Vec::new(),
        journal: false,
        template: None,
        // The length distinguishes ("ab", "c") from ("a", "bc").
        idempotency_scope: format!(
            "user:{}:{}:{}",
            user.issuer.len(),
            user.issuer,
            user.subject
        ),
        expires_at: None,
        credential: Credential::Own,
    })
}
