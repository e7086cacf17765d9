//! Connections to other systems: what administrators have set up, consents on their way, handles.
//!
//! The part of a store that `services::connections` keeps its records in. What authenticates
//! comes sealed and leaves sealed: no store can read it. Every method is one transaction, every
//! look-up of something that is not there, or is another tenant's, is `None`.

use checklist_shared::time::Timestamp;

use super::administration::{Act, Cause};
use super::directory::SecretHash;
use super::store::{Reply, Stamp};

/// Service connections, consents and handles.
pub trait Connections: Send + Sync {
    /// The tenant's connections, by name.
    fn connections<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ConnectionRecord>>;

    /// One of the tenant's connections.
    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>>;

    /// Keeps a new connection. A tenant that was never written is written along.
    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome>;

    /// Keeps a connection whose revision is still the one before the record's; nobody is
    /// refreshing it any more then.
    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome>;

    /// Forgets a connection; whether there was one.
    fn delete_connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool>;

    /// Whether the caller may refresh what authenticates, until then alone: nobody else is at it,
    /// and the revision is still that one.
    fn claim_refresh<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        revision: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, bool>;

    /// Keeps a consent that a browser has begun at a provider.
    fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()>;

    /// Gives back a begun consent and forgets it, so that it cannot be used twice.
    fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>>;

    /// Keeps what a handle stands for.
    fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()>;

    /// What a handle of the tenant stands for.
    fn handle<'a>(&'a self, tenant: &'a str, handle: SecretHash)
    -> Reply<'a, Option<HandleRecord>>;

    /// Removes consents and handles that have ended before `now`.
    fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()>;
}

/// A connection that was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionRecord {
    /// Whose.
    pub tenant: String,
    /// Its id, a UUID.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The name as it has to be unique in the tenant.
    pub name_key: String,
    /// The id of the actor whom it belongs to.
    pub owner: String,
    /// That actor's name.
    pub owner_name: String,
    /// The only origin that it leads to.
    pub origin: String,
    /// Everything else that is no secret, JSON.
    pub settings: String,
    /// What authenticates.
    pub sealed: Option<SealedSecret>,
    /// Why a person has to sign in again.
    pub problem: Option<String>,
    /// Grows with every change.
    pub revision: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// Something that only the vault can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSecret {
    /// Which key has sealed it.
    pub key_id: String,
    /// The sealed bytes.
    pub bytes: Vec<u8>,
}

/// A consent on its way through a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingConsent {
    /// SHA-256 of the `state` that comes back.
    pub state: SecretHash,
    /// SHA-256 of the cookie of the browser that has begun.
    pub browser: SecretHash,
    /// Whose connection.
    pub tenant: String,
    /// Which.
    pub connection: String,
    /// What the connection was when it began.
    pub revision: u64,
    /// The id of the actor who has begun.
    pub actor: String,
    /// The PKCE verifier, sealed by what the browser keeps.
    pub verifier: Vec<u8>,
    /// When it has to be finished.
    pub expires_at: Timestamp,
}

/// What a handle stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleRecord {
    /// SHA-256 of the handle.
    pub handle: SecretHash,
    /// Whose.
    pub tenant: String,
    /// The id of the only actor who may use it.
    pub actor: String,
    /// What it stands for; opens with the handle alone.
    pub sealed: Vec<u8>,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What became of a connection that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It is kept.
    Done,
    /// The tenant has no such connection.
    Missing,
    /// It was changed meanwhile.
    Changed,
    /// Another connection has that name.
    NameTaken,
}
