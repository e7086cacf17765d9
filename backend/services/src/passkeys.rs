//! Passkeys of local administrators: adding, naming and removing them, and signing in with one.
//!
//! Only the person who is signed in with this browser changes their passkeys; people of an identity
//! provider have none here. Invariants: a challenge is answered once, within five minutes, and one
//! for a new passkey only in the session that asked for it. Whoever cannot sign in learns no reason.

use checklist_auth::passkey::{
    CeremonyError, NewCredential, RegistrationAnswer, RelyingParty, SignInAnswer,
};
use checklist_auth::{Credential, Principal, session};
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::passkey::{NewPasskey, Passkey, PasskeyOptions, Passkeys};
use checklist_store::directory::{PasskeyRecord, PendingPasskey, SecretHash, UserRecord};
use checklist_store::error::{ServiceError, ServiceResult};
use serde_json::Value;

use super::access::FieldErrors;
use super::sessions::{self, LOCAL, NewSession};
use crate::app::App;

/// The lifetime of a challenge, in milliseconds.
const HOLDS: i64 = 5 * 60 * 1_000;
/// The maximum number of passkeys of a person.
pub const MOST: usize = 20;

/// A person who is signed in with this browser.
struct SignedIn {
    user: UserRecord,
    session: SecretHash,
}

/// The local administrator who is signed in.
async fn local_administrator(app: &App, principal: &Principal) -> ServiceResult<SignedIn> {
    let found = match principal.credential {
        Credential::Session(secret) => app.store().session(secret).await?,
        _ => None,
    };
    let Some((record, user)) = found else {
        return Err(ServiceError::new(
            ProblemCode::Unauthenticated,
            "Nobody has signed in with this browser.",
        ));
    };
    if user.issuer != LOCAL {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "Passkeys are for local administrators; others sign in with the identity provider.",
        ));
    }
    Ok(SignedIn {
        user,
        session: record.secret,
    })
}

/// The passkeys of the person who is signed in.
///
/// # Errors
/// Nobody is, or somebody of an identity provider.
pub async fn list(app: &App, principal: &Principal) -> ServiceResult<Passkeys> {
    let person = local_administrator(app, principal).await?;
    let all = of(app, &person.user).await?;
    Ok(Passkeys {
        passkeys: all.into_iter().map(to_wire).collect(),
    })
}

/// Begins to add a passkey.
///
/// # Errors
/// Like [`list`], and `LimitExceeded` when the person has too many.
pub async fn begin_registration(
    app: &App,
    server: &RelyingParty,
    principal: &Principal,
) -> ServiceResult<PasskeyOptions> {
    let person = local_administrator(app, principal).await?;
    let present = of(app, &person.user).await?;
    refuse_too_many(&present)?;
    let begun = server.begin_registration(&person.user, &present);
    let begun = begun.map_err(|error| no_ceremony(&error))?;
    let pending = PendingPasskey {
        challenge: begun.challenge,
        session: Some(person.session),
        state: begun.state,
        expires_at: end(app),
    };
    app.store().begin_passkey(pending).await?;
    Ok(PasskeyOptions {
        public_key: begun.options,
    })
}

/// Adds the passkey that an authenticator has made.
///
/// # Errors
/// Like [`begin_registration`], and `InvalidRequest` when the answer does not count.
pub async fn finish_registration(
    app: &App,
    server: &RelyingParty,
    principal: &Principal,
    wish: NewPasskey,
) -> ServiceResult<Passkey> {
    let person = local_administrator(app, principal).await?;
    let name = named(&wish.name)?;
    refuse_too_many(&of(app, &person.user).await?)?;
    let added = verify_registration(app, server, &person, &wish.credential).await?;
    let added = added.ok_or_else(|| {
        refused_credential("The answer does not belong to this session, or came too late.")
    })?;
    let now = app.clock().now();
    let record = PasskeyRecord {
        tenant: person.user.tenant.clone(),
        id: added.id,
        issuer: person.user.issuer.clone(),
        subject: person.user.subject.clone(),
        name,
        public_key: added.public_key,
        state: added.state,
        created_at: now,
        used_at: None,
    };
    let is_new = app
        .store()
        .add_passkey(record.clone(), principal.stamp(now))
        .await?;
    if !is_new {
        return Err(refused_credential("This passkey is registered already."));
    }
    Ok(to_wire(record))
}

/// The new credential; `None` if the challenge is unknown, late or another session's.
async fn verify_registration(
    app: &App,
    server: &RelyingParty,
    person: &SignedIn,
    credential: &Value,
) -> ServiceResult<Option<NewCredential>> {
    let refused = |error: CeremonyError| {
        tracing::info!(%error, "a passkey was not added");
        refused_credential("The authenticator's answer cannot be used.")
    };
    let answer = RegistrationAnswer::parse(credential).map_err(refused)?;
    let Some(pending) = app.store().finish_passkey(answer.challenge).await? else {
        return Ok(None);
    };
    if pending.session != Some(person.session) || pending.expires_at <= app.clock().now() {
        return Ok(None);
    }
    let added = server.finish_registration(&pending.state, &answer);
    added.map(Some).map_err(refused)
}

/// Gives a passkey another name.
///
/// # Errors
/// Like [`list`], and `NotFound` when the person has no such passkey.
pub async fn rename(
    app: &App,
    principal: &Principal,
    id: &str,
    name: &str,
) -> ServiceResult<Passkey> {
    let (person, mut passkey) = own(app, principal, id).await?;
    passkey.name = named(name)?;
    let stamp = principal.stamp(app.clock().now());
    app.store()
        .rename_passkey(&person.user.tenant, id, &passkey.name, stamp)
        .await?;
    Ok(to_wire(passkey))
}

/// Removes a passkey. Sessions go on.
///
/// # Errors
/// Like [`rename`].
pub async fn remove(app: &App, principal: &Principal, id: &str) -> ServiceResult<()> {
    let (person, _) = own(app, principal, id).await?;
    let stamp = principal.stamp(app.clock().now());
    app.store()
        .remove_passkey(&person.user.tenant, id, stamp)
        .await?;
    Ok(())
}

async fn own(
    app: &App,
    principal: &Principal,
    id: &str,
) -> ServiceResult<(SignedIn, PasskeyRecord)> {
    let person = local_administrator(app, principal).await?;
    let all = of(app, &person.user).await?;
    let found = all.into_iter().find(|passkey| passkey.id == id);
    let found = found
        .ok_or_else(|| ServiceError::new(ProblemCode::NotFound, "You have no such passkey."))?;
    Ok((person, found))
}

/// Begins to sign in with a passkey.
///
/// # Errors
/// The store failed.
pub async fn begin_sign_in(app: &App, server: &RelyingParty) -> ServiceResult<PasskeyOptions> {
    let begun = server
        .begin_sign_in()
        .map_err(|error| no_ceremony(&error))?;
    let pending = PendingPasskey {
        challenge: begun.challenge,
        session: None,
        state: begun.state,
        expires_at: end(app),
    };
    app.store().begin_passkey(pending).await?;
    Ok(PasskeyOptions {
        public_key: begun.options,
    })
}

/// Signs in with what an authenticator has answered.
///
/// # Errors
/// `Unauthenticated` when the answer does not count, whatever the reason.
pub async fn finish_sign_in(
    app: &App,
    server: &RelyingParty,
    credential: &Value,
    seconds: i64,
) -> ServiceResult<NewSession> {
    match verify_sign_in(app, server, credential).await? {
        Ok(user) => sessions::begin(app, &user, seconds).await,
        Err(reason) => {
            tracing::info!(%reason, "a sign-in with a passkey has failed");
            Err(ServiceError::new(
                ProblemCode::Unauthenticated,
                "This passkey does not sign in here. Try again, or ask the operator for a one-time link.",
            ))
        }
    }
}

/// The person who has signed; the inner error is for the log.
async fn verify_sign_in(
    app: &App,
    server: &RelyingParty,
    credential: &Value,
) -> ServiceResult<Result<UserRecord, String>> {
    let no = |reason: &str| Ok(Err(reason.to_owned()));
    let now = app.clock().now();
    let answer = match SignInAnswer::parse(credential) {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let pending = app.store().finish_passkey(answer.challenge).await?;
    let Some(pending) = pending.filter(|one| one.session.is_none() && one.expires_at > now) else {
        return no("the challenge is unknown, answered or late");
    };
    let Some((passkey, user)) = app.store().passkey(&answer.credential_id()).await? else {
        return no("the passkey is not registered");
    };
    let state = match server.finish_sign_in(&pending.state, &answer, &passkey, &user) {
        Ok(state) => state,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let trust = app.trust_cache().of(&user.tenant).await?;
    if let Err(error) = trust.lets_in(Some(now)).and(session::person(&user)) {
        return Ok(Err(error.detail));
    }
    if !app.store().passkey_used(&passkey, &state, now).await? {
        return no("another sign-in has used the passkey at the same moment");
    }
    Ok(Ok(user))
}

async fn of(app: &App, user: &UserRecord) -> ServiceResult<Vec<PasskeyRecord>> {
    let all = app
        .store()
        .passkeys(&user.tenant, &user.issuer, &user.subject);
    Ok(all.await?)
}

fn end(app: &App) -> Timestamp {
    Timestamp::from_millis(app.clock().now().as_millis() + HOLDS)
}

fn named(name: &str) -> ServiceResult<String> {
    let mut errors = FieldErrors::default();
    errors.name("/Name", name.trim());
    errors.refuse()?;
    Ok(name.trim().to_owned())
}

fn refuse_too_many(present: &[PasskeyRecord]) -> ServiceResult<()> {
    if present.len() < MOST {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::LimitExceeded,
        format!("A person has {MOST} passkeys at most; remove one first."),
    ))
}

fn refused_credential(detail: &str) -> ServiceError {
    let mut errors = FieldErrors::default();
    errors.say("/Credential", FieldErrorCode::Invalid, detail);
    match errors.refuse() {
        Err(error) => error,
        Ok(()) => ServiceError::new(ProblemCode::InvalidRequest, detail),
    }
}

fn no_ceremony(error: &CeremonyError) -> ServiceError {
    tracing::error!(%error, "no ceremony could begin");
    ServiceError::new(
        ProblemCode::Internal,
        "No passkey can be asked for at the moment.",
    )
}

fn to_wire(passkey: PasskeyRecord) -> Passkey {
    Passkey {
        id: passkey.id,
        name: passkey.name,
        created_at: passkey.created_at,
        used_at: passkey.used_at,
    }
}
