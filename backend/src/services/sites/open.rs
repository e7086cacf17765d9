//! Sites that are open: sign-ins, form digests and looked-up lists are shared by the calls of one
//! connection, and forgotten after a while without any.
//!
//! What a caller hands on as their own (`PassThrough`) is never shared. Held by `App`, asked by
//! `sites`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checklist_shared::wire::connections::{ConnectionIdentity, SiteProtocol};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use site_lists::{AuthenticationType, Identity, Protocol, Site, SiteConnection, SiteOptions};
use url::Url;

use super::Asking;
use super::refusal::refused;
use super::tokens::Tokens;
use super::way::Through;
use super::whose::{Brought, Meant, authentication_of};
use crate::app::App;
use crate::egress::{EgressError, Trust, Way};
use crate::error::{ServiceError, ServiceResult};
use crate::failpoint;
use crate::services::connections::opened::Opened;
use checklist_shared::problem::ProblemCode;

/// How long a site stays open without a call.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// The most sites that are open.
const MOST: usize = 500;

type Key = [u8; 32];

/// The sites that are open on this node.
#[derive(Default)]
pub struct OpenSites(Mutex<HashMap<Key, (Site, Instant)>>);

impl OpenSites {
    fn get(&self, key: &Key) -> Option<Site> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (site, used) = open.get_mut(key)?;
        if used.elapsed() > IDLE {
            open.remove(key);
            return None;
        }
        *used = Instant::now();
        Some(site.clone())
    }

    fn keep(&self, key: Key, site: &Site) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST {
            open.retain(|_, (_, used)| used.elapsed() <= IDLE);
        }
        if open.len() >= MOST {
            let oldest = open.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                open.remove(&oldest);
            }
        }
        open.insert(key, (site.clone(), Instant::now()));
    }
}

/// The site of a connection.
pub(super) async fn site(app: &App, asking: &Asking<'_>, meant: &Meant) -> ServiceResult<Site> {
    let (connection, trust, mut options) = parts(meant)?;
    failpoint::break_down("site.opened", &(&connection, &options));
    if let Meant::Stored(opened) = meant
        && opened.identity == ConnectionIdentity::Service
    {
        // The operator may have closed it since the connection was made.
        if !app.egress().knows_us_at(&opened.origin) {
            return Err(not_as_ourselves(&opened.origin));
        }
        options.identity = Identity::Service;
    }
    let own = connection.authentication_type == AuthenticationType::PassThrough;
    options.pass_through = asking.site_authorization.clone().filter(|_| own);
    let key = key(asking, meant);
    if !own && let Some(site) = app.open_sites().get(&key) {
        return Ok(site);
    }
    let way = way_to(app, &connection.url, trust).map_err(|error| no_way(&error))?;
    if let Meant::Stored(opened) = meant
        && opened.method.is_oauth()
    {
        options.tokens = Some(Arc::new(Tokens {
            app: app.clone(),
            opened: Opened::clone(opened),
        }));
    }
    let site = Site::open(&connection, Arc::new(Through::new(way)), options);
    let site = site.map_err(|error| refused(&error))?;
    if !own {
        app.open_sites().keep(key, &site);
    }
    Ok(site)
}

/// The way to the site of a service connection, without signing in.
pub(super) fn way(app: &App, opened: &Opened) -> Result<Way, EgressError> {
    let trust = Trust {
        certificates: opened.ca_bundle.clone(),
        ..Trust::default()
    };
    way_to(app, &opened.url, trust)
}

fn way_to(app: &App, url: &str, trust: Trust) -> Result<Way, EgressError> {
    let url = Url::parse(url);
    let url = url.map_err(|_| EgressError::Refused("the site has no usable address".to_owned()))?;
    Way::to(Arc::clone(app.egress()), &url, trust)
}

/// What `site_lists` is told of a connection, and what is trusted on the way.
fn parts(meant: &Meant) -> ServiceResult<(SiteConnection, Trust, SiteOptions)> {
    let mut options = SiteOptions::default();
    let mut trust = Trust::default();
    let connection = match meant {
        Meant::Stored(opened) => {
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
            stored(opened)
        }
        Meant::Brought(brought) => own(brought),
    };
    if connection.authentication_type == AuthenticationType::SiteOnline {
        // The former dialogue, where a farm or an emulator still speaks it: at the site itself.
        options.former_token_service = Url::parse(&connection.url)
            .and_then(|url| url.join("/extSTS.srf"))
            .ok();
    }
    Ok((connection, trust, options))
}

fn stored(opened: &Opened) -> SiteConnection {
    SiteConnection {
        url: opened.url.clone(),
        username: opened.username.clone(),
        password: opened.password.clone(),
        domain: opened.domain.clone(),
        authentication_type: authentication_of(opened.method),
        timeout: opened.timeout,
        service_connection: uuid::Uuid::try_parse(&opened.id).ok(),
    }
}

fn own(brought: &Brought) -> SiteConnection {
    SiteConnection {
        url: brought.url.clone(),
        username: brought.username.clone(),
        password: brought.password.clone(),
        domain: brought.domain.clone(),
        authentication_type: brought.authentication_type,
        timeout: brought.timeout,
        service_connection: None,
    }
}

/// What an open site is found by: whose it is, and everything that decides how it is asked.
fn key(asking: &Asking<'_>, meant: &Meant) -> Key {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    };
    part(&asking.principal.tenant);
    match meant {
        Meant::Stored(opened) => {
            part("stored");
            part(&opened.id);
            part(&opened.version());
        }
        Meant::Brought(brought) => {
            part("brought");
            part(&asking.principal.actor.identity());
            part(&brought.url);
            part(brought.username.as_deref().unwrap_or_default());
            let password = brought.password.as_ref();
            part(password.map_or("", |password| password.expose_secret()));
            part(brought.domain.as_deref().unwrap_or_default());
            part(brought.authentication_type.name());
            part(&brought.timeout.unwrap_or_default().to_string());
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

fn no_way(error: &EgressError) -> ServiceError {
    ServiceError::new(ProblemCode::AddressRefused, format!("{error}."))
}
