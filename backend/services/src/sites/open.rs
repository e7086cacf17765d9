//! Opens the site of a connection, or returns the one that is open: the calls of one connection
//! share sign-ins, form digests and list metadata.
//!
//! Invariant: a site with forwarded credentials (`PassThrough`) is never shared.

use std::sync::Arc;

use checklist_egress::{SiteTransport, TlsTrust};
use checklist_runtime::failpoint;
use checklist_shared::wire::connections::{ConnectionIdentity, SiteProtocol};
use checklist_store::error::{ServiceError, ServiceResult};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use site_lists::{
    AuthenticationType, Identity, Protocol, Site, SiteConnection, SiteOptions, TransportError,
};
use url::Url;

use super::caller::{SiteCaller, need_sites};
use super::connection_ref::{self, ConnectionRef};
use super::refusal::site_refusal;
use super::tokens::SiteTokens;
use super::wire::ConnectionArgument;
use crate::app::App;
use crate::connections::decrypted::DecryptedConnection;
use crate::open_sites::Key;
use checklist_shared::problem::ProblemCode;

/// The site of a connection.
pub(super) async fn site(
    app: &App,
    asking: &SiteCaller<'_>,
    connection_ref: &ConnectionRef,
) -> ServiceResult<Site> {
    let connection = connection_ref.site();
    let (trust, mut options) = trust_and_options(connection_ref)?;
    failpoint::break_down("site.opened", &(connection, &options));
    if let ConnectionRef::Stored(opened) = connection_ref
        && opened.identity == ConnectionIdentity::Service
    {
        // The operator may have disabled it since the connection was created.
        if !app.egress().knows_us_at(&opened.origin) {
            return Err(not_as_ourselves(&opened.origin));
        }
        options.identity = Identity::Service;
    }
    let own = connection.authentication_type == AuthenticationType::PassThrough;
    options.pass_through = asking.site_authorization.clone().filter(|_| own);
    let open = || site_over_transport(app, connection_ref, connection, trust, options);
    if own {
        return open();
    }
    app.open_sites()
        .one(key(asking, connection_ref), open)
        .await
}

/// Opens the site of a call.
pub(super) async fn site_of_call(
    app: &App,
    asking: &SiteCaller<'_>,
    connection: ConnectionArgument,
) -> ServiceResult<Site> {
    need_sites(asking.principal)?;
    let connection_ref = connection_ref::for_call(app, asking, connection).await?;
    site(app, asking, &connection_ref).await
}

/// Creates a site. Sends no request yet.
fn site_over_transport(
    app: &App,
    connection_ref: &ConnectionRef,
    connection: &SiteConnection,
    trust: TlsTrust,
    mut options: SiteOptions,
) -> ServiceResult<Site> {
    let transport =
        transport_to(app, &connection.url, trust).map_err(|error| no_transport(&error))?;
    if let ConnectionRef::Stored(opened) = connection_ref
        && opened.method.is_oauth()
    {
        options.tokens = Some(Arc::new(SiteTokens {
            app: app.clone(),
            opened: DecryptedConnection::clone(opened),
        }));
    }
    let site = Site::open(connection, Arc::new(transport), options);
    site.map_err(|error| site_refusal(&error))
}

/// The transport to the site of a service connection.
pub(super) fn transport(
    app: &App,
    opened: &DecryptedConnection,
) -> Result<SiteTransport, TransportError> {
    let trust = TlsTrust {
        certificates: opened.ca_bundle.clone(),
        ..TlsTrust::default()
    };
    transport_to(app, &opened.site.url, trust)
}

fn transport_to(app: &App, url: &str, trust: TlsTrust) -> Result<SiteTransport, TransportError> {
    let url = Url::parse(url);
    let url =
        url.map_err(|_| TransportError::Refused("the site has no usable address".to_owned()))?;
    SiteTransport::new(Arc::clone(app.egress()), &url, trust)
}

/// The trusted certificates and the options of the site-lists client.
fn trust_and_options(connection_ref: &ConnectionRef) -> ServiceResult<(TlsTrust, SiteOptions)> {
    let mut options = SiteOptions::default();
    let mut trust = TlsTrust::default();
    if let ConnectionRef::Stored(opened) = connection_ref {
        options.protocol = match opened.protocol {
            SiteProtocol::Auto => Protocol::Auto,
            SiteProtocol::Rest => Protocol::Rest,
            SiteProtocol::Graph => Protocol::Graph,
        };
        trust.certificates.clone_from(&opened.ca_bundle);
        if let Some(kdc) = &opened.kdc {
            let kdc = Url::parse(kdc).map_err(|_| no_address())?;
            let host = kdc.host_str().unwrap_or_default().to_owned();
            trust.tickets = Some((host, kdc.port().unwrap_or(88)));
            options.key_distribution_centre = Some(kdc);
        }
        if let Some(service) = &opened.token_service {
            let service = Url::parse(service).map_err(|_| no_address())?;
            options.legacy_token_service = Some(service);
        }
    }
    Ok((trust, options))
}

/// The cache key: whose site it is, and everything that affects its requests.
fn key(asking: &SiteCaller<'_>, connection_ref: &ConnectionRef) -> Key {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    };
    part(&asking.principal.tenant);
    match connection_ref {
        ConnectionRef::Stored(opened) => {
            part("stored");
            part(&opened.id);
            part(&opened.version());
        }
        ConnectionRef::Inline(connection) => {
            part("inline");
            part(&asking.principal.actor.identity());
            part(&connection.url);
            part(connection.username.as_deref().unwrap_or_default());
            let password = connection.password.as_ref();
            part(password.map_or("", |password| password.expose_secret()));
            part(connection.domain.as_deref().unwrap_or_default());
            part(connection.authentication_type.name());
            part(&connection.timeout.unwrap_or_default().to_string());
        }
    }
    hash.finalize().into()
}

fn not_as_ourselves(origin: &str) -> ServiceError {
    ServiceError::new(
        ProblemCode::InvalidConnection,
        format!(
            "The operator has not opened the server's own identity for {origin} (--own-identity)."
        ),
    )
}

fn no_address() -> ServiceError {
    ServiceError::new(
        ProblemCode::InvalidConnection,
        "The site has no usable address.",
    )
}

fn no_transport(error: &TransportError) -> ServiceError {
    ServiceError::new(ProblemCode::AddressRefused, format!("{error}."))
}
