//! Who may sign in: tenants, keys, people, sessions, and what was revoked.
//!
//! The half of a store that credentials are judged by. `auth` asks it and keeps what it was told
//! until [`Directory::directory_version`] grows; the services for administrators and the command
//! line change it. Every method is one transaction, every look-up of something that is not there
//! is `None` or an empty list. Sessions and begun sign-ins do not count as changes.

use checklist_shared::permission::{Permissions, Role};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;

use super::keyset::Keyset;
use super::store::{Reply, Stamp};

/// SHA-256 of a secret; the secret itself is never stored.
pub type SecretHash = [u8; 32];

/// Tenants, keys, people, sessions and revocations.
pub trait Directory: Send + Sync {
    /// A number that grows with every [`DirectoryChange`], whichever node or command made it.
    /// Every node asks for it each second, so it has to be cheap.
    fn directory_version(&self) -> Reply<'_, u64>;

    /// All tenants that were ever written, by id.
    fn tenants(&self) -> Reply<'_, Vec<Tenant>>;

    /// What the credentials of a tenant are judged by. A tenant that was never written has no
    /// record, and nothing else either.
    fn trust<'a>(&'a self, tenant: &'a str) -> Reply<'a, Trust>;

    /// The tenant's API keys, revoked ones too, the newest first: those before a time (in
    /// milliseconds since 1970) and an id.
    fn api_keys<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(i64, String)>,
    ) -> Reply<'a, Vec<ApiKeyRecord>>;

    /// The API key with that secret, whichever tenant's it is.
    fn api_key(&self, secret: SecretHash) -> Reply<'_, Option<ApiKeyRecord>>;

    /// The tenant's people, by issuer and subject: those past an issuer and a subject.
    fn users<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(String, String)>,
    ) -> Reply<'a, Vec<UserRecord>>;

    /// Where a person of an identity provider is registered, the first registration first.
    fn registrations<'a>(&'a self, issuer: &'a str, subject: &'a str)
    -> Reply<'a, Vec<UserRecord>>;

    /// Makes a change, the version grow, and the audit trail's row, in one transaction. A tenant that was never written
    /// is written along, with its id for a name.
    fn change_directory(
        &self,
        change: DirectoryChange,
        stamp: Stamp,
    ) -> Reply<'_, DirectoryOutcome>;

    /// Keeps a sign-in that a browser has begun at an identity provider.
    fn begin_sign_in(&self, pending: PendingSignIn) -> Reply<'_, ()>;

    /// Gives back a begun sign-in and forgets it, so that it cannot be used twice.
    fn finish_sign_in(&self, state: SecretHash) -> Reply<'_, Option<PendingSignIn>>;

    /// Keeps a session, and that somebody has signed in.
    fn begin_session(&self, session: SessionRecord, stamp: Stamp) -> Reply<'_, ()>;

    /// The session of a cookie, with the person as they are registered now.
    fn session(&self, secret: SecretHash) -> Reply<'_, Option<(SessionRecord, UserRecord)>>;

    /// Notes that a session was used.
    fn session_used(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()>;

    /// Forgets a session, and keeps that its person has signed out.
    fn end_session(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()>;

    /// Keeps a one-time link for an administrator, and that it was made.
    fn add_admin_link(&self, link: AdminLinkRecord, stamp: Stamp) -> Reply<'_, ()>;

    /// The link with that secret; belongs to `browser` from its first visit on.
    fn open_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
    ) -> Reply<'_, Option<AdminLinkRecord>>;

    /// Uses a link up. Whether it could be used: it is that browser's, was not used before and has
    /// not ended.
    fn use_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
        now: Timestamp,
    ) -> Reply<'_, bool>;

    /// Removes what has ended before `now` and means nothing any more: sessions, links, begun sign-ins,
    /// revocations of tokens that have ended, and the server's own signing keys.
    fn purge_directory(&self, now: Timestamp) -> Reply<'_, ()>;
}

/// Whose lists they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// The id, as tokens and every row name it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Tokens and sessions from before this time have ended. Only moves forward. In a change: where
    /// it moves to when the tenant is disabled or enabled again.
    pub epoch: Timestamp,
    /// Nobody of a disabled tenant is let in.
    pub disabled: bool,
    /// When it was written first.
    pub created_at: Timestamp,
}

/// What the credentials of a tenant are judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The tenant, unless it was never written.
    pub tenant: Option<Tenant>,
    /// Its embed keys, revoked ones too, by kid.
    pub embed_keys: Vec<EmbedKeyRecord>,
    /// The ids of its revoked tokens.
    pub revoked_tokens: Vec<String>,
    /// The ids of its revoked API keys, those that were revoked last: their tokens end with them.
    pub revoked_api_keys: Vec<String>,
}

/// How many revoked API keys come along. A token lives for minutes, and nobody revokes so many keys
/// one by one meanwhile; whoever revokes everything ends all tokens anyway.
pub const REVOKED_API_KEYS: u32 = 10_000;

/// A public key that signs embed tokens for a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedKeyRecord {
    /// The only tenant that it may sign for.
    pub tenant: String,
    /// How it is named in a token's header; unique in the tenant.
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
    /// The only lists that its tokens may open; `None` for all.
    pub contexts: Option<Vec<TokenContext>>,
    /// Whether the server signs with it, and not a host platform.
    pub own: bool,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked. It never comes back.
    pub revoked_at: Option<Timestamp>,
}

/// A key of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyRecord {
    /// Its id, unique on the server.
    pub id: String,
    /// Whose lists it opens.
    pub tenant: String,
    /// The name for people.
    pub name: String,
    /// SHA-256 of the whole key.
    pub secret: SecretHash,
    /// What it may do.
    pub roles: Vec<Role>,
    /// The only lists that it opens; `None` for all.
    pub contexts: Option<Vec<TokenContext>>,
    /// Who made it, for people.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked. It never comes back.
    pub revoked_at: Option<Timestamp>,
}

/// A person of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRecord {
    /// Whose lists the person works on.
    pub tenant: String,
    /// The identity provider.
    pub issuer: String,
    /// The person's stable id there.
    pub subject: String,
    /// The name for people.
    pub name: String,
    /// What the person may do.
    pub roles: Vec<Role>,
    /// A disabled person is not let in.
    pub disabled: bool,
    /// What the person was given before this time has ended. In a change: where it moves to when
    /// the person is disabled or let in again.
    pub epoch: Timestamp,
    /// When the person was registered.
    pub created_at: Timestamp,
}

/// Whether the person can administrate the tenant.
#[must_use]
pub fn is_administrator(user: &UserRecord) -> bool {
    !user.disabled && user.roles.contains(&Role::Admin)
}

/// A browser that has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRecord {
    /// SHA-256 of the cookie.
    pub secret: SecretHash,
    /// The tenant, the issuer and the subject of the person.
    pub tenant: String,
    /// The identity provider.
    pub issuer: String,
    /// The person's id there.
    pub subject: String,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it ends, used or not.
    pub expires_at: Timestamp,
    /// When it was used last, give or take a minute.
    pub used_at: Timestamp,
}

/// A sign-in on its way through an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingSignIn {
    /// SHA-256 of the `state` that comes back.
    pub state: SecretHash,
    /// SHA-256 of the cookie of the browser that has begun.
    pub browser: SecretHash,
    /// What the ID token has to repeat, sealed with that cookie.
    pub nonce: String,
    /// What proves that the code was asked for here (PKCE), sealed with that cookie.
    pub verifier: String,
    /// The tenant that was asked for, where there was a choice.
    pub tenant: Option<String>,
    /// The page to go back to, a path of this server.
    pub return_to: String,
    /// When it has to be finished.
    pub expires_at: Timestamp,
}

/// A one-time link that signs an administrator in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminLinkRecord {
    /// SHA-256 of what stands in the link.
    pub secret: SecretHash,
    /// The tenant that the administrator is one of.
    pub tenant: String,
    /// The local administrator whom it signs in; `None` makes a new one.
    pub subject: Option<String>,
    /// SHA-256 of the cookie of the first browser that has opened it.
    pub browser: Option<SecretHash>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// How long a link that has ended is remembered, so that its page can say so, in milliseconds.
pub(super) const LINK_REMEMBERED: i64 = 24 * 60 * 60 * 1_000;

/// A change of who may sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectoryChange {
    /// Writes a tenant's name and whether it is disabled; its beginning stays, and its epoch unless
    /// it is disabled or enabled by this.
    PutTenant(Tenant),
    /// Ends everything that was given out in a tenant: every token and session, every API key and
    /// every embed key.
    EndEverything {
        /// Whose.
        tenant: String,
        /// When.
        at: Timestamp,
    },
    /// Registers an embed key, or replaces one that is not revoked. Its beginning stays.
    PutEmbedKey(EmbedKeyRecord),
    /// Revokes an embed key.
    RevokeEmbedKey {
        /// Whose.
        tenant: String,
        /// Which.
        kid: String,
        /// When.
        at: Timestamp,
    },
    /// Adds an API key.
    AddApiKey(ApiKeyRecord),
    /// Revokes an API key.
    RevokeApiKey {
        /// Whose.
        tenant: String,
        /// Which.
        id: String,
        /// When.
        at: Timestamp,
    },
    /// Registers a person, or changes name, roles and whether they are let in.
    PutUser(UserRecord),
    /// The same, unless it takes administration from the last person of the tenant who has it.
    PutUserButLastAdministrator(UserRecord),
    /// Revokes one token.
    RevokeToken {
        /// Whose.
        tenant: String,
        /// Its `jti`.
        jti: String,
        /// When.
        at: Timestamp,
        /// Until when that has to be remembered: no token of that id lives longer.
        until: Timestamp,
    },
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryOutcome {
    /// It was made, or nothing was left to do.
    Done,
    /// The tenant has no such key.
    Missing,
    /// The name belongs to a key that was revoked, or to another one.
    Taken,
    /// The tenant would be left without an administrator; nothing was written.
    LastAdministrator,
}
