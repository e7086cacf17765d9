//! Which connection a call means, and whether the caller may use it.
//!
//! Stored credentials are named by an id and go where the connection leads, never to a URL of the
//! caller's. Credentials that a caller brings along go to origins alone that an administrator has
//! registered.

use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::ConnectionMethod;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use site_lists::AuthenticationType;
use url::Url;
use zeroize::Zeroizing;

use super::Asking;
use super::wire::{ConnectionAnswer, ConnectionArgument, EstablishSiteConnection};
use crate::app::App;
use crate::auth::Principal;
use crate::auth::api_key::{hash, new_secret};
use crate::error::{ServiceError, ServiceResult};
use crate::services::access::Faults;
use crate::services::connections::opened::{self, Opened};
use crate::storage::connections::HandleRecord;
use crate::vault::HandleSeal;

/// What handles begin with, so that people and scanners recognise one.
const PREFIX: &str = "sh_";
/// What a handle's content is sealed for.
const PURPOSE: &str = "site";

/// The connection that is meant.
pub(super) enum Meant {
    /// A service connection, opened.
    Stored(Box<Opened>),
    /// Credentials of the caller's own.
    Brought(Box<Brought>),
}

/// Credentials that a caller has brought along; kept as long as their handle, sealed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Brought {
    pub(super) url: String,
    pub(super) username: Option<String>,
    #[serde(serialize_with = "exposed", default)]
    pub(super) password: Option<SecretString>,
    pub(super) domain: Option<String>,
    pub(super) authentication_type: AuthenticationType,
    pub(super) timeout: Option<u32>,
}

/// What a handle stands for.
#[derive(Serialize, Deserialize)]
enum Kept {
    Stored(String),
    Brought(Brought),
}

fn exposed<S: serde::Serializer>(secret: &Option<SecretString>, out: S) -> Result<S::Ok, S::Error> {
    secret
        .as_ref()
        .map(ExposeSecret::expose_secret)
        .serialize(out)
}

/// The connection that `EstablishSiteConnection` names.
pub(super) async fn of_establish(
    app: &App,
    asking: &Asking<'_>,
    request: EstablishSiteConnection,
) -> ServiceResult<Meant> {
    match (request.service_connection, request.credentials) {
        (Some(id), None) => stored(app, asking, &id, "/ServiceConnection").await,
        (None, Some(credentials)) => meant(app, asking, credentials, "/Credentials").await,
        (both, _) => {
            let mut faults = Faults::default();
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
            Err(gone())
        }
    }
}

/// The connection that another call names.
pub(super) async fn of_call(
    app: &App,
    asking: &Asking<'_>,
    connection: ConnectionArgument,
) -> ServiceResult<Meant> {
    meant(app, asking, connection, "/Connection").await
}

async fn meant(
    app: &App,
    asking: &Asking<'_>,
    argument: ConnectionArgument,
    pointer: &str,
) -> ServiceResult<Meant> {
    if let Some(handle) = &argument.handle {
        let found = of_handle(app, asking, handle).await?;
        agrees(&argument, &found, pointer)?;
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
        let found = stored(app, asking, id, &format!("{pointer}/ServiceConnection")).await?;
        agrees(&argument, &found, pointer)?;
        return Ok(found);
    }
    brought(app, asking, argument, pointer).await
}

async fn stored(app: &App, asking: &Asking<'_>, id: &str, pointer: &str) -> ServiceResult<Meant> {
    if uuid::Uuid::try_parse(id).is_err() {
        return Err(fault(
            pointer,
            FieldErrorCode::Invalid,
            "The id of a service connection is a Guid.",
        ));
    }
    let opened = opened::open(app, &asking.principal.tenant, id).await?;
    Ok(Meant::Stored(Box::new(opened)))
}

async fn brought(
    app: &App,
    asking: &Asking<'_>,
    argument: ConnectionArgument,
    pointer: &str,
) -> ServiceResult<Meant> {
    let mut faults = Faults::default();
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
        return Err(gone());
    };
    let origin = parsed.origin().ascii_serialization();
    if !registered(app, asking.principal, &origin).await? {
        return Err(fault(
            &format!("{pointer}/Url"),
            FieldErrorCode::Invalid,
            &format!(
                "Credentials go to registered origins alone, and {origin} is none: an administrator registers it by \
                 making a service connection there."
            ),
        ));
    }
    Ok(Meant::Brought(Box::new(Brought {
        url,
        username: argument.username,
        password: argument.password,
        domain: argument.domain,
        authentication_type,
        timeout: argument.timeout,
    })))
}

/// Whether credentials of callers may go to an origin: the operator has allowed it, or an
/// administrator of the tenant has made a connection there.
async fn registered(app: &App, principal: &Principal, origin: &str) -> ServiceResult<bool> {
    if app.egress().allows(origin) {
        return Ok(true);
    }
    let connections = app.store().connections(&principal.tenant).await?;
    Ok(connections.iter().any(|record| record.origin == origin))
}

async fn of_handle(app: &App, asking: &Asking<'_>, handle: &str) -> ServiceResult<Meant> {
    let principal = asking.principal;
    let found = app.store().handle(&principal.tenant, hash(handle)).await?;
    let now = app.clock().now();
    let own =
        found.filter(|kept| kept.actor == principal.actor.identity() && kept.expires_at > now);
    let kept = own.ok_or_else(gone)?;
    let opened = HandleSeal::of(handle, PURPOSE).open(&kept.sealed);
    let opened = opened.map_err(|_| gone())?;
    match serde_json::from_slice(&opened).map_err(|_| gone())? {
        Kept::Stored(id) => stored(app, asking, &id, "/Connection/Handle").await,
        Kept::Brought(brought) => {
            let origin = Url::parse(&brought.url).map(|url| url.origin().ascii_serialization());
            // An administrator may have withdrawn it meanwhile.
            if !registered(app, principal, &origin.unwrap_or_default()).await? {
                return Err(gone());
            }
            Ok(Meant::Brought(Box::new(brought)))
        }
    }
}

/// Refuses an address that is not the one of the connection that is named beside it.
fn agrees(argument: &ConnectionArgument, found: &Meant, pointer: &str) -> ServiceResult<()> {
    let Some(url) = &argument.url else {
        return Ok(());
    };
    let same =
        |one: &str, other: &str| one.trim().trim_end_matches('/') == other.trim_end_matches('/');
    if same(url, found.url()) {
        return Ok(());
    }
    Err(fault(
        &format!("{pointer}/Url"),
        FieldErrorCode::Invalid,
        "The connection leads to another site than this.",
    ))
}

/// The connection as it is given back, with a new handle.
pub(super) async fn with_handle(
    app: &App,
    principal: &Principal,
    meant: &Meant,
) -> ServiceResult<ConnectionAnswer> {
    let broken = || ServiceError::new(ProblemCode::Internal, "No handle could be made.");
    let handle = new_secret().map_err(|_| broken())?;
    let handle = format!("{PREFIX}{handle}");
    let kept = match meant {
        Meant::Stored(opened) => Kept::Stored(opened.id.clone()),
        Meant::Brought(brought) => Kept::Brought(Brought::clone(brought)),
    };
    let text = Zeroizing::new(serde_json::to_vec(&kept).map_err(|_| broken())?);
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
    Ok(meant.answer(handle, expires_at))
}

impl Meant {
    fn url(&self) -> &str {
        match self {
            Self::Stored(opened) => &opened.url,
            Self::Brought(brought) => &brought.url,
        }
    }

    fn answer(&self, handle: String, expires_at: Timestamp) -> ConnectionAnswer {
        match self {
            Self::Stored(opened) => ConnectionAnswer {
                url: opened.url.clone(),
                username: opened.username.clone(),
                domain: opened.domain.clone(),
                authentication_type: AuthenticationType::ServiceConnection,
                timeout: opened.timeout,
                service_connection: Some(opened.id.clone()),
                handle,
                expires_at,
            },
            Self::Brought(brought) => ConnectionAnswer {
                url: brought.url.clone(),
                username: brought.username.clone(),
                domain: brought.domain.clone(),
                authentication_type: brought.authentication_type,
                timeout: brought.timeout,
                service_connection: None,
                handle,
                expires_at,
            },
        }
    }
}

/// How `site_lists` calls the method of a service connection.
pub(super) const fn authentication_of(method: ConnectionMethod) -> AuthenticationType {
    match method {
        ConnectionMethod::Anonymous => AuthenticationType::Anonymous,
        ConnectionMethod::PassThrough => AuthenticationType::PassThrough,
        ConnectionMethod::SiteOnline => AuthenticationType::SiteOnline,
        ConnectionMethod::Forms => AuthenticationType::Forms,
        ConnectionMethod::Negotiate => AuthenticationType::Negotiate,
        ConnectionMethod::Kerberos => AuthenticationType::Kerberos,
        ConnectionMethod::Ntlm => AuthenticationType::Ntlm,
        ConnectionMethod::Digest => AuthenticationType::Digest,
        ConnectionMethod::Delegated | ConnectionMethod::Application => {
            AuthenticationType::ServiceConnection
        }
    }
}

fn fault(pointer: &str, code: FieldErrorCode, why: &str) -> ServiceError {
    let mut faults = Faults::default();
    faults.say(pointer, code, why);
    match faults.refuse() {
        Err(error) => error,
        Ok(()) => gone(),
    }
}

fn gone() -> ServiceError {
    ServiceError::new(
        ProblemCode::ConnectionNotFound,
        "There is no such connection, or the handle has ended; establish it again.",
    )
}
