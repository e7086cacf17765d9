//! Credentials: keys of programs and platforms, people, sessions, revocations, tokens on request.

use serde::{Deserialize, Serialize};

use crate::actor::{ActorKind, ActorMode};
use crate::patch::Patch;
use crate::permission::{Permission, Permissions, Role};
use crate::time::Timestamp;
use crate::wire::admin::TokenContext;

/// `GET /ApiKeys`: without their secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ApiKeys {
    /// The tenant's keys, revoked ones too, the newest first.
    pub api_keys: Vec<ApiKey>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A program's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ApiKey {
    /// The id, by which it is revoked.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// What it may do.
    pub roles: Vec<Role>,
    /// The only lists that it opens; all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<TokenContext>>,
    /// The systems whose signals it may send with `SendSignals`; absent for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, accurate to five minutes; absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// `POST /ApiKeys`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct NewApiKey {
    /// The name for people.
    pub name: String,
    /// What it may do; at least one role.
    pub roles: Vec<Role>,
    /// The only lists that it opens, at most 200; all without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<TokenContext>>,
    /// The systems whose signals it may send with `SendSignals`, at most 20; none without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<String>>,
    /// When it ends; never without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A new key: the only answer that contains its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CreatedApiKey {
    /// The key.
    #[serde(flatten)]
    pub key: ApiKey,
    /// What a program sends as `Authorization: Bearer`. It is not returned again.
    pub secret: String,
}

/// `GET /EmbedKeys`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EmbedKeys {
    /// The keys of the tenant's host platforms, revoked ones too, by kid.
    pub embed_keys: Vec<EmbedKey>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A public key that a host platform signs embed tokens with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EmbedKey {
    /// The name in a token's header.
    pub kid: String,
    /// `EdDSA` or `ES256`; follows from the key.
    pub algorithm: String,
    /// The public key as a JWK (RFC 7517), as text.
    pub public_key: String,
    /// The only origins whose pages may use its tokens; any where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origins: Option<Vec<String>>,
    /// The only issuer (`iss`) that its tokens may name; any where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The most that its tokens may allow, whatever they claim.
    pub permissions: Permissions,
    /// The only lists that its tokens may open, whatever they claim; all where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<TokenContext>>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, accurate to five minutes; absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// `PUT /EmbedKeys/{kid}`. Of a key that is there already, an absent field stays and `null` clears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutEmbedKey {
    /// The public key as text: PEM or JWK, Ed25519 or P-256.
    pub public_key: String,
    /// The only origins whose pages may use its tokens, such as `https://host.example`; `null` for
    /// any.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<String>>))]
    pub origins: Patch<Vec<String>>,
    /// The only issuer (`iss`) that its tokens may name; `null` for any but this server.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub issuer: Patch<String>,
    /// The most that its tokens may allow, whatever they claim; `null` for the work on lists.
    /// `Admin` cannot be among them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<Permission>>))]
    pub permissions: Patch<Vec<Permission>>,
    /// The only lists that its tokens may open, whatever they claim, at most 200; `null` for all.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<TokenContext>>))]
    pub contexts: Patch<Vec<TokenContext>>,
    /// When it ends; `null` for never.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Timestamp>))]
    pub expires_at: Patch<Timestamp>,
}

/// `GET /Users`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Users {
    /// The tenant's people, by name, whatever its case and accents; those of one name by issuer and subject.
    pub users: Vec<User>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A person of an identity provider, and what they may do here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct User {
    /// The identity provider, as its tokens name it (`iss`).
    pub issuer: String,
    /// The person's stable id there (`sub`); never an e-mail address.
    pub subject: String,
    /// The name for people.
    pub name: String,
    /// What the person may do.
    pub roles: Vec<Role>,
    /// Whether the person is kept out.
    #[serde(default)]
    pub disabled: bool,
    /// When the person last signed in on these pages; absent if they never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<Timestamp>,
}

/// `POST /Users/Delete` and `POST /Users/EndSessions`: which person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct UserRef {
    /// The identity provider, as its tokens name it (`iss`).
    pub issuer: String,
    /// The person's stable id there (`sub`).
    pub subject: String,
}

/// `PUT /Users`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutUser {
    /// The identity provider, as its tokens name it (`iss`).
    pub issuer: String,
    /// The person's stable id there (`sub`); never an e-mail address.
    pub subject: String,
    /// The name for people.
    pub name: String,
    /// What the person may do.
    pub roles: Vec<Role>,
    /// Whether the person is kept out. Absent, a person who is kept out stays so.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub disabled: Patch<bool>,
    /// Ignored, so that a person who was read can be sent back.
    #[serde(default, skip_serializing)]
    pub last_sign_in_at: Option<Timestamp>,
}

impl From<User> for PutUser {
    fn from(user: User) -> Self {
        Self {
            issuer: user.issuer,
            subject: user.subject,
            name: user.name,
            roles: user.roles,
            disabled: Patch::Set(user.disabled),
            last_sign_in_at: None,
        }
    }
}

/// `POST /Revocations`: one token, or everything from before now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct Revocation {
    /// The `jti` of one token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
    /// `true` ends everything that was given out in the tenant: every token, every session, every
    /// API key, every embed key and every one-time link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub everything: Option<bool>,
}

/// What was revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Revoked {
    /// The token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jti: Option<String>,
    /// Tokens and sessions from before this time have ended. Tokens without `iat` count as
    /// fifteen minutes older than their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Timestamp>,
}

/// `POST /EmbedTokens`: a token for a page, asked for by a program with an API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct EmbedTokenRequest {
    /// The person's stable id.
    pub subject: String,
    /// The person's name for people.
    pub name: String,
    /// The lists that the token opens, at most 200.
    pub contexts: Vec<TokenContext>,
    /// What it allows, by permission; never `Admin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<Permission>>,
    /// What it allows, by role. Without either: what the API key may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<Role>>,
    /// The person's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The only origin whose pages may use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Whether writes go into the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<bool>,
    /// The template for lists never written whose context names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The program or agent that acts for the person with this token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<ActingParty>,
    /// How long it lives, in seconds: 10 to 900, 600 without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifetime: Option<u32>,
}

/// A program or agent that acts for a person: the claim `act` of a token. Texts have 1 to 200
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ActingParty {
    /// Its stable id.
    pub subject: String,
    /// Its name for people; the id without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `Agent` or `Program`; `Agent` without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ActorKind>,
    /// The program in which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Of an agent: whether the person has confirmed what it is about to do with this token.
    /// `Autonomous` without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ActorMode>,
}

/// `GET /session`: who has signed in with this browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Session {
    /// The person's name.
    pub name: String,
    /// The person's id at the identity provider.
    pub subject: String,
    /// Whose lists they work on.
    pub tenant: String,
    /// Their roles.
    pub roles: Vec<Role>,
    /// What these allow.
    pub permissions: Vec<Permission>,
    /// When the session ends, used or not.
    pub expires_at: Timestamp,
    /// Whether the person can sign in with passkeys, and so add some: a local administrator at a
    /// server whose address has a host name.
    #[serde(default)]
    pub passkeys: bool,
    /// Whether people sign in with an identity provider. Without one, administrators are made by
    /// one-time links: `POST /Users/AdminLink`.
    #[serde(default)]
    pub oidc: bool,
}

/// How a browser can sign in; the member `SignIn` of the refusal of `GET /session`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct SignInWays {
    /// By the identity provider: `GET /session/sign-in`.
    pub oidc: bool,
    /// As the demo's administrator: `POST /demo/session`.
    pub demo: bool,
    /// With a passkey: `POST /session/passkey/options`, then `POST /session/passkey`.
    #[serde(default)]
    pub passkey: bool,
}

/// `POST /session/link`: what stands behind the `#` of a one-time link for administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct OpenAdminLink {
    /// The secret.
    pub link: String,
}

/// `POST /session/link/sign-in`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct UseAdminLink {
    /// The secret.
    pub link: String,
    /// The name of a new administrator; a registered one keeps theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// `POST /Users/AdminLink`: a one-time link that makes another administrator of this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CreatedAdminLink {
    /// The address to open, once. What stands behind its `#` is the secret.
    pub link: String,
    /// When the link ends.
    pub expires_at: Timestamp,
}

/// What a one-time link is good for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AdminLink {
    /// Whether it can be used.
    pub state: AdminLinkState,
    /// The tenant, while the link is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The administrator whom it signs in; absent where it makes a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Whether a one-time link can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AdminLinkState {
    /// It can.
    Open,
    /// It was used before.
    Used,
    /// It has ended, after ten minutes or with the administration of whoever made it, or there never was
    /// such a link.
    Expired,
    /// Another browser has opened it first.
    OtherBrowser,
}
