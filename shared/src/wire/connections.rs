//! Service connections: where a site is, how the server signs in there, and what is granted.
//!
//! Administrators write them; secrets are never returned.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::patch::Patch;
use crate::time::Timestamp;

/// How a service connection signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ConnectionMethod {
    /// Nobody in particular.
    Anonymous,
    /// With the credential that each caller brings along (`Site-Authorization`).
    PassThrough,
    /// User name and password in the hosted service's former dialogue, where a farm still has it
    /// and `TokenService` names it.
    SiteOnline,
    /// User name and password of the site's own, kept in a cookie.
    Forms,
    /// Kerberos or NTLM, as the two sides agree.
    Negotiate,
    /// Kerberos.
    Kerberos,
    /// NTLM.
    #[serde(rename = "NTLM")]
    Ntlm,
    /// HTTP digest.
    Digest,
    /// On behalf of the person who has signed in with a capability provider (OAuth).
    Delegated,
    /// As an application of its own, with a client secret or a certificate (OAuth), for unattended
    /// work.
    Application,
}

impl ConnectionMethod {
    /// All of them, in the order in which people are asked.
    pub const ALL: [Self; 10] = [
        Self::Delegated,
        Self::Application,
        Self::Negotiate,
        Self::Kerberos,
        Self::Ntlm,
        Self::Digest,
        Self::Forms,
        Self::SiteOnline,
        Self::PassThrough,
        Self::Anonymous,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anonymous => "Anonymous",
            Self::PassThrough => "PassThrough",
            Self::SiteOnline => "SiteOnline",
            Self::Forms => "Forms",
            Self::Negotiate => "Negotiate",
            Self::Kerberos => "Kerberos",
            Self::Ntlm => "NTLM",
            Self::Digest => "Digest",
            Self::Delegated => "Delegated",
            Self::Application => "Application",
        }
    }

    /// Whether it takes a user name and a password.
    #[must_use]
    pub const fn has_password(self) -> bool {
        matches!(
            self,
            Self::SiteOnline
                | Self::Forms
                | Self::Negotiate
                | Self::Kerberos
                | Self::Ntlm
                | Self::Digest
        )
    }

    /// Whether it signs in with an authorization server.
    #[must_use]
    pub const fn is_oauth(self) -> bool {
        matches!(self, Self::Delegated | Self::Application)
    }
}

/// Whose identity a connection signs in with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ConnectionIdentity {
    /// That of the user, the client or the person that the connection names.
    #[default]
    Credentials,
    /// The server's own: `Kerberos` with the ticket that its system has for it. Only at origins
    /// that the operator has opened for that, and only in builds that can do it.
    Service,
}

/// What the site speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SiteProtocol {
    /// Graph where the host is the graph host or the path begins with `/v1.0/`, else REST.
    #[default]
    Auto,
    /// SharePoint REST (`_api`).
    Rest,
    /// Microsoft Graph lists.
    Graph,
}

/// What is asked of the authorization server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum GrantedAccess {
    /// Every site that the person may use, with the scope of the site's own origin (or Graph's).
    #[default]
    AllSites,
    /// The sites alone that an administrator there has opened to the application.
    SelectedSites,
    /// The provider's scope as it is listed, without an audience, for servers that know it so.
    AsListed,
}

/// `POST /ServiceConnections` and `PUT /ServiceConnections/{id}`.
///
/// A field that a change leaves out stays as it is, and `null` clears it; what does not belong to
/// another way to sign in goes with the former way. What authenticates stays likewise, unless the
/// connection then leads to another origin, signs in otherwise or belongs to somebody else: then it
/// has to be given anew.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutServiceConnection {
    /// The name for people, unique in the tenant.
    pub name: String,
    /// How to sign in. A new connection has to say.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ConnectionMethod>))]
    pub method: Patch<ConnectionMethod>,
    /// Whose identity that is with.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ConnectionIdentity>))]
    pub identity: Patch<ConnectionIdentity>,
    /// What the site speaks.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<SiteProtocol>))]
    pub protocol: Patch<SiteProtocol>,
    /// The site: `https://intranet.example/sites/it`.
    pub url: String,
    /// User name.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub username: Patch<String>,
    /// Password. Never returned.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub password: Patch<String>,
    /// Domain or realm of the user.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub domain: Patch<String>,
    /// Where Kerberos tickets come from: `tcp://kdc.example:88`.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub kdc: Patch<String>,
    /// For `SiteOnline` on a farm or an emulator that still speaks the former dialogue: its token
    /// service, at the site's own origin, which is sent the password. Without it no password is
    /// sent: the hosted service takes none any more.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub token_service: Patch<String>,
    /// Certificates of the site's own authority, PEM; they count beside the system's.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub ca_bundle: Patch<String>,
    /// Seconds for one attempt, 1 to 600; 30 where nothing is said.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub timeout: Patch<u32>,
    /// The capability provider; `site-delegated` is the one there is.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub provider: Patch<String>,
    /// The authorization server, as its discovery document names it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub issuer: Patch<String>,
    /// Who this server is there.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub client_id: Patch<String>,
    /// The client's secret; none for a public client. Never returned.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub client_secret: Patch<String>,
    /// What the client shows instead of a secret: a certificate and its private key, PEM, of RSA or
    /// of the curve P-256 (Microsoft Entra ID takes RSA alone). The key is never returned.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub client_certificate: Patch<String>,
    /// Forgets the client's secret that is kept, as for a client that became a public one; the same as
    /// `ClientSecret: null`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub remove_client_secret: bool,
    /// Forgets the certificate with its key that is kept; the same as `ClientCertificate: null`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub remove_client_certificate: bool,
    /// What is asked for.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<GrantedAccess>))]
    pub access: Patch<GrantedAccess>,
    /// The revision that the change is based on; a newer one refuses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// Without anything that authenticates, and without the address, in which people put passwords too.
impl fmt::Debug for PutServiceConnection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PutServiceConnection")
            .field("name", &self.name)
            .field("method", &self.method)
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// `GET /ServiceConnections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServiceConnections {
    /// The tenant's connections, by name.
    pub service_connections: Vec<ServiceConnection>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Whether a connection can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ConnectionState {
    /// It can.
    Ready,
    /// A person has to sign in with the provider, for the first time or again.
    NeedsSignIn,
    /// A password, a client secret or a certificate is missing.
    NeedsSecret,
}

/// A service connection, without anything that authenticates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServiceConnection {
    /// Its id (Guid).
    pub id: String,
    /// The name for people.
    pub name: String,
    /// How it signs in.
    pub method: ConnectionMethod,
    /// Whose identity that is with.
    #[serde(default)]
    pub identity: ConnectionIdentity,
    /// What the site speaks.
    pub protocol: SiteProtocol,
    /// The site.
    pub url: String,
    /// The only origin that it leads to.
    pub origin: String,
    /// User name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Domain or realm of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Where Kerberos tickets come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kdc: Option<String>,
    /// The token service of a farm that still speaks the former dialogue of `SiteOnline`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_service: Option<String>,
    /// Certificates of the site's own authority, PEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_bundle: Option<String>,
    /// Private networks that it may lead into; the operator's configuration says which.
    pub allowed_private_ranges: Vec<String>,
    /// Seconds for one attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// The capability provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The authorization server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Who this server is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// What is asked for.
    pub access: GrantedAccess,
    /// The requested scopes, as the authorization server expects them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// Whether a password is kept.
    pub has_password: bool,
    /// Whether a client secret is kept.
    pub has_client_secret: bool,
    /// Whether a certificate with its key is kept.
    #[serde(default)]
    pub has_client_certificate: bool,
    /// What of that certificate is no secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_facts: Option<CertificateFacts>,
    /// Whether it can be used.
    pub state: ConnectionState,
    /// Why a person has to sign in again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Whom it belongs to: source, issuer and id as one text that nobody else has.
    pub owner: String,
    /// That person's name.
    pub owner_name: String,
    /// Grows with every change.
    pub revision: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// What of a certificate is no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CertificateFacts {
    /// Whom it names: `CN=checklists,O=Example`.
    pub subject: String,
    /// Its SHA-256, in upper-case hexadecimal, by which the authorization server knows it.
    pub thumbprint: String,
    /// From when on it holds.
    pub not_before: Timestamp,
    /// Until when it holds.
    pub not_after: Timestamp,
}

/// `POST /ServiceConnections/{id}/Connect`: where the person signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ConsentBegun {
    /// Where the browser goes now. The answer has set a cookie that has to come back with it.
    pub authorization_url: String,
}

/// `GET /ServiceCapabilityProviders`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServiceCapabilityProviders {
    /// Those there are.
    pub service_capability_providers: Vec<ServiceCapabilityProvider>,
}

/// What can grant access to a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServiceCapabilityProvider {
    /// Its id, as connections name it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// `Delegated`: on behalf of a person.
    pub kind: String,
    /// The permission scope, joined with `+`.
    pub scope: String,
    /// Where the authorization server sends browsers back to; has to be registered there.
    pub redirect_uri: String,
    /// What can be chosen, with what is asked for and what that grants.
    pub choices: Vec<AccessChoice>,
}

/// One choice of what is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AccessChoice {
    /// The choice.
    pub access: GrantedAccess,
    /// The scopes over REST; `{origin}` is the site's.
    pub rest_scopes: Vec<String>,
    /// The scopes over Graph.
    pub graph_scopes: Vec<String>,
    /// What is granted by that, for people.
    pub grants: String,
}

/// `POST /ServiceConnections/{id}/Test`: what to try beyond signing in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct TestServiceConnection {
    /// The list to look at, by title, id or internal name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
}

/// What a test has found, in the order in which it was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ConnectionTest {
    /// Whether everything that was tried works.
    pub works: bool,
    /// One by one.
    pub steps: Vec<TestStep>,
}

/// One step of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TestStep {
    /// What was tried.
    pub step: TestSubject,
    /// What came of it.
    pub outcome: TestOutcome,
    /// What was found, for whoever says it in words of their own.
    #[serde(default)]
    pub finding: TestFinding,
    /// What the finding is about: a host, a title, who has signed in, the rights that are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// A sentence for people.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
}

/// What a step of a test tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TestSubject {
    /// Whether the address may be asked, and its name is known.
    Dns,
    /// Whether somebody answers there, encrypted where it has to be.
    Tls,
    /// Whether the credentials are taken.
    SignIn,
    /// Whether the site is there.
    Site,
    /// Whether the list is there.
    List,
    /// Whether items may be written.
    Write,
    /// Whether columns may be added.
    Columns,
}

/// What a step of a test has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TestFinding {
    /// The host's name is known.
    HostKnown,
    /// The host is named by its address, which may be asked.
    AddressAllowed,
    /// The connection has no usable address.
    NoAddress,
    /// The address may not be asked.
    AddressRefused,
    /// Nobody knows the host's name.
    HostUnknown,
    /// The host answers, encrypted.
    Encrypted,
    /// The host answers, without encryption, as the operator has allowed.
    Unencrypted,
    /// The host does not answer, or not as it should.
    NoAnswer,
    /// The credentials are taken, and the site says whose they are.
    SignedIn,
    /// The credentials are taken; the site does not say whose they are.
    SignedInUntold,
    /// Nobody signs in with this method.
    Anonymous,
    /// The site is there.
    SiteThere,
    /// The list is there.
    ListThere,
    /// Items may be added, edited and deleted.
    ItemsWritable,
    /// A right to change items is missing.
    RightsMissing,
    /// Columns may be added.
    ColumnsAddable,
    /// Columns may not be added.
    ColumnsNotAddable,
    /// The protocol does not tell rights.
    RightsNotTold,
    /// No list was named.
    NoList,
    /// A step before it failed.
    NotTried,
    /// The credentials are refused.
    SignInRefused,
    /// The site answers anybody, and knows the caller as nobody.
    NotSignedIn,
    /// The site knows the caller as somebody else than the connection names.
    OtherUser,
    /// A person has to sign in first, or a secret is missing.
    NeedsSignIn,
    /// The account may not.
    Forbidden,
    /// There is no site at that address.
    SiteNotFound,
    /// The site has no such list.
    ListNotFound,
    /// There was no answer in time.
    TimedOut,
    /// The site asks to be left alone for a while.
    Throttled,
    /// Something else; the sentence says what.
    #[default]
    Other,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TestOutcome {
    /// It works.
    Passed,
    /// It does not.
    Failed,
    /// It works without, or is unknown.
    Unknown,
    /// It was not tried, because something before it failed or was not asked for.
    Skipped,
}
