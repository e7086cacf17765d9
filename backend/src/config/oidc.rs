//! `--oidc-…`: the identity provider, and the client registration of this server.
//!
//! Reads the client secret from its file and rejects unsafe options.

use std::fs;
use std::path::{Path, PathBuf};

use checklist_auth::oidc::{Client, OidcSettings};
use checklist_services::base_url::is_loopback_host;
use url::Url;

use super::{StartupError, refuse_open_file};

/// The values of the options.
#[derive(Clone, Debug, Default)]
pub struct OidcOptions {
    /// `--oidc-issuer`.
    pub issuer: Option<String>,
    /// `--oidc-audience`.
    pub audience: Option<String>,
    /// `--oidc-scope`.
    pub scope: Option<String>,
    /// `--oidc-client-id`.
    pub client_id: Option<String>,
    /// `--oidc-client-secret-file`.
    pub client_secret_file: Option<PathBuf>,
}

/// The settings of the provider, if one is configured.
///
/// # Errors
/// Options that contradict each other, an unsafe URL, or a secret file that others can read.
pub fn read(given: OidcOptions) -> Result<Option<OidcSettings>, StartupError> {
    let Some(issuer) = given.issuer else {
        let alone = [
            ("--oidc-audience", given.audience.is_some()),
            ("--oidc-scope", given.scope.is_some()),
            ("--oidc-client-id", given.client_id.is_some()),
            (
                "--oidc-client-secret-file",
                given.client_secret_file.is_some(),
            ),
        ];
        return match alone.iter().find(|(_, given)| *given) {
            None => Ok(None),
            Some((option, _)) => Err(StartupError::configuration(
                format!("{option} says nothing without --oidc-issuer."),
                "Name the identity provider: --oidc-issuer https://id.example.org.",
            )),
        };
    };
    check_issuer(&issuer)?;
    if given.audience.is_none() && given.client_id.is_none() {
        return Err(StartupError::configuration(
            "The identity provider is of no use: neither an audience nor a client is named.",
            "Name what access tokens for this server are issued for with --oidc-audience, or the client that people \
             sign in with by --oidc-client-id.",
        ));
    }
    if given.client_secret_file.is_some() && given.client_id.is_none() {
        return Err(StartupError::configuration(
            "--oidc-client-secret-file says nothing without --oidc-client-id.",
            "Name the client that the secret belongs to: --oidc-client-id ID.",
        ));
    }
    if given
        .audience
        .as_deref()
        .is_some_and(|text| text.trim().is_empty() || text == "*")
    {
        return Err(StartupError::configuration(
            "The audience of access tokens is empty.",
            "Say it as the identity provider does: --oidc-audience https://checks.example.org.",
        ));
    }
    if let Some(scope) = &given.scope {
        if scope.is_empty() || scope.contains(char::is_whitespace) {
            return Err(StartupError::configuration(
                "The scope of access tokens is one word.",
                "Name one scope as the identity provider does: --oidc-scope checklists.",
            ));
        }
        if given.audience.is_none() {
            return Err(StartupError::configuration(
                "--oidc-scope says nothing without --oidc-audience: no access tokens are taken.",
                "Name what access tokens for this server are issued for: --oidc-audience TEXT.",
            ));
        }
    }
    let secret = given
        .client_secret_file
        .as_deref()
        .map(read_secret)
        .transpose()?;
    Ok(Some(OidcSettings {
        issuer,
        audience: given.audience,
        scope: given.scope,
        client: given.client_id.map(|id| Client { id, secret }),
    }))
}

fn check_issuer(issuer: &str) -> Result<(), StartupError> {
    let hint = "Name it as its tokens do, for example --oidc-issuer https://id.example.org.";
    let url = Url::parse(issuer).ok().filter(|url| {
        let web = matches!(url.scheme(), "http" | "https") && url.has_host();
        web && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    });
    let Some(url) = url else {
        return Err(StartupError::configuration(
            format!("{issuer} is no address of an identity provider."),
            hint,
        ));
    };
    if url.scheme() == "http" && !url.host_str().is_some_and(is_loopback_host) {
        return Err(StartupError::configuration(
            format!("The identity provider {issuer} would be asked without TLS."),
            "Use its https:// address; http:// is for a provider on this machine only.",
        ));
    }
    Ok(())
}

fn read_secret(file: &Path) -> Result<String, StartupError> {
    let shown = file.display();
    let secret = fs::read_to_string(file).map_err(|error| {
        StartupError::configuration(
            format!("The secret file {shown} cannot be read: {error}."),
            "--oidc-client-secret-file takes a file that holds the client's secret and nothing else.",
        )
    })?;
    refuse_open_file(file)?;
    let secret = secret.trim();
    if secret.is_empty() || secret.chars().any(char::is_whitespace) {
        return Err(StartupError::configuration(
            format!("The secret file {shown} does not hold one secret."),
            "Write the client's secret into it, and nothing else.",
        ));
    }
    Ok(secret.to_owned())
}
