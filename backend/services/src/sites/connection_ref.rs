//! Resolves the connection of a call, and checks that the caller may use it.
//!
//! Invariants: stored credentials are referred to by id and are sent to the connection's own URL
//! only, never to one from the caller. Credentials in a call are sent to registered origins only.

use checklist_auth::Principal;
use checklist_auth::api_key::{hash, new_secret};
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_store::connections::HandleRecord;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::keyset::Keyset;
use checklist_vault::HandleSeal;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize, Serializer};
use site_lists::{AuthenticationType, SiteConnection};
use url::Url;
use zeroize::Zeroizing;

use super::caller::SiteCaller;
use super::wire::{ConnectionAnswer, ConnectionArgument, EstablishSiteConnection};
use crate::access::FieldErrors;
use crate::app::App;
use crate::connections::decrypted::{self, DecryptedConnection};

/// The prefix of handles, so that people and secret scanners recognise them.
const PREFIX: &str = "sh_";
/// The encryption purpose of a handle's content.
const PURPOSE: &str = "site";

/// The connection that a call refers to.
pub(super) enum ConnectionRef {
    /// A service connection, decrypted.
    Stored(Box<DecryptedConnection>),
    /// A connection whose credentials are in the call, or in the handle that was made from one.
    Inline(Box<SiteConnection>),
}

/// The encrypted content of a handle.
#[derive(Serialize, Deserialize)]
enum HandleContent {
    Stored(String),
    Inline(#[serde(serialize_with = "with_password")] SiteConnection),
}

/// Serialises the password, which `SiteConnection` omits. Only for content that is encrypted.
fn with_password<S: Serializer>(connection: &SiteConnection, out: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "PascalCase")]
    struct WithPassword<'a> {
        #[serde(flatten)]
        connection: &'a SiteConnection,
        password: Option<&'a str>,
    }
    let password = connection.password.as_ref();
    let password = password.map(ExposeSecret::expose_secret);
    let sealed = WithPassword {
        connection,
        password,
    };
    sealed.serialize(out)
}

/// Resolves the connection of `EstablishSiteConnection`.
pub(super) async fn for_establish(
    app: &App,
    asking: &SiteCaller<'_>,
    request: EstablishSiteConnection,
) -> ServiceResult<ConnectionRef> {
    match (request.service_connection, request.credentials) {
        (Some(id), None) => load_stored(app, asking, &id, "/ServiceConnection").await,
        (None, Some(credentials)) => resolve(app, asking, credentials, "/Credentials").await,
        (both, _) => {
            let mut faults = FieldErrors::default();
            let (at, why) = if both.is_some() {
                (
                    "/Credentials",
                    "Name a service connection or credentials, not both.",
                )
            } else {
                (
                    "/ServiceConnection",
                    "Name a service connection, or credentials.",
                )
            };
            let code = if both.is_some() {
                FieldErrorCode::Invalid
            } else {
                FieldErrorCode::Required
            };
            faults.say(at, code, why);
            faults.refuse()?;
            Err(not_found())
        }
    }
}

/// Resolves the connection of any other call.
pub(super) async fn for_call(
    app: &App,
    asking: &SiteCaller<'_>,
    connection: ConnectionArgument,
) -> ServiceResult<ConnectionRef> {
    resolve(app, asking, connection, "/Connection").await
}

async fn resolve(
    app: &App,
    asking: &SiteCaller<'_>,
    argument: ConnectionArgument,
    pointer: &str,
) -> ServiceResult<ConnectionRef> {
    if let Some(handle) = &argument.handle {
        let found = load_handle(app, asking, handle).await?;
        check_url(&argument, &found, pointer)?;
        return Ok(found);
    }
    let by_reference = argument.authentication_type == Some(AuthenticationType::ServiceConnection);
    if by_reference || argument.service_connection.is_some() {
        let Some(id) = &argument.service_connection else {
            return Err(fault(
                &format!("{pointer}/ServiceConnection"),
                FieldErrorCode::Required,
                "Name the service connection.",
            ));
        };
        if !by_reference && argument.authentication_type.is_some() || argument.password.is_some() {
            return Err(fault(
                &format!("{pointer}/ServiceConnection"),
                FieldErrorCode::Invalid,
                "Name a service connection or credentials, not both.",
            ));
        }
        let found = load_stored(app, asking, id, &format!("{pointer}/ServiceConnection")).await?;
        check_url(&argument, &found, pointer)?;
        return Ok(found);
    }
    accept_inline(app, asking, argument, pointer).await
}

async fn load_stored(
    app: &App,
    asking: &SiteCaller<'_>,
    id: &str,
    pointer: &str,
) -> ServiceResult<ConnectionRef> {
    if uuid::Uuid::try_parse(id).is_err() {
        return Err(fault(
            pointer,
            FieldErrorCode::Invalid,
            "The id of a service connection is a Guid.",
        ));
    }
    let stored = decrypted::open(app, &asking.principal.tenant, id).await?;
    Ok(ConnectionRef::Stored(Box::new(stored)))
}

async fn accept_inline(
    app: &App,
    asking: &SiteCaller<'_>,
    argument: ConnectionArgument,
    pointer: &str,
) -> ServiceResult<ConnectionRef> {
    let mut faults = FieldErrors::default();
    let url = argument.url.unwrap_or_default();
    let parsed = Url::parse(url.trim());
    if parsed.is_err() {
        let (code, why) = if url.is_empty() {
            (FieldErrorCode::Required, "Name the site.")
        } else {
            (FieldErrorCode::Invalid, "The address of a site is needed.")
        };
        faults.say(format!("{pointer}/Url"), code, why);
    }
    if argument.authentication_type.is_none() {
        faults.say(
            format!("{pointer}/AuthenticationType"),
            FieldErrorCode::Required,
            "Say how to sign in.",
        );
    }
    if argument
        .timeout
        .is_some_and(|seconds| !(1..=600).contains(&seconds))
    {
        faults.say(
            format!("{pointer}/Timeout"),
            FieldErrorCode::Invalid,
            "1 to 600 seconds.",
        );
    }
    faults.refuse()?;
    let (Ok(parsed), Some(authentication_type)) = (parsed, argument.authentication_type) else {
        return Err(not_found());
    };
    let origin = parsed.origin().ascii_serialization();
    if !is_registered(app, asking.principal, &origin).await? {
        return Err(fault(
            &format!("{pointer}/Url"),
            FieldErrorCode::Invalid,
            &format!(
                "Credentials go to registered origins alone, and {origin} is none: an administrator registers it by \
                 making a service connection there."
            ),
        ));
    }
    Ok(ConnectionRef::Inline(Box::new(SiteConnection {
        url,
        username: argument.username,
        password: argument.password,
        domain: argument.domain,
        authentication_type,
        timeout: argument.timeout,
        service_connection: None,
    })))
}

/// Whether callers' credentials may go to an origin: the operator permits it, or an administrator
/// of the tenant has created a connection to it.
async fn is_registered(app: &App, principal: &Principal, origin: &str) -> ServiceResult<bool> {
    if app.egress().allows(origin) {
        return Ok(true);
    }
    let connections = app
        .store()
        .connections(&principal.tenant, Keyset::whole())
        .await?;
    Ok(connections.iter().any(|record| record.origin == origin))
}

async fn load_handle(
    app: &App,
    asking: &SiteCaller<'_>,
    handle: &str,
) -> ServiceResult<ConnectionRef> {
    let principal = asking.principal;
    let found = app.store().handle(&principal.tenant, hash(handle)).await?;
    let now = app.clock().now();
    let found = found
        .filter(|record| record.actor == principal.actor.identity() && record.expires_at > now);
    let record = found.ok_or_else(not_found)?;
    let content = HandleSeal::of(handle, PURPOSE).open(&record.sealed);
    let content = content.map_err(|_| not_found())?;
    match serde_json::from_slice(&content).map_err(|_| not_found())? {
        HandleContent::Stored(id) => load_stored(app, asking, &id, "/Connection/Handle").await,
        HandleContent::Inline(connection) => {
            let origin = Url::parse(&connection.url).map(|url| url.origin().ascii_serialization());
            // An administrator may have withdrawn it meanwhile.
            if !is_registered(app, principal, &origin.unwrap_or_default()).await? {
                return Err(not_found());
            }
            Ok(ConnectionRef::Inline(Box::new(connection)))
        }
    }
}

/// Fails if the URL of the call differs from that of the connection it refers to.
fn check_url(
    argument: &ConnectionArgument,
    found: &ConnectionRef,
    pointer: &str,
) -> ServiceResult<()> {
    let Some(url) = &argument.url else {
        return Ok(());
    };
    let same =
        |one: &str, other: &str| one.trim().trim_end_matches('/') == other.trim_end_matches('/');
    if same(url, &found.site().url) {
        return Ok(());
    }
    Err(fault(
        &format!("{pointer}/Url"),
        FieldErrorCode::Invalid,
        "The connection leads to another site than this.",
    ))
}

/// The response to `EstablishSiteConnection`: the connection with a new handle.
pub(super) async fn with_handle(
    app: &App,
    principal: &Principal,
    connection_ref: &ConnectionRef,
) -> ServiceResult<ConnectionAnswer> {
    let broken = || ServiceError::new(ProblemCode::Internal, "No handle could be made.");
    let handle = new_secret().map_err(|_| broken())?;
    let handle = format!("{PREFIX}{handle}");
    let content = match connection_ref {
        ConnectionRef::Stored(stored) => HandleContent::Stored(stored.id.clone()),
        ConnectionRef::Inline(connection) => {
            HandleContent::Inline(SiteConnection::clone(connection))
        }
    };
    let text = Zeroizing::new(serde_json::to_vec(&content).map_err(|_| broken())?);
    let expires_at = Timestamp::from_millis(
        app.clock().now().as_millis() + i64::from(app.handle_seconds()) * 1_000,
    );
    let record = HandleRecord {
        handle: hash(&handle),
        tenant: principal.tenant.clone(),
        actor: principal.actor.identity(),
        sealed: HandleSeal::of(&handle, PURPOSE)
            .seal(&text)
            .map_err(|_| broken())?,
        expires_at,
    };
    app.store().keep_handle(record).await?;
    Ok(connection_ref.answer(handle, expires_at))
}

impl ConnectionRef {
    /// The argument of the site-lists client.
    pub(super) fn site(&self) -> &SiteConnection {
        match self {
            Self::Stored(stored) => &stored.site,
            Self::Inline(connection) => connection,
        }
    }

    fn answer(&self, handle: String, expires_at: Timestamp) -> ConnectionAnswer {
        let site = self.site();
        let (authentication_type, service_connection) = match self {
            Self::Stored(stored) => (
                AuthenticationType::ServiceConnection,
                Some(stored.id.clone()),
            ),
            Self::Inline(connection) => (connection.authentication_type, None),
        };
        ConnectionAnswer {
            url: site.url.clone(),
            username: site.username.clone(),
            domain: site.domain.clone(),
            authentication_type,
            timeout: site.timeout,
            service_connection,
            handle,
            expires_at,
        }
    }
}

fn fault(pointer: &str, code: FieldErrorCode, why: &str) -> ServiceError {
    let mut faults = FieldErrors::default();
    faults.say(pointer, code, why);
    match faults.refuse() {
        Err(error) => error,
        Ok(()) => not_found(),
    }
}

fn not_found() -> ServiceError {
    ServiceError::new(
        ProblemCode::ConnectionNotFound,
        "There is no such connection, or the handle has ended; establish it again.",
    )
}
