//! Connections to other systems: service connections, pending consents and connection handles.
//!
//! The part of a store behind `services::connections`. Secrets arrive and leave encrypted; a store
//! cannot decrypt them. Every method is one transaction. A lookup of something that does not exist,
//! or belongs to another tenant, returns `None`.

use checklist_shared::time::Timestamp;

use super::act::{Act, Cause};
use super::directory::SecretHash;
use super::keyset::Keyset;
use super::store::{Reply, Stamp};

/// Service connections, consents and handles.
pub trait Connections: Send + Sync {
    /// The tenant's connections, by name. The page starts after a name as it has to be unique.
    fn connections<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<String>,
    ) -> Reply<'a, Vec<ConnectionRecord>>;

    /// One of the tenant's connections.
    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>>;

    /// Adds a connection. Registers the tenant if necessary.
    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome>;

    /// Saves a connection if its stored revision is the one before the record's (optimistic
    /// locking). Ends the claim of a refresh.
    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome>;

    /// Deletes a connection; returns whether there was one.
    fn delete_connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool>;

    /// Claims the exclusive right to refresh the credentials until that time. Returns `false` if
    /// another claim is active or the revision has changed.
    fn claim_refresh<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        revision: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, bool>;

    /// Stores a consent that a browser has started at a provider.
    fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()>;

    /// Removes a pending consent and returns it, so that it can be used only once.
    fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>>;

    /// Stores a handle.
    fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()>;

    /// The record of one of the tenant's handles.
    fn handle<'a>(&'a self, tenant: &'a str, handle: SecretHash)
    -> Reply<'a, Option<HandleRecord>>;

    /// Removes consents and handles that expired before `now`.
    fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()>;
}

/// A service connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionRecord {
    /// The tenant that owns it.
    pub tenant: String,
    /// Its id, a UUID.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The normalized name, unique within the tenant.
    pub name_key: String,
    /// The id of the actor who owns it.
    pub owner: String,
    /// That actor's name.
    pub owner_name: String,
    /// The only origin that it may be used for.
    pub origin: String,
    /// All other settings that are not secret, as JSON.
    pub settings: String,
    /// The encrypted credentials.
    pub sealed: Option<SealedSecret>,
    /// Why a person has to sign in again.
    pub problem: Option<String>,
    /// Incremented by every change.
    pub revision: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A secret that only the vault can decrypt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSecret {
    /// The id of the vault key that encrypted it.
    pub key_id: String,
    /// The ciphertext.
    pub bytes: Vec<u8>,
}

/// A consent that a browser has started and not yet finished at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingConsent {
    /// SHA-256 of the `state` parameter.
    pub state: SecretHash,
    /// SHA-256 of the cookie of the browser that started it.
    pub browser: SecretHash,
    /// The tenant of the connection.
    pub tenant: String,
    /// The id of the connection.
    pub connection: String,
    /// The revision of the connection when the consent started.
    pub revision: u64,
    /// The id of the actor who started it.
    pub actor: String,
    /// The PKCE verifier, encrypted with the browser's cookie.
    pub verifier: Vec<u8>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A connection handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleRecord {
    /// SHA-256 of the handle.
    pub handle: SecretHash,
    /// The tenant of the handle.
    pub tenant: String,
    /// The id of the only actor who may use it.
    pub actor: String,
    /// The connection, encrypted with the handle itself.
    pub sealed: Vec<u8>,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The outcome of saving a connection or a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It was saved.
    Done,
    /// The tenant has no such record.
    Missing,
    /// Its revision has changed.
    Changed,
    /// Another record has that name.
    NameTaken,
}
