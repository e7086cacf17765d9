//! `--oidc-…`: the identity provider, and the client registration of this server.
//!
//! Reads the client secret from its file and rejects unsafe options.

use std::fs;
use std::path::{Path, PathBuf};

use checklist_auth::oidc::roles::RoleMapping;
use checklist_auth::oidc::{Client, OidcSettings};
use checklist_services::base_url::is_loopback_host;
use clap::Args;
use clap::builder::FalseyValueParser;
use url::Url;

use super::{StartupError, refuse_open_file};

/// The options.
#[derive(Clone, Debug, Default, Args)]
pub struct OidcOptions {
    /// The identity provider (OpenID Connect) whose people may sign in, as its tokens name it.
    /// Only people who are registered here are let in, unless --oidc-register-people says otherwise.
    #[arg(
        long = "oidc-issuer",
        value_name = "URL",
        env = "CHECKLIST_OIDC_ISSUER"
    )]
    pub issuer: Option<String>,
    /// What the provider's access tokens for this server are issued for; without it none are taken.
    #[arg(
        long = "oidc-audience",
        value_name = "TEXT",
        env = "CHECKLIST_OIDC_AUDIENCE"
    )]
    pub audience: Option<String>,
    /// The scope that the provider's access tokens have to name; any without.
    #[arg(long = "oidc-scope", value_name = "NAME", env = "CHECKLIST_OIDC_SCOPE")]
    pub scope: Option<String>,
    /// The client at the provider that browsers sign in with. Its redirect URI is
    /// BASE_URL/session/callback.
    #[arg(
        long = "oidc-client-id",
        value_name = "ID",
        env = "CHECKLIST_OIDC_CLIENT_ID"
    )]
    pub client_id: Option<String>,
    /// A file with the client's secret, for the server's eyes only; a public client has none.
    #[arg(
        long = "oidc-client-secret-file",
        value_name = "FILE",
        env = "CHECKLIST_OIDC_CLIENT_SECRET_FILE"
    )]
    pub client_secret_file: Option<PathBuf>,
    /// The claim that identifies a person: sub, unless this says otherwise (oid,
    /// preferred_username). It must never change, and never be given to somebody else.
    #[arg(
        long = "oidc-subject-claim",
        value_name = "CLAIM",
        env = "CHECKLIST_OIDC_SUBJECT_CLAIM"
    )]
    pub subject_claim: Option<String>,
    /// A scope that a sign-in asks for beside openid and profile, where the provider names groups
    /// only then. May be given several times.
    #[arg(
        long = "oidc-sign-in-scope",
        value_name = "NAME",
        env = "CHECKLIST_OIDC_SIGN_IN_SCOPE",
        value_delimiter = ','
    )]
    pub sign_in_scopes: Vec<String>,
    /// The claim that names the groups or roles of a person at the provider: groups, roles, or a path
    /// such as realm_access.roles. Needs --oidc-role.
    #[arg(
        long = "oidc-role-claim",
        value_name = "CLAIM",
        env = "CHECKLIST_OIDC_ROLE_CLAIM"
    )]
    pub role_claim: Option<String>,
    /// Gives the people of a group a role in a tenant. At each sign-in their roles become what their
    /// groups say; in a tenant that is named here, nothing else decides. May be given several times;
    /// in the variable semicolons separate them.
    #[arg(
        long = "oidc-role",
        value_name = "GROUP=TENANT:ROLE",
        env = "CHECKLIST_OIDC_ROLE",
        value_delimiter = ';'
    )]
    pub roles: Vec<String>,
    /// Registers people at their first sign-in if one of their groups has a role.
    #[arg(
        long = "oidc-register-people",
        env = "CHECKLIST_OIDC_REGISTER_PEOPLE",
        value_parser = FalseyValueParser::new()
    )]
    pub register_people: bool,
}

/// The settings of the provider, if one is configured.
///
/// # Errors
/// Options that contradict each other, an unsafe URL, or a secret file that others can read.
pub fn read(given: OidcOptions) -> Result<Option<OidcSettings>, StartupError> {
    let Some(issuer) = given.issuer.clone() else {
        let alone = [
            ("--oidc-audience", given.audience.is_some()),
            ("--oidc-scope", given.scope.is_some()),
            ("--oidc-client-id", given.client_id.is_some()),
            (
                "--oidc-client-secret-file",
                given.client_secret_file.is_some(),
            ),
            ("--oidc-subject-claim", given.subject_claim.is_some()),
            ("--oidc-sign-in-scope", !given.sign_in_scopes.is_empty()),
            ("--oidc-role-claim", given.role_claim.is_some()),
            ("--oidc-role", !given.roles.is_empty()),
            ("--oidc-register-people", given.register_people),
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
            "The identity provider is not configured completely: neither an audience nor a client is named.",
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
    let roles = role_mapping(&given)?;
    let subject_claim = given.subject_claim.unwrap_or_else(|| "sub".to_owned());
    check_claim("--oidc-subject-claim", &subject_claim)?;
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
        subject_claim,
        sign_in_scopes: given.sign_in_scopes,
        roles,
    }))
}

/// How groups give roles, if they do.
fn role_mapping(given: &OidcOptions) -> Result<Option<RoleMapping>, StartupError> {
    let Some(claim) = &given.role_claim else {
        let alone = if given.register_people {
            "--oidc-register-people"
        } else if given.roles.is_empty() {
            return Ok(None);
        } else {
            "--oidc-role"
        };
        return Err(StartupError::configuration(
            format!("{alone} says nothing without --oidc-role-claim."),
            "Name the claim with the groups: --oidc-role-claim groups.",
        ));
    };
    check_claim("--oidc-role-claim", claim)?;
    let example = "Name a group, a tenant and a role: --oidc-role desk-leads=acme:admin. The roles are reader, \
                   checker, editor, owner, auditor, template-admin, site-operator and admin.";
    if given.roles.is_empty() {
        return Err(StartupError::configuration(
            "--oidc-role-claim says nothing without --oidc-role: no group has a role.",
            example,
        ));
    }
    let rules = given.roles.iter().map(|text| {
        text.parse().map_err(|error| {
            let what = format!("--oidc-role {text} cannot be read: {error}.");
            StartupError::configuration(what, example)
        })
    });
    Ok(Some(RoleMapping {
        claim: claim.clone(),
        rules: rules.collect::<Result<_, _>>()?,
        registers: given.register_people,
    }))
}

fn check_claim(option: &str, claim: &str) -> Result<(), StartupError> {
    let is_empty_path = claim.split('.').any(str::is_empty);
    if is_empty_path || claim.contains(char::is_whitespace) {
        return Err(StartupError::configuration(
            format!("{option} {claim:?} names no claim."),
            "Name it as the provider's tokens do, such as groups or realm_access.roles.",
        ));
    }
    Ok(())
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
