//! Validates the requested state of a connection. Reports all errors at once, each with a pointer
//! to its field.

use checklist_egress::oauth::certificate::ClientCertificate;
use checklist_shared::phrase::PhraseCode;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::wire::connections::{ConnectionIdentity, ConnectionMethod, SiteProtocol};
use checklist_store::error::ServiceResult;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use site_lists::{Identity, Protocol, Site};
use url::Url;

use super::draft::ConnectionDraft;
use super::provider::PROVIDER;
use super::settings::ConnectionSettings;
use crate::access::FieldErrors;
use crate::app::App;

/// The maximum length of a certificate bundle, in characters.
const MOST_CERTIFICATES: usize = 64 * 1024;
/// The maximum length of a password or client secret, in characters.
const MOST_SECRET: usize = 4_000;
/// The maximum length of a URL, in characters.
const MOST_URL: usize = 2_000;

/// Validates a draft. Returns the settings, and the origin of the site.
pub(super) fn validate_draft(
    app: &App,
    wish: &ConnectionDraft,
) -> ServiceResult<(ConnectionSettings, String)> {
    let mut faults = FieldErrors::default();
    faults.name("/Name", &wish.name);
    let origin = site(app, wish, &mut faults);
    let method = wish.method;
    if method.is_none() {
        faults.say("/Method", FieldErrorCode::Required, "Say how to sign in.");
    }
    let method = method.unwrap_or(ConnectionMethod::Anonymous);
    own_identity(app, wish, method, &origin, &mut faults);
    credentials(wish, method, &mut faults);
    oauth(app, wish, method, &mut faults);
    if wish
        .timeout
        .is_some_and(|seconds| !(1..=600).contains(&seconds))
    {
        faults.say("/Timeout", FieldErrorCode::Invalid, "1 to 600 seconds.");
    }
    kdc(wish, method, &mut faults);
    token_service(wish, method, &origin, &mut faults);
    if let Some(bundle) = &wish.ca_bundle {
        certificates(bundle, &mut faults);
    }
    faults.refuse()?;
    let settings = ConnectionSettings {
        method,
        identity: wish.identity,
        protocol: wish.protocol,
        url: wish.url.trim().trim_end_matches('/').to_owned(),
        username: wish.username.clone(),
        domain: wish.domain.clone(),
        kdc: wish.kdc.clone(),
        token_service: wish.token_service.clone(),
        ca_bundle: wish.ca_bundle.clone(),
        timeout: wish.timeout,
        provider: method
            .is_oauth()
            .then(|| wish.provider.clone().unwrap_or_else(|| PROVIDER.to_owned())),
        issuer: wish.issuer.clone(),
        client_id: wish.client_id.clone(),
        access: wish.access,
        revision: 1,
    };
    Ok((settings, origin))
}

/// The origin of the site; empty if it is invalid.
fn site(app: &App, wish: &ConnectionDraft, faults: &mut FieldErrors) -> String {
    let text = wish.url.trim();
    let mut refuse = |why: &str| {
        faults.say("/Url", FieldErrorCode::Invalid, why);
        String::new()
    };
    if text.len() > MOST_URL {
        return refuse("At most 2000 characters.");
    }
    let Ok(url) = Url::parse(text) else {
        return refuse("The address of a site, such as https://intranet.example/sites/it.");
    };
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("The address of the site alone, without ? and #.");
    }
    let protocol = match wish.protocol {
        SiteProtocol::Auto => Protocol::Auto,
        SiteProtocol::Rest => Protocol::Rest,
        SiteProtocol::Graph => Protocol::Graph,
    };
    if let Err(error) = Site::check_address(text, protocol) {
        return refuse(&error.to_string());
    }
    match app.egress().check(&url) {
        Ok(()) => url.origin().ascii_serialization(),
        Err(error) => refuse(&format!("{}.", capitalise(&error.to_string()))),
    }
}

/// The server's own identity may be used only for origins that its operator has enabled. Otherwise
/// the author of a connection would act with rights that are not theirs.
fn own_identity(
    app: &App,
    wish: &ConnectionDraft,
    method: ConnectionMethod,
    origin: &str,
    faults: &mut FieldErrors,
) {
    if wish.identity != ConnectionIdentity::Service {
        return;
    }
    let why = if method != ConnectionMethod::Kerberos {
        format!(
            "{} knows no identity of the server's own; Kerberos does.",
            method.name()
        )
    } else if !Identity::has_service() {
        "This server was built without tickets of its own (the feature system-kerberos).".to_owned()
    } else if !origin.is_empty() && !app.egress().knows_us_at(origin) {
        format!(
            "The operator has not opened the server's own identity for {origin} (--own-identity)."
        )
    } else {
        return;
    };
    faults.say("/Identity", FieldErrorCode::Invalid, why);
}

fn credentials(wish: &ConnectionDraft, method: ConnectionMethod, faults: &mut FieldErrors) {
    let own = wish.identity == ConnectionIdentity::Service;
    let has_password = method.has_password() && !own;
    let texts = [
        ("/Username", &wish.username),
        ("/Password", &wish.password),
        ("/Domain", &wish.domain),
    ];
    for (pointer, text) in texts {
        let Some(text) = text else { continue };
        if !has_password {
            let why = if own {
                "The server signs in as itself, without a user name and a password.".to_owned()
            } else {
                format!("{} takes no user name and no password.", method.name())
            };
            faults.say(pointer, FieldErrorCode::Invalid, why);
        } else if pointer == "/Password" {
            secret(pointer, text, faults);
        } else {
            faults.name(pointer, text);
        }
    }
    if has_password && wish.username.is_none() {
        faults.say("/Username", FieldErrorCode::Required, "Name the user.");
    }
}

fn secret(pointer: &str, text: &str, faults: &mut FieldErrors) {
    if text.is_empty() {
        faults.say(
            pointer,
            FieldErrorCode::Invalid,
            "Leave it out to keep it as it is.",
        );
    } else if text.chars().count() > MOST_SECRET {
        faults.say(
            pointer,
            FieldErrorCode::LimitExceeded,
            "At most 4000 characters.",
        );
    }
}

fn oauth(app: &App, wish: &ConnectionDraft, method: ConnectionMethod, faults: &mut FieldErrors) {
    if !method.is_oauth() {
        let texts = [
            ("/Provider", &wish.provider),
            ("/Issuer", &wish.issuer),
            ("/ClientId", &wish.client_id),
            ("/ClientSecret", &wish.client_secret),
            ("/ClientCertificate", &wish.client_certificate),
        ];
        for (pointer, _) in [
            ("/RemoveClientSecret", wish.remove_client_secret),
            ("/RemoveClientCertificate", wish.remove_client_certificate),
        ]
        .into_iter()
        .filter(|(_, removes)| *removes)
        {
            let name = method.name();
            faults.say(
                pointer,
                FieldErrorCode::Invalid,
                format!("{name} keeps neither a client secret nor a certificate."),
            );
        }
        for (pointer, _) in texts.iter().filter(|(_, text)| text.is_some()) {
            let name = method.name();
            faults.say(
                *pointer,
                FieldErrorCode::Invalid,
                format!("{name} signs in without an authorization server."),
            );
        }
        return;
    }
    if wish
        .provider
        .as_deref()
        .is_some_and(|provider| provider != PROVIDER)
    {
        faults.say(
            "/Provider",
            FieldErrorCode::Invalid,
            format!("The one provider there is: {PROVIDER}."),
        );
    }
    match &wish.client_id {
        Some(id) => faults.name("/ClientId", id),
        None => faults.say(
            "/ClientId",
            FieldErrorCode::Required,
            "Who this server is at the authorization server.",
        ),
    }
    if let Some(text) = &wish.client_secret {
        secret("/ClientSecret", text, faults);
        if wish.remove_client_secret {
            faults.phrase(
                "/RemoveClientSecret",
                FieldErrorCode::Invalid,
                PhraseCode::SecretAndRemoval,
            );
        }
    }
    if let Some(pem) = &wish.client_certificate {
        client_certificate(pem, wish, faults);
    }
    let Some(issuer) = &wish.issuer else {
        faults.say(
            "/Issuer",
            FieldErrorCode::Required,
            "Name the authorization server, such as https://login.example/tenant/v2.0.",
        );
        return;
    };
    let url = Url::parse(issuer).ok().filter(|url| {
        url.query().is_none() && url.fragment().is_none() && issuer.len() <= MOST_URL
    });
    let refused = match url {
        None => Some("the address of an authorization server is needed".to_owned()),
        Some(url) => app
            .egress()
            .check(&url)
            .err()
            .map(|error| error.to_string()),
    };
    if let Some(why) = refused {
        faults.say(
            "/Issuer",
            FieldErrorCode::Invalid,
            format!("{}.", capitalise(&why)),
        );
    }
}

fn client_certificate(pem: &str, wish: &ConnectionDraft, faults: &mut FieldErrors) {
    let at = "/ClientCertificate";
    if wish.client_secret.is_some() {
        faults.phrase(
            at,
            FieldErrorCode::Invalid,
            PhraseCode::CertificateAndSecret,
        );
    } else if wish.remove_client_certificate {
        faults.phrase(
            "/RemoveClientCertificate",
            FieldErrorCode::Invalid,
            PhraseCode::CertificateAndRemoval,
        );
    } else if pem.len() > MOST_CERTIFICATES {
        faults.say(at, FieldErrorCode::LimitExceeded, "At most 64 KiB.");
    } else if let Err(error) = ClientCertificate::read(&pem.into()) {
        faults.phrase(at, FieldErrorCode::Invalid, error.phrase());
    }
}

fn kdc(wish: &ConnectionDraft, method: ConnectionMethod, faults: &mut FieldErrors) {
    let Some(kdc) = &wish.kdc else { return };
    if wish.identity == ConnectionIdentity::Service {
        faults.say(
            "/Kdc",
            FieldErrorCode::Invalid,
            "The server's own tickets come from where its system says (krb5.conf).",
        );
        return;
    }
    if !matches!(
        method,
        ConnectionMethod::Kerberos | ConnectionMethod::Negotiate
    ) {
        let name = method.name();
        faults.say(
            "/Kdc",
            FieldErrorCode::Invalid,
            format!("{name} asks no ticket server."),
        );
        return;
    }
    let url = Url::parse(kdc).ok();
    let fits = url.is_some_and(|url| {
        url.scheme() == "tcp" && url.has_host() && matches!(url.path(), "" | "/")
    });
    if !fits || kdc.len() > MOST_URL {
        faults.say(
            "/Kdc",
            FieldErrorCode::Invalid,
            "Where tickets come from, such as tcp://kdc.example:88.",
        );
    }
}

/// A password goes to a token service only if an administrator names it, and only at the site's own
/// origin.
fn token_service(
    wish: &ConnectionDraft,
    method: ConnectionMethod,
    origin: &str,
    faults: &mut FieldErrors,
) {
    let Some(service) = &wish.token_service else {
        return;
    };
    let why = if method == ConnectionMethod::SiteOnline {
        let there = |url: Url| url.origin().ascii_serialization() == origin;
        if Url::parse(service).is_ok_and(there) && service.len() <= MOST_URL {
            return;
        }
        "The token service of a farm that still has one, at the site's own origin, such as \
         https://farm.example/extSTS.srf."
            .to_owned()
    } else {
        format!("{} asks no token service.", method.name())
    };
    faults.say("/TokenService", FieldErrorCode::Invalid, why);
}

fn certificates(bundle: &str, faults: &mut FieldErrors) {
    if bundle.len() > MOST_CERTIFICATES {
        faults.say(
            "/CaBundle",
            FieldErrorCode::LimitExceeded,
            "At most 64 KiB.",
        );
        return;
    }
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bundle.as_bytes()).collect();
    if !read.is_ok_and(|certificates| !certificates.is_empty()) {
        faults.say(
            "/CaBundle",
            FieldErrorCode::Invalid,
            "One or more certificates as PEM.",
        );
    }
}

fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
