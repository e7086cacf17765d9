//! A cache of the directory data that credentials are checked against.
//!
//! [`TrustCache::refresh`] compares the directory's version each second and after every local
//! change, and clears the cache if it has increased. A revocation therefore takes effect at once on
//! the node that made it, and within two seconds on every other.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use checklist_shared::time::Timestamp;
use checklist_store::Store;
use checklist_store::directory::{
    ApiKeyRecord, DirectoryChange, DirectoryOutcome, SecretHash, Trust, UserRecord,
};
use checklist_store::store::{Stamp, StoreError};
use hashlink::LruCache;
use tokio::sync::watch;

use super::ceiling::Ceiling;
use super::error::AuthError;
use super::keys::{EmbedKey, read_keys};

/// How often the version is compared.
const EVERY: Duration = Duration::from_secs(1);
/// The maximum number of entries of each kind; the least recently used is evicted.
const KEPT: usize = 10_000;

/// Caches tenants, API keys and people of the directory.
pub struct TrustCache {
    store: Arc<dyn Store>,
    /// The directory version that the cache belongs to.
    version: AtomicU64,
    /// Increases whenever the cache is cleared.
    generation: AtomicU64,
    changes: watch::Sender<u64>,
    known: Mutex<TrustState>,
}

struct TrustState {
    tenants: LruCache<String, Arc<TenantTrust>>,
    api_keys: LruCache<SecretHash, Arc<ApiKeyRecord>>,
    people: LruCache<(String, String), Arc<Vec<UserRecord>>>,
}

impl Default for TrustState {
    fn default() -> Self {
        Self {
            tenants: LruCache::new(KEPT),
            api_keys: LruCache::new(KEPT),
            people: LruCache::new(KEPT),
        }
    }
}

/// The data that a tenant's credentials are checked against.
#[derive(Default)]
pub struct TenantTrust {
    epoch: Option<Timestamp>,
    disabled: bool,
    keys: HashMap<String, StoredKey>,
    revoked_tokens: HashSet<String>,
    revoked_api_keys: HashSet<String>,
    /// Since when people are erased, by issuer and subject.
    erased_people: HashMap<(String, String), Timestamp>,
}

/// A registered key. Revoked ones are kept, so that a key of the configuration cannot take their
/// name.
struct StoredKey {
    key: EmbedKey,
    revoked: bool,
}

impl TrustCache {
    /// An empty cache.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            version: AtomicU64::new(0),
            generation: AtomicU64::new(0),
            changes: watch::Sender::new(0),
            known: Mutex::default(),
        }
    }

    /// Increases with every change. Results of an older generation have to be verified again.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Notifies of every change, on any node or by a command.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Clears the cache if the directory has changed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let version = self.store.directory_version().await?;
        if self.version.swap(version, Ordering::AcqRel) != version {
            {
                let mut known = self.state();
                *known = TrustState::default();
                self.generation.fetch_add(1, Ordering::AcqRel);
            }
            self.changes.send_replace(self.generation());
        }
        Ok(())
    }

    /// Polls for changes until the future is dropped.
    pub async fn follow(&self) {
        let mut seconds = tokio::time::interval(EVERY);
        seconds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            seconds.tick().await;
            if let Err(error) = self.refresh().await {
                tracing::warn!(%error, "the directory does not answer");
            }
        }
    }

    /// Makes a change that takes effect on this node at once.
    ///
    /// # Errors
    /// The store failed.
    pub async fn change(
        &self,
        change: DirectoryChange,
        stamp: Stamp,
    ) -> Result<DirectoryOutcome, StoreError> {
        let changed = self.store.change_directory(change, stamp).await?;
        self.refresh().await?;
        Ok(changed)
    }

    /// The data of a tenant. Its name may come from an unverified token, so only existing tenants
    /// are cached.
    ///
    /// # Errors
    /// The store failed.
    pub async fn of(&self, tenant: &str) -> Result<Arc<TenantTrust>, StoreError> {
        if let Some(trust) = self.state().tenants.get(tenant) {
            return Ok(Arc::clone(trust));
        }
        let since = self.generation();
        let read = self.store.trust(tenant).await?;
        let is_there = read.tenant.is_some();
        let trust = Arc::new(TenantTrust::of(read));
        if is_there {
            self.keep(since, |known| &mut known.tenants, tenant.to_owned(), &trust);
        }
        Ok(trust)
    }

    /// Looks up an API key by the hash of its secret.
    ///
    /// # Errors
    /// The store failed.
    pub async fn api_key(
        &self,
        secret: SecretHash,
    ) -> Result<Option<Arc<ApiKeyRecord>>, StoreError> {
        if let Some(key) = self.state().api_keys.get(&secret) {
            return Ok(Some(Arc::clone(key)));
        }
        let since = self.generation();
        let Some(key) = self.store.api_key(secret).await? else {
            return Ok(None);
        };
        let key = Arc::new(key);
        self.keep(since, |known| &mut known.api_keys, secret, &key);
        Ok(Some(key))
    }

    /// Looks up the registrations of a person, oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn registrations(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Arc<Vec<UserRecord>>, StoreError> {
        let name = (issuer.to_owned(), subject.to_owned());
        if let Some(found) = self.state().people.get(&name) {
            return Ok(Arc::clone(found));
        }
        let since = self.generation();
        let found = Arc::new(self.store.registrations(issuer, subject).await?);
        self.keep(since, |known| &mut known.people, name, &found);
        Ok(found)
    }

    /// Caches a value, unless something has changed since the read began.
    fn keep<K: Hash + Eq, V>(
        &self,
        since: u64,
        place: impl Fn(&mut TrustState) -> &mut LruCache<K, Arc<V>>,
        name: K,
        value: &Arc<V>,
    ) {
        let mut known = self.state();
        if self.generation() == since {
            place(&mut known).insert(name, Arc::clone(value));
        }
    }

    fn state(&self) -> MutexGuard<'_, TrustState> {
        // No operation leaves the maps inconsistent, so a poisoned lock is usable.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TenantTrust {
    fn of(trust: Trust) -> Self {
        let keys = trust.embed_keys.into_iter().filter_map(|record| {
            let read = read_keys(&record.public_key, &record.kid, true);
            let Ok([key]) = read.as_deref() else {
                tracing::warn!(kid = record.kid, "a registered key cannot be read");
                return None;
            };
            let stored = StoredKey {
                key: EmbedKey {
                    tenant: Some(record.tenant),
                    origins: record.origins,
                    issuer: record.issuer,
                    ceiling: if record.own {
                        Ceiling::of_own_key()
                    } else {
                        Ceiling::of(record.permissions, record.contexts)
                    },
                    own: record.own,
                    expires_at: record.expires_at,
                    ..key.clone()
                },
                revoked: record.revoked_at.is_some(),
            };
            Some((record.kid, stored))
        });
        Self {
            keys: keys.collect(),
            epoch: trust.tenant.as_ref().map(|tenant| tenant.epoch),
            disabled: trust.tenant.is_some_and(|tenant| tenant.disabled),
            revoked_tokens: trust.revoked_tokens.into_iter().collect(),
            revoked_api_keys: trust.revoked_api_keys.into_iter().collect(),
            erased_people: trust
                .erased_people
                .into_iter()
                .map(|person| ((person.issuer, person.subject), person.erased_at))
                .collect(),
        }
    }

    /// Looks up a registered key by `kid`.
    ///
    /// # Errors
    /// The key was revoked or has expired.
    pub fn key(&self, kid: &str, now: Timestamp) -> Result<Option<&EmbedKey>, AuthError> {
        let Some(stored) = self.keys.get(kid) else {
            return Ok(None);
        };
        if stored.revoked {
            return Err(AuthError::invalid("The token's key was revoked."));
        }
        if stored.key.expires_at.is_some_and(|end| end <= now) {
            return Err(AuthError::invalid("The token's key has expired."));
        }
        Ok(Some(&stored.key))
    }

    /// Fails for credentials that were issued before everything was revoked, and for a disabled
    /// tenant.
    ///
    /// # Errors
    /// `Unauthenticated`.
    pub fn lets_in(&self, issued_at: Option<Timestamp>) -> Result<(), AuthError> {
        if self.disabled {
            return Err(AuthError::invalid("The tenant is disabled."));
        }
        match (issued_at, self.epoch) {
            (Some(issued), Some(epoch)) if issued < epoch => Err(AuthError::invalid(
                "Everything that was issued before was revoked; get a new token.",
            )),
            _ => Ok(()),
        }
    }

    /// Fails for a token whose API key was revoked.
    ///
    /// # Errors
    /// `Unauthenticated`.
    pub fn knows_no_revocation_of_api_key(&self, id: &str) -> Result<(), AuthError> {
        if self.revoked_api_keys.contains(id) {
            return Err(AuthError::invalid(
                "The API key that asked for the token was revoked.",
            ));
        }
        Ok(())
    }

    /// Fails for a token of a person who was erased after it was issued. A later one is a new
    /// person's: the server does not know who was erased longer ago.
    ///
    /// # Errors
    /// `Unauthenticated`.
    pub fn knows_no_erasure_of(
        &self,
        issuer: &str,
        subject: &str,
        issued_at: Timestamp,
    ) -> Result<(), AuthError> {
        let person = (issuer.to_owned(), subject.to_owned());
        let erased = self.erased_people.get(&person);
        if erased.is_some_and(|erased_at| issued_at <= *erased_at) {
            return Err(AuthError::invalid(
                "The person was erased after the token was issued; get a new token.",
            ));
        }
        Ok(())
    }

    /// Fails for a token that was revoked by its id.
    ///
    /// # Errors
    /// `Unauthenticated`.
    pub fn knows_no_revocation_of(&self, jti: &str) -> Result<(), AuthError> {
        if self.revoked_tokens.contains(jti) {
            return Err(AuthError::invalid("The token was revoked."));
        }
        Ok(())
    }
}
