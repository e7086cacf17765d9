//! The directory: tenants, keys, people, sessions and revocations.
//!
//! The part of a store that authentication depends on. `auth` caches what it reads here until
//! [`Directory::directory_version`] increases; the administration services and the command line
//! write. Every method is one transaction. A lookup of something that does not exist returns `None`
//! or an empty list. Sessions and pending sign-ins do not increase the version.

use checklist_shared::permission::{Permissions, Role};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;

use super::initiator::Initiator;
use super::keyset::Keyset;
use super::store::{Reply, Stamp};

/// SHA-256 of a secret; the secret itself is never stored.
pub type SecretHash = [u8; 32];

/// Tenants, keys, people, sessions and revocations.
pub trait Directory: Send + Sync {
    /// A number that increases with every [`DirectoryChange`], on whichever node or command line.
    /// Every node polls it each second, so it has to be cheap.
    fn directory_version(&self) -> Reply<'_, u64>;

    /// All registered tenants, by id.
    fn tenants(&self) -> Reply<'_, Vec<Tenant>>;

    /// Everything that the credentials of a tenant are verified against. Empty for a tenant that is
    /// not registered.
    fn trust<'a>(&'a self, tenant: &'a str) -> Reply<'a, Trust>;

    /// The tenant's API keys, including revoked ones, newest first. The page starts after the key
    /// of creation time (milliseconds since 1970) and id.
    fn api_keys<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(i64, String)>,
    ) -> Reply<'a, Vec<ApiKeyRecord>>;

    /// The API key with that secret, of any tenant.
    fn api_key(&self, secret: SecretHash) -> Reply<'_, Option<ApiKeyRecord>>;

    /// The tenant's people, by name ([`sort_name`](crate::sort_name::sort_name)), issuer and subject. The
    /// page starts after that key.
    fn users<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(String, String, String)>,
    ) -> Reply<'a, Vec<UserRecord>>;

    /// Stores when a key was last used. Neither audited nor a change of the directory.
    fn key_used(&self, key: UsedKey, at: Timestamp) -> Reply<'_, ()>;

    /// The registrations of a person of an identity provider, oldest first.
    fn registrations<'a>(&'a self, issuer: &'a str, subject: &'a str)
    -> Reply<'a, Vec<UserRecord>>;

    /// Makes a change, increases the version and appends the audit row, in one transaction.
    /// Registers the tenant if necessary, with its id as its name.
    fn change_directory(
        &self,
        change: DirectoryChange,
        stamp: Stamp,
    ) -> Reply<'_, DirectoryOutcome>;

    /// Stores a sign-in that a browser has started at an identity provider.
    fn begin_sign_in(&self, pending: PendingSignIn) -> Reply<'_, ()>;

    /// Removes a pending sign-in and returns it, so that it can be used only once.
    fn finish_sign_in(&self, state: SecretHash) -> Reply<'_, Option<PendingSignIn>>;

    /// Stores a session and the time of the sign-in, and audits it.
    fn begin_session(&self, session: SessionRecord, stamp: Stamp) -> Reply<'_, ()>;

    /// The session of a cookie, with the person as they are registered now.
    fn session(&self, secret: SecretHash) -> Reply<'_, Option<(SessionRecord, UserRecord)>>;

    /// Updates the time of a session's last use.
    fn session_used(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()>;

    /// Deletes a session, and audits the sign-out.
    fn end_session(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()>;

    /// Stores a one-time link for an administrator, and audits it.
    fn add_admin_link(&self, link: AdminLinkRecord, stamp: Stamp) -> Reply<'_, ()>;

    /// The link with that secret. The first visit binds it to `browser`.
    fn open_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
    ) -> Reply<'_, Option<AdminLinkRecord>>;

    /// Consumes a link. Returns `false` if it belongs to another browser, was used before or has
    /// expired. With a link that makes an administrator all of the operator that would make one are
    /// consumed in its tenant.
    fn use_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
        now: Timestamp,
    ) -> Reply<'_, bool>;

    /// The person's passkeys, oldest first.
    fn passkeys<'a>(
        &'a self,
        tenant: &'a str,
        issuer: &'a str,
        subject: &'a str,
    ) -> Reply<'a, Vec<PasskeyRecord>>;

    /// The passkey of that id, of any tenant, with the person as they are registered now.
    fn passkey<'a>(&'a self, id: &'a str) -> Reply<'a, Option<(PasskeyRecord, UserRecord)>>;

    /// Whether any tenant has a passkey, so that signing in with one is offered.
    fn has_passkeys(&self) -> Reply<'_, bool>;

    /// Adds a passkey, and audits it. Returns `false` if there is one of that id.
    fn add_passkey(&self, passkey: PasskeyRecord, stamp: Stamp) -> Reply<'_, bool>;

    /// Gives a passkey another name, and audits it. Returns `false` if there is none.
    fn rename_passkey<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        name: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool>;

    /// Removes a passkey, and audits it. Returns `false` if there is none.
    fn remove_passkey<'a>(&'a self, tenant: &'a str, id: &'a str, stamp: Stamp) -> Reply<'a, bool>;

    /// Writes a passkey's state after a sign-in. Returns `false` if another sign-in has changed it
    /// meanwhile.
    fn passkey_used<'a>(
        &'a self,
        before: &'a PasskeyRecord,
        state: &'a str,
        at: Timestamp,
    ) -> Reply<'a, bool>;

    /// Stores a challenge that a browser was given.
    fn begin_passkey(&self, pending: PendingPasskey) -> Reply<'_, ()>;

    /// Removes a challenge and returns it, so that it can be answered only once.
    fn finish_passkey(&self, challenge: SecretHash) -> Reply<'_, Option<PendingPasskey>>;

    /// Removes what expired before `now` and is no longer needed: sessions, links, challenges,
    /// pending sign-ins, revocations of expired tokens, and the server's own signing keys.
    fn purge_directory(&self, now: Timestamp) -> Reply<'_, ()>;
}

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// The id, as in tokens and in the key of every row.
    pub id: String,
    /// The display name.
    pub name: String,
    /// Tokens and sessions from before this time are invalid. It only moves forward. In a change:
    /// the new value if the tenant is disabled or enabled.
    pub epoch: Timestamp,
    /// Nobody can sign in to a disabled tenant.
    pub disabled: bool,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// Everything that the credentials of a tenant are verified against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The tenant, if it is registered.
    pub tenant: Option<Tenant>,
    /// Its embed keys, including revoked ones, by kid.
    pub embed_keys: Vec<EmbedKeyRecord>,
    /// The ids of its revoked tokens.
    pub revoked_tokens: Vec<String>,
    /// The ids of its API keys that were revoked last: their tokens are invalid, too.
    pub revoked_api_keys: Vec<String>,
    /// Who was erased lately.
    pub erased_people: Vec<ErasedPerson>,
}

/// The maximum number of revoked API keys in [`Trust`]. A token lives for minutes, and nobody
/// revokes so many keys one by one in that time. `EndEverything` ends all tokens in any case.
pub const REVOKED_API_KEYS: u32 = 10_000;

/// A public key that verifies a tenant's embed tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedKeyRecord {
    /// The only tenant that it may sign for.
    pub tenant: String,
    /// The `kid` in a token's header; unique within the tenant.
    pub kid: String,
    /// `EdDSA` or `ES256`.
    pub algorithm: String,
    /// The public key as a JWK (RFC 7517), JSON.
    pub public_key: String,
    /// The only origins whose pages may use its tokens; `None` for any.
    pub origins: Option<Vec<String>>,
    /// The only issuer that its tokens may name; `None` for any.
    pub issuer: Option<String>,
    /// The most that its tokens may allow; `None` for the work on lists.
    pub permissions: Option<Permissions>,
    /// The only lists that its tokens may open; `None` for any.
    pub contexts: Option<Vec<TokenContext>>,
    /// Whether the server itself signs with it, rather than a host platform.
    pub own: bool,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked. A revocation is final.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, accurate to some minutes. Only [`Directory::key_used`] writes it.
    pub used_at: Option<Timestamp>,
}

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyRecord {
    /// Its id, unique on the server.
    pub id: String,
    /// The tenant whose lists it opens.
    pub tenant: String,
    /// The display name.
    pub name: String,
    /// SHA-256 of the whole key.
    pub secret: SecretHash,
    /// Its roles.
    pub roles: Vec<Role>,
    /// The only lists that it opens; `None` for all.
    pub contexts: Option<Vec<TokenContext>>,
    /// The systems whose signals it may send.
    pub sources: Vec<String>,
    /// The display name of its creator.
    pub created_by: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked. A revocation is final.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, accurate to some minutes. Only [`Directory::key_used`] writes it.
    pub used_at: Option<Timestamp>,
}

/// A person of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRecord {
    /// The tenant that the person works for.
    pub tenant: String,
    /// The identity provider.
    pub issuer: String,
    /// The person's subject there, which never changes.
    pub subject: String,
    /// The display name.
    pub name: String,
    /// The person's roles.
    pub roles: Vec<Role>,
    /// A disabled person cannot sign in.
    pub disabled: bool,
    /// Sessions and tokens of the person from before this time are invalid. In a change: the new
    /// value if the person is disabled or enabled.
    pub epoch: Timestamp,
    /// When the person was registered.
    pub created_at: Timestamp,
    /// When the person last signed in. Only [`Directory::begin_session`] writes it.
    pub signed_in_at: Option<Timestamp>,
}

/// A key whose use is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UsedKey {
    /// An API key, by tenant and id.
    Api(String, String),
    /// An embed key, by tenant and kid. One of the configuration has no row.
    Embed(String, String),
}

/// Whether the person may administrate the tenant.
#[must_use]
pub fn is_administrator(user: &UserRecord) -> bool {
    !user.disabled && user.roles.contains(&Role::Admin)
}

/// The session of a signed-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRecord {
    /// SHA-256 of the cookie.
    pub secret: SecretHash,
    /// The tenant of the person; issuer and subject complete the key.
    pub tenant: String,
    /// The identity provider.
    pub issuer: String,
    /// The person's subject there.
    pub subject: String,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it expires, even if it is in use.
    pub expires_at: Timestamp,
    /// When it was last used, accurate to a minute.
    pub used_at: Timestamp,
}

/// A sign-in that a browser has started and not yet finished at an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingSignIn {
    /// SHA-256 of the `state` parameter.
    pub state: SecretHash,
    /// SHA-256 of the cookie of the browser that started it.
    pub browser: SecretHash,
    /// The `nonce` that the ID token has to contain, encrypted with that cookie.
    pub nonce: String,
    /// The PKCE verifier, encrypted with that cookie.
    pub verifier: String,
    /// The requested tenant, if there was a choice.
    pub tenant: Option<String>,
    /// The page to return to, a path of this server.
    pub return_to: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A one-time link that signs an administrator in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminLinkRecord {
    /// SHA-256 of the secret in the link.
    pub secret: SecretHash,
    /// The tenant of the administrator.
    pub tenant: String,
    /// The local administrator that it signs in; `None` creates one.
    pub subject: Option<String>,
    /// SHA-256 of the cookie of the first browser that opened it.
    pub browser: Option<SecretHash>,
    /// Who has made it.
    pub made_by: Initiator,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// A passkey of a local administrator: the public half of a WebAuthn credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyRecord {
    /// The tenant of the person; issuer and subject complete the key.
    pub tenant: String,
    /// The credential id, base64url; unique on the server.
    pub id: String,
    /// Who vouches for the person.
    pub issuer: String,
    /// The person's subject there.
    pub subject: String,
    /// The name that the person gave it.
    pub name: String,
    /// The public key, as `auth` encodes it.
    pub public_key: String,
    /// The signature counter and the flags of the last ceremony, as `auth` encodes them.
    pub state: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    pub used_at: Option<Timestamp>,
}

/// A challenge that a browser was given and has not answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingPasskey {
    /// SHA-256 of the challenge.
    pub challenge: SecretHash,
    /// SHA-256 of the cookie of the session that adds a passkey; `None` while signing in.
    pub session: Option<SecretHash>,
    /// What the answer is checked against, as `auth` encodes it.
    pub state: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// How long an expired link is kept, so that its page can say so, in milliseconds.
pub(super) const LINK_REMEMBERED: i64 = 24 * 60 * 60 * 1_000;

/// How long it is known that a person was deleted, in milliseconds: longer than access tokens of
/// identity providers are valid.
pub(super) const DELETION_REMEMBERED: i64 = 7 * 24 * 60 * 60 * 1_000;

/// How long it is known that a person was erased, in milliseconds: longer than an embed token lives.
pub(super) const ERASURE_REMEMBERED: i64 = 60 * 60 * 1_000;

/// A person who is being erased, or was lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedPerson {
    /// The tenant.
    pub tenant: String,
    /// Who issued the person's tokens.
    pub issuer: String,
    /// The person's subject there.
    pub subject: String,
    /// Since when. Tokens from before have ended.
    pub erased_at: Timestamp,
}

/// A change of the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectoryChange {
    /// Writes a tenant's name and whether it is disabled. The registration time stays; the epoch
    /// changes only if the tenant is disabled or enabled.
    PutTenant(Tenant),
    /// Revokes every token, session, API key and embed key of a tenant.
    EndEverything {
        /// The tenant.
        tenant: String,
        /// The time of the revocation.
        at: Timestamp,
    },
    /// Registers an embed key, or replaces one that is not revoked. The registration time stays.
    PutEmbedKey(EmbedKeyRecord),
    /// Revokes an embed key.
    RevokeEmbedKey {
        /// The tenant.
        tenant: String,
        /// The kid of the key.
        kid: String,
        /// The time of the revocation.
        at: Timestamp,
    },
    /// Adds an API key.
    AddApiKey(ApiKeyRecord),
    /// Revokes an API key.
    RevokeApiKey {
        /// The tenant.
        tenant: String,
        /// The id of the key.
        id: String,
        /// The time of the revocation.
        at: Timestamp,
    },
    /// Registers a person, or changes their name, roles and whether they are disabled.
    PutUser(UserRecord),
    /// As `PutUser`, unless the tenant would lose its last administrator.
    PutUserButLastAdministrator(UserRecord),
    /// As `PutUserButLastAdministrator`, of somebody who is registered.
    ChangeUserButLastAdministrator(UserRecord),
    /// Deletes a person with their sessions, unless the tenant would lose its last administrator.
    DeleteUserButLastAdministrator {
        /// The tenant.
        tenant: String,
        /// The identity provider.
        issuer: String,
        /// The person's subject there.
        subject: String,
        /// The time of the deletion; sessions and tokens from before stay invalid if the person is
        /// registered again.
        at: Timestamp,
    },
    /// Begins the erasure of a person: deletes the registration, if there is one, unless the tenant
    /// would lose its last administrator, and ends every token from before.
    BeginErasure(ErasedPerson),
    /// Ends the sessions and tokens of a person.
    EndSessions {
        /// The tenant.
        tenant: String,
        /// The identity provider.
        issuer: String,
        /// The person's subject there.
        subject: String,
        /// What was issued before this time is invalid.
        at: Timestamp,
    },
    /// Revokes one token.
    RevokeToken {
        /// The tenant.
        tenant: String,
        /// Its `jti`.
        jti: String,
        /// The time of the revocation.
        at: Timestamp,
        /// How long the revocation is kept: no token of that id lives longer.
        until: Timestamp,
    },
}

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryOutcome {
    /// It was made, or there was nothing to change.
    Done,
    /// The tenant has no such object.
    Missing,
    /// The id belongs to a revoked key, or to another one.
    Taken,
    /// The tenant would lose its last administrator; nothing was written.
    LastAdministrator,
}
